/* SPDX-License-Identifier: Apache-2.0 */
/* The seam `tenant`, with policies of the test: what they forbid does not happen, what they allow does, and blocked cycles have
 * a cause of their own. One SM with one scheduler plays two tenants' CTAs, cycle by cycle, against a memory that answers after
 * 50 cycles. */
#include "preset.h"

#include "sm/core.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { TURN = 100, ANSWER_CYC = 50, MOST_CYC = 20000, INSNS = 64 };

/* ---- a trace: every warp does the same straight line ---- */

struct program {
    struct tr_insn insns[INSNS + 1];
    uint32_t n;
};

/* R2 = R2 + R3: each waits for the one before. */
static void chain(struct program *c, uint32_t n)
{
    for (; n--; c->n++) {
        c->insns[c->n] =
            (struct tr_insn){.cls = TC_FP32, .target = TR_NO_TARGET, .text = "FADD", .nsrc = 2, .ndst = 1};
        c->insns[c->n].src[0] = c->insns[c->n].dst[0] = (struct tr_opnd){.kind = TO_REG, .n = 1, .val = 2};
        c->insns[c->n].src[1] = (struct tr_opnd){.kind = TO_REG, .n = 1, .val = 3};
    }
}

/* Loads of a line each, into registers of their own. */
static void loads(struct program *c, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++, c->n++) {
        c->insns[c->n] = (struct tr_insn){.cls = TC_LDG,
                                          .target = TR_NO_TARGET,
                                          .text = "LDG",
                                          .nsrc = 1,
                                          .ndst = 1,
                                          .space = SPACE_GLOBAL,
                                          .mem = TM_LOAD,
                                          .width_b = 4,
                                          .naddr = 1};
        c->insns[c->n].src[0] = (struct tr_opnd){.kind = TO_REG, .n = 1, .val = 2};
        c->insns[c->n].dst[0] = (struct tr_opnd){.kind = TO_REG, .n = 1, .val = 4 + i};
    }
}

static void write_warp(const struct program *c, struct tr_writer *w, uint32_t warp)
{
    for (uint32_t n = 0; n < c->n; n++) {
        uint64_t addr[TR_LANES];
        const uint64_t *sets[2] = {addr, NULL};
        uint8_t values[TR_DSTS * 4] = {0};
        for (uint32_t l = 0; l < TR_LANES; l++)
            addr[l] = (1 + warp) * 0x100000 + n * LINE_B + l * 4;
        tr_insn(w, 0, warp, n, ~0u, c->insns[n].space, c->insns[n].naddr ? sets : NULL, values);
    }
}

static struct tr_reader *record(struct program *c, uint32_t warps)
{
    struct diag d = {0};
    char path[] = "/tmp/bankshot-tenant-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    c->insns[c->n++] = (struct tr_insn){.cls = TC_EXIT, .target = TR_NO_TARGET, .text = "EXIT"};
    struct tr_kernel *k = xcalloc(1, sizeof *k);
    *k = (struct tr_kernel){.name = "k", .file = "", .n = c->n, .insns = c->insns, .regs = 96, .nblocks = 1};
    k->blocks = ARENA_NEW(&k->arena, struct tr_block);
    *k->blocks = (struct tr_block){.n = c->n, .ipdom = UINT32_MAX};
    struct tr_writer *w = tr_create(path, &(struct tr_info){.program = "p", .maker = "test"}, &d);
    assert_non_null(w);
    tr_add_kernel(w, k);
    tr_begin_launch(w, &(struct tr_launch){.grid = {1, 1, 1}, .block = {warps * TR_LANES, 1, 1}});
    tr_begin_cta(w, 0);
    for (uint32_t i = 0; i < warps; i++)
        write_warp(c, w, i);
    tr_end_cta(w, 0);
    tr_end_launch(w, true);
    assert_true(tr_close(w, &d));
    struct tr_reader *t = tr_open(path, &d);
    assert_non_null(t);
    unlink(path);
    tr_kernel_free(k);
    return t;
}

/* ---- the SM ---- */

