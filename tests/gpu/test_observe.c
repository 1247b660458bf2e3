/* SPDX-License-Identifier: Apache-2.0 */
/* Observers: what they are told agrees with what is counted, and being watched changes nothing. */
#include "mini.h"
#include "wild.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "play.h"

#include <cmocka.h>

enum { SCHEDULERS = 64, SMS = 4 };

/* A byte for each cycle. */
typedef VEC(uint8_t) bitmap;

static void mark(bitmap *m, uint64_t from, uint64_t to)
{
    while (m->n < to)
        vec_push(m, 0);
    for (uint64_t t = from; t < to; t++)
        m->at[t] = 1;
}

struct seen_sm {
    struct sm_observer o;
    uint64_t until[SCHEDULERS]; /* end of the last span */
    uint64_t causes[SS_COUNT];
    struct sm_charged blamed, nowhere; /* by instruction, or by none */
    struct tr_reader *trace;
    uint64_t begun, ended, loads, load_cycles;
    uint64_t open; /* CTA slots */
    bitmap busy;   /* cycles in which a scheduler had a warp */
};

struct seen {
    struct gpu_observer o;
    struct seen_sm sm[SMS];
    struct tr_reader *trace;
    bitmap running;        /* cycles in which a kernel runs */
    uint64_t last_outside; /* stall_launch of the last sample */
    uint64_t kernels, kernel_end, window, samples, sampled, insts;
};

static void cycles(void *ctx, uint32_t scheduler, uint64_t from, uint64_t to, enum sm_stat cause)
{
    struct seen_sm *s = ctx;
    assert_true(scheduler < SCHEDULERS && from < to);
    assert_int_equal(from, s->until[scheduler]); /* no gap, no overlap */
    s->until[scheduler] = to;
    s->causes[cause] += to - from;
    if (cause != SS_stall_no_warp)
        mark(&s->busy, from, to);
}

static void cta_begin(void *ctx, uint32_t slot, uint64_t at, uint32_t tenant, uint32_t launch, uint32_t cta)
{
    struct seen_sm *s = ctx;
    (void)at;
    (void)tenant;
    (void)launch;
    (void)cta;
    assert_false(s->open >> slot & 1);
    s->open |= 1ull << slot;
    s->begun++;
}

static void cta_end(void *ctx, uint32_t slot, uint64_t at)
{
    struct seen_sm *s = ctx;
    (void)at;
    assert_true(s->open >> slot & 1);
    s->open &= ~(1ull << slot);
    s->ended++;
}

static void load(void *ctx, const struct sm_load *l)
{
    struct seen_sm *s = ctx;
    assert_true(l->from < l->to && l->lines);
    assert_true(l->line && l->line % LINE_B == 0);
    s->loads++;
    s->load_cycles += l->to - l->from;
}

static void add(struct sm_charged *to, const struct sm_charged *c)
{
    stat_add(to->causes, c->causes, SM_CAUSES);
    to->lanes += c->lanes;
    to->bank_conflicts += c->bank_conflicts;
    to->read_wait += c->read_wait;
    to->shared_conflicts += c->shared_conflicts;
}

static void charged(void *ctx, const struct sm_charged *sum, const struct sm_place *at)
{
    struct seen_sm *s = ctx;
    if (at->kernel == SM_NOWHERE) {
        add(&s->nowhere, sum);
        return;
    }
    const struct tr_kernel *k = tr_kernel(s->trace, at->kernel);
    assert_true(at->kernel < tr_nkernels(s->trace) && at->insn < k->n);
    assert_true(sum->lanes <= sum->causes[0] * TR_LANES);
    add(&s->blamed, sum);
}

static const struct sm_observer *of_sm(void *ctx, uint32_t sm)
{
    struct seen_sm *s = &((struct seen *)ctx)->sm[sm];
    s->trace = ((struct seen *)ctx)->trace;
    s->o = (struct sm_observer){.ctx = s,
                                .cycles = cycles,
                                .cta_begin = cta_begin,
                                .cta_end = cta_end,
                                .load = load,
                                .charged = charged};
    return &s->o;
}

static void kernel(void *ctx, const struct gpu_kernel_result *k)
{
    struct seen *s = ctx;
    assert_true(k->start <= k->begin && k->begin <= k->end);
    s->kernels++;
    s->kernel_end = k->end > s->kernel_end ? k->end : s->kernel_end;
    mark(&s->running, k->begin, k->end);
}

/* What the GPU has made of it: kernel cycles, and outside of them no scheduler with a warp. */
static void check_running(const struct seen *s, const struct gpu_conf *c, const struct gpu_result *r)
{
    uint64_t cycles = 0;
    for (uint32_t t = 0; t < s->running.n; t++)
        cycles += s->running.at[t];
    assert_int_equal(cycles, r->kernel_cycles);
    assert_int_equal(r->sm[SS_stall_launch],
                     (r->cycles - cycles) * c->gpu.sms * c->sm.partitions * c->sm.schedulers);
    for (uint32_t i = 0; i < c->gpu.sms; i++)
        for (uint32_t t = 0; t < s->sm[i].busy.n; t++)
            assert_true(!s->sm[i].busy.at[t] || (t < s->running.n && s->running.at[t]));
}

static void window(void *ctx, uint64_t until)
{
    struct seen *s = ctx;
    assert_true(until > s->window);
    s->window = until;
}

