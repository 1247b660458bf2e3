/* SPDX-License-Identifier: Apache-2.0 */
/* The way of single instructions (sm/watch/step.h): what is told adds up to what is counted, on every machine; comes in an order
 * that makes sense; has the cycles of a hand count; and being watched changes nothing. */
#include "mini.h"
#include "wild.h"

#include "sm/watch/step.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "play.h"

#include <cmocka.h>

enum { PARTS = 8, FLIGHTS = 4096, SMS = 8, KEPT = 64 };

/* An instruction on its way. */
struct way {
    bool open;
    uint64_t issued, last;
    uint8_t kind; /* of its last step that is none of an operand */
};

struct seen_sm {
    struct sm_observer o;
    struct way ways[PARTS][FLIGHTS];
    uint64_t n[SM_STEP_OVER + 1];
    uint64_t banked_reads, waits, banked_writes, lanes, fetched;
    uint64_t issued_at; /* the last */
};

struct seen {
    struct gpu_observer o;
    struct seen_sm *sm;
    struct sm_step kept[KEPT]; /* the first ones of SM 0 */
    uint32_t nkept;
};

static void step(struct seen_sm *m, const struct sm_step *s)
{
    m->n[s->kind]++;
    if (s->kind == SM_STEP_FETCHED)
        m->fetched += s->n;
    if (s->kind == SM_STEP_ISSUED) {
        m->lanes += (uint64_t)__builtin_popcount(s->mask);
        assert_true(s->at >= m->issued_at); /* they come by cycle */
        m->issued_at = s->at;
        assert_true(!s->unit == (s->flight == SM_STEP_NONE));
    }
    if (s->flight == SM_STEP_NONE)
        return;
    assert_true(s->part < PARTS && s->flight < FLIGHTS);
    struct way *w = &m->ways[s->part][s->flight];
    assert_true(w->open == (s->kind != SM_STEP_ISSUED));
    if (s->kind == SM_STEP_ISSUED) {
        *w = (struct way){.open = true, .issued = s->at, .last = s->at, .kind = s->kind};
        return;
    }
    if (s->kind == SM_STEP_READ) {
        m->banked_reads += s->bank != SM_STEP_NONE;
        m->waits += s->waited;
        assert_true(s->at >= w->issued && !s->from == (s->bank != SM_STEP_NONE));
        return;
    }
    if (s->kind == SM_STEP_WRITTEN) {
        m->banked_writes += s->bank != SM_STEP_NONE;
        assert_int_equal(w->kind, SM_STEP_RESULT);
        return;
    }
    assert_true(s->kind > w->kind || (s->kind == SM_STEP_LEFT && w->kind == SM_STEP_STARTED));
    assert_true(s->at >= w->last);
    w->kind = s->kind == SM_STEP_LEFT && w->kind == SM_STEP_STARTED ? w->kind : s->kind;
    w->last = s->at;
    w->open = s->kind != SM_STEP_OVER;
}

static void on_step(void *ctx, const struct sm_step *s) { step(ctx, s); }

static void on_first(void *ctx, const struct sm_step *s)
{
    struct seen *all = ctx;
    if (all->nkept < KEPT)
        all->kept[all->nkept++] = *s;
}

static void cta_begin(void *ctx, uint32_t slot, uint64_t at, uint32_t tenant, uint32_t launch, uint32_t cta)
{
    (void)ctx, (void)slot, (void)at, (void)tenant, (void)launch, (void)cta;
}
static void cta_end(void *ctx, uint32_t slot, uint64_t at) { (void)ctx, (void)slot, (void)at; }
static void load(void *ctx, const struct sm_load *l) { (void)ctx, (void)l; }
static void kernel(void *ctx, const struct gpu_kernel_result *k) { (void)ctx, (void)k; }
static void window(void *ctx, uint64_t until) { (void)ctx, (void)until; }
static void sample(void *ctx, const struct gpu_sample *s) { (void)ctx, (void)s; }

