/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/code/kernel_io.h"
#include "trace/read/index.h"

#include <assert.h>

enum { NPARAM_SHIFT = 2 }; /* address sets and parameters share a byte */

/* ---- strings, each once: instructions name them by number ---- */

struct names {
    VEC(const char *) list;
    VEC(uint32_t) hash; /* number + 1; 0: free; size is a power of two, at most half full */
};

static uint32_t hash_of(const char *s)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (; *s; s++)
        h = (h ^ (uint8_t)*s) * 16777619u;
    return h;
}

static uint32_t names_slot(const struct names *t, const char *s)
{
    assert(t->hash.at);
    uint32_t i = hash_of(s) & (t->hash.n - 1);
    while (t->hash.at[i]) {
        assert(t->list.at && t->hash.at[i] <= t->list.n);
        if (strcmp(t->list.at[t->hash.at[i] - 1], s) == 0)
            break;
        i = (i + 1) & (t->hash.n - 1);
    }
    return i;
}

static uint32_t names_add(struct names *t, const char *s)
{
    if (2 * t->list.n >= t->hash.n) {
        uint32_t size = t->hash.n ? 2 * t->hash.n : 64;
        vec_clear(&t->hash);
        vec_resize(&t->hash, size);
        for (uint32_t i = 0; i < t->list.n; i++)
            t->hash.at[names_slot(t, t->list.at[i])] = i + 1;
    }
    uint32_t slot = names_slot(t, s);
    if (!t->hash.at[slot]) {
        vec_push(&t->list, s);
        t->hash.at[slot] = t->list.n;
    }
    return t->hash.at[slot] - 1;
}

/* ---- out ---- */

static void put_opnd(struct buf *b, const struct tr_opnd *o)
{
    put_le(b, (uint64_t)o->kind | (o->neg ? 0x80 : 0), 1);
    if (o->kind == TO_NONE)
        return;
    put_le(b, o->n, 1);
    put_le(b, o->bank, 1);
    put_varint(b, o->val);
}

/* pc and line as differences from the instruction before, target from this one: small numbers. */
static void put_insn(struct buf *b, const struct tr_insn *in, const struct tr_insn *before, uint32_t at,
                     uint32_t text)
{
    const uint8_t head[] = {in->cls,
                            in->ndst,
                            in->nsrc,
                            in->mem,
                            in->space,
                            in->width_b,
                            (uint8_t)(in->naddr | in->nparam << NPARAM_SHIFT),
                            in->bypass};
    put_bytes(b, head, sizeof head);
    put_varint(b, text);
    put_opnd(b, &in->guard);
    for (unsigned i = 0; i < in->ndst; i++)
        put_opnd(b, &in->dst[i]);
    for (unsigned i = 0; i < in->nsrc; i++)
        put_opnd(b, &in->src[i]);
    put_varint(b, in->target == TR_NO_TARGET ? 0 : 1 + zigzag((uint64_t)in->target - at));
    put_varint(b, in->imm);
    put_varint(b, in->count);
    put_varint(b, zigzag((uint64_t)in->line - before->line));
    put_varint(b, zigzag((uint64_t)in->pc - before->pc));
}

void kernel_put(struct buf *b, const struct tr_kernel *k)
{
    struct names names = {0};
    VEC(uint32_t) text = {0};
    vec_reserve(&text, k->n);
    for (uint32_t i = 0; i < k->n; i++)
        vec_push(&text, names_add(&names, k->insns[i].text));
    put_string(b, k->name);
    put_string(b, k->file + folder_length(k->file)); /* where it lies is told in the index */
    const uint32_t numbers[] = {k->regs, k->shared_b, k->local_b, k->arch, k->spill_insns};
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        put_varint(b, numbers[i]);
    put_varint(b, names.list.n);
    vec_each (&names.list, s)
        put_string(b, *s);
    static const struct tr_insn zero;
    put_varint(b, k->n);
    for (uint32_t i = 0; i < k->n; i++)
        put_insn(b, &k->insns[i], i ? &k->insns[i - 1] : &zero, i, text.at[i]);
    put_varint(b, k->nblocks);
    for (uint32_t i = 0; i < k->nblocks; i++) {
        const struct tr_block *bl = &k->blocks[i];
        put_varint(b, bl->start);
        put_varint(b, bl->n);
        put_varint(b, bl->ipdom == UINT32_MAX ? 0 : bl->ipdom + 1);
        put_varint(b, bl->nsucc);
        for (uint32_t s = 0; s < bl->nsucc; s++)
            put_varint(b, bl->succ[s]);
    }
    for (uint32_t i = 0; k->coded && i < k->n; i++) /* at the end: traces of before have nothing there */
        put_varint(b, k->insns[i].ctl);
    vec_free(&names.list);
    vec_free(&names.hash);
    vec_free(&text);
}

/* ---- in ---- */

static struct tr_opnd get_opnd(struct cursor *c)
{
    unsigned kind = (unsigned)get_le(c, 1);
    struct tr_opnd o = {.kind = kind & 0x7f, .neg = kind >> 7};
    if (o.kind == TO_NONE)
        return o;
    o.n = (uint8_t)get_le(c, 1);
    o.bank = (uint8_t)get_le(c, 1);
    o.val = get_u32(c, UINT32_MAX);
    return o;
}

