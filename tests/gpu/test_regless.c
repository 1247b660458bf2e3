/* SPDX-License-Identifier: Apache-2.0 */
/* RegLess, cycle by cycle and register by register. One partition with two banks; banks have four lines unless a case says
 * more. */
#include "cached.h"
#include "one.h"

#include "sm/operands/regless/regless.h"

enum { MOST = 4000 };

static void open_regless(struct cached *x, bool comp)
{
    cached_open(x, "regless");
    cached_set(x, "regless.regs=8");
    cached_set(x, "regless.meta=false");
    cached_set(x, comp ? "regless.comp=true" : "regless.comp=false");
}

static uint32_t bar(struct cached *x) { return mini_bar(&x->m); }

/* ---- a warp's states ---- */

/* What the first warp's state was at the end of each cycle. */
struct seen {
    struct one o;
    uint8_t at[MOST];
    uint32_t n;
};

static void watch(struct cached *x, struct seen *s, uint32_t reply_cyc)
{
    memset(s, 0, sizeof *s);
    one_init(&s->o, &x->m);
    const struct regless *r = s->o.s->parts[0].operands;
    while (!s->o.ended && s->n < MOST) {
        for (; s->o.given < s->o.sent.n; s->o.given++) {
            const struct mem_req *q = &s->o.sent.at[s->o.given];
            if (q->wants_reply)
                vec_push(sm_replies(s->o.s), (struct mem_reply){.at = s->o.now + reply_cyc,
                                                                .tag = q->tag,
                                                                .sectors = q->sectors,
                                                                .kind = q->kind});
        }
        one_step(&s->o);
        s->at[s->n++] = r->warps[0].state;
    }
    assert_true(s->o.ended);
}

/* The nth change to a state: its cycle. */
static uint32_t when(const struct seen *s, enum rl_state to, uint32_t nth)
{
    for (uint32_t t = 1; t < s->n; t++)
        if (s->at[t] == to && s->at[t - 1] != to && !nth--)
            return t;
    fail_msg("state %d: not so often", to);
    return 0;
}

/* A load and its use are two regions. In the first R2 is nowhere: chosen in c, looked up in c+1, active and issued in c+2. The
 * load is the region's last instruction, so it drains until the data is written in w: pushed in w, chosen in w+1, R1 found in
 * w+2, active in w+3. */
static void transitions(void **state)
{
    struct cached *x = *state;
    struct seen *s = calloc(1, sizeof *s);
    open_regless(x, false);
    load(x, 1, 2);
    fp32(x, 3, 1, none, none);
    watch(x, s, 100);
    uint32_t pushed = when(s, RL_INACTIVE, 0), chosen = when(s, RL_PRELOADING, 0);
    assert_int_equal(chosen, pushed + 1);
    assert_int_equal(when(s, RL_DRAINING, 0), chosen + 2); /* it has become active, and issued */
    uint32_t w = when(s, RL_INACTIVE, 1);
    assert_true(w > chosen + 100);
    assert_int_equal(when(s, RL_PRELOADING, 1), w + 1);
    assert_int_equal(when(s, RL_ACTIVE, 0), w + 3);
    one_free(&s->o);
    free(s);
}

/* Four registers of one bank are looked up one after the other: three cycles more than one. */
static void one_lookup_a_cycle(void **state)
{
    struct cached *x = *state;
    struct seen *s = calloc(1, sizeof *s);
    open_regless(x, false);
    cached_set(x, "regless.regs=16");
    mini_op(&x->m, TC_FP32, none, 0, 2, 4);
    mini_op(&x->m, TC_FP32, none, 6, none, none);
    watch(x, s, 100);
    assert_int_equal(when(s, RL_ACTIVE, 0), when(s, RL_PRELOADING, 0) + 1 + 4);
    one_free(&s->o);
    free(s);
}