static const struct sm_observer *of_sm(void *ctx, uint32_t sm)
{
    struct seen *all = ctx;
    assert_true(sm < SMS);
    struct seen_sm *s = &all->sm[sm];
    s->o = (struct sm_observer){
        .ctx = s, .cta_begin = cta_begin, .cta_end = cta_end, .load = load, .step = on_step};
    return &s->o;
}

static void seen_init(struct seen *s)
{
    *s = (struct seen){.sm = xcalloc(SMS, sizeof *s->sm)};
    s->o = (struct gpu_observer){.ctx = s,
                                 .any_order = true,
                                 .sample_cyc = UINT32_MAX,
                                 .sm = of_sm,
                                 .kernel = kernel,
                                 .window = window,
                                 .sample = sample};
}

static void adds_up(const struct seen *s, const struct gpu_conf *c, const struct gpu_result *r)
{
    uint64_t n[SM_STEP_OVER + 1] = {0}, reads = 0, waits = 0, writes = 0, lanes = 0, fetched = 0;
    for (uint32_t i = 0; i < c->gpu.sms; i++) {
        const struct seen_sm *m = &s->sm[i];
        for (uint32_t k = 0; k <= SM_STEP_OVER; k++)
            n[k] += m->n[k];
        reads += m->banked_reads;
        waits += m->waits;
        writes += m->banked_writes;
        lanes += m->lanes;
        fetched += m->fetched;
        for (uint32_t p = 0; p < PARTS; p++)
            for (uint32_t f = 0; f < FLIGHTS; f++)
                assert_false(m->ways[p][f].open);
    }
    assert_int_equal(n[SM_STEP_ISSUED], r->sm[SS_warp_insts]);
    assert_int_equal(lanes, r->sm[SS_thread_insts]);
    assert_int_equal(fetched, r->sm[SS_warp_insts]);
    assert_int_equal(n[SM_STEP_RESULT], n[SM_STEP_OVER]);
    assert_int_equal(n[SM_STEP_STARTED], n[SM_STEP_OVER]);
    /* Policies that bring values by themselves read banks for that, and write what they have kept. */
    bool plain = strcmp(c->sm.operands, "collectors") == 0 || strcmp(c->sm.operands, "reuse") == 0 ||
                 strcmp(c->sm.operands, "ports") == 0 || strcmp(c->sm.operands, "bow") == 0 ||
                 strcmp(c->sm.operands, "ccu") == 0;
    assert_true(reads <= r->sm[SS_reg_reads] && writes <= r->sm[SS_reg_writes]);
    if (plain) {
        assert_int_equal(reads, r->sm[SS_reg_reads]);
        assert_int_equal(waits, r->sm[SS_reg_read_wait]);
        assert_int_equal(writes, r->sm[SS_reg_writes]);
        assert_int_equal(n[SM_STEP_READ] - reads, r->sm[SS_cache_hits]);
    }
}

static void watch(const char *path, const struct play_machine *m, uint32_t threads)
{
    struct diag d = {0};
    struct gpu_conf c;
    struct gpu_result r, plain;
    char buf[400];
    struct seen s;
    seen_init(&s);
    struct tr_reader *t = tr_open(path, &d);
    assert_true(t && play_load(&c, m, NULL, &d));
    assert_int_equal(gpu_run(&c, t, &(struct gpu_opts){.threads = threads, .watch = &s.o}, &r, &d), GPU_OK);
    adds_up(&s, &c, &r);
    assert_null(play(path, m, NULL, 1, &plain, buf, sizeof buf));
    assert_memory_equal(plain.sm, r.sm, sizeof r.sm);
    assert_memory_equal(plain.mem, r.mem, sizeof r.mem);
    gpu_result_free(&plain);
    gpu_result_free(&r);
    conf_free(&c.conf);
    tr_free(t);
    diag_free(&d);
    free(s.sm);
}

