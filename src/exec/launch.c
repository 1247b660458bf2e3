/* SPDX-License-Identifier: Apache-2.0 */
/* A launch: checks, preparation, then the CTAs in launch order, those of a cluster together. The next ones start when those
 * before them are done or wait; started ones that wait get their turns in launch order again. */
#include "exec/run.h"
#include "exec/sanitize/san_hooks.h"

#define RESIDENT_B (1ull << 30) /* what started CTAs of an ordinary launch may hold together */

/* Limits of compute capability 9.0, CUDA programming guide, "Technical Specifications per Compute Capability". */
enum {
    SM_THREADS = 2048,
    SM_CTAS = 32,
    SM_SHARED_B = 228 * 1024,
    CTA_SHARED_B = 1024, /* reserved per CTA */
    MAX_LOCAL_B = 512 * 1024,
    MAX_PARAM_B = 32764,
};
static const uint32_t max_grid[3] = {0x7fffffff, 65535, 65535}, max_block[3] = {1024, 1024, 64};

static bool check_shape(struct run *r)
{
    const struct exec_launch *l = r->l;
    uint64_t threads = 1;
    for (unsigned i = 0; i < 3; i++) {
        if (l->grid[i] < 1 || l->grid[i] > max_grid[i])
            return fail_launch(r, EXEC_BAD_LAUNCH, "grid dimension %c is %u: 1 to %u is possible",
                               'x' + (char)i, l->grid[i], max_grid[i]);
        if (l->block[i] < 1 || l->block[i] > max_block[i])
            return fail_launch(r, EXEC_BAD_LAUNCH, "block dimension %c is %u: 1 to %u is possible",
                               'x' + (char)i, l->block[i], max_block[i]);
        threads *= l->block[i];
    }
    if (threads > MAX_BLOCK)
        return fail_launch(r, EXEC_BAD_LAUNCH, "%llu threads per block: at most %u are possible",
                           (unsigned long long)threads, MAX_BLOCK);
    r->nthreads = (uint32_t)threads;
    r->nwarps = (r->nthreads + LANES - 1) / LANES;
    r->ncta = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    return true;
}

void exec_launch_cluster(const struct exec_launch *l, uint32_t cluster[3])
{
    const uint32_t *from = l->cluster[0] ? l->cluster : l->code->cluster;
    for (unsigned i = 0; i < 3; i++)
        cluster[i] = from[0] && from[i] ? from[i] : 1;
}

static bool check_cluster(struct run *r)
{
    const struct exec_launch *l = r->l;
    const struct code *c = r->code;
    uint32_t *size = r->cluster, n = 1;
    exec_launch_cluster(l, size);
    r->cluster_given = l->cluster[0] || c->cluster[0];
    if (!r->cluster_given && c->explicit_cluster)
        return fail_launch(r, EXEC_BAD_LAUNCH, "the kernel must be launched in clusters (.explicitcluster)");
    for (unsigned i = 0; i < 3; i++) {
        if (c->cluster[0] && size[i] != c->cluster[i])
            return fail_launch(r, EXEC_BAD_LAUNCH,
                               "cluster dimension %c is %u: the kernel requires %u (.reqnctapercluster)",
                               'x' + (char)i, size[i], c->cluster[i]);
        if (size[i] > MAX_CLUSTER || (n *= size[i]) > MAX_CLUSTER)
            return fail_launch(r, EXEC_BAD_LAUNCH, "clusters of %u x %u x %u CTAs: at most %u are possible",
                               size[0], size[1], size[2], MAX_CLUSTER);
        if (l->grid[i] % size[i])
            return fail_launch(r, EXEC_BAD_LAUNCH, "grid dimension %c is %u: no multiple of the cluster's %u",
                               'x' + (char)i, l->grid[i], size[i]);
    }
    if (c->max_cluster && n > c->max_cluster)
        return fail_launch(r, EXEC_BAD_LAUNCH, "clusters of %u CTAs: the kernel allows %u (.maxclusterrank)",
                           n, c->max_cluster);
    r->ranked = c->sass && n > 1;
    return true;
}

