/* SPDX-License-Identifier: Apache-2.0 */
/* Ways of sharing a GPU: who gets which SM and when, what it costs to move, programs that begin again, runs that are cut.
 * Scavenger with constants so small that everything it does happens in random traces, several times.
 *
 *   test_gpu_share              some pairs (part of `make test`)
 *   test_gpu_share FROM TO      those seeds */
#include "one.h"
#include "wild.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "play.h"

#include <cmocka.h>

enum { PAIR = 2, SMS = 16 };

/* ---- two micro-kernels, and where their CTAs went ---- */

struct seen {
    struct sm_observer sm[SMS];
    struct where {
        struct seen *all;
        uint32_t sm;
    } where[SMS];
    uint32_t ctas[PAIR][SMS], here[PAIR][SMS], most[PAIR][SMS];
    uint32_t slot[SMS][64]; /* tenant */
    bool together;          /* both were on one SM at a time */
};

static void on_cycles(void *ctx, uint32_t scheduler, uint64_t from, uint64_t to, enum sm_stat cause)
{
    (void)ctx, (void)scheduler, (void)from, (void)to, (void)cause;
}
static void on_load(void *ctx, const struct sm_load *l) { (void)ctx, (void)l; }
static void on_begin(void *ctx, uint32_t slot, uint64_t at, uint32_t tenant, uint32_t launch, uint32_t cta)
{
    struct where *w = ctx;
    struct seen *s = w->all;
    (void)at, (void)launch, (void)cta;
    s->ctas[tenant][w->sm]++;
    s->slot[w->sm][slot] = tenant;
    if (++s->here[tenant][w->sm] > s->most[tenant][w->sm])
        s->most[tenant][w->sm] = s->here[tenant][w->sm];
    s->together |= s->here[0][w->sm] && s->here[1][w->sm];
}
static void on_end(void *ctx, uint32_t slot, uint64_t at)
{
    struct where *w = ctx;
    (void)at;
    w->all->here[w->all->slot[w->sm][slot]][w->sm]--;
}
static void on_kernel(void *ctx, const struct gpu_kernel_result *k) { (void)ctx, (void)k; }
static void on_window(void *ctx, uint64_t until) { (void)ctx, (void)until; }
static const struct sm_observer *on_sm(void *ctx, uint32_t sm) { return &((struct seen *)ctx)->sm[sm]; }

static void watch(struct seen *s)
{
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < SMS; i++) {
        s->where[i] = (struct where){s, i};
        s->sm[i] = (struct sm_observer){.ctx = &s->where[i],
                                        .cycles = on_cycles,
                                        .cta_begin = on_begin,
                                        .cta_end = on_end,
                                        .load = on_load};
    }
}

/* CTAs of 8 warps that compute for a while. */
static void busy(struct mini *m, uint32_t ctas, uint32_t insns)
{
    mini_init(m);
    m->warps = 8;
    m->ctas = ctas;
    for (uint32_t i = 0; i < insns; i++)
        mini_op(m, TC_FP32, 2, 2, 3, MINI_NONE);
}

struct two {
    struct mini m;
    char path[PAIR][256];
    struct gpu_tenant t[PAIR];
    struct seen seen;
};

static void two_init_long(struct two *x, uint32_t first, uint32_t second, uint32_t insns)
{
    struct diag d = {0};
    const uint32_t ctas[PAIR] = {first, second};
    busy(&x->m, first, insns);
    for (uint32_t i = 0; i < PAIR; i++) {
        play_path(x->path[i]);
        x->m.ctas = ctas[i];
        mini_write(&x->m, x->path[i]);
        x->m.n--; /* the EXIT that it has written */
        x->t[i] = (struct gpu_tenant){.trace = tr_open(x->path[i], &d)};
        assert_non_null(x->t[i].trace);
    }
    watch(&x->seen);
}

static void two_init(struct two *x, uint32_t first, uint32_t second) { two_init_long(x, first, second, 200); }

