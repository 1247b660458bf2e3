/* An SM over time: cycles in which something happens, and jumps over those in which nothing does. */
#include "sm/async/async.h"
#include "sm/park.h"

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
#include "trace/class.def"
#undef CLASS
};
const struct conf_opt ii_opts[] = {
#define CLASS(name, unit, what) CONF_ROW_OPT(struct lat_cfg, name, U32, 1, 1, 1000, what)
#include "trace/class.def"
#undef CLASS
};
const struct conf_opt unit_opts[] = {
#define CLASS(name, unit, what) CONF_ROW_NAME(struct unit_cfg, name, #unit, unit_name, what)
#include "trace/class.def"
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
    p->id = id;
    p->warps = xcalloc(c->warps, sizeof *p->warps);
    p->check = s->check ? check_new(c->warps) : NULL;
    p->age = xcalloc(64, sizeof *p->age);
    p->issued_at = xcalloc(64, sizeof *p->issued_at);
    banks_init(&p->banks, c);
    p->producer = xcalloc(c->warps, sizeof *p->producer);
    p->free_flight = UINT32_MAX;
    p->cause = xcalloc(c->schedulers, sizeof *p->cause);
    p->place = xcalloc(c->schedulers, sizeof *p->place);
    p->sched_mask = xcalloc(c->schedulers, sizeof *p->sched_mask);
    p->sched = xcalloc(c->schedulers, sizeof *p->sched);
    for (uint32_t i = 0; i < c->warps; i++)
        for (uint32_t k = 0; k < c->schedulers; k++)
            p->sched_mask[k] |= (uint64_t)(c->warp_pool || i % c->schedulers == k) << i;
    for (uint32_t i = 0; i < c->schedulers; i++) {
        p->sched[i] = policy_state(&s->sched->is);
        if (s->sched->init)
            s->sched->init(p->sched[i], c);
        p->cause[i] = SS_stall_no_warp;
        p->place[i].kernel = SM_NOWHERE;
    }
    p->score = s->sched->score_late ? score_new(c->banks, s->sched->score_late(c)) : NULL;
    collect_init(p);
    p->operands = policy_state(&s->ops->is);
    if (s->ops->init)
        s->ops->init(p->operands, p);
    if (c->l0i_b)
        cache_init(&p->l0i, c->l0i_b, LINE_B, 4);
    p->wake = NEVER;
    p->fetch_last = 63;
}

/* Who issues is decided by the scheduler's order alone. */
static bool is_plain(const struct sm *s)
{
    const struct operands_ops *o = s->ops;
    const struct sm_cfg *c = s->cfg;
    return c->schedulers == 1 && !c->issue_latch && !c->warp_limit && !s->places && !s->sched->active &&
           !s->sched->asks && !s->sched->score_late && !s->parts->collect.each && !o->forced && !o->may &&
           !o->active && !o->prepare && !o->runner_up;
}

struct sm *sm_new(const struct sm_cfg *c, const struct sm_timing *tm, uint32_t id, bool check)
{
    struct sm *s = xcalloc(1, sizeof *s);
    s->cfg = c;
    s->fetch_below = c->fetch_empty ? 1 : c->ibuffer;
    s->id = id;
    s->check = check;
    s->units = (const uint32_t *)(const void *)tm->count; /* members in the order of enum ir_unit */
    s->ops = operands_find(c->operands);
    s->sched = wsched_of(c);
    s->asg = assign_find(c->assign);
    s->free_event = s->far.free = UINT32_MAX;
    s->wake = NEVER;
    s->assign = policy_state(&s->asg->is);
    if (s->asg->init)
        s->asg->init(s->assign, c, id);
    s->shared = xcalloc(1, s->ops->shared_b + 1);
    s->parts = xcalloc(c->partitions, sizeof *s->parts);
    for (uint32_t i = 0; i < c->partitions; i++)
        part_init(s, i);
    s->ctas = xcalloc(c->ctas, sizeof *s->ctas);
    s->reads_most = sm_array_n(c, SA_reads_per_cycle) - 1;
    s->reads_per_cycle = xcalloc(s->reads_most + 1, sizeof *s->reads_per_cycle);
    window_init(s);
    tenants_init(s, tenant_find(c->tenant), 1);
    onchip_init(&s->onchip, c);
    l1_init(s);
    s->lsu_ops = lsu_find(c->lsu);
    s->lsu = policy_state(&s->lsu_ops->is);
    if (s->lsu_ops->init)
        s->lsu_ops->init(s->lsu, s);
    l1_add(s, &(struct l1_client){.name = "load-store unit",
                                  .priority = L1_LSU_PRIORITY,
                                  .ctx = s->lsu,
                                  .tick = s->lsu_ops->tick,
                                  .next = s->lsu_ops->next,
                                  .arrived = s->lsu_ops->arrived,
                                  .replied = s->lsu_ops->replied});
    if (s->ops->attach)
        s->ops->attach(s);
    s->plain = is_plain(s);
    return s;
}

