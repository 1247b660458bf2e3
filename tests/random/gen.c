/* SPDX-License-Identifier: Apache-2.0 */
/* Seed to program. Variables are a fixed set per function, all initialised and all stored at the end, so the number of
 * variables is the register pressure. */
#include "prog.h"

#include <stdlib.h>
#include <string.h>

struct gen {
    struct rng rng;
    struct prog *p;
    struct func *f;
    unsigned budget; /* statements left */
    unsigned depth;
    unsigned callable; /* functions below this number may be called */
    bool uniform;      /* every thread of the CTA passes here */
    unsigned rounds; /* how often a statement here runs at most: the product of the enclosing loops' rounds */
    unsigned leave;  /* innermost loops that may be left early: no collective stands in them */
};

static uint32_t below(struct gen *g, uint32_t n) { return rng_below(&g->rng, n); }
static bool chance(struct gen *g, unsigned percent) { return below(g, 100) < percent; }

static uint64_t interesting(struct gen *g)
{
    static const uint64_t some[] = {0,
                                    1,
                                    2,
                                    31,
                                    32,
                                    33,
                                    63,
                                    64,
                                    127,
                                    128,
                                    255,
                                    256,
                                    0x7fff,
                                    0x8000,
                                    0xffff,
                                    0x10000,
                                    0x7fffffff,
                                    0x80000000,
                                    0xffffffff,
                                    0x100000000,
                                    0x7fffffffffffffff,
                                    0x8000000000000000,
                                    UINT64_MAX,
                                    0x3f800000,
                                    0xbf000000,
                                    0x3ff0000000000000,
                                    0x7f800000,
                                    0x7fc00000,
                                    0x00000001,
                                    0x007fffff};
    if (chance(g, 50))
        return some[below(g, sizeof some / sizeof some[0])];
    return chance(g, 50) ? below(g, 64) : rng_u64(&g->rng);
}

static struct opnd var(struct gen *g, enum cls c)
{
    return (struct opnd){.sort = O_VAR, .cls = (uint8_t)c, .var = below(g, g->f->nvars[c])};
}

static struct opnd pred(struct gen *g)
{
    struct opnd o = var(g, C_P);
    o.neg = chance(g, 40);
    return o;
}

static struct opnd imm(struct gen *g, enum cls c)
{
    return (struct opnd){.sort = O_IMM, .cls = (uint8_t)c, .imm = interesting(g) & cls_mask(c)};
}

static struct stmt *add(struct gen *g, struct list *l, enum stmt_kind k)
{
    struct stmt *s = ARENA_NEW(&g->p->arena, struct stmt);
    s->kind = (uint8_t)k;
    if (l->tail)
        l->tail->next = s;
    else
        l->head = s;
    l->tail = s;
    return s;
}

/* Together these bound a program's running time to some hundred thousand warp instructions. */
enum { MAX_ROUNDS = 120, MAX_CALL_COST = 2000 };

static void gen_list(struct gen *g, struct list *l, unsigned n);

static void gen_op(struct gen *g, struct list *l)
{
    struct stmt *s = add(g, l, S_OP);
    s->op = &rops[below(g, nrops)];
    s->d = var(g, s->op->dst);
    for (unsigned i = 0; i < s->op->nsrc; i++) {
        enum cls c = s->op->src[i];
        bool use_imm = (s->op->imm_ok >> i & 1) && chance(g, 30);
        s->a[i] = use_imm ? imm(g, c) : var(g, c);
        if (use_imm && (s->op->is_float >> i & 1))
            s->a[i].imm = fix_bits(s->op->fix, c, s->a[i].imm);
        if (use_imm && (s->op->odd >> i & 1))
            s->a[i].imm |= 1;
        if (use_imm && (s->op->byte >> i & 1))
            s->a[i].imm &= 31;
    }
    /* ptxas makes min(x, x) a copy, which keeps a NaN's payload. */
    if (s->op->is_float == 3 && s->op->fix == FIX_NONE && s->a[1].sort == O_VAR && s->a[1].var == s->a[0].var)
        s->a[1].var = (s->a[1].var + 1) % g->f->nvars[C_W];
    if (chance(g, 15))
        s->guard = pred(g);
}