static void two_run(struct two *x, struct gpu_result *r)
{
    struct diag d = {0};
    const struct gpu_observer o = {
        .ctx = &x->seen, .sample_cyc = UINT32_MAX, .sm = on_sm, .kernel = on_kernel, .window = on_window};
    enum gpu_status s =
        gpu_corun(&x->m.conf, x->t, PAIR, &(struct gpu_opts){.check = true, .watch = &o}, r, &d);
    diag_print(&d, stderr);
    assert_int_equal(s, GPU_OK);
    diag_free(&d);
}

static void two_free(struct two *x)
{
    for (uint32_t i = 0; i < PAIR; i++) {
        tr_free(x->t[i].trace);
        unlink(x->path[i]);
    }
    mini_free(&x->m);
}

/* Nine of ten SMs, rounded up, are the first program's. */
static void by_sm(void **state)
{
    (void)state;
    struct two x;
    struct gpu_result r;
    two_init(&x, 60, 20);
    mini_set(&x.m, "gpu.sms=11");
    mini_set(&x.m, "gpu.share=spatial");
    two_run(&x, &r);
    for (uint32_t i = 0; i < 11; i++) {
        assert_int_equal(x.seen.ctas[0][i] > 0, i < 10);
        assert_int_equal(x.seen.ctas[1][i], i < 10 ? 0 : 20);
    }
    gpu_result_free(&r);
    struct diag d = {0};
    mini_set(&x.m, "gpu.sms=1");
    assert_int_equal(gpu_corun(&x.m.conf, x.t, PAIR, &(struct gpu_opts){0}, &r, &d), GPU_REFUSED);
    assert_string_equal(d.msg[0].text, "gpu.share = spatial: 2 programs need an SM each, and gpu.sms = 1");
    diag_free(&d);
    gpu_result_free(&r);
    two_free(&x);
}

/* 64 warps: four CTAs of eight for each, though there is room for eight. */
static void by_halves(void **state)
{
    (void)state;
    struct two x;
    struct gpu_result r;
    two_init(&x, 40, 40);
    mini_set(&x.m, "gpu.share=smk");
    two_run(&x, &r);
    assert_int_equal(x.seen.most[0][0], 4);
    assert_int_equal(x.seen.most[1][0], 4);
    assert_true(x.seen.together);
    assert_int_equal(r.sm[SS_ctas], 80);
    gpu_result_free(&r);
    two_free(&x);
}

/* One after the other: neither begins where the other is, and each is parked when its slice ends. */
static void by_time(void **state)
{
    (void)state;
    struct two x;
    struct gpu_result r;
    two_init(&x, 100, 20);
    mini_set(&x.m, "gpu.share=temporal");
    mini_set(&x.m, "share.target=0.75");
    mini_set(&x.m, "share.slice_cyc=20000");
    mini_set(&x.m, "share.switch_b=1024");
    two_run(&x, &r);
    assert_false(x.seen.together);
    assert_true(r.sm[SS_ctas_parked] > 4);
    assert_int_equal(r.sm[SS_ctas], 120);
    assert_int_equal(r.tenants.at[0].sm[SS_ctas_parked] + r.tenants.at[1].sm[SS_ctas_parked],
                     r.sm[SS_ctas_parked]);
    /* What has left has come back: 8 warps of 32 registers are 32 KiB, each way. Others were about to when their slice came. */
    assert_true(r.sm[SS_switch_b] >= r.sm[SS_ctas_parked] * 2 * 8 * 32 * 128);
    gpu_result_free(&r);
    two_free(&x);
}

