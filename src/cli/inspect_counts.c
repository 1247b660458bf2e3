/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot inspect --counts: the code of every kernel, with how often warps executed each instruction. A warp that comes along
 * with all lanes guarded off counts, as a profiler on silicon counts it. */
#include "cli/cli.h"
#include "cli/inspect_trace.h"
#include "cli/progress.h"

#include <inttypes.h>

struct tally {
    struct tr_reader *r;
    uint64_t **counts;  /* by kernel, one for each instruction; NULL: not launched */
    uint32_t *launches; /* by kernel */
    uint64_t done, total;
};

static bool chosen(uint32_t launch, uint32_t only, uint32_t first)
{
    return only == UINT32_MAX ? first == 0 || launch < first : launch == only;
}

static bool count_cta(struct tally *t, uint32_t launch, uint32_t cta, struct diag *d)
{
    const struct tr_launch_info *l = tr_launch(t->r, launch);
    struct tr_cta *c = tr_open_cta(t->r, launch, cta, d);
    if (!c)
        return false;
    enum tr_status st = TR_END;
    for (uint32_t w = 0; w < l->nwarps && st != TR_BAD; w++) {
        struct tr_step s;
        while ((st = tr_next(c, w, &s)) == TR_STEP) {
            t->counts[l->l.kernel][s.at]++;
            t->done++;
        }
    }
    if (st == TR_BAD)
        diag_plain(d, "launch %u, CTA %u: %s", launch, cta, tr_cta_error(c));
    tr_close_cta(c);
    return st != TR_BAD;
}

static bool count_launch(struct tally *t, uint32_t launch, struct progress *bar, struct diag *d)
{
    uint32_t kernel = tr_launch(t->r, launch)->l.kernel, cta = 0;
    bool ok = true;
    if (!t->counts[kernel])
        t->counts[kernel] = xcalloc(tr_kernel(t->r, kernel)->n, sizeof **t->counts);
    t->launches[kernel]++;
    while (ok && tr_cta_from(t->r, launch, cta, &cta)) {
        ok = count_cta(t, launch, cta, d);
        progress_show(bar, t->done, t->total);
        if (cta++ == UINT32_MAX)
            break;
    }
    return ok;
}

static void print(const struct tally *t)
{
    uint64_t insts = 0;
    uint32_t n = tr_nlaunches(t->r);
    for (uint32_t l = 0; l < n; l++)
        insts += tr_launch(t->r, l)->warp_insts;
    printf("%u launch%s, %" PRIu64 " warp instructions, %" PRIu64 " of them counted\n", n, cli_es(n), insts,
           t->done);
    for (uint32_t k = 0; k < tr_nkernels(t->r); k++) {
        if (!t->counts[k])
            continue;
        printf("\ncounted over %u launch%s:\n", t->launches[k], cli_es(t->launches[k]));
        tr_kernel_print(stdout, tr_kernel(t->r, k), t->counts[k]);
    }
}

int inspect_counts(struct tr_reader *r, uint32_t launch, uint32_t first)
{
    struct tally t = {.r = r};
    struct progress bar = {.what = "reading the trace"};
    struct diag d = {0};
    uint32_t kernels = tr_nkernels(r);
    bool ok = true;
    t.counts = xcalloc(kernels + 1, sizeof *t.counts);
    t.launches = xcalloc(kernels + 1, sizeof *t.launches);
    for (uint32_t l = 0; l < tr_nlaunches(r); l++)
        t.total += chosen(l, launch, first) ? tr_launch(r, l)->warp_insts : 0;
    for (uint32_t l = 0; ok && l < tr_nlaunches(r); l++)
        ok = !chosen(l, launch, first) || count_launch(&t, l, &bar, &d);
    progress_end(&bar);
    if (ok)
        print(&t);
    diag_print(&d, stderr);
    for (uint32_t k = 0; k < kernels; k++)
        free(t.counts[k]);
    free(t.counts);
    free(t.launches);
    diag_free(&d);
    return ok ? CLI_OK : CLI_USAGE;
}
