/* SPDX-License-Identifier: Apache-2.0 */
/* What the seams of an SM promise each other, for every registered policy: the policy is wrapped in a spy, and one SM plays
 * random traces against a memory that answers after a while. */
#include "collected.h"
#include "mini.h"
#include "wild.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "play.h"
#include "sm/core.h"
#include "sm/wsched/gto.h"

#include <cmocka.h>

enum { WINDOW = 20, MOST_CYC = 3000000, SEEDS = 14 };

/* ---- what the spies see ---- */

/* An access to a line, in the order in which the load-store unit was given them or L1 sent them on. */
struct access {
    uint64_t line;
    uint8_t kind, sectors;
};

struct seen {
    struct sm *s;
    const struct operands_ops *ops;
    const struct wsched_ops *sched;
    const struct lsu_ops *lsu;
    /* operands */
    uint8_t inside[16][4096]; /* by partition and flight */
    uint32_t ninside[16];
    uint64_t may;  /* warps that the operands' policy has a place for */
    uint64_t kept; /* cycles in a row in which it had none for any */
    uint64_t issued, left, reads, found;
    /* wsched */
    int picked;
    int forced;      /* by the operands' policy; -1: none */
    uint64_t waited; /* cycles in a row that it chose to wait */
    /* lsu */
    uint64_t lines, shared; /* instructions that touch lines, and those of shared memory */
    VEC(struct access) given;
};
static struct seen seen;

static uint32_t part_of(const void *operands)
{
    for (uint32_t i = 0; i < seen.s->cfg->partitions; i++)
        if (seen.s->parts[i].operands == operands)
            return i;
    fail_msg("no partition has this state");
    return 0;
}

static uint64_t spy_may(void *st, uint64_t ready, uint64_t t, uint64_t *holding)
{
    uint32_t p = part_of(st);
    seen.may = seen.ops->may(st, ready, t, holding);
    assert_int_equal(seen.may & ~ready, 0);
    assert_int_equal(*holding & ~ready, 0);
    /* Or the partition sleeps though it could issue. */
    assert_true(!seen.may || seen.ops->reserve || collect_free_units(&seen.s->parts[p].collect));
    /* An empty one that keeps them all waiting does so for a while. */
    seen.kept = seen.may || seen.ninside[p] ? 0 : seen.kept + 1;
    assert_true(seen.kept < 4096);
    return seen.may;
}

/* A unit that is free, or was reserved: one that has no instruction; or any. */
static uint32_t spy_unit(void *st, uint32_t flight)
{
    const struct part *p = &seen.s->parts[part_of(st)];
    uint64_t free_units = collect_free_units(&p->collect);
    bool forced = seen.forced == p->flights[flight].warp;
    uint32_t u = seen.ops->unit ? seen.ops->unit(st, flight) : COLLECT_ANY;
    if (u == COLLECT_ANY)
        return u;
    assert_true(u < p->collect.n);
    assert_true(free_units >> u & 1 || (forced && !(p->collect.full >> u & 1)));
    return u;
}

static uint32_t spy_find(void *st, uint32_t flight, uint32_t unit)
{
    uint32_t p = part_of(st);
    const struct flight *l = &seen.s->parts[p].flights[flight];
    assert_true(!seen.ops->may || seen.may >> l->warp & 1);
    assert_true(flight < 4096 && !seen.inside[p][flight]);
    assert_true(in_collector(&seen.s->parts[p], flight));
    seen.inside[p][flight] = 1;
    seen.ninside[p]++;
    seen.issued++;
    seen.reads += l->i.k->nread;
    uint32_t found = seen.ops->find ? seen.ops->find(st, flight, unit) : 0;
    assert_int_equal((uint64_t)found >> l->i.k->nread, 0);
    seen.found += (uint32_t)__builtin_popcount(found);
    return found;
}

static void spy_left(void *st, uint32_t flight, uint32_t unit)
{
    uint32_t p = part_of(st);
    const struct flight *l = &seen.s->parts[p].flights[flight];
    assert_true(seen.inside[p][flight] && !in_collector(&seen.s->parts[p], flight));
    assert_true(seen.s->clock.now > l->issued); /* operands are not read in the cycle of issue */
    seen.inside[p][flight] = 0;
    seen.ninside[p]--;
    seen.left++;
    if (seen.ops->left)
        seen.ops->left(st, flight, unit);
}