/* The second begins again until the first has ended. */
static void begins_again(void **state)
{
    (void)state;
    struct two x;
    struct gpu_result r;
    two_init(&x, 80, 2);
    x.t[1].repeats = true;
    mini_set(&x.m, "gpu.share=smk");
    two_run(&x, &r);
    assert_int_equal(r.tenants.at[0].passes, 1);
    assert_true(r.tenants.at[1].passes > 3);
    assert_int_equal(r.tenants.at[0].sm[SS_ctas], 80);
    assert_true(r.tenants.at[1].sm[SS_ctas] >= 2 * r.tenants.at[1].passes);
    assert_false(r.cut);
    uint32_t pass = 0;
    vec_each (&r.kernels, k) {
        if (k->tenant == 1)
            assert_int_equal(k->pass, pass++);
        assert_true(k->end > k->start && k->end <= r.cycles);
    }
    assert_true(r.tenants.at[0].cycles <= r.cycles);
    gpu_result_free(&r);
    two_free(&x);
}

/* A run that is cut is the beginning of one that is not. */
static void is_cut(void **state)
{
    (void)state;
    struct gpu_result r[3];
    for (uint32_t i = 0; i < 3; i++) {
        struct two x;
        two_init(&x, 80, 20);
        mini_set(&x.m, "gpu.share=smk");
        mini_set(&x.m, i == 1 ? "gpu.insts=100000" : i == 2 ? "gpu.most_cyc=4000000" : "gpu.insts=0");
        two_run(&x, &r[i]);
        assert_int_equal(r[i].cut, i == 1);
        uint64_t causes = 0;
        for (uint32_t k = SS_issued; k <= SS_stall_drained; k++)
            causes += r[i].sm[k];
        assert_int_equal(causes, r[i].sm[SS_cycles]);
        two_free(&x);
    }
    uint64_t n = r[1].tenants.at[0].sm[SS_thread_insts];
    assert_true(n >= 100000 && n < 100000 + 20 * 4 * TR_LANES); /* a window more */
    assert_true(r[1].cycles < r[0].cycles);
    assert_int_equal(r[2].cycles, r[0].cycles); /* it ended before */
    assert_int_equal(r[2].tenants.at[0].progress.n, (r[2].cycles + 19) / 20 * 20 / GPU_PROGRESS_CYC);
    for (uint32_t i = 0; i < 3; i++)
        gpu_result_free(&r[i]);
}

/* ---- what a move costs ---- */

static enum sm_cta_state state_of(const struct one *o)
{
    struct sm_cta_info all[4];
    assert_int_equal(sm_ctas(o->s, all, 4), 1);
    return all[0].state;
}

/* 2 warps x 32 registers x 128 B are 64 lines. At 12 B a cycle the last leaves 63 x 128 / 12 = 672 cycles after the first, and
 * the CTA gives back its place then and not before. It goes on when the last line has come back. */
static void costs(void **state)
{
    (void)state;
    struct mini m;
    struct one o;
    const struct sm_cta_id id = {0, 0, 0};
    mini_init(&m);
    mini_set(&m, "share.switch_b=12");
    mini_set(&m, "sm.request_b=32");
    m.warps = 2;
    for (uint32_t i = 0; i < 100; i++)
        mini_op(&m, TC_FP32, 2, 2, 3, MINI_NONE);
    one_init(&o, &m);
    while (sm_issued(o.s) < 50)
        one_step(&o);
    assert_true(sm_park(o.s, o.now, id));
    while (state_of(&o) == SM_CTA_LEAVES) {
        assert_true(o.sent.n <= 64);
        one_step(&o);
        sm_settle(o.s, o.now);
        assert_true(o.now < 10000);
    }
    assert_int_equal(o.sent.n, 64);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(o.sent.at[i].kind, MEM_WRITE);
        assert_int_equal(o.sent.at[i].bytes, LINE_B);
    }
    assert_int_equal(o.sent.at[63].at - o.sent.at[0].at, 672);
    uint64_t issued = sm_issued(o.s);
    assert_true(sm_resume(o.s, o.now, id));
    sm_settle(o.s, o.now);
    assert_int_equal(state_of(&o), SM_CTA_LOADS);
    while (o.sent.n < 128) {
        one_step(&o);
        assert_true(o.now < 10000);
    }
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(o.sent.at[64 + i].kind, MEM_READ);
        assert_int_equal(o.sent.at[64 + i].line, o.sent.at[i].line);
    }
    assert_int_equal(o.sent.at[127].at - o.sent.at[64].at, 672);
    assert_int_equal(sm_issued(o.s), issued);
    one_answer(&o, 63);
    for (uint32_t i = 0; i < 500; i++)
        one_step(&o);
    assert_int_equal(state_of(&o), SM_CTA_LOADS);
    assert_int_equal(sm_issued(o.s), issued);
    one_finish(&o, 10);
    assert_int_equal(sm_issued(o.s), 2 * 101);
    assert_int_equal(o.s->stats[SS_switch_b], 2 * 64 * LINE_B);
    one_free(&o);
    mini_free(&m);
}

