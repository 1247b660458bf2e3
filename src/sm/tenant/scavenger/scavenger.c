/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/tenant/scavenger/scavenger.h"

#include "sm/lsu/lsu.h"

static const struct stat_info rows[] = {
#define STAT(name, unit, help) {#name, unit, help},
#include "sm/tenant/scavenger/stats.def"
#undef STAT
};
enum {
#define STAT(name, unit, help) SC_##name,
#include "sm/tenant/scavenger/stats.def"
#undef STAT
    SC_COUNTERS
};
static const struct stat_table stats = {"scavenger", rows, SC_COUNTERS};

enum state { IDLE, FILL, PROFILE, RUN, ALONE };

struct scavenger {
    const struct sm_cfg *cfg;
    const struct share_cfg *c;
    uint64_t *count;
    enum state state;
    enum sc_cause cause; /* of the profile that comes */
    bool begun;          /* the profile, with the first tick in its state */
    uint64_t last;       /* decision */
    uint32_t may[BOTH];  /* warps that might issue since then, while both run; 0: they do not */
    uint32_t before;     /* CTAs of the first when a window began */
    /* CTAs, as the last window began. */
    struct sm_need need[BOTH];
    uint32_t most[BOTH]; /* of each, on this SM */
    uint32_t here[BOTH];
    struct sc_split split;
    uint64_t gone; /* window since which the first has nothing here, and none of its CTAs waits */
    /* The first program's clock in cycle clock_at, from which it goes or stands. */
    uint64_t clock, clock_at;
    bool goes;
    uint32_t earlier; /* warps of the second in the last run interval; 0: there was none */
    struct sc_profile profile;
    struct sc_phase phase;
    struct sc_control control;
    bool shared;          /* the second program has come, in this run interval */
    uint64_t from, insts; /* where a run interval, or time alone, began */
    uint64_t window;      /* of the CTA controller, by the SM's cycles */
    uint64_t window_from; /* ... by the clock */
    uint64_t tried, tried_insts;
    double predicted, actual; /* instructions of the first in run intervals */
    double run_predicted, run_actual;
};

static void init(void *st, const struct sm_cfg *cfg, uint32_t sm)
{
    struct scavenger *x = st;
    (void)sm;
    x->cfg = cfg;
    x->c = share_cfg_of(cfg);
}

static void done(void *st)
{
    struct scavenger *x = st;
    vec_free(&x->profile.at);
    vec_free(&x->phase.ring);
    vec_free(&x->control.ring);
}

static void set_counters(void *st, uint64_t *counters) { ((struct scavenger *)st)->count = counters; }

static uint32_t interval(const struct sm_cfg *cfg) { return share_cfg_of(cfg)->control_cyc; }

static uint64_t clock_of(const struct scavenger *x, uint64_t t)
{
    return x->clock + (x->goes && t > x->clock_at ? t - x->clock_at : 0);
}

static uint64_t next_of(uint64_t t, uint32_t cyc) { return t - t % cyc + cyc; }

static uint64_t next(const void *st, uint64_t t)
{
    const struct share_cfg *c = ((const struct scavenger *)st)->c;
    uint64_t a = next_of(t, c->tick_cyc), b = next_of(t, c->control_cyc);
    return a < b ? a : b;
}

/* ---- from state to state ---- */

static void leave_run(struct scavenger *x)
{
    if (x->state == RUN)
        x->earlier = x->split.n[SECOND] * x->need[SECOND].warps;
}

static void to_fill(struct scavenger *x, enum sc_cause cause)
{
    leave_run(x);
    x->state = FILL;
    x->cause = cause;
    x->before = 0;
}

