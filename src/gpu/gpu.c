/* Windows, kernels and CTAs. */
#include "gpu/gpu.h"

#include "gpu/control.h"
#include "gpu/spans.h"
#include "gpu/team.h"

#include <assert.h>
#include <math.h>
#include <time.h>

/* Work that is worth a thread: some 40 us on a host of 3 GHz, several times what waking the thread costs. */
enum { SMS_PER_THREAD = 2, REQUESTS_PER_THREAD = 256 };

enum lstate { L_WAITS, L_RUNS, L_DONE };

struct launch {
    bool flush; /* L2 is emptied before its first CTA */
    uint8_t state;
    const struct tr_launch_info *info;
    const struct sm_kernel *kernel;
    struct sm_need need;
    uint64_t next;   /* CTA to start */
    uint64_t left;   /* CTAs not finished */
    uint64_t ready;  /* cycle its first CTA may start */
    uint32_t result; /* index */
};

struct gpu {
    const struct gpu_conf *c;
    struct sm_timing timing;
    struct tr_reader *trace;
    struct sm **sms;
    uint32_t nsm;
    struct memsys *mem;
    struct team *team;
    mem_replies *replies; /* by SM */
    struct sm_kernel **kernels;
    struct launch *launches;
    uint32_t nlaunches, ndone, nrunning, first; /* first: not done */
    uint32_t next_sm, next_copy;
    uint64_t now, until;
    uint64_t insts, issued_at; /* warp instructions issued; the last window in which one was */
    uint32_t *active;          /* SMs with something to do in this window */
    uint32_t nactive;
    struct gpu_result *out;
    struct diag *d;
    const struct gpu_observer *watch; /* NULL: nobody */
    uint64_t sample_at;
    struct control control;
    struct spans spans;
};

static uint32_t round_up(uint32_t v, uint32_t to) { return (v + to - 1) / to * to; }

static bool prepare(struct gpu *g)
{
    struct arena a = {0};
    bool ok = true;
    uint32_t nk = tr_nkernels(g->trace);
    g->kernels = xcalloc(nk ? nk : 1, sizeof *g->kernels);
    for (uint32_t i = 0; i < nk; i++)
        g->kernels[i] = sm_kernel_new(tr_kernel(g->trace, i), i, &g->c->sm, &g->timing);
    g->nlaunches = tr_nlaunches(g->trace);
    g->launches = xcalloc(g->nlaunches ? g->nlaunches : 1, sizeof *g->launches);
    for (uint32_t i = 0; i < g->nlaunches && ok; i++) {
        struct launch *l = &g->launches[i];
        l->info = tr_launch(g->trace, i);
        const struct tr_kernel *k = tr_kernel(g->trace, l->info->l.kernel);
        l->kernel = g->kernels[l->info->l.kernel];
        l->left = l->info->recorded;
        l->need = (struct sm_need){
            .warps = l->info->nwarps,
            .threads = l->info->l.block[0] * l->info->l.block[1] * l->info->l.block[2],
            .regs = round_up(k->regs * TR_LANES, g->c->sm.reg_unit),
            .shared_b = k->shared_b + l->info->l.dyn_shared_b,
        };
        const char *why = sm_fits_never(&g->c->sm, &l->need, &a);
        if (why) {
            diag_plain(g->d, "launch %u (%s) fits no SM: %s", i, k->name, why);
            ok = false;
        }
    }
    arena_free(&a);
    for (uint32_t i = 0; i < nk; i++)
        ok = ok && sm_kernel_profile(g->kernels[i], g->trace, &g->c->sm, g->d);
    return ok;
}

/* ---- kernels and CTAs ---- */

static bool may_start(const struct gpu *g, const struct launch *l)
{
    for (uint32_t i = 0; i < l->info->l.nafter; i++)
        if (g->launches[l->info->l.after[i]].state != L_DONE)
            return false;
    return true;
}