static bool check_kernel(struct run *r)
{
    const struct exec_launch *l = r->l;
    const struct code *c = r->code;
    if (l->params_b != c->param_b || (c->param_b && !l->params))
        return fail_launch(r, EXEC_BAD_LAUNCH, "%zu bytes of parameters: the kernel takes %u", l->params_b,
                           c->param_b);
    if (c->param_b > MAX_PARAM_B)
        return fail_launch(r, EXEC_BAD_LAUNCH, "%u bytes of parameters: at most %u are possible", c->param_b,
                           MAX_PARAM_B);
    if (c->local_b > MAX_LOCAL_B)
        return fail_launch(r, EXEC_BAD_LAUNCH, "%u bytes of local memory per thread: at most %u are possible",
                           c->local_b, MAX_LOCAL_B);
    if (c->maxntid && r->nthreads > c->maxntid)
        return fail_launch(r, EXEC_BAD_LAUNCH, "%u threads per block: the kernel allows %u (.maxntid)",
                           r->nthreads, c->maxntid);
    for (unsigned i = 0; i < 3; i++) {
        if (c->reqntid[i] && l->block[i] != c->reqntid[i])
            return fail_launch(r, EXEC_BAD_LAUNCH,
                               "block dimension %c is %u: the kernel requires %u (.reqntid)", 'x' + (char)i,
                               l->block[i], c->reqntid[i]);
    }
    uint64_t align = c->dyn_align ? c->dyn_align : 16, dyn = (c->shared_b + align - 1) / align * align;
    uint64_t total = l->dyn_shared_b ? dyn + l->dyn_shared_b : c->shared_b;
    if (total > MAX_SHARED_B)
        return fail_launch(r, EXEC_BAD_LAUNCH, "%llu bytes of shared memory: at most %u are possible",
                           (unsigned long long)total, MAX_SHARED_B);
    r->dyn_off = (uint32_t)dyn;
    r->shared_b = (uint32_t)total + (c->sass ? c->sass->system_shared_b : 0);
    uint32_t stack_b = c->sass && c->local_b && l->stack_b > c->local_b ? l->stack_b : c->local_b;
    r->local_b = (stack_b + 15) / 16 * 16;
    if (l->cooperative) {
        uint32_t by_threads = SM_THREADS / (r->nwarps * LANES),
                 by_shared = SM_SHARED_B / ((uint32_t)total + CTA_SHARED_B);
        uint32_t per_sm = by_threads < by_shared ? by_threads : by_shared;
        uint64_t fit = (uint64_t)r->dev->cfg.nsm * (per_sm < SM_CTAS ? per_sm : SM_CTAS);
        if (r->ncta > fit)
            return fail_launch(r, EXEC_BAD_LAUNCH,
                               "cooperative launch of %llu CTAs: %llu fit on the device at once",
                               (unsigned long long)r->ncta, (unsigned long long)fit);
    }
    return true;
}

/* Rows of %tid for each warp, the same in every CTA. */
static void make_tid(struct run *r)
{
    const uint32_t *b = r->l->block;
    r->tid = xcalloc((size_t)r->nwarps * 3 * LANES, sizeof *r->tid);
    for (uint32_t t = 0; t < r->nwarps * LANES; t++) {
        uint32_t *row = r->tid + t / LANES * 3 * LANES + t % LANES;
        row[0] = t % b[0];
        row[LANES] = t / b[0] % b[1];
        row[2 * LANES] = t / b[0] / b[1];
    }
}

struct queue {
    struct cluster **at; /* started and not finished, in launch order */
    uint32_t n, cap;
    uint64_t next;  /* first cluster that has not started */
    uint64_t since; /* starts since the waiting ones had their turn */
    uint64_t nclusters;
    struct cluster *spare;
    uint64_t last; /* CTA that ran last, for the recorder */
};

static bool start_next(struct run *r, struct queue *q)
{
    struct cluster *k = q->spare;
    if (k)
        q->spare = k->next;
    else if (!(k = cluster_new(r)))
        return fail_launch(r, EXEC_BAD_LAUNCH, "out of memory for %u resident CTAs",
                           (q->n + 1) * r->cluster[0] * r->cluster[1] * r->cluster[2]);
    cluster_start(r, k, q->next++);
    q->at[q->n++] = k;
    q->since++;
    r->fruitless = 0;
    for (uint32_t i = 0; i < k->n && r->check; i++)
        san_cta_begin(r->check, k->ctas[i]);
    for (uint32_t i = 0; i < k->n && r->obs && r->obs->cta_begin; i++)
        r->obs->cta_begin(r->obs->ctx, (uint32_t)k->ctas[i]->index, k->ctas[i]->idx, r->nwarps);
    return true;
}

static enum cta_result run_cta(struct run *r, struct queue *q, struct cta *c)
{
    if (r->obs && r->obs->cta_switch && q->last != c->index)
        r->obs->cta_switch(r->obs->ctx, (uint32_t)c->index);
    q->last = c->index;
    if (r->check)
        san_cta_run(r->check, c);
    enum cta_result result = cta_run(r, c);
    if (r->l->tick)
        r->l->tick(r->l->tick_ctx, &r->counts, r->ncta);
    if (result == CTA_DONE) {
        if (r->check)
            san_cta_end(r->check, c);
        if (r->obs && r->obs->cta_end)
            r->obs->cta_end(r->obs->ctx, (uint32_t)c->index);
        r->counts.ctas++;
        c->cluster->ndone++;
        c->done = true;
    }
    return result;
}

