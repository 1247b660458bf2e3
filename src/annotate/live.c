/* SPDX-License-Identifier: Apache-2.0 */
#include "annotate/live.h"

#include "annotate/worklist.h"
#include "trace/code/facts.h"

bool is_control(const struct tr_insn *i)
{
    switch ((enum tr_class)i->cls) {
    case TC_BRANCH:
    case TC_CONVERGE:
    case TC_WARPSYNC:
    case TC_MEMBAR:
    case TC_SYSCALL:
    case TC_NOP:
    case TC_EXIT:
    case TC_CCTL:
    case TC_BAR:
    case TC_ASYNC: return true;
    default: return false;
    }
}

bool leaves_code(const struct tr_kernel *k, const struct tr_block *b, const struct tr_insn *i)
{
    if (i->cls != TC_BRANCH || i != &k->insns[b->start + b->n - 1])
        return i->cls == TC_BRANCH;
    for (uint32_t j = 0; j < b->nsucc; j++)
        if (k->blocks[b->succ[j]].start == i->target)
            return false;
    return true;
}

/* More than the timing model tells of an instruction. */
static bool writes_many(const struct tr_insn *i)
{
    enum { MANY = 16 };
    uint32_t n = 0;
    for (uint32_t j = 0; j < i->ndst; j++)
        n += i->dst[j].kind == TO_REG ? i->dst[j].n : 0;
    return n > MANY;
}

/* What control instructions write comes with a barrier or from outside, and passes no unit: in the timing model the register
 * holds what it held before. */
void live_overwrite(regset *s, const struct tr_insn *i)
{
    bool all = i->guard.kind == TO_NONE && !is_control(i) && !writes_many(i);
    for (uint32_t j = 0; all && j < i->ndst; j++)
        regset_set(s, &i->dst[j], false);
}

void live_use(regset *s, const struct tr_insn *i)
{
    for (uint32_t j = 0; j < i->nsrc; j++)
        regset_set(s, &i->src[j], true);
}

static const regset all_regs = {{~0ull, ~0ull, ~0ull, ~0ull}};

static bool is_call(const struct tr_insn *i)
{
    return i->cls == TC_BRANCH && i->target != TR_NO_TARGET && tr_facts(i) & TF_CALLS;
}

static uint32_t block_at(const struct tr_kernel *k, uint32_t insn)
{
    uint32_t b = 0;
    while (b < k->nblocks && k->blocks[b].start != insn)
        b++;
    return b;
}

/* Everything that the blocks of a function read, from block b on: what it may want of its caller's registers. All, if it calls
 * in turn. */
static regset reads_of(const struct tr_kernel *k, uint32_t b)
{
    regset s = {{0}};
    bool *seen = xcalloc(k->nblocks + 1, sizeof *seen), known = b < k->nblocks;
    VEC(uint32_t) work = {0};
    if (known)
        vec_push(&work, b);
    while (known && work.n) {
        uint32_t n = work.at[--work.n];
        const struct tr_block *at = &k->blocks[n];
        if (seen[n])
            continue;
        seen[n] = true;
        for (uint32_t i = at->start; i < at->start + at->n; i++) {
            bool last = i + 1 == at->start + at->n, returns = last && !at->nsucc;
            known &= returns || !leaves_code(k, at, &k->insns[i]);
            live_use(&s, &k->insns[i]);
        }
        for (uint32_t j = 0; j < at->nsucc; j++)
            vec_push(&work, at->succ[j]);
    }
    vec_free(&work);
    free(seen);
    return known ? s : all_regs;
}

/* By instruction that calls a function by name: what the function reads. Others: everything. */
struct calls {
    uint32_t *target;
    regset *reads;
    uint32_t n;
};

static struct calls calls_of(const struct tr_kernel *k)
{
    struct calls c = {0};
    VEC(uint32_t) targets = {0};
    for (uint32_t i = 0; i < k->n; i++) {
        bool have = !is_call(&k->insns[i]);
        for (uint32_t j = 0; !have && j < targets.n; j++)
            have = targets.at[j] == k->insns[i].target;
        if (!have)
            vec_push(&targets, k->insns[i].target);
    }
    c.n = targets.n;
    c.target = targets.at;
    c.reads = xcalloc(c.n + 1u, sizeof *c.reads);
    for (uint32_t j = 0; j < c.n; j++)
        c.reads[j] = reads_of(k, block_at(k, c.target[j]));
    return c;
}

/* Live behind a call comes to what the function reads: it returns to where the block goes on. */
static void live_through(const struct calls *c, const struct tr_insn *i, regset *s)
{
    for (uint32_t j = 0; is_call(i) && j < c->n; j++)
        if (c->target[j] == i->target) {
            *s = regset_or(s, &c->reads[j]);
            return;
        }
    *s = all_regs;
}

static regset live_out(const struct tr_kernel *k, const struct tr_block *b, const regset *in)
{
    regset s = {{0}};
    if (!b->nsucc && k->insns[b->start + b->n - 1].cls != TC_EXIT)
        return all_regs;
    for (uint32_t j = 0; j < b->nsucc; j++)
        s = regset_or(&s, &in[b->succ[j]]);
    return s;
}

/* Fills what is live after the instructions of a block, and returns what is live before it. */
static regset walk(const struct tr_kernel *k, const struct tr_block *b, const struct calls *c,
                   const regset *in, regset *after)
{
    regset s = live_out(k, b, in);
    for (uint32_t i = b->start + b->n; i-- > b->start;) {
        if (leaves_code(k, b, &k->insns[i]))
            live_through(c, &k->insns[i], &s);
        after[i] = s;
        live_overwrite(&s, &k->insns[i]);
        live_use(&s, &k->insns[i]);
    }
    return s;
}

/* By block: those that lead to it are from[first[block]] to before from[first[block + 1]]. */
struct sources {
    uint32_t *first, *from;
};

static struct sources sources_of(const struct tr_kernel *k)
{
    struct sources s = {.first = xcalloc((size_t)k->nblocks + 2, sizeof *s.first)};
    for (uint32_t n = 0; n < k->nblocks; n++)
        for (uint32_t j = 0; j < k->blocks[n].nsucc; j++)
            s.first[k->blocks[n].succ[j] + 2]++;
    for (uint32_t n = 2; n < k->nblocks + 2; n++)
        s.first[n] += s.first[n - 1];
    s.from = xcalloc((size_t)s.first[k->nblocks + 1] + 1, sizeof *s.from);
    for (uint32_t n = 0; n < k->nblocks; n++)
        for (uint32_t j = 0; j < k->blocks[n].nsucc; j++)
            s.from[s.first[k->blocks[n].succ[j] + 1]++] = n;
    return s;
}

regset *live_after(const struct tr_kernel *k)
{
    regset *out = xcalloc(k->n ? k->n : 1, sizeof *out);
    regset *in = xcalloc(k->nblocks ? k->nblocks : 1, sizeof *in);
    struct sources from = sources_of(k);
    struct calls calls = calls_of(k);
    struct worklist t;
    worklist_init(&t, k->nblocks);
    for (uint32_t n; worklist_take(&t, &n);) {
        if (!k->blocks[n].n)
            continue;
        regset s = walk(k, &k->blocks[n], &calls, in, out);
        if (memcmp(&s, &in[n], sizeof s) == 0)
            continue;
        in[n] = s;
        for (uint32_t i = from.first[n]; i < from.first[n + 1]; i++)
            worklist_add(&t, from.from[i]);
    }
    worklist_free(&t);
    free(from.first);
    free(from.from);
    free(calls.target);
    free(calls.reads);
    free(in);
    return out;
}
