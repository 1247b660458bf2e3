#include "cli/watch/interval.h"

#include "cli/output.h"

struct interval {
    struct gpu_observer watch;
    FILE *f;
    char *path;
    uint32_t programs;               /* 1: their columns would be the run's */
    struct gpu_sample written, last; /* the run's end may lie before the last one: it waits */
    bool waits;
};

static void put_row(struct interval *v, const struct gpu_sample *to)
{
    const struct gpu_sample *from = &v->written;
    uint64_t cycles = to->at - from->at, insts = to->sm[SS_warp_insts] - from->sm[SS_warp_insts];
    fprintf(v->f, "%llu,%llu,%.4f", (unsigned long long)from->at, (unsigned long long)to->at,
            cycles ? (double)insts / (double)cycles : 0);
    for (uint32_t i = 0; v->programs > 1 && i < v->programs; i++)
        fprintf(v->f, ",%llu", (unsigned long long)(to->thread_insts[i] - from->thread_insts[i]));
    /* The difference may be negative by a few cycles that a partition was charged beyond the sample's time. */
    for (uint32_t i = SS_issued; i < sm_nstats(); i++)
        fprintf(v->f, ",%lld", (long long)(to->sm[i] - from->sm[i]));
    for (uint32_t i = 0; i < MS_COUNT; i++)
        fprintf(v->f, ",%lld", (long long)(to->mem[i] - from->mem[i]));
    fputc('\n', v->f);
    v->written = *to;
}

static void on_sample(void *ctx, const struct gpu_sample *s)
{
    struct interval *v = ctx;
    if (v->waits)
        put_row(v, &v->last);
    v->last = *s;
    v->waits = true;
}

static const struct sm_observer *on_sm(void *ctx, uint32_t sm)
{
    (void)ctx;
    (void)sm;
    return NULL;
}

static void on_kernel(void *ctx, const struct gpu_kernel_result *k)
{
    (void)ctx;
    (void)k;
}

static void on_window(void *ctx, uint64_t until)
{
    (void)ctx;
    (void)until;
}

struct interval *interval_open(const char *path, uint32_t every, uint32_t programs)
{
    FILE *f = output_open(path);
    if (!f)
        return NULL;
    struct interval *v = xcalloc(1, sizeof *v);
    v->f = f;
    v->path = xstrdup(path);
    v->watch = (struct gpu_observer){.ctx = v,
                                     .sample_cyc = every,
                                     .sm = on_sm,
                                     .kernel = on_kernel,
                                     .window = on_window,
                                     .sample = on_sample};
    v->programs = programs;
    fputs("from,to,ipc", f);
    for (uint32_t i = 0; programs > 1 && i < programs; i++)
        fprintf(f, ",program%u.thread_insts", i + 1);
    for (uint32_t i = 0, at; sm_stat_table(i, &at); i++) {
        const struct stat_table *t = sm_stat_table(i, &at);
        for (uint32_t k = i ? 0 : SS_issued; k < t->n; k++)
            fprintf(f, ",%s.%s", t->section, t->rows[k].name);
    }
    for (uint32_t i = 0; i < MS_COUNT; i++)
        fprintf(f, ",mem.%s", mem_stats.rows[i].name);
    fputc('\n', f);
    return v;
}

const struct gpu_observer *interval_observer(const struct interval *v) { return &v->watch; }

bool interval_close(struct interval *v, const struct gpu_result *r)
{
    if (v->waits && (!r || v->last.at < r->cycles))
        put_row(v, &v->last);
    if (r && r->cycles > v->written.at) {
        struct gpu_sample end = {.at = r->cycles};
        memcpy(end.sm, r->sm, sizeof end.sm);
        memcpy(end.mem, r->mem, sizeof end.mem);
        for (uint32_t i = 0; i < r->tenants.n && i < GPU_TENANTS; i++)
            end.thread_insts[i] = r->tenants.at[i].sm[SS_thread_insts];
        put_row(v, &end);
    }
    bool ok = output_close(v->f, v->path);
    free(v->path);
    free(v);
    return ok;
}