static void finish(struct gpu *g, struct launch *l, uint64_t at)
{
    struct gpu_kernel_result *k = &g->out->kernels.at[l->result];
    l->state = L_DONE;
    g->ndone++;
    g->nrunning--;
    k->end = at;
    spans_end(&g->spans, k->launch, at);
    if (g->watch)
        g->watch->kernel(g->watch->ctx, k);
    while (g->first < g->nlaunches && g->launches[g->first].state == L_DONE)
        g->first++;
}

/* Copies that the program made before this launch. They are in the order of the launches. */
static void copy_to_l2(struct gpu *g, uint32_t launch)
{
    for (; g->next_copy < tr_ncopies(g->trace) && tr_copy(g->trace, g->next_copy)->before <= launch;
         g->next_copy++) {
        const struct tr_copy *c = tr_copy(g->trace, g->next_copy);
        if (c->kind == TRC_TO_DEVICE || c->kind == TRC_SET)
            memsys_warm(g->mem, c->addr, c->bytes);
    }
}

/* Launches whose turn has come. */
static void start_launches(struct gpu *g)
{
    for (uint32_t i = g->first; i < g->nlaunches && g->nrunning < g->c->gpu.kernels; i++) {
        struct launch *l = &g->launches[i];
        if (l->state != L_WAITS || !may_start(g, l))
            continue;
        l->state = L_RUNS;
        l->flush = g->c->gpu.l2_flush && !g->nrunning;
        if (g->c->gpu.copies_in_l2)
            copy_to_l2(g, i);
        l->ready = g->now + g->c->gpu.launch_cyc;
        l->result = g->out->kernels.n;
        g->nrunning++;
        vec_push(&g->out->kernels,
                 (struct gpu_kernel_result){.launch = i, .start = g->now, .begin = UINT64_MAX});
        if (!l->left) {
            g->out->kernels.at[l->result].begin = g->now;
            finish(g, l, g->now);
        }
    }
}

static bool start_cta(struct gpu *g, uint32_t launch, struct launch *l, uint32_t sm, uint64_t at)
{
    struct tr_cta *t = tr_open_cta(g->trace, launch, l->next, g->d);
    if (!t)
        return false;
    sm_start_cta(g->sms[sm], g->now, at, l->kernel, &l->need, launch, l->next, t);
    l->next++;
    struct gpu_kernel_result *k = &g->out->kernels.at[l->result];
    if (k->begin == UINT64_MAX) {
        k->begin = at;
        spans_begin(&g->spans, launch, at);
    }
    return true;
}

/* CTAs of the oldest running kernel first, each to the next SM in turn that has room. */
static bool dispatch(struct gpu *g)
{
    uint32_t n = 0, most = g->c->gpu.dispatch * (uint32_t)(g->until - g->now);
    for (uint32_t i = g->first; i < g->nlaunches; i++) {
        struct launch *l = &g->launches[i];
        if (l->state != L_RUNS || l->ready > g->now)
            continue;
        /* Not at its start: the last stores of the launch before it are on their way then. */
        if (l->flush)
            memsys_flush(g->mem);
        l->flush = false;
        for (uint32_t tried = 0; tried < g->nsm && n < most;) {
            uint32_t cta = 0;
            if (l->next > UINT32_MAX || !tr_cta_from(g->trace, i, (uint32_t)l->next, &cta)) {
                l->next = l->info->nctas;
                break;
            }
            l->next = cta;
            uint32_t sm = g->next_sm;
            g->next_sm = sm + 1 < g->nsm ? sm + 1 : 0;
            if (!sm_has_room(g->sms[sm], &l->need)) {
                tried++;
                continue;
            }
            if (!start_cta(g, i, l, sm, g->now + n / g->c->gpu.dispatch))
                return false;
            tried = 0;
            n++;
        }
    }
    return true;
}

static void collect_done(struct gpu *g)
{
    for (uint32_t i = 0; i < g->nsm; i++) {
        vec_each (sm_finished(g->sms[i]), e) {
            struct launch *l = &g->launches[e->launch];
            uint64_t *end = &g->out->kernels.at[l->result].end;
            *end = e->at + 1 > *end ? e->at + 1 : *end;
            if (--l->left == 0)
                finish(g, l, *end);
        }
        vec_clear(sm_finished(g->sms[i]));
    }
}

