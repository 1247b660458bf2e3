/* SPDX-License-Identifier: Apache-2.0 */
#include "wild.h"

#include "base/rng.h"
#include "trace/trace.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODY_MAX = 64, TAIL = 8, WARPS_MAX = 8, SHARED_B = 8192, FEW_REGS = 10, NOWHERE = 999 };

/* Instructions after the body. */
enum tail { T_BAR, T_BAR_PART, T_ARRIVE, T_NAMED, T_COMMIT, T_WAIT, T_WAIT_SOME, T_EXIT };

enum pattern { P_DENSE, P_SAME, P_POWER, P_ODD, P_SCATTER, P_NEAR, P_DOWN, P_COUNT };

/* A part of a body that is code: `n` instructions, of which the first branches (IF, CALL) or the last (LOOP). */
enum section_kind { STRAIGHT, IF, IF_ELSE, LOOP, CALL };
struct section {
    uint8_t kind;
    uint32_t start, n, other; /* other: first of the else side */
};

struct kernel {
    struct tr_insn insns[BODY_MAX + TAIL];
    uint8_t pattern[BODY_MAX + TAIL];
    uint32_t n; /* of the body */
    uint32_t regs;
    bool few; /* most operands are among a few registers, so that caches see them again */
    struct section sections[BODY_MAX];
    uint32_t nsections;
    /* Code: where sections end, and a function begins that they may call; it ends with the body. */
    uint32_t function;
    /* WILD_BLOCKS: where blocks start, and where they go, which is to `next` or to what follows; NOWHERE: the code does not
     * tell. */
    uint32_t nblocks, start[BODY_MAX + 1], next[BODY_MAX];
};

struct wild {
    struct rng r;
    enum wild_kind kind;
    struct tr_writer *w;
    struct kernel k[3];
    uint32_t nkernels;
};

static uint32_t pick(struct wild *w, uint32_t n) { return rng_below(&w->r, n); }
static bool chance(struct wild *w, uint32_t percent) { return pick(w, 100) < percent; }

/* ---- static code ---- */

static struct tr_opnd reg(struct wild *w, const struct kernel *k, uint32_t n)
{
    uint32_t most = k->few && chance(w, 70) ? FEW_REGS : k->regs < 255 ? k->regs : 255;
    return (struct tr_opnd){.kind = TO_REG, .n = (uint8_t)n, .val = pick(w, most - n + 1)};
}

static struct tr_opnd source(struct wild *w, const struct kernel *k)
{
    static const uint8_t counts[] = {1, 1, 1, 1, 2, 4};
    switch (pick(w, 12)) {
    case 0: return (struct tr_opnd){.kind = TO_IMM, .n = 1, .val = 7};
    case 1:
        return (struct tr_opnd){
            .kind = TO_CONST, .n = 1, .bank = (uint8_t)pick(w, 5), .val = pick(w, 16384) * 4};
    case 2: return (struct tr_opnd){.kind = TO_PRED, .n = 1, .val = pick(w, 7)};
    case 3: return (struct tr_opnd){.kind = TO_UREG, .n = 1, .val = pick(w, 63)};
    case 4: return (struct tr_opnd){.kind = TO_UPRED, .n = 1, .val = pick(w, 7)};
    default: return reg(w, k, counts[pick(w, sizeof counts)]);
    }
}

static void destination(struct wild *w, const struct kernel *k, struct tr_insn *i)
{
    static const uint8_t counts[] = {1, 1, 1, 2, 4, 8};
    i->dst[i->ndst++] = reg(w, k, counts[pick(w, sizeof counts)]);
    if (chance(w, 15))
        i->dst[i->ndst++] =
            (struct tr_opnd){.kind = chance(w, 70) ? TO_PRED : TO_UPRED, .n = 1, .val = pick(w, 7)};
}

static const uint8_t memory_classes[] = {TC_LDG,   TC_LDG,    TC_STG,  TC_LDS,   TC_STS,
                                         TC_ATOMS, TC_LDL,    TC_STL,  TC_LDC,   TC_TEX,
                                         TC_SURF,  TC_LDGSTS, TC_LDSM, TC_ATOMG, TC_REDG};