/* Two warps whose regions need three of the four lines of a bank cannot be active together. */
static void capacity(void **state)
{
    struct cached *x = *state;
    open_regless(x, false);
    x->m.warps = 2;
    mini_op(&x->m, TC_FP32, none, 0, 2, 4);
    cached_run(x);
    assert_true(count_of(x, stall_capacity) + count_of(x, stall_prefetch) > 0);
    counted_own(x, "regless.regions", 2);
    counted_own(x, "regless.preloads", 6);
    counted_own(x, "regless.from_absent", 6);
}

/* ---- where preloads come from ---- */

/* Writes R0, then makes three, five or more others of its bank live, then reads all again. */
static void fill_bank(struct cached *x, uint32_t others, uint8_t value)
{
    fp32(x, 0, none, none, none);
    x->m.value[x->m.n - 1] = value;
    for (uint32_t i = 1; i <= others; i++) {
        bar(x);
        fp32(x, (int)(2 * i), none, none, none);
        x->m.value[x->m.n - 1] = value;
    }
    for (uint32_t i = 0; i <= others; i++) {
        bar(x);
        fp32(x, none, (int)(2 * i), none, none);
    }
}

/* With four lines all stay. */
static void from_osu(void **state)
{
    struct cached *x = *state;
    open_regless(x, false);
    fill_bank(x, 3, TV_OTHER);
    cached_run(x);
    counted_own(x, "regless.preloads", 4);
    counted_own(x, "regless.from_osu", 4);
    counted_own(x, "regless.erased", 4);
    counted_own(x, "regless.evicted_dirty", 0);
    counted_own(x, "regless.l1_writes", 0);
}

/* A fifth register takes R0's line, the oldest dirty one, which goes to L1. Each read is the last, so its line is free when the
 * next one is brought: R0 takes the line of R2, which is the oldest then, and nothing is free yet; R2 then finds a free one. */
static void from_l1(void **state)
{
    struct cached *x = *state;
    open_regless(x, false);
    fill_bank(x, 4, TV_OTHER);
    cached_run(x);
    counted_own(x, "regless.preloads", 5);
    counted_own(x, "regless.from_osu", 3);
    counted_own(x, "regless.from_l1", 2); /* R0, and R2 whose line it took */
    counted_own(x, "regless.evicted_dirty", 2);
    counted_own(x, "regless.l1_writes", 2);
    counted_own(x, "regless.l1_reads", 2);
    counted_own(x, "regless.l1_drops", 0); /* given up in the lookup that reads */
    counted_own(x, "regless.erased", 5);
}

/* The same with patterns: they stay in the compressor, and L1 is not asked. */
static void from_comp(void **state)
{
    struct cached *x = *state;
    for (uint8_t v = TV_CONST; v < TV_COUNT; v++) {
        open_regless(x, true);
        fill_bank(x, 4, v);
        cached_run(x);
        counted_own(x, "regless.from_comp", 2);
        counted_own(x, "regless.compressed", 2);
        counted_own(x, "regless.l1_reads", 0);
        counted_own(x, "regless.l1_writes", 0);
    }
}

/* A compressed register is there in three cycles, a plain one in one and what L1 takes: 30 from a load to its user, of which two
 * are the way of an instruction to its unit. Without a compressor the one is saved. */
static void latencies(void **state)
{
    struct cached *x = *state;
    static const struct {
        bool comp;
        uint8_t value;
        uint32_t cyc;
    } rows[] = {{true, TV_CONST, 3}, {true, TV_OTHER, 1 + 28}, {false, TV_OTHER, 28}};
    for (uint32_t i = 0; i < 3; i++) {
        struct seen *s = calloc(1, sizeof *s);
        open_regless(x, rows[i].comp);
        fill_bank(x, 4, rows[i].value);
        fp32(x, 1, none, none, none); /* some class, so that the trace has one */
        x->m.value[x->m.n - 1] = TV_CONST;
        watch(x, s, 100);
        /* Five regions that write, then that which reads R0. */
        uint32_t chosen = when(s, RL_PRELOADING, 5);
        assert_int_equal(when(s, RL_ACTIVE, 5), chosen + 1 + rows[i].cyc + 1);
        one_free(&s->o);
        free(s);
    }
}

