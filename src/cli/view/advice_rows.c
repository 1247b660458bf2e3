/* SPDX-License-Identifier: Apache-2.0 */
/* Advice for the results database: the page shows it beside the run. */
#include "cli/view/advice_rows.h"

#include "cli/view/advice.h"
#include "cli/watch/census.h"

uint32_t advice_rows(const struct machine_opts *m, struct gpu_conf *c, struct tr_reader *t,
                     const struct gpu_result *r, struct arena *a, const struct db_advice **out)
{
    struct diag d = {0};
    bool plain = !m->mechs || strcmp(m->mechs, "base") == 0;
    struct census *census = plain && !(c->gpu.sample > 0) && !r->cut ? census_new(t, c, r, &d) : NULL;
    const struct run_story story = {
        .gpu = m->gpu, .mechs = m->mechs, .reader = t, .conf = c, .result = r, .census = census};
    advice_list found = census ? advice_of(&story) : (advice_list){0};
    struct db_advice *rows = arena_alloc(a, sizeof *rows * (found.n + 1));
    for (uint32_t i = 0; i < found.n; i++) {
        const struct advice *f = &found.at[i];
        rows[i] = (struct db_advice){.rule = f->rule,
                                     .what = arena_printf(a, "%s", f->what),
                                     .hint = arena_printf(a, "%s", f->hint),
                                     .kernel = f->kernel,
                                     .line = f->line,
                                     .gain = f->gain};
    }
    uint32_t n = found.n;
    *out = rows;
    vec_free(&found);
    census_free(census);
    diag_free(&d); /* a trace that cannot be read was told by the run */
    return n;
}