static const uint8_t atomic_classes[] = {TC_ATOMG, TC_REDG, TC_ATOMS, TC_LDG};
static const uint8_t plain_classes[] = {TC_NOP,    TC_FP32,    TC_FCMP, TC_INT,    TC_IMUL,     TC_BITS,
                                        TC_PRED,   TC_UNIFORM, TC_SFU,  TC_CONV,   TC_FP64,     TC_HALF,
                                        TC_HMMA,   TC_IMMA,    TC_BMMA, TC_DMMA,   TC_GMMA,     TC_SHFL,
                                        TC_VOTE,   TC_SREG,    TC_CCTL, TC_BRANCH, TC_CONVERGE, TC_WARPSYNC,
                                        TC_MEMBAR, TC_SYSCALL, TC_FP32, TC_FP32,   TC_INT,      TC_INT};

static bool is_tensor(uint8_t cls) { return cls >= TC_HMMA && cls <= TC_GMMA; }

/* D = A * B + C of real shapes; D is often C. */
static void tensor_insn(struct wild *w, const struct kernel *k, struct tr_insn *i)
{
    static const uint8_t shape[][3] = {{2, 1, 2}, {2, 1, 4}, {4, 2, 2}, {4, 2, 4}, {1, 1, 2}, {4, 2, 8}};
    const uint8_t *s = shape[pick(w, sizeof shape / sizeof shape[0])];
    for (uint32_t n = 0; n < 3; n++)
        i->src[i->nsrc++] = reg(w, k, s[n]);
    i->dst[i->ndst++] = chance(w, 60) ? i->src[2] : reg(w, k, s[2]);
}

static uint8_t mem_of(uint8_t cls)
{
    switch (cls) {
    case TC_STG:
    case TC_STS:
    case TC_STL: return TM_STORE;
    case TC_ATOMG:
    case TC_ATOMS: return TM_LOAD | TM_STORE | TM_ATOMIC;
    case TC_REDG: return TM_STORE | TM_ATOMIC;
    case TC_LDGSTS: return TM_LOAD | TM_STORE;
    default: return TM_LOAD;
    }
}

static uint8_t space_of(struct wild *w, uint8_t cls)
{
    switch (cls) {
    case TC_LDS:
    case TC_STS:
    case TC_ATOMS:
    case TC_LDSM: return SPACE_SHARED;
    case TC_LDL:
    case TC_STL: return SPACE_LOCAL;
    case TC_LDC: return SPACE_CONST;
    case TC_LDGSTS: return SPACE_GLOBAL;
    default: return chance(w, 25) ? SPACE_NONE : SPACE_GLOBAL;
    }
}

static void memory_insn(struct wild *w, const struct kernel *k, struct tr_insn *i)
{
    static const uint8_t widths[] = {1, 2, 4, 4, 4, 8, 16};
    i->mem = mem_of(i->cls);
    i->space = space_of(w, i->cls);
    i->width_b = widths[pick(w, sizeof widths)];
    i->naddr = i->cls == TC_LDGSTS ? 2 : 1;
    i->bypass = i->space != SPACE_SHARED && i->space != SPACE_CONST && (i->mem & TM_ATOMIC || chance(w, 20));
    i->src[i->nsrc++] = reg(w, k, chance(w, 50) ? 2 : 1);
    if (i->mem & TM_LOAD && i->cls != TC_LDGSTS)
        i->dst[i->ndst++] = reg(w, k, (i->width_b + 3u) / 4);
    else if (i->cls != TC_LDGSTS)
        i->src[i->nsrc++] = reg(w, k, (i->width_b + 3u) / 4);
}

static void body_insn(struct wild *w, struct kernel *k, uint32_t n)
{
    struct tr_insn *i = &k->insns[n];
    uint32_t memory = w->kind == WILD_ANY ? 35 : w->kind == WILD_BLOCKS ? 20 : 70;
    *i = (struct tr_insn){.target = TR_NO_TARGET, .pc = n * 16};
    k->pattern[n] = (uint8_t)pick(w, P_COUNT);
    if (chance(w, memory)) {
        i->cls = w->kind == WILD_ATOMICS ? atomic_classes[pick(w, sizeof atomic_classes)]
                                         : memory_classes[pick(w, sizeof memory_classes)];
        memory_insn(w, k, i);
    } else {
        i->cls = plain_classes[pick(w, sizeof plain_classes)];
        bool tensor = is_tensor(i->cls) && chance(w, 80);
        if (tensor)
            tensor_insn(w, k, i);
        for (uint32_t s = tensor ? 0 : pick(w, 5); s-- > 0;)
            i->src[i->nsrc++] = source(w, k);
        if (!tensor && chance(w, 80))
            destination(w, k, i);
    }
    if (chance(w, 25))
        i->guard = (struct tr_opnd){
            .kind = chance(w, 80) ? TO_PRED : TO_UPRED, .n = 1, .neg = chance(w, 50), .val = pick(w, 7)};
    i->text = tr_classes[i->cls].name;
}