/* ---- windows ---- */

static void run_sm(void *ctx, uint32_t i)
{
    struct gpu *g = ctx;
    sm_run(g->sms[g->active[i]], g->until);
}

static void run_part(void *ctx, uint32_t i)
{
    struct gpu *g = ctx;
    memsys_step(g->mem, i, g->until);
}

static bool window(struct gpu *g)
{
    g->until = g->now + memsys_lookahead(g->mem);
    start_launches(g);
    if (!dispatch(g))
        return false;
    g->nactive = 0;
    for (uint32_t i = 0; i < g->nsm; i++)
        if (sm_next(g->sms[i]) < g->until || sm_replies(g->sms[i])->n)
            g->active[g->nactive++] = i;
    team_run(g->team, g->nactive, g->nactive / SMS_PER_THREAD, run_sm, g);
    for (uint32_t i = 0; i < g->nsm; i++) {
        if (sm_error(g->sms[i])[0]) {
            diag_plain(g->d, "SM %u: %s", i, sm_error(g->sms[i]));
            return false;
        }
        memsys_take(g->mem, sm_requests(g->sms[i]), g->until);
    }
    team_run(g->team, memsys_nparts(g->mem), memsys_waiting(g->mem) / REQUESTS_PER_THREAD, run_part, g);
    memsys_give(g->mem, g->replies);
    for (uint32_t i = 0; i < g->nsm; i++) {
        vec_each (&g->replies[i], r)
            vec_push(sm_replies(g->sms[i]), *r);
        vec_clear(&g->replies[i]);
    }
    collect_done(g);
    spans_settle(&g->spans, g->until);
    return true;
}

/* The next cycle at which anything happens; windows in which nothing does are skipped. */
static uint64_t next_cycle(struct gpu *g)
{
    uint64_t t = memsys_next(g->mem);
    for (uint32_t i = 0; i < g->nsm; i++) {
        uint64_t u = sm_next(g->sms[i]);
        mem_replies *in = sm_replies(g->sms[i]);
        for (uint32_t k = 0; k < in->n; k++)
            u = in->at[k].at < u ? in->at[k].at : u;
        if (sm_requests(g->sms[i])->n && sm_requests(g->sms[i])->at[0].at < u)
            u = sm_requests(g->sms[i])->at[0].at;
        t = u < t ? u : t;
    }
    for (uint32_t i = g->first; i < g->nlaunches; i++) {
        struct launch *l = &g->launches[i];
        if (l->state == L_RUNS && l->next < l->info->nctas && l->ready > g->now)
            t = l->ready < t ? l->ready : t;
        if (l->state == L_WAITS && may_start(g, l))
            t = g->until;
    }
    return t;
}

static enum gpu_status deadlock(struct gpu *g, const char *why)
{
    enum { ROWS = 8 };
    diag_plain(g->d, "deadlock at cycle %llu: %s", (unsigned long long)g->now, why);
    uint32_t shown = 0, busy = 0;
    for (uint32_t i = 0; i < g->nsm; i++) {
        if (sm_idle(g->sms[i]))
            continue;
        busy++;
        if (shown++ < ROWS)
            sm_print_waiting(g->sms[i], stderr);
    }
    if (busy > ROWS)
        fprintf(stderr, "  ... and %u more SMs\n", busy - ROWS);
    return GPU_DEADLOCK;
}

/* Does a launch have CTAs that could start in the next window? */
static bool ctas_wait(const struct gpu *g)
{
    for (uint32_t i = g->first; i < g->nlaunches; i++)
        if (g->launches[i].state == L_RUNS && g->launches[i].next < g->launches[i].info->nctas)
            return true;
    return false;
}

