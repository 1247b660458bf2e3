/* SPDX-License-Identifier: Apache-2.0 */
/* Several traces on one GPU: each runs to its end as it would alone, and none finds what another has brought into a cache. A
 * tenant that does nothing changes nothing. */
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

enum { PAIR = 2 };

/* Two traces, in files that last as long as they do. */
struct pair {
    char path[PAIR][256];
    struct gpu_tenant t[PAIR];
};

static void pair_init(struct pair *p)
{
    for (uint32_t i = 0; i < PAIR; i++)
        play_path(p->path[i]);
}

static void pair_open(struct pair *p)
{
    struct diag d = {0};
    for (uint32_t i = 0; i < PAIR; i++) {
        p->t[i] = (struct gpu_tenant){.trace = tr_open(p->path[i], &d)};
        diag_print(&d, stderr);
        assert_non_null(p->t[i].trace);
    }
    diag_free(&d);
}

static void pair_free(struct pair *p)
{
    for (uint32_t i = 0; i < PAIR; i++) {
        tr_free(p->t[i].trace);
        unlink(p->path[i]);
    }
}

static void corun(const struct gpu_conf *c, const struct gpu_tenant *t, uint32_t n, uint32_t threads,
                  struct gpu_result *r)
{
    struct diag d = {0};
    enum gpu_status s = gpu_corun(c, t, n, &(struct gpu_opts){.threads = threads, .check = true}, r, &d);
    diag_print(&d, stderr);
    assert_int_equal(s, GPU_OK);
    diag_free(&d);
}

static void same(const struct gpu_conf *c, const struct gpu_result *a, const struct gpu_result *b)
{
    assert_memory_equal(a->sm, b->sm, sizeof a->sm);
    assert_memory_equal(a->mem, b->mem, sizeof a->mem);
    for (uint32_t i = 0; i < SA_COUNT; i++) {
        uint32_t n = sm_array_n(&c->sm, (enum sm_array)i) * (sm_arrays.rows[i].by_sm ? c->gpu.sms : 1);
        assert_memory_equal(a->arrays[i], b->arrays[i], n * sizeof *a->arrays[i]);
    }
    assert_int_equal(a->cycles, b->cycles);
    assert_int_equal(a->kernel_cycles, b->kernel_cycles);
    assert_int_equal(a->kernels.n, b->kernels.n);
    for (uint32_t i = 0; i < a->kernels.n; i++) {
        const struct gpu_kernel_result *x = &a->kernels.at[i], *y = &b->kernels.at[i];
        assert_true(x->tenant == y->tenant && x->launch == y->launch && x->start == y->start &&
                    x->begin == y->begin && x->end == y->end);
    }
}

/* ---- address spaces ---- */

/* A trace of loads, each of which waits for the one before: of global and local memory and of constants. */
static void write_loads(struct mini *m, const char *path)
{
    for (uint32_t i = 0; i < 4; i++)
        mini_mem(m, TC_LDG, 2, 2, 4, 0x10000 + i / 2 * 4096, 4);
    mini_mem(m, TC_STL, MINI_NONE, 2, 4, 64, 0);
    mini_mem(m, TC_LDL, 2, 2, 4, 64, 0);
    uint32_t c = mini_mem(m, TC_LDC, 2, 2, 4, 0, 0);
    m->insns[c].space = SPACE_CONST;
    mini_op(m, TC_FP32, 3, 2, MINI_NONE, MINI_NONE);
    m->insns[m->n - 1].src[m->insns[m->n - 1].nsrc++] =
        (struct tr_opnd){.kind = TO_CONST, .n = 1, .val = 512};
    mini_write(m, path);
}

/* The same trace twice: everything is asked for twice as often as by one, and found as often by each. On one SM they have L1, the
 * caches of code and constants and L2 in common, on two only L2. */
