/* SPDX-License-Identifier: Apache-2.0 */
/* A set of registers, for passes over static code and for policies that keep registers. */
#ifndef ANNOTATE_REGSET_H
#define ANNOTATE_REGSET_H

#include "trace/code/kernel.h"

typedef struct {
    uint64_t w[4]; /* R0 to R255 */
} regset;

static inline bool regset_has(const regset *s, uint32_t r) { return s->w[r / 64 & 3] >> r % 64 & 1; }
static inline void regset_add(regset *s, uint32_t r) { s->w[r / 64 & 3] |= 1ull << r % 64; }
static inline void regset_drop(regset *s, uint32_t r) { s->w[r / 64 & 3] &= ~(1ull << r % 64); }

static inline bool regset_empty(const regset *s) { return !(s->w[0] | s->w[1] | s->w[2] | s->w[3]); }

static inline uint32_t regset_count(const regset *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < 4; i++)
        n += (uint32_t)__builtin_popcountll(s->w[i]);
    return n;
}

static inline regset regset_or(const regset *a, const regset *b)
{
    return (regset){{a->w[0] | b->w[0], a->w[1] | b->w[1], a->w[2] | b->w[2], a->w[3] | b->w[3]}};
}

static inline regset regset_and(const regset *a, const regset *b)
{
    return (regset){{a->w[0] & b->w[0], a->w[1] & b->w[1], a->w[2] & b->w[2], a->w[3] & b->w[3]}};
}

static inline regset regset_without(const regset *a, const regset *b)
{
    return (regset){{a->w[0] & ~b->w[0], a->w[1] & ~b->w[1], a->w[2] & ~b->w[2], a->w[3] & ~b->w[3]}};
}

/* Takes the smallest register out of a set that is not empty. */
static inline uint8_t regset_take(regset *s)
{
    uint32_t i = 0;
    while (!s->w[i])
        i++;
    uint32_t r = i * 64 + (uint32_t)__builtin_ctzll(s->w[i]);
    s->w[i] &= s->w[i] - 1;
    return (uint8_t)r;
}

/* The registers of an operand go in or out. */
static inline void regset_set(regset *s, const struct tr_opnd *o, bool to)
{
    for (uint32_t i = 0; o->kind == TO_REG && i < (o->n ? o->n : 1u); i++)
        (to ? regset_add : regset_drop)(s, (o->val + i) & 255);
}

static inline bool regset_has_any(const regset *s, const struct tr_opnd *o)
{
    for (uint32_t i = 0; o->kind == TO_REG && i < (o->n ? o->n : 1u); i++)
        if (regset_has(s, (o->val + i) & 255))
            return true;
    return false;
}

#endif