/* Up to cycle `at`, of which `kernel_cycles` lie in a launch's span. In the others no SM has a warp; that is not the SMs' doing. */
static void split_no_warp(const struct gpu *g, uint64_t at, uint64_t kernel_cycles, uint64_t sm[SS_COUNT])
{
    uint64_t schedulers = (uint64_t)g->nsm * g->c->sm.partitions * g->c->sm.schedulers;
    uint64_t outside = (at - kernel_cycles) * schedulers;
    assert(outside <= sm[SS_stall_no_warp]);
    sm[SS_stall_no_warp] -= outside;
    sm[SS_stall_launch] += outside;
}

static void tell_sample(struct gpu *g, uint64_t at)
{
    const struct gpu_observer *o = g->watch;
    uint64_t sm[SM_STATS] = {0}, mem[MS_COUNT];
    for (uint32_t i = 0; i < g->nsm; i++)
        sm_peek(g->sms[i], at, sm);
    split_no_warp(g, at, spans_upto(&g->spans, at), sm);
    memsys_count(g->mem, mem);
    o->sample(o->ctx, at, sm, mem);
    g->sample_at = at - at % o->sample_cyc + o->sample_cyc;
}

static void tell_window(struct gpu *g)
{
    g->watch->window(g->watch->ctx, g->until);
    if (g->until >= g->sample_at)
        tell_sample(g, g->until);
}

/* Up to cycle g->now nothing happens; samples that fall there are taken all the same. */
static void tell_gap(struct gpu *g)
{
    while (g->sample_at <= g->now && g->ndone < g->nlaunches)
        tell_sample(g, g->sample_at);
}

/* A run that was cut leaves kernels that have begun. */
static void tell_unfinished(struct gpu *g)
{
    vec_each (&g->out->kernels, k) {
        struct gpu_kernel_result cut = *k;
        if (g->launches[k->launch].state != L_RUNS)
            continue;
        cut.begin = k->begin < g->until ? k->begin : g->until;
        cut.end = g->until;
        g->watch->kernel(g->watch->ctx, &cut);
    }
}

static enum gpu_status run(struct gpu *g, const struct gpu_opts *o)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < g->nlaunches; i++)
        total += g->launches[i].info->warp_insts;
    while (g->ndone < g->nlaunches) {
        if (!window(g))
            return GPU_REFUSED;
        if (g->watch)
            tell_window(g);
        uint64_t before = g->insts;
        g->insts = 0;
        for (uint32_t i = 0; i < g->nsm; i++)
            g->insts += sm_issued(g->sms[i]);
        if (g->insts != before)
            g->issued_at = g->until;
        uint64_t next = next_cycle(g);
        if (next == UINT64_MAX && g->ndone < g->nlaunches) {
            if (!ctas_wait(g))
                return deadlock(g, "no warp can ever issue again");
            next = g->until;
        }
        /* Windows lie on a fixed grid, so that skipping idle ones changes nothing. */
        next -= next % memsys_lookahead(g->mem);
        g->now = next > g->until ? next : g->until;
        if (g->watch)
            tell_gap(g);
        if (g->ndone < g->nlaunches)
            control_pass(&g->control, g->now, g->insts, g->sms, g->nsm);
        if (g->now - g->issued_at > g->c->gpu.stuck_cyc && g->nrunning)
            return deadlock(g, "nothing was issued for gpu.stuck_cyc cycles");
        if (o->progress)
            o->progress(o->ctx, g->insts, total);
    }
    return GPU_OK;
}