enum { PAIR = 2 };

struct rig {
    struct preset p;
    struct conf c;
    struct lat_cfg lat, ii;
    struct unit_cfg unit;
    struct count_cfg count;
    struct sm_timing tm;
    struct sm *s;
    struct tr_reader *t[PAIR];
    struct sm_kernel *k[PAIR];
    uint64_t now;
    uint32_t out[PAIR], most_out[PAIR]; /* lines that memory was asked for and has not answered */
    mem_reqs sent;
    uint32_t answered;
    uint64_t stats[SM_STATS], of[PAIR][SM_STATS];
};

static void rig_init(struct rig *r, const struct tenant_ops *policy, bool sleep)
{
    static const char *const sets[] = {"sm.partitions=1",        "sm.onchip=partitioned", "sm.l1i_cyc=1",
                                       "sm.l1i_miss_cyc=1",      "sm.collectors=8",       "sm.lsu_queue=64",
                                       "sm.bank_write_port=true"};
    memset(r, 0, sizeof *r);
    preset_init(&r->p, NULL);
    for (uint32_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        preset_set(&r->p, sets[i]);
    r->p.sm.sleep = sleep;
    conf_add(&r->c, "latency", lat_opts, lat_nopts, &r->lat);
    conf_add(&r->c, "interval", ii_opts, lat_nopts, &r->ii);
    conf_add(&r->c, "unit", unit_opts, lat_nopts, &r->unit);
    conf_add(&r->c, "units", count_opts, count_nopts, &r->count);
    r->tm = (struct sm_timing){.lat = &r->lat, .ii = &r->ii, .unit = &r->unit, .count = &r->count};
    r->s = sm_new(&r->p.sm, &r->tm, 0, true);
    sm_tenants(r->s, PAIR, policy);
}

static void start(struct rig *r, uint32_t tenant, struct program *c, uint32_t warps)
{
    r->t[tenant] = record(c, warps);
    r->k[tenant] = sm_kernel_new(tr_kernel(r->t[tenant], 0),
                                 (struct sm_kernel_id){.tenant = tenant, .id = tenant}, &r->p.sm, &r->tm);
    struct sm_need need = {.warps = warps, .threads = warps * TR_LANES, .regs = 96 * TR_LANES};
    assert_true(sm_has_room(r->s, &need));
    sm_start_cta(r->s, 0, 0, r->k[tenant], &need, 0, 0,
                 &(struct sm_source){.trace = r->t[tenant], .share = 1});
}

static void rig_free(struct rig *r)
{
    sm_free(r->s);
    for (uint32_t i = 0; i < PAIR; i++) {
        sm_kernel_free(r->k[i]);
        if (r->t[i])
            tr_free(r->t[i]);
    }
    vec_free(&r->sent);
    preset_free(&r->p);
    conf_free(&r->c);
}

static void exchange(struct rig *r)
{
    vec_each (sm_requests(r->s), q) {
        vec_push(&r->sent, *q);
        uint32_t tenant = (uint32_t)(q->line >> 56);
        r->out[tenant]++;
        r->most_out[tenant] = r->out[tenant] > r->most_out[tenant] ? r->out[tenant] : r->most_out[tenant];
    }
    vec_clear(sm_requests(r->s));
    for (; r->answered < r->sent.n && r->sent.at[r->answered].at + ANSWER_CYC <= r->now; r->answered++) {
        const struct mem_req *q = &r->sent.at[r->answered];
        vec_push(sm_replies(r->s),
                 (struct mem_reply){.at = r->now, .tag = q->tag, .sectors = q->sectors, .kind = q->kind});
        r->out[q->line >> 56]--;
    }
}

/* A cycle passes. The slots that have issued in it, by bit. */
static uint64_t step(struct rig *r)
{
    uint64_t before = sm_issued(r->s);
    bool ok = sm_run(r->s, ++r->now);
    if (!ok)
        fail_msg("%s", sm_error(r->s));
    exchange(r);
    assert_true(r->now < MOST_CYC);
    return sm_issued(r->s) != before ? r->s->parts[0].issued_now : 0;
}

static void count(struct rig *r)
{
    sm_count(r->s, r->now, r->stats);
    for (uint32_t i = 0; i < PAIR; i++)
        sm_count_tenant(r->s, i, r->of[i]);
}

static uint32_t tenant_of_slot(const struct rig *r, uint64_t slot)
{
    return r->s->ctas.at[r->s->parts[0].warps[__builtin_ctzll(slot)].cta].k->id.tenant;
}

/* ---- turns ---- */

static uint32_t every_turn(const struct sm_cfg *cfg)
{
    (void)cfg;
    return TURN;
}

static void take_turns(void *st, uint64_t t, uint32_t n, const struct tenant_seen *seen,
                       struct tenant_limit *limits)
{
    (void)st, (void)seen;
    for (uint32_t i = 0; i < n; i++)
        limits[i].warps = t / TURN % n == i ? TENANT_ALL : 0;
}

static const struct tenant_ops turns = {
    .is = {.name = "turns"}, .interval = every_turn, .decide = take_turns};

/* Two chains of 60. Each issues in its own turns only; a chain of latency 4 has its last issue before the end of a turn within
 * the last four cycles, and the next in the first cycle of its next turn. */
static void by_turns(void **state)
{
    (void)state;
    for (uint32_t sleep = 0; sleep < 2; sleep++) {
        struct rig r;
        struct program a = {0}, b = {0};
        uint64_t last[PAIR] = {0}, issued[PAIR] = {0};
        rig_init(&r, &turns, sleep);
        chain(&a, 60);
        chain(&b, 60);
        start(&r, 0, &a, 1);
        start(&r, 1, &b, 1);
        while (!sm_idle(r.s)) {
            uint64_t t = r.now, slot = step(&r);
            if (!slot)
                continue;
            uint32_t tenant = tenant_of_slot(&r, slot);
            assert_int_equal(tenant, t / TURN % PAIR);
            if (issued[tenant]++ && issued[tenant] <= 60)
                assert_int_equal(t, last[tenant] / TURN == (last[tenant] + 4) / TURN ? last[tenant] + 4
                                                                                     : (t / TURN) * TURN);
            last[tenant] = t;
        }
        count(&r);
        assert_int_equal(issued[0], 61);
        assert_int_equal(issued[1], 61);
        for (uint32_t i = 0; i < PAIR; i++) {
            assert_int_equal(r.of[i][SS_warp_insts], 61);
            assert_int_equal(r.of[i][SS_thread_insts], 61 * TR_LANES);
            assert_int_equal(r.of[i][SS_ctas], 1);
            assert_true(r.of[i][SS_stall_tenant] > 0);
        }
        for (uint32_t k = SS_issued; k <= SS_stall_drained; k++)
            assert_int_equal(r.of[0][k] + r.of[1][k], k == SS_stall_no_warp ? 0 : r.stats[k]);
        rig_free(&r);
    }
}

/* Alone: in the other's turn its warp waits for its last result, three cycles at most, and for its turn in all others. */
static void alone(void **state)
{
    (void)state;
    for (uint32_t sleep = 0; sleep < 2; sleep++) {
        struct rig r;
        struct program a = {0};
        uint64_t before = 0;
        rig_init(&r, &turns, sleep);
        chain(&a, 40);
        start(&r, 0, &a, 1);
        while (!sm_idle(r.s)) {
            uint64_t t = r.now;
            if (step(&r) && t < TURN)
                before = t;
        }
        count(&r);
        assert_true(before >= TURN - 4);
        /* The chain goes over two turns, so it waits through one. */
        assert_int_equal(r.stats[SS_stall_tenant], TURN - (before + 4 - TURN));
        rig_free(&r);
    }
}

/* ---- requests ---- */

enum { CAP = 3 };

static void cap_second(void *st, uint64_t t, uint32_t n, const struct tenant_seen *seen,
                       struct tenant_limit *limits)
{
    (void)st, (void)t, (void)n;
    assert_true(seen[1].requests <= CAP);
    limits[1].requests = CAP;
}

static const struct tenant_ops capped = {
    .is = {.name = "capped"}, .interval = every_turn, .decide = cap_second};

/* The second never has more than its share on the way, and uses it; the first has all it wants. */
static void by_requests(void **state)
{
    (void)state;
    uint64_t cycles[2];
    for (uint32_t sleep = 0; sleep < 2; sleep++) {
        struct rig r;
        struct program a = {0}, b = {0};
        rig_init(&r, &capped, sleep);
        loads(&a, 32);
        loads(&b, 32);
        start(&r, 0, &a, 2);
        start(&r, 1, &b, 2);
        while (!sm_idle(r.s)) {
            step(&r);
            assert_true(r.out[1] <= CAP);
            assert_int_equal(r.s->tenants.seen[1].requests > CAP, false);
        }
        count(&r);
        assert_int_equal(r.most_out[1], CAP);
        assert_true(r.most_out[0] > 2 * CAP);
        assert_int_equal(r.of[0][SS_stall_tenant], 0);
        assert_true(r.of[1][SS_stall_tenant] > 64 / CAP * ANSWER_CYC / 2);
        assert_int_equal(r.s->tenants.seen[0].requests, 0);
        assert_int_equal(r.s->tenants.seen[1].requests, 0);
        cycles[sleep] = r.now;
        rig_free(&r);
    }
    assert_int_equal(cycles[0], cycles[1]);
}

/* ---- warps ---- */

static void one_warp(void *st, uint64_t t, uint32_t n, const struct tenant_seen *seen,
                     struct tenant_limit *limits)
{
    (void)st, (void)n;
    if (!t)
        /* Its first CTA; that of the other begins in the same cycle, after it */
        assert_int_equal(seen[0].warps, 1);
    limits[1].warps = 1;
}

static const struct tenant_ops narrow = {
    .is = {.name = "narrow"}, .interval = every_turn, .decide = one_warp};

/* Four warps, of which the oldest that has not ended issues. In between two decisions it is one and the same. */
static void by_warps(void **state)
{
    (void)state;
    for (uint32_t sleep = 0; sleep < 2; sleep++) {
        struct rig r;
        struct program a = {0}, b = {0};
        uint64_t in_turn = 0, all = 0;
        rig_init(&r, &narrow, sleep);
        chain(&a, 4);
        chain(&b, 30);
        start(&r, 0, &a, 1);
        start(&r, 1, &b, 4);
        while (!sm_idle(r.s)) {
            if (r.now % TURN == 0)
                in_turn = 0;
            uint64_t slot = step(&r);
            if (!slot || tenant_of_slot(&r, slot) == 0)
                continue;
            in_turn |= slot;
            all |= slot;
            assert_int_equal(__builtin_popcountll(in_turn), 1);
        }
        assert_int_equal(__builtin_popcountll(all), 4);
        rig_free(&r);
    }
}

/* ---- the first policy ---- */

static void free_limits_nobody(void **state)
{
    (void)state;
    struct rig r;
    struct program a = {0}, b = {0};
    rig_init(&r, tenant_find("free"), true);
    chain(&a, 20);
    loads(&b, 20);
    start(&r, 0, &a, 4);
    start(&r, 1, &b, 4);
    while (!sm_idle(r.s))
        step(&r);
    count(&r);
    assert_int_equal(r.stats[SS_stall_tenant], 0);
    assert_int_equal(r.of[0][SS_warp_insts] + r.of[1][SS_warp_insts], r.stats[SS_warp_insts]);
    rig_free(&r);
}

/* Decisions have a time, or there are none. */
static void tables_are_whole(void **state)
{
    (void)state;
    for (uint32_t i = 0; tenant_list[i]; i++)
        assert_true(!tenant_list[i]->interval == !tenant_list[i]->decide);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_turns),           cmocka_unit_test(alone),
        cmocka_unit_test(by_requests),        cmocka_unit_test(by_warps),
        cmocka_unit_test(free_limits_nobody), cmocka_unit_test(tables_are_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
