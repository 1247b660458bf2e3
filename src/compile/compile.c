/* SPDX-License-Identifier: Apache-2.0 */
/* The pipeline. Every pass is one call; with opts->verify the machine form is checked after each. */
#include "compile/compile.h"

#include "compile/lower/slow.h"
#include "compile/passes.h"
#include "compile/reach.h"

enum { REGS_PER_SM = 65536, REG_GRANULE = 8, REGS_LEAST = 16, REGS_ALL_WARPS = 32, SM_HOPPER = 90 };

/* Registers a kernel may use: what is asked for, or what its launch bounds leave (.minnctapersm CTAs of .maxntid threads). */
static uint32_t register_limit(const struct ptx_func *f, const struct compile_opts *o)
{
    uint32_t limit = o->max_regs ? o->max_regs : MAX_REGS;
    uint64_t threads = 1;
    bool bound = false;
    for (int k = 0; k < 3; k++) {
        uint32_t n = f->reqntid[k] ? f->reqntid[k] : f->maxntid[k];
        bound |= n != 0;
        threads *= n ? n : 1;
    }
    if (!o->max_regs && f->maxnreg)
        limit = f->maxnreg;
    if (!o->max_regs && bound) {
        threads *= f->minnctapersm ? f->minnctapersm : 1;
        threads = (threads + 31) / 32 * 32;
        uint64_t fit = threads ? REGS_PER_SM / threads / REG_GRANULE * REG_GRANULE : MAX_REGS;
        limit = fit < limit ? (uint32_t)fit : limit;
    }
    return limit < REGS_LEAST ? REGS_LEAST : limit > MAX_REGS ? MAX_REGS : limit;
}

/* The most registers that the unit's setmaxnreg name. They are in force where the assembler knows how many a thread starts with;
 * elsewhere NVIDIA's leaves them out, and a limit that the user asks for holds for the whole kernel. 0: none in force. */
static uint32_t registers_later(const struct reach *u, const struct compile_opts *o)
{
    const struct ptx_func *f = u->entry;
    uint32_t most = 0;
    if (o->max_regs || !(f->maxnreg || f->maxntid[0] || f->reqntid[0]))
        return 0;
    vec_each (&u->funcs, fn)
        vec_each (&(*fn)->insns, i)
            if (i->op == P_setmaxnreg && i->ops[0].kind == PO_IMM && i->ops[0].imm > most)
                most = i->ops[0].imm > MAX_REGS ? MAX_REGS : (uint32_t)i->ops[0].imm;
    return most;
}

struct pipeline {
    const struct compile_opts *o;
    struct diag *d;
    uint32_t limit;
    bool keep_large; /* loops that are unrolled for their loads alone stay as they are */
    bool has_large;  /* one of them was unrolled */
};

static bool checked(const struct pipeline *p, const struct ir_fn *fn, const char *after)
{
    if (!p->o->verify)
        return true;
    const char *msg = ir_verify(fn, after);
    if (msg)
        diag_plain(p->d, "internal error: %s", msg);
    return !msg;
}

static void dump_analyses(const struct compile_opts *o, struct ir_fn *fn)
{
    if (!o->dump || !(o->dump_cfg || o->dump_live))
        return;
    struct arena a = {0};
    struct ir_cfg *c = ir_cfg_build(fn, &a);
    if (o->dump_cfg)
        ir_cfg_print(o->dump, fn, c);
    if (o->dump_live)
        ir_live_print(o->dump, fn, ir_live_build(fn, c, &a));
    arena_free(&a);
}

static bool back_end(struct pipeline *p, struct ir_fn *fn)
{
    if (!checked(p, fn, "lower"))
        return false;
    if (p->o->short_addr)
        pass_narrow(fn);
    pass_fuse(fn);
    if (!p->o->no_opt) {
        pass_opt(fn);
        bool less = pass_cse(fn);
        if (fn->hopper && pass_products(fn))
            less = true;
        if (fn->hopper && pass_windows(fn))
            less = true;
        if (pass_masks(fn) || less)
            pass_opt(fn);
        if (pass_vector(fn))
            pass_opt(fn);
        if (pass_unread(fn))
            pass_opt(fn);
        if (fn->hopper && (pass_dots(fn) | pass_combine(fn)))
            pass_dead(fn); /* what they took in has no reader */
        if (fn->hopper && pass_aggregate(fn))
            pass_opt(fn);
        pass_tuples(fn);
        pass_cleanup(fn);
        if (fn->hopper) {
            pass_divisors(fn);
            pass_bases(fn);
        }
        pass_hoist(fn);
        p->has_large |= pass_unroll(fn, p->keep_large);
        pass_texels(fn);
        if (!checked(p, fn, "opt"))
            return false;
    }
    pass_cleanup(fn);
    if (!p->o->no_opt)
        pass_ifconv(fn);
    if (!p->o->no_opt && fn->hopper)
        pass_latches(fn);
    pass_reconv(fn);
    if (!checked(p, fn, "reconv"))
        return false;
    if (!p->o->no_opt)
        pass_remat(fn);
    pass_wide(fn);
    if (!checked(p, fn, "wide"))
        return false;
    ir_compact(fn);
    const char *why = ir_too_large(fn);
    if (why) {
        diag_plain(p->d, "function '%s': %s", fn->name, why);
        return false;
    }
    if (!p->o->no_schedule) {
        pass_sched(fn, p->limit);
        if (!checked(p, fn, "sched"))
            return false;
    }
    dump_analyses(p->o, fn);
    why = pass_regalloc(fn, p->limit, p->o->banks ? p->o->banks : 2, !p->o->no_bank_aware);
    if (why) {
        diag_plain(p->d, "function '%s': %s", fn->name, why);
        return false;
    }
    if (!checked(p, fn, "regalloc"))
        return false;
    if (!p->o->no_opt && fn->hopper)
        pass_balance(fn);
    pass_frame(fn);
    return checked(p, fn, "frame");
}