/* The second program gets half of what it had, at first one CTA. */
static void to_run(struct scavenger *x, uint64_t t, const struct tenant_seen *seen, const struct sc_count *n,
                   const struct sc_sums *sums)
{
    uint32_t warps = x->need[SECOND].warps, half = warps ? x->earlier / 2 / warps : 0;
    x->state = RUN;
    x->split = sc_split_with(x->cfg, x->need, x->most, SECOND, half ? half : 1);
    uint64_t now = clock_of(x, t);
    x->window = t;
    x->from = x->window_from = x->tried = now;
    x->insts = x->tried_insts = n->threads;
    x->run_predicted = x->run_actual = 0;
    x->shared = false;
    sc_phase_begin(&x->phase, x->c, now, n, seen->pcs);
    sc_control_begin(&x->control, x->c, now, seen->warps, sums);
}

static void begin_profile(struct scavenger *x, uint64_t t, const struct tenant_seen *seen,
                          const struct sc_count *n)
{
    static const uint8_t row[SC_CAUSES] = {
        [SC_LAUNCH] = SC_profiles_launch,  [SC_LANES] = SC_profiles_lanes,
        [SC_LINES] = SC_profiles_lines,    [SC_PCS] = SC_profiles_pcs,
        [SC_LENGTH] = SC_profiles_length,  [SC_RESTART] = SC_profiles_restart,
        [SC_GAVE_UP] = SC_profiles_gave_up};
    x->begun = true;
    x->count[row[x->cause]]++;
    sc_profile_begin(&x->profile, clock_of(x, t), n, seen->pcs);
}

static void profile_tick(struct scavenger *x, uint64_t t, const struct tenant_seen *seen,
                         const struct sc_count *n, const struct sc_sums *sums)
{
    if (!x->begun) {
        begin_profile(x, t, seen, n);
        return;
    }
    uint64_t now = clock_of(x, t);
    if (sc_profile_tick(&x->profile, x->c, now, n, seen->pcs)) {
        to_run(x, t, seen, n, sums);
    } else if (now - x->profile.from >= x->c->profile_most_cyc) {
        x->cause = SC_RESTART;
        begin_profile(x, t, seen, n);
    }
}

/* ---- a run interval ---- */

static double goal(const struct scavenger *x) { return x->c->target * x->profile.ipc; }

static void predict(struct scavenger *x, uint64_t t, uint64_t insts)
{
    x->predicted -= x->run_predicted;
    x->actual -= x->run_actual;
    x->run_predicted = x->profile.ipc * (double)(t - x->from);
    x->run_actual = (double)(insts - x->insts);
    x->predicted += x->run_predicted;
    x->actual += x->run_actual;
    double off = x->predicted - x->actual;
    x->count[SC_predicted] = (uint64_t)(x->predicted + 0.5);
    x->count[SC_actual] = (uint64_t)(x->actual + 0.5);
    x->count[SC_off] = (uint64_t)((off < 0 ? -off : off) + 0.5);
}

/* Section 5.5.3: what the first program lacks of its goal, added up since both run, is more than it may lack of give_up_cyc. */
static bool gives_up(const struct scavenger *x, uint64_t t, uint64_t insts)
{
    double lacks = goal(x) * (double)(t - x->tried) - (double)(insts - x->tried_insts);
    return lacks > (1 - x->c->give_up) * goal(x) * x->c->give_up_cyc;
}

static void move_ctas(struct scavenger *x, uint64_t t, const struct tenant_seen *seen)
{
    uint64_t now = clock_of(x, t);
    if (now - x->window_from < x->c->ctas_cyc)
        return;
    uint32_t idle[BOTH] = {tenant_idle(seen, FIRST, x->window), tenant_idle(seen, SECOND, x->window)};
    x->window = t;
    x->window_from = now;
    if (x->split.n[FIRST])
        x->split = sc_move(x->cfg, x->c, x->need, x->most, x->split, idle);
}

