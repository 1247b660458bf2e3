/* SPDX-License-Identifier: Apache-2.0 */
/* Decoded instructions: what the inner loop of the executor runs. decode.c turns linked code into an array of these once
 * per launch; the ALU files (compiled once per host vector ISA) provide the handlers of everything that only reads and
 * writes registers and predicates; the other files provide memory, control and collective handlers.
 *
 * A register is a row of 32 words, lane 0 first, 128-byte aligned. Immediates and constant-bank words are rows too, in a
 * pool that is filled once per launch, so a source is always a row: base[sel] + off. */
#ifndef EXEC_XOP_H
#define EXEC_XOP_H

#include "ir/ir.h"

enum { LANES = 32, ROW_B = 128 };
enum { XSEL_REG = 0, XSEL_POOL = 1 };
/* pred[7] is PT: all ones, never written. What is written to nowhere goes to pred[8]. */
/* Then uniform predicates and what follows them (PRED_U0). */
enum { XPRED_TRASH = 8, XPRED_U0 = 9, XPREDS = XPRED_U0 + PRED_MORE - PRED_U0 };

struct xop;
struct gmma;

/* The part of a warp that ALU handlers see. */
struct xwarp {
    unsigned char *base[2]; /* registers (one trash row after the last register), constant pool */
    uint32_t pred[XPREDS];  /* a bit per lane */
};

/* Executes for the lanes in mask (never 0); other lanes keep their destination. */
typedef void (*xfn)(const struct xop *x, struct xwarp *w, uint32_t mask);

struct xsrc {
    uint32_t off; /* bytes from base[sel]; operands of several words are consecutive rows */
    uint8_t sel;
    uint8_t neg, abs;
};

struct xpred {
    uint8_t p;   /* index into pred; absent = PT */
    uint8_t inv; /* 1: inverted */
};

struct xop {
    xfn fn;               /* ALU handler; NULL: the core handles the opcode */
    struct xsrc src[6];   /* register, immediate, constant sources */
    uint32_t dst[2];      /* byte offset of the destination row in base[0]; absent: the trash row */
    struct xpred psrc[6]; /* predicate sources, by the same position as in ir_insn.src */
    uint8_t pdst[2];      /* predicate destinations by position; absent: XPRED_TRASH */
    struct xpred guard;
    uint32_t tmp; /* byte offset of rows in base[0] where sources are prepared */
    uint32_t all; /* all lanes, if the result is uniform: it is written whoever executes; else 0 */
    xfn inner;    /* what fn, which prepares sources or completes results, calls in between */
    const struct ir_insn *insn; /* everything else: sub, lut, flags, type, rnd, cmp, bop */
};

static inline const uint32_t *x_row(const struct xwarp *w, const struct xop *x, unsigned i)
{
    return (const uint32_t *)(const void *)(w->base[x->src[i].sel] + x->src[i].off);
}
static inline uint32_t *x_dst(struct xwarp *w, const struct xop *x, unsigned i)
{
    return (uint32_t *)(void *)(w->base[0] + x->dst[i]);
}
static inline uint32_t x_psrc(const struct xwarp *w, const struct xpred *p)
{
    return w->pred[p->p] ^ (0u - p->inv);
}
static inline void x_pset(struct xwarp *w, unsigned p, uint32_t value, uint32_t mask)
{
    w->pred[p] = (w->pred[p] & ~mask) | (value & mask);
}

/* One build of the ALU for one host ISA. `select` gives the handler of an instruction, or NULL if it is not an ALU
 * instruction or that combination of op, type and modifiers does not exist. All variants give the same bits. */
struct xalu {
    const char *name;
    bool (*usable)(void); /* does this host have it? */
    xfn (*select)(const struct ir_insn *i);
    /* HGMMA of a warp whose matrices have been collected: D to the registers. */
    void (*gmma)(const struct xop *x, struct xwarp *w, const struct gmma *g);
};
/* Best first, NULL-terminated; "plain" is always last and usable. */
extern const struct xalu *const exec_alus[];

#endif