static void sample(void *ctx, const struct gpu_sample *now)
{
    struct seen *s = ctx;
    const uint64_t *sm = now->sm, at = now->at;
    assert_int_equal(now->thread_insts[0], sm[SS_thread_insts]);
    assert_true(at >= s->window && at > s->sampled);
    s->sampled = at;
    assert_true(sm[SS_warp_insts] >= s->insts);
    s->insts = sm[SS_warp_insts];
    s->samples++;
    assert_true(sm[SS_stall_launch] >= s->last_outside);
    s->last_outside = sm[SS_stall_launch];
    uint64_t charged = 0;
    for (uint32_t i = SS_issued; i <= SS_stall_drained; i++)
        charged += sm[i];
    assert_int_equal(charged, sm[SS_cycles]); /* also of those who sleep */
}

/* any_order: SMs may tell of cycles that others have yet to come to. What they tell is the same. */
static void watch(const char *path, const struct play_machine *m, uint32_t threads, bool any_order)
{
    struct diag d = {0};
    struct gpu_conf c;
    struct gpu_result r, plain;
    char buf[400];
    struct seen *s = xcalloc(1, sizeof *s);
    s->o = (struct gpu_observer){.ctx = s,
                                 .any_order = any_order,
                                 .sample_cyc = 100,
                                 .sm = of_sm,
                                 .kernel = kernel,
                                 .window = window,
                                 .sample = sample};
    struct tr_reader *t = tr_open(path, &d);
    s->trace = t;
    assert_true(t && play_load(&c, m, "gto", &d));
    assert_int_equal(gpu_run(&c, t, &(struct gpu_opts){.threads = threads, .watch = &s->o}, &r, &d), GPU_OK);

    struct sm_charged blamed = {0}, nowhere = {0};
    uint64_t causes[SS_COUNT] = {0}, begun = 0, ended = 0, loads = 0, load_cycles = 0, after = 0;
    for (uint32_t i = 0; i < c.gpu.sms; i++) {
        stat_add(causes, s->sm[i].causes, SS_COUNT);
        add(&blamed, &s->sm[i].blamed);
        add(&nowhere, &s->sm[i].nowhere);
        begun += s->sm[i].begun;
        ended += s->sm[i].ended;
        loads += s->sm[i].loads;
        load_cycles += s->sm[i].load_cycles;
        for (uint32_t k = 0; k < c.sm.partitions * c.sm.schedulers; k++) {
            assert_true(s->sm[i].until[k] >= r.cycles);
            after += s->sm[i].until[k] - r.cycles;
        }
    }
    check_running(s, &c, &r);
    causes[SS_stall_no_warp] -= after; /* cycles after the end, in which a partition fell asleep */
    /* An SM does not know whether another one runs a kernel. */
    causes[SS_stall_no_warp] -= r.sm[SS_stall_launch];
    causes[SS_stall_launch] += r.sm[SS_stall_launch];
    for (uint32_t i = SS_issued; i <= SS_stall_drained; i++)
        assert_int_equal(causes[i], r.sm[i]);
    /* Schedulers without a warp have nobody to blame, all others have. */
    for (uint32_t i = SS_issued; i <= SS_stall_drained; i++)
        if (i != SS_stall_no_warp && i != SS_stall_launch)
            assert_int_equal(blamed.causes[i - SS_issued], r.sm[i]);
    assert_int_equal(nowhere.causes[SS_stall_no_warp - SS_issued] - after,
                     r.sm[SS_stall_no_warp] + r.sm[SS_stall_launch]);
    assert_int_equal(blamed.causes[SS_stall_no_warp - SS_issued], 0);
    assert_int_equal(blamed.lanes, r.sm[SS_thread_insts]);
    assert_int_equal(blamed.bank_conflicts, r.sm[SS_bank_conflict]);
    assert_int_equal(blamed.read_wait, r.sm[SS_reg_read_wait]);
    assert_int_equal(blamed.shared_conflicts, r.sm[SS_shared_conflicts]);
    assert_int_equal(begun, r.sm[SS_ctas]);
    assert_int_equal(ended, r.sm[SS_ctas]);
    assert_int_equal(loads, r.sm[SS_loads_done]);
    assert_int_equal(load_cycles, r.sm[SS_load_cycles]);
    assert_int_equal(s->kernels, tr_nlaunches(t));
    assert_int_equal(s->kernel_end, r.cycles);
    assert_true(any_order ? !s->samples : s->samples != 0);

    assert_null(play(path, m, "gto", 1, &plain, buf, sizeof buf));
    assert_memory_equal(plain.sm, r.sm, sizeof r.sm);
    assert_memory_equal(plain.mem, r.mem, sizeof r.mem);
    gpu_result_free(&plain);
    gpu_result_free(&r);
    conf_free(&c.conf);
    tr_free(t);
    diag_free(&d);
    vec_free(&s->running);
    for (uint32_t i = 0; i < SMS; i++)
        vec_free(&s->sm[i].busy);
    free(s);
}

static void told(void **state)
{
    (void)state;
    static const struct play_machine machines[] = {
        {"volta", "volta", {"gpu.sms=4", "mem.slices=12", "mem.channels=6"}},
        {"fermi", "fermi", {"gpu.sms=3"}},
        {"fully connected", "volta-fc", {"gpu.sms=2"}},
        {"simple", "throughput", {"gpu.sms=2"}},
        {"stealing", "fermi", {"gpu.sms=2", "sm.operands=stealing"}},
    };
    for (uint32_t i = 0; i < 10; i++) {
        char path[256];
        play_path(path);
        wild_write(path, 500 + i, (enum wild_kind)(i % 3));
        watch(path, &machines[i % 5], 1 + i % 3, false);
        watch(path, &machines[i % 5], 1, true);
        unlink(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
