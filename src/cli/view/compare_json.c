/* SPDX-License-Identifier: Apache-2.0 */
/* The table as JSON. */
#include "cli/view/compare.h"
#include "cli/view/json_point.h"
#include "cli/view/json_schema.h"

#include <math.h>

/* clang-format off */
#define COMPARE_ROW(X, T)                                                                                    \
    X(T, REAL, NULLABLE, speedup, "over the first mechanism on the same workload; null: one has no result")
#define COMPARE_SUM(X, T)                                                                                    \
    X(T, TEXTS, OPEN, mechs, "mechanisms that are compared with the first; empty: none (base)")              \
    X(T, COUNT, OPEN, workloads, "that ran with both; where there are none, the numbers are null")           \
    X(T, REAL, NULLABLE, geomean, "geometric mean of the speedups")                                          \
    X(T, REAL, NULLABLE, mean, "their arithmetic mean")                                                      \
    X(T, REAL, NULLABLE, lowest, "the least of them")                                                        \
    X(T, TEXT, NULLABLE, lowest_of, "the workload that has it, as it was given")                             \
    X(T, REAL, NULLABLE, highest, "the greatest of them")                                                    \
    X(T, TEXT, NULLABLE, highest_of, "the workload that has it, as it was given")                            \
    X(T, REAL, NULLABLE, energy, "geometric mean of energy over the first one's; null also: not modelled")   \
    X(T, REAL, NULLABLE, energy_delay, "... of energy times time; null likewise")                             \
    X(T, REAL, NULLABLE, per_watt, "... of performance per watt; null likewise")
#define COMPARE_ANSWER(X, T)                                                                                 \
    X(T, TEXT, OPEN, speedup_by, "the member that speedups are of", .words = "kernel_cycles cycles")         \
    X(T, ROWS, OPEN, rows, "each workload with each mechanism, in the order given", .shape = &row_shape)     \
    X(T, ROWS, OPEN, speedups, "of each mechanism but the first", .shape = &sum_shape)
/* clang-format on */

struct compare_row {
    struct json_point point;
    COMPARE_ROW(JSON_FIELD, )
};
struct compare_sums {
    COMPARE_SUM(JSON_FIELD, )
};
static const struct json_member row_members[] = {COMPARE_ROW(JSON_MEMBER, struct compare_row)};
static const struct json_member sum_members[] = {COMPARE_SUM(JSON_MEMBER, struct compare_sums)};
static const struct json_shape row_shape = {.name = "compare_row",
                                            .parts = {JSON_POINT_PART(0), JSON_PART(row_members, 0)}};
static const struct json_shape sum_shape = {.name = "speedup", .parts = {JSON_PART(sum_members, 0)}};

struct compare_answer {
    struct json_head head;
    COMPARE_ANSWER(JSON_FIELD, )
};
static const struct json_member members[] = {COMPARE_ANSWER(JSON_MEMBER, struct compare_answer)};
const struct json_shape compare_shape = {
    .name = "compare", .command = "compare", .parts = {JSON_HEAD_PART, JSON_PART(members, 0)}};

static double or_null(double v) { return v > 0 ? v : NAN; }

static json_t *sum_of(const struct compare_table *t, uint32_t mech)
{
    struct compare_sum s = compare_sum(t, mech);
    const char *mechs = t->plan->machines.at[mech].mechs;
    struct compare_sums o = {.mechs = json_words(strcmp(mechs, "base") == 0 ? "" : mechs, ','),
                             .workloads = s.n,
                             .geomean = or_null(s.geomean),
                             .mean = or_null(s.mean),
                             .lowest = or_null(s.lowest),
                             .lowest_of = s.lowest_of,
                             .highest = or_null(s.highest),
                             .highest_of = s.highest_of,
                             .energy = or_null(s.energy),
                             .energy_delay = or_null(s.edp),
                             .per_watt = or_null(s.per_watt)};
    return json_of(&sum_shape, &o);
}

bool compare_json(const struct compare_table *t, const char *path)
{
    struct arena a = {0};
    struct compare_answer o = {.head = json_head(&compare_shape),
                               .speedup_by = compare_by(t),
                               .rows = json_array(),
                               .speedups = json_array()};
    for (uint32_t i = 0; i < t->plan->jobs.n; i++) {
        struct compare_row row = {.point = json_job(&a, t->plan, &t->plan->jobs.at[i]),
                                  .speedup = or_null(compare_speedup(t, i))};
        json_array_append_new(o.rows, json_of(&row_shape, &row));
    }
    for (uint32_t m = 1; m < t->nmechs; m++)
        json_array_append_new(o.speedups, sum_of(t, m));
    bool ok = json_write(json_of(&compare_shape, &o), path);
    arena_free(&a);
    return ok;
}
