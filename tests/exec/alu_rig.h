/* SPDX-License-Identifier: Apache-2.0 */
/* Drives ALU handlers without an executor: one warp with made-up registers, one instruction. */
#ifndef TESTS_EXEC_ALU_RIG_H
#define TESTS_EXEC_ALU_RIG_H

#include "base/rng.h"
#include "exec/xop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { RIG_ROWS = 32, RIG_DST = 0, RIG_SRC = 4 }; /* destination rows 0..3, source k rows 4 + 4k .. */

struct rig {
    uint32_t reg[RIG_ROWS][LANES] __attribute__((aligned(ROW_B)));
    struct xwarp w;
    struct ir_insn i;
    struct xop x;
};

/* Operands of every kind; a test overrides what matters. Predicate source k is P<k>, predicate destinations P6 and 8. */
static inline void rig_init(struct rig *r, enum ir_op op, enum ir_type type)
{
    memset(r, 0, sizeof *r);
    r->i.op = (uint8_t)op;
    r->i.type = (uint8_t)type;
    r->w.base[0] = (unsigned char *)r->reg;
    r->w.base[1] = (unsigned char *)r->reg;
    r->w.pred[PRED_PT] = ~0u;
    r->i.dst[0] = (struct ir_opnd){.kind = OPND_REG, .n = 1};
    for (unsigned k = 0; k < 6; k++) {
        r->i.src[k] = (struct ir_opnd){.kind = OPND_REG, .n = 1};
        r->x.src[k].off = (RIG_SRC + 4 * k) * ROW_B;
        r->x.psrc[k].p = (uint8_t)k;
    }
    r->x.dst[0] = RIG_DST * ROW_B;
    r->x.dst[1] = (RIG_DST + 1) * ROW_B;
    r->x.pdst[0] = 6;
    r->x.pdst[1] = XPRED_TRASH;
    r->x.guard.p = PRED_PT;
}

static inline uint32_t *rig_src(struct rig *r, unsigned k) { return r->reg[RIG_SRC + 4 * k]; }

static inline void rig_mod(struct rig *r, unsigned k, bool neg, bool abs)
{
    r->i.src[k].neg = neg;
    r->i.src[k].abs = abs;
    r->x.src[k].neg = neg;
    r->x.src[k].abs = abs;
}

/* False: the variant has no such instruction. */
static inline bool rig_run(struct rig *r, const struct xalu *alu, uint32_t mask)
{
    r->x.insn = &r->i;
    r->x.fn = alu->select(&r->i);
    if (!r->x.fn)
        return false;
    r->x.fn(&r->x, &r->w, mask);
    return true;
}

static inline const struct xalu *rig_plain(void)
{
    const struct xalu *const *a = exec_alus;
    while (a[1])
        a++;
    return *a;
}

/* The one an executor would use here. */
static inline const struct xalu *rig_best(void)
{
    const struct xalu *const *a = exec_alus;
    while (!(*a)->usable())
        a++;
    return *a;
}

/* Words that are near the edges of some type. */
static inline uint32_t rig_word(struct rng *g)
{
    static const uint32_t edge[] = {
        0,          1,          2,          31,         32,         33,         63,         64,
        0x7f,       0x80,       0xff,       0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffffff,
        0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001,
        0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x7f7fffff, 0xff7fffff, 0x00800000,
        0x007fffff, 0x807fffff, 0x00000001, 0x3f000000, 0x4b000000, 0x4b800001, 0x4effffff, 0x4f000000,
        0xcf000000, 0x4f7fffff, 0x5f000000, 0x477fe000, 0x477ff000, 0x387fc000, 0x33000000, 0x33000001,
        0x3c003c00, 0x7c00fc00, 0x7bff0001, 0x03ff8400, 0x7e00fe01, 0x3f803f80, 0x7f80ff80, 0x00018001,
        0x7fc0ffff, 0x40490fdb, 0x3fc90fdb, 0x49742400, 0x7ff00000, 0x7ff80000, 0xfff00000, 0x3ff00000,
        0xbff00000, 0x00100000, 0x000fffff, 0x7fefffff, 0x43e00000, 0x43f00000, 0xc3e00000, 0x41dfffff};
    uint32_t pick = rng_u32(g);
    switch (pick & 7) {
    case 0:
    case 1:
    case 2: return edge[rng_below(g, sizeof edge / sizeof *edge)];
    case 3: return rng_u32(g) & 0xff;
    case 4: return 0x3f000000 + (rng_u32(g) & 0x83ffffff); /* floats of moderate size */
    case 5: return edge[rng_below(g, sizeof edge / sizeof *edge)] + rng_below(g, 5) - 2;
    default: return rng_u32(g);
    }
}

static inline void rig_fill(struct rig *r, struct rng *g)
{
    for (unsigned row = 0; row < RIG_ROWS; row++)
        for (unsigned l = 0; l < LANES; l++)
            r->reg[row][l] = rig_word(g);
    for (unsigned p = 0; p < XPRED_U0; p++)
        r->w.pred[p] = p == PRED_PT ? ~0u : rng_u32(g);
}

/* Bit casts. */
static inline float bits_f32(uint32_t u)
{
    float f;
    memcpy(&f, &u, 4);
    return f;
}
static inline uint32_t f32_to_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}
static inline double bits_f64(uint64_t u)
{
    double f;
    memcpy(&f, &u, 8);
    return f;
}
static inline uint64_t f64_to_bits(double f)
{
    uint64_t u;
    memcpy(&u, &f, 8);
    return u;
}

static inline void rig_put64(struct rig *r, unsigned k, unsigned lane, uint64_t v)
{
    rig_src(r, k)[lane] = (uint32_t)v;
    rig_src(r, k)[LANES + lane] = (uint32_t)(v >> 32);
}
static inline uint64_t rig_get64(const struct rig *r, unsigned lane)
{
    return r->reg[RIG_DST][lane] | (uint64_t)r->reg[RIG_DST + 1][lane] << 32;
}

#endif
