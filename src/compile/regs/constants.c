/* SPDX-License-Identifier: Apache-2.0 */
/* Constants as sm_90 reads them, last of all passes. Its arithmetic takes no operand from a constant bank (none of 250,000
 * instructions that nvcc 13 made of public programs does): LDC loads words into a thread's registers, ULDC into the warp's
 * uniform registers, which most sources may name. So copies of constants become LDC, a pair of them LDC.64; every other constant
 * gets a uniform register of its own that ULDC fills once, above all its readers and in front of loops. An access to global
 * memory names a descriptor there, too, which every kernel that has one loads. And the CTA's shared memory is a part of its
 * cluster's: a kernel that accesses it computes where that begins (all of 448 kernels do), from the CTA's rank in the cluster.
 * The accesses here name neither the descriptor nor that address; the instructions that make them are executed as there. What
 * is made of an address (an element of an array) reads it from there, as an offset. */
#include "compile/passes.h"

#include <string.h>

enum {
    KEPT = 48, /* uniform registers that hold a constant for the whole kernel ... */
    PASSING =
        14, /* ... and those behind them, whose constant is read at once: in functions, and when there are too many */
    DESCRIPTOR = 0x118, /* offset in the launch's bank; nothing else is there */
    WINDOW_LOG_B = 24,  /* of a CTA in its cluster's addresses */
};

struct item {
    uint32_t bank, off, n;
    uint32_t block; /* above all readers */
    uint32_t reg;   /* of the kept ones, CFG_NONE: none is left */
    bool loaded;
};

struct constants {
    struct ir_fn *fn;
    struct ir_cfg *c;
    bool plain; /* a kernel that names no address of a shared variable */
    VEC(struct item) items;
    VEC(struct ir_insn) out;
    uint32_t passing[PASSING]; /* 1 + the item there, 0: none */
    uint32_t next;             /* of the passing ones */
};

static bool is_copy(const struct ir_insn *i)
{
    return i->op == OP_MOV && i->src[0].kind == OPND_CONST && i->src[0].sub != BANK_WINDOW &&
           i->dst[0].kind == OPND_REG && i->dst[0].n == 1;
}

/* ---- Copies. ---- */

static bool names(struct ir_insn *i, uint32_t reg)
{
    ir_each_src (i, s)
        if (s->kind == OPND_REG && reg - s->val < s->n)
            return true;
    ir_each_dst (i, d)
        if (d->kind == OPND_REG && reg - d->val < d->n)
            return true;
    return false;
}

static bool same_guard(const struct ir_insn *a, const struct ir_insn *b)
{
    return a->guard.kind == b->guard.kind && a->guard.val == b->guard.val && a->guard.neg == b->guard.neg;
}

/* The copy at `at` and a later one of the neighbouring word to the neighbouring register become one, where the first is, if
 * nothing between them names that register or changes the guard. */
static void join_pair(struct ir_block *b, uint32_t at)
{
    struct ir_insn *first = &b->insns.at[at];
    uint32_t reg = first->dst[0].val, off = first->src[0].val, other = reg ^ 1;
    for (uint32_t k = at + 1; k < b->insns.n; k++) {
        struct ir_insn *i = &b->insns.at[k];
        if (is_copy(i) && i->dst[0].val == other && i->src[0].sub == first->src[0].sub &&
            i->src[0].val == (off ^ 4) && (off & 4) == 4 * (reg & 1) && same_guard(i, first)) {
            first->dst[0] = ir_reg(reg & ~1u, 0, 2);
            first->src[0] = ir_const(first->src[0].sub, off & ~4u, 2);
            i->op = OP_NOP;
            i->dst[0] = i->src[0] = i->guard = ir_none();
            return;
        }
        bool guarded =
            first->guard.kind == OPND_PRED && (i->dst[0].kind == OPND_PRED || i->dst[1].kind == OPND_PRED);
        if (names(i, other) || guarded || i->op == OP_CALL)
            return;
    }
}

static void to_load(struct ir_insn *i)
{
    struct ir_opnd from = i->src[0];
    i->op = OP_LDC;
    i->type = T_U32;
    i->vec = i->dst[0].n;
    i->sub = from.sub;
    i->off = (int32_t)from.val;
    i->src[0] = ir_none();
}