static void gen_setp(struct gen *g, struct list *l)
{
    struct stmt *s = add(g, l, S_SETP);
    s->type = (uint8_t)below(g, CMP_TYPES);
    s->sub = (uint8_t)below(g, s->type == 4 || s->type == 5 ? NFCMP : NCMP);
    enum cls c = cmp_class(s->type);
    s->a[0] = var(g, c);
    s->a[1] = chance(g, 40) ? imm(g, c) : var(g, c);
    s->d = var(g, C_P);
    if (chance(g, 30)) {
        s->d2 = var(g, C_P);
        if (s->d2.var == s->d.var)
            s->d2.sort = O_NONE;
    }
    if (chance(g, 30)) {
        s->bop = (uint8_t)(1 + below(g, 3));
        s->a[2] = pred(g);
    }
    if (chance(g, 10))
        s->guard = pred(g);
}

static void gen_plogic(struct gen *g, struct list *l)
{
    struct stmt *s = add(g, l, S_PLOGIC);
    s->sub = (uint8_t)below(g, 4);
    s->d = var(g, C_P);
    s->a[0] = var(g, C_P);
    s->a[1] = var(g, C_P);
}

static void gen_selp(struct gen *g, struct list *l)
{
    struct stmt *s = add(g, l, S_SELP);
    enum cls c = (enum cls)(C_H + below(g, 3));
    s->d = var(g, c);
    s->a[0] = chance(g, 25) ? imm(g, c) : var(g, c);
    s->a[1] = var(g, c);
    s->a[2] = var(g, C_P);
}

static void gen_special(struct gen *g, struct list *l)
{
    struct stmt *s = add(g, l, S_SPECIAL);
    /* Functions do not see kernel parameters. */
    do
        s->sub = (uint8_t)below(g, SP_COUNT);
    while (g->f != &g->p->main && (s->sub == SP_P32 || s->sub == SP_P64));
    s->d = var(g, s->sub == SP_P64 ? C_D : C_W);
}

/* What may be loaded or stored: bytes of an element, class of the register, whether vectors of 2 and 4 exist. */
static void gen_shape(struct gen *g, struct stmt *s, enum cls *c)
{
    static const struct {
        uint8_t bytes, cls, maxvec;
    } shapes[] = {{1, C_W, 4}, {1, C_H, 4}, {2, C_W, 4}, {2, C_H, 4}, {4, C_W, 4},
                  {4, C_W, 4}, {4, C_W, 4}, {8, C_D, 2}, {8, C_D, 2}};
    unsigned i = below(g, sizeof shapes / sizeof shapes[0]);
    s->bytes = shapes[i].bytes;
    *c = shapes[i].cls;
    s->vec = 1;
    if (chance(g, 35))
        s->vec = chance(g, 50) && shapes[i].maxvec == 4 ? 4 : 2;
    s->is_signed = chance(g, 50);
}