/* ---- Scavenger on random traces ---- */

/* Intervals of a few hundred cycles; whatever its means are, a profile ends; one in two seeds is never content and gives up. */
static const char *const small[] = {
    "gpu.share=quota",
    "sm.tenant=scavenger",
    "sm.lsu=coalescer",
    "share.profile_cyc=128",
    "share.settled_cyc=0",
    "share.run_most_cyc=700",
    "share.window=4",
    "share.phase_cyc=64",
    "share.pcs_cyc=256",
    "share.ctas_cyc=128",
    "share.profile_most_cyc=2000",
    "share.give_up_cyc=320",
    "share.alone_cyc=256",
    "share.short_cyc=200",
    "share.long_cyc=400",
    "share.lanes=1",
    "share.lines=0.5",
    "share.requests=40",
};

static void load(struct gpu_conf *c, const struct play_machine *m, uint32_t kind, uint64_t seed)
{
    struct diag d = {0};
    static const char *const own[][2] = {{"share.tolerance=1", "share.give_up=1"},
                                         {"share.tolerance=0.3", "share.give_up=0.5"}};
    static const char *const switches[] = {"share.switch_b=0", "share.switch_b=12", "share.switch_b=200"};
    bool ok = play_load(c, m, NULL, &d);
    for (uint32_t i = 0; i < sizeof small / sizeof small[0]; i++)
        ok = ok && conf_set(&c->conf, small[i], CONF_USER, &d);
    for (uint32_t i = 0; i < 2; i++)
        ok = ok && conf_set(&c->conf, own[kind][i], CONF_USER, &d);
    ok = ok && conf_set(&c->conf, switches[seed % 3], CONF_USER, &d) &&
         conf_set(&c->conf, seed % 4 < 2 ? "sm.store_acks=true" : "sm.store_acks=false", CONF_USER, &d);
    diag_print(&d, stderr);
    diag_free(&d);
    assert_true(ok);
}

struct total {
    uint64_t parked, runs, alone, stalls;
};

static uint64_t counter(const struct gpu_result *r, const char *name)
{
    const struct stat_table *t;
    const uint64_t *v;
    for (uint32_t i = 0; (t = gpu_stats(i, r, &v)); i++)
        for (uint32_t k = 0; strcmp(t->section, "scavenger") == 0 && k < t->n; k++)
            if (strcmp(t->rows[k].name, name) == 0)
                return v[k];
    fail_msg("no counter %s", name);
    return 0;
}