/* Past the collectors: read and gone as far as they know. */
static uint64_t spy_reserve(void *st, uint32_t flight, uint64_t t)
{
    const struct part *p = &seen.s->parts[part_of(st)];
    const struct flight *l = &p->flights[flight];
    const uint64_t *hits = &seen.s->stats[SS_cache_hits], before = *hits;
    assert_true(seen.may >> l->warp & 1);
    assert_int_equal(l->i.k->route, ROUTE_UNIT);
    uint64_t at = seen.ops->reserve(st, flight, t);
    assert_true(at >= t + COLLECT_CYC && at < t + 64);
    seen.issued++;
    seen.left++;
    seen.reads += l->i.k->nread;
    seen.found += (uint32_t)(*hits - before);
    return at;
}

static int spy_forced(void *st, uint32_t n)
{
    seen.forced = seen.ops->forced(st, n);
    assert_true(seen.forced < 64);
    assert_true(seen.forced < 0 || seen.s->parts[part_of(st)].used >> seen.forced & 1);
    return seen.forced;
}

/* The slot that a scheduler which sticks to one has issued last; 64: none. */
static uint32_t last_of(const void *st) { return seen.sched->sticks ? ((const struct gto *)st)->last : 64; }

static int spy_pick(void *st, const struct wsched_view *v)
{
    uint32_t last = last_of(st);
    assert_true(v->ready != 0);
    assert_int_equal(seen.sched->active ? v->ready & ~v->resident : v->resident | v->waiting, 0);
    seen.picked = seen.sched->pick(st, v);
    if (seen.picked == WSCHED_NONE) {
        assert_true(++seen.waited < 100000);
        return seen.picked;
    }
    seen.waited = 0;
    assert_true(last == 64 || !(v->ready >> last & 1) || seen.picked == (int)last);
    assert_true(seen.picked >= 0 && seen.picked < 64 && v->ready >> seen.picked & 1);
    return seen.picked;
}

static void spy_issued(void *st, uint32_t slot)
{
    assert_true((int)slot == seen.picked || (int)slot == seen.forced || slot == last_of(st));
    if (seen.sched->issued)
        seen.sched->issued(st, slot);
}

static void spy_push(void *st, uint32_t part, uint32_t flight)
{
    assert_true(seen.lsu->room(st, part, flight));
    const struct flight *l = &seen.s->parts[part].flights[flight];
    const uint64_t *at = lines_at(seen.s, &l->i.lines);
    uint8_t mem = l->i.k->mem;
    if (l->i.space != SPACE_CONST)
        *(l->i.lines.n ? &seen.lines : &seen.shared) += 1;
    for (uint32_t i = 0; l->i.space != SPACE_CONST && l->i.space != SPACE_LOCAL && i < l->i.lines.n; i++)
        vec_push(&seen.given, (struct access){.line = line_addr(at[i]),
                                              .kind = mem & TM_ATOMIC ? MEM_ATOMIC
                                                      : mem & TM_LOAD ? MEM_READ
                                                                      : MEM_WRITE,
                                              .sectors = line_sectors(at[i])});
    seen.lsu->push(st, part, flight);
}

/* ---- one SM and an echo ---- */

struct rig {
    struct gpu_conf c;
    struct sm_timing tm;
    struct sm *s;
    struct operands_ops ops;
    struct wsched_ops sched;
    struct lsu_ops lsu;
    VEC(struct access) sent;
    uint64_t stats[SM_STATS];
};

static void put(struct rig *r, const char *assignment)
{
    struct diag d = {0};
    bool ok = conf_set(&r->c.conf, assignment, CONF_USER, &d);
    diag_print(&d, stderr);
    diag_free(&d);
    assert_true(ok);
}

static void rig_init(struct rig *r, const char *const *sets)
{
    memset(r, 0, sizeof *r);
    memset(&seen, 0, sizeof seen);
    seen.forced = -1;
    gpu_conf_init(&r->c);
    for (uint32_t i = 0; sets[i]; i++)
        put(r, sets[i]);
    r->tm = (struct sm_timing){.lat = &r->c.lat, .ii = &r->c.ii, .unit = &r->c.unit, .count = &r->c.count};
    struct sm *s = r->s = sm_new(&r->c.sm, &r->tm, 0, true);
    seen.s = s;
    seen.ops = s->operands.ops;
    seen.sched = s->sched;
    seen.lsu = s->lsu.ops;
    r->ops = *s->operands.ops;
    r->ops.unit = spy_unit;
    r->ops.find = spy_find;
    r->ops.left = spy_left;
    assert_true(!r->ops.forced == !r->ops.runner_up);
    if (r->ops.forced)
        r->ops.forced = spy_forced;
    if (r->ops.may)
        r->ops.may = spy_may;
    assert_true(!r->ops.reserve == !r->ops.taken);
    if (r->ops.reserve)
        r->ops.reserve = spy_reserve;
    r->sched = *s->sched;
    r->sched.pick = spy_pick;
    r->sched.issued = spy_issued;
    r->lsu = *s->lsu.ops;
    r->lsu.push = spy_push;
    s->operands.ops = &r->ops;
    s->sched = &r->sched;
    s->lsu.ops = &r->lsu;
    sm_observe(s, NULL); /* it looks at what it is again: no plain machine now */
}

