/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/windows.h"

#include <assert.h>

/* Work that is worth a thread: several times what calling it costs, while it still looks out for the next call. */
enum { SMS_PER_THREAD = 2, REQUESTS_PER_THREAD = 64 };
/* Cycles that an SM may run ahead of the others: its state is in the host's caches then, where that of all SMs is not. */
enum { AHEAD = 2048 };
/* Several threads have fewer SMs each; what they gain is rounds, if most SMs do without one. They all stop at the same cycle,
 * every so many windows, since SMs that are due one by one cannot be shared out, and only where few wait for memory: the others
 * have nothing to do in the windows in which those are stepped. */
enum { AHEAD_WINDOWS = 12, FEW_WAIT = 16 };

uint32_t windows_threads(uint32_t nsm, uint32_t threads)
{
    uint32_t most = nsm / SMS_PER_THREAD;
    return threads < most ? threads : most;
}

void windows_init(struct windows *w, struct sm **sms, uint32_t nsm, struct memsys *mem, struct team *team)
{
    *w = (struct windows){.sms = sms, .nsm = nsm, .mem = mem, .team = team};
    w->seen = xcalloc(nsm, sizeof *w->seen);
    w->replies = xcalloc(nsm, sizeof *w->replies);
    w->active = xcalloc(nsm, sizeof *w->active);
    w->starts = xcalloc(nsm, sizeof *w->starts);
    w->room = xcalloc(nsm, sizeof *w->room);
    w->small = xcalloc(nsm, sizeof *w->small);
    for (uint32_t i = 0; i < 2; i++)
        w->ends[i] = xcalloc(team_threads(team), sizeof *w->ends[i]);
    for (uint32_t i = 0; i < nsm; i++)
        w->seen[i].arrives = UINT64_MAX;
    w->alone = team_threads(team) == 1;
    if (w->alone)
        memsys_alone(mem, w->replies);
    windows_look_all(w);
}

void windows_free(struct windows *w)
{
    net_free(&w->net);
    for (uint32_t i = 0; i < w->nsm; i++) {
        vec_free(&w->replies[i]);
        vec_free(&w->starts[i]);
    }
    free(w->starts);
    free(w->room);
    free(w->seen);
    free(w->replies);
    free(w->active);
    free(w->small);
    free(w->ends[0]);
    free(w->ends[1]);
}

static void look(struct windows *w, uint32_t sm, uint64_t next)
{
    struct sm *s = w->sms[sm];
    struct sm_seen *to = &w->seen[sm];
    const mem_reqs *out = sm_requests(s);
    const sm_done_list *done = sm_finished(s);
    uint64_t ended = done->n ? done->at[0].at : UINT64_MAX;
    to->next = ended < next ? ended : next;
    to->request = out->n ? out->at[0].at : UINT64_MAX;
    to->issued = sm_issued(s);
    to->ended = ended < w->until;
    to->failed = sm_error(s)[0] != 0;
}

void windows_look(struct windows *w, uint32_t sm) { look(w, sm, sm_next(w->sms[sm])); }

void windows_look_all(struct windows *w)
{
    for (uint32_t i = 0; i < w->nsm; i++)
        windows_look(w, i);
}

/* ---- CTAs ---- */

static void count_room(void *ctx, uint32_t i)
{
    struct windows *w = ctx;
    w->room[i] = sm_room(w->sms[i], w->need);
}

void windows_need(struct windows *w, const struct sm_need *need)
{
    if (need && need != w->need) {
        w->need = need;
        team_run(w->team, &(struct team_list){count_room, w->nsm, NULL}, 1, team_threads(w->team), w);
    }
    w->need = need;
}

void windows_start(struct windows *w, uint32_t sm, const struct cta_start *cta)
{
    vec_push(&w->starts[sm], *cta);
    w->room[sm]--;
    w->seen[sm].next = cta->at < w->seen[sm].next ? cta->at : w->seen[sm].next;
}

void windows_heard(struct windows *w, uint32_t sm)
{
    if (w->need && !w->room[sm]) /* those of one that has run ahead had none as long as nobody knew of them */
        count_room(w, sm);
}

