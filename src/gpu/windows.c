#include "gpu/windows.h"

#include <assert.h>

/* Work that is worth a thread: several times what calling it costs, while it still looks out for the next call. */
enum { SMS_PER_THREAD = 2, REQUESTS_PER_THREAD = 64 };
/* Cycles that an SM may run ahead of the others: its state is in the host's caches then, where that of all SMs is not. */
enum { AHEAD = 2048 };

void windows_init(struct windows *w, struct sm **sms, uint32_t nsm, struct memsys *mem, uint32_t threads)
{
    uint32_t most = nsm / SMS_PER_THREAD;
    *w = (struct windows){.sms = sms, .nsm = nsm, .mem = mem};
    w->team = team_new(threads < most ? threads : most);
    w->seen = xcalloc(nsm, sizeof *w->seen);
    w->replies = xcalloc(nsm, sizeof *w->replies);
    w->active = xcalloc(nsm, sizeof *w->active);
    windows_look_all(w);
}

void windows_free(struct windows *w)
{
    team_free(w->team);
    net_free(&w->net);
    for (uint32_t i = 0; i < w->nsm; i++)
        vec_free(&w->replies[i]);
    free(w->seen);
    free(w->replies);
    free(w->active);
}

static void look(struct windows *w, uint32_t sm, uint64_t next)
{
    struct sm *s = w->sms[sm];
    const mem_reqs *out = sm_requests(s);
    const sm_done_list *done = sm_finished(s);
    uint64_t ended = done->n ? done->at[0].at : UINT64_MAX;
    w->seen[sm] = (struct sm_seen){.next = ended < next ? ended : next,
                                   .request = out->n ? out->at[0].at : UINT64_MAX,
                                   .issued = sm_issued(s),
                                   .asked = w->seen[sm].asked,
                                   .ended = ended < w->until,
                                   .failed = sm_error(s)[0] != 0};
}

void windows_look(struct windows *w, uint32_t sm) { look(w, sm, sm_next(w->sms[sm])); }

void windows_look_all(struct windows *w)
{
    for (uint32_t i = 0; i < w->nsm; i++)
        windows_look(w, i);
}

/* The SMs behind the i-th, while that is run. Where threads share the work, others may be at them. */
static void expect(const struct windows *w, uint32_t i)
{
    uint32_t next = team_threads(w->team) == 1 ? i + 1 : i;
    if (next + 1 < w->nactive && next != i)
        sm_expect(w->sms[w->active[next + 1]]);
    if (next < w->nactive)
        sm_expect_replies(w->sms[w->active[next]], &w->replies[w->active[next]]);
}

static void step_sm(void *ctx, uint32_t i)
{
    struct windows *w = ctx;
    expect(w, i);
    uint32_t sm = w->active[i];
    struct sm *s = w->sms[sm];
    mem_replies *in = &w->replies[sm];
    uint64_t next = w->seen[sm].next;
    if (next < w->until || in->n) {
        assert(w->clusters || w->seen[sm].asked >= in->n); /* theirs may come unasked */
        w->seen[sm].asked -= in->n;
        sm_receive(s, in);
        sm_run(s, w->until);
        if (w->ahead && !w->seen[sm].asked)
            sm_run_on(s, w->until + AHEAD, memsys_reply_cyc(w->mem));
        next = sm_ran(s);
    }
    w->seen[sm].asked += memsys_send(w->mem, sm, sm_requests(s), w->until);
    look(w, sm, next);
}

static void step_channel(void *ctx, uint32_t i)
{
    struct windows *w = ctx;
    memsys_step(w->mem, i, w->until);
}

/* Messages of a cluster's SMs that are for this window. */
static void give_messages(struct windows *w, uint64_t now)
{
    for (struct far_msg m; net_pop(&w->net, w->until, &m);) {
        sm_far_give(w->sms[m.to.sm], now, &m);
        windows_look(w, m.to.sm);
    }
}

bool windows_step(struct windows *w, uint64_t now, uint64_t until)
{
    w->until = until;
    w->nactive = 0;
    if (w->clusters)
        give_messages(w, now);
    for (uint32_t i = 0; i < w->nsm; i++)
        if (w->seen[i].next < until || w->seen[i].request < until || w->replies[i].n)
            w->active[w->nactive++] = i;
    team_run(w->team, w->nactive, w->nactive / SMS_PER_THREAD, step_sm, w);
    for (uint32_t i = 0; i < w->nactive; i++)
        if (w->seen[w->active[i]].failed)
            return false;
    uint32_t requests = memsys_waiting(w->mem);
    if (requests || memsys_next(w->mem) < until)
        team_run(w->team, memsys_nparts(w->mem), requests / REQUESTS_PER_THREAD, step_channel, w);
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
    uint64_t t = memsys_next(w->mem), message = net_next(&w->net);
    t = message < t ? message : t;
    for (uint32_t i = 0; i < w->nsm; i++) {
        const struct sm_seen *s = &w->seen[i];
        uint64_t u = s->next < s->request ? s->next : s->request;
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
