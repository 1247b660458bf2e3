/* SPDX-License-Identifier: Apache-2.0 */
/* The vocabulary of the ALU sources. They are compiled once per host vector ISA (alu.cmake); each build names its
 * external functions with ALU_NAME, so all builds link into one program, and all of them give the same bits.
 *
 * A handler is a loop over the 32 lanes whose body is scalar code without branches: the compiler turns it into
 * vector code. Every lane is computed, active or not (nothing here can trap), and a partial mask merges at the end.
 * An iteration reads its lane of every source before it writes its lane of the destination, so rows may coincide. */
#ifndef EXEC_ALU_H
#define EXEC_ALU_H

#include "exec/xop.h"

#include <string.h>

#ifndef ALU_VARIANT
#error "compiled per variant: see alu.cmake"
#endif
#define ALU_PASTE2(a, b) a##_##b
#define ALU_PASTE(a, b) ALU_PASTE2(a, b)
#define ALU_NAME(f) ALU_PASTE(f, ALU_VARIANT)

#define ALU_INLINE inline __attribute__((always_inline))
#define ALU_ARGS const struct xop *x, struct xwarp *w, uint32_t mask
#define ALU_ALL 0xffffffffu
#define ALU_ROW __attribute__((aligned(ROW_B)))

/* No iteration depends on another: rows are the same or apart, never shifted. */
#if defined(ALU_SCALAR)
#define ALU_IVDEP
#elif defined(__clang__)
#define ALU_IVDEP _Pragma("clang loop vectorize(assume_safety)")
#else
#define ALU_IVDEP _Pragma("GCC ivdep")
#endif
#define ALU_LANES(i) ALU_IVDEP for (unsigned i = 0; i < LANES; i++)

static const uint32_t alu_bit[LANES] ALU_ROW = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
};

static ALU_INLINE const uint32_t *alu_src(const struct xwarp *w, const struct xop *x, unsigned k)
{
    return __builtin_assume_aligned(x_row(w, x, k), ROW_B);
}
static ALU_INLINE uint32_t *alu_dst(struct xwarp *w, const struct xop *x, unsigned k)
{
    return __builtin_assume_aligned(x_dst(w, x, k), ROW_B);
}

/* bits ? a : b, without a branch: both are always loaded. */
static ALU_INLINE uint32_t alu_pick(uint32_t bits, uint32_t a, uint32_t b)
{
    uint32_t m = bits ? ~0u : 0;
    return b ^ ((a ^ b) & m);
}

/* d = r in the lanes of mask. */
static ALU_INLINE void alu_merge(uint32_t *d, const uint32_t *r, uint32_t mask)
{
    ALU_LANES(i) d[i] = alu_pick(mask & alu_bit[i], r[i], d[i]);
}

static ALU_INLINE uint64_t alu_pair(const uint32_t *row, unsigned i)
{
    return row[i] | (uint64_t)row[LANES + i] << 32;
}

/* Finished results to the destination rows. */
static ALU_INLINE void alu_put32(ALU_ARGS, const uint32_t *r)
{
    uint32_t *d = alu_dst(w, x, 0);
    if (mask == ALU_ALL)
        memcpy(d, r, ROW_B);
    else
        alu_merge(d, r, mask);
}

static ALU_INLINE void alu_put64(ALU_ARGS, const uint64_t *r)
{
    uint32_t *d = alu_dst(w, x, 0);
    ALU_LANES(i)
    {
        uint32_t on = mask & alu_bit[i];
        d[i] = alu_pick(on, (uint32_t)r[i], d[i]);
        d[LANES + i] = alu_pick(on, (uint32_t)(r[i] >> 32), d[LANES + i]);
    }
}

/* Between ALU_OUT and ALU_DONE the lanes of destination 0 go to o[0..31] (o[32..63]: the high words, ALU_OUT(2)). */
#define ALU_OUT(words)                                                                                       \
    uint32_t *alu_d = alu_dst(w, x, 0), alu_tmp[LANES * (words)] ALU_ROW;                                    \
    uint32_t *o = mask == ALU_ALL ? alu_d : alu_tmp;
#define ALU_DONE(words)                                                                                      \
    if (__builtin_expect(mask != ALU_ALL, 0))                                                                \
        for (unsigned k_ = 0; k_ < (words); k_++)                                                            \
            alu_merge(alu_d + k_ * LANES, alu_tmp + k_ * LANES, mask);

/* Handlers of one, two or three words per lane: `expr` of a, b, c. */
#define ALU_DEF1(name, expr)                                                                                 \
    static void name(ALU_ARGS)                                                                               \
    {                                                                                                        \
        const uint32_t *pa = alu_src(w, x, 0);                                                               \
        ALU_OUT(1)                                                                                           \
        ALU_LANES(i)                                                                                         \
        {                                                                                                    \
            uint32_t a = pa[i];                                                                              \
            o[i] = (expr);                                                                                   \
        }                                                                                                    \
        ALU_DONE(1)                                                                                          \
    }
#define ALU_DEF2(name, expr)                                                                                 \
    static void name(ALU_ARGS)                                                                               \
    {                                                                                                        \
        const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1);                                       \
        ALU_OUT(1)                                                                                           \
        ALU_LANES(i)                                                                                         \
        {                                                                                                    \
            uint32_t a = pa[i], b = pb[i];                                                                   \
            o[i] = (expr);                                                                                   \
        }                                                                                                    \
        ALU_DONE(1)                                                                                          \
    }
#define ALU_DEF3(name, expr)                                                                                 \
    static void name(ALU_ARGS)                                                                               \
    {                                                                                                        \
        const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1), *pc = alu_src(w, x, 2);               \
        ALU_OUT(1)                                                                                           \
        ALU_LANES(i)                                                                                         \
        {                                                                                                    \
            uint32_t a = pa[i], b = pb[i], c = pc[i];                                                        \
            o[i] = (expr);                                                                                   \
        }                                                                                                    \
        ALU_DONE(1)                                                                                          \
    }

static ALU_INLINE bool alu_is_signed(uint8_t t)
{
    return t == T_S8 || t == T_S16 || t == T_S32 || t == T_S64;
}
static ALU_INLINE bool alu_has_mod(const struct ir_insn *i, unsigned nsrc)
{
    for (unsigned k = 0; k < nsrc; k++)
        if (i->src[k].kind != OPND_PRED && (i->src[k].neg || i->src[k].abs))
            return true;
    return false;
}

/* Per family: the handler, or NULL if the instruction is not of it. */
xfn ALU_NAME(alu_move)(const struct ir_insn *i);
xfn ALU_NAME(alu_int)(const struct ir_insn *i);
xfn ALU_NAME(alu_bits)(const struct ir_insn *i);
xfn ALU_NAME(alu_setp)(const struct ir_insn *i);
xfn ALU_NAME(alu_float)(const struct ir_insn *i);
xfn ALU_NAME(alu_double)(const struct ir_insn *i);
xfn ALU_NAME(alu_fenv)(const struct ir_insn *i);
xfn ALU_NAME(alu_half)(const struct ir_insn *i);
xfn ALU_NAME(alu_mufu)(const struct ir_insn *i);
xfn ALU_NAME(alu_sfu)(const struct ir_insn *i);
xfn ALU_NAME(alu_cvt)(const struct ir_insn *i);
xfn ALU_NAME(alu_mma)(const struct ir_insn *i);
xfn ALU_NAME(alu_sass)(const struct ir_insn *i);
xfn ALU_NAME(alu_select)(const struct ir_insn *i);
void ALU_NAME(alu_gmma)(const struct xop *x, struct xwarp *w, const struct gmma *g);

#endif
