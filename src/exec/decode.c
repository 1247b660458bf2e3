/* SPDX-License-Identifier: Apache-2.0 */
/* Linked code to dops, once per launch: every operand becomes a row, every instruction gets its handler. What no handler
 * takes, and every register, barrier or target out of range, is refused here, before anything runs. */
#include "exec/run.h"
#include "exec/warp/gmma.h"
#include <math.h>

/* Clusters of the grid by dimension, and CTAs of one. */
struct clusters {
    uint32_t n[3], ranks;
};
static struct clusters clusters_of(const struct run *r)
{
    struct clusters c = {.ranks = 1};
    for (unsigned i = 0; i < 3; i++) {
        c.n[i] = r->l->grid[i] / r->cluster[i];
        c.ranks *= r->cluster[i];
    }
    return c;
}

static void fill_bank0(struct run *r)
{
    const struct exec_launch *l = r->l;
    uint32_t words[CB_PARAM / 4] = {0};
    memcpy(&words[CB_NTID_X / 4], l->block, sizeof l->block);
    memcpy(&words[CB_NCTAID_X / 4], l->grid, sizeof l->grid);
    const struct clusters clusters = clusters_of(r);
    memcpy(&words[CB_CLUSTER_NCTAID_X / 4], r->cluster, sizeof r->cluster);
    memcpy(&words[CB_NCLUSTERID_X / 4], clusters.n, sizeof clusters.n);
    words[CB_CLUSTER_NCTARANK / 4] = clusters.ranks;
    words[CB_CLUSTER_GIVEN / 4] = r->cluster_given;
    words[CB_STACK / 4] = r->local_b;
    words[CB_DYN_SHARED / 4] = r->dyn_off;
    r->bank_b[BANK_LAUNCH] = (CB_PARAM + r->code->param_b + 7) / 8 * 8;
    r->bank[BANK_LAUNCH] = xcalloc(1, r->bank_b[BANK_LAUNCH]);
    memcpy(r->bank[BANK_LAUNCH], words, sizeof words);
    if (r->code->param_b)
        memcpy(r->bank[BANK_LAUNCH] + CB_PARAM, l->params, r->code->param_b);
}

/* What sm_90 has besides: clusters, as ptxas reads %is_explicit_cluster, %cluster_nctaid, %nclusterid, %cluster_nctarank; and to
 * divide by a cluster's dimension it multiplies with a float and cuts off, so that the float is not below the quotient. */
static void fill_clusters_sass(const struct run *r, unsigned char *b)
{
    const struct clusters clusters = clusters_of(r);
    uint32_t given = r->cluster_given;
    memcpy(b + 0x140, &given, 4);
    memcpy(b + 0x144, r->cluster, sizeof r->cluster);
    for (uint32_t i = 0; i < 3; i++) {
        float part = 1.0f / (float)r->cluster[i];
        if ((double)part * r->cluster[i] < 1)
            part = nextafterf(part, 1);
        memcpy(b + 0x150 + (size_t)4 * i, &part, 4);
    }
    memcpy(b + 0x15c, clusters.n, sizeof clusters.n);
    memcpy(b + 0x188, &clusters.ranks, 4);
}

enum { CUDA_SHARED_B = 1024 };

/* What constant bank 0 has before the parameters, by architecture: dimensions first, as ours; the window of local memory in
 * generic addresses at 0x20, the stack pointer at 0x28, %dynamic_smem_size at 0x2c, %gridid at 0x30, %nsmid at 0x10c. */