static void nothing_meets(void **state)
{
    (void)state;
    static const enum sm_stat sm[] = {SS_warp_insts, SS_ctas,       SS_l1_reads,      SS_l1_read_hits,
                                      SS_l1_writes,  SS_l0i_misses, SS_l1i_misses,    SS_const_misses,
                                      SS_mshr_uses,  SS_loads_done, SS_l1_read_merged};
    static const enum mem_stat mem[] = {MS_l2_reads, MS_l2_read_hits, MS_dram_reads};
    for (uint32_t sms = 1; sms <= 2; sms++) {
        struct mini m;
        struct pair p;
        struct gpu_result one, two;
        mini_init(&m);
        mini_set(&m, sms == 1 ? "gpu.sms=1" : "gpu.sms=2");
        pair_init(&p);
        write_loads(&m, p.path[0]);
        m.n = 0;
        write_loads(&m, p.path[1]);
        pair_open(&p);
        corun(&m.conf, p.t, 1, 1, &one);
        corun(&m.conf, p.t, 2, 1, &two);
        for (uint32_t i = 0; i < sizeof sm / sizeof sm[0]; i++)
            if (two.sm[sm[i]] != 2 * one.sm[sm[i]])
                fail_msg("%u SMs: %s is %llu alone, %llu together", sms, sm_stats.rows[sm[i]].name,
                         (unsigned long long)one.sm[sm[i]], (unsigned long long)two.sm[sm[i]]);
        for (uint32_t i = 0; i < sizeof mem / sizeof mem[0]; i++)
            if (two.mem[mem[i]] != 2 * one.mem[mem[i]])
                fail_msg("%u SMs: %s is %llu alone, %llu together", sms, mem_stats.rows[mem[i]].name,
                         (unsigned long long)one.mem[mem[i]], (unsigned long long)two.mem[mem[i]]);
        assert_true(one.sm[SS_l1_read_hits] && one.sm[SS_const_misses] && one.mem[MS_dram_reads]);
        gpu_result_free(&one);
        gpu_result_free(&two);
        pair_free(&p);
        mini_free(&m);
    }
}

/* What a program's host has copied is in L2 for that program, and for no other. */
static void copies_are_the_tenants(void **state)
{
    (void)state;
    for (uint32_t who = 0; who < PAIR; who++) {
        struct mini m;
        struct pair p;
        struct gpu_result r;
        mini_init(&m);
        mini_set(&m, "gpu.sms=2");
        mini_set(&m, "mem.dram_cyc=500");
        pair_init(&p);
        mini_mem(&m, TC_LDG, 2, 2, 4, 0x10000, 4);
        for (uint32_t i = 0; i < PAIR; i++) {
            m.copy = 0x10000;
            m.copy_b = i == who ? 4096 : 0;
            mini_write(&m, p.path[i]);
        }
        pair_open(&p);
        corun(&m.conf, p.t, 2, 1, &r);
        assert_int_equal(r.mem[MS_l2_reads], 2 * LINE_SECTORS);
        assert_int_equal(r.mem[MS_l2_read_hits], LINE_SECTORS);
        uint64_t cycles[PAIR] = {0};
        vec_each (&r.kernels, k)
            cycles[k->tenant] = gpu_kernel_cycles(k);
        assert_true(cycles[who] < cycles[!who]);
        gpu_result_free(&r);
        pair_free(&p);
        mini_free(&m);
    }
}

/* ---- random traces ---- */

/* Those whose policies look at the trace themselves are among them. */
static const struct play_machine machines[] = {
    {"volta", "volta", {"gpu.sms=3", "mem.slices=12", "mem.channels=6", "mem.l2_kb=192"}},
    {"fermi", "fermi", {"gpu.sms=2", "sm.l1_flush=true"}},
    {"malekeh", "turing", {"gpu.sms=4", "sm.operands=ccu", "ccu.sthld_cyc=150"}},
    {"warppool", "fermi", {"gpu.sms=2", "sm.lsu=warppool"}},
    {"swrfc", "turing", {"gpu.sms=2", "sm.operands=swrfc", "active.warps=2"}},
    {"few", "volta", {"gpu.sms=1", "gpu.kernels=1", "mem.slices=12", "mem.channels=6", "mem.l2_kb=192"}},
};
enum { MACHINES = sizeof machines / sizeof machines[0] };

static void load(struct gpu_conf *c, const struct play_machine *m)
{
    struct diag d = {0};
    bool ok = play_load(c, m, NULL, &d);
    diag_print(&d, stderr);
    diag_free(&d);
    assert_true(ok);
}

/* Each tenant's launches are all there, once, and in their order. */
static void check_kernels(const struct pair *p, const struct gpu_result *r)
{
    for (uint32_t i = 0; i < PAIR; i++) {
        uint32_t n = tr_nlaunches(p->t[i].trace);
        bool *seen = xcalloc(n + 1, sizeof *seen);
        vec_each (&r->kernels, k) {
            if (k->tenant != i)
                continue;
            assert_true(k->launch < n && !seen[k->launch]);
            seen[k->launch] = true;
            const struct tr_launch *l = &tr_launch(p->t[i].trace, k->launch)->l;
            for (uint32_t j = 0; j < l->nafter; j++)
                vec_each (&r->kernels, o)
                    if (o->tenant == i && o->launch == l->after[j])
                        assert_true(o->end <= k->start);
        }
        for (uint32_t k = 0; k < n; k++)
            assert_true(seen[k]);
        free(seen);
    }
    assert_int_equal(r->kernels.n, tr_nlaunches(p->t[0].trace) + tr_nlaunches(p->t[1].trace));
}