/* The kernel's slow divisions or square roots become calls of a subroutine, which is appended to the functions. */
static bool slow_path(const struct pipeline *p, struct reach *u, enum slow kind, struct ir_fn *fns,
                      uint32_t *n)
{
    struct pipeline sub = {.o = p->o, .d = p->d, .limit = SLOW_REGS};
    struct ir_fn *fn = &fns[*n];
    ir_fn_init(fn, &u->arena, "slow path");
    fn->hopper = fns[0].hopper;
    bool ok = slow_lower(u, kind, fn) && back_end(&sub, fn);
    if (ok && slow_bind(&fns[0], fn, kind, p->limit)) {
        ++*n;
        return checked(p, &fns[0], "slow path");
    }
    ir_fn_free(fn);
    return ok;
}

static void dump_registers(FILE *to, const struct code *c)
{
    fprintf(to, "kernel %s: %u registers, %u instructions, %u B stack, %u B spilled (%u loads, %u stores)\n",
            c->name, c->regs, c->n, c->local_b, c->spill_b, c->spill_loads, c->spill_stores);
}

/* How the kernel is compiled: registers it may have, and what the pipeline says of its loops. */
struct attempt {
    uint32_t limit;
    bool keep_large, has_large;
};

static struct code *compile_once(const struct ptx_module *m, const struct ptx_func *f,
                                 const struct compile_opts *o, struct diag *d, struct attempt *how)
{
    struct reach u;
    struct code *code = NULL;
    if (!reach_build(&u, m, f, d)) {
        reach_free(&u);
        return NULL;
    }
    uint32_t limit = how->limit;
    u.regs_later = registers_later(&u, o);
    struct pipeline p = {.o = o,
                         .d = d,
                         .limit = (u.regs_later > limit ? u.regs_later : limit) - REGS_RESERVED,
                         .keep_large = how->keep_large};
    bool hopper = m->sm >= SM_HOPPER;
    u.windows = hopper && !o->no_opt;
    struct ir_fn *fns = xcalloc(u.funcs.n + SLOW_COUNT, sizeof *fns);
    uint32_t n = u.funcs.n;
    bool ok = true;
    for (uint32_t k = 0; k < u.funcs.n; k++) {
        ir_fn_init(&fns[k], &u.arena, u.funcs.at[k]->name);
        fns[k].hopper = hopper;
        ok &= lower_function(&u, u.funcs.at[k], &fns[k]);
    }
    for (uint32_t k = 0; ok && k < u.funcs.n; k++)
        ok = back_end(&p, &fns[k]);
    for (enum slow k = 0; ok && k < SLOW_COUNT; k++)
        if (slow_used(&fns[0], k))
            ok = slow_path(&p, &u, k, fns, &n);
    for (uint32_t k = 0; ok && k < n && hopper && !o->no_opt; k++) {
        pass_constants(&fns[k]);
        ok = checked(&p, &fns[k], "constants");
    }
    if (ok)
        code = link_code(&u, fns, n);
    if (code && u.regs_later) {
        code->regs_later = code->regs;
        code->regs = limit;
    }
    how->has_large = p.has_large;
    for (uint32_t k = 0; k < n; k++)
        ir_fn_free(&fns[k]);
    free(fns);
    reach_free(&u);
    return code;
}

static uint32_t granules(const struct code *c) { return (c->regs + REG_GRANULE - 1) / REG_GRANULE; }

/* Unrolled loops of sm_90 must cost no warp, as in NVIDIA's code: within the registers with which all warps of an SM fit, or else
 * without those that are unrolled for their loads alone. Dumps of analyses show all attempts. */
static struct code *with_all_warps(const struct ptx_module *m, const struct ptx_func *f,
                                   const struct compile_opts *o, uint32_t limit, struct code *code)
{
    for (unsigned k = 0; k < 2 && granules(code) > REGS_ALL_WARPS / REG_GRANULE; k++) {
        struct attempt how = {.limit = k || limit < REGS_ALL_WARPS ? limit : REGS_ALL_WARPS, .keep_large = k};
        struct diag quiet = {0};
        struct code *other = compile_once(m, f, o, &quiet, &how);
        diag_free(&quiet);
        if (other && other->spill_b <= code->spill_b && granules(other) < granules(code)) {
            code_free(code);
            code = other;
        } else if (other) {
            code_free(other);
        }
    }
    return code;
}

struct code *compile_kernel(const struct ptx_module *m, const struct ptx_func *f,
                            const struct compile_opts *o, struct diag *d)
{
    struct attempt how = {.limit = register_limit(f, o)};
    struct code *code = compile_once(m, f, o, d, &how);
    if (code && how.has_large)
        code = with_all_warps(m, f, o, how.limit, code);
    if (code && o->dump && o->dump_regs)
        dump_registers(o->dump, code);
    if (code && o->dump && o->dump_code)
        code_print(o->dump, code);
    return code;
}