static void fill_bank0_sass(struct run *r)
{
    const struct code_sass *s = r->code->sass;
    uint32_t n = (s->param_off + r->code->param_b + 0xfff) & ~0xfffu;
    unsigned char *b = xcalloc(1, n);
    uint64_t local = WINDOW_LOCAL, grid = r->dev->launches + 1; /* this one is counted when it starts */
    memcpy(b + CB_NTID_X, r->l->block, sizeof r->l->block);
    memcpy(b + CB_NCTAID_X, r->l->grid, sizeof r->l->grid);
    memcpy(b + 0x20, &local, 8);
    memcpy(b + 0x28, &r->local_b, 4);
    memcpy(b + 0x2c, &r->l->dyn_shared_b, 4);
    memcpy(b + 0x30, &grid, 8);
    memcpy(b + 0x10c, &r->dev->cfg.nsm, 4);
    uint64_t params = WINDOW_PARAM + s->param_off;
    if (s->arch == 90) {
        /* What CUDA has for itself is in the sizes of sm_90's cubins; code takes it off for %total_smem_size. */
        memcpy(b + 0x114, &(uint32_t){CUDA_SHARED_B}, 4);
        memcpy(b + 0x198, &params, 8); /* the parameters' generic address: tensor maps are read there */
        fill_clusters_sass(r, b);
    }
    if (r->code->param_b)
        memcpy(b + s->param_off, r->l->params, r->code->param_b);
    r->bank[BANK_LAUNCH] = b;
    r->bank_b[BANK_LAUNCH] = n;
    for (unsigned k = 1; k < CODE_BANKS; k++) {
        r->bank[k] = (unsigned char *)(uintptr_t)s->bank[k];
        r->bank_b[k] = s->bank_b[k];
    }
}

static bool fill_banks(struct run *r)
{
    const struct exec_module *m = r->l->module;
    const struct code *c = r->code;
    if (c->sass) {
        fill_bank0_sass(r);
        return true;
    }
    fill_bank0(r);
    if (m) {
        r->bank[BANK_CONST] = m->bank3;
        r->bank_b[BANK_CONST] = m->bank3_b;
    }
    if (!c->nsyms)
        return true;
    r->bank_b[BANK_ADDR] = c->nsyms * 8;
    r->bank[BANK_ADDR] = xcalloc(c->nsyms, 8);
    for (uint32_t i = 0; i < c->nsyms; i++) {
        if (!m || c->syms[i].var >= m->nvars)
            return fail_launch(r, EXEC_BAD_LAUNCH, "the kernel's module is not loaded");
        uint64_t v = m->addr[c->syms[i].var] + c->syms[i].addend;
        memcpy(r->bank[BANK_ADDR] + 8 * i, &v, 8);
    }
    return true;
}

struct decoder {
    struct run *r;
    struct pool *pool;
    const struct ir_insn *i;
    struct dop *d;
    const char *bad; /* what is wrong with the instruction */
};

static void bad(struct decoder *c, const char *what)
{
    if (!c->bad)
        c->bad = what;
}

static struct xpred pred_of(struct decoder *c, const struct ir_opnd *o)
{
    if (o->kind != OPND_PRED)
        return (struct xpred){.p = PRED_PT};
    if (o->val >= PRED_U0 && o->val < PRED_MORE && c->r->code->sass)
        return (struct xpred){.p = (uint8_t)(XPRED_U0 + o->val - PRED_U0), .inv = o->neg};
    if (o->val > PRED_PT)
        bad(c, "predicate out of range");
    return (struct xpred){.p = (uint8_t)(o->val & 7), .inv = o->neg};
}

/* Byte offset of register o, of which at least `words` are used. */
static uint32_t reg_of(struct decoder *c, const struct ir_opnd *o, uint32_t words)
{
    uint32_t n = o->n > words ? o->n : words;
    uint32_t end = REG_U0 + code_more_rows(c->r->code);
    if (o->val >= REG_U0 && o->val < end && n <= end - o->val)
        return (code_rows(c->r->code) + o->val - REG_U0) * ROW_B;
    if (o->val >= code_rows(c->r->code) || n > code_rows(c->r->code) - o->val) {
        bad(c, "register out of range");
        return 0;
    }
    return o->val * ROW_B;
}