static void every_machine(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PLAY_MACHINES; i++) {
        char path[256];
        if (play_machines[i].name == play_find("slow")->name ||
            play_machines[i].name == play_find("simple, far")->name)
            continue; /* they take long, and are like others */
        play_path(path);
        wild_write(path, 900 + i, WILD_CODE);
        watch(path, &play_machines[i], 1 + i % 2);
        unlink(path);
    }
}

/* ---- a hand count ---- */

static const struct sm_step *find(const struct seen *s, enum sm_step_kind kind, uint32_t nth)
{
    for (uint32_t i = 0; i < s->nkept; i++)
        if (s->kept[i].kind == kind && !nth--)
            return &s->kept[i];
    fail_msg("there is no such step");
    return NULL;
}

static const struct sm_observer *first_sm(void *ctx, uint32_t sm)
{
    struct seen *all = ctx;
    struct seen_sm *s = &all->sm[sm];
    s->o = (struct sm_observer){
        .ctx = all, .cta_begin = cta_begin, .cta_end = cta_end, .load = load, .step = on_first};
    return &s->o;
}

/* R8 = R2 * R4 + R5: two banks, R2 and R4 in one of them. Issued in cycle t, R2 and R5 are read at t+1, R4 at t+2; it leaves its
 * collector at t+3, a cycle later than without the conflict, and so is its result: t + latency + 1. */
static void hand_count(void **state)
{
    (void)state;
    static struct mini m;
    struct seen s;
    struct diag d = {0};
    struct gpu_result r;
    char path[256];
    seen_init(&s);
    s.o.sm = first_sm;
    mini_init(&m);
    mini_set(&m, "sm.banks=2");
    mini_op(&m, TC_FP32, 8, 2, 4, 5);
    play_path(path);
    mini_write(&m, path);
    struct tr_reader *t = tr_open(path, &d);
    assert_non_null(t);
    assert_int_equal(gpu_run(&m.conf, t, &(struct gpu_opts){.watch = &s.o}, &r, &d), GPU_OK);
    const struct sm_step *issued = find(&s, SM_STEP_ISSUED, 0);
    uint64_t at = issued->at;
    assert_int_equal(issued->place.insn, 0);
    assert_int_equal(issued->mask, ~0u);
    assert_string_equal(issued->unit, "FP32");
    assert_true(find(&s, SM_STEP_FETCHED, 0)->at <= at);
    assert_int_equal(find(&s, SM_STEP_COLLECTS, 0)->at, at);
    static const struct {
        uint8_t reg;
        uint32_t late, waited;
    } want[] = {{2, 1, 0}, {5, 1, 0}, {4, 2, 1}};
    for (uint32_t i = 0; i < 3; i++) {
        const struct sm_step *read = find(&s, SM_STEP_READ, i);
        assert_int_equal(read->reg, want[i].reg);
        assert_int_equal(read->bank, want[i].reg % 2);
        assert_int_equal(read->at, at + want[i].late);
        assert_int_equal(read->waited, want[i].waited);
    }
    assert_int_equal(find(&s, SM_STEP_LEFT, 0)->at, at + 3);
    assert_int_equal(find(&s, SM_STEP_STARTED, 0)->at, at + 3);
    assert_int_equal(find(&s, SM_STEP_RESULT, 0)->at, at + m.conf.lat.FP32 + 1);
    assert_int_equal(find(&s, SM_STEP_WRITTEN, 0)->reg, 8);
    assert_int_equal(find(&s, SM_STEP_WRITTEN, 0)->at, at + m.conf.lat.FP32 + 1);
    assert_int_equal(find(&s, SM_STEP_OVER, 0)->at, at + m.conf.lat.FP32 + 1);
    gpu_result_free(&r);
    tr_free(t);
    unlink(path);
    mini_free(&m);
    diag_free(&d);
    free(s.sm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_machine), cmocka_unit_test(hand_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
