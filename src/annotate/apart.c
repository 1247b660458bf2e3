/* SPDX-License-Identifier: Apache-2.0 */
#include "annotate/apart.h"

#include "annotate/live.h"
#include "base/vec.h"

static const regset all_regs = {{~0ull, ~0ull, ~0ull, ~0ull}};

bool apart_meets(const struct tr_insn *i)
{
    const char *text = i->text ? i->text : "";
    return i->cls == TC_CONVERGE && strncmp(text, "BSSY", 4) != 0 && strncmp(text, "BREAK", 5) != 0;
}

bool apart_waits(const struct tr_insn *i)
{
    return apart_meets(i) || i->cls == TC_WARPSYNC || i->cls == TC_BAR || i->cls == TC_SHFL ||
           i->cls == TC_VOTE || i->cls == TC_MATCH || i->cls == TC_REDUX;
}

typedef VEC(uint32_t) list;

struct apart {
    const struct tr_kernel *k;
    regset *in, *stops;   /* by block: live before it; what lanes that stand still in it want */
    bool *leaves;         /* by block: it calls a function */
    uint32_t *seen, walk; /* by block: the walk that has come there last */
    list found;
};

static regset live_before(const struct tr_kernel *k, const regset *after, uint32_t i)
{
    regset s = after[i];
    live_overwrite(&s, &k->insns[i]);
    live_use(&s, &k->insns[i]);
    return s;
}

static regset stops_of(const struct tr_kernel *k, const struct tr_block *b, const regset *after)
{
    regset sum = {{0}};
    for (uint32_t i = b->start; i < b->start + b->n; i++) {
        if (i != b->start && !apart_waits(&k->insns[i]))
            continue;
        regset s = live_before(k, after, i);
        sum = regset_or(&sum, &s);
    }
    return sum;
}

/* Blocks that can be reached from one without passing another, which is not walked to; UINT32_MAX: none. */
static void reach(struct apart *a, uint32_t from, uint32_t without)
{
    vec_clear(&a->found);
    a->walk++;
    if (from == without)
        return;
    a->seen[from] = a->walk;
    vec_push(&a->found, from);
    for (uint32_t n = 0; n < a->found.n; n++) {
        const struct tr_block *b = &a->k->blocks[a->found.at[n]];
        for (uint32_t j = 0; j < b->nsucc; j++) {
            if (b->succ[j] == without || a->seen[b->succ[j]] == a->walk)
                continue;
            a->seen[b->succ[j]] = a->walk;
            vec_push(&a->found, b->succ[j]);
        }
    }
}

/* What lanes want that have gone the way to block `to`. */
static regset wanted_there(struct apart *a, uint32_t to, uint32_t meet)
{
    regset sum = {{0}};
    reach(a, to, meet);
    vec_each (&a->found, b)
        sum = a->leaves[*b] ? all_regs : regset_or(&sum, &a->stops[*b]);
    return sum;
}

static void part_at(struct apart *a, const struct tr_block *b, regset *out)
{
    regset meet = {{0}};
    regset *way = xcalloc(b->nsucc, sizeof *way);
    if (b->ipdom < a->k->nblocks)
        meet = a->in[b->ipdom];
    for (uint32_t j = 0; j < b->nsucc; j++)
        way[j] = wanted_there(a, b->succ[j], b->ipdom);
    for (uint32_t j = 0; j < b->nsucc; j++) {
        regset others = meet;
        for (uint32_t i = 0; i < b->nsucc; i++)
            if (i != j)
                others = regset_or(&others, &way[i]);
        reach(a, b->succ[j], b->ipdom);
        vec_each (&a->found, to)
            out[*to] = regset_or(&out[*to], &others);
    }
    free(way);
}

/* Calls of which all lanes come back together are understood; nothing else that leaves. False: somewhere is such. */
static bool find_calls(struct apart *a)
{
    const struct tr_kernel *k = a->k;
    bool ok = true;
    for (uint32_t n = 0; n < k->nblocks; n++) {
        const struct tr_block *b = &k->blocks[n];
        for (uint32_t i = b->start; i < b->start + b->n; i++) {
            if (!leaves_code(k, b, &k->insns[i]))
                continue;
            a->leaves[n] = true;
            ok = ok && k->insns[i].guard.kind == TO_NONE;
        }
    }
    return ok;
}

regset *apart_wanted(const struct tr_kernel *k, const regset *after)
{
    regset *out = xcalloc(k->nblocks + 1, sizeof *out);
    struct apart a = {.k = k,
                      .in = xcalloc(k->nblocks + 1, sizeof *a.in),
                      .stops = xcalloc(k->nblocks + 1, sizeof *a.stops),
                      .leaves = xcalloc(k->nblocks + 1, sizeof *a.leaves),
                      .seen = xcalloc(k->nblocks + 1, sizeof *a.seen)};
    bool known = find_calls(&a);
    for (uint32_t n = 0; n < k->nblocks; n++) {
        if (k->blocks[n].n)
            a.in[n] = live_before(k, after, k->blocks[n].start);
        a.stops[n] = stops_of(k, &k->blocks[n], after);
    }
    for (uint32_t n = 0; known && n < k->nblocks; n++)
        if (k->blocks[n].nsucc > 1)
            part_at(&a, &k->blocks[n], out);
    /* What no edge leads to from the kernel's start is a function: its caller's other lanes may be anywhere. */
    if (k->nblocks)
        reach(&a, 0, UINT32_MAX);
    for (uint32_t n = 0; n < k->nblocks; n++)
        if (!known || a.seen[n] != a.walk)
            out[n] = all_regs;
    vec_free(&a.found);
    free(a.in);
    free(a.stops);
    free(a.leaves);
    free(a.seen);
    return out;
}