static void operands(struct decoder *c, uint32_t data_words, int data_src)
{
    const struct ir_insn *i = c->i;
    struct xop *x = &c->d->x;
    x->insn = i;
    x->guard = pred_of(c, &i->guard);
    for (unsigned k = 0; k < 6; k++) {
        const struct ir_opnd *o = &i->src[k];
        x->psrc[k] = pred_of(c, o);
        x->src[k] = (struct xsrc){.sel = XSEL_POOL, .neg = o->neg, .abs = o->abs};
        if (o->kind == OPND_REG && o->val != REG_RZ) {
            x->src[k].sel = XSEL_REG;
            x->src[k].off = reg_of(c, o, (int)k == data_src ? data_words : 1);
        } else {
            x->src[k].off = pool_row(c->pool, o);
        }
    }
    for (unsigned k = 0; k < 2; k++) {
        const struct ir_opnd *o = &i->dst[k];
        x->dst[k] = code_all_rows(c->r->code) * ROW_B;
        x->pdst[k] = XPRED_TRASH;
        if (o->kind == OPND_REG && o->val != REG_RZ)
            x->dst[k] = reg_of(c, o, k == 0 && data_src < 0 ? data_words : 1);
        else if (o->kind == OPND_PRED && o->val != PRED_PT)
            x->pdst[k] = pred_of(c, o).p;
    }
}

/* Sizes of a memory access. */
static void access_shape(struct decoder *c)
{
    struct dop *d = c->d;
    uint32_t elem = c->i->type < T_COUNT ? type_bytes(c->i->type) : 0, n = c->i->vec ? c->i->vec : 1;
    if (elem == 0 || n > 4 || n == 3 || elem * n > 16)
        bad(c, "no such access size");
    d->elem_b = (uint8_t)(elem ? elem : 1);
    d->nelem = (uint8_t)n;
    d->access_b = (uint8_t)(d->elem_b * n);
    d->sext = type_is_signed(c->i->type);
}

static uint32_t access_words(const struct dop *d)
{
    return d->elem_b < 4 ? d->nelem : (uint32_t)d->access_b / 4;
}

static core_fn coll_handler(const struct ir_insn *i, uint8_t *mask_pos)
{
    switch ((enum ir_op)i->op) {
    case OP_SHFL: *mask_pos = 3; return core_shfl;
    case OP_VOTE: *mask_pos = 1; return core_vote;
    case OP_MATCH: *mask_pos = 1; return core_match;
    case OP_REDUX: *mask_pos = 1; return core_redux;
    case OP_WARPSYNC: *mask_pos = 0; return core_nop;
    case OP_ELECT: *mask_pos = 0; return core_elect;
    default: return NULL;
    }
}

static void collective(struct decoder *c)
{
    struct dop *d = c->d;
    uint8_t pos = 0;
    d->core = coll_handler(c->i, &pos);
    bool waits = c->i->src[pos].kind != OPND_NONE && !(c->i->op == OP_VOTE && c->i->sub == VOTE_ACTIVE);
    d->ctl = waits ? CTL_COLL : CTL_NONE;
    d->mask_src = waits ? (uint8_t)(pos + 1) : 0;
}

static void control(struct decoder *c)
{
    const struct code *code = c->r->code;
    struct dop *d = c->d;
    uint32_t nbrx = (uint32_t)d->off;
    switch ((enum ir_op)c->i->op) {
    case OP_BRA:
        d->ctl = c->i->src[0].kind == OPND_NONE ? CTL_BRA : CTL_CONVERGE;
        if (d->ctl == CTL_CONVERGE && !code->sass)
            bad(c, "no such instruction in this code");
        break;
    case OP_CALL: d->ctl = CTL_CALL; return;
    case OP_RET: d->ctl = CTL_RET; return;
    case OP_EXIT: d->ctl = CTL_EXIT; return;
    case OP_BAR: d->ctl = CTL_BAR; return;
    case OP_CGABAR: d->ctl = CTL_CLUSTER; return;
    case OP_NANOSLEEP: d->ctl = CTL_SLEEP; return;
    case OP_TRAP: d->ctl = CTL_TRAP; return;
    case OP_BRX:
        d->ctl = CTL_BRX;
        if (d->off < 0 || d->target > code->nbrx || nbrx > code->nbrx - d->target)
            bad(c, "branch table out of range");
        for (uint32_t k = 0; !c->bad && k < nbrx; k++) {
            if (code->brx[d->target + k] >= code->n)
                bad(c, "branch target out of range");
        }
        return;
    case OP_JMP:
        if (!code->sass)
            bad(c, "no such instruction in this code");
        d->ctl = CTL_CONVERGE;
        return;
    default: /* BSSY, BSYNC, BREAK */
        if (code->sass) {
            d->ctl = c->i->op == OP_BSSY ? CTL_NONE : CTL_CONVERGE;
            d->core = core_bssy;
            if (c->i->src[0].kind != OPND_IMM || c->i->src[0].val >= REG_BAR - REG_B0)
                bad(c, "convergence barrier out of range");
            return;
        }
        d->ctl = c->i->op == OP_BSSY ? CTL_BSSY : c->i->op == OP_BSYNC ? CTL_BSYNC : CTL_BREAK;
        d->target = c->i->src[0].val;
        if (c->i->src[0].kind != OPND_IMM || d->target >= code->nbars)
            bad(c, "convergence barrier out of range");
        return;
    }
    if (d->target >= code->n)
        bad(c, "branch target out of range");
}

