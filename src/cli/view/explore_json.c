/* SPDX-License-Identifier: Apache-2.0 */
/* The answer as JSON. */
#include "cli/view/explore.h"
#include "cli/view/json_point.h"
#include "cli/view/json_schema.h"

#include <math.h>

static void add_goals(json_t *to)
{
    for (int g = 0; g < EG_COUNT; g++)
        json_object_set_new(to, explore_goal_name[g],
                            json_pack("{s:s}", "description", explore_goal_what[g]));
}
static const struct json_keys goal_keys = {"explore_goals", add_goals},
                              best_keys = {"explore_best", add_goals};

/* clang-format off */
#define EXPLORE_MEAN(X, T)                                                                                   \
    X(T, REALS, OPEN, mean, "by goal: geometric mean over programs, of ratios to the first point",           \
      .keys = &goal_keys, .some = true)                                                                      \
    X(T, REALS, OPEN, lo, "by goal: where its 95% interval begins", .keys = &goal_keys, .some = true)        \
    X(T, REALS, OPEN, hi, "by goal: where its 95% interval ends", .keys = &goal_keys, .some = true)
struct mean_part { EXPLORE_MEAN(JSON_FIELD, ) };
static const struct json_member mean_members[] = {EXPLORE_MEAN(JSON_MEMBER, struct mean_part)};

#define EXPLORE_POINT(X, T)                                                                                  \
    X(T, COUNT, OPEN, point, "its number, from 0: the one that ratios are to")                               \
    X(T, TEXTS, OPEN, mechs, "mechanisms; empty: none (base)")                                               \
    X(T, VALUES, OPEN, set, "options that the specification sets", .keys = &json_option_keys, .some = true)  \
    X(T, TEXT, OPEN, state, "on the front; has whole runs; estimated, or on a part of the programs; over a " \
                            "limit; refused; not tried",                                                     \
      .words = "front whole estimated part limit refused not_tried")                                         \
    X(T, TEXT, NULLABLE, reason, "why it is refused, or which limit it is over")                             \
    X(T, TEXTS, OPEN, as_best, "goals in which its whole runs show no difference from the best point's")        \
    X(T, REAL, OPEN, area_mm2, "area of register access of an SM")                                           \
    X(T, INT, OPEN, storage_bits, "that its mechanisms add to an SM")
struct point_row { EXPLORE_POINT(JSON_FIELD, ) struct mean_part mean; };
static const struct json_member point_members[] = {EXPLORE_POINT(JSON_MEMBER, struct point_row)};
static const struct json_shape point_shape = {
    .name = "explore_point",
    .parts = {JSON_PART(point_members, 0), JSON_PART(mean_members, offsetof(struct point_row, mean))}};

#define EXPLORE_EFFECT(X, T)                                                                                 \
    X(T, TEXT, OPEN, change, "a mechanism that is added, or an option and its values")                       \
    X(T, TEXT, NULLABLE, with, "the other change, of two together; null: it is one alone")                   \
    X(T, COUNT, OPEN, pairs, "of points, or fours of them, that differ in nothing else")
struct effect_row { EXPLORE_EFFECT(JSON_FIELD, ) struct mean_part mean; };
static const struct json_member effect_members[] = {EXPLORE_EFFECT(JSON_MEMBER, struct effect_row)};
static const struct json_shape effect_shape = {
    .name = "explore_effect",
    .parts = {JSON_PART(effect_members, 0), JSON_PART(mean_members, offsetof(struct effect_row, mean))}};

#define EXPLORE_PROGRAM(X, T)                                                                                \
    X(T, TEXT, OPEN, workload, "the program")                                                                \
    X(T, COUNT, OPEN, comes, "points that are on the front without it, and are not with it")                 \
    X(T, COUNT, OPEN, goes, "points that are on the front with it, and are not without it")                  \
    X(T, COUNTS, OPEN, best, "by goal: the best point without it, where that is another",                    \
      .keys = &best_keys, .some = true)
struct program_row { EXPLORE_PROGRAM(JSON_FIELD, ) };
static const struct json_member program_members[] = {EXPLORE_PROGRAM(JSON_MEMBER, struct program_row)};
static const struct json_shape program_shape = {.name = "explore_program", .parts = {JSON_PART(program_members, 0)}};

#define EXPLORE_ANSWER(X, T)                                                                                 \
    X(T, TEXT, OPEN, spec, "the specification, as it was given")                                             \
    X(T, TEXT, OPEN, db, "the results database, as it was given")                                            \
    X(T, TEXT, OPEN, gpu, "preset")                                                                          \
    X(T, TEXTS, OPEN, goals, "what is to be little, in the order of the specification")                      \
    X(T, COUNT, OPEN, seed, "of choices and of intervals")                                                   \
    X(T, COUNT, OPEN, not_taken, "combinations that the preset does not take, and so are no points")         \
    X(T, COUNT, OPEN, whole_runs, "runs in which all instructions were simulated")                           \
    X(T, COUNT, OPEN, whole_estimates, "of these, estimates that had to simulate everything: not of the budget") \
    X(T, COUNT, OPEN, estimates, "runs in which a part was")                                                 \
    X(T, COUNT, OPEN, known, "of both: in the database before")                                              \
    X(T, COUNT, OPEN, left, "points that may be on the front and have no whole runs, since the budget ended") \
    X(T, FLAG, OPEN, effects_whole, "effects and pairs are from whole runs; else from estimates")             \
    X(T, NUMBERS, OPEN, front, "points that no other beats in all goals, by the first goal")                 \
    X(T, COUNTS, OPEN, best, "by goal: the best point", .keys = &best_keys, .some = true)                    \
    X(T, ROWS, OPEN, points, "all of them", .shape = &point_shape)                                           \
    X(T, ROWS, OPEN, effects, "what each change does, all else equal", .shape = &effect_shape)               \
    X(T, ROWS, OPEN, pairs, "two changes, where they do together what each does not: the product of ratios " \
                            "beyond each one's own, below 1 where they help each other",                     \
      .shape = &effect_shape)                                                                                \
    X(T, ROWS, OPEN, programs, "what would be without each", .shape = &program_shape)