static void cut_blocks(struct wild *w, struct kernel *k)
{
    for (uint32_t at = 0; at < k->n; at += 1 + pick(w, 20))
        k->start[k->nblocks++] = at;
    k->start[k->nblocks] = k->n;
    for (uint32_t b = 0; b < k->nblocks; b++)
        k->next[b] = b + 1 == k->nblocks || chance(w, 30) ? NOWHERE : pick(w, k->nblocks);
}

static struct tr_insn branch(uint32_t at, uint32_t target)
{
    return (struct tr_insn){.cls = TC_BRANCH, .target = target, .pc = at * 16, .text = "BRANCH"};
}

/* Divides the body; branches say where they go, but for the function's return. */
static void make_sections(struct wild *w, struct kernel *k)
{
    bool calls = k->n > 12 && chance(w, 50);
    k->function = calls ? k->n - 2 - pick(w, 8) : k->n;
    if (calls)
        k->insns[k->n - 1] = branch(k->n - 1, TR_NO_TARGET);
    for (uint32_t at = 0; at < k->function;) {
        uint32_t left = k->function - at, n = 1 + pick(w, left < 12 ? left : 12);
        struct section *s = &k->sections[k->nsections++];
        *s = (struct section){.kind = (uint8_t)pick(w, calls ? 5 : 4), .start = at, .n = n};
        if (n < 3 && s->kind != CALL)
            s->kind = STRAIGHT;
        s->other = s->kind == IF_ELSE ? at + 2 + pick(w, n - 2) : at + n;
        if (s->kind != STRAIGHT) {
            uint32_t b = s->kind == LOOP ? at + n - 1 : at;
            k->insns[b] = branch(b, s->kind == LOOP ? at : s->kind == CALL ? k->function : s->other);
            if (s->kind != CALL)
                k->insns[b].guard = (struct tr_opnd){.kind = TO_PRED, .n = 1, .val = pick(w, 7)};
        }
        at += n;
    }
}

struct graph {
    struct tr_block blocks[BODY_MAX + TAIL];
    uint32_t succ[BODY_MAX + TAIL][2], n;
};

static uint32_t add_block(struct graph *g, uint32_t start, uint32_t n)
{
    g->blocks[g->n] = (struct tr_block){.start = start, .n = n, .ipdom = UINT32_MAX, .succ = g->succ[g->n]};
    return g->n++;
}

static void add_edge(struct graph *g, uint32_t from, uint32_t to)
{
    g->succ[from][g->blocks[from].nsucc++] = to;
}

/* WILD_BLOCKS: those of the body. */
static void add_blocks(const struct kernel *k, struct graph *g)
{
    for (uint32_t b = 0; b < k->nblocks; b++) {
        add_block(g, k->start[b], k->start[b + 1] - k->start[b]);
        if (k->next[b] != NOWHERE)
            add_edge(g, b, b + 1);
        if (k->next[b] != NOWHERE && k->next[b] != b + 1)
            add_edge(g, b, k->next[b]);
    }
}

/* The blocks of the sections. Where the body ends anything may follow, so the last ones do not say what. */
static void make_graph(const struct kernel *k, struct graph *g)
{
    uint32_t open[2], nopen = 0; /* blocks that go on with the next section */
    for (uint32_t i = 0; i < k->nsections; i++) {
        const struct section *s = &k->sections[i];
        bool branches = s->kind == IF || s->kind == IF_ELSE;
        uint32_t head = add_block(g, s->start, branches ? 1 : s->n);
        while (nopen)
            add_edge(g, open[--nopen], head);
        open[nopen++] = head;
        if (s->kind == LOOP)
            add_edge(g, head, head);
        if (!branches)
            continue;
        uint32_t then = add_block(g, s->start + 1, s->other - s->start - 1);
        add_edge(g, head, then);
        if (s->kind == IF_ELSE) {
            open[0] = add_block(g, s->other, s->start + s->n - s->other);
            add_edge(g, head, open[0]);
        }
        open[nopen++] = then;
    }
    while (nopen)
        g->blocks[open[--nopen]].nsucc = 0;
    if (k->nsections && k->function < k->n)
        add_block(g, k->function, k->n - k->function);
}

