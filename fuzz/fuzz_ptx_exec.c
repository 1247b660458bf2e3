/* SPDX-License-Identifier: Apache-2.0 */
/* Any PTX through parse, compile and a short execution of every kernel. Register limit, launch shape and parameters come
 * from a hash of the text, so a corpus file is plain PTX. Errors are fine; crashes, leaks, hangs, undefined behaviour,
 * internal errors of the compiler and code beyond its register limit are not. */
#include "compile/compile.h"
#include "exec/exec.h"
#include "exec/tex/tex.h"
#include "ptx_mutate.h"

enum { MAX_TEXT = 1 << 16, MAX_WARP_INSTS = 2000, BUFFER_B = 4096, MAX_KERNELS = 4, MAX_PARAMS_B = 4352 };

#define CHECK(c)                                                                                             \
    do {                                                                                                     \
        if (!(c))                                                                                            \
            __builtin_trap();                                                                                \
    } while (0)

struct rig {
    struct rng rng;
    struct exec_dev *dev;
    struct exec_module *mod;
    uint64_t buffer[3], tex;
};

static uint64_t hash(const uint8_t *d, size_t n)
{
    uint64_t h = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < n; i++)
        h = (h ^ d[i]) * 0x100000001b3ull;
    return h;
}

static void check_messages(const struct diag *d)
{
    for (uint32_t i = 0; i < d->n; i++)
        if (strstr(d->msg[i].text, "internal error")) {
            diag_print(d, stderr);
            __builtin_trap();
        }
}

static void open_device(struct rig *r, FILE *out)
{
    const char *const *isa = exec_isa_list();
    uint32_t n = 0;
    while (isa[n])
        n++;
    r->dev = exec_dev_new(&(struct exec_cfg){.mem_limit_b = 64 << 20,
                                             .max_warp_insts = MAX_WARP_INSTS,
                                             .heap_b = 64 << 10,
                                             .isa = isa[rng_below(&r->rng, n)],
                                             .out = out});
    CHECK(r->dev);
    for (unsigned i = 0; i < 3; i++) {
        r->buffer[i] = exec_alloc(r->dev, BUFFER_B);
        CHECK(r->buffer[i]);
        unsigned char *p = exec_ptr(r->dev, r->buffer[i], BUFFER_B);
        for (unsigned k = 0; k < BUFFER_B; k++)
            p[k] = (unsigned char)(k * 37 + i);
    }
    r->tex = exec_tex_create(r->dev, &(struct exec_tex){.kind = TEXK_ARRAY,
                                                        .chan = TEX_CHAN_FLOAT,
                                                        .bits = {32},
                                                        .filter = (uint8_t)rng_below(&r->rng, 2),
                                                        .address = {(uint8_t)rng_below(&r->rng, 4)},
                                                        .normalized = rng_below(&r->rng, 2),
                                                        .base = r->buffer[2],
                                                        .width = 8,
                                                        .height = 8,
                                                        .depth = 6,
                                                        .pitch_b = 32});
    CHECK(r->tex);
}

static void fill_params(struct rig *r, const struct code *c, unsigned char *params)
{
    for (uint32_t i = 0; i < c->nparams; i++) {
        const struct code_param *p = &c->params[i];
        for (uint32_t k = 0; k < p->size_b; k += 8) {
            uint64_t v = p->size_b < 8 ? rng_below(&r->rng, 70) : r->buffer[rng_below(&r->rng, 3)];
            if (p->size_b >= 8 && rng_below(&r->rng, 6) == 0)
                v = r->tex;
            uint32_t n = p->size_b - k < 8 ? p->size_b - k : 8;
            memcpy(params + p->off_b + k, &v, n);
        }
    }
}

static void launch(struct rig *r, const struct code *c)
{
    unsigned char params[MAX_PARAMS_B] = {0};
    struct exec_error err = {0};
    struct exec_counts counts = {0};
    if (c->param_b > sizeof params)
        return;
    fill_params(r, c, params);
    struct exec_launch l = {.code = c,
                            .module = r->mod,
                            .grid = {1 + rng_below(&r->rng, 2), 1, 1},
                            .block = {1 + rng_below(&r->rng, 32), 1 + rng_below(&r->rng, 2), 1},
                            .dyn_shared_b = rng_below(&r->rng, 3) * 512,
                            .params = params,
                            .params_b = c->param_b,
                            .cooperative = rng_below(&r->rng, 4) == 0};
    enum exec_status s = exec_launch(r->dev, &l, &counts, &err);
    CHECK(s == EXEC_OK || (err.status == s && err.text[0]));
}

static void run_kernels(struct rig *r, const struct ptx_module *m, struct diag *d)
{
    unsigned left = MAX_KERNELS;
    for (uint32_t i = 0; i < m->funcs.n && left; i++) {
        const struct ptx_func *f = m->funcs.at[i];
        if (!f->is_entry || !f->has_body)
            continue;
        left--;
        uint32_t bits = rng_u32(&r->rng);
        struct compile_opts o = {.max_regs = bits & 1 ? 16 + rng_below(&r->rng, 240) : 0,
                                 .no_opt = bits >> 1 & 1,
                                 .no_schedule = bits >> 2 & 1,
                                 .no_bank_aware = bits >> 3 & 1,
                                 .verify = true};
        uint32_t before = d->errors;
        struct code *c = compile_kernel(m, f, &o, d);
        check_messages(d);
        CHECK(c || d->errors > before);
        if (!c)
            continue;
        CHECK(c->regs <= (o.max_regs ? o.max_regs : 255));
        if (r->mod)
            launch(r, c);
        code_free(c);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MAX_TEXT)
        return 0;
    struct diag d = {0};
    struct ptx_module *m = ptx_parse("fuzz.ptx", (const char *)data, size, &d);
    if (m) {
        struct rig r = {.rng = {hash(data, size)}};
        FILE *out = fopen("/dev/null", "w");
        CHECK(out);
        open_device(&r, out);
        r.mod = exec_module_load(r.dev, m, &d);
        for (uint32_t i = 0; r.mod && i < m->vars.n; i++)
            exec_module_bind_tex(r.mod, m->vars.at[i]->name, r.tex);
        run_kernels(&r, m, &d);
        exec_module_free(r.mod);
        exec_dev_free(r.dev);
        fclose(out);
    }
    ptx_module_free(m);
    diag_free(&d);
    return 0;
}
