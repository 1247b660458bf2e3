/* SPDX-License-Identifier: Apache-2.0 */
/* Spill code. A class that is spilled lives in a slot of local memory, its words at their positions: every definition
 * stores, every use loads into a fresh register. Values that can be made again (constants, special registers) are,
 * instead of being stored. A spilled predicate lives in a general register.
 * Copies inside one spilled class vanish: both sides are the same memory. */
#include "compile/regs/regalloc.h"

#include "base/bitset.h"

enum { CACHED = 8 };

/* A value that is still in a register from a load or store shortly before. */
struct cached {
    uint32_t root, vreg, last;
    uint8_t pos, n;
};

struct spiller {
    struct ra *r;
    const uint8_t *spill;
    uint32_t window;
    uint32_t *slot; /* by root: byte offset in the spill area; predicates: general register */
    uint8_t *remat; /* by root */
    uint32_t sp;
    VEC(struct ir_insn) out, after;
    struct cached cache[CACHED];
    uint32_t ncached, now;
};

static bool is_spilled(const struct spiller *s, const struct ir_opnd *o, uint32_t *word)
{
    const struct ra *r = s->r;

    /* Registers made while spilling are not entities of this round. */
    if (o->kind == OPND_REG    ? o->val >= r->nvregs
        : o->kind == OPND_PRED ? o->val >= VPRED0 + r->nents - r->nvregs
                               : true)
        return false;
    if (!ra_opnd_words(r, o, word) || !s->spill[r->root_of[*word]])
        return false;
    return o->kind == OPND_PRED || !(r->fn->vregs.at[o->val].nospill || r->fn->vregs.at[o->val].fixed);
}

/* Byte offsets for spilled classes, shared by classes that do not interfere. */
static void assign_slots(struct spiller *s)
{
    struct ra *r = s->r;
    struct ir_fn *fn = r->fn;
    uint32_t count = 0, top = 0;

    for (uint32_t e = 0; e < r->nents; e++)
        count += s->spill[e] ? 4 : 0;
    uint64_t *taken = ARENA_ARRAY(&r->mem, uint64_t, BITSET_WORDS(count * 2) + 1);
    uint32_t *base = ARENA_ARRAY(&r->mem, uint32_t, r->nents + 1); /* in words, plus one */
    for (uint32_t e = 0; e < r->nents; e++) {
        const struct ra_ent *n = &r->ent[e];
        if (!s->spill[e] || n->parent != e || n->pred || s->remat[e])
            continue;
        memset(taken, 0, (BITSET_WORDS(count * 2) + 1) * sizeof *taken);
        for (uint32_t m = e; m != RA_NONE; m = r->ent[m].next) {
            uint32_t first = ra_first_word(r, m);
            for (uint32_t a = r->adj_off[first]; a < r->adj_off[first + r->ent[m].n]; a++) {
                uint32_t u = r->adj[a], root = r->root_of[u];
                if (base[root])
                    bit_set(taken, base[root] - 1 + r->pos_of[u]);
            }
        }
        uint32_t at = r->no_graph ? (top + n->align - 1u) / n->align * n->align : 0;
        for (bool fits = false; !fits; at += fits ? 0 : n->align) {
            fits = true;
            for (uint32_t k = 0; k < n->width; k++)
                fits &= !bit_get(taken, at + k);
        }
        base[e] = at + 1;
        if (at + n->width > top)
            top = at + n->width;
    }
    fn->frame_b = (fn->frame_b + 15) & ~15u;
    fn->spill_b = (fn->spill_b + 15) & ~15u;
    for (uint32_t e = 0; e < r->nents; e++)
        if (base[e])
            s->slot[e] = fn->frame_b + fn->spill_b + (base[e] - 1) * 4;
    fn->spill_b += top * 4;
}

static bool class_is_remat(const struct ra *r, uint32_t root)
{
    if (r->ent[root].pred || r->ent[root].next != RA_NONE)
        return false;
    for (uint32_t k = 0; k < r->ent[root].n; k++)
        if (!r->remat[ra_first_word(r, root) + k].ok)
            return false;
    return true;
}

static uint32_t fresh(struct spiller *s, unsigned words)
{
    uint32_t v = ir_vreg(s->r->fn, words, NULL);

    s->r->fn->vregs.at[v].nospill = 1;
    return v;
}