static void make_kernel(struct wild *w, struct kernel *k)
{
    static const uint8_t tail_classes[TAIL] = {TC_BAR,   TC_BAR,   TC_BAR,   TC_BAR,
                                               TC_ASYNC, TC_ASYNC, TC_ASYNC, TC_EXIT};
    k->regs = chance(w, 10) ? 64 : 16 + pick(w, 40);
    k->few = chance(w, 60);
    k->n = 1 + pick(w, BODY_MAX);
    for (uint32_t n = 0; n < k->n; n++)
        body_insn(w, k, n);
    if (w->kind == WILD_CODE)
        make_sections(w, k);
    for (uint32_t t = 0; t < TAIL; t++)
        k->insns[k->n + t] = (struct tr_insn){.cls = tail_classes[t],
                                              .target = TR_NO_TARGET,
                                              .pc = (k->n + t) * 16,
                                              .text = tr_classes[tail_classes[t]].name};
    k->insns[k->n + T_ARRIVE].imm = 3 | TB_ARRIVE;
    k->insns[k->n + T_NAMED].imm = 3;
    k->insns[k->n + T_COMMIT].imm = TA_COMMIT;
    k->insns[k->n + T_WAIT_SOME].imm = 1 + pick(w, 3);
    struct tr_kernel out = {.name = "wild", .file = "", .insns = k->insns, .n = k->n + TAIL, .regs = k->regs};
    /* Streams go from anywhere to anywhere; the code says so by not saying where it goes on. */
    struct graph g = {.n = 0};
    make_graph(k, &g);
    if (w->kind == WILD_BLOCKS) {
        cut_blocks(w, k);
        add_blocks(k, &g);
    }
    for (uint32_t n = w->kind == WILD_CODE || w->kind == WILD_BLOCKS ? k->n : 0; n < out.n; n++)
        add_block(&g, n, 1);
    out.blocks = g.blocks;
    out.nblocks = g.n;
    out.shared_b = pick(w, SHARED_B);
    tr_add_kernel(w->w, &out);
}

/* ---- streams ---- */

struct stream {
    const struct kernel *k;
    uint32_t cta, warp, live;
};

static void addresses(struct wild *w, enum pattern p, uint8_t space, uint32_t width, uint64_t out[TR_LANES])
{
    uint64_t span = space == SPACE_SHARED  ? SHARED_B
                    : space == SPACE_LOCAL ? 4096
                    : space == SPACE_CONST ? 65536
                                           : 1u << 22;
    uint64_t start =
        space == SPACE_GLOBAL || space == SPACE_NONE ? 0x200000000000 + ((uint64_t)pick(w, 3) << 40) : 0;
    uint64_t at = pick(w, (uint32_t)(span / width)) * (uint64_t)width;
    uint64_t power = (uint64_t)width << pick(w, 12), odd = (uint64_t)width * (1 + pick(w, 70));
    for (uint32_t l = 0; l < TR_LANES; l++) {
        uint64_t x = 0;
        switch (p) {
        case P_DENSE: x = at + (uint64_t)l * width; break;
        case P_SAME: x = at; break;
        case P_POWER: x = at + l * power; break;
        case P_ODD: x = at + l * odd; break;
        case P_SCATTER: x = pick(w, (uint32_t)(span / width)) * (uint64_t)width; break;
        case P_NEAR: x = (at + pick(w, 16) * width) & ~(uint64_t)(width - 1); break;
        case P_DOWN: x = at + (uint64_t)(TR_LANES - l) * width; break;
        case P_COUNT: break;
        }
        out[l] = start + x % span;
    }
}

static void step(struct wild *w, const struct stream *s, uint32_t at, uint32_t mask)
{
    static const uint8_t dynamic[] = {SPACE_GLOBAL, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_NONE};
    const struct tr_insn *i = &s->k->insns[at];
    uint64_t addr[2][TR_LANES];
    const uint64_t *sets[2] = {addr[0], addr[1]};
    uint8_t space = i->space;
    if (i->naddr && space == SPACE_NONE)
        space = dynamic[pick(w, sizeof dynamic)];
    for (uint32_t n = 0; n < i->naddr; n++)
        addresses(w, (enum pattern)s->k->pattern[at], n ? SPACE_SHARED : space, i->width_b, addr[n]);
    uint8_t values[TR_DSTS * 4]; /* not by lot: that would change what comes after it */
    for (uint32_t n = 0; n < sizeof values; n++)
        values[n] = (uint8_t)((at + n + mask) % TV_COUNT);
    tr_insn(w->w, s->cta, s->warp, at, mask, space, i->naddr ? sets : NULL, values);
}

