/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON that commands write. A kind of object is a shape: its members are declared once, in a list macro that gives the struct
 * which a command fills, the table that turns it into JSON, and the JSON Schema of it (json_schema.c).
 *
 *   #define THING(X, T)                                        X(T, type, OPEN or NULLABLE, name, help, ...)
 *       X(T, TEXT, OPEN, name, "what it is called")
 *       X(T, COUNT, NULLABLE, cycles, "how long it took")
 *   struct thing { THING(JSON_FIELD, ) };
 *   static const struct json_member members[] = {THING(JSON_MEMBER, struct thing)};
 *
 * Every member is always there; what has no value is null, and only where its row says NULLABLE. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "conf/conf.h"

#include <jansson.h>

/* Version of the schema: it grows when a member goes, or changes its name, type or meaning. */
enum { JSON_VERSION = 1 };

enum json_type {
    JT_TEXT,  /* NULL is null */
    JT_COUNT, /* JSON_NO_COUNT is null */
    JT_INT,   /* one that may be negative; JSON_NO_INT is null */
    JT_REAL,  /* NaN is null */
    JT_FLAG,  /* true or false */
    JT_VALUE, /* of an option: a text, a number, or a truth. This and those below are json_t *, taken over; NULL is null */
    JT_TEXTS,   /* list */
    JT_NUMBERS, /* list of counts */
    JT_VALUES,  /* by name: values */
    JT_COUNTS,  /* by name: counts */
    JT_REALS,   /* by name: reals */
    JT_LISTS,   /* by name: lists of counts, or of such lists */
    JT_ROW,     /* an object of a shape */
    JT_ROWS,    /* a list of them */
};
#define JSON_NO_COUNT UINT64_MAX
#define JSON_NO_INT INT64_MIN

typedef const char *json_TEXT;
typedef uint64_t json_COUNT;
typedef int64_t json_INT;
typedef double json_REAL;
typedef bool json_FLAG;
typedef json_t *json_VALUE, *json_TEXTS, *json_NUMBERS, *json_VALUES, *json_COUNTS, *json_REALS, *json_LISTS,
    *json_ROW, *json_ROWS;

/* Names that come from a table of another module. */
struct json_keys {
    const char *name;        /* in the schema */
    void (*add)(json_t *to); /* by name, what the schema says of it: a description at least */
};

struct json_shape;
struct json_member {
    const char *name;
    uint8_t type; /* enum json_type */
    bool null;
    uint32_t at; /* offset in the struct */
    const char *help;
    const char *words;              /* TEXT: the possible ones, separated by blanks; NULL: any */
    const struct json_shape *shape; /* ROW, ROWS */
    const struct json_keys *keys;   /* VALUES, COUNTS, REALS, LISTS: the names there are */
    bool some;                      /* ... which need not all be there */
};

enum { OPEN = 0, NULLABLE = 1 }; /* OPEN: as it is */
#define JSON_FIELD(T, type, null, name, ...) json_##type name;
#define JSON_MEMBER(T, type_, null_, name_, ...)                                                             \
    {.name = #name_, .type = JT_##type_, .null = (null_), .at = offsetof(T, name_), .help = __VA_ARGS__},

/* Members of several structs that lie in one. */
struct json_part {
    const struct json_member *members;
    uint32_t n;
    uint32_t at; /* the struct's offset */
};
#define JSON_PART(table, at_)                                                                                \
    {                                                                                                        \
        .members = (table), .n = sizeof(table) / sizeof((table)[0]), .at = (at_)                             \
    }

enum { JSON_PARTS = 3 };
struct json_shape {
    const char *name;           /* in the schema */
    const char *command, *list; /* of a whole answer: the values of these members; else NULL */
    struct json_part parts[JSON_PARTS];
};

/* The object of a struct that is filled. What it points to as json_t * is taken over. */
json_t *json_of(const struct json_shape *s, const void *of);
/* Writes an answer and frees it. "-": standard output. False after a message. */
bool json_write(json_t *o, const char *path);

json_t *cli_json_number(uint64_t v);
/* Bytes that are no UTF-8 (a program's arguments may hold any) are replaced. */
json_t *cli_json_text(const char *s);
/* The words of a text that `by` separates. */
json_t *json_words(const char *text, char by);
/* An option's value, in the type of its row. */
json_t *json_option(const struct conf_opt *o, const char *value);

/* What every answer begins with. */
#define JSON_HEAD(X, T)                                                                                      \
    X(T, COUNT, OPEN, schema, "version of the form of this answer")                                          \
    X(T, TEXT, OPEN, command, "that gave the answer")                                                        \
    X(T, TEXT, OPEN, version, "of the program")                                                              \
    X(T, TEXT, OPEN, model,                                                                                  \
      "digest of everything that decides a result: results of equal ones can be compared")
struct json_head {
    JSON_HEAD(JSON_FIELD, )
};
extern const struct json_member json_head_members[];
enum { JSON_HEAD_N = 4 };
#define JSON_HEAD_PART                                                                                       \
    {                                                                                                        \
        .members = json_head_members, .n = JSON_HEAD_N                                                       \
    }
struct json_head json_head(const struct json_shape *s);

/* The schema of all answers, as text. False: it could not be written. */
bool json_schema(FILE *to);

#endif