/* Loads or stores n words of temporary v, whose first one is at byte `off`. Three words take two accesses. */
static void access(struct spiller *s, enum ir_op op, uint32_t v, unsigned n, uint32_t off,
                   const struct ir_insn *like)
{
    for (unsigned at = 0; at < n;) {
        unsigned len = n == 3 ? 2 - at / 2 : n;
        struct ir_insn i = {.op = (uint8_t)op,
                            .type = T_U32,
                            .vec = (uint8_t)len,
                            .space = SPACE_LOCAL,
                            .flags = IRF_SPILL,
                            .off = (int32_t)(off + 4 * at),
                            .line = like->line};
        i.src[0] = ir_reg(s->sp, 0, 1);
        if (op == OP_LDL) {
            i.dst[0] = ir_reg(v, at, len);
            vec_push(&s->out, i);
        } else {
            i.src[1] = ir_reg(v, at, len);
            i.guard = like->guard;
            vec_push(&s->after, i);
        }
        at += len;
    }
}

/* Word j of what a rematerialisable instruction makes, into word k of v. */
static void repeat(struct spiller *s, const struct ir_insn *def, unsigned j, uint32_t v, unsigned k,
                   uint32_t line)
{
    struct ir_insn i = *def;
    bool part = def->dst[0].n > 1;

    i.dst[0] = ir_reg(v, k, 1);
    i.line = line;
    if (part && i.op == OP_LDL) {
        i.type = T_U32;
        i.vec = 1;
        i.off += (int32_t)(4 * j);
    } else if (part && i.src[0].kind == OPND_CONST) {
        i.src[0].val += 4 * j;
        i.src[0].n = 1;
    } else if (part && i.src[0].kind == OPND_IMM) {
        i.src[0] = ir_imm(j == 1 ? i.src[0].val : 0); /* an immediate pair is the high word of a double */
    }
    vec_push(&s->out, i);
}

static void remember(struct spiller *s, uint32_t root, uint32_t pos, uint32_t n, uint32_t vreg)
{
    struct cached *c = s->cache;

    if (!s->window)
        return;
    if (s->ncached < CACHED) {
        c = &s->cache[s->ncached++];
    } else {
        for (uint32_t k = 1; k < CACHED; k++)
            if (s->cache[k].last < c->last)
                c = &s->cache[k];
    }
    *c = (struct cached){root, vreg, s->now, (uint8_t)pos, (uint8_t)n};
}

static void forget(struct spiller *s, uint32_t root)
{
    for (uint32_t k = 0; k < s->ncached;)
        if (s->cache[k].root == root)
            s->cache[k] = s->cache[--s->ncached];
        else
            k++;
}

static bool recall(struct spiller *s, uint32_t root, uint32_t pos, uint32_t n, uint32_t *vreg)
{
    for (uint32_t k = 0; k < s->ncached; k++) {
        struct cached *c = &s->cache[k];
        if (c->root == root && c->pos == pos && c->n == n && s->now - c->last <= s->window) {
            c->last = s->now;
            *vreg = c->vreg;
            return true;
        }
    }
    return false;
}

static uint32_t fresh_pred(struct spiller *s)
{
    uint32_t p = ir_vpred(s->r->fn);

    vec_resize(&s->r->pred_nospill, s->r->fn->npreds);
    s->r->pred_nospill.at[p - VPRED0] = 1;
    return p;
}

static uint32_t reload_pred(struct spiller *s, uint32_t root, uint32_t line)
{
    uint32_t p = fresh_pred(s);
    struct ir_insn i = {.op = OP_R2P, .flags = IRF_SPILL, .line = line};

    i.dst[0] = ir_pred(p, false);
    i.src[0] = ir_reg(s->slot[root], 0, 1);
    vec_push(&s->out, i);
    return p;
}

/* Puts the value of a spilled operand into a register before the instruction. */
static void use(struct spiller *s, struct ir_opnd *o, const struct ir_insn *i)
{
    struct ra *r = s->r;
    uint32_t word, v;

    if (!is_spilled(s, o, &word))
        return;
    uint32_t root = r->root_of[word], pos = r->pos_of[word];
    if (recall(s, root, pos, o->n, &v)) {
        /* It waits now, so it may have to leave again. */
        if (o->kind == OPND_REG)
            r->fn->vregs.at[v].nospill = 0;
        else
            r->pred_nospill.at[v - VPRED0] = 0;
    } else if (o->kind == OPND_PRED) {
        v = reload_pred(s, root, i->line);
        remember(s, root, pos, 1, v);
    } else {
        v = fresh(s, o->n);
        if (s->remat[root]) {
            for (unsigned k = 0; k < o->n; k++) {
                const struct ir_insn *def = r->remat[word + k].insn;
                repeat(s, def, o->sub + k - def->dst[0].sub, v, k, i->line);
            }
        } else {
            access(s, OP_LDL, v, o->n, s->slot[root] + 4 * pos, i);
        }
        remember(s, root, pos, o->n, v);
    }
    o->val = v;
    o->sub = 0;
}

