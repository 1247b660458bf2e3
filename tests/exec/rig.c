/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include <stdlib.h>
#include <string.h>

void rig_open_cfg(struct rig *r, uint32_t nout, struct exec_cfg cfg)
{
    memset(r, 0, sizeof *r);
    r->text = open_memstream(&r->text_buf, &r->text_n);
    cfg.out = r->text;
    r->dev = exec_dev_new(&cfg);
    assert_non_null(r->dev);
    r->nout = nout;
    r->out = exec_alloc(r->dev, 4ull * nout);
    assert_true(r->out != 0);
    r->params[0] = r->out;
    r->code.name = "test";
    r->code.file = "test.ptx";
    r->code.regs = 208;
    r->code.nbars = 4;
    r->code.param_b = sizeof r->params;
    r->code.nfuncs = 1;
    r->code.funcs = r->func;
    r->func[0].name = "test";
}

void rig_open(struct rig *r, uint32_t nout) { rig_open_cfg(r, nout, (struct exec_cfg){0}); }

void rig_close(struct rig *r)
{
    exec_dev_free(r->dev);
    vec_free(&r->v);
    fclose(r->text);
    free(r->text_buf);
}

uint32_t rig_add(struct rig *r, struct ir_insn i)
{
    vec_push(&r->v, i);
    return r->v.n - 1;
}

void rig_land(struct rig *r, uint32_t at) { r->v.at[at].target = r->v.n; }

enum exec_status rig_run(struct rig *r, uint32_t ctas, uint32_t threads)
{
    r->code.insns = r->v.at;
    r->code.n = r->v.n;
    struct exec_launch l = {.code = &r->code,
                            .grid = {ctas, r->grid[1] ? r->grid[1] : 1, r->grid[2] ? r->grid[2] : 1},
                            .block = {threads, r->block[1] ? r->block[1] : 1, r->block[2] ? r->block[2] : 1},
                            .dyn_shared_b = r->dyn,
                            .params = r->params,
                            .params_b = sizeof r->params,
                            .cooperative = r->cooperative,
                            .obs = r->obs};
    enum exec_status s = exec_launch(r->dev, &l, &r->counts, &r->err);
    assert_int_equal(s, r->err.status);
    fflush(r->text);
    return s;
}

void rig_ok(struct rig *r, uint32_t ctas, uint32_t threads)
{
    if (rig_run(r, ctas, threads) != EXEC_OK)
        fail_msg("%s", r->err.text);
}

void rig_fails(struct rig *r, uint32_t ctas, uint32_t threads, enum exec_status want, const char *text)
{
    enum exec_status s = rig_run(r, ctas, threads);
    if (s != want || !strstr(r->err.text, text))
        fail_msg("status %d, text '%s'; wanted %d, '%s'", s, r->err.text, want, text);
}

uint32_t *rig_out(struct rig *r) { return exec_ptr(r->dev, r->out, 4ull * r->nout); }

void rig_s2r(struct rig *r, uint32_t d, enum ir_sreg s)
{
    ADD(r, .op = OP_S2R, .type = T_U32, .sub = (uint8_t)s, .dst = {R(d)});
}

void rig_mov(struct rig *r, uint32_t d, struct ir_opnd s)
{
    ADD(r, .op = OP_MOV, .type = T_B32, .dst = {R(d)}, .src = {s});
}

void rig_iadd(struct rig *r, uint32_t d, struct ir_opnd a, struct ir_opnd b)
{
    ADD(r, .op = OP_IADD3, .type = T_U32, .dst = {R(d)}, .src = {a, b, I(0)});
}

void rig_addr(struct rig *r, uint32_t d, unsigned k, struct ir_opnd index, uint32_t scale)
{
    rig_mov(r, 202, I(scale));
    ADD(r, .op = OP_IMAD_WIDE, .type = T_U32, .dst = {RR(d)}, .src = {index, R(202), PARAM(k)});
}

void rig_isetp(struct rig *r, uint32_t p, enum ir_cmp c, struct ir_opnd a, struct ir_opnd b)
{
    ADD(r, .op = OP_ISETP, .type = T_U32, .cmp = (uint8_t)c, .bop = BOP_AND, .dst = {P(p)},
        .src = {a, b, P(PRED_PT)});
}

uint32_t rig_bra(struct rig *r, struct ir_opnd guard, uint32_t target)
{
    return ADD(r, .op = OP_BRA, .guard = guard, .target = target);
}

void rig_bssy(struct rig *r, uint32_t b) { ADD(r, .op = OP_BSSY, .src = {I(b)}); }
void rig_bsync(struct rig *r, uint32_t b) { ADD(r, .op = OP_BSYNC, .src = {I(b)}); }

void rig_stg(struct rig *r, uint32_t addr, struct ir_opnd data)
{
    ADD(r, .op = OP_STG, .type = T_B32, .vec = 1, .src = {RR(addr), data});
}

void rig_exit(struct rig *r) { ADD(r, .op = OP_EXIT); }

void rig_result(struct rig *r, struct ir_opnd data)
{
    rig_s2r(r, 200, SR_TID_X);
    rig_s2r(r, 201, SR_CTAID_X);
    ADD(r, .op = OP_IMAD, .type = T_U32, .dst = {R(200)}, .src = {R(201), ir_const(0, CB_NTID_X, 1), R(200)});
    rig_addr(r, 204, 0, R(200), 4);
    rig_stg(r, 204, data);
    rig_exit(r);
}
