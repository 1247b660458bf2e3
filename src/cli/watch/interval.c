/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/watch/interval.h"

struct interval {
    struct gpu_observer watch;
    interval_fn *row;
    void *ctx;
    struct gpu_sample told, last; /* the run's end may lie before the last one: it waits */
    bool waits;
};

/* Of the SMs' counters all but their cycles, which the row's own are; then those of the memory. */
static uint32_t of_sms(void) { return sm_nstats() - SS_issued; }
uint32_t interval_counters(void) { return of_sms() + MS_COUNT; }

const char *interval_counter_name(uint32_t i, char *out, size_t n)
{
    const struct stat_table *t = &mem_stats, *of;
    uint32_t row = i - of_sms(), at;
    for (uint32_t k = 0; i < of_sms() && (of = sm_stat_table(k, &at)); k++) {
        if (i + SS_issued < at || i + SS_issued >= at + of->n)
            continue;
        t = of;
        row = i + SS_issued - at;
    }
    snprintf(out, n, "%s.%s", t->section, t->rows[row].name);
    return out;
}

int64_t interval_growth(uint32_t i, const struct gpu_sample *from, const struct gpu_sample *to)
{
    if (i < of_sms())
        return (int64_t)(to->sm[SS_issued + i] - from->sm[SS_issued + i]);
    return (int64_t)(to->mem[i - of_sms()] - from->mem[i - of_sms()]);
}

static void tell(struct interval *v, const struct gpu_sample *to)
{
    v->row(v->ctx, &v->told, to);
    v->told = *to;
}

static void on_sample(void *ctx, const struct gpu_sample *s)
{
    struct interval *v = ctx;
    if (v->waits)
        tell(v, &v->last);
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

struct interval *interval_new(uint32_t every, interval_fn *row, void *ctx)
{
    struct interval *v = xcalloc(1, sizeof *v);
    v->watch = (struct gpu_observer){.ctx = v,
                                     .sample_cyc = every,
                                     .sm = on_sm,
                                     .kernel = on_kernel,
                                     .window = on_window,
                                     .sample = on_sample};
    v->row = row;
    v->ctx = ctx;
    return v;
}

const struct gpu_observer *interval_observer(const struct interval *v) { return &v->watch; }

void interval_end(struct interval *v, const struct gpu_result *r)
{
    if (v->waits && (!r || v->last.at < r->cycles))
        tell(v, &v->last);
    if (r && r->cycles > v->told.at) {
        struct gpu_sample end = {.at = r->cycles};
        memcpy(end.sm, r->sm, sizeof end.sm);
        memcpy(end.mem, r->mem, sizeof end.mem);
        for (uint32_t i = 0; i < r->tenants.n && i < GPU_TENANTS; i++)
            end.thread_insts[i] = r->tenants.at[i].sm[SS_thread_insts];
        tell(v, &end);
    }
    free(v);
}
