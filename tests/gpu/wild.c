#include "wild.h"

#include "base/rng.h"
#include "trace/trace.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODY_MAX = 64, TAIL = 8, WARPS_MAX = 8, SHARED_B = 8192, NOWHERE = 999 };

/* Instructions after the body. */
enum tail { T_BAR, T_BAR_PART, T_ARRIVE, T_NAMED, T_COMMIT, T_WAIT, T_WAIT_SOME, T_EXIT };

enum pattern { P_DENSE, P_SAME, P_POWER, P_ODD, P_SCATTER, P_NEAR, P_DOWN, P_COUNT };

struct kernel {
    struct tr_insn insns[BODY_MAX + TAIL];
    uint8_t pattern[BODY_MAX + TAIL];
    uint32_t n; /* of the body */
    uint32_t regs;
    /* WILD_BLOCKS: where blocks start, and where they go, which is to `next` or to what follows; NOWHERE: the code does not tell. */
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
    return (struct tr_opnd){
        .kind = TO_REG, .n = (uint8_t)n, .val = pick(w, (k->regs < 255 ? k->regs : 255) - n + 1)};
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
        for (uint32_t s = pick(w, 5); s-- > 0;)
            i->src[i->nsrc++] = source(w, k);
        if (chance(w, 80))
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

/* Those of the body; a block for each instruction of the tail follows. */
static void add_blocks(const struct kernel *k, struct tr_block *blocks, uint32_t (*succ)[2])
{
    for (uint32_t b = 0; b < k->nblocks; b++) {
        bool tells = k->next[b] != NOWHERE;
        succ[b][0] = b + 1;
        succ[b][1] = k->next[b];
        blocks[b] = (struct tr_block){.start = k->start[b],
                                      .n = k->start[b + 1] - k->start[b],
                                      .nsucc = !tells                ? 0
                                               : k->next[b] == b + 1 ? 1
                                                                     : 2,
                                      .succ = succ[b],
                                      .ipdom = UINT32_MAX};
    }
}

static void make_kernel(struct wild *w, struct kernel *k)
{
    static const uint8_t tail_classes[TAIL] = {TC_BAR,   TC_BAR,   TC_BAR,   TC_BAR,
                                               TC_ASYNC, TC_ASYNC, TC_ASYNC, TC_EXIT};
    k->regs = chance(w, 10) ? 64 : 16 + pick(w, 40);
    k->n = 1 + pick(w, BODY_MAX);
    for (uint32_t n = 0; n < k->n; n++)
        body_insn(w, k, n);
    for (uint32_t t = 0; t < TAIL; t++)
        k->insns[k->n + t] = (struct tr_insn){.cls = tail_classes[t],
                                              .target = TR_NO_TARGET,
                                              .pc = (k->n + t) * 16,
                                              .text = tr_classes[tail_classes[t]].name};
    k->insns[k->n + T_ARRIVE].imm = 3 | TB_ARRIVE;
    k->insns[k->n + T_NAMED].imm = 3;
    k->insns[k->n + T_COMMIT].imm = TA_COMMIT;
    k->insns[k->n + T_WAIT_SOME].imm = 1 + pick(w, 3);
    struct tr_kernel out = {.name = "wild",
                            .file = "",
                            .insns = k->insns,
                            .n = k->n + TAIL,
                            .nblocks = k->n + TAIL,
                            .regs = k->regs};
    /* Streams go from anywhere to anywhere; the code says so by not saying where it goes on. */
    struct tr_block blocks[BODY_MAX + TAIL];
    uint32_t succ[BODY_MAX][2], first = 0;
    if (w->kind == WILD_BLOCKS) {
        cut_blocks(w, k);
        add_blocks(k, blocks, succ);
        first = k->n;
        out.nblocks = k->nblocks + TAIL;
    }
    for (uint32_t n = first; n < out.n; n++)
        blocks[n - first + k->nblocks] = (struct tr_block){.start = n, .n = 1, .ipdom = UINT32_MAX};
    out.blocks = blocks;
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
    tr_insn(w->w, s->cta, s->warp, at, mask, space, i->naddr ? sets : NULL, NULL);
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

/* A stretch of the body between two barriers; lanes come and go. */
static void stretch(struct wild *w, const struct stream *s, bool copies)
{
    uint32_t at = pick(w, s->k->n), n = pick(w, 40);
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
    uint32_t after[8], kernel = pick(w, w->nkernels), ctas = 1 + pick(w, 10);
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
    for (uint32_t i = 0, n = 1 + pick(w, 4); i < n; i++)
        write_launch(w, i);
    bool ok = tr_close(w->w, &d);
    diag_print(&d, stderr);
    assert(ok);
    diag_free(&d);
    free(w);
}