static void run_tick(struct scavenger *x, uint64_t t, uint32_t n, const struct tenant_seen *seen,
                     const struct sc_count *now)
{
    uint64_t clock = clock_of(x, t);
    enum sc_cause cause = sc_phase_tick(&x->phase, x->c, &x->profile, clock, now, seen->pcs);
    predict(x, clock, now->threads);
    if (clock - x->from >= x->c->run_most_cyc) {
        to_fill(x, SC_LENGTH);
    } else if (cause != SC_NONE && clock - x->from >= x->profile.cyc) {
        to_fill(x, cause);
    } else if (n > 1 && seen[SECOND].warps) {
        if (gives_up(x, clock, now->threads)) {
            to_fill(x, SC_GAVE_UP);
            x->state = ALONE;
            x->from = clock;
        } else {
            move_ctas(x, t, seen);
        }
    }
}

/* ---- decisions ---- */

static void count_time(struct scavenger *x, uint64_t t)
{
    static const int8_t row[] = {[IDLE] = SC_idle_cycles,
                                 [FILL] = SC_profile_cycles,
                                 [PROFILE] = SC_profile_cycles,
                                 [RUN] = SC_run_cycles,
                                 [ALONE] = SC_alone_cycles};
    uint64_t cycles = t - x->last;
    x->last = t;
    /* In a pause, when it was not asked, the SM had nothing. */
    cycles = cycles <= x->c->control_cyc ? cycles : 0;
    x->count[row[x->goes ? x->state : IDLE]] += cycles;
    x->count[SC_first_warps] += x->may[FIRST] * cycles;
    x->count[SC_second_warps] += x->may[SECOND] * cycles;
}

static void decide(void *st, uint64_t t, uint32_t n, const struct tenant_seen *seen,
                   struct tenant_limit *limits)
{
    struct scavenger *x = st;
    const struct sc_count now = {.insts = seen->stats[SS_warp_insts],
                                 .threads = seen->stats[SS_thread_insts],
                                 .accesses = seen->accesses,
                                 .lines = seen->lines};
    struct sc_sums sums = {
        .insts = now.threads, .ready_cyc = seen->ready_cyc, .stalled_cyc = tenant_lsu_stalled(seen)};
    uint32_t warps[BOTH] = {seen->warps, n > 1 ? seen[SECOND].warps : 0};
    for (uint32_t i = 0; i < n; i++) {
        sums.request_cyc += seen[i].request_cyc;
        x->count[SC_first_requests + i] = seen[i].request_cyc;
        sums.stalled_request += seen[i].stalled_request_cyc;
    }
    count_time(x, t);
    x->count[SC_compute_cycles] = tenant_computed(seen);
    x->count[SC_lsu_stalled] = sums.stalled_cyc;
    if (t % x->c->tick_cyc == 0 && x->goes) {
        if (x->state == PROFILE)
            profile_tick(x, t, seen, &now, &sums);
        else if (x->state == RUN)
            run_tick(x, t, n, seen, &now);
        else if (x->state == ALONE && clock_of(x, t) - x->from >= x->c->alone_cyc)
            to_fill(x, SC_GAVE_UP);
    }
    if (x->state == RUN && !x->shared && warps[SECOND]) {
        x->shared = true;
        x->control.warps = warps[FIRST]; /* when the second has come: before, the first had more */
    }
    if (x->state == RUN && t % x->c->control_cyc == 0) {
        uint64_t clock = clock_of(x, t);
        if (!x->goes)
            sc_control_stand(&x->control, &sums);
        else if (clock != x->control.at)
            sc_control_step(&x->control, x->c, goal(x), clock, warps, &sums);
    }
    for (uint32_t i = 0; i < n; i++)
        limits[i] = (struct tenant_limit){.warps = TENANT_ALL, .requests = TENANT_ALL};
    bool both = x->state == RUN && warps[FIRST] && warps[SECOND];
    if (both)
        sc_limits(&x->control, x->c, warps, limits);
    for (uint32_t i = 0; i < n; i++)
        x->may[i] = !both ? 0 : limits[i].warps < warps[i] ? limits[i].warps : warps[i];
}

/* ---- CTAs ---- */