static void rig_free(struct rig *r)
{
    sm_free(r->s);
    conf_free(&r->c.conf);
    vec_free(&r->sent);
    vec_free(&seen.given);
}

/* Local memory has addresses of its own (lines.c), and is written back some time. */
static bool is_local(uint64_t line) { return line >> 44 == 6; }

/* Requests that left before `until` are answered some cycles later, not in their order. */
static void echo(struct rig *r, uint64_t until)
{
    mem_reqs *out = sm_requests(r->s);
    uint32_t n = 0;
    for (; n < out->n && out->at[n].at < until; n++) {
        const struct mem_req *q = &out->at[n];
        if (!is_local(q->line))
            if (q->line < L1_OWN_FROM || q->line >= L1_OWN_TO) /* not a line of the operands' policy */
                vec_push(&r->sent, (struct access){.line = q->line, .kind = q->kind, .sectors = q->sectors});
        if (!q->wants_reply)
            continue;
        vec_push(sm_replies(r->s), (struct mem_reply){.at = q->at + WINDOW + q->line / LINE_B * 7 % 50,
                                                      .tag = q->tag,
                                                      .sm = 0,
                                                      .sectors = q->sectors,
                                                      .kind = q->kind});
    }
    if (n)
        memmove(out->at, out->at + n, sizeof *out->at * (out->n - n));
    out->n -= n;
}

static void play_launch(struct rig *r, struct tr_reader *t, uint32_t launch, const struct sm_kernel *k,
                        uint64_t *now)
{
    const struct tr_launch_info *info = tr_launch(t, launch);
    const struct tr_kernel *tk = tr_kernel(t, info->l.kernel);
    struct sm_need need = {.warps = info->nwarps,
                           .threads = info->l.block[0],
                           .regs = (tk->regs * TR_LANES + 255) / 256 * 256,
                           .shared_b = tk->shared_b + info->l.dyn_shared_b};
    uint32_t next = 0, done = 0;
    while (done < info->nctas) {
        while (next < info->nctas && sm_has_room(r->s, &need)) {
            sm_start_cta(r->s, *now, *now, k, &need, launch, next++,
                         &(struct sm_source){.trace = t, .share = 1});
        }
        *now += WINDOW;
        bool ok = sm_run(r->s, *now);
        if (!ok)
            fail_msg("%s", sm_error(r->s));
        echo(r, *now);
        done += sm_finished(r->s)->n;
        vec_clear(sm_finished(r->s));
        if (*now > MOST_CYC) {
            sm_print_waiting(r->s, stderr);
            fail_msg("it does not end");
        }
    }
}

static struct sm_kernel *prepare(struct rig *r, struct tr_reader *t, uint32_t i)
{
    struct diag d = {0};
    struct sm_kernel *k =
        sm_kernel_new(tr_kernel(t, i), (struct sm_kernel_id){.index = i, .id = i}, &r->c.sm, &r->tm);
    assert_true(sm_kernel_profile(k, t, &r->c.sm, &d));
    return k;
}

static struct play_want play_wild(struct rig *r, uint64_t seed, enum wild_kind kind)
{
    char path[256];
    struct diag d = {0};
    uint64_t now = 0;
    play_path(path);
    wild_write(path, seed, kind);
    struct tr_reader *t = tr_open(path, &d);
    assert_non_null(t);
    struct sm_kernel *k[8];
    for (uint32_t i = 0; i < tr_nkernels(t); i++)
        k[i] = prepare(r, t, i);
    for (uint32_t i = 0; i < tr_nlaunches(t); i++)
        play_launch(r, t, i, k[tr_launch(t, i)->l.kernel], &now);
    echo(r, UINT64_MAX); /* stores that still queue for the port when the last warp ends */
    for (uint32_t i = 0; seen.ops->attach && i < 64;
         i++) { /* and what a client of L1 has asked for by then */
        now += WINDOW;
        assert_true(sm_run(r->s, now));
        echo(r, UINT64_MAX);
    }
    sm_count(r->s, now, r->stats);
    struct play_want w = play_count(t);
    for (uint32_t i = 0; i < tr_nkernels(t); i++)
        sm_kernel_free(k[i]);
    tr_free(t);
    unlink(path);
    return w;
}