static void pair_on(const struct play_machine *m, uint32_t kind, uint64_t seed, struct total *sum)
{
    static const enum wild_kind kinds[] = {WILD_ANY, WILD_CODE, WILD_BLOCKS, WILD_MEMORY, WILD_ATOMICS};
    char path[PAIR][256];
    struct gpu_tenant t[PAIR];
    struct play_want want[PAIR];
    struct gpu_result r[3];
    struct diag d = {0};
    for (uint32_t i = 0; i < PAIR; i++) {
        play_path(path[i]);
        wild_write(path[i], 2 * seed + i, kinds[(seed + 2 * i) % 5]);
        t[i] = (struct gpu_tenant){.trace = tr_open(path[i], &d)};
        want[i] = play_count(t[i].trace);
    }
    for (uint32_t i = 0; i < 3; i++) {
        struct gpu_conf c;
        load(&c, m, kind, seed);
        c.sm.sleep = i != 1;
        enum gpu_status s =
            gpu_corun(&c, t, PAIR, &(struct gpu_opts){.threads = i == 2 ? 2 : 1, .check = true}, &r[i], &d);
        diag_print(&d, stderr);
        if (s != GPU_OK || r[i].cycles != r->cycles || memcmp(r[i].sm, r->sm, sizeof r->sm) != 0)
            for (uint32_t k = 0; k < SM_STATS; k++)
                if (r[i].sm[k] != r->sm[k])
                    fprintf(stderr, "%s: %llu, then %llu\n", k < SS_COUNT ? sm_stats.rows[k].name : "?",
                            (unsigned long long)r->sm[k], (unsigned long long)r[i].sm[k]);
        if (s != GPU_OK || r[i].cycles != r->cycles || memcmp(r[i].sm, r->sm, sizeof r->sm) != 0)
            fail_msg("seed %llu on %s: %s", (unsigned long long)seed, m->name,
                     s != GPU_OK ? "it does not end"
                     : i == 1    ? "it is another without sleep"
                                 : "it is another on two threads");
        uint64_t causes = 0;
        for (uint32_t k = SS_issued; k <= SS_stall_drained; k++)
            causes += r[i].sm[k];
        assert_int_equal(causes, r[i].sm[SS_cycles]);
        for (uint32_t k = 0; k < PAIR; k++) {
            assert_int_equal(r[i].tenants.at[k].sm[SS_warp_insts], want[k].insts);
            assert_int_equal(r[i].tenants.at[k].sm[SS_thread_insts], want[k].threads);
            assert_int_equal(r[i].tenants.at[k].sm[SS_ctas], want[k].ctas);
        }
        conf_free(&c.conf);
    }
    sum->parked += r->sm[SS_ctas_parked];
    sum->runs += counter(r, "run_cycles") > 0;
    sum->alone += counter(r, "profiles_gave_up");
    sum->stalls += r->sm[SS_stall_tenant];
    for (uint32_t i = 0; i < 3; i++)
        gpu_result_free(&r[i]);
    for (uint32_t i = 0; i < PAIR; i++) {
        tr_free(t[i].trace);
        unlink(path[i]);
    }
    diag_free(&d);
}

static void one_pair(uint64_t seed, struct total *sum)
{
    pair_on(&play_machines[seed % PLAY_MACHINES], seed / PLAY_MACHINES % 2, seed, sum);
}

static void scavenger_pairs(void **state)
{
    (void)state;
    struct total sum = {0};
    for (uint64_t seed = 0; seed < 2 * PLAY_MACHINES; seed += TEST_EACH)
        one_pair(seed, &sum);
    /* With regless: an instruction of no lane took a register's place from what was below; a warp of one instruction was not
     * looked at again. */
    pair_on(play_find("regless, tight"), 0, 2547, &sum);
    pair_on(play_find("regless without compressor"), 0, 4132, &sum);
    assert_true(sum.parked > 50 && sum.runs > 10 && sum.alone > 0 && sum.stalls > 1000);
}

/* A run interval begins with all warps of both: where the controllers do nothing, nobody is limited. The first fills the SM with
 * the only CTAs it has, and has to give up one of them. */