/* In a loop a copy stays one, from a uniform register, but for bases that there was no room for in front of it (bases.c). */
static void load_copies(struct ir_block *b, bool in_loop)
{
    uint32_t n = 0;
    for (uint32_t at = 0; at < b->insns.n; at++) {
        struct ir_insn *i = &b->insns.at[at];
        if (!is_copy(i) || (in_loop && !i->sub))
            continue;
        join_pair(b, at);
        to_load(i);
    }
    for (uint32_t at = 0; at < b->insns.n; at++)
        if (b->insns.at[at].op != OP_NOP)
            b->insns.at[n++] = b->insns.at[at];
    vec_resize(&b->insns, n);
}

/* ---- Operands. ---- */

static bool is_global(const struct ir_insn *i)
{
    switch (i->op) {
    case OP_LDG:
    case OP_LD:
    case OP_STG:
    case OP_ST:
    case OP_LDGSTS: return true;
    case OP_ATOM:
    case OP_RED: return i->space != SPACE_SHARED;
    default: return false;
    }
}

static bool is_shared(const struct ir_insn *i)
{
    switch (i->op) {
    case OP_LDS:
    case OP_STS:
    case OP_LDSM:
    case OP_STSM:
    case OP_LDGSTS: return true;
    case OP_ATOM:
    case OP_RED: return i->space == SPACE_SHARED;
    default: return false;
    }
}

static struct item *item_of(struct constants *x, uint32_t bank, uint32_t off, uint32_t n)
{
    vec_each (&x->items, i)
        if (i->bank == bank && i->off <= off &&
            (bank == BANK_WINDOW ? i->off == off : off + 4 * n <= i->off + 4 * i->n))
            return i;
    return NULL;
}

static void note(struct constants *x, uint32_t bank, uint32_t off, uint32_t n, uint32_t block)
{
    struct item *i = item_of(x, bank, off, n);
    if (!i) {
        vec_push(&x->items, (struct item){.bank = bank, .off = off, .n = n, .block = block, .reg = CFG_NONE});
        return;
    }
    while (!ir_dominates(x->c, i->block, block))
        i->block = x->c->idom[i->block];
}

/* Both halves of an address that is added to word by word: the low one makes a carry, the high one takes it. */
static bool is_half(const struct ir_insn *i, const struct ir_opnd *s)
{
    return i->op == OP_IADD3 && (s->val & 4 ? i->flags & IRF_X : i->dst[1].kind == OPND_PRED);
}

static bool names_window(struct ir_fn *fn)
{
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i)
            ir_each_src (i, s)
                if (s->kind == OPND_CONST && s->sub == BANK_WINDOW)
                    return true;
    return false;
}

/* Pairs first, so that words of a pair find it. */
static void find_items(struct constants *x, bool pairs)
{
    for (uint32_t r = 0; r < x->c->nrpo; r++) {
        uint32_t b = x->c->rpo[r];
        vec_each (&x->fn->blocks.at[b].insns, i) {
            if (pairs && is_global(i))
                note(x, BANK_LAUNCH, DESCRIPTOR, 2, b);
            if (pairs && x->plain && is_shared(i))
                note(x, BANK_WINDOW, 0, 2, b);
            ir_each_src (i, s) {
                if (s->kind != OPND_CONST)
                    continue;
                if (s->sub == BANK_WINDOW && pairs)
                    note(x, BANK_WINDOW, s->val, 2, b);
                else if (is_half(i, s))
                    note(x, s->sub, s->val & ~4u, 2, b);
                else if (s->n > 1 || !pairs)
                    note(x, s->sub, s->val, s->n, b);
            }
        }
    }
}

static void give_registers(struct constants *x)
{
    uint32_t used = 0;
    vec_each (&x->items, i) {
        uint32_t at = i->n == 2 ? (used + 1) & ~1u : used;
        while (x->c->loop[i->block] != CFG_NONE && x->c->idom[x->c->loop[i->block]] != x->c->loop[i->block])
            i->block = x->c->idom[x->c->loop[i->block]];
        if (!x->fn->is_entry || at + i->n > KEPT)
            continue;
        i->reg = at;
        used = at + i->n;
    }
}