static void guarded_step(struct wild *w, const struct stream *s, uint32_t at, uint32_t mask)
{
    if (s->k->insns[at].guard.kind && chance(w, 50))
        mask &= chance(w, 40) ? 0 : rng_u32(&w->r);
    step(w, s, at, mask);
}

/* All lanes go through the block: up to some place together, from there in two groups. */
static void walk_block(struct wild *w, const struct stream *s, uint32_t b)
{
    uint32_t from = s->k->start[b], to = s->k->start[b + 1],
             part = chance(w, 70) ? to : from + pick(w, to - from);
    uint32_t some = s->live & rng_u32(&w->r), rest = s->live & ~some;
    bool in_turns = chance(w, 50);
    if (!some || !rest)
        part = to;
    for (uint32_t at = from; at < part; at++)
        guarded_step(w, s, at, s->live);
    for (uint32_t at = part; at < to; at++) {
        guarded_step(w, s, at, some);
        if (in_turns)
            guarded_step(w, s, at, rest);
    }
    for (uint32_t at = part; at < to && !in_turns; at++)
        guarded_step(w, s, at, rest);
}

static void walk_blocks(struct wild *w, const struct stream *s, bool copies)
{
    uint32_t b = pick(w, s->k->nblocks);
    for (uint32_t n = 0;; n++) {
        walk_block(w, s, b);
        if (copies && chance(w, 20))
            step(w, s, s->k->n + T_COMMIT, s->live);
        if (copies && chance(w, 10))
            step(w, s, s->k->n + T_WAIT, s->live);
        if (s->k->next[b] == NOWHERE && (n > 10 || chance(w, 20)))
            break;
        bool on = n > 60 || chance(w, 50);
        b = s->k->next[b] == NOWHERE ? pick(w, s->k->nblocks) : on ? b + 1 : s->k->next[b];
    }
}

/* Lanes go through instructions that all of them reach; a guard may switch some off. */
static void walk(struct wild *w, const struct stream *s, uint32_t from, uint32_t to, uint32_t lanes)
{
    for (uint32_t at = from; lanes && at < to; at++) {
        bool off = s->k->insns[at].guard.kind && s->k->insns[at].cls != TC_BRANCH;
        step(w, s, at, !off || chance(w, 50) ? lanes : lanes & rng_u32(&w->r) & (chance(w, 80) ? ~0u : 0));
    }
}

static uint32_t some_of(struct wild *w, uint32_t lanes)
{
    uint32_t how = pick(w, 3);
    return how == 0 ? lanes : how == 1 ? 0 : lanes & rng_u32(&w->r);
}

static void walk_section(struct wild *w, const struct stream *s, const struct section *x)
{
    uint32_t end = x->start + x->n, lanes = s->live;
    if (x->kind == LOOP) {
        for (uint32_t trips = 1 + pick(w, 4); trips && lanes; trips--) {
            walk(w, s, x->start, end, lanes);
            lanes = some_of(w, lanes);
        }
        return;
    }
    if (x->kind == STRAIGHT || x->kind == CALL) {
        uint32_t calls = x->kind == CALL;
        walk(w, s, x->start, x->start + calls, lanes);
        walk(w, s, s->k->function, calls ? s->k->n : 0, lanes);
        walk(w, s, x->start + calls, end, lanes);
        return;
    }
    uint32_t jump = some_of(w, lanes);
    step(w, s, x->start, lanes);
    walk(w, s, x->start + 1, x->other, lanes & ~jump);
    walk(w, s, x->other, end, jump);
}

/* A stretch of the body between two barriers; lanes come and go. */
static void stretch(struct wild *w, const struct stream *s, bool copies)
{
    uint32_t at = pick(w, s->k->n), n = w->kind == WILD_CODE ? 0 : pick(w, 40);
    for (uint32_t k = 0; k < s->k->nsections; k++)
        walk_section(w, s, &s->k->sections[k]);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t mask = s->live;
        if (chance(w, 20))
            mask &= rng_u32(&w->r);
        if (s->k->insns[at].guard.kind && chance(w, 30))
            mask = 0;
        if (mask || s->k->insns[at].guard.kind)
            step(w, s, at, mask);
        if (copies && chance(w, 20))
            step(w, s, s->k->n + T_COMMIT, s->live);
        if (copies && chance(w, 10))
            step(w, s, s->k->n + (chance(w, 50) ? T_WAIT : T_WAIT_SOME), s->live);
        at = chance(w, 15) ? pick(w, s->k->n) : at + 1 < s->k->n ? at + 1 : 0;
    }
}