/* clang-format on */
struct explore_answer {
    struct json_head head;
    EXPLORE_ANSWER(JSON_FIELD, )
};
static const struct json_member members[] = {EXPLORE_ANSWER(JSON_MEMBER, struct explore_answer)};
const struct json_shape explore_shape = {
    .name = "explore", .command = "explore", .parts = {JSON_HEAD_PART, JSON_PART(members, 0)}};

static const char *goal_at(const struct explore *x, uint32_t k)
{
    return explore_goal_name[x->opts->goals[k]];
}

static void set_real(json_t *to, const char *name, double v)
{
    if (isfinite(v))
        json_object_set_new(to, name, json_real(v));
}

static struct mean_part new_means(void)
{
    return (struct mean_part){json_object(), json_object(), json_object()};
}

static void add_mean(struct mean_part *to, const char *name, struct explore_mean m)
{
    set_real(to->mean, name, m.mean);
    set_real(to->lo, name, m.lo);
    set_real(to->hi, name, m.hi);
}

static json_t *as_best_json(const struct explore_found *f, uint32_t i, bool whole)
{
    json_t *to = json_array();
    for (uint32_t k = 0; whole && k < f->x->opts->ngoals; k++)
        if (f->study->best[k] >= 0 &&
            explore_as_good(f->x, i, (uint32_t)f->study->best[k], f->x->opts->goals[k]))
            json_array_append_new(to, json_string(goal_at(f->x, k)));
    return to;
}

static json_t *point_json(const struct explore_found *f, struct arena *a, uint32_t i)
{
    const struct explore *x = f->x;
    const struct explore_point *p = &x->points.at[i];
    const struct plan_machine *m = &x->plan.machines.at[p->machine];
    const char *state = explore_state(f, i);
    bool whole = strcmp(state, "front") == 0 || strcmp(state, "whole") == 0;
    struct point_row row = {.point = i,
                            .mechs = json_words(strcmp(m->mechs, "base") == 0 ? "" : m->mechs, ','),
                            .set = json_set_words(a, m->options),
                            .state = strcmp(state, "not tried") == 0 ? "not_tried" : state,
                            .reason = p->out,
                            .as_best = as_best_json(f, i, whole),
                            .area_mm2 = p->area_mm2,
                            .storage_bits = p->storage_bits,
                            .mean = new_means()};
    for (uint32_t k = 0; !p->out && k < x->opts->ngoals; k++)
        add_mean(&row.mean, goal_at(x, k), explore_mean(x, i, whole, x->opts->goals[k]));
    return json_of(&point_shape, &row);
}

static json_t *effect_json(const struct explore *x, struct arena *a, const struct explore_effect *e)
{
    struct effect_row row = {.change = explore_step_text(a, &x->steps.at[e->a]),
                             .with = e->a == e->b ? NULL : explore_step_text(a, &x->steps.at[e->b]),
                             .pairs = e->pairs,
                             .mean = new_means()};
    for (uint32_t k = 0; k < x->opts->ngoals; k++)
        add_mean(&row.mean, goal_at(x, k), e->by[k]);
    return json_of(&effect_shape, &row);
}

static json_t *best_json(const struct explore *x, const int64_t *best)
{
    json_t *o = json_object();
    for (uint32_t k = 0; k < x->opts->ngoals; k++)
        if (best[k] >= 0)
            json_object_set_new(o, goal_at(x, k), json_integer(best[k]));
    return o;
}

bool explore_json(const struct explore_found *f, const char *path)
{
    const struct explore *x = f->x;
    struct arena a = {0};
    struct explore_answer o = {.head = json_head(&explore_shape),
                               .spec = f->spec,
                               .db = f->db,
                               .gpu = x->plan.machines.at[0].opts.gpu,
                               .goals = json_array(),
                               .seed = x->opts->seed,
                               .not_taken = x->notes.refused,
                               .whole_runs = x->whole,
                               .whole_estimates = x->whole_estimates,
                               .estimates = x->estimates,
                               .known = x->known,
                               .left = x->left,
                               .effects_whole = f->study->whole,
                               .front = json_array(),
                               .best = best_json(x, f->study->best),
                               .points = json_array(),
                               .effects = json_array(),
                               .pairs = json_array(),
                               .programs = json_array()};
    for (uint32_t k = 0; k < x->opts->ngoals; k++)
        json_array_append_new(o.goals, json_string(goal_at(x, k)));
    vec_each (&f->study->front, i)
        json_array_append_new(o.front, json_integer(*i));
    for (uint32_t i = 0; i < x->points.n; i++)
        json_array_append_new(o.points, point_json(f, &a, i));
    vec_each (&f->study->effects, e)
        json_array_append_new(o.effects, effect_json(x, &a, e));
    vec_each (&f->study->pairs, e)
        json_array_append_new(o.pairs, effect_json(x, &a, e));
    vec_each (&f->study->programs, p) {
        struct program_row row = {.workload = x->programs.at[p->program],
                                  .comes = p->comes,
                                  .goes = p->goes,
                                  .best = best_json(x, p->best)};
        json_array_append_new(o.programs, json_of(&program_shape, &row));
    }
    bool ok = json_write(json_of(&explore_shape, &o), path);
    arena_free(&a);
    return ok;
}
