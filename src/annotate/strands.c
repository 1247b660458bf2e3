/* SPDX-License-Identifier: Apache-2.0 */
/* Where strands begin, and the pieces they are placed in. */
#include "annotate/strands.h"

#include "annotate/pieces.h"
#include "annotate/worklist.h"

enum { WORDS = 6 }; /* R0 to R255, then predicates, then uniform registers */

struct names {
    uint64_t w[WORDS];
};

static void add_operand(struct names *s, const struct tr_opnd *o)
{
    static const uint16_t base[] = {[TO_REG] = 0, [TO_PRED] = 256, [TO_UPRED] = 264, [TO_UREG] = 320};
    static const uint16_t mask[] = {[TO_REG] = 255, [TO_PRED] = 7, [TO_UPRED] = 7, [TO_UREG] = 63};
    if (o->kind != TO_REG && o->kind != TO_PRED && o->kind != TO_UPRED && o->kind != TO_UREG)
        return;
    for (uint32_t i = 0; i < (o->n ? o->n : 1u); i++) {
        uint32_t b = base[o->kind] + ((o->val + i) & mask[o->kind]);
        s->w[b / 64] |= 1ull << b % 64;
    }
}

static struct names written(const struct tr_insn *i)
{
    struct names s = {{0}};
    for (uint32_t j = 0; j < i->ndst; j++)
        add_operand(&s, &i->dst[j]);
    return s;
}

/* All that an instruction must not issue before. */
static struct names touched(const struct tr_insn *i)
{
    struct names s = written(i);
    for (uint32_t j = 0; j < i->nsrc; j++)
        add_operand(&s, &i->src[j]);
    add_operand(&s, &i->guard);
    return s;
}

static bool meet(const struct names *a, const struct names *b)
{
    uint64_t both = 0;
    for (uint32_t i = 0; i < WORDS; i++)
        both |= a->w[i] & b->w[i];
    return both != 0;
}

/* True: a had not all of b. */
static bool join(struct names *a, const struct names *b)
{
    uint64_t more = 0;
    for (uint32_t i = 0; i < WORDS; i++) {
        more |= b->w[i] & ~a->w[i];
        a->w[i] |= b->w[i];
    }
    return more != 0;
}

/* After it the warp may be at a barrier, or wait for its copies. */
static bool is_barrier(const struct tr_insn *i)
{
    return i->cls == TC_BAR || (i->cls == TC_ASYNC && i->imm != TA_COMMIT);
}

static void start_waiting(struct strands *s, uint32_t at) { s->insns[at].starts = s->insns[at].waits = true; }

/* Nobody knows what is on its way where a call returns to. */
static void start_after_calls(const struct tr_kernel *k, const struct tr_block *b, struct strands *s)
{
    uint32_t end = b->start + b->n;
    for (uint32_t i = b->start; i + 1 < end; i++)
        if (leaves_code(k, b, &k->insns[i]))
            start_waiting(s, i + 1);
    for (uint32_t j = 0; j < b->nsucc && leaves_code(k, b, &k->insns[end - 1]); j++)
        start_waiting(s, k->blocks[b->succ[j]].start);
}

/* What control flow alone says: barriers, branches back, and blocks that nobody is known to lead to. */
static void start_by_flow(const struct tr_kernel *k, struct strands *s)
{
    bool *known = xcalloc(k->nblocks + 1, sizeof *known);
    for (uint32_t n = 0; n < k->nblocks; n++) {
        const struct tr_block *b = &k->blocks[n];
        bool back = false;
        for (uint32_t j = 0; j < b->nsucc; j++) {
            known[b->succ[j]] = true;
            back |= b->succ[j] <= n;
            if (b->succ[j] <= n)
                start_waiting(s, k->blocks[b->succ[j]].start);
        }
        for (uint32_t j = 0; back && j < b->nsucc; j++)
            start_waiting(s, k->blocks[b->succ[j]].start);
        start_after_calls(k, b, s);
    }
    for (uint32_t n = 0; n < k->nblocks; n++)
        if (!known[n])
            start_waiting(s, k->blocks[n].start);
    for (uint32_t i = 1; i < k->n; i++)
        if (is_barrier(&k->insns[i - 1]))
            start_waiting(s, i);
    s->insns[0].starts = true;
    s->insns[0].waits = known[0];
    free(known);
}