static void gen_mem(struct gen *g, struct list *l, bool store)
{
    static const uint16_t size[AT_COUNT] = {IN_B, SCRATCH_B, LOCAL_B, SHARED_B, CONST_B, TABLE_B};
    struct stmt *s = add(g, l, store ? S_STORE : S_LOAD);
    enum cls c;
    if (g->f != &g->p->main) { /* functions get no base addresses: only constants are in reach */
        s->kind = S_LOAD;
        s->place = chance(g, 50) ? AT_CONST : AT_TABLE;
        store = false;
    } else {
        static const uint8_t can_store[3] = {AT_SCRATCH, AT_LOCAL, AT_SHARED};
        s->place = store ? can_store[below(g, 3)] : (uint8_t)below(g, AT_COUNT);
    }
    gen_shape(g, s, &c);
    uint32_t all = (uint32_t)s->bytes * s->vec;
    s->generic = s->place != AT_CONST && chance(g, 20);
    if (chance(g, 30) && size[s->place] > all) { /* dynamic: low bits of a register, aligned */
        s->a[3] = var(g, C_W);
        s->mask = (size[s->place] - 1u) & ~(all - 1u);
    } else {
        s->off_b = below(g, size[s->place] / all) * all;
    }
    for (unsigned i = 0; i < s->vec; i++) {
        s->elem[i] = var(g, c);
        /* A vector load writes each register once. */
        for (unsigned k = 0; !store && k < i; k++)
            if (s->elem[k].var == s->elem[i].var) {
                s->elem[i].var = (s->elem[i].var + 1) % g->f->nvars[c];
                k = UINT32_MAX;
            }
    }
    if (chance(g, 10))
        s->guard = pred(g);
}

static void gen_pack(struct gen *g, struct list *l)
{
    bool wide = chance(g, 70), un = chance(g, 50);
    struct stmt *s = add(g, l, un ? S_UNPACK : S_PACK);
    enum cls big = wide ? C_D : C_W, small = wide ? C_W : C_H;
    if (un) {
        s->d = var(g, small);
        s->d2 = var(g, small);
        if (s->d2.var == s->d.var)
            s->d2.var = (s->d2.var + 1) % g->f->nvars[small];
        s->a[0] = var(g, big);
    } else {
        s->d = var(g, big);
        s->a[0] = var(g, small);
        s->a[1] = var(g, small);
    }
}

static void gen_carry(struct gen *g, struct list *l)
{
    struct stmt *s = add(g, l, S_CARRY);
    s->sub = (uint8_t)below(g, NCARRY);
    s->d = var(g, C_W);
    s->d2 = var(g, C_W);
    for (unsigned i = 0; i < 4; i++)
        s->a[i] = var(g, C_W);
    if (s->d2.var == s->d.var)
        s->d2.var = (s->d2.var + 1) % g->f->nvars[C_W];
    /* The second half must still see the sources as they were. */
    for (unsigned i = 0; i < 4; i++)
        while (s->a[i].var == s->d.var)
            s->a[i] = var(g, C_W);
}

static void gen_atomic(struct gen *g, struct list *l)
{
    if (g->f == &g->p->main && chance(g, 40)) {
        struct stmt *s = add(g, l, S_OWNATOM);
        s->sub = (uint8_t)below(g, NOWNATOM);
        s->place = chance(g, 50) ? AT_SCRATCH : AT_SHARED;
        s->off_b = 4 * below(g, s->place == AT_SCRATCH ? SCRATCH_B / 4 : SHARED_B / 4);
        s->d = var(g, C_W);
        s->a[0] = var(g, C_W);
        s->a[1] = var(g, C_W);
        return;
    }
    if (g->f != &g->p->main)
        return;
    struct stmt *s = add(g, l, S_ACC);
    s->sub = (uint8_t)below(g, NACC);
    s->a[0] = var(g, accs[s->sub].wide ? C_D : C_W);
    s->generic = chance(g, 30); /* atom with an unused result instead of red */
    if (chance(g, 20))
        s->guard = pred(g);
}

static void gen_call(struct gen *g, struct list *l)
{
    if (!g->callable)
        return;
    uint32_t callee = below(g, g->callable);
    const struct func *f = &g->p->funcs[callee];
    if (g->rounds * f->cost > MAX_CALL_COST)
        return;
    struct stmt *s = add(g, l, S_CALL);
    s->func = callee;
    g->f->cost += g->rounds * f->cost;
    for (unsigned i = 0; i < f->nargs; i++)
        s->a[i] = chance(g, 15) ? imm(g, f->arg_cls[i]) : var(g, f->arg_cls[i]);
    s->d = var(g, f->ret.cls);
}

