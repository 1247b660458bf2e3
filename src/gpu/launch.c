/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/launch.h"

#include "base/demangle.h"
#include "gpu/cluster.h"
#include "gpu/share/share.h"

static uint32_t round_up(uint32_t v, uint32_t to) { return (v + to - 1) / to * to; }

struct sm_need launch_need(const struct sm_cfg *c, uint32_t threads, uint32_t regs, uint32_t shared_b,
                           uint64_t ctas)
{
    return (struct sm_need){
        .warps = (threads + TR_LANES - 1) / TR_LANES,
        .threads = threads,
        .regs = round_up(regs * TR_LANES, c->reg_unit),
        .shared_b = shared_b,
        .ctas = ctas < UINT32_MAX ? (uint32_t)ctas : UINT32_MAX,
    };
}

static struct sm_need need_of(const struct tr_launch_info *i, const struct tr_kernel *k,
                              const struct sm_cfg *c)
{
    struct sm_need n = launch_need(c, i->l.block[0] * i->l.block[1] * i->l.block[2], k->regs,
                                   k->shared_b + i->l.dyn_shared_b, i->recorded);
    n.warps = i->nwarps;
    return n;
}

static const char *fits_no_gpc(const struct launch *l, const struct gpu_conf *c,
                               const struct share_ops *share, struct arena *a)
{
    if (l->info->recorded != l->info->nctas)
        return arena_printf(a, "clusters of %u CTAs need all of them, and %llu of %llu are in the trace",
                            l->cluster, (unsigned long long)l->info->recorded,
                            (unsigned long long)l->info->nctas);
    return cluster_never(c, share, l->cluster, a);
}

/* Launches beside an excerpt's, and outside of the region that the program wants to be measured, take no time. */
static bool is_skipped(const struct launches *q, uint32_t launch)
{
    return (q->only && launch != q->only->launch) ||
           (q->region && !(tr_launch(q->trace, launch)->l.flags & TL_REGION));
}

bool launches_init(struct launches *q, struct ledger *b, uint32_t tenant, const struct gpu_tenant *of,
                   uint32_t *id, const struct gpu_conf *c, const struct share_ops *share,
                   const struct sm_timing *t, struct diag *d)
{
    struct arena a = {0};
    struct tr_reader *trace = of->trace;
    bool ok = true, any = false;
    uint32_t nk = tr_nkernels(trace);
    *q = (struct launches){.tenant = tenant,
                           .trace = trace,
                           .only = of->only,
                           .n = tr_nlaunches(trace),
                           .passes = c->gpu.passes,
                           .region = c->gpu.region};
    q->kernels = xcalloc(nk ? nk : 1, sizeof *q->kernels);
    for (uint32_t i = 0, first = 0; i < nk; i++) {
        const struct tr_kernel *k = tr_kernel(trace, i);
        q->kernels[i] = sm_kernel_new(
            k, (struct sm_kernel_id){.tenant = tenant, .index = i, .id = (*id)++, .first = first}, &c->sm, t);
        first += k->n;
    }
    q->at = xcalloc(q->n ? q->n : 1, sizeof *q->at);
    for (uint32_t i = 0; i < q->n && ok; i++) {
        struct launch *l = &q->at[i];
        l->info = tr_launch(trace, i);
        const struct tr_kernel *k = tr_kernel(trace, l->info->l.kernel);
        l->kernel = q->kernels[l->info->l.kernel];
        if (is_skipped(q, i)) {
            l->state = LAUNCH_DONE;
            q->skipped++;
        }
        l->left = q->only ? excerpt_ctas(q->only, trace) : l->info->recorded;
        l->cluster = tr_cluster(&l->info->l);
        l->units = l->info->nctas / l->cluster;
        q->priorities |= 1u << tr_priority(&l->info->l);
        any |= l->left != 0;
        l->need = need_of(l->info, k, &c->sm);
        char name[256];
        demangle(k->name, name, sizeof name);
        const char *why = sm_fits_never(&c->sm, &l->need, &a);
        if (why)
            diag_plain(d, "launch %u (%s) fits no SM: %s", i, name, why);
        else if ((why = sm_kernel_never(l->kernel, &c->sm, &a)) ||
                 (l->cluster > 1 && (why = fits_no_gpc(l, c, share, &a))))
            diag_plain(d, "launch %u (%s): %s", i, name, why);
        ok = !why;
    }
    arena_free(&a);
    q->repeats = of->repeats && any; /* nothing, over and over, takes no time */
    b->left += q->repeats ? 0 : (q->n - q->skipped) * q->passes;
    if (ok && q->n && q->skipped == q->n) {
        diag_plain(
            d, "gpu.region: the program launched no kernel between cudaProfilerStart and cudaProfilerStop, "
               "nor in a range of record --nvtx");
        ok = false;
    }
    for (uint32_t i = 0; i < nk; i++)
        ok = ok && sm_kernel_profile(q->kernels[i], trace, &c->sm, d);
    return ok;
}

