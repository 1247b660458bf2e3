/* SPDX-License-Identifier: Apache-2.0 */
/* What bankshot list can list. A list walks over what there is and hands out one row after the other; the frame (list.c) chooses
 * those that the pattern asks for, and prints them as text or JSON. */
#ifndef CLI_LIST_H
#define CLI_LIST_H

#include "cli/json.h"
#include "cli/machine.h"

struct listing;
/* A struct of the list's shape, whose first member is the row's name. What it has as json_t * is taken over. */
void list_row(struct listing *l, const void *row);
/* Printed before the next row that is. */
void list_heading(struct listing *l, const char *text);
const struct machine_opts *list_machine(const struct listing *l);

struct list_kind {
    const char *name; /* "gpus" */
    const char *one;  /* "GPU", for messages */
    bool machine;     /* it is about one: --gpu, --mech */
    struct json_shape answer;
    const struct json_shape *row;
    bool (*each)(struct listing *l, struct diag *d); /* false after reporting */
    void (*print)(const void *row);
};
extern const struct list_kind list_gpus, list_mechs, list_workloads, list_options, list_stats, list_claims,
    list_storage;

/* A whole answer. */
#define LIST_ANSWER(X, T, row_shape)                                                                         \
    X(T, TEXT, OPEN, list, "what is listed")                                                                 \
    X(T, TEXT, NULLABLE, gpu, "options, storage: of this GPU")                                               \
    X(T, TEXTS, NULLABLE, mechs, "options, storage: with these mechanisms")                                  \
    X(T, TEXT, NULLABLE, pattern, "that names have to match; null: all are listed")                          \
    X(T, ROWS, OPEN, rows, "in the order of the printed list", .shape = &(row_shape))
struct list_answer {
    struct json_head head;
    LIST_ANSWER(JSON_FIELD, , )
};

/* Of members KIND: the struct of a row, its shape, and the table of the whole answer. */
#define LIST(KIND, kind)                                                                                     \
    struct list_##kind {                                                                                     \
        KIND(JSON_FIELD, )                                                                                   \
    };                                                                                                       \
    static const struct json_member kind##_members[] = {KIND(JSON_MEMBER, struct list_##kind)};              \
    static const struct json_shape kind##_shape = {.name = #kind, .parts = {JSON_PART(kind##_members, 0)}};  \
    static const struct json_member kind##_answer[] = {                                                      \
        LIST_ANSWER(JSON_MEMBER, struct list_answer, kind##_shape)};
#define LIST_SHAPE(list_, kind)                                                                              \
    {                                                                                                        \
        .name = "list_" list_, .command = "list", .list = (list_), .parts = {                                \
            JSON_HEAD_PART,                                                                                  \
            JSON_PART(kind##_answer, 0)                                                                      \
        }                                                                                                    \
    }

#endif