/* From the results that may be on their way before a block to those after it. An instruction that needs one starts a strand,
 * before which all come in. */
static struct names walk(const struct tr_kernel *k, const struct tr_block *b, struct names far,
                         struct strands *s)
{
    for (uint32_t i = b->start; i < b->start + b->n; i++) {
        struct names all = touched(&k->insns[i]);
        if (s->insns[i].waits || meet(&all, &far)) {
            start_waiting(s, i);
            far = (struct names){{0}};
        }
        if (is_far_load(&k->insns[i])) {
            struct names to = written(&k->insns[i]);
            join(&far, &to);
        }
    }
    return far;
}

/* What may be on its way before a block only grows, and a strand that starts stays: so it ends, perhaps with a strand too
 * many. */
static void start_by_loads(const struct tr_kernel *k, struct strands *s)
{
    struct names *before = xcalloc(k->nblocks + 1, sizeof *before);
    struct worklist t;
    worklist_init(&t, k->nblocks);
    for (uint32_t n; worklist_take(&t, &n);) {
        struct names far = walk(k, &k->blocks[n], before[n], s);
        for (uint32_t j = 0; j < k->blocks[n].nsucc; j++)
            if (join(&before[k->blocks[n].succ[j]], &far))
                worklist_add(&t, k->blocks[n].succ[j]);
    }
    worklist_free(&t);
    free(before);
}

/* After these other lanes may be there than before. */
static bool lanes_meet(const struct tr_insn *i)
{
    return i->cls == TC_CONVERGE || i->cls == TC_WARPSYNC || i->cls == TC_SYSCALL || i->cls == TC_BRANCH;
}

static uint32_t piece_end(const struct tr_kernel *k, const struct tr_block *b, const struct strands *s,
                          uint32_t from)
{
    uint32_t end = from + 1;
    while (end < b->start + b->n && end - from < PIECE_MAX && !s->insns[end].starts &&
           !lanes_meet(&k->insns[end - 1]))
        end++;
    return end;
}

static void place_block(const struct tr_kernel *k, const struct tr_block *b, const regset *after,
                        struct strands *s, struct pieces *p)
{
    for (uint32_t from = b->start, end; from < b->start + b->n; from = end) {
        end = piece_end(k, b, s, from);
        for (uint32_t i = from; i < end; i++)
            s->insns[i].piece = s->pieces;
        pieces_place(p, from, end - from, &after[end - 1], &s->insns[from]);
        s->pieces++;
    }
}

struct strands *strands_new(const struct tr_kernel *k, uint32_t lrf, uint32_t orf)
{
    struct strands *s = xcalloc(1, sizeof *s);
    s->n = k->n;
    s->insns = xcalloc(k->n ? k->n : 1, sizeof *s->insns);
    for (uint32_t i = 0; i < k->n; i++) {
        struct strand_insn *o = &s->insns[i];
        o->guarded = k->insns[i].guard.kind != TO_NONE;
        memset(o->read, PLACE_BANK, sizeof o->read);
        memset(o->write, PLACE_BANK, sizeof o->write);
        o->banks = UINT16_MAX;
    }
    if (!k->n || !k->nblocks)
        return s;
    start_by_flow(k, s);
    start_by_loads(k, s);
    regset *after = live_after(k);
    struct pieces *p = pieces_new(k, lrf, orf);
    for (uint32_t n = 0; n < k->nblocks; n++)
        if (k->blocks[n].n)
            place_block(k, &k->blocks[n], after, s, p);
    for (uint32_t i = 0; i < k->n; i++)
        s->strands += s->insns[i].starts;
    pieces_free(p);
    free(after);
    return s;
}

void strands_free(struct strands *s)
{
    if (s)
        free(s->insns);
    free(s);
}