/* ---- what must hold afterwards ---- */

static void check_operands(const struct rig *r)
{
    assert_int_equal(seen.issued, seen.left);
    for (uint32_t p = 0; p < r->c.sm.partitions; p++)
        assert_int_equal(seen.ninside[p], 0);
    /* Every operand comes from a bank or from what the policy keeps; that may have been read from a bank for it. */
    assert_int_equal(r->stats[SS_reg_reads] + r->stats[SS_cache_hits],
                     seen.reads + r->stats[SS_cache_prefetches]);
    if (seen.ops->caches)
        assert_int_equal(r->stats[SS_cache_hits], seen.found);
    assert_true(r->stats[SS_reg_read_self] <= r->stats[SS_reg_read_wait]);
}

/* By line: every write and atomic was sent, in the order given, and reads were sent between the writes they were given
 * between (some hit, or joined one that was on its way). A policy of the operands that has a client of L1 may read lines of
 * programs besides; writes and atomics are the load-store unit's alone. */
static void check_order(const struct rig *r)
{
    bool more_reads = seen.ops->attach;
    VEC(uint8_t) used = {0};
    vec_resize(&used, r->sent.n + 1);
    memset(used.at, 0, r->sent.n + 1);
    uint32_t first = 0;
    bool by_sector = lsu_find(r->c.sm.lsu)->by_sector;
    vec_each (&seen.given, g) {
        while (first < r->sent.n && used.at[first])
            first++;
        /* Some policies send the sectors of a line one by one: then the order is that of each sector. */
        for (uint8_t left = g->sectors; left;) {
            uint8_t want = by_sector ? (uint8_t)(left & -left) : left;
            uint32_t i = first;
            while (i < r->sent.n && (used.at[i] || r->sent.at[i].line != g->line ||
                                     (by_sector && !(r->sent.at[i].sectors & want)) ||
                                     (more_reads && g->kind != MEM_READ && r->sent.at[i].kind == MEM_READ)))
                i++;
            const struct access *s = i < r->sent.n ? &r->sent.at[i] : NULL;
            left &= (uint8_t)~want;
            if (g->kind != MEM_READ) {
                assert_non_null(s);
                assert_int_equal(s->kind, g->kind);
                assert_int_equal(s->sectors, want);
                used.at[i] = 1;
            } else if (s && s->kind == MEM_READ && (!(s->sectors & ~want) || !r->c.sm.l1_sectors)) {
                used.at[i] = 1;
            }
        }
    }
    for (uint32_t i = 0; i < r->sent.n; i++)
        assert_true(used.at[i] || (more_reads && r->sent.at[i].kind == MEM_READ));
    vec_free(&used);
}

/* Warps may overtake each other (--check watches each of them): every write and atomic was sent once, and nothing else. */
static void check_sent(const struct rig *r)
{
    VEC(uint8_t) used = {0};
    vec_resize(&used, r->sent.n + 1);
    memset(used.at, 0, r->sent.n + 1);
    vec_each (&seen.given, g) {
        if (g->kind == MEM_READ)
            continue;
        uint32_t i = 0;
        while (i < r->sent.n && (used.at[i] || r->sent.at[i].line != g->line ||
                                 r->sent.at[i].kind != g->kind || r->sent.at[i].sectors != g->sectors))
            i++;
        assert_true(i < r->sent.n);
        used.at[i] = 1;
    }
    for (uint32_t i = 0; i < r->sent.n; i++)
        assert_true(used.at[i] || r->sent.at[i].kind == MEM_READ);
    vec_free(&used);
}

static void check_lsu(const struct rig *r, const struct play_want *w)
{
    assert_int_equal(r->stats[SS_loads_done], w->loads);
    const uint64_t *s = r->stats;
    assert_int_equal(s[SS_global_loads] + s[SS_global_stores] + s[SS_local_accesses] + s[SS_atomics],
                     seen.lines);
    assert_int_equal(s[SS_shared_accesses], seen.shared);
}

