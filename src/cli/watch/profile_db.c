/* SPDX-License-Identifier: Apache-2.0 */
/* A profile into a results database. */
#include "cli/shown.h"
#include "cli/watch/profile.h"
#include "db/db.h"

bool profile_put(struct profile *p, struct db *db, const struct db_key *run, struct diag *d)
{
    const char *causes[SM_CAUSES];
    struct arena a = {0};
    VEC(struct db_insn) rows = {0};
    struct tr_reader *t = profile_trace(p);
    char text[1024];
    for (uint32_t i = 0; i < SM_CAUSES; i++)
        causes[i] = sm_stats.rows[SS_issued + i].name;
    for (uint32_t k = 0; k < tr_nkernels(t); k++) {
        const struct tr_kernel *code = tr_kernel(t, k);
        for (uint32_t i = 0; i < code->n; i++) {
            const struct sm_charged *r = profile_at(p, k, i);
            struct db_insn o = {.kernel = k,
                                .insn = i,
                                .line = code->insns[i].line,
                                .lanes = r->lanes,
                                .bank_conflicts = r->bank_conflicts,
                                .read_wait = r->read_wait,
                                .shared_conflicts = r->shared_conflicts,
                                .causes = r->causes};
            o.text = arena_printf(&a, "%s", shown_text(text, sizeof text, profile_text(p, k, i)));
            o.source = arena_printf(&a, "%s", shown_text(text, sizeof text, profile_source(p, k, o.line)));
            vec_push(&rows, o);
        }
    }
    struct db_profile all = {.insns = rows.at, .n = rows.n, .causes = causes, .ncauses = SM_CAUSES};
    bool ok = db_put_profile(db, run, &all, d);
    vec_free(&rows);
    arena_free(&a);
    return ok;
}