/* Its CTAs in turn, by rank. What one of them does may be what the others wait for: they get their turns again before other
 * clusters do, as long as that changes something. */
static enum cta_result run_cluster(struct run *r, struct queue *q, struct cluster *k)
{
    uint64_t end = r->counts.warp_insts + CTA_QUANTUM, progress;
    do {
        progress = r->progress;
        for (uint32_t i = 0; i < k->n; i++)
            if (!k->ctas[i]->done && run_cta(r, q, k->ctas[i]) == CTA_ERROR)
                return CTA_ERROR;
    } while (k->n > 1 && k->ndone < k->n && r->progress != progress && r->counts.warp_insts < end);
    return k->ndone == k->n ? CTA_DONE : CTA_WAITS;
}

/* A CTA that has not ended. */
static struct cta *waiting(const struct cluster *k)
{
    uint32_t i = 0;
    while (k->ctas[i]->done)
        i++;
    return k->ctas[i];
}

static bool run_one(struct run *r, struct queue *q, uint32_t *i)
{
    struct cluster *k = q->at[*i];
    switch (run_cluster(r, q, k)) {
    case CTA_ERROR: return false;
    case CTA_WAITS:
        if (r->fruitless > MAX_FRUITLESS && (q->next == q->nclusters || q->n == q->cap) &&
            !mbar_give_up(r, k))
            return fail_deadlock(r, waiting(k), true);
        ++*i;
        return true;
    case CTA_DONE: break;
    }
    memmove(q->at + *i, q->at + *i + 1, sizeof *q->at * (q->n - *i - 1));
    q->n--;
    k->next = q->spare;
    q->spare = k;
    return true;
}

static bool run_all(struct run *r, struct queue *q)
{
    for (uint32_t i = 0; q->n || q->next < q->nclusters;) {
        if (i < q->n) {
            if (!run_one(r, q, &i))
                return false;
            continue;
        }
        /* A look at the waiting ones costs as much as there are of them: do it after as many starts. */
        bool look = q->n && q->since >= q->n;
        if (q->next < q->nclusters && q->n < q->cap && !look) {
            if (!start_next(r, q))
                return false;
            i = q->n - 1;
        } else {
            i = 0;
            q->since = 0;
        }
    }
    return true;
}

static bool run_ctas(struct run *r)
{
    uint32_t size = r->cluster[0] * r->cluster[1] * r->cluster[2];
    uint64_t fit = RESIDENT_B / cta_bytes(r), all = r->ncta / size;
    uint64_t cap = fit > MAX_RESIDENT ? MAX_RESIDENT : fit < 2 * r->dev->cfg.nsm ? 2 * r->dev->cfg.nsm : fit;
    cap = cap > size ? cap / size : 1;
    if (r->l->cooperative || cap > all)
        cap = all;
    struct queue q = {.cap = (uint32_t)cap, .nclusters = all, .last = UINT64_MAX};
    q.at = xcalloc(cap, sizeof *q.at);
    bool ok = run_all(r, &q);
    for (uint32_t i = 0; i < q.n; i++)
        cluster_free(q.at[i]);
    while (q.spare) {
        struct cluster *k = q.spare;
        q.spare = k->next;
        cluster_free(k);
    }
    free(q.at);
    return ok;
}

enum exec_status exec_launch(struct exec_dev *d, const struct exec_launch *l, struct exec_counts *counts,
                             struct exec_error *err)
{
    struct exec_error unwanted;
    struct run r = {.dev = d, .l = l, .code = l->code, .obs = l->obs, .err = err ? err : &unwanted};
    memset(r.err, 0, sizeof *r.err);
    bool ok = check_shape(&r) && check_cluster(&r) && check_kernel(&r);
    if (ok && l->cooperative) {
        r.workspace = mem_alloc(&d->mem, EXEC_WORKSPACE_B, ALLOC_DEVICE);
        ok = r.workspace || fail_launch(&r, EXEC_BAD_LAUNCH, "out of device memory for the grid barrier");
    }
    if (ok && run_decode(&r)) {
        d->launches++;
        make_tid(&r);
        if (d->check && !l->obs)
            san_begin(d->check, &r);
        run_ctas(&r);
        if (r.check)
            san_end(r.check);
        free(r.tid);
    }
    run_decode_free(&r);
    if (r.workspace)
        mem_free(&d->mem, r.workspace, ALLOC_DEVICE);
    fflush(d->cfg.out);
    if (counts)
        *counts = r.counts;
    return r.err->status;
}
