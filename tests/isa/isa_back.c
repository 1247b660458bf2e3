/* SPDX-License-Identifier: Apache-2.0 */
/* The machine under test behind one function: parser, compiler and executor. */
#include "isa.h"

#include "compile/compile.h"
#include "exec/exec.h"

#include <stdlib.h>

struct isa_back {
    struct exec_dev *dev[ISA_CONFIGS];
    FILE *null;
};

static const struct compile_opts config_opts[ISA_CONFIGS] = {
    {.verify = true},
    {.verify = true, .max_regs = 16, .no_schedule = true},
};

/* ISA_HOST picks the host's vector code of the first configuration; without it the best there is. */
static const char *config_isa(unsigned config) { return config ? "plain" : getenv("ISA_HOST"); }

/* A kernel that hangs must end its test, not the machine's patience. */
enum { MAX_WARP_INSTS = 20000000 };

struct isa_back *isa_back_new(void)
{
    struct isa_back *b = xcalloc(1, sizeof *b);
    for (unsigned c = 0; c < ISA_CONFIGS; c++) {
        b->dev[c] = exec_dev_new(&(struct exec_cfg){
            .isa = config_isa(c), .max_warp_insts = MAX_WARP_INSTS, .mem_limit_b = 1ull << 28});
        assert_non_null(b->dev[c]);
    }
    return b;
}

void isa_back_free(struct isa_back *b)
{
    for (unsigned c = 0; c < ISA_CONFIGS; c++)
        exec_dev_free(b->dev[c]);
    free(b);
}

static struct isa_result refused(const struct diag *d)
{
    struct isa_result r = {.status = ISA_REFUSED};
    if (d->n) {
        r.line = d->msg[0].line;
        r.col = d->msg[0].col;
        snprintf(r.text, sizeof r.text, "%s", d->msg[0].text);
    }
    return r;
}

static struct isa_result launch(struct exec_dev *dev, struct exec_module *mod, const struct code *code,
                                const struct isa_launch *l)
{
    unsigned char params[1024] = {0};
    uint64_t addr[ISA_MAX_BUFS];
    size_t params_b = l->nbufs * sizeof addr[0];
    for (unsigned i = 0; i < l->nbufs; i++) {
        addr[i] = exec_alloc(dev, l->buf[i].size_b);
        assert_true(addr[i] != 0);
        memcpy(exec_ptr(dev, addr[i], l->buf[i].size_b), l->buf[i].host, l->buf[i].size_b);
    }
    memcpy(params, addr, params_b);
    assert_true(params_b + l->extra_b <= sizeof params);
    if (l->extra_b)
        memcpy(params + params_b, l->extra, l->extra_b);
    struct exec_launch x = {.code = code,
                            .module = mod,
                            .dyn_shared_b = l->dyn_shared_b,
                            .params = params,
                            .params_b = code->param_b,
                            .cooperative = l->cooperative};
    for (unsigned i = 0; i < 3; i++) {
        x.grid[i] = l->grid[i] ? l->grid[i] : 1;
        x.block[i] = l->block[i] ? l->block[i] : 1;
    }
    memcpy(x.cluster, l->cluster, sizeof x.cluster);
    struct exec_counts counts;
    struct exec_error err = {0};
    struct isa_result r = {.status = ISA_OK};
    enum exec_status s = exec_launch(dev, &x, &counts, &err);
    if (s != EXEC_OK) {
        r.status = ISA_FAILED;
        r.code = (int)s;
        r.line = err.line;
        r.addr = err.addr;
        memcpy(r.text, err.text, sizeof r.text);
    }
    for (unsigned i = 0; i < l->nbufs; i++) {
        memcpy(l->buf[i].host, exec_ptr(dev, addr[i], l->buf[i].size_b), l->buf[i].size_b);
        exec_free(dev, addr[i]);
    }
    return r;
}

struct isa_result isa_back_run(struct isa_back *b, unsigned config, const struct isa_launch *l)
{
    struct diag d = {0};
    struct isa_result r = {.status = ISA_REFUSED, .text = "no kernel"};
    struct code *code = NULL;
    struct exec_module *mod = NULL;
    /* Device printf goes where the device was told at its birth: such a launch gets one of its own. */
    struct exec_dev *dev = b->dev[config], *own = NULL;
    if (l->out)
        dev = own = exec_dev_new(&(struct exec_cfg){.isa = config_isa(config),
                                                    .max_warp_insts = MAX_WARP_INSTS,
                                                    .mem_limit_b = 1ull << 28,
                                                    .out = l->out});
    struct ptx_module *m = ptx_parse("isa.ptx", l->ptx, strlen(l->ptx), &d);
    const struct ptx_func *f = m ? ptx_find_func(m, l->kernel ? l->kernel : "k") : NULL;
    struct compile_opts opts = config_opts[config];
    if (opts.max_regs && l->tight_regs)
        opts.max_regs = l->tight_regs;
    if (f)
        code = compile_kernel(m, f, &opts, &d);
    if (code)
        mod = exec_module_load(dev, m, &d);
    if (mod)
        r = launch(dev, mod, code, l);
    else if (d.n)
        r = refused(&d);
    if (mod)
        exec_module_free(mod);
    if (code)
        code_free(code);
    if (m)
        ptx_module_free(m);
    if (own)
        exec_dev_free(own);
    diag_free(&d);
    return r;
}
