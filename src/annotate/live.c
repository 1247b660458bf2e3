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

static regset live_out(const struct tr_kernel *k, const struct tr_block *b, const regset *in)
{
    regset s = {{0}};
    const struct tr_insn *last = &k->insns[b->start + b->n - 1];
    bool unknown =
        (last->cls == TC_BRANCH && last->target == TR_NO_TARGET) || (!b->nsucc && last->cls != TC_EXIT);
    for (uint32_t i = 0; i < 4 && unknown; i++)
        s.w[i] = ~0ull;
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
