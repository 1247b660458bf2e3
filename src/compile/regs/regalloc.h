/* SPDX-License-Identifier: Apache-2.0 */
/* Register allocation, internal to regalloc*.c, coalesce.c and spill*.c.
 *
 * Graph colouring over words. Every virtual register and every virtual predicate is an *entity* of 1..4 words (the accumulators
 * of a warp group: up to 128, and these are given their registers first, regalloc_wide.c); a word
 * has the number of its liveness bit. Words interfere where one is written while the other lives (a copy does not
 * interfere with its own source: Chaitin). Coalescing joins entities into *classes*: entities at fixed word offsets of
 * each other that will get registers as one tuple. A class is coloured, spilled or precoloured as a whole.
 * One round builds all of this afresh; spill code is inserted between rounds. */
#ifndef COMPILE_REGALLOC_H
#define COMPILE_REGALLOC_H

#include "compile/passes.h"

enum { RA_NONE = UINT32_MAX, RA_UNCOLOURED = 0xff, CALLER_SAVED = 16, RA_LEAST = 14 };

struct ra_copy {
    uint32_t dst, src; /* words */
    float weight;
};

struct ra_ent {
    /* Union-find: this entity's word 0 is word `off` of `parent`. */
    uint32_t parent;
    uint8_t off;
    uint8_t n;
    bool pred;
    /* Of the class, valid at its root: */
    uint8_t width, align;
    bool fixed, call; /* precoloured to phys; lives across a call */
    bool spillable;   /* some member is not spill code's own */
    bool acc;         /* accumulators of a warp group: never spilled */
    uint8_t phys;
    uint32_t next, tail; /* members */
    uint32_t degree;     /* neighbours, counted with repetition */
    uint32_t first;      /* position of the first definition, in reverse post-order */
    float cost;          /* what reloads and stores would cost */
};

/* How a value can be made again instead of reloaded. */
struct ra_remat {
    uint32_t defs;        /* of this word */
    struct ir_insn *insn; /* the only definition, if it can be repeated anywhere */
    bool ok;
};

struct ra {
    struct ir_fn *fn;
    uint32_t limit, banks;
    bool bank_aware;
    bool marked;               /* guarded writes that kill */
    uint32_t failures;         /* rounds whose colouring failed */
    VEC(uint8_t) pred_nospill; /* by virtual predicate: made by the spiller; lives through all rounds */
    struct arena mem;          /* of one round */
    struct ir_cfg *cfg;
    struct ir_live *live;
    uint32_t nvregs, nents; /* entities: virtual registers, then predicates */
    uint32_t nwords, nbits;
    struct ra_ent *ent;
    uint32_t *ent_of;           /* by word */
    bool no_graph;              /* far too much is alive: this round only spills, without interference */
    uint32_t *adj_off, *adj;    /* neighbours of each word, with repetition */
    VEC(struct ra_copy) copies; /* most valuable first */
    struct ra_remat *remat;     /* by register word */
    /* After classes are final: root and position of every word. */
    uint32_t *root_of;
    uint8_t *pos_of;
    uint32_t pressure; /* most register words at one point */
};

static inline uint32_t ra_first_word(const struct ra *r, uint32_t e)
{
    return e < r->nvregs ? r->live->first[e] : r->nwords + (e - r->nvregs);
}
/* Words of an operand; 0 if it names none that is allocated (RZ, PT, the stack pointer). */
uint32_t ra_opnd_words(const struct ra *r, const struct ir_opnd *o, uint32_t *word);
/* Is it a plain copy from register to register? */
bool ra_is_copy(const struct ir_insn *i);
double ra_block_weight(const struct ra *r, uint32_t block);

/* regalloc_split.c: tuples that are only used by words become words. Once, before the rounds. */
void ra_split(struct ir_fn *fn);
/* regalloc_graph.c: everything up to the interference graph. */
void ra_build(struct ra *r);
/* regalloc_wide.c: gives the accumulators their registers. NULL, or why there are too few. Once, before the rounds. */
const char *ra_place_acc(struct ir_fn *fn, uint32_t limit);
/* coalesce.c: classes. SAFE: only copies that cannot make the graph harder to colour; ACC: only copies of accumulators. */
enum ra_coalescing { COALESCE_ALL, COALESCE_SAFE, COALESCE_NONE, COALESCE_ACC };
void ra_coalesce(struct ra *r, enum ra_coalescing how);
uint32_t ra_find(struct ra *r, uint32_t e, uint8_t *off);
/* regalloc_colour.c: registers for all classes. Returns true, or false with the failed classes in `failed`. */
struct ra_colours {
    uint8_t *phys;        /* by root entity */
    uint32_t regs, preds; /* highest + 1 */
    uint32_t *failed, nfailed;
};
bool ra_colour(struct ra *r, struct ra_colours *c);
/* Registers that class `root` cannot start at, given its neighbours' colours: bits of a 256-bit set. */
void ra_forbidden(const struct ra *r, const uint8_t *phys, uint32_t root, uint64_t forbidden[4]);
/* May word 0 of the class stand at this register, as ra_forbidden has it? */
bool ra_is_free(const struct ra *r, const uint8_t *phys, uint32_t root, uint32_t reg);
/* The part of that which does not depend on other classes; registers from `limit` up are forbidden. */
void ra_never(const struct ra *r, uint32_t root, uint32_t limit, uint64_t forbidden[4]);
/* regalloc_improve.c: places failed classes and lowers c->regs towards `bound`, as far as a bounded search gets. */
void ra_improve(struct ra *r, struct ra_colours *c, uint32_t bound);
/* regalloc_apart.c: calls f for all pairs of words where one is written while a memory instruction may yet read the other. */
typedef void ra_pair_fn(void *arg, uint32_t a, uint32_t b, float weight);
void ra_each_apart(const struct ra *r, ra_pair_fn *f, void *arg);
/* regalloc_choose.c: moves classes to other registers, as far as they cost nothing, to avoid bank conflicts and registers that
 * memory instructions still hold. */
void ra_choose(struct ra *r, struct ra_colours *c);
/* Pairs of sources in one bank that are left (weighted by nothing: static pairs). */
uint32_t ra_bank_conflicts(const struct ir_fn *fn, uint32_t banks); /* of allocated code */
/* regalloc_pressure.c: marks classes to spill until at most `regs` words and `preds` predicates live at every point.
 * Returns how many it marked; leaves r->pressure. */
uint32_t ra_pick_pressure(struct ra *r, uint32_t regs, uint32_t preds, uint8_t *spill);
/* The same where the failed classes live, leaving more room after each of the `failures` so far. */
uint32_t ra_pick_failed(struct ra *r, const struct ra_colours *c, uint32_t failures, uint8_t *spill);
/* spill.c: rewrites the function so that marked classes live in memory (predicates: in registers). window: how many
 * instructions a reloaded value may wait for its next use. */
void ra_spill(struct ra *r, const uint8_t *spill, uint32_t window);
/* regalloc_rewrite.c: physical operands, copies that became nothing removed, tuple copies expanded. */
void ra_rewrite(struct ra *r, const struct ra_colours *c);

#endif