static void gen_inside(struct gen *g, struct list *l, unsigned n, bool uniform)
{
    bool was = g->uniform;
    g->uniform = uniform;
    g->depth++;
    gen_list(g, l, n);
    g->depth--;
    g->uniform = was;
}

static void gen_if(struct gen *g, struct list *l)
{
    struct stmt *s = add(g, l, S_IF);
    s->guard = pred(g);
    gen_inside(g, &s->body, 1 + below(g, 5), false);
    if (chance(g, 50))
        gen_inside(g, &s->other, 1 + below(g, 5), false);
}

static void gen_switch(struct gen *g, struct list *l)
{
    struct stmt *s = add(g, l, S_SWITCH);
    s->a[0] = var(g, C_W);
    for (unsigned i = 0; i < 4; i++)
        gen_inside(g, &s->cases[i], 1 + below(g, 3), false);
}

static void gen_loop(struct gen *g, struct list *l)
{
    /* The same number of rounds for everyone, and no way out in between. */
    bool even = g->uniform && chance(g, 50);
    uint32_t trips = 1 + below(g, 4), mask = even ? 0 : (1u << (1 + below(g, 3))) - 1;
    if (g->rounds * (trips + mask) > MAX_ROUNDS)
        return;
    struct stmt *s = add(g, l, S_LOOP);
    s->trips = trips;
    s->mask = mask;
    if (!even)
        s->a[0] = var(g, C_W);
    g->rounds *= trips + mask;
    s->counter = g->f->ncounters++;
    unsigned was = g->leave;
    g->leave = even ? 0 : was + 1;
    gen_inside(g, &s->body, 2 + below(g, 5), even);
    g->leave = was;
    g->rounds /= trips + mask;
}

static void gen_leave(struct gen *g, struct list *l)
{
    if (!g->leave) {
        if (g->f == &g->p->main && !g->p->collectives && chance(g, 30))
            add(g, l, S_EXIT)->guard = pred(g);
        return;
    }
    struct stmt *s = add(g, l, chance(g, 60) ? S_BREAK : S_NEXT);
    s->guard = pred(g);
    s->levels = (uint8_t)(1 + (s->kind == S_BREAK && g->leave > 1 && chance(g, 30)));
}

static void gen_collective(struct gen *g, struct list *l)
{
    static const uint8_t kinds[] = {S_SHARE, S_SHARE, S_SHFL, S_SHFL, S_VOTE, S_REDUX, S_BARRED};
    struct stmt *s = add(g, l, kinds[below(g, sizeof kinds)]);
    s->d = var(g, C_W);
    s->a[0] = var(g, C_W);
    switch (s->kind) {
    case S_SHARE:
        s->trips = 1 + below(g, prog_threads(g->p));
        s->vec = chance(g, 30) ? 4 : 1;
        for (unsigned i = 0; i < s->vec; i++) {
            s->elem[i] = var(g, C_W);
            s->elem[i].var = (s->d.var + i) % g->f->nvars[C_W];
        }
        s->place = AT_SHARED;
        break;
    case S_SHFL:
        s->sub = (uint8_t)below(g, 4);
        s->a[1] = chance(g, 60) ? (struct opnd){.sort = O_IMM, .cls = C_W, .imm = below(g, 32)} : var(g, C_W);
        s->a[2] = (struct opnd){.sort = O_IMM, .cls = C_W, .imm = s->sub == 0 ? 0 : 31};
        if (chance(g, 50))
            s->d2 = var(g, C_P);
        break;
    case S_VOTE:
        s->sub = (uint8_t)below(g, 4);
        s->a[0] = pred(g);
        if (s->sub != 3)
            s->d = var(g, C_P);
        break;
    case S_REDUX: s->sub = (uint8_t)below(g, NREDUX); break;
    default:
        s->sub = (uint8_t)below(g, 3);
        s->a[0] = pred(g);
        if (s->sub)
            s->d = var(g, C_P);
        break;
    }
}