void sm_free(struct sm *s)
{
    for (uint32_t i = 0; i < s->cfg->partitions; i++) {
        struct part *p = &s->parts[i];
        if (s->ops->free)
            s->ops->free(p->operands);
        free(p->operands);
        check_free(p->check, s->cfg->warps);
        score_free(p->score);
        for (uint32_t k = 0; k < s->cfg->schedulers; k++)
            free(p->sched[k]);
        collect_free(p);
        banks_free(&p->banks);
        free(p->sched);
        free(p->sched_mask);
        free(p->cause);
        free(p->place);
        free(p->warps);
        free(p->age);
        free(p->issued_at);
        free(p->producer);
        free(p->flights);
        cache_free(&p->l0i);
    }
    for (uint32_t i = 0; i < s->cfg->ctas; i++) {
        if (!s->ctas[i].used)
            continue;
        tr_close_cta(s->ctas[i].stream);
        ahead_free(s->ctas[i].ahead);
        free(s->ctas[i].cluster);
    }
    park_free(s);
    vec_free(&s->far.out);
    vec_free(&s->far.in);
    if (s->lsu_ops->free)
        s->lsu_ops->free(s->lsu);
    free(s->lsu);
    l1_done(s);
    free(s->parts);
    free(s->ctas);
    free(s->assign);
    tenants_free(s);
    free(s->shared);
    free(s->reads_per_cycle);
    free(s->window.touched);
    async_free(s);
    vec_free(&s->events);
    vec_free(&s->out);
    vec_free(&s->in);
    vec_free(&s->done);
    free(s);
}

/* ---- replies: a heap by time, equal times by the order they came in (tag of the heap: its position is not kept) ---- */

static bool before(const struct mem_reply *a, const struct mem_reply *b)
{
    return a->at != b->at ? a->at < b->at : a->tag < b->tag;
}

/* The host's cache gets what the new replies will touch, step by step along their pointers, each step for all of
 * them. (Somebody waits for every reply, mostly a flight.) */
static void expect_replies(const struct sm *s)
{
    if (s->cfg->store_acks || s->async)
        return; /* acknowledgements and replies to the copy engine have no miss entry */
    for (uint32_t i = s->in_heap; i < s->in.n; i++)
        __builtin_prefetch(&s->mshrs.at[s->in.at[i].tag], 1);
    for (uint32_t i = s->in_heap; i < s->in.n; i++) {
        const struct mshr *m = &s->mshrs.at[s->in.at[i].tag];
        __builtin_prefetch(&s->l1.lines[m->to], 1);
        __builtin_prefetch(&s->mshrs.waits.at[m->first], 1);
    }
    for (uint32_t i = s->in_heap; i < s->in.n; i++) {
        const struct mwait *w = &s->mshrs.waits.at[s->mshrs.at[s->in.at[i].tag].first];
        if (w->client == L1_FLIGHT)
            __builtin_prefetch(&s->parts[w->part].flights[w->name].lines_left, 1);
    }
}

static void heap_take_in(struct sm *s)
{
    expect_replies(s);
    for (; s->in_heap < s->in.n; s->in_heap++) {
        uint32_t i = s->in_heap;
        while (i && before(&s->in.at[i], &s->in.at[(i - 1) / 2])) {
            struct mem_reply x = s->in.at[i];
            s->in.at[i] = s->in.at[(i - 1) / 2];
            s->in.at[(i - 1) / 2] = x;
            i = (i - 1) / 2;
        }
    }
}

static struct mem_reply heap_pop(struct sm *s)
{
    struct mem_reply top = s->in.at[0], last = s->in.at[--s->in.n];
    s->in_heap--;
    uint32_t i = 0;
    for (;;) {
        uint32_t k = 2 * i + 1;
        if (k >= s->in.n)
            break;
        if (k + 1 < s->in.n && before(&s->in.at[k + 1], &s->in.at[k]))
            k++;
        if (!before(&s->in.at[k], &last))
            break;
        s->in.at[i] = s->in.at[k];
        i = k;
    }
    if (s->in.n)
        s->in.at[i] = last;
    return top;
}

static uint64_t reply_next(const struct sm *s)
{
    if (!s->in.n)
        return NEVER;
    return s->in.at[0].at > s->port_free ? s->in.at[0].at : s->port_free;
}

static void take_replies(struct sm *s, uint64_t t)
{
    while (reply_next(s) <= t) {
        struct mem_reply r = heap_pop(s);
        uint32_t bytes = 8 + (r.kind == MEM_WRITE ? 0 : SECTOR_B * (uint32_t)__builtin_popcount(r.sectors));
        s->stats[SS_reply_wait] += t - r.at;
        s->port_free = t + (bytes + s->cfg->reply_b - 1) / s->cfg->reply_b;
        l1_reply(s, &r, t);
    }
}

/* ---- time ---- */

