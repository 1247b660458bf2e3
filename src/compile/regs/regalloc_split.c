/* SPDX-License-Identifier: Apache-2.0 */
/* Tuples that nobody reads or writes as tuples fall apart into their words (or into narrower tuples): a 64-bit value
 * that only goes through word-wise instructions needs no aligned pair, and single words fill every gap. Copies do not
 * count as tuple uses: they are split with the values. */
#include "compile/regs/regalloc.h"

static bool stays(const struct ir_vreg *v) { return v->fixed || v->acc; }

/* By virtual register: bit k set: words k and k + 1 are used together. */
static void note_use(struct ir_fn *fn, uint8_t *joined, const struct ir_opnd *o)
{
    if (o->kind == OPND_REG && o->n > 1 && !stays(&fn->vregs.at[o->val]))
        for (unsigned k = o->sub; k + 1u < (unsigned)o->sub + o->n; k++)
            joined[o->val] |= (uint8_t)(1u << k);
}

/* Copies between a tuple that stays and one that does not may keep the latter's words apart; copies between two
 * tuples that stay stay. */
static bool is_tuple_copy(const struct ir_insn *i)
{
    return i->op == OP_MOV && i->dst[0].kind == OPND_REG && i->dst[0].n > 1;
}

struct part {
    uint32_t vreg;
    uint8_t word;
};

/* By virtual register, a part for each of its words; NULL: it stays as it is. */
struct parts {
    struct part **of;
    struct arena arena;
};

static struct part part_of(const struct parts *p, const struct ir_opnd *o, unsigned k)
{
    unsigned w = o->sub + k;
    return p->of[o->val] ? p->of[o->val][w] : (struct part){o->val, (uint8_t)w};
}

static bool is_whole(const struct parts *parts, const struct ir_opnd *o)
{
    if (o->kind != OPND_REG)
        return true;
    for (unsigned k = 1; k < o->n; k++)
        if (part_of(parts, o, k).vreg != part_of(parts, o, 0).vreg)
            return false;
    return true;
}

static void rename_opnd(const struct parts *parts, struct ir_opnd *o)
{
    if (o->kind != OPND_REG)
        return;
    struct part p = part_of(parts, o, 0);
    o->val = p.vreg;
    o->sub = p.word;
}

typedef VEC(struct ir_insn) insn_list;

static struct ir_opnd word_of(const struct ir_opnd *o, unsigned k)
{
    struct ir_opnd w = *o;

    w.n = 1;
    if (o->kind == OPND_REG)
        w.sub = (uint8_t)(o->sub + k);
    else if (o->kind == OPND_CONST)
        w.val += 4 * k;
    else if (o->n == 2)
        w.val = k == 1 ? o->val : 0; /* an immediate pair is the high word of a double */
    else if (k)
        w.val = 0;
    return w;
}

static void rewrite_insn(const struct parts *parts, struct ir_insn i, insn_list *out)
{
    if (is_tuple_copy(&i) && !(is_whole(parts, &i.dst[0]) && is_whole(parts, &i.src[0]))) {
        for (unsigned k = 0; k < i.dst[0].n; k++) {
            struct ir_insn one = i;
            one.dst[0] = word_of(&i.dst[0], k);
            one.src[0] = word_of(&i.src[0], k);
            rename_opnd(parts, &one.dst[0]);
            rename_opnd(parts, &one.src[0]);
            vec_push(out, one);
        }
        return;
    }
    ir_each_dst (&i, d)
        rename_opnd(parts, d);
    ir_each_src (&i, s)
        rename_opnd(parts, s);
    vec_push(out, i);
}

static bool make_parts(struct ir_fn *fn, const uint8_t *joined, struct parts *parts, uint32_t n)
{
    bool any = false;

    for (uint32_t v = 0; v < n; v++) {
        uint8_t words = fn->vregs.at[v].n, tied = joined[v];
        const char *name = fn->vregs.at[v].name;
        if (stays(&fn->vregs.at[v]) || (tied & ((1u << (words - 1)) - 1)) == (1u << (words - 1)) - 1)
            continue;
        any = true;
        parts->of[v] = ARENA_ARRAY(&parts->arena, struct part, words);
        for (uint8_t k = 0; k < words;) {
            uint8_t len = 1;
            while (k + len < words && (tied >> (k + len - 1) & 1))
                len++;
            uint32_t part = ir_vreg(fn, len, name);
            for (uint8_t w = 0; w < len; w++)
                parts->of[v][k + w] = (struct part){part, w};
            k = (uint8_t)(k + len);
        }
    }
    return any;
}

void ra_split(struct ir_fn *fn)
{
    struct parts parts = {0};
    uint32_t n = fn->vregs.n;
    uint8_t *joined = ARENA_ARRAY(&parts.arena, uint8_t, n + 1);
    insn_list out = {0};

    parts.of = ARENA_ARRAY(&parts.arena, struct part *, n + 1);
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t k = 0; k < fn->blocks.at[b].insns.n; k++) {
            struct ir_insn *i = &fn->blocks.at[b].insns.at[k];
            if (is_tuple_copy(i))
                continue;
            ir_each_dst (i, d)
                note_use(fn, joined, d);
            ir_each_src (i, s)
                note_use(fn, joined, s);
        }
    bool any = make_parts(fn, joined, &parts, n);
    for (uint32_t b = 0; any && b < fn->blocks.n; b++) {
        struct ir_block *bl = &fn->blocks.at[b];
        vec_clear(&out);
        for (uint32_t k = 0; k < bl->insns.n; k++)
            rewrite_insn(&parts, bl->insns.at[k], &out);
        ir_block_set(bl, out.at, out.n);
    }
    vec_free(&out);
    arena_free(&parts.arena);
}
