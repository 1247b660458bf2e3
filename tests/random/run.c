/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include "compile/compile.h"
#include "exec/exec.h"
#include "replay.h"

#include <stdlib.h>
#include <string.h>

/* A program of a few hundred statements under loops of at most 12 rounds, five deep, stays far below. */
enum { MAX_WARP_INSTS = 400 * 1000 * 1000 };

static const char *first_message(const struct diag *d, const char *what, char *buf, size_t n)
{
    const struct diag_msg *m = d->n ? &d->msg[0] : NULL;
    snprintf(buf, n, "%s: line %u: %s", what, m ? m->line : 0, m ? m->text : "no message");
    return buf;
}

static uint64_t upload(struct exec_dev *d, const void *data, size_t size)
{
    uint64_t at = exec_alloc(d, size);
    memcpy(exec_ptr(d, at, size), data, size);
    return at;
}

static enum exec_status record(const char *path, struct exec_dev *dev, const struct exec_launch *l,
                               struct exec_error *err)
{
    struct diag d = {0};
    struct tr_recorder *rec =
        tr_recorder_new(path, &(struct tr_info){.program = "random", .maker = "test"}, &d);
    enum exec_status st = tr_record_launch(rec, dev, l, NULL, NULL, NULL, err);
    tr_recorder_close(rec, &d);
    diag_print(&d, stderr);
    diag_free(&d);
    return st;
}

static const char *execute(const struct prog *p, const struct config *c, const struct code *code,
                           struct exec_dev *dev, struct exec_module *mod, struct image *m, char *buf,
                           size_t n)
{
    struct {
        uint64_t in, scratch, out, acc;
        uint32_t p32;
        uint64_t p64;
    } params = {.p32 = p->p32, .p64 = p->p64};
    params.in = upload(dev, m->in, m->n_in);
    params.scratch = upload(dev, m->scratch, m->n_scratch);
    params.out = upload(dev, m->out, m->n_out);
    params.acc = upload(dev, m->acc, m->n_acc);
    struct exec_launch l = {.code = code,
                            .module = mod,
                            .grid = {p->grid, 1, 1},
                            .block = {p->block, p->block_y, 1},
                            .params = &params,
                            .params_b = sizeof params};
    struct exec_error err = {0};
    const char *bad = NULL;
    enum exec_status st = c->replay  ? replay_launch(dev, &l, NULL, &err, &bad, buf, n)
                          : c->trace ? record(c->trace, dev, &l, &err)
                                     : exec_launch(dev, &l, NULL, &err);
    if (bad)
        return bad;
    if (st != EXEC_OK) {
        snprintf(buf, n, "launch: %s", err.text);
        return buf;
    }
    memcpy(m->scratch, exec_ptr(dev, params.scratch, m->n_scratch), m->n_scratch);
    memcpy(m->out, exec_ptr(dev, params.out, m->n_out), m->n_out);
    memcpy(m->acc, exec_ptr(dev, params.acc, m->n_acc), m->n_acc);
    return NULL;
}

static const char *compile_run(const struct prog *p, const struct config *c, const struct ptx_module *ptx,
                               struct image *m, struct diag *d, char *buf, size_t n)
{
    struct compile_opts o = {
        .max_regs = c->max_regs, .no_opt = c->no_opt, .no_schedule = c->no_schedule, .verify = true};
    struct code *code = compile_kernel(ptx, ptx_find_func(ptx, "kern"), &o, d);
    if (!code)
        return first_message(d, "compile", buf, n);
    const char *bad = NULL;
    if (code->regs > (c->max_regs ? c->max_regs : 255)) {
        snprintf(buf, n, "uses %u registers of %u", code->regs, c->max_regs);
        bad = buf;
    }
    struct exec_dev *dev = exec_dev_new(&(struct exec_cfg){.isa = c->isa, .max_warp_insts = MAX_WARP_INSTS});
    struct exec_module *mod = dev ? exec_module_load(dev, ptx, d) : NULL;
    if (!bad)
        bad = mod ? execute(p, c, code, dev, mod, m, buf, n) : first_message(d, "load", buf, n);
    if (mod)
        exec_module_free(mod);
    if (dev)
        exec_dev_free(dev);
    code_free(code);
    return bad;
}

const char *run_check(const struct prog *p, const struct config *c, char *buf, size_t n)
{
    struct image want, got;
    size_t len;
    struct diag d = {0};
    char *text = prog_ptx(p, &len);
    image_init(&want, p);
    image_copy(&got, &want);
    prog_interp(p, &want);
    struct ptx_module *ptx = ptx_parse("random.ptx", text, len, &d);
    const char *bad = ptx ? compile_run(p, c, ptx, &got, &d, buf, n) : first_message(&d, "parse", buf, n);
    if (!bad)
        bad = image_diff(&want, &got, buf, n);
    if (ptx)
        ptx_module_free(ptx);
    diag_free(&d);
    image_free(&want);
    image_free(&got);
    free(text);
    return bad;
}