/* What all warps of a CTA do at the end of a stretch. */
enum meeting { M_NONE, M_ALL, M_PARTS, M_HALVES };

static void meet(struct wild *w, const struct stream *s, enum meeting m)
{
    uint32_t some = s->live & 0x00ff00ffu;
    switch (m) {
    case M_NONE: break;
    case M_PARTS: /* the lanes of a warp arrive in two groups */
        if (some && some != s->live) {
            step(w, s, s->k->n + T_BAR_PART, some);
            step(w, s, s->k->n + T_BAR_PART, s->live & ~some);
            break;
        } /* fall through */
    case M_ALL: step(w, s, s->k->n + T_BAR, s->live); break;
    case M_HALVES: /* even warps do not wait; then all meet, so that nobody is a round ahead */
        step(w, s, s->k->n + (s->warp & 1 ? T_NAMED : T_ARRIVE), s->live);
        step(w, s, s->k->n + T_BAR, s->live);
        break;
    }
}

static void write_cta(struct wild *w, const struct kernel *k, uint32_t cta, uint32_t threads)
{
    uint32_t nwarps = (threads + TR_LANES - 1) / TR_LANES, live[WARPS_MAX];
    bool copies = chance(w, 50);
    tr_begin_cta(w->w, cta);
    for (uint32_t i = 0; i < nwarps; i++)
        live[i] = threads - i * TR_LANES >= TR_LANES ? ~0u : (1u << (threads - i * TR_LANES)) - 1;
    for (uint32_t round = pick(w, 5) + 1; round-- > 0;) {
        enum meeting m = (enum meeting)pick(w, 4);
        for (uint32_t i = 0; i < nwarps; i++) {
            struct stream s = {.k = k, .cta = cta, .warp = i, .live = live[i]};
            if (!live[i])
                continue;
            (w->kind == WILD_BLOCKS ? walk_blocks : stretch)(w, &s, copies);
            uint32_t leave = chance(w, 8) ? chance(w, 30) ? ~0u : rng_u32(&w->r) : 0;
            if (live[i] & leave)
                step(w, &s, k->n + T_EXIT, live[i] & leave);
            s.live = live[i] &= ~leave;
            if (live[i])
                meet(w, &s, m);
        }
    }
    for (uint32_t i = 0; i < nwarps; i++) {
        struct stream s = {.k = k, .cta = cta, .warp = i, .live = live[i]};
        if (live[i])
            step(w, &s, k->n + T_EXIT, live[i]);
    }
    tr_end_cta(w->w, cta);
}

static void write_launch(struct wild *w, uint32_t number)
{
    uint32_t after[8], kernel = pick(w, w->nkernels), ctas = 1 + pick(w, 6);
    uint32_t threads =
        chance(w, 70) ? TR_LANES * (1 + pick(w, WARPS_MAX)) : 1 + pick(w, TR_LANES * WARPS_MAX);
    struct tr_launch l = {.kernel = kernel,
                          .grid = {ctas, 1, 1},
                          .block = {threads, 1, 1},
                          .dyn_shared_b = pick(w, SHARED_B),
                          .stream = pick(w, 3),
                          .after = after};
    for (uint32_t i = 0; i < number; i++)
        if (chance(w, 40))
            after[l.nafter++] = i;
    tr_begin_launch(w->w, &l);
    for (uint32_t c = 0; c < ctas; c++)
        write_cta(w, &w->k[kernel], c, threads);
    tr_end_launch(w->w, true);
}

void wild_write(const char *path, uint64_t seed, enum wild_kind kind)
{
    struct diag d = {0};
    struct wild *w = xcalloc(1, sizeof *w);
    w->r.s = seed * 3 + kind;
    w->kind = kind;
    w->w = tr_create(path, &(struct tr_info){.program = "wild", .maker = "test"}, &d);
    assert(w->w);
    w->nkernels = 1 + pick(w, 3);
    for (uint32_t i = 0; i < w->nkernels; i++)
        make_kernel(w, &w->k[i]);
    for (uint32_t i = 0, n = 1 + pick(w, 3); i < n; i++)
        write_launch(w, i);
    bool ok = tr_close(w->w, &d);
    diag_print(&d, stderr);
    assert(ok);
    diag_free(&d);
    free(w);
}