/* Each has what its trace asks for, and the causes of all cycles with a warp are somebody's. */
static void check_shares(const struct gpu_result *r, const struct play_want *want, uint32_t n)
{
    assert_int_equal(r->tenants.n, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct gpu_tenant_result *t = &r->tenants.at[i];
        assert_int_equal(t->sm[SS_warp_insts], want[i].insts);
        assert_int_equal(t->sm[SS_issued], want[i].insts);
        assert_int_equal(t->sm[SS_thread_insts], want[i].threads);
        assert_int_equal(t->sm[SS_ctas], want[i].ctas);
        assert_true(t->kernel_cycles <= t->cycles && t->cycles <= r->cycles);
    }
    for (uint32_t k = SS_issued; k <= SS_stall_drained; k++) {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < n; i++)
            sum += r->tenants.at[i].sm[k];
        assert_int_equal(sum, k == SS_stall_no_warp || k == SS_stall_launch ? 0 : r->sm[k]);
    }
    assert_true(r->sm[SS_ctas_parked] || !r->sm[SS_stall_tenant]);
}

/* All is done by both; on any number of threads, and if partitions never sleep, it is the same. */
static void both_run_under(const char *share)
{
    for (uint64_t seed = 0; seed < 2 * MACHINES; seed++) {
        if (strcmp(share, "spatial") == 0 && strcmp(machines[seed % MACHINES].name, "few") == 0)
            continue; /* one SM */
        const struct play_machine *m = &machines[seed % MACHINES];
        struct pair p;
        struct gpu_conf c;
        struct gpu_result r[3];
        pair_init(&p);
        wild_write(p.path[0], 3000 + seed, seed % 2 ? WILD_ANY : WILD_MEMORY);
        wild_write(p.path[1], 4000 + seed, seed % 3 ? WILD_BLOCKS : WILD_ATOMICS);
        pair_open(&p);
        struct play_want a = play_count(p.t[0].trace), b = play_count(p.t[1].trace);
        for (uint32_t i = 0; i < 3; i++) {
            load(&c, m);
            c.gpu.share = share;
            c.sm.tenant = strcmp(share, "quota") == 0 ? "scavenger" : "free";
            if (strcmp(c.sm.lsu, "coalescer") != 0)
                c.sm.lsu = strcmp(share, "quota") == 0 ? "coalescer" : c.sm.lsu;
            c.sm.sleep = i != 2;
            corun(&c, p.t, PAIR, i == 1 ? 2 : 1, &r[i]);
            same(&c, &r[0], &r[i]);
            conf_free(&c.conf);
        }
        assert_int_equal(r->sm[SS_warp_insts], a.insts + b.insts);
        assert_int_equal(r->sm[SS_thread_insts], a.threads + b.threads);
        assert_int_equal(r->sm[SS_ctas], a.ctas + b.ctas);
        assert_int_equal(r->sm[SS_loads_done], a.loads + b.loads);
        check_kernels(&p, r);
        check_shares(r, (struct play_want[]){a, b}, PAIR);
        for (uint32_t i = 0; i < 3; i++)
            gpu_result_free(&r[i]);
        pair_free(&p);
    }
}

static void both_run(void **state)
{
    (void)state;
    for (uint32_t i = 0; share_name(i); i++)
        both_run_under(share_name(i));
}

/* ---- observers ---- */

struct seen {
    const struct pair *p;
    struct sm_observer sm;
    uint64_t causes[PAIR][SM_STATS], loads[PAIR], ctas[PAIR], nobody;
};

static void on_charged(void *ctx, const struct sm_charged *sum, const struct sm_place *at)
{
    struct seen *s = ctx;
    if (at->kernel == SM_NOWHERE) {
        for (uint32_t i = 0; i < SM_CAUSES; i++)
            s->nobody += sum->causes[i];
        return;
    }
    struct tr_reader *t = s->p->t[at->tenant].trace;
    assert_true(at->kernel < tr_nkernels(t) && at->insn < tr_kernel(t, at->kernel)->n);
    stat_add(&s->causes[at->tenant][SS_issued], sum->causes, SM_CAUSES);
}

