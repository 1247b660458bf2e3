/* SPDX-License-Identifier: Apache-2.0 */
/* Places for the values of a piece. A value is a write without a guard and what follows on its register: reads, and guarded
 * writes, which change it in some lanes. Greedily by energy saved for each instruction that an entry is taken: first the
 * last-result file, then the operand file, where a value that does not fit as a whole may be kept for its first reads. */
#include "annotate/pieces.h"

/* A sixteenth of a register, in 0.1 pJ: banks of 512 rows, an SRAM of 8, flip-flops (docs/energy.md). Only what is better than
 * what depends on them. */
enum level { LRF, ORF, LEVELS };
static const struct cost {
    int read, write;
} bank_cost = {98, 118}, level_cost[LEVELS] = {[LRF] = {8, 8}, [ORF] = {20, 30}};

#define NO_VALUE UINT32_MAX
#define NO_USE UINT32_MAX

/* A read or write of a value. */
struct use {
    uint32_t next;
    uint16_t at; /* in the piece */
    uint8_t operand;
    bool write;
};

struct value {
    uint32_t first, last; /* uses, in order; the first one makes it */
    uint32_t nreads;
    uint16_t from, to; /* the write that makes it; its last read */
    bool bank;         /* must be in the banks, too */
    bool lanes;        /* only units of the lanes make and read it */
};

struct bid {
    int64_t gain;
    uint32_t cycles; /* of an entry */
    uint32_t value;
};

struct pieces {
    const struct tr_kernel *k;
    uint32_t lrf, orf;
    uint32_t open[256]; /* by register: its value */
    VEC(struct use) uses;
    VEC(struct value) values;
    VEC(struct bid) bids;
    /* By entry: instructions from a write up to before the last read. */
    uint64_t taken[STRAND_ENTRIES][PIECE_MAX / 64];
};

bool is_far_load(const struct tr_insn *i)
{
    if (i->cls == TC_TEX || i->cls == TC_SURF)
        return true;
    return i->naddr && i->mem & (TM_LOAD | TM_ATOMIC) && i->space != SPACE_SHARED && i->space != SPACE_CONST;
}

bool is_global_load(const struct tr_insn *i)
{
    return i->naddr && i->mem & TM_LOAD && !(i->mem & TM_ATOMIC) &&
           (i->space == SPACE_GLOBAL || i->space == SPACE_NONE);
}

/* The units beside the last-result file; the others are shared by more lanes than it reaches. */
static bool is_lanes_own(const struct tr_insn *i)
{
    uint8_t unit = tr_classes[i->cls].unit;
    return unit == UNIT_FP32 || unit == UNIT_INT || unit == UNIT_HALF;
}

/* ---- values ---- */

static regset registers(const struct tr_opnd *o, uint32_t n)
{
    regset s = {{0}};
    for (uint32_t j = 0; j < n; j++)
        regset_set(&s, &o[j], true);
    return s;
}

static void add_use(struct pieces *p, uint32_t v, const struct use *u)
{
    struct value *x = &p->values.at[v];
    if (x->first == NO_USE)
        x->first = p->uses.n;
    else
        p->uses.at[x->last].next = p->uses.n;
    x->last = p->uses.n;
    x->nreads += !u->write;
    x->to = u->write ? x->to : u->at;
    vec_push(&p->uses, *u);
}

static void read_one(struct pieces *p, const struct tr_insn *i, uint32_t reg, uint32_t at, uint32_t operand)
{
    uint32_t v = p->open[reg];
    if (v == NO_VALUE)
        return;
    if (is_control(i) || operand >= STRAND_OPERANDS) {
        p->values.at[v].bank = true;
        return;
    }
    p->values.at[v].lanes &= is_lanes_own(i);
    add_use(p, v, &(struct use){.next = NO_USE, .at = (uint16_t)at, .operand = (uint8_t)operand});
}

static void write_one(struct pieces *p, const struct tr_insn *i, uint32_t reg, uint32_t at, uint32_t operand)
{
    bool fit = !is_control(i) && !is_far_load(i) && operand < STRAND_OPERANDS,
         guarded = i->guard.kind != TO_NONE;
    struct use u = {.next = NO_USE, .at = (uint16_t)at, .operand = (uint8_t)operand, .write = true};
    uint32_t v = p->open[reg];
    if (guarded && fit && v != NO_VALUE) {
        p->values.at[v].lanes &= is_lanes_own(i);
        add_use(p, v, &u);
        return;
    }
    if (v != NO_VALUE && (guarded || is_control(i) || operand >= STRAND_OPERANDS))
        p->values.at[v].bank = true; /* it stays to be seen there, at least in some lanes */
    p->open[reg] = NO_VALUE;
    if (guarded || !fit)
        return;
    p->open[reg] = p->values.n;
    vec_push(
        &p->values,
        (struct value){.first = NO_USE, .from = (uint16_t)at, .to = (uint16_t)at, .lanes = is_lanes_own(i)});
    add_use(p, p->open[reg], &u);
}

static void each(struct pieces *p, uint32_t start, uint32_t at, bool write)
{
    const struct tr_insn *i = &p->k->insns[start + at];
    regset s = write ? registers(i->dst, i->ndst) : registers(i->src, i->nsrc);
    uint32_t operand = 0;
    for (uint32_t w = 0; w < 4; w++)
        for (uint64_t m = s.w[w]; m; m &= m - 1, operand++)
            (write ? write_one : read_one)(p, i, w * 64 + (uint32_t)__builtin_ctzll(m), at, operand);
}

