/* SPDX-License-Identifier: Apache-2.0 */
/* Counters over time as CSV. */
#include "cli/output.h"
#include "cli/watch/interval.h"

struct interval_csv {
    struct interval *rows;
    struct output to;
    FILE *f;           /* of that */
    uint32_t programs; /* 1: their columns would be the run's */
    const struct gpu_conf *c;
};

/* Watts of the interval: all, and by part. */
static void put_watts(const struct interval_csv *v, const struct gpu_sample *from,
                      const struct gpu_sample *to)
{
    struct energy_out e;
    gpu_energy_between(v->c, from, to, &e);
    double per = e.seconds > 0 ? 1e-12 / e.seconds : 0;
    fprintf(v->f, ",%.2f", e.total_pj * per);
    for (uint32_t i = 0; i < EP_COUNT; i++)
        fprintf(v->f, ",%.3f", e.pj[i] * per);
}

static void put_row(void *ctx, const struct gpu_sample *from, const struct gpu_sample *to)
{
    struct interval_csv *v = ctx;
    uint64_t cycles = to->at - from->at, insts = to->sm[SS_warp_insts] - from->sm[SS_warp_insts];
    fprintf(v->f, "%llu,%llu,%.4f", (unsigned long long)from->at, (unsigned long long)to->at,
            cycles ? (double)insts / (double)cycles : 0);
    for (uint32_t i = 0; v->programs > 1 && i < v->programs; i++)
        fprintf(v->f, ",%llu", (unsigned long long)(to->thread_insts[i] - from->thread_insts[i]));
    for (uint32_t i = 0; i < interval_counters(); i++)
        fprintf(v->f, ",%lld", (long long)interval_growth(i, from, to));
    put_watts(v, from, to);
    fputc('\n', v->f);
}

struct interval_csv *interval_csv_open(const char *path, uint32_t every, uint32_t programs,
                                       const struct gpu_conf *c)
{
    struct output to = output_open(path);
    FILE *f = to.f;
    if (!f)
        return NULL;
    struct interval_csv *v = xcalloc(1, sizeof *v);
    *v = (struct interval_csv){
        .rows = interval_new(every, put_row, v), .to = to, .f = f, .programs = programs, .c = c};
    fputs("from,to,ipc", f);
    for (uint32_t i = 0; programs > 1 && i < programs; i++)
        fprintf(f, ",program%u.thread_insts", i + 1);
    for (uint32_t i = 0; i < interval_counters(); i++) {
        char name[96];
        fprintf(f, ",%s", interval_counter_name(i, name, sizeof name));
    }
    fputs(",watts", f);
    for (uint32_t i = 0; i < EP_COUNT; i++)
        fprintf(f, ",watts.%s", energy_parts[i].name);
    fputc('\n', f);
    return v;
}

const struct gpu_observer *interval_csv_observer(const struct interval_csv *v)
{
    return interval_observer(v->rows);
}

bool interval_csv_close(struct interval_csv *v, const struct gpu_result *r)
{
    interval_end(v->rows, r);
    bool ok = output_close(&v->to);
    free(v);
    return ok;
}
