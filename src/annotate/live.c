#include "annotate/live.h"

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

bool regset_any(const struct regset *s, const struct tr_opnd *o)
{
    for (uint32_t i = 0; o->kind == TO_REG && i < (o->n ? o->n : 1u); i++)
        if (regset_has(s, (o->val + i) & 255))
            return true;
    return false;
}

static void set(struct regset *s, const struct tr_opnd *o, bool to)
{
    for (uint32_t i = 0; o->kind == TO_REG && i < (o->n ? o->n : 1u); i++) {
        uint32_t r = (o->val + i) & 255;
        uint64_t bit = 1ull << r % 64;
        s->w[r / 64] = to ? s->w[r / 64] | bit : s->w[r / 64] & ~bit;
    }
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

void live_use(const struct tr_insn *i, struct regset *s)
{
    for (uint32_t j = 0; j < i->nsrc; j++)
        set(s, &i->src[j], true);
}

bool leaves_code(const struct tr_kernel *k, const struct tr_block *b, const struct tr_insn *i)
{
    if (i->cls != TC_BRANCH)
        return false;
    for (uint32_t j = 0; j < b->nsucc; j++)
        if (k->blocks[b->succ[j]].start == i->target)
            return false;
    return true;
}

void live_overwrite(const struct tr_kernel *k, const struct tr_block *b, const struct tr_insn *i,
                    struct regset *s)
{
    bool all = i->guard.kind == TO_NONE && !is_control(i) && !writes_many(i);
    if (leaves_code(k, b, i))
        memset(s, 0xff, sizeof *s);
    for (uint32_t j = 0; all && j < i->ndst; j++)
        set(s, &i->dst[j], false);
}

struct regset live_after(const struct tr_kernel *k, const struct tr_block *b, const struct regset *before)
{
    struct regset s = {{0}};
    if (!b->nsucc && k->insns[b->start + b->n - 1].cls != TC_EXIT)
        memset(&s, 0xff, sizeof s);
    for (uint32_t j = 0; j < b->nsucc; j++)
        for (uint32_t i = 0; i < 4; i++)
            s.w[i] |= before[b->succ[j]].w[i];
    return s;
}

struct regset *live_before(const struct tr_kernel *k)
{
    struct regset *in = xcalloc(k->nblocks ? k->nblocks : 1, sizeof *in);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = k->nblocks; n-- > 0;) {
            const struct tr_block *b = &k->blocks[n];
            if (!b->n)
                continue;
            struct regset s = live_after(k, b, in);
            for (uint32_t i = b->n; i-- > 0;) {
                live_overwrite(k, b, &k->insns[b->start + i], &s);
                live_use(&k->insns[b->start + i], &s);
            }
            changed |= memcmp(&s, &in[n], sizeof s) != 0;
            in[n] = s;
        }
    }
    return in;
}
