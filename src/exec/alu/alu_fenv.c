/* SPDX-License-Identifier: Apache-2.0 */
/* What needs a rounding mode: double precision with a directed rounding, and the slow path of division and square root. Where the
 * host has modes, its mode is set around a loop. The loop is a function of its own that reads and writes only memory, called
 * through a volatile pointer: its arithmetic cannot leave the region between the two mode changes. */
#include "exec/alu/alu_fp.h"

#include <fenv.h>

/* The operands of a warp, in and (first row) out. */
union fenv_rows {
    double d[3][LANES];
    float f[2][LANES];
};
typedef void (*fenv_loop)(union fenv_rows *v, enum ir_rnd rnd);

#ifdef FE_UPWARD
#define ADD(a, b) ((a) + (b))
#define MUL(a, b) ((a) * (b))
#define FMA(a, b, c) __builtin_fma(a, b, c)
#define DIV(a, b) ((a) / (b))
#define DIVF(a, b) ((a) / (b))
#define SQRT(a) __builtin_sqrt(a)
#define SQRTF(a) __builtin_sqrtf(a)

static void in_mode(enum ir_rnd rnd, fenv_loop loop, union fenv_rows *v)
{
    fenv_loop volatile call = loop;
    int old = fegetround();
    fesetround(rnd == RND_RZ   ? FE_TOWARDZERO
               : rnd == RND_RM ? FE_DOWNWARD
               : rnd == RND_RP ? FE_UPWARD
                               : FE_TONEAREST);
    call(v, rnd);
    fesetround(old);
}
#else
#include "exec/directed.h"

#define ADD(a, b) directed_add(a, b, rnd)
#define MUL(a, b) directed_mul(a, b, rnd)
#define FMA(a, b, c) directed_fma(a, b, c, rnd)
#define DIV(a, b) directed_div(a, b, rnd)
#define DIVF(a, b) directed_divf(a, b, rnd)
#define SQRT(a) directed_sqrt(a, rnd)
#define SQRTF(a) directed_sqrtf(a, rnd)

static void in_mode(enum ir_rnd rnd, fenv_loop loop, union fenv_rows *v) { loop(v, rnd); }
#endif

#define LOOP(name, expr)                                                                                     \
    static void name(union fenv_rows *v, enum ir_rnd rnd)                                                    \
    {                                                                                                        \
        (void)rnd;                                                                                           \
        for (unsigned i = 0; i < LANES; i++)                                                                 \
            expr;                                                                                            \
    }
LOOP(loop_dadd, v->d[0][i] = ADD(v->d[0][i], v->d[1][i]))
LOOP(loop_dmul, v->d[0][i] = MUL(v->d[0][i], v->d[1][i]))
LOOP(loop_dfma, v->d[0][i] = FMA(v->d[0][i], v->d[1][i], v->d[2][i]))
LOOP(loop_ddiv, v->d[0][i] = DIV(v->d[0][i], v->d[1][i]))
LOOP(loop_dsqrt, v->d[0][i] = SQRT(v->d[0][i]))
LOOP(loop_fdiv, v->f[0][i] = DIVF(v->f[0][i], v->f[1][i]))
LOOP(loop_fsqrt, v->f[0][i] = SQRTF(v->f[0][i]))

static void run_f64(ALU_ARGS, unsigned nsrc, fenv_loop loop)
{
    union fenv_rows v;
    for (unsigned k = 0; k < nsrc; k++) {
        const uint32_t *p = alu_src(w, x, k);
        struct alu_mod m = alu_mod(x, k, 0x80000000);
        for (unsigned i = 0; i < LANES; i++)
            v.d[k][i] = f64_mod_at(p, i, m);
    }
    in_mode(x->insn->rnd, loop, &v);
    uint64_t r[LANES];
    bool sum = loop != loop_ddiv && loop != loop_dsqrt;
    const uint32_t *pa = alu_src(w, x, 0), *pb = sum ? alu_src(w, x, 1) : pa, *pc = alu_src(w, x, nsrc - 1);
    for (unsigned i = 0; i < LANES; i++) {
        r[i] = f64_canon(v.d[0][i]);
        if (sum && f64_is_nan(r[i]))
            r[i] = f64_nan_of(alu_pair(pa, i), alu_pair(pb, i), alu_pair(pc, i));
    }
    alu_put64(x, w, mask, r);
}

static void run_f32(ALU_ARGS, unsigned nsrc, fenv_loop loop)
{
    union fenv_rows v;
    bool ftz = x->insn->flags & IRF_FTZ;
    for (unsigned k = 0; k < nsrc; k++) {
        const uint32_t *p = alu_src(w, x, k);
        struct alu_mod m = alu_mod(x, k, 0x80000000);
        for (unsigned i = 0; i < LANES; i++) {
            uint32_t u = alu_signed(p[i], m);
            v.f[k][i] = as_f32(ftz ? f32_flush(u) : u);
        }
    }
    in_mode(x->insn->rnd, loop, &v);
    uint32_t r[LANES] ALU_ROW;
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t u = f32_canon(v.f[0][i]);
        r[i] = ftz ? f32_flush(u) : u;
    }
    alu_put32(x, w, mask, r);
}

static void dadd_dir(ALU_ARGS) { run_f64(x, w, mask, 2, loop_dadd); }
static void dmul_dir(ALU_ARGS) { run_f64(x, w, mask, 2, loop_dmul); }
static void dfma_dir(ALU_ARGS) { run_f64(x, w, mask, 3, loop_dfma); }
static void slow_ddiv(ALU_ARGS) { run_f64(x, w, mask, 2, loop_ddiv); }
static void slow_dsqrt(ALU_ARGS) { run_f64(x, w, mask, 1, loop_dsqrt); }
static void slow_fdiv(ALU_ARGS) { run_f32(x, w, mask, 2, loop_fdiv); }
static void slow_fsqrt(ALU_ARGS) { run_f32(x, w, mask, 1, loop_fsqrt); }

xfn ALU_NAME(alu_fenv)(const struct ir_insn *i)
{
    if (i->rnd > RND_RP)
        return NULL;
    if (i->op == OP_SLOWF && i->sub <= 1) {
        if (i->type == T_F32)
            return i->sub ? slow_fsqrt : slow_fdiv;
        return i->type != T_F64 ? NULL : i->sub ? slow_dsqrt : slow_ddiv;
    }
    if (i->rnd == RND_NONE || i->rnd == RND_RN)
        return NULL;
    switch (i->op) {
    case OP_DADD: return dadd_dir;
    case OP_DMUL: return dmul_dir;
    case OP_DFMA: return dfma_dir;
    default: return NULL;
    }
}
