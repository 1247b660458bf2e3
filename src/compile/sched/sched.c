/* SPDX-License-Identifier: Apache-2.0 */
/* The order of instructions inside blocks, for latency under an occupancy goal.
 *
 * Registers buy time: with more of them, loads are issued earlier and together. They cost warps: fewer of them are resident and
 * fill each other's waits. For a number of registers, the warps of a scheduler that it allows share the waits of the code, and
 * every instruction takes its slot; the number with the least of both is the goal of all blocks. */
#include "compile/sched/sched.h"

enum {
    REGS_PER_SCHEDULER = 512, /* registers of a thread, times warps: a quarter of 65,536 by 32 lanes */
    MOST_WARPS = 16,          /* of a scheduler */
    GRANULE = 8,              /* registers come in eights */
    OVERHEAD = 2,             /* registers that count beyond the live words: two that the hardware keeps */
    SPARE = 6,                /* words left to the allocator's alignment under a tight limit */
    PREDS = 5,                /* of seven */
    STEPS = 2, /* of occupancy that are tried: what the program's order is in, and one beyond */
    LOOP = 8,  /* a loop is taken for this many rounds */
    DEEPEST = 6,
};

/* The orders that are tried: from where, how far a load should stand from its use at most, and for how many words fewer than are
 * allowed. Those without comfort only where none of the others keeps within the words that there are: an order may need more than
 * it was made for, as many as a load of 128 bits brings at once. */
static const struct way {
    sched_way *make;
    uint32_t far;
    int32_t tighter;
    bool comfort;
} ways[] = {
    {sched_up, UINT32_MAX, 0, true}, {sched_up, 80, 0, true},    {sched_up, 30, 0, true},
    {sched_up, 80, 4, false},        {sched_down, 40, 0, false}, {sched_up, 30, 8, false},
    {sched_down, 20, 8, false},
};
enum { WAYS = sizeof ways / sizeof *ways, GOALS = 1 + STEPS };

/* An order that was made for so many words. */
struct made {
    uint32_t *order; /* NULL: not yet */
    int32_t words, need;
    uint32_t length;
    bool any_more; /* with more words it would be the same */
};

struct block {
    struct dag *dag;
    double weight;
    struct made made[WAYS][GOALS];
    int32_t before;  /* words alive in the program's order */
    uint32_t *order; /* NULL: the program's */
    uint32_t length;
};

struct sched {
    struct ir_fn *fn;
    struct ir_cfg *c;
    struct ir_live *l;
    struct arena a;
    struct block *blocks;
    double insns;
    /* Of the orders that the blocks have: what they were made for, and the most that one needs */
    int32_t words, peak;
    int32_t overhead; /* registers that a thread has beyond its live words */
};

/* Is an order that needs n words and takes len cycles better than one with `need` and `length`? */
static bool better(int32_t n, uint32_t len, int32_t need, uint32_t length, int32_t words)
{
    if (n <= words && need <= words)
        return len < length;
    return n < need;
}

/* Would the way make the same order as the one before it, since no latency reaches what it cuts off? */
static bool is_again(const struct dag *d, uint32_t way)
{
    return way && ways[way].make == ways[way - 1].make && ways[way].tighter == ways[way - 1].tighter &&
           ways[way].far >= d->longest && ways[way - 1].far >= d->longest;
}

/* A way's order of a block for so many words: as it was made before, or anew. */
static const struct made *make_order(struct sched *s, uint32_t b, uint32_t way, int32_t words,
                                     struct arena *tmp)
{
    struct block *k = &s->blocks[b];
    struct made *m = k->made[way], *end = m + GOALS;
    for (; m < end && m->order; m++)
        if (m->words == words || (m->any_more && m->words < words))
            return m;
    if (m == end)
        m--;
    struct sched_want want = {words - ways[way].tighter, PREDS, ways[way].far};
    m->words = words;
    m->order = ARENA_ARRAY(&s->a, uint32_t, k->dag->n);
    m->any_more = ways[way].make(k->dag, s->l, b, &want, m->order, tmp);
    m->need = sched_pressure(k->dag, s->l, s->l->out[b], m->order, tmp);
    m->length = sched_length(k->dag, m->order, tmp);
    return m;
}

/* The order of a block for so many words: the shortest of those that keep within them, or else the least hungry. */
static void schedule_block(struct sched *s, uint32_t b, int32_t words)
{
    struct block *k = &s->blocks[b];
    struct arena tmp = {0};
    uint32_t *best = NULL, length = sched_length(k->dag, NULL, &tmp);
    int32_t need = k->before;
    for (uint32_t way = 0; way < WAYS && (ways[way].comfort || need > words || !best); way++) {
        if (is_again(k->dag, way))
            continue;
        const struct made *m = make_order(s, b, way, words, &tmp);
        if (better(m->need, m->length, need, length, words)) {
            best = m->order;
            length = m->length;
            need = m->need;
        }
    }
    k->order = best;
    k->length = length;
    if (need > s->peak)
        s->peak = need;
    arena_free(&tmp);
}