/* A guard that the instruction itself overwrites cannot guard the store behind it. */
static bool guard_dies(const struct ir_insn *i)
{
    for (int d = 0; d < 2; d++)
        if (i->guard.kind == OPND_PRED && i->dst[d].kind == OPND_PRED && i->dst[d].val == i->guard.val)
            return true;
    return false;
}

static void def(struct spiller *s, struct ir_insn *i, struct ir_opnd *d)
{
    struct ra *r = s->r;
    uint32_t word, v;

    if (!is_spilled(s, d, &word))
        return;
    uint32_t root = r->root_of[word], pos = r->pos_of[word];
    struct ir_insn like = *i;
    bool old = guard_dies(i); /* then the whole value is loaded, changed and stored */
    if (old)
        like.guard = ir_none();
    forget(s, root);
    if (d->kind == OPND_PRED) {
        v = old ? reload_pred(s, root, i->line) : fresh_pred(s);
        struct ir_insn save = {.op = OP_P2R, .flags = IRF_SPILL, .line = i->line, .guard = like.guard};
        save.dst[0] = ir_reg(s->slot[root], 0, 1);
        save.src[0] = ir_pred(v, false);
        vec_push(&s->after, save);
    } else {
        v = fresh(s, d->n);
        if (old)
            access(s, OP_LDL, v, d->n, s->slot[root] + 4 * pos, i);
        access(s, OP_STL, v, d->n, s->slot[root] + 4 * pos, &like);
    }
    if (i->guard.kind == OPND_NONE)
        remember(s, root, pos, d->n, v);
    /* The temporary holds nothing before, unless the old value was loaded into it. */
    uint16_t kill = d == &i->dst[0] ? IRF_KILL0 : IRF_KILL1;
    i->flags = (uint16_t)(old ? i->flags & ~kill : i->flags | kill);
    d->val = v;
    d->sub = 0;
}

static bool vanishes(struct spiller *s, const struct ir_insn *i)
{
    uint32_t d, from;

    if (i->dst[0].kind == OPND_REG && is_spilled(s, &i->dst[0], &d) && s->remat[s->r->root_of[d]])
        return true;
    return ra_is_copy(i) && is_spilled(s, &i->dst[0], &d) && is_spilled(s, &i->src[0], &from) &&
           s->r->root_of[d] == s->r->root_of[from] && s->r->pos_of[d] == s->r->pos_of[from];
}

static void spill_insn(struct spiller *s, struct ir_insn i)
{
    s->now++;
    if (vanishes(s, &i))
        return;
    if (i.op == OP_CALL)
        s->ncached = 0;
    vec_clear(&s->after);
    ir_each_src (&i, o)
        use(s, o, &i);
    use(s, &i.guard, &i);
    ir_each_dst (&i, d)
        def(s, &i, d);
    vec_push(&s->out, i);
    for (uint32_t k = 0; k < s->after.n; k++)
        vec_push(&s->out, s->after.at[k]);
}

static uint32_t stack_pointer(struct ir_fn *fn)
{
    for (uint32_t v = 0; v < fn->vregs.n; v++)
        if (fn->vregs.at[v].fixed && fn->vregs.at[v].phys == REG_SP)
            return v;
    return ir_vreg_fixed(fn, 1, REG_SP);
}

void ra_spill(struct ra *r, const uint8_t *spill, uint32_t window)
{
    struct spiller s = {.r = r, .spill = spill, .window = window};

    s.slot = ARENA_ARRAY(&r->mem, uint32_t, r->nents + 1);
    s.remat = ARENA_ARRAY(&r->mem, uint8_t, r->nents + 1);
    for (uint32_t e = 0; e < r->nents; e++)
        s.remat[e] = spill[e] && class_is_remat(r, e);
    assign_slots(&s);
    s.sp = stack_pointer(r->fn);
    for (uint32_t e = r->nvregs; e < r->nents; e++)
        if (spill[e])
            s.slot[e] = ir_vreg(r->fn, 1, NULL);
    for (uint32_t b = 0; b < r->fn->blocks.n; b++) {
        struct ir_block *bl = &r->fn->blocks.at[b];
        vec_clear(&s.out);
        s.ncached = 0;
        for (uint32_t k = 0; k < bl->insns.n; k++)
            spill_insn(&s, bl->insns.at[k]);
        ir_block_set(bl, s.out.at, s.out.n);
    }
    vec_free(&s.out);
    vec_free(&s.after);
}