static void count_arrays(struct gpu *g, uint32_t sm)
{
    for (uint32_t a = 0; a < SA_COUNT; a++) {
        uint32_t n = sm_array_n(&g->c->sm, (enum sm_array)a);
        bool by_sm = sm_arrays.rows[a].by_sm;
        uint64_t **v = &g->out->arrays[a];
        if (!*v)
            *v = xcalloc((size_t)n * (by_sm ? g->nsm : 1), sizeof **v);
        sm_count_array(g->sms[sm], (enum sm_array)a, *v + (by_sm ? (size_t)sm * n : 0));
    }
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

enum gpu_status gpu_run(const struct gpu_conf *c, struct tr_reader *trace, const struct gpu_opts *o,
                        struct gpu_result *out, struct diag *d)
{
    double t0 = seconds();
    struct gpu g = {.c = c, .trace = trace, .nsm = c->gpu.sms, .out = out, .d = d, .watch = o->watch};
    g.timing = (struct sm_timing){.lat = &c->lat, .ii = &c->ii, .unit = &c->unit, .count = &c->count};
    memset(out, 0, sizeof *out);
    if (!gpu_conf_check(c, d))
        return GPU_REFUSED;
    enum gpu_status status = GPU_REFUSED;
    if (prepare(&g)) {
        uint32_t most = g.nsm / SMS_PER_THREAD;
        g.team = team_new(o->threads < most ? o->threads : most);
        g.mem = memsys_new(&c->mem, c->gpu.core_mhz, g.nsm);
        g.sms = xcalloc(g.nsm, sizeof *g.sms);
        g.replies = xcalloc(g.nsm, sizeof *g.replies);
        g.active = xcalloc(g.nsm, sizeof *g.active);
        for (uint32_t i = 0; i < g.nsm; i++)
            g.sms[i] = sm_new(&c->sm, &g.timing, i, o->check);
        control_init(&g.control, &c->sm, memsys_lookahead(g.mem));
        g.sample_at = o->watch ? o->watch->sample_cyc : 0;
        for (uint32_t i = 0; o->watch && i < g.nsm; i++)
            sm_observe(g.sms[i], o->watch->sm(o->watch->ctx, i));
        status = run(&g, o);
        if (o->watch)
            tell_unfinished(&g);
        vec_each (&out->kernels, k)
            out->cycles = k->end > out->cycles ? k->end : out->cycles;
        for (uint32_t i = 0; i < g.nsm; i++) {
            sm_count(g.sms[i], out->cycles, out->sm);
            count_arrays(&g, i);
            sm_count_checked(g.sms[i], &out->checked);
            sm_free(g.sms[i]);
            vec_free(&g.replies[i]);
        }
        if (status == GPU_OK) {
            out->kernel_cycles = g.spans.cycles;
            split_no_warp(&g, out->cycles, out->kernel_cycles, out->sm);
        }
        memsys_count(g.mem, out->mem);
        memsys_free(g.mem);
        out->threads = team_threads(g.team);
        out->shared = team_shared(g.team);
        team_free(g.team);
        control_free(&g.control);
        free(g.sms);
        free(g.replies);
        free(g.active);
    }
    for (uint32_t i = 0; g.kernels && i < tr_nkernels(trace); i++)
        sm_kernel_free(g.kernels[i]);
    free(g.kernels);
    free(g.launches);
    spans_free(&g.spans);
    out->seconds = seconds() - t0;
    return status;
}

void gpu_result_free(struct gpu_result *r)
{
    vec_free(&r->kernels);
    for (uint32_t i = 0; i < SA_COUNT; i++)
        free(r->arrays[i]);
}

double gpu_ipc(const struct gpu_result *r)
{
    return r->kernel_cycles ? (double)r->sm[SS_warp_insts] / (double)r->kernel_cycles : 0;
}

double gpu_issue_cov(const struct gpu_conf *c, const struct gpu_result *r)
{
    double sum = 0;
    uint32_t sms = 0, n = c->sm.partitions;
    for (uint32_t i = 0; r->arrays[SA_partition_issued] && i < c->gpu.sms; i++) {
        const uint64_t *v = r->arrays[SA_partition_issued] + (size_t)i * n;
        double total = 0, square = 0;
        for (uint32_t k = 0; k < n; k++)
            total += (double)v[k];
        for (uint32_t k = 0; k < n; k++)
            square += ((double)v[k] - total / n) * ((double)v[k] - total / n);
        if (total > 0) {
            sum += sqrt(square / n) / (total / n);
            sms++;
        }
    }
    return sms ? sum / sms : 0;
}
