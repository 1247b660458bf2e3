/* SPDX-License-Identifier: Apache-2.0 */
/* The points of a sweep with their results, as JSON. */
#include "cli/view/sweep_json.h"
#include "cli/view/json_point.h"
#include "cli/view/json_schema.h"

/* clang-format off */
#define SWEEP_ANSWER(X, T)                                                                                   \
    X(T, TEXT, OPEN, spec, "the specification, as it was given")                                             \
    X(T, TEXT, OPEN, db, "the results database, as it was given")                                            \
    X(T, COUNT, OPEN, known, "points whose results were there before")                                       \
    X(T, ROWS, OPEN, rows, "every point, in the order of the specification", .shape = &row_shape)
/* clang-format on */

static const struct json_shape row_shape = {.name = "sweep_row", .parts = {JSON_POINT_PART(0)}};

struct sweep_answer {
    struct json_head head;
    SWEEP_ANSWER(JSON_FIELD, )
};
static const struct json_member members[] = {SWEEP_ANSWER(JSON_MEMBER, struct sweep_answer)};
const struct json_shape sweep_shape = {
    .name = "sweep", .command = "sweep", .parts = {JSON_HEAD_PART, JSON_PART(members, 0)}};

bool sweep_json(const struct sweep_opts *s, const struct plan *p)
{
    struct arena a = {0};
    struct sweep_answer o = {.head = json_head(&sweep_shape),
                             .spec = s->spec,
                             .db = s->db,
                             .known = p->known,
                             .rows = json_array()};
    vec_each (&p->jobs, j) {
        struct json_point row = json_job(&a, p, j);
        json_array_append_new(o.rows, json_of(&row_shape, &row));
    }
    bool ok = json_write(json_of(&sweep_shape, &o), s->json);
    arena_free(&a);
    return ok;
}