static void on_load(void *ctx, const struct sm_load *l)
{
    assert_true(l->line < mem_space(1)); /* as its program has it */
    ((struct seen *)ctx)->loads[l->tenant]++;
}
static void on_begin(void *ctx, uint32_t slot, uint64_t at, uint32_t tenant, uint32_t launch, uint32_t cta)
{
    (void)slot, (void)at, (void)launch, (void)cta;
    ((struct seen *)ctx)->ctas[tenant]++;
}
static void on_end(void *ctx, uint32_t slot, uint64_t at) { (void)ctx, (void)slot, (void)at; }
static void on_cycles(void *ctx, uint32_t scheduler, uint64_t from, uint64_t to, enum sm_stat cause)
{
    (void)ctx, (void)scheduler, (void)from, (void)to, (void)cause;
}
static void on_kernel(void *ctx, const struct gpu_kernel_result *k) { (void)ctx, (void)k; }
static void on_window(void *ctx, uint64_t until) { (void)ctx, (void)until; }
static const struct sm_observer *on_sm(void *ctx, uint32_t sm)
{
    (void)sm;
    return &((struct seen *)ctx)->sm;
}

/* What observers are told adds up to the tenants' results, and nothing changes for being watched. */
static void observers_know(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < MACHINES; seed++) {
        struct pair p;
        struct gpu_conf c;
        struct gpu_result r, plain;
        struct diag d = {0};
        struct seen s = {.p = &p};
        s.sm = (struct sm_observer){.ctx = &s,
                                    .cycles = on_cycles,
                                    .cta_begin = on_begin,
                                    .cta_end = on_end,
                                    .load = on_load,
                                    .charged = on_charged};
        const struct gpu_observer watch = {
            .ctx = &s, .sample_cyc = UINT32_MAX, .sm = on_sm, .kernel = on_kernel, .window = on_window};
        pair_init(&p);
        wild_write(p.path[0], 6000 + seed, WILD_ANY);
        wild_write(p.path[1], 6100 + seed, WILD_MEMORY);
        pair_open(&p);
        load(&c, &machines[seed]);
        corun(&c, p.t, PAIR, 1, &plain);
        assert_int_equal(gpu_corun(&c, p.t, PAIR, &(struct gpu_opts){.check = true, .watch = &watch}, &r, &d),
                         GPU_OK);
        same(&c, &plain, &r);
        for (uint32_t i = 0; i < PAIR; i++) {
            struct play_want want = play_count(p.t[i].trace);
            for (uint32_t k = SS_issued; k <= SS_stall_drained; k++)
                assert_int_equal(s.causes[i][k], r.tenants.at[i].sm[k]);
            assert_int_equal(s.loads[i], want.loads);
            assert_int_equal(s.ctas[i], want.ctas);
            assert_memory_equal(&plain.tenants.at[i], &r.tenants.at[i], sizeof r.tenants.at[i]);
        }
        assert_true(s.nobody > 0);
        gpu_result_free(&r);
        gpu_result_free(&plain);
        conf_free(&c.conf);
        pair_free(&p);
    }
}

static void write_nothing(const char *path)
{
    struct diag d = {0};
    struct tr_writer *w = tr_create(path, &(struct tr_info){.program = "nothing", .maker = "test"}, &d);
    assert_non_null(w);
    assert_true(tr_close(w, &d));
    diag_free(&d);
}

static void with_nobody(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < MACHINES; seed++) {
        struct pair p;
        struct gpu_conf c;
        struct gpu_result alone, both;
        struct diag d = {0};
        pair_init(&p);
        wild_write(p.path[0], 5000 + seed, seed % 2 ? WILD_ANY : WILD_MEMORY);
        write_nothing(p.path[1]);
        pair_open(&p);
        load(&c, &machines[seed]);
        assert_int_equal(
            gpu_run(&c, p.t[0].trace, &(struct gpu_opts){.threads = 1, .check = true}, &alone, &d), GPU_OK);
        corun(&c, p.t, PAIR, 1, &both);
        same(&c, &alone, &both);
        struct play_want want[PAIR] = {play_count(p.t[0].trace)};
        check_shares(&alone, want, 1);
        check_shares(&both, want, PAIR);
        assert_int_equal(alone.tenants.at[0].cycles, alone.cycles);
        assert_int_equal(alone.tenants.at[0].kernel_cycles, alone.kernel_cycles);
        assert_memory_equal(alone.tenants.at[0].sm, both.tenants.at[0].sm, sizeof alone.tenants.at[0].sm);
        gpu_result_free(&alone);
        gpu_result_free(&both);
        conf_free(&c.conf);
        pair_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_meets),
                                       cmocka_unit_test(copies_are_the_tenants), cmocka_unit_test(both_run),
                                       cmocka_unit_test(observers_know), cmocka_unit_test(with_nobody)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