static void look(struct scavenger *x, uint32_t n, const struct tenant_ctas *c)
{
    for (uint32_t i = 0; i < BOTH; i++) {
        bool is = i < n;
        x->here[i] = is ? c[i].here : 0;
        x->most[i] = !is ? 0 : c[i].waits ? TENANT_ALL - 1 : c[i].here + c[i].parked;
        if (is)
            x->need[i] = c[i].need;
    }
}

/* The first has as many as it gets when the second is gone, and its CTAs have stopped to become more. */
static bool is_full(struct scavenger *x, const struct tenant_ctas *first)
{
    bool grows = first->here > x->before;
    x->before = first->here;
    return !x->here[SECOND] && !first->parked && first->here && (!grows || !first->waits);
}

static void ctas(void *st, uint64_t now, uint32_t n, struct tenant_ctas *c)
{
    struct scavenger *x = st;
    look(x, n, c);
    x->clock = clock_of(x, now);
    x->clock_at = now;
    x->goes = x->most[FIRST];
    if (x->most[FIRST])
        x->gone = now;
    /* What lasts no longer than a run interval is a pause between launches. */
    if (!x->most[FIRST] && (x->c->relaunch || now - x->gone >= x->c->run_most_cyc)) {
        leave_run(x);
        x->state = IDLE;
    } else if (x->most[FIRST] && x->state == IDLE) {
        to_fill(x, SC_LAUNCH);
    }
    if (x->state == FILL && is_full(x, &c[FIRST])) {
        x->state = PROFILE;
        x->begun = false;
    }
    c[FIRST].want = TENANT_ALL;
    if (n < 2)
        return;
    c[SECOND].want = x->state != IDLE ? 0 : x->c->fill_idle ? TENANT_ALL : x->here[SECOND];
    if (x->state != RUN || !x->most[SECOND])
        return;
    /* Where the first has no more CTAs its room is the second's, if its next launch finds a profile to come; where the second is
     * new here it begins with one. */
    uint32_t who = x->c->relaunch && x->split.n[FIRST] && x->most[FIRST] < x->split.n[FIRST] ? FIRST : SECOND;
    if (who == FIRST || (!x->split.n[FIRST] && x->most[FIRST]))
        x->split = sc_split_with(x->cfg, x->need, x->most, who, who == FIRST ? x->most[FIRST] : 1);
    c[FIRST].want = x->split.n[FIRST] ? x->split.n[FIRST] : TENANT_ALL;
    c[SECOND].want = x->split.n[SECOND];
}

/* Section 5.6.2: 1.6 KB, of which these are its parts. */
static uint32_t storage(const struct sm_cfg *cfg, struct storage_row r[STORAGE_MAX])
{
    uint32_t n = 0;
    (void)cfg;
    r[n++] = (struct storage_row){"five PC histograms of a profile", 5 * TENANT_PCS, 13};
    r[n++] = (struct storage_row){"other counters of a profile", 5 * 8, 32};
    r[n++] = (struct storage_row){"PC histogram of a run interval", TENANT_PCS, 13};
    r[n++] = (struct storage_row){"sliding windows of lanes and lines", 2, 520};
    r[n++] = (struct storage_row){"controllers", 15, 8};
    return n;
}

static const char *fits(const struct sm_cfg *cfg, struct arena *a)
{
    (void)a;
    return lsu_find(cfg->lsu)->tells ? NULL : "only sm.lsu = coalescer tells when it cannot go on";
}

const struct tenant_ops tenant_scavenger = {
    .is = {.name = "scavenger",
           .help = "the first program keeps share.target of its speed alone, the second has the rest",
           .state_b = sizeof(struct scavenger),
           .options = {&share_options},
           .stats = &stats,
           .fits = fits,
           .storage = storage},
    .init = init,
    .interval = interval,
    .decide = decide,
    .next = next,
    .ctas = ctas,
    .count = set_counters,
    .free = done,
    .most = BOTH};