static bool start_ctas(struct windows *w, uint32_t sm)
{
    cta_starts *all = &w->starts[sm];
    bool any = all->n;
    vec_each (all, c)
        sm_start_cta(w->sms[sm], w->now, c->at, c->kernel, c->need, c->launch, c->cta, &c->from);
    vec_clear(all);
    return any;
}

/* ---- a window ---- */

/* The SMs behind the i-th, before that is run. Where threads share the work, others may be at them: it is the SM itself, then. */
static void expect(const struct windows *w, uint32_t i)
{
    uint32_t next = w->alone ? i + 1 : i;
    if (w->alone && next + 1 < w->nactive)
        sm_expect(w->sms[w->active[next + 1]]);
    if (next < w->nactive)
        sm_expect_parts(w->sms[w->active[next]], &w->replies[w->active[next]]);
}

static uint64_t ahead_until(const struct windows *w)
{
    uint64_t all = (uint64_t)AHEAD_WINDOWS * memsys_lookahead(w->mem);
    return w->alone ? w->until + AHEAD : (w->until / all + 1) * all;
}

static void step_sm(struct windows *w, uint32_t i)
{
    uint32_t sm = w->active[i];
    struct sm *s = w->sms[sm];
    struct sm_seen *seen = &w->seen[sm];
    mem_replies *in = &w->replies[sm];
    bool changed = start_ctas(w, sm);
    uint64_t next = seen->next, issued = seen->issued, until = w->until;
    if (!w->alone)
        memsys_take(w->mem, sm, in);
    expect(w, i);
    if (next < w->known || in->n) {
        assert(w->clusters || seen->asked >= in->n); /* theirs may come unasked */
        seen->asked -= in->n;
        sm_receive(s, in);
        sm_run(s, w->until);
        uint64_t most = seen->asked ? w->known : ahead_until(w);
        if (w->ahead && sm_nctas(s) && sm_run_on(s, w->known, most, memsys_reply_cyc(w->mem)))
            until = w->known;
        next = sm_ran(s);
    }
    struct mem_sent sent = memsys_send(w->mem, sm, sm_requests(s), until);
    seen->sent = sent.n;
    seen->asked += sent.asks;
    seen->arrives = sent.arrives;
    look(w, sm, next);
    seen->work = seen->issued - issued;
    changed |= sm_finished(s)->n != 0;
    if (changed && w->need)
        count_room(w, sm);
}

static void step_busy(void *ctx, uint32_t i)
{
    struct windows *w = ctx;
    step_sm(w, i);
}

static void step_small(void *ctx, uint32_t i)
{
    struct windows *w = ctx;
    step_sm(w, w->nbusy + i);
}

static void step_channel(void *ctx, uint32_t i)
{
    struct windows *w = ctx;
    memsys_step(w->mem, i);
}

static void sort_copies(void *ctx, uint32_t i) { memsys_sort(((struct windows *)ctx)->mem, i); }

/* Messages of a cluster's SMs that are for this window. */
static void give_messages(struct windows *w, uint64_t now)
{
    for (struct far_msg m; net_pop(&w->net, w->until, &m);) {
        sm_far_give(w->sms[m.to.sm], now, &m);
        windows_look(w, m.to.sm);
    }
}

static bool is_active(struct windows *w, uint32_t i)
{
    struct sm_seen *s = &w->seen[i];
    if (s->sent) {
        s->sent = 0;
        s->arrives = UINT64_MAX;
    }
    return s->next < w->known || s->request < w->until || w->replies[i].n ||
           (!w->alone && memsys_answered(w->mem, i));
}

/* Who has something to do. Those who did much in the window before are likely to do so again: threads do them first, and then
 * what is small. */
