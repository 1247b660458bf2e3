#include "annotate/live.h"

/* Results of the others are no writes for the timing model: they come with a barrier or from outside, and pass no unit. What a register
 * held before one of them it holds afterwards, there. */
static bool has_results(const struct tr_insn *i)
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
    case TC_ASYNC: return false;
    default: return true;
    }
}

void live_overwrite(regset *s, const struct tr_insn *i)
{
    for (uint32_t j = 0; i->guard.kind == TO_NONE && has_results(i) && j < i->ndst; j++)
        regset_set(s, &i->dst[j], false);
}

void live_use(regset *s, const struct tr_insn *i)
{
    for (uint32_t j = 0; j < i->nsrc; j++)
        regset_set(s, &i->src[j], true);
}

static const regset all = {{~0ull, ~0ull, ~0ull, ~0ull}};

/* Does it go where its block does not say: a call, which comes back and need not end a block, a return, an indirect branch? */
static bool leaves(const struct tr_kernel *k, const struct tr_block *b, uint32_t i)
{
    const struct tr_insn *x = &k->insns[b->start + i];
    if (x->cls != TC_BRANCH || i + 1 < b->n)
        return x->cls == TC_BRANCH;
    for (uint32_t j = 0; j < b->nsucc; j++)
        if (k->blocks[b->succ[j]].start == x->target)
            return false;
    return true;
}

static regset live_out(const struct tr_kernel *k, const struct tr_block *b, const regset *in)
{
    regset s = {{0}};
    if (!b->nsucc && k->insns[b->start + b->n - 1].cls != TC_EXIT)
        return all;
    for (uint32_t j = 0; j < b->nsucc; j++)
        s = regset_or(&s, &in[b->succ[j]]);
    return s;
}

regset *live_after(const struct tr_kernel *k)
{
    regset *out = xcalloc(k->n ? k->n : 1, sizeof *out);
    regset *in = xcalloc(k->nblocks ? k->nblocks : 1, sizeof *in);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = k->nblocks; n-- > 0;) {
            const struct tr_block *b = &k->blocks[n];
            if (!b->n)
                continue;
            regset s = live_out(k, b, in);
            for (uint32_t i = b->n; i-- > 0;) {
                s = leaves(k, b, i) ? all : s;
                out[b->start + i] = s;
                live_overwrite(&s, &k->insns[b->start + i]);
                live_use(&s, &k->insns[b->start + i]);
            }
            changed |= memcmp(&s, &in[n], sizeof s) != 0;
            in[n] = s;
        }
    }
    free(in);
    return out;
}