void launches_free(struct launches *q)
{
    for (uint32_t i = 0; q->kernels && i < tr_nkernels(q->trace); i++)
        sm_kernel_free(q->kernels[i]);
    free(q->kernels);
    free(q->at);
}

uint64_t launches_insts(const struct launches *q)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < q->n; i++)
        sum += q->at[i].state != LAUNCH_DONE ? q->at[i].info->warp_insts : 0;
    return sum;
}

/* ---- from their turn to their end ---- */

static bool may_start(const struct launches *q, const struct launch *l)
{
    for (uint32_t i = 0; i < l->info->l.nafter; i++)
        if (q->at[l->info->l.after[i]].state != LAUNCH_DONE)
            return false;
    return true;
}

static void begin_again(struct launches *q)
{
    q->pass++;
    if (!q->repeats && q->pass >= q->passes)
        return;
    q->first = q->upto = 0;
    for (uint32_t i = 0; i < q->n; i++) {
        struct launch *l = &q->at[i];
        l->state = is_skipped(q, i) ? LAUNCH_DONE : LAUNCH_WAITS;
        l->next = 0;
        l->left = l->info->recorded;
    }
}

static void finish(struct launches *q, struct launch *l, struct ledger *b, uint64_t at)
{
    struct gpu_kernel_result *k = &b->out->kernels.at[l->result];
    l->state = LAUNCH_DONE;
    b->running--;
    b->ended++;
    b->left -= !q->repeats;
    k->end = at;
    spans_end(&b->spans, l->result, at);
    if (b->watch)
        b->watch->kernel(b->watch->ctx, k);
    while (q->first < q->n && q->at[q->first].state == LAUNCH_DONE)
        q->first++;
    if (q->first == q->n)
        begin_again(q);
}

/* Copies that the program made before this launch. They are in the order of the launches. */
static void copy_to_l2(struct launches *q, uint32_t launch, struct memsys *mem)
{
    for (; q->next_copy < tr_ncopies(q->trace) && tr_copy(q->trace, q->next_copy)->before <= launch;
         q->next_copy++) {
        const struct tr_copy *c = tr_copy(q->trace, q->next_copy);
        if (c->kind == TRC_TO_DEVICE || c->kind == TRC_SET)
            memsys_warm(mem, mem_space(q->tenant) + c->addr, c->bytes);
    }
}

bool launches_warm(struct launches *q, const struct gpu_conf *c, struct memsys *mem, struct diag *d)
{
    const struct gpu_excerpt *e = q->only;
    if (!e || c->mem.simple || c->gpu.l2_flush)
        return true;
    uint64_t first = e->n ? e->ctas[0].from : 0;
    if (c->gpu.copies_in_l2 && (e->launch || first))
        copy_to_l2(q, first ? e->launch : e->launch - 1, mem);
    return play_before(q->trace, e->launch, first, c, mem, d);
}

