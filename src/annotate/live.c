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

void todo_init(struct todo *t, uint32_t nblocks)
{
    *t = (struct todo){.at = xcalloc(nblocks + 1, sizeof *t->at), .in = xcalloc(nblocks + 1, sizeof *t->in)};
    for (uint32_t n = nblocks; n-- > 0;)
        todo_add(t, n);
}

void todo_free(struct todo *t)
{
    free(t->at);
    free(t->in);
}

void todo_add(struct todo *t, uint32_t block)
{
    if (t->in[block])
        return;
    t->in[block] = true;
    t->at[t->n++] = block;
}

bool todo_take(struct todo *t, uint32_t *block)
{
    if (!t->n)
        return false;
    *block = t->at[--t->n];
    t->in[*block] = false;
    return true;
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

struct regset *live_before(const struct tr_kernel *k)
{
    struct regset *in = xcalloc(k->nblocks ? k->nblocks : 1, sizeof *in);
    struct sources from = sources_of(k);
    struct todo t;
    todo_init(&t, k->nblocks);
    for (uint32_t n; todo_take(&t, &n);) {
        const struct tr_block *b = &k->blocks[n];
        if (!b->n)
            continue;
        struct regset s = live_after(k, b, in);
        for (uint32_t i = b->n; i-- > 0;) {
            live_overwrite(k, b, &k->insns[b->start + i], &s);
            live_use(&k->insns[b->start + i], &s);
        }
        if (memcmp(&s, &in[n], sizeof s) == 0)
            continue;
        in[n] = s;
        for (uint32_t i = from.first[n]; i < from.first[n + 1]; i++)
            todo_add(&t, from.from[i]);
    }
    todo_free(&t);
    free(from.first);
    free(from.from);
    return in;
}