static void find_values(struct pieces *p, uint32_t start, uint32_t n, const regset *live)
{
    vec_clear(&p->uses);
    vec_clear(&p->values);
    for (uint32_t r = 0; r < 256; r++)
        p->open[r] = NO_VALUE;
    for (uint32_t at = 0; at < n; at++) {
        each(p, start, at, false);
        each(p, start, at, true);
    }
    for (uint32_t r = 0; r < 256; r++)
        if (p->open[r] != NO_VALUE && regset_has(live, r))
            p->values.at[p->open[r]].bank = true;
}

/* ---- places ---- */

/* What it saves if it is kept up to instruction `to`; reads after that find it in the banks. */
static int64_t gain(const struct pieces *p, enum level l, const struct value *v, uint32_t to)
{
    bool bank = v->bank || to < v->to;
    int read = bank_cost.read - level_cost[l].read;
    int write = level_cost[l].write - (bank ? 0 : bank_cost.write);
    int64_t sum = 0;
    for (uint32_t n = v->first; n != NO_USE; n = p->uses.at[n].next) {
        const struct use *u = &p->uses.at[n];
        sum += !u->write && u->at <= to ? read : 0;
        sum -= u->write && u->at < to ? write : 0;
    }
    return sum;
}

static int by_gain(const void *a, const void *b)
{
    const struct bid *x = a, *y = b;
    int64_t l = x->gain * y->cycles, r = y->gain * x->cycles;
    if (l != r)
        return l > r ? -1 : 1;
    return x->value < y->value ? -1 : 1;
}

/* The first instruction from `from` on at which the entry is taken; `to` if none before. */
static uint32_t free_until(const struct pieces *p, uint32_t entry, uint32_t from, uint32_t to)
{
    const uint64_t *t = p->taken[entry];
    for (uint32_t i = from; i < to; i = (i / 64 + 1) * 64) {
        uint64_t m = t[i / 64] >> i % 64;
        if (m)
            return i + (uint32_t)__builtin_ctzll(m) < to ? i + (uint32_t)__builtin_ctzll(m) : to;
    }
    return to;
}

static void give(struct pieces *p, struct value *v, uint32_t entry, uint32_t to, struct strand_insn *out)
{
    bool bank = v->bank || to < v->to;
    for (uint32_t i = v->from; i < to; i++)
        p->taken[entry][i / 64] |= 1ull << i % 64;
    for (uint32_t n = v->first; n != NO_USE; n = p->uses.at[n].next) {
        const struct use *u = &p->uses.at[n];
        struct strand_insn *o = &out[u->at];
        if (u->write && u->at < to) {
            o->write[u->operand] = (uint8_t)entry;
            o->banks &= (uint16_t)(bank ? ~0u : ~(1u << u->operand));
        } else if (!u->write && u->at <= to) {
            o->read[u->operand] = (uint8_t)entry;
            o->last |= (uint16_t)((u->at == to) << u->operand);
        }
    }
    v->nreads = 0; /* has its place */
}

/* The entry that is free for longest, up to what the value needs; the first of these. */
static uint32_t best_entry(const struct pieces *p, enum level l, const struct value *v, uint32_t *until)
{
    uint32_t first = l == LRF ? 0 : p->lrf, n = l == LRF ? p->lrf : p->orf, best = first;
    *until = v->from;
    for (uint32_t e = first; e < first + n; e++) {
        uint32_t t = free_until(p, e, v->from, v->to);
        if (t > *until) {
            *until = t;
            best = e;
        }
    }
    return best;
}

/* The last read up to `to`; where it is made, if there is none. */
static uint32_t last_read(const struct pieces *p, const struct value *v, uint32_t to)
{
    uint32_t at = v->from;
    for (uint32_t u = v->first; u != NO_USE; u = p->uses.at[u].next)
        if (!p->uses.at[u].write && p->uses.at[u].at <= to)
            at = p->uses.at[u].at;
    return at;
}

static void place_level(struct pieces *p, enum level l, struct strand_insn *out)
{
    vec_clear(&p->bids);
    for (uint32_t i = 0; i < p->values.n; i++) {
        const struct value *v = &p->values.at[i];
        struct bid b = {.value = i, .cycles = (uint32_t)(v->to - v->from)};
        if (!v->nreads || (l == LRF && !v->lanes))
            continue;
        b.gain = gain(p, l, v, v->to);
        if (b.gain > 0)
            vec_push(&p->bids, b);
    }
    if (p->bids.n)
        qsort(p->bids.at, p->bids.n, sizeof *p->bids.at, by_gain);
    for (uint32_t i = 0; i < p->bids.n; i++) {
        struct value *v = &p->values.at[p->bids.at[i].value];
        uint32_t until, e = best_entry(p, l, v, &until);
        uint32_t to = until < v->to ? last_read(p, v, until) : v->to;
        if (to > v->from && (to == v->to || (l == ORF && gain(p, l, v, to) > 0)))
            give(p, v, e, to, out);
    }
}

void pieces_place(struct pieces *p, uint32_t start, uint32_t n, const regset *live, struct strand_insn *out)
{
    find_values(p, start, n, live);
    memset(p->taken, 0, sizeof p->taken);
    place_level(p, LRF, out);
    place_level(p, ORF, out);
}

struct pieces *pieces_new(const struct tr_kernel *k, uint32_t lrf, uint32_t orf)
{
    struct pieces *p = xcalloc(1, sizeof *p);
    p->k = k;
    p->lrf = lrf;
    p->orf = orf;
    return p;
}

void pieces_free(struct pieces *p)
{
    vec_free(&p->uses);
    vec_free(&p->values);
    vec_free(&p->bids);
    free(p);
}
