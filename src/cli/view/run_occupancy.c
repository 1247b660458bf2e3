/* SPDX-License-Identifier: Apache-2.0 */
/* Occupancy in the summary of a run: of the kernels that took most of its cycles. */
#include "cli/shown.h"
#include "cli/view/occupancy_tell.h"
#include "cli/view/run_print.h"

#include <math.h>

/* Launches of a kernel that are alike. */
struct group {
    struct occupancy_ask ask;
    uint32_t kernel;
    uint64_t launches, cycles, tail, resident;
};
typedef VEC(struct group) groups;

static void add(groups *all, const struct run_story *s, const struct gpu_kernel_result *k)
{
    struct group g = {.ask = occupancy_of_launch(s->reader, k->launch),
                      .kernel = tr_launch(s->reader, k->launch)->l.kernel};
    uint32_t i = 0;
    while (i < all->n && (all->at[i].kernel != g.kernel || !occupancy_same(&all->at[i].ask, &g.ask)))
        i++;
    if (i == all->n)
        vec_push(all, g);
    all->at[i].launches++;
    all->at[i].cycles += gpu_kernel_cycles(k);
    all->at[i].tail += k->end > k->last ? k->end - k->last : 0;
    all->at[i].resident += k->resident;
}

static int longer(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    return x->cycles != y->cycles ? (x->cycles < y->cycles ? 1 : -1) : (int)x->kernel - (int)y->kernel;
}

static void print(const struct run_story *s, const struct occupancy_of *of, const struct group *g, bool first,
                  FILE *to)
{
    struct occupancy o = occupancy_get(of, &g->ask);
    char name[256];
    const char *kernel = tr_kernel(s->reader, g->kernel)->name;
    fprintf(to, "%-10s %.60s: ", first ? "occupancy" : "", shown_kernel(name, sizeof name, kernel));
    occupancy_print_sm(&o, to);
    fprintf(to, "\n%10s ", "");
    occupancy_print_grid(s->conf, &o, g->ask.ctas, to);
    double room = (double)g->cycles * s->conf->gpu.sms;
    if (g->resident && room > 0)
        fprintf(to, "; %.1f warps an SM on average", (double)(int64_t)g->resident * o.need.warps / room);
    if (g->resident && o.waves > 1)
        fprintf(to, "; %.0f%% of the cycles are after the start of the last CTA",
                100.0 * (double)g->tail / (double)g->cycles);
    fputc('\n', to);
}

void run_print_occupancy(const struct run_story *s, FILE *to)
{
    enum { MOST = 3 };
    groups all = {0};
    vec_each (&s->result->kernels, k)
        add(&all, s, k);
    if (all.n)
        qsort(all.at, all.n, sizeof *all.at, longer);
    struct occupancy_of *of = occupancy_open(s->conf);
    fputc('\n', to);
    for (uint32_t i = 0; i < all.n && i < MOST; i++)
        print(s, of, &all.at[i], !i, to);
    if (all.n > MOST)
        fprintf(to, "%10s ... and %u more (bankshot occupancy, --json)\n", "", all.n - MOST);
    occupancy_close(of);
    vec_free(&all);
}
