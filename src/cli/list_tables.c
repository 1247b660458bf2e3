/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of tables: counters, bundled programs, claims. */
#include "cli/lab/claims.h"
#include "cli/lab/manifest.h"
#include "cli/list.h"

/* clang-format off */
#define STAT_ROW(X, T)                                                                                       \
    X(T, TEXT, OPEN, name, "section.counter")                                                                \
    X(T, TEXT, OPEN, kind, "a number, or a list of them", .words = "counter distribution")                   \
    X(T, TEXT, OPEN, unit, "what is counted")                                                                \
    X(T, TEXT, OPEN, about, "what it means")
#define WORKLOAD_ROW(X, T)                                                                                   \
    X(T, TEXT, OPEN, name, "for run, compare, sweep")                                                        \
    X(T, TEXT, OPEN, family, "for family:NAME")                                                              \
    X(T, TEXT, OPEN, program, "its folder of workloads/")                                                    \
    X(T, TEXT, OPEN, args, "arguments that the program gets, beside the size")                               \
    X(T, TEXTS, OPEN, uses, "paper:class, for uses:PAPER/CLASS")                                             \
    X(T, TEXT, OPEN, about, "what it does")
#define CLAIM_ROW(X, T)                                                                                      \
    X(T, TEXT, OPEN, id, "for repro")                                                                        \
    X(T, TEXT, OPEN, paper, "whose claim it is")                                                             \
    X(T, TEXT, OPEN, where, "figure, table or section")                                                      \
    X(T, TEXT, OPEN, claim, "what is measured")                                                              \
    X(T, REAL, OPEN, value, "the paper's")                                                                   \
    X(T, TEXT, OPEN, unit, "of value, lo and hi")                                                            \
    X(T, REAL, OPEN, lo, "least measurement that counts as reproduced")                                      \
    X(T, REAL, OPEN, hi, "greatest measurement that counts as reproduced")
/* clang-format on */
LIST(STAT_ROW, stat)
LIST(WORKLOAD_ROW, workload)
LIST(CLAIM_ROW, claim)

/* ---- stats ---- */

static void stat_row(struct listing *l, const char *section, const char *name, const char *kind,
                     const char *unit, const char *help)
{
    char full[64];
    snprintf(full, sizeof full, "%s.%s", section, name);
    struct list_stat row = {.name = full, .kind = kind, .unit = unit, .about = help};
    list_row(l, &row);
}

static bool each_stat(struct listing *l, struct diag *d)
{
    (void)d;
    const struct stat_table *t;
    for (uint32_t n = 0; (t = gpu_stats(n, NULL, NULL)); n++)
        for (uint32_t i = 0; i < t->n; i++)
            stat_row(l, t->section, t->rows[i].name, "counter", t->rows[i].unit, t->rows[i].help);
    list_heading(l, "\nDistributions (lists in --json)\n\n");
    for (uint32_t i = 0; i < sm_arrays.n; i++)
        stat_row(l, sm_arrays.section, sm_arrays.rows[i].name, "distribution", sm_arrays.rows[i].unit,
                 sm_arrays.rows[i].help);
    return true;
}

static void print_stat(const void *row)
{
    const struct list_stat *r = row;
    printf("%-24s %-12s %s\n", r->name, r->unit, r->about);
}

const struct list_kind list_stats = {.name = "stats",
                                     .one = "counter",
                                     .answer = LIST_SHAPE("stats", stat),
                                     .row = &stat_shape,
                                     .each = each_stat,
                                     .print = print_stat};

/* ---- workloads, claims ---- */

static bool each_workload(struct listing *l, struct diag *d)
{
    struct manifest m = {0};
    bool ok = manifest_load(&m, d);
    vec_each (&m.rows, r) {
        struct list_workload row = {.name = r->name,
                                    .family = r->family,
                                    .program = r->program,
                                    .args = r->args,
                                    .uses = json_words(r->uses, ' '),
                                    .about = r->about};
        list_row(l, &row);
    }
    manifest_free(&m);
    return ok;
}

static void print_workload(const void *row)
{
    const struct list_workload *r = row;
    printf("%-22s %-10s %s", r->name, r->family, r->about);
    size_t i;
    json_t *use;
    json_array_foreach (r->uses, i, use)
        printf("%s%s", i ? " " : " [", json_string_value(use));
    puts(json_array_size(r->uses) ? "]" : "");
}

const struct list_kind list_workloads = {.name = "workloads",
                                         .one = "workload",
                                         .answer = LIST_SHAPE("workloads", workload),
                                         .row = &workload_shape,
                                         .each = each_workload,
                                         .print = print_workload};

static bool each_claim(struct listing *l, struct diag *d)
{
    struct claims c = {0};
    bool ok = claims_load(&c, d);
    vec_each (&c.rows, r) {
        struct list_claim row = {.id = r->id,
                                 .paper = r->paper,
                                 .where = r->where,
                                 .claim = r->text,
                                 .value = r->value,
                                 .unit = r->unit,
                                 .lo = r->lo,
                                 .hi = r->hi};
        list_row(l, &row);
    }
    claims_free(&c);
    return ok;
}

static void print_claim(const void *row)
{
    const struct list_claim *r = row;
    printf("%-28s %8.6g %-14s %s (%.6g to %.6g)\n", r->id, r->value, r->unit, r->claim, r->lo, r->hi);
}

const struct list_kind list_claims = {.name = "claims",
                                      .one = "claim",
                                      .answer = LIST_SHAPE("claims", claim),
                                      .row = &claim_shape,
                                      .each = each_claim,
                                      .print = print_claim};