static void gen_stmt(struct gen *g, struct list *l)
{
    uint32_t k = below(g, 100);
    bool deep = g->depth >= 4;
    if (g->uniform && g->p->collectives && k < 8)
        gen_collective(g, l);
    else if (k < 40)
        gen_op(g, l);
    else if (k < 48)
        gen_setp(g, l);
    else if (k < 50)
        gen_plogic(g, l);
    else if (k < 54)
        gen_selp(g, l);
    else if (k < 57)
        gen_special(g, l);
    else if (k < 64)
        gen_mem(g, l, false);
    else if (k < 70)
        gen_mem(g, l, true);
    else if (k < 73)
        gen_pack(g, l);
    else if (k < 75)
        gen_carry(g, l);
    else if (k < 79)
        gen_atomic(g, l);
    else if (k < 82)
        gen_call(g, l);
    else if (k < 85)
        gen_leave(g, l);
    else if (deep)
        gen_op(g, l);
    else if (k < 93)
        gen_if(g, l);
    else if (k < 98)
        gen_loop(g, l);
    else
        gen_switch(g, l);
}

static void gen_list(struct gen *g, struct list *l, unsigned n)
{
    for (unsigned i = 0; i < n && g->budget; i++) {
        g->budget--;
        g->f->cost += g->rounds;
        gen_stmt(g, l);
    }
}

static void gen_func(struct gen *g, struct func *f)
{
    g->f = f;
    f->nargs = 1 + below(g, MAX_ARGS);
    for (unsigned i = 0; i < f->nargs; i++)
        f->arg_cls[i] = chance(g, 65) ? C_W : C_D;
    f->nvars[C_P] = 2 + below(g, 3);
    f->nvars[C_H] = 4;
    f->nvars[C_W] = 5 + below(g, 8);
    f->nvars[C_D] = 3 + below(g, 3);
    f->ret = var(g, chance(g, 60) ? C_W : C_D);
    g->uniform = false;
    g->budget = 5 + below(g, 20);
    gen_list(g, &f->body, g->budget);
}

static void gen_main(struct gen *g)
{
    struct func *f = g->f = &g->p->main;
    bool big = chance(g, 30);
    f->nvars[C_P] = 2 + below(g, big ? 14 : 6);
    f->nvars[C_H] = 4 + below(g, 5);
    f->nvars[C_W] = 6 + below(g, big ? 110 : 24);
    f->nvars[C_D] = 3 + below(g, big ? 40 : 10);
    g->callable = g->p->nfuncs;
    g->uniform = true;
    g->budget = 20 + below(g, big ? 250 : 100);
    gen_list(g, &f->body, g->budget);
}

struct prog *prog_gen(uint64_t seed)
{
    /* The generator adds a constant per number: neighbouring seeds must start far apart in its sequence. */
    struct gen g = {.rng = {(seed + 1) * 0xd1342543de82ef95ull}, .rounds = 1};
    g.rng.s = rng_u64(&g.rng);
    struct prog *p = g.p = xcalloc(1, sizeof *p);
    p->seed = seed;
    p->collectives = chance(&g, 60);
    p->grid = 1 + below(&g, 3);
    p->block = p->collectives ? 32 * (1 + below(&g, 3)) : 1 + below(&g, 70);
    p->block_y = chance(&g, 25) ? 2 : 1;
    p->p32 = (uint32_t)interesting(&g);
    p->p64 = interesting(&g);
    for (unsigned i = 0; i < CONST_B; i++)
        p->const_data[i] = (uint8_t)rng_u32(&g.rng);
    for (unsigned i = 0; i < TABLE_B; i++)
        p->table_data[i] = (uint8_t)rng_u32(&g.rng);
    p->nfuncs = below(&g, MAX_FUNCS + 1);
    for (unsigned i = 0; i < p->nfuncs; i++) {
        g.callable = i;
        gen_func(&g, &p->funcs[i]);
    }
    gen_main(&g);
    return p;
}

void prog_free(struct prog *p)
{
    arena_free(&p->arena);
    free(p);
}