/* Cycles since the last tick in which the partition slept: nothing can have changed. */
void part_charge(struct part *p, uint64_t until)
{
    if (until <= p->counted)
        return;
    bool places = p->sm->places;
    uint64_t from = p->counted;
    p->counted = until;
    if (places && p->sm->tenants.pcs)
        tenant_slept(p, until - from);
    for (uint32_t i = 0; i < p->sm->cfg->schedulers; i++) {
        p->sm->stats[p->cause[i]] += until - from;
        p->sm->stats[SS_pending_ready] += p->pending_ready >> i & 1 ? until - from : 0;
        if (!places)
            continue;
        const struct sm_observer *o = p->sm->watch;
        if (o)
            o->cycles(o->ctx, p->id * p->sm->cfg->schedulers + i, from, until, (enum sm_stat)p->cause[i]);
        blame_tell(p, i, (enum sm_stat)p->cause[i], until - from);
    }
}

/* The next cycle in which the partition can do anything without being woken. */
static uint64_t part_next(struct part *p, uint64_t t)
{
    struct sm *s = p->sm;
    if (p->banks.pending || p->want_fetch || (!s->cfg->sleep && p->used) ||
        (p->blocked[BLOCK_NOT] && (p->collect.each || collect_free_units(&p->collect))))
        return t + 1;
    return collect_next(p, t);
}

static void part_tick(struct part *p, uint64_t t)
{
    struct sm *s = p->sm;
    if (p->counted < t)
        part_charge(p, t);
    p->counted = t + 1;
    if (p->banks.pending)
        banks_write(p);
    else
        banks_rest(&p->banks);
    if (p->collect.back.units)
        collect_to_units(p, t);
    if (p->collect.full)
        collect_dispatch(p, t);
    if (p->collect.waiting || s->ops->idle)
        collect_read(p, t);
    if (p->collect.front.units)
        collect_admit(p, t);
    if (p->score)
        score_sample(p, t);
    issue_tick(p, t);
    if (p->want_fetch)
        fetch_tick(p, t);
    p->wake = part_next(p, t);
    if (p->wake == t + 1)
        return;
    if (s->tenants.pcs)
        tenant_sleeps(p);
    for (uint32_t i = 0; i < s->cfg->schedulers; i++) {
        p->cause[i] = issue_idle_cause(p, i, t + 1);
        if (s->sched->active)
            issue_note_pending(p, i);
        if (s->places)
            blame_wait(p, i, (enum sm_stat)p->cause[i], 0);
    }
}

/* Each partition that has something to look at, in turn. */
static void tick_parts(struct sm *s, uint64_t t)
{
    uint32_t n = s->cfg->partitions;
    s->first = s->cfg->part_turns && s->lsu_last + 1 < n ? s->lsu_last + 1 : 0;
    struct part *p = &s->parts[s->first], *end = s->parts + n;
    s->wake = NEVER;
    for (uint32_t i = 0; i < n; i++) {
        s->ticking = (int32_t)i;
        if (p->wake <= t)
            part_tick(p, t);
        if (p->wake < s->wake)
            s->wake = p->wake;
        if (++p == end)
            p = s->parts;
    }
}

uint64_t sm_next(const struct sm *s)
{
    uint64_t t = event_next(s), u = reply_next(s);
    t = u < t ? u : t;
    u = l1_next(s);
    t = u < t ? u : t;
    t = s->wake < t ? s->wake : t;
    return t > s->now ? t : s->now; /* what could have been done before is done now */
}

bool sm_run(struct sm *s, uint64_t until)
{
    heap_take_in(s);
    for (uint64_t t = sm_next(s); t < until;) {
        s->now = t;
        s->ticking = -1;
        if (s->in.n)
            take_replies(s, t);
        event_run(s, t);
        if (s->wake <= t)
            tick_parts(s, t);
        s->ticking = (int32_t)s->cfg->partitions;
        l1_tick(s, t);
        if (s->reads_now) {
            s->reads_per_cycle[s->reads_now < s->reads_most ? s->reads_now : s->reads_most]++;
            s->reads_now = 0;
        }
        s->now = t + 1;
        s->ticking = -1;
        t = s->wake == t + 1 ? t + 1 : sm_next(s);
    }
    if (s->now < until)
        s->now = until;
    return s->error[0] == 0;
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
            const struct sm_cta *c = &s->ctas[w->cta];
            const struct tr_insn *insns = c->k->tr->insns;
            const struct tr_insn *k = &insns[w->n ? w->ibuf[w->head].at : w->last_at ? w->last_at - 1 : 0];
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
        s->ops->set(s->parts[i].operands, value);
}

void sm_observe(struct sm *s, const struct sm_observer *o)
{
    s->watch = o;
    s->places = o || s->tenants.stats;
    s->plain = is_plain(s);
}

void sm_tenants(struct sm *s, uint32_t n, const struct tenant_ops *ops)
{
    tenants_free(s);
    tenants_init(s, ops ? ops : tenant_find(s->cfg->tenant), n);
    s->plain = is_plain(s);
}
uint64_t sm_issued(const struct sm *s) { return s->stats[SS_warp_insts]; }
const char *sm_error(const struct sm *s) { return s->error; }
mem_reqs *sm_requests(struct sm *s) { return &s->out; }
mem_replies *sm_replies(struct sm *s) { return &s->in; }
sm_done_list *sm_finished(struct sm *s) { return &s->done; }
uint32_t sm_nctas(const struct sm *s) { return s->nctas; }
bool sm_idle(const struct sm *s) { return s->nctas == 0 && !s->parked.n; }