/* Chooses the handler and reads everything but the operands. Returns the words of data an access moves. */
static uint32_t classify(struct decoder *c, int *data_src)
{
    struct dop *d = c->d;
    *data_src = -1;
    switch ((enum ir_op)c->i->op) {
    case OP_STG:
    case OP_ST:
    case OP_STS:
    case OP_STL: *data_src = 1; /* fall through */
    case OP_LDG:
    case OP_LD:
    case OP_LDS:
    case OP_LDL:
    case OP_LDC:
        access_shape(c);
        d->core = ldst_handler(c->i);
        d->poll = *data_src < 0 && c->i->order != ORD_WEAK && c->i->op != OP_LDL && c->i->op != OP_LDC;
        return access_words(d);
    case OP_ATOM:
    case OP_RED:
        access_shape(c);
        d->core = atom_handler(c->i);
        if (!d->core)
            bad(c, "no such atomic operation");
        *data_src = c->i->op == OP_RED ? 1 : -1;
        return access_words(d);
    case OP_STAS:
    case OP_REDAS:
        access_shape(c);
        d->core = core_stas;
        if (c->i->op == OP_REDAS && !atom_op(c->i->aop, c->i->type, true))
            bad(c, "no such atomic operation");
        *data_src = 1;
        return access_words(d);
    case OP_LDGSTS:
        d->core = core_ldgsts;
        d->access_b = c->i->vec;
        if (c->i->vec != 4 && c->i->vec != 8 && c->i->vec != 16)
            bad(c, "no such copy size");
        return 1;
    case OP_LDSM:
    case OP_STSM:
        d->core = c->i->op == OP_LDSM ? core_ldsm : core_stsm;
        d->ctl = CTL_COLL;
        d->nelem = c->i->vec ? c->i->vec : 1;
        if (d->nelem > 4)
            bad(c, "no such number of matrices");
        *data_src = c->i->op == OP_STSM ? 1 : -1;
        return d->nelem;
    case OP_HGMMA:
        d->core = core_hgmma;
        d->ctl = CTL_COLL;
        if (!gmma_known(c->i))
            bad(c, "no such combination of types and registers");
        return 1;
    case OP_WARPGROUP:
        d->core = core_warpgroup;
        d->ctl = CTL_COLL;
        return 1;
    case OP_MBAR: /* arrivals give a state of two words */
        d->core = core_mbar;
        d->ctl = c->i->sub == MBAR_TRY_WAIT || c->i->sub == MBAR_TRY_PARITY ? CTL_MBAR : CTL_NONE;
        return c->i->dst[0].kind == OPND_REG && c->i->sub != MBAR_PENDING ? 2 : 1;
    case OP_BULK: d->core = core_bulk; return 1;
    case OP_S2R: {
        bool clock = c->i->sub == SR_CLOCK || c->i->sub == SR_TIMER;
        d->core = clock && c->i->dst[0].n == 2 ? core_s2r_wide : core_s2r;
        return 1;
    }
    case OP_TEX:
    case OP_SULD:
    case OP_TXQ: d->core = core_tex; return 1;
    case OP_SUST:
        d->core = core_tex;
        *data_src = 2;
        return 1;
    case OP_SYSCALL: d->core = core_syscall; return 1;
    case OP_NOP:
        d->core = core_nop;
        d->ctl = c->i->sub == NOP_YIELD && c->r->code->sass ? CTL_CONVERGE : CTL_NONE;
        return 1;
    case OP_LDGDEPBAR:
    case OP_DEPBAR:
    case OP_BULKGRP:
    case OP_MEMBAR:
    case OP_USETMAXREG:
    case OP_ACQBULK:
    case OP_PREEXIT:
    case OP_CCTL: d->core = core_nop; return 1;
    case OP_MOVM: d->core = core_movm; return 1;
    case OP_R2UR: d->core = core_r2ur; return 1;
    case OP_VOTEU: d->core = core_voteu; return 1;
    case OP_BMOV: d->core = core_bmov; return 1;
    case OP_LEPC: d->core = core_lepc; return c->r->code->sass ? 2 : 1;
    case OP_FSET: {
        struct ir_insn compare = *c->i;
        compare.op = compare.type == T_F32 ? OP_FSETP : OP_HSETP2;
        d->x.fn = c->r->dev->alu->select(&compare);
        if (!d->x.fn)
            bad(c, "no such comparison");
        return 1;
    }
    case OP_SHFL:
    case OP_VOTE:
    case OP_MATCH:
    case OP_REDUX:
    case OP_WARPSYNC:
    case OP_ELECT: collective(c); return 1;
    case OP_BRA:
    case OP_BRX:
    case OP_JMP:
    case OP_CALL:
    case OP_RET:
    case OP_EXIT:
    case OP_BSSY:
    case OP_BSYNC:
    case OP_BREAK:
    case OP_BAR:
    case OP_CGABAR:
    case OP_NANOSLEEP:
    case OP_TRAP: control(c); return 1;
    default:
        d->x.fn = c->i->op < OP_COUNT ? c->r->dev->alu->select(c->i) : NULL;
        if (!d->x.fn)
            bad(c, "no such combination of operation, types and modifiers");
        return 1;
    }
}