/* The first one brings the rank. What the kernel reads is the offset: its own shared memory begins at 0 in the executor. */
static void window(struct constants *x, const struct item *item, uint32_t reg, uint32_t line)
{
    struct ir_opnd base = ir_reg(REG_U0 + reg, 0, 1), whole = ir_reg(REG_U0 + reg + 1, 0, 1);
    struct ir_insn m = {.op = OP_MOV, .type = T_U32, .dst = {base}, .src = {ir_imm(item->off)}, .line = line};
    struct ir_insn s = {.op = OP_S2R, .type = T_U32, .sub = SR_CLUSTER_RANK, .dst = {whole}, .line = line};
    struct ir_insn l = {.op = OP_LEA, .type = T_U32, .dst = {whole}, .line = line};
    bool first = true;
    for (const struct item *i = x->items.at; i < item; i++)
        first &= i->bank != BANK_WINDOW;
    l.src[0] = first ? whole : base;
    l.src[1] = base;
    l.src[2] = ir_imm(WINDOW_LOG_B);
    if (first)
        vec_push(&x->out, s);
    vec_push(&x->out, m);
    vec_push(&x->out, l);
}

static void load(struct constants *x, const struct item *i, uint32_t reg, uint32_t line)
{
    if (reg + i->n > x->fn->uregs_used)
        x->fn->uregs_used = reg + i->n;
    if (i->bank == BANK_WINDOW) {
        window(x, i, reg, line);
        return;
    }
    struct ir_insn m = {.op = OP_MOV, .type = T_U32, .line = line};
    m.dst[0] = ir_reg(REG_U0 + reg, 0, i->n);
    m.src[0] = ir_const(i->bank, i->off, i->n);
    vec_push(&x->out, m);
}

/* The uniform register in which the item's constant is read here; loads it where it is not there yet. */
static uint32_t register_of(struct constants *x, struct item *i, uint32_t block, uint32_t line)
{
    if (i->reg != CFG_NONE) {
        if (!i->loaded && i->block == block)
            load(x, i, i->reg, line);
        i->loaded |= i->block == block;
        return i->reg;
    }
    uint32_t me = (uint32_t)(i - x->items.at) + 1;
    for (uint32_t k = 0; k < PASSING; k++)
        if (x->passing[k] == me)
            return KEPT + k;
    uint32_t k = (x->next + i->n - 1) / i->n * i->n % PASSING;
    for (uint32_t w = 0; w < i->n; w++)
        x->passing[k + w] = w ? 0 : me;
    x->next = (k + i->n) % PASSING;
    load(x, i, KEPT + k, line);
    return KEPT + k;
}

static void rewrite_insn(struct constants *x, struct ir_insn *i, uint32_t block)
{
    if (is_global(i))
        register_of(x, item_of(x, BANK_LAUNCH, DESCRIPTOR, 2), block, i->line);
    if (x->plain && is_shared(i))
        register_of(x, item_of(x, BANK_WINDOW, 0, 2), block, i->line);
    ir_each_src (i, s) {
        if (s->kind != OPND_CONST)
            continue;
        struct item *from = item_of(x, s->sub, s->val, s->n);
        uint32_t reg = register_of(x, from, block, i->line);
        s->kind = OPND_REG;
        s->sub = 0;
        s->val = REG_U0 + reg + (s->val - from->off) / 4;
    }
    if (i->op == OP_CALL)
        memset(x->passing, 0, sizeof x->passing);
}

static void rewrite(struct constants *x, uint32_t block)
{
    struct ir_block *b = &x->fn->blocks.at[block];
    uint32_t end = b->insns.n;
    while (end && ir_ops[b->insns.at[end - 1].op].flags & OPF_CTL)
        end--;
    vec_clear(&x->out);
    memset(x->passing, 0, sizeof x->passing);
    for (uint32_t at = 0; at <= b->insns.n; at++) {
        if (at == end)
            vec_each (&x->items, i)
                if (i->reg != CFG_NONE && i->block == block)
                    register_of(x, i, block, end ? b->insns.at[end - 1].line : b->line);
        if (at == b->insns.n)
            break;
        struct ir_insn i = b->insns.at[at];
        rewrite_insn(x, &i, block);
        vec_push(&x->out, i);
    }
    ir_block_set(b, x->out.at, x->out.n);
}

void pass_constants(struct ir_fn *fn)
{
    struct arena a = {0};
    struct constants x = {.fn = fn, .c = ir_cfg_build(fn, &a)};
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        load_copies(&fn->blocks.at[b], x.c->loop[b] != CFG_NONE);
    x.plain = fn->is_entry && !names_window(fn);
    find_items(&x, true);
    find_items(&x, false);
    give_registers(&x);
    for (uint32_t r = 0; x.items.n && r < x.c->nrpo; r++)
        rewrite(&x, x.c->rpo[r]);
    vec_free(&x.items);
    vec_free(&x.out);
    arena_free(&a);
}