static uint32_t warps_with(const struct sched *s, int32_t words)
{
    uint32_t regs = ((uint32_t)(words + s->overhead) + GRANULE - 1) / GRANULE * GRANULE,
             warps = REGS_PER_SCHEDULER / regs;
    return warps > MOST_WARPS ? MOST_WARPS : warps ? warps : 1;
}

/* Schedules all blocks for so many words. Returns what the code then costs: slots, and this warp's share of its waits. */
static double schedule_all(struct sched *s, int32_t words)
{
    double cycles = 0;
    s->words = words;
    s->peak = 0;
    for (uint32_t r = 0; r < s->c->nrpo; r++) {
        uint32_t b = s->c->rpo[r];
        if (!s->blocks[b].dag)
            continue;
        schedule_block(s, b, words);
        cycles += s->blocks[b].weight * s->blocks[b].length;
    }
    return s->insns + cycles / warps_with(s, words);
}

static void apply_order(struct sched *s, uint32_t b)
{
    struct ir_block *blk = &s->fn->blocks.at[b];
    const uint32_t *order = s->blocks[b].order;
    if (!order)
        return;
    struct ir_insn *copy = ARENA_ARRAY(&s->a, struct ir_insn, blk->insns.n);
    for (uint32_t k = 0; k < blk->insns.n; k++)
        copy[k] = blk->insns.at[order[k]];
    memcpy(blk->insns.at, copy, sizeof *copy * blk->insns.n);
}

static void open_blocks(struct sched *s)
{
    s->blocks = ARENA_ARRAY(&s->a, struct block, s->fn->blocks.n);
    for (uint32_t r = 0; r < s->c->nrpo; r++) {
        uint32_t b = s->c->rpo[r], n = s->fn->blocks.at[b].insns.n;
        struct block *k = &s->blocks[b];
        k->weight = 1;
        for (uint32_t d = 0; d < s->c->depth[b] && d < DEEPEST; d++)
            k->weight *= LOOP;
        unsigned rounds = unroll_rounds(&s->fn->blocks.at[b]);
        k->weight /= rounds < LOOP ? rounds : LOOP;
        s->insns += k->weight * n;
        if (n <= 2)
            continue;
        k->dag = dag_build(s->fn, s->l, &s->fn->blocks.at[b], &s->a);
        k->before = sched_pressure(k->dag, s->l, s->l->out[b], NULL, &s->a);
    }
}

/* The goal: the least cost; of equal ones the fewest registers, but no fewer than the most warps leave to each. */
static int32_t choose(struct sched *s, int32_t least, int32_t most)
{
    int32_t goal = least, free_words = REGS_PER_SCHEDULER / MOST_WARPS - s->overhead;
    if (most <= free_words)
        return most;
    if (least < free_words)
        goal = least = free_words;
    double cost = schedule_all(s, least);
    if (least == free_words && s->peak + 1 < free_words) /* more would change nothing */
        return goal;
    int32_t words = (least + s->overhead + GRANULE - 1) / GRANULE * GRANULE - s->overhead;
    for (int step = 0; step < STEPS && words <= most; step++, words += GRANULE) {
        if (words == least)
            continue;
        double c = schedule_all(s, words);
        if (c < cost) {
            cost = c;
            goal = words;
        }
    }
    return goal;
}

void pass_sched(struct ir_fn *fn, uint32_t limit)
{
    struct sched s = {.fn = fn, .overhead = OVERHEAD + (fn->hopper ? 1 : 0)};
    s.c = ir_cfg_build(fn, &s.a);
    ir_mark_kills(fn, s.c);
    s.l = ir_live_build(fn, s.c, &s.a);
    open_blocks(&s);
    int32_t least = (int32_t)ir_live_pressure(fn, s.l), most = (int32_t)limit - SPARE;
    if (least > most)
        least = most;
    int32_t goal = choose(&s, least, most);
    if (s.words != goal)
        schedule_all(&s, goal);
    for (uint32_t r = 0; r < s.c->nrpo; r++) {
        uint32_t b = s.c->rpo[r];
        if (!s.blocks[b].dag)
            continue;
        apply_order(&s, b);
        dag_free(s.blocks[b].dag);
    }
    arena_free(&s.a);
}
