/* SPDX-License-Identifier: Apache-2.0 */
/* An SM over time: cycles in which something happens, and jumps over those in which nothing does. */
#include "sm/stages/tick.h"

/* ---- time ---- */

/* Charges the cycles in which the partition slept to the cause it fell asleep with: nothing can have changed since. */
void part_charge(struct part *p, uint64_t until)
{
    if (until <= p->counted)
        return;
    uint64_t from = p->counted;
    p->counted = until;
    probe_slept(p, from, until);
    for (uint32_t i = 0; i < p->sm->cfg->schedulers; i++) {
        p->sm->stats[p->cause[i]] += until - from;
        p->sm->stats[SS_pending_ready] += p->pending_ready >> i & 1 ? until - from : 0;
        probe_charged(p, i, from, until);
    }
}

/* Returns the sleeping partitions whose cycle has come, by bit, and notes when the next of the others wakes. */
uint32_t timed(struct sm *s, uint64_t t)
{
    uint32_t now = 0;
    s->clock.wake = NEVER;
    for (uint32_t i = 0; i < s->cfg->partitions; i++) {
        uint64_t at = s->clock.wakes[i];
        if (at <= t)
            now |= 1u << i;
        else
            s->clock.wake = at < s->clock.wake ? at : s->clock.wake;
    }
    return now;
}

/* The next cycle in which anything but a reply of the memory system has to be handled. */
static inline uint64_t others_next(const struct sm *s)
{
    if (s->clock.awake)
        return s->clock.now;
    uint64_t t = event_next(s), u = s->l1.due ? s->l1.due : l1_next(s);
    t = u < t ? u : t;
    t = s->clock.wake < t ? s->clock.wake : t;
    return t > s->clock.now ? t : s->clock.now; /* work of an earlier cycle is done now */
}

uint64_t sm_next(const struct sm *s)
{
    uint64_t t = others_next(s), u = reply_next(s);
    return t < u ? t : u > s->clock.now ? u : s->clock.now;
}

uint64_t sm_quiet(const struct sm *s)
{
    if (!s->l1.lsu_alone || s->clock.awake)
        return s->clock.now + 1;
    uint64_t t = event_next(s);
    t = s->clock.wake < t ? s->clock.wake : t;
    return t < s->clock.until ? t : s->clock.until;
}

/* The next cycle after which something may have changed; before that, replies of which nothing comes are taken. */
uint64_t go_on(struct sm *s)
{
    uint64_t others = others_next(s), u = reply_next(s);
    if (u < others && u < s->clock.until && s->l1.lsu_alone) {
        if (!replies_take_alone(s, others < s->clock.until ? others : s->clock.until))
            return s->clock.now;
        u = reply_next(s);
    }
    return others < u ? others : u > s->clock.now ? u : s->clock.now;
}

/* Sets clock.until after cycle t: requests that the SM has sent since, and CTAs that have ended, limit how far it may run on. A
 * request may be of up to MAX_LINES cycles later, where the load-store unit has gone through the lines of an access at once. */
void run_on_until(struct sm *s, uint64_t t)
{
    uint64_t most = s->clock.until;
    if (most == s->clock.known) /* no answer comes before that */
        s->port.out_seen = s->port.out.n;
    for (; s->port.out_seen < s->port.out.n; s->port.out_seen++) {
        const struct mem_req *r = &s->port.out.at[s->port.out_seen];
        uint64_t back = r->at + s->port.answer_cyc - MAX_LINES;
        most = r->wants_reply && back < most ? back : most;
    }
    most = most > s->clock.known ? most : s->clock.known;
    if (s->ctas.done.n)
        most = t + 1;
    s->clock.until = most > s->clock.must ? most : s->clock.must;
}

uint64_t sm_ran(const struct sm *s) { return s->clock.next; }

/* Stages for any policy of the operands. More of them are faster, and change nothing: an SM runs the first that has all it
 * needs, the policy's own before these. */
STAGES(least, 0);
STAGES(least_checked, F_CHECKED);
STAGES(least_watched, F_WATCHED);
STAGES(least_both, F_CHECKED | F_WATCHED);
STAGES(choice, F_CHOICE | F_UNLOCKED);
STAGES(holds, F_HOLDS | F_CHOICE);
STAGES(policy, F_POLICY | F_CHOICE | F_WRITES);
STAGES(coded, F_POLICY | F_CHOICE | F_WRITES | F_DELAYS | F_CODES | F_TURNS);
STAGES(banked, F_SCHEDULERS | F_BANKS);
STAGES(followed, F_POLICY | F_CHOICE | F_WRITES | F_BANKS | F_FOLLOWED);
/* Machines with both latches. */
#define LATCHED                                                                                              \
    (F_SCHEDULERS | F_WRITES | F_LATCHES | ALWAYS(F_ISSUE_LATCH | F_UNIT_LATCH | F_ALL_COLLECT | F_UNLOCKED))
STAGES(latched_alone, LATCHED | ALWAYS(F_ISOLATED));
STAGES(latched, LATCHED | F_ISOLATED | F_BANKS);
STAGES(latched_policy, F_SCHEDULERS | F_ISOLATED | F_WRITES | F_LATCHES | F_ISSUE_LATCH | F_UNIT_LATCH |
                           F_ALL_COLLECT | F_UNLOCKED | F_BANKS | F_POLICY | F_CHOICE);
STAGES(all, FEATURES_ALL);

/* May an SM with these features run the stages? */
static bool serves(const struct stages *of, features has)
{
    return !(has & ~of->set) && !(of->set >> 32 & ~has);
}

void run_choose(struct sm *s)
{
    static const struct stages *const known[] = {&least_stages,          &least_checked_stages,
                                                 &least_watched_stages,  &least_both_stages,
                                                 &choice_stages,         &holds_stages,
                                                 &policy_stages,         &coded_stages,
                                                 &banked_stages,         &followed_stages,
                                                 &latched_alone_stages,  &latched_stages,
                                                 &latched_policy_stages, &all_stages};
    const struct stages *own = s->operands.ops->stages, *const *at = known;
    s->features = features_of(s);
    while (!serves(*at, s->features))
        at++;
    s->stages = own && serves(own, s->features) ? own : *at;
}

static void run_until(struct sm *s, uint64_t until)
{
    s->clock.until = until;
    s->clock.ahead = !(s->features & (F_TENANTS | F_FOLLOWED | F_HOLDS | F_AWAKE)) && !s->l1.mixed &&
                     !s->ctas.leaving && s->l1.lsu_alone;
    s->stages->run(s);
}

bool sm_run(struct sm *s, uint64_t until)
{
    if (s->l1.stale)
        cache_clear(&s->l1.cache);
    s->l1.stale = false;
    replies_sort(s);
    if (s->clock.now < until) {
        s->clock.must = until;
        run_until(s, until);
    } else {
        s->clock.next = sm_next(s);
    }
    return s->error[0] == 0;
}

bool sm_run_on(struct sm *s, uint64_t known, uint64_t most, uint32_t reply_cyc)
{
    if (s->ctas.done.n || s->error[0])
        return false;
    s->clock.must = s->clock.now;
    s->clock.known = known;
    s->clock.until = reply_cyc > MAX_LINES ? most : known;
    s->port.answer_cyc = reply_cyc;
    s->port.out_seen = 0;
    run_on_until(s, s->clock.now);
    bool on = s->clock.until > s->clock.now;
    if (on)
        run_until(s, s->clock.until);
    s->clock.must = s->clock.until;
    s->ctas.unheard = s->ctas.done.n;
    return on;
}