/* Everything that was lent is back. */
static void check_clean(const struct rig *r)
{
    const struct sm *s = r->s;
    uint32_t mshrs = 0, blocks = 0, waits = 0;
    for (uint32_t p = 0; p < MSHR_POOLS; p++)
        mshrs += s->l1.mshrs.nspare[p];
    for (uint32_t i = s->l1.mshrs.free_wait; i != UINT32_MAX; i = s->l1.mshrs.waits.at[i].next)
        waits++;
    for (uint16_t i = s->lsu.free_block; i != NONE16; i = (uint16_t)s->lsu.blocks[i][0])
        blocks++;
    assert_int_equal(mshrs, r->c.sm.l1_mshrs + r->c.sm.bypass_mshrs);
    assert_int_equal(s->l1.mshrs.nhashed, 0);
    assert_int_equal(waits, s->l1.mshrs.waits.n);
    assert_int_equal(blocks, s->lsu.nblocks);
    for (uint32_t p = 0; p < r->c.sm.partitions; p++) {
        uint32_t flights = 0;
        for (uint32_t f = s->parts[p].free_flight; f != UINT32_MAX; f = s->parts[p].flights[f].next)
            flights++;
        assert_int_equal(flights, s->parts[p].nflights);
        assert_int_equal(s->parts[p].used, 0);
        assert_int_equal(__builtin_popcountll(s->onchip.slots[p]), r->c.sm.warps);
        assert_int_equal(s->onchip.regs[p], s->onchip.split.registers / r->c.sm.partitions);
    }
    assert_int_equal(s->onchip.threads, r->c.sm.threads);
    assert_int_equal(s->onchip.shared_b, s->onchip.split.shared_b);
}

static const char *const sizes[][12] = {
    {"sm.onchip=partitioned", "sm.l1_kb=0", NULL},
    {"sm.onchip=partitioned", "sm.l1_kb=2", "sm.lsu_queue=1", "sm.collectors=1", "sm.banks=1",
     "sm.l1_mshrs=1", "sm.bypass_mshrs=1", NULL},
    {"sm.partitions=1", "sm.warps=16", "sm.schedulers=2", "sm.collectors=5", "sm.banks=16",
     "sm.collector_ports=1", "active.warps=2", NULL},
    {"sm.l1_sectors=false", "sm.l1_lines=4", "sm.request_queue=1", "sm.request_b=1", "sm.bank_reads=2",
     "ccu.private=true", "ccu.sthld=7", NULL},
    {"sm.collectors=3", "ccu.sthld=40", "ccu.entries=3", "sm.collector_ports=1", "sm.wsched=malekeh", NULL},
    {"sm.partitions=1", "sm.warps=32", "sm.banks=4", "sm.clusters=8", "sm.bank_write_port=true",
     "sm.l1_local_through=true", "sm.onchip_kb=200", NULL},
    {"ccu.reuse=false", "sm.bank_write_port=true", "sm.wsched=two-level", "active.warps=3", NULL},
};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static void check_all(const char *const *sets, const char *seam, const char *policy, uint64_t seed)
{
    struct rig r;
    char text[64];
    const char *all[14] = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; sets[i]; i++)
        all[n++] = sets[i];
    snprintf(text, sizeof text, "sm.%s=%s", seam, policy);
    all[n++] = text;
    rig_init(&r, all);
    if (!mini_fits(&seen.ops->is, &r.c.sm) || !mini_fits(&r.s->onchip.ops->is, &r.c.sm)) {
        rig_free(&r); /* refused before a run begins */
        return;
    }
    struct play_want w = play_wild(&r, seed, seed % 2 ? WILD_MEMORY : WILD_ANY);
    assert_int_equal(r.stats[SS_warp_insts], w.insts);
    check_operands(&r);
    check_lsu(&r, &w);
    (seen.lsu->reorders ? check_sent : check_order)(&r);
    check_clean(&r);
    rig_free(&r);
}

static void over(const char *seam, const char *(*name)(uint32_t i))
{
    for (uint32_t i = 0; name(i); i++)
        for (uint64_t seed = 0; seed < SEEDS; seed++)
            check_all(sizes[seed / 2 % SIZES], seam, name(i), seed);
}

static void wsched_contract(void **state)
{
    (void)state;
    over("wsched", wsched_name);
}

static void assign_contract(void **state)
{
    (void)state;
    over("assign", assign_name);
}

static void operands_contract(void **state)
{
    (void)state;
    over("operands", operands_name);
}

static void lsu_contract(void **state)
{
    (void)state;
    over("lsu", lsu_name);
}

static void onchip_contract(void **state)
{
    (void)state;
    over("onchip", onchip_name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wsched_contract),   cmocka_unit_test(assign_contract),
        cmocka_unit_test(operands_contract), cmocka_unit_test(lsu_contract),
        cmocka_unit_test(onchip_contract),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
