/* SPDX-License-Identifier: Apache-2.0 */
/* An SM: what it is made of. */
#include "sm/async/async.h"
#include "sm/warps/park.h"
#include "sm/watch/tally.h"

#include <assert.h>

const struct conf_opt sm_opts[] = {
#define OPT(name, type, def, lo, hi, ...) CONF_ROW_OPT(struct sm_cfg, name, type, def, lo, hi, __VA_ARGS__)
#define NAME(name, def, names, ...) CONF_ROW_NAME(struct sm_cfg, name, def, names, __VA_ARGS__)
#include "sm/sm.def"
#undef OPT
#undef NAME
};
const uint32_t sm_nopts = sizeof sm_opts / sizeof sm_opts[0];

const struct conf_opt lat_opts[] = {
#define CLASS(name, unit, what) CONF_ROW_OPT(struct lat_cfg, name, U32, 4, 1, 1000, what)
#include "trace/code/class.def"
#undef CLASS
};
const struct conf_opt ii_opts[] = {
#define CLASS(name, unit, what) CONF_ROW_OPT(struct lat_cfg, name, U32, 1, 1, 1000, what)
#include "trace/code/class.def"
#undef CLASS
};
const struct conf_opt unit_opts[] = {
#define CLASS(name, unit, what) CONF_ROW_NAME(struct unit_cfg, name, #unit, unit_name, what)
#include "trace/code/class.def"
#undef CLASS
};
const uint32_t lat_nopts = TC_COUNT;

const struct conf_opt count_opts[] = {
#define X(name, what) CONF_ROW_OPT(struct count_cfg, name, U32, 1, 1, MAX_COPIES, what)
    SM_UNITS(X)
#undef X
};
const uint32_t count_nopts = sizeof count_opts / sizeof count_opts[0];

const char *unit_name(uint32_t i)
{
    static const char *const names[] = {
#define X(name, what) [UNIT_##name] = #name,
        SM_UNITS(X)
#undef X
    };
    return i < UNIT_COUNT ? names[i] : NULL;
}

static const struct stat_info stat_rows[] = {
#define STAT(name, unit, help) {#name, unit, help},
#include "sm/sm_stats.def"
#undef STAT
};
const struct stat_table sm_stats = {"sm", stat_rows, SS_COUNT};
static const struct stat_array array_rows[] = {
#define ARRAY(name, unit, by_sm, help) {#name, unit, by_sm, help},
#include "sm/sm_arrays.def"
#undef ARRAY
};
const struct stat_arrays sm_arrays = {"sm", array_rows, SA_COUNT};

static void part_init(struct sm *s, uint32_t id)
{
    const struct sm_cfg *c = s->cfg;
    struct part *p = &s->parts[id];
    p->sm = s;
    p->id = (uint16_t)id;
    p->warps = arena_raw_lines(&s->arena, c->warps * sizeof *p->warps);
    for (uint32_t i = 0; i < c->warps; i++)
        sm_warp_clear(&p->warps[i]);
    p->check = s->trust.check ? check_new(c->warps) : NULL;
    p->age = arena_alloc(&s->arena, 64 * sizeof *p->age);
    p->issued_at = arena_alloc(&s->arena, 64 * sizeof *p->issued_at);
    banks_init(&p->banks, c, &s->arena);
    p->producer = arena_raw_lines(&s->arena, c->warps * sizeof *p->producer);
    memset(p->producer, SS_stall_alu, c->warps * sizeof *p->producer);
    p->free_flight = UINT32_MAX;
    p->blamed = arena_alloc(&s->arena, c->schedulers * sizeof *p->blamed);
    p->sched_mask = arena_alloc(&s->arena, c->schedulers * sizeof *p->sched_mask);
    p->sched_half = arena_alloc(&s->arena, c->schedulers * sizeof *p->sched_half);
    p->sched = arena_alloc(&s->arena, c->schedulers * sizeof *p->sched);
    for (uint32_t i = 0; i < c->warps; i++)
        for (uint32_t k = 0; k < c->schedulers; k++)
            p->sched_mask[k] |= (uint64_t)(c->warp_pool || i % c->schedulers == k) << i;
    for (uint32_t k = 0; k < c->schedulers; k++)
        for (uint64_t m = p->sched_mask[k]; m; m &= m - 1) {
            p->sched_half[k] |= m & -m;
            m &= m - 1;
        }
    for (uint32_t i = 0; i < c->schedulers; i++) {
        p->sched[i] = policy_state(&s->sched->is);
        if (s->sched->init)
            s->sched->init(p->sched[i], c);
        p->cause[i] = SS_stall_no_warp;
    }
    p->greedy = s->sched->greedy ? *p->sched : NULL;
    p->score = s->sched->score_late ? score_new(c->banks, s->sched->score_late(c)) : NULL;
    collect_init(p);
    p->operands = policy_state(&s->operands.ops->is);
    if (s->operands.ops->init)
        s->operands.ops->init(p->operands, p);
    if (c->l0i_b)
        cache_init(&p->l0i, c->l0i_b, LINE_B, 4);
    s->clock.wakes[id] = NEVER;
    p->fetched = 63; /* slot 0 comes first */
}

