#include "annotate/last_use.h"

typedef struct {
    uint64_t w[4]; /* R0 to R255 */
} regset;

static bool any(const regset *s, const struct tr_opnd *o)
{
    for (uint32_t i = 0; o->kind == TO_REG && i < (o->n ? o->n : 1u); i++) {
        uint32_t r = (o->val + i) & 255;
        if (s->w[r / 64] >> r % 64 & 1)
            return true;
    }
    return false;
}

static void set(regset *s, const struct tr_opnd *o, bool to)
{
    for (uint32_t i = 0; o->kind == TO_REG && i < (o->n ? o->n : 1u); i++) {
        uint32_t r = (o->val + i) & 255;
        uint64_t bit = 1ull << r % 64;
        s->w[r / 64] = to ? s->w[r / 64] | bit : s->w[r / 64] & ~bit;
    }
}

/* Results of these are no writes for the timing model: they come with a barrier or from outside, and pass no unit. What a register held
 * before one of them it holds afterwards, there. */
static bool writes_nothing(uint8_t cls)
{
    switch ((enum tr_class)cls) {
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

/* From what is live after an instruction to what is live before it, in two steps. A guarded write leaves the old value to some
 * lanes. */
static void overwrite(regset *s, const struct tr_insn *i)
{
    for (uint32_t j = 0; i->guard.kind == TO_NONE && !writes_nothing(i->cls) && j < i->ndst; j++)
        set(s, &i->dst[j], false);
}

static void use(regset *s, const struct tr_insn *i)
{
    for (uint32_t j = 0; j < i->nsrc; j++)
        set(s, &i->src[j], true);
}

/* An indirect branch or a return; or a call, which comes back: its block goes on behind it, and says nothing of the function. */
static bool goes_elsewhere(const struct tr_kernel *k, const struct tr_block *b, const struct tr_insn *i)
{
    if (i->cls != TC_BRANCH)
        return false;
    for (uint32_t j = 0; j < b->nsucc; j++)
        if (k->blocks[b->succ[j]].start == i->target)
            return false;
    return true;
}

static regset live_out(const struct tr_kernel *k, const struct tr_block *b, const regset *in)
{
    regset s = {{0}};
    bool unknown = !b->nsucc && k->insns[b->start + b->n - 1].cls != TC_EXIT;
    for (uint32_t i = 0; i < 4 && unknown; i++)
        s.w[i] = ~0ull;
    for (uint32_t j = 0; j < b->nsucc; j++)
        for (uint32_t i = 0; i < 4; i++)
            s.w[i] |= in[b->succ[j]].w[i];
    return s;
}

uint8_t *last_uses(const struct tr_kernel *k)
{
    uint8_t *out = xcalloc(k->n ? k->n : 1, 1);
    regset *in = xcalloc(k->nblocks ? k->nblocks : 1, sizeof *in);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = k->nblocks; n-- > 0;) {
            const struct tr_block *b = &k->blocks[n];
            if (!b->n)
                continue;
            regset s = live_out(k, b, in);
            for (uint32_t i = b->n; i-- > 0;) {
                const struct tr_insn *x = &k->insns[b->start + i];
                uint8_t dead = 0;
                if (goes_elsewhere(k, b, x))
                    memset(&s, 0xff, sizeof s);
                overwrite(&s, x);
                for (uint32_t j = 0; j < x->nsrc; j++)
                    dead |= (uint8_t)((x->src[j].kind == TO_REG && !any(&s, &x->src[j])) << j);
                out[b->start + i] = dead;
                use(&s, x);
            }
            changed |= memcmp(&s, &in[n], sizeof s) != 0;
            in[n] = s;
        }
    }
    free(in);
    return out;
}