/* ---- lines ---- */

/* Free lines go first, then clean, then dirty, each by age. R0 and R2 are brought back from L1 and stay clean behind their
 * reads, as they are read once more; R4 and R6 are dirty and older than them. What comes next takes R0's line. */
static void order_of_lists(void **state)
{
    struct cached *x = *state;
    struct seen *s = calloc(1, sizeof *s);
    open_regless(x, false);
    fill_bank(x, 3, TV_OTHER);
    x->m.n -= 8; /* writes only: R0, R2, R4, R6 are dirty, in this order */
    bar(x);
    fp32(x, 8, none, none, none); /* takes R0's line */
    bar(x);
    fp32(x, none, 0, none, none); /* takes R2's; R0 is clean from then on */
    bar(x);
    fp32(x, 10, none, none, none); /* a clean one goes before dirty ones: R0's */
    bar(x);
    for (int r = 0; r <= 10; r += 2) {
        fp32(x, none, r, none, none);
        bar(x);
    }
    watch(x, s, 100);
    const uint64_t *n = s->o.s->stats + policy_stats_at(&operands_regless.is);
    assert_int_equal(n[RL_evicted_clean], 1);
    one_free(&s->o);
    free(s);
}

/* ---- metadata ---- */

/* Nine instructions and two preloads: one word and one for the nine; then one region of one instruction and EXIT, which needs
 * one. */
static void metadata(void **state)
{
    struct cached *x = *state;
    open_regless(x, false);
    cached_set(x, "regless.meta=true");
    cached_set(x, "regless.regs=64");
    for (int i = 0; i < 8; i++)
        fp32(x, 1, 1, 2, none);
    bar(x);
    fp32(x, none, 1, none, none);
    cached_run(x);
    counted_own(x, "regless.regions", 2);
    counted_own(x, "regless.meta_insts", 2 + 1);
    counted_own(x, "regless.region_insts", 11);
}

/* ---- refusals ---- */

static void refused(void **state)
{
    struct cached *x = *state;
    open_regless(x, true);
    fp32(x, 1, 2, none, none);
    assert_non_null(strstr(cached_refusal(x), "does not say which patterns registers hold"));
    open_regless(x, false);
    cached_set(x, "sm.banks=8");
    mini_op(&x->m, TC_FP32, none, 0, 8, none);
    assert_non_null(strstr(cached_refusal(x), "FP32) needs more registers of a bank than the 1 lines"));
    open_regless(x, false);
    cached_set(x, "sm.warp_limit=1");
    fp32(x, 1, 2, none, none);
    assert_non_null(strstr(cached_refusal(x), "sm.warp_limit"));
    open_regless(x, false);
    cached_set(x, "regless.regs=9");
    fp32(x, 1, 2, none, none);
    assert_non_null(strstr(cached_refusal(x), "does not divide"));
}

/* ---- lanes ---- */

/* Half of the lanes make the last read of R1, and the others are not there yet: it is given up when they are seen behind it. */
static void kept_for_others(void **state)
{
    struct cached *x = *state;
    open_regless(x, false);
    cached_set(x, "regless.regs=64");
    fp32(x, 1, none, none, none);
    lanes(x, fp32(x, none, 1, none, none), 0xffff);
    bar(x);
    cached_run(x);
    counted_own(x, "regless.erased", 1);
    counted_own(x, "regless.kept", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CACHED(transitions),     CACHED(one_lookup_a_cycle),
        CACHED(capacity),        CACHED(from_osu),
        CACHED(from_l1),         CACHED(from_comp),
        CACHED(latencies),       CACHED(order_of_lists),
        CACHED(metadata),        CACHED(refused),
        CACHED(kept_for_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