/* After whatever may change what it has. */
static void see_features(struct sm *s)
{
    assert(!s->ctas.n);
    s->trust.places = s->trust.watch || s->tenants.stats;
    run_choose(s);
    /* Versions of registers are needed in full where anything but banks and the scheduler's order decides (check.c). */
    for (uint32_t i = 0; s->trust.check && i < s->cfg->partitions; i++)
        s->parts[i].check->exact = s->parts[i].check->always =
            s->features & ~(features)(F_CHECKED | F_WATCHED);
}

/* sm_operands.last_first */
static bool last_first(const struct sm *s)
{
    const struct operands_ops *o = s->operands.ops;
    return s->sched->sticks && !o->forced && !o->runner_up && (o->may ? o->each : !s->sched->greedy) &&
           !s->cfg->warp_limit;
}

struct sm *sm_new(const struct sm_cfg *c, const struct sm_timing *tm, uint32_t id, bool check)
{
    struct sm *s = memset(xraw_lines(1, sizeof *s), 0, offsetof(struct sm, calendar.first));
    s->cfg = c;
    s->code.streams = c->l0i_b && c->l0i_line_cyc;
    s->code.fetch_below = c->fetch_empty ? 1 : c->ibuffer;
    bool all = c->schedulers == 1 || (c->fetches >= c->schedulers && c->ibuffer > 1);
    s->code.fetch_full = !c->fetch_empty && c->fetch_cyc == 1 && all ? c->ibuffer : 0;
    s->id = id;
    s->trust.check = check;
    s->operands.units = (const uint32_t *)(const void *)tm->count; /* members in the order of enum ir_unit */
    for (uint32_t i = 0; c->isolated && i < UNIT_COUNT; i++)
        s->operands.own_units[i] = (uint8_t)(s->operands.units[i] / c->schedulers);
    s->operands.ops = operands_find(c->operands);
    s->sched = wsched_of(c);
    s->operands.last_first = last_first(s);
    s->ctas.assign_ops = assign_find(c->assign);
    s->calendar.free_event = s->far.free = UINT32_MAX;
    s->clock.wake = s->port.replies.next = NEVER;
    s->ctas.assign = policy_state(&s->ctas.assign_ops->is);
    if (s->ctas.assign_ops->init)
        s->ctas.assign_ops->init(s->ctas.assign, c, id);
    s->operands.shared = arena_alloc(&s->arena, s->operands.ops->shared_b);
    s->parts = arena_lines(&s->arena, c->partitions * sizeof *s->parts);
    s->clock.wakes = arena_alloc(&s->arena, c->partitions * sizeof *s->clock.wakes);
    for (uint32_t i = 0; i < c->partitions; i++)
        part_init(s, i);
    s->ctas.at = arena_alloc(&s->arena, c->ctas * sizeof *s->ctas.at);
    s->operands.reads_most = sm_array_n(c, SA_reads_per_cycle) - 1;
    s->operands.reads_per_cycle =
        arena_alloc(&s->arena, (s->operands.reads_most + 1) * sizeof *s->operands.reads_per_cycle);
    window_init(s);
    tenants_init(s, tenant_find(c->tenant), 1);
    onchip_init(&s->onchip, c);
    l1_init(s);
    stream_init(s);
    s->lsu.ops = lsu_find(c->lsu);
    s->lsu.st = policy_state(&s->lsu.ops->is);
    if (s->lsu.ops->init)
        s->lsu.ops->init(s->lsu.st, s);
    s->lsu.plain_lines = !c->l1_words && !s->lsu.ops->maps && !s->onchip.follows;
    l1_add(s, &(struct l1_client){.name = "load-store unit",
                                  .priority = L1_LSU_PRIORITY,
                                  .ctx = s->lsu.st,
                                  .tick = s->lsu.ops->tick,
                                  .next = s->lsu.ops->next,
                                  .arrived = s->lsu.ops->arrived,
                                  .replied = s->lsu.ops->replied});
    if (s->operands.ops->attach)
        s->operands.ops->attach(s);
    see_features(s);
    return s;
}

