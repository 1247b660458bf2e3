#include "annotate/live.h"

#include "annotate/worklist.h"

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
static regset walk(const struct tr_kernel *k, const struct tr_block *b, const regset *in, regset *after)
{
    regset s = live_out(k, b, in);
    for (uint32_t i = b->start + b->n; i-- > b->start;) {
        if (leaves_code(k, b, &k->insns[i]))
            s = all_regs;
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
    struct worklist t;
    worklist_init(&t, k->nblocks);
    for (uint32_t n; worklist_take(&t, &n);) {
        if (!k->blocks[n].n)
            continue;
        regset s = walk(k, &k->blocks[n], in, out);
        if (memcmp(&s, &in[n], sizeof s) == 0)
            continue;
        in[n] = s;
        for (uint32_t i = from.first[n]; i < from.first[n + 1]; i++)
            worklist_add(&t, from.from[i]);
    }
    worklist_free(&t);
    free(from.first);
    free(from.from);
    free(in);
    return out;
}