static void begins_with_all(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "gpu.share=quota",      "sm.tenant=scavenger",    "share.profile_cyc=128",
        "share.settled_cyc=0",  "share.tolerance=1",      "share.warp_gain=0",
        "share.request_gain=0", "share.ctas_cyc=1000000", "share.give_up_cyc=10000000",
        "share.switch_b=1024",  "share.pcs=65536",        "share.run_most_cyc=10000000",
        "sm.wsched=lrr"};
    struct two x;
    struct gpu_result r;
    two_init_long(&x, 8, 1, 2000);
    x.t[1].repeats = true;
    for (uint32_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        mini_set(&x.m, sets[i]);
    two_run(&x, &r);
    assert_true(counter(&r, "run_cycles") > r.cycles / 2);
    /* Seven CTAs of the same kind beside it. */
    if (r.tenants.at[1].sm[SS_warp_insts] * 20 <= r.tenants.at[0].sm[SS_warp_insts])
        fail_msg("%llu instructions beside %llu", (unsigned long long)r.tenants.at[1].sm[SS_warp_insts],
                 (unsigned long long)r.tenants.at[0].sm[SS_warp_insts]);
    gpu_result_free(&r);
    two_free(&x);
}

/* With nobody beside it a program is as fast as alone, whatever Scavenger looks at. */
static void scavenger_of_one(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct gpu_conf c;
        struct gpu_result alone, one;
        struct diag d = {0};
        char path[256];
        play_path(path);
        wild_write(path, seed, seed % 2 ? WILD_MEMORY : WILD_CODE);
        struct tr_reader *t = tr_open(path, &d);
        load(&c, &play_machines[seed % PLAY_MACHINES], 0, seed);
        assert_int_equal(gpu_run(&c, t, &(struct gpu_opts){.check = true}, &one, &d), GPU_OK);
        c.gpu.share = "alone";
        c.sm.tenant = "free";
        assert_int_equal(gpu_run(&c, t, &(struct gpu_opts){.check = true}, &alone, &d), GPU_OK);
        assert_int_equal(one.cycles, alone.cycles);
        assert_memory_equal(one.sm, alone.sm, SS_COUNT * sizeof *one.sm);
        assert_memory_equal(one.mem, alone.mem, sizeof one.mem);
        gpu_result_free(&one);
        gpu_result_free(&alone);
        conf_free(&c.conf);
        tr_free(t);
        unlink(path);
    }
}

static void is_for_two(void **state)
{
    (void)state;
    struct two x;
    struct gpu_result r;
    struct diag d = {0};
    two_init(&x, 4, 4);
    struct gpu_tenant three[] = {x.t[0], x.t[1], x.t[1]};
    mini_set(&x.m, "gpu.share=quota");
    mini_set(&x.m, "sm.tenant=scavenger");
    assert_int_equal(gpu_corun(&x.m.conf, three, 3, &(struct gpu_opts){0}, &r, &d), GPU_REFUSED);
    assert_string_equal(d.msg[0].text, "sm.tenant = scavenger shares an SM among 2 programs, not 3");
    diag_free(&d);
    gpu_result_free(&r);
    d = (struct diag){0};
    mini_set(&x.m, "gpu.share=alone");
    assert_int_equal(gpu_corun(&x.m.conf, x.t, 2, &(struct gpu_opts){0}, &r, &d), GPU_REFUSED);
    diag_free(&d);
    gpu_result_free(&r);
    two_free(&x);
}

int main(int argc, char **argv)
{
    struct total sum = {0};
    for (uint64_t seed = argc > 2 ? strtoull(argv[1], NULL, 10) : 1,
                  to = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
         seed <= to; seed++)
        one_pair(seed, &sum);
    if (argc > 2) {
        printf("%llu CTAs parked, %llu pairs with run intervals, given up %llu times\n",
               (unsigned long long)sum.parked, (unsigned long long)sum.runs, (unsigned long long)sum.alone);
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_sm),           cmocka_unit_test(by_halves),
                                       cmocka_unit_test(by_time),         cmocka_unit_test(begins_again),
                                       cmocka_unit_test(is_cut),          cmocka_unit_test(costs),
                                       cmocka_unit_test(scavenger_pairs), cmocka_unit_test(scavenger_of_one),
                                       cmocka_unit_test(is_for_two),      cmocka_unit_test(begins_with_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