void launches_start(struct launches *q, struct ledger *b, const struct gpu_cfg *c, struct memsys *mem,
                    uint64_t now)
{
    /* Whoever waited when all were looked at waits until another one has ended. */
    if (q->scanned == b->ended)
        return;
    uint64_t ended = b->ended;
    uint32_t i = q->first;
    for (; i < q->n && b->running < c->kernels; i++) {
        struct launch *l = &q->at[i];
        if (l->state != LAUNCH_WAITS || !may_start(q, l))
            continue;
        l->state = LAUNCH_RUNS;
        q->upto = i + 1 > q->upto ? i + 1 : q->upto;
        l->flush = c->l2_flush && !b->running;
        l->first = !b->running;
        if (c->copies_in_l2)
            copy_to_l2(q, i, mem);
        l->ready = now + c->launch_cyc;
        l->result = b->out->kernels.n;
        b->running++;
        vec_push(&b->out->kernels,
                 (struct gpu_kernel_result){
                     .tenant = q->tenant, .launch = i, .pass = q->pass, .start = now, .begin = UINT64_MAX});
        if (!l->left) {
            b->out->kernels.at[l->result].begin = now;
            finish(q, l, b, now);
        }
    }
    if (i == q->n && b->ended == ended)
        q->scanned = ended;
}

bool launch_has_cta(struct launches *q, uint32_t launch)
{
    struct launch *l = &q->at[launch];
    uint32_t cta = 0;
    if (l->cluster > 1)
        return l->next < l->units;
    bool has =
        l->next <= UINT32_MAX && (q->only ? excerpt_cta_from(q->only, q->trace, (uint32_t)l->next, &cta)
                                          : tr_cta_from(q->trace, launch, (uint32_t)l->next, &cta));
    l->next = has ? cta : l->units;
    return has;
}

uint32_t launch_take_cta(struct launches *q, uint32_t launch, uint32_t rank, struct ledger *b, uint64_t at)
{
    struct launch *l = &q->at[launch];
    uint32_t cta = (uint32_t)(l->cluster > 1 ? cluster_cta(&l->info->l, l->next, rank) : l->next);
    l->next += rank + 1 == l->cluster;
    struct gpu_kernel_result *k = &b->out->kernels.at[l->result];
    k->ctas++;
    k->last = at > k->last ? at : k->last;
    k->resident -= at; /* its end adds to it; the sum is right when all have ended */
    if (k->begin == UINT64_MAX) {
        k->begin = at;
        spans_begin(&b->spans, l->result, at);
    }
    return cta;
}

void launch_cta_ended(struct launches *q, uint32_t launch, struct ledger *b, uint64_t at)
{
    struct launch *l = &q->at[launch];
    struct gpu_kernel_result *k = &b->out->kernels.at[l->result];
    k->end = at + 1 > k->end ? at + 1 : k->end;
    k->ended++;
    k->resident += at + 1;
    if (--l->left == 0)
        finish(q, l, b, k->end);
}

/* ---- what is to come ---- */

uint64_t launches_next(const struct launches *q, const struct ledger *b, uint64_t now, uint64_t until)
{
    uint64_t t = UINT64_MAX;
    for (uint32_t i = q->first; i < q->upto; i++) {
        const struct launch *l = &q->at[i];
        if (l->state == LAUNCH_RUNS && l->next < l->units && l->ready > now)
            t = l->ready < t ? l->ready : t;
    }
    for (uint32_t i = q->first; i < q->n && q->scanned != b->ended; i++)
        if (q->at[i].state == LAUNCH_WAITS && may_start(q, &q->at[i]))
            return until < t ? until : t;
    return t;
}

bool launches_wait(const struct launches *q)
{
    for (uint32_t i = q->first; i < q->upto; i++)
        if (q->at[i].state == LAUNCH_RUNS && q->at[i].next < q->at[i].units)
            return true;
    return false;
}

void launches_cut(struct launches *q, struct ledger *b, uint64_t until)
{
    for (uint32_t i = q->first; i < q->upto; i++) {
        if (q->at[i].state != LAUNCH_RUNS)
            continue;
        struct gpu_kernel_result *k = &b->out->kernels.at[q->at[i].result];
        k->begin = k->begin < until ? k->begin : until;
        k->end = until;
        k->resident += (k->ctas - k->ended) * until;
    }
}

void launches_view(struct launches *q, struct share_tenant *to)
{
    to->runs = to->waits = false;
    for (uint32_t i = q->first; i < q->upto && !to->waits; i++) {
        if (q->at[i].state != LAUNCH_RUNS)
            continue;
        to->runs = true;
        to->waits = launch_has_cta(q, i);
        if (to->waits)
            to->need = q->at[i].need;
    }
}