static void get_insn(struct cursor *c, struct tr_insn *in, const struct tr_insn *before, uint32_t at,
                     const char *const *names, uint32_t nnames)
{
    const uint8_t *head = get_bytes(c, 8);
    uint32_t text = get_u32(c, UINT32_MAX);
    if (!head || text >= nnames || head[1] > TR_DSTS || head[2] > TR_SRCS) {
        c->bad = true;
        return;
    }
    *in = (struct tr_insn){.cls = head[0],
                           .ndst = head[1],
                           .nsrc = head[2],
                           .mem = head[3],
                           .space = head[4],
                           .width_b = head[5],
                           .naddr = head[6] & ((1 << NPARAM_SHIFT) - 1),
                           .nparam = head[6] >> NPARAM_SHIFT,
                           .bypass = head[7],
                           .text = names[text]};
    in->guard = get_opnd(c);
    for (unsigned i = 0; i < in->ndst; i++)
        in->dst[i] = get_opnd(c);
    for (unsigned i = 0; i < in->nsrc; i++)
        in->src[i] = get_opnd(c);
    uint64_t target = get_varint(c);
    in->target = target ? (uint32_t)(at + unzigzag(target - 1)) : TR_NO_TARGET;
    in->imm = get_u32(c, UINT32_MAX);
    in->count = get_u32(c, UINT32_MAX);
    in->line = (uint32_t)(before->line + unzigzag(get_varint(c)));
    in->pc = (uint32_t)(before->pc + unzigzag(get_varint(c)));
}

static void get_code(struct cursor *c, struct tr_kernel *k, uint32_t max_insns)
{
    uint32_t nnames = get_u32(c, KERNEL_MAX_INSNS);
    const char **names = ARENA_ARRAY(&k->arena, const char *, nnames);
    for (uint32_t i = 0; i < nnames && !c->bad; i++)
        names[i] = get_string(c, &k->arena);
    k->n = get_u32(c, max_insns);
    if (c->bad)
        return;
    k->insns = ARENA_ARRAY(&k->arena, struct tr_insn, k->n);
    static const struct tr_insn zero;
    for (uint32_t i = 0; i < k->n && !c->bad; i++)
        get_insn(c, &k->insns[i], i ? &k->insns[i - 1] : &zero, i, names, nnames);
}

static void get_blocks(struct cursor *c, struct tr_kernel *k)
{
    k->nblocks = get_u32(c, k->n);
    k->blocks = ARENA_ARRAY(&k->arena, struct tr_block, k->nblocks);
    uint64_t nsucc = 0;
    for (uint32_t i = 0; i < k->nblocks && !c->bad; i++) {
        struct tr_block *b = &k->blocks[i];
        b->start = get_u32(c, UINT32_MAX);
        b->n = get_u32(c, UINT32_MAX);
        b->ipdom = get_u32(c, UINT32_MAX) - 1;
        b->nsucc = get_u32(c, k->nblocks);
        nsucc += b->nsucc;
        if (c->bad || nsucc > (uint64_t)k->n * KERNEL_MAX_SUCCS) {
            c->bad = true;
            return;
        }
        b->succ = ARENA_ARRAY(&k->arena, uint32_t, b->nsucc);
        for (uint32_t s = 0; s < b->nsucc; s++)
            b->succ[s] = get_u32(c, UINT32_MAX);
    }
}

static void get_codes(struct cursor *c, struct tr_kernel *k)
{
    k->coded = cursor_left(c) != 0;
    for (uint32_t i = 0; k->coded && i < k->n && !c->bad; i++)
        k->insns[i].ctl = get_u32(c, (1u << TR_CTL_BITS) - 1);
}

struct tr_kernel *kernel_get(const uint8_t *bytes, size_t n, uint32_t max_insns, struct arena *notes,
                             const char **why)
{
    struct tr_kernel *k = xcalloc(1, sizeof *k);
    struct cursor c = cursor_of(bytes, n);
    k->name = get_string(&c, &k->arena);
    k->file = get_string(&c, &k->arena);
    uint32_t *const numbers[] = {&k->regs, &k->shared_b, &k->local_b, &k->arch, &k->spill_insns};
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        *numbers[i] = get_u32(&c, UINT32_MAX);
    get_code(&c, k, max_insns < KERNEL_MAX_INSNS ? max_insns : KERNEL_MAX_INSNS);
    if (!c.bad)
        get_blocks(&c, k);
    if (!c.bad)
        get_codes(&c, k);
    const char *wrong = NULL;
    if (c.bad || cursor_left(&c))
        wrong = "a kernel whose bytes make no sense";
    else if ((wrong = tr_kernel_check(k)))
        wrong = arena_printf(notes, "kernel '%.100s': %s", k->name, wrong);
    if (!wrong)
        return k;
    *why = wrong;
    tr_kernel_free(k);
    return NULL;
}