static void list_active(struct windows *w)
{
    uint32_t threads = team_threads(w->team), n = 0, small = 0, i = 0;
    for (uint32_t t = 0; t < threads; t++) {
        for (uint32_t end = team_share(w->nsm, threads, t + 1); i < end; i++) {
            if (!is_active(w, i))
                continue;
            if (2 * w->seen[i].work >= w->mean || w->alone)
                w->active[n++] = i;
            else
                w->small[small++] = i;
        }
        w->ends[0][t] = n;
        w->ends[1][t] = small;
    }
    memcpy(w->active + n, w->small, sizeof *w->small * small);
    w->nbusy = n;
    w->nactive = n + small;
}

/* One thread goes back and forth: it begins with those whose state the host's cache still has. */
static void turn_round(struct windows *w)
{
    w->back ^= !w->ahead || w->known > w->until;
    for (uint32_t i = 0, k = w->nactive; w->back && i + 1 < k--; i++) {
        uint32_t sm = w->active[i];
        w->active[i] = w->active[k];
        w->active[k] = sm;
    }
}

/* False: an SM failed. */
static bool look_back(struct windows *w)
{
    uint64_t work = 0;
    w->requests = w->waiting = 0;
    for (uint32_t i = 0; i < w->nactive; i++) {
        const struct sm_seen *s = &w->seen[w->active[i]];
        if (s->failed)
            return false;
        w->requests += s->sent;
        w->waiting += s->asked != 0;
        work += s->work;
    }
    w->mean = w->nactive ? work / w->nactive : 0;
    return true;
}

bool windows_step(struct windows *w, uint64_t now, uint64_t until)
{
    w->now = now;
    w->until = until;
    /* Messages are numbered in the order in which SMs are listed, which must be the one of many threads. */
    if (w->alone && w->clusters) {
        w->alone = false;
        memsys_alone(w->mem, NULL);
    }
    uint32_t pieces = memsys_pieces(w->mem);
    if (pieces) {
        team_run(w->team, &(struct team_list){sort_copies, pieces, NULL}, 1, pieces, w);
        memsys_sorted(w->mem);
    }
    w->ahead &= w->alone || FEW_WAIT * w->waiting <= w->nactive;
    uint64_t known = memsys_begin(w->mem, until, w->ahead);
    w->known = w->ahead ? known : until;
    if (w->clusters)
        give_messages(w, now);
    list_active(w);
    if (w->alone)
        turn_round(w);
    bool channels = !w->alone && (pieces || w->requests || memsys_next(w->mem) < until);
    const struct team_list lists[] = {{step_busy, w->nbusy, w->ends[0]},
                                      {step_small, w->nactive - w->nbusy, w->ends[1]},
                                      {step_channel, channels ? memsys_nparts(w->mem) : 0, NULL}};
    uint32_t worth = w->nactive / SMS_PER_THREAD + w->requests / REQUESTS_PER_THREAD;
    team_run(w->team, lists, 3, pieces ? team_threads(w->team) : worth, w);
    if (w->alone && !w->ahead)
        memsys_end(w->mem);
    if (!look_back(w))
        return false;
    if (w->clusters || !memsys_nparts(w->mem))
        memsys_give(w->mem, w->replies);
    if (w->clusters) {
        for (uint32_t i = 0; i < w->nactive; i++)
            net_take(&w->net, w->sms[w->active[i]]);
        net_cast(w->sms, w->nsm, w->replies);
    }
    return true;
}

uint64_t windows_next(const struct windows *w)
{
    uint64_t t = memsys_next(w->mem), message = net_next(&w->net), answer = memsys_next_answer(w->mem);
    t = message < t ? message : t;
    t = answer < t ? answer : t;
    bool given = w->clusters || !memsys_nparts(w->mem);
    for (uint32_t i = 0; i < w->nsm; i++) {
        const struct sm_seen *s = &w->seen[i];
        uint64_t u = s->next < s->request ? s->next : s->request;
        u = s->arrives < u ? s->arrives : u;
        if (given)
            vec_each (&w->replies[i], r)
                u = r->at < u ? r->at : u;
        t = u < t ? u : t;
    }
    return t;
}

uint64_t windows_issued(const struct windows *w)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < w->nsm; i++)
        n += w->seen[i].issued;
    return n;
}