static bool decode_one(struct decoder *c, uint32_t at)
{
    int data_src;
    c->i = &c->r->code->insns[at];
    c->d = &c->r->ops[at];
    c->bad = NULL;
    c->d->op = c->i->op;
    c->d->off = c->i->off;
    c->d->target = c->i->target;
    c->d->absolute = c->i->src[0].kind == OPND_NONE;
    uint32_t words = classify(c, &data_src);
    operands(c, words, data_src);
    if (code_more_rows(c->r->code) &&
        !prep_wrap(c->d, c->i, (code_rows(c->r->code) + REG_TMP - REG_U0) * ROW_B))
        bad(c, "no such combination of address and result");
    if (!c->bad)
        c->bad = pool_error(c->pool);
    if (!c->bad)
        return true;
    fail_launch(c->r, EXEC_BAD_CODE, "%s:%u: instruction %u, %s: %s",
                c->r->code->file ? c->r->code->file : "?", c->i->line, at,
                c->i->op < OP_COUNT ? ir_ops[c->i->op].name : "?", c->bad);
    c->r->err->line = c->i->line;
    return false;
}

bool run_decode(struct run *r)
{
    const struct code *code = r->code;
    if (!fill_banks(r))
        return false;
    if (!code->n || !code->nfuncs || code_rows(code) < 2 || code_rows(code) > MAX_REGS)
        return fail_launch(r, EXEC_BAD_CODE, "the code is empty or has no registers");
    for (uint32_t k = 0; k < code->nfuncs; k++) {
        if (code->funcs[k].entry >= code->n)
            return fail_launch(r, EXEC_BAD_CODE, "function '%s' starts outside the code",
                               code->funcs[k].name);
    }
    r->ops = xcalloc((size_t)code->n + 1, sizeof *r->ops);
    r->ops[code->n].ctl = CTL_END;
    r->ops[code->n].x.guard.p = PRED_PT;
    struct decoder c = {.r = r, .pool = pool_new(r)};
    bool ok = true;
    for (uint32_t at = 0; ok && at < code->n; at++)
        ok = decode_one(&c, at);
    r->pool = pool_finish(c.pool);
    return ok && (r->pool || fail_launch(r, EXEC_BAD_LAUNCH, "out of memory for constants"));
}

void run_decode_free(struct run *r)
{
    free(r->ops);
    free(r->pool);
    free(r->bank[BANK_LAUNCH]);
    if (!r->code->sass) /* else it is the module's */
        free(r->bank[BANK_ADDR]);
}