void sm_free(struct sm *s)
{
    for (uint32_t i = 0; i < s->cfg->partitions; i++) {
        struct part *p = &s->parts[i];
        if (s->operands.ops->free)
            s->operands.ops->free(p->operands);
        free(p->operands);
        check_free(p->check);
        score_free(p->score);
        for (uint32_t k = 0; k < s->cfg->schedulers; k++)
            free(p->sched[k]);
        banks_free(&p->banks);
        free(p->flights);
        cache_free(&p->l0i);
    }
    for (uint32_t i = 0; i < s->cfg->ctas; i++) {
        if (!s->ctas.at[i].used)
            continue;
        tr_close_cta(s->ctas.at[i].stream);
        ahead_free(s->ctas.at[i].ahead);
        free(s->ctas.at[i].jump);
        free(s->ctas.at[i].cluster);
    }
    tally_free(s->trust.tally);
    park_free(s);
    vec_free(&s->far.out);
    vec_free(&s->far.in);
    if (s->lsu.ops->free)
        s->lsu.ops->free(s->lsu.st);
    free(s->lsu.st);
    stream_done(s);
    l1_done(s);
    free(s->ctas.assign);
    tenants_free(s);
    free(s->operands.window.touched);
    async_free(s);
    vec_free(&s->calendar.events);
    vec_free(&s->port.out);
    vec_free(&s->jumped.touched);
    vec_free(&s->port.in);
    free(s->port.replies.at);
    vec_free(&s->ctas.done);
    arena_free(&s->arena);
    free(s);
}

static const char *const block_names[BLOCK_COUNT] = {
    [BLOCK_NOT] = "nothing: it is ready",
#define BLOCK(name, cause, text) [BLOCK_##name] = text,
#include "sm/blocks.def"
#undef BLOCK
};

void sm_print_waiting(const struct sm *s, FILE *to)
{
    for (uint32_t i = 0; i < s->cfg->partitions; i++) {
        const struct part *p = &s->parts[i];
        for (uint64_t m = p->used; m; m &= m - 1) {
            uint32_t n = (uint32_t)__builtin_ctzll(m);
            const struct sm_warp *w = &p->warps[n];
            const struct sm_cta *c = &s->ctas.at[w->cta];
            const struct tr_insn *insns = c->k->tr->insns;
            const struct tr_insn *k = &insns[w->n ? w->next.k->at : w->last];
            fprintf(to,
                    "  SM %u partition %u slot %u  launch %u CTA %u warp %u  pc %s0x%x %s  waits for %s\n",
                    s->id, i, n, c->launch, c->cta, w->index, w->n ? "" : "after ", k->pc,
                    w->n ? k->text : "", block_names[w->block]);
        }
    }
    park_print(s, to);
}

uint32_t sm_collectors(const struct sm_cfg *c)
{
    const struct operands_ops *o = operands_find(c->operands);
    return o->units ? o->units(c) : c->collectors + c->collectors_sfu + c->collectors_mem;
}

const struct control_ops *sm_control(const struct sm_cfg *c) { return operands_find(c->operands)->control; }

void sm_set(struct sm *s, uint32_t value)
{
    for (uint32_t i = 0; i < s->cfg->partitions; i++)
        s->operands.ops->set(s->parts[i].operands, value);
}

void sm_observe(struct sm *s, const struct sm_observer *o)
{
    s->trust.watch = o;
    s->trust.steps = o && o->step ? o : NULL;
    tally_free(s->trust.tally);
    s->trust.tally = o && o->charged ? tally_new() : NULL;
    see_features(s);
}

void sm_tenants(struct sm *s, uint32_t n, const struct tenant_ops *ops)
{
    tenants_free(s);
    tenants_init(s, ops ? ops : tenant_find(s->cfg->tenant), n);
    see_features(s);
}
uint64_t sm_issued(const struct sm *s) { return s->stats[SS_warp_insts]; }
const char *sm_error(const struct sm *s) { return s->error; }
mem_reqs *sm_requests(struct sm *s) { return &s->port.out; }
mem_replies *sm_replies(struct sm *s) { return &s->port.in; }
sm_done_list *sm_finished(struct sm *s) { return &s->ctas.done; }
uint32_t sm_nctas(const struct sm *s) { return s->ctas.n; }
bool sm_idle(const struct sm *s) { return s->ctas.n == 0 && !s->ctas.parked.n; }
