/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration: every option of the model is declared once, in a table row of the module that uses it, and that row
 * gives the struct member, default, range, help, the reader of presets and overlays, and the line stored with a result.
 *
 * A module writes its rows in a .def file:
 *
 *   OPT(banks, U32, 2, 1, 64, "register banks per partition")       a member `banks` of type uint32_t
 *   OPT(block_b, POW2, 32, 32, 128, "bytes of a block")            the same, but only 32, 64 and 128 are taken
 *   NAME(wsched, "gto", wsched_name, "warp scheduler")             one of a list of names, `const char *wsched`
 *   OPT(warp_pool, BOOL, 0, 0, 1, "...", "schedulers!=1")          read only where another option has a value
 *
 * and expands it with CONF_MEMBERS into a struct and with CONF_ROWS into a table. A configuration is a list of sections,
 * each a struct with its table; an option's full name is section.name. */
#ifndef CONF_CONF_H
#define CONF_CONF_H

#include "base/diag.h"

#include <stddef.h>

enum conf_type { CONF_BOOL, CONF_U32, CONF_POW2 /* a U32 */, CONF_F64, CONF_NAME };
/* Its values are whole numbers that are not negative. */
static inline bool conf_is_whole(enum conf_type t) { return t == CONF_U32 || t == CONF_POW2; }

/* Members by type. */
typedef bool conf_BOOL;
typedef uint32_t conf_U32;
typedef uint32_t conf_POW2;
typedef double conf_F64;

struct conf_opt {
    const char *name;
    uint8_t type; /* enum conf_type */
    uint32_t off; /* of the member */
    double def, lo, hi;
    const char *def_name;             /* NAME */
    const char *(*names)(uint32_t i); /* NAME: the possible ones; NULL after the last */
    const char *help;
    /* When the model reads it (idle.c); "": always. Otherwise conditions "option=value,..." or "option!=value,...", those that
     * must all hold joined by '&', and blanks between alternatives. Options of other sections have their full names. */
    const char *read_by;
};

/* Who set an option last; a later layer overrules an earlier one. Two overlays that differ are refused. */
enum conf_layer { CONF_DEFAULT, CONF_PRESET, CONF_MECH, CONF_USER };

enum { CONF_MAX_SECTIONS = 32 };

/* Options that belong together, with a struct of their own:
 *
 *   #define RFC_OPTIONS(T, OPT, NAME) OPT(T, entries, U32, 6, 1, 32, "registers kept for each active warp")
 *   CONF_STRUCT(rfc_cfg, RFC_OPTIONS);                         struct rfc_cfg { uint32_t entries; }
 *   CONF_TABLE(rfc_options, "rfc", rfc_cfg, RFC_OPTIONS);      the option rfc.entries */
struct conf_table {
    const char *section;
    const struct conf_opt *opts;
    uint32_t n;
    size_t size_b;
};

/* An option that was set on top of the preset. */
struct conf_change {
    uint8_t section, layer;
    uint32_t opt;
    const char *source;
};

/* What is known of an option beside its row: it is not read where these conditions hold, or only there. */
struct conf_rule {
    const char *option, *where;
    bool only;
};

struct conf_section {
    const char *name;
    const char *read_by; /* conditions for all of it, like a row's */
    const struct conf_opt *opts;
    uint32_t n;
    void *base;          /* the struct */
    uint8_t *layer;      /* by option: enum conf_layer */
    const char **source; /* by option: file or overlay that set it; NULL: default */
};

struct conf {
    struct arena arena;
    struct conf_section sec[CONF_MAX_SECTIONS];
    uint32_t n;
    VEC(struct conf_change) changes;
    VEC(struct conf_rule) rules;
    VEC(const char *) notes; /* about overlays, for conf_each_idle */
    bool has_base;           /* a file that was read names one */
    const char *presets;     /* folder of bases that are not beside the file that names them; NULL: none */
    /* Folder of the program's own files: messages call these by their name alone; NULL: none. */
    const char *bundled;
};

/* Adds a section and fills the struct with the defaults. */
void conf_add(struct conf *c, const char *name, const struct conf_opt *opts, uint32_t n, void *base);
/* The section that was added last is read only where these conditions hold, written as a row's read_by; and a rule of that kind
 * about one option. */
void conf_read_where(struct conf *c, const char *conditions);
void conf_add_rule(struct conf *c, struct conf_rule rule);
void conf_free(struct conf *c); /* not the structs */

/* An INI file: [section] and name = value lines. False after reporting file, line and reason. */
bool conf_read(struct conf *c, const char *path, enum conf_layer layer, struct diag *d);
/* "section.name=value" from the command line. */
bool conf_set(struct conf *c, const char *assignment, enum conf_layer layer, struct diag *d);
/* The same with what it is from; `source` lives as long as c. */
bool conf_set_from(struct conf *c, const char *assignment, enum conf_layer layer, const char *source,
                   struct diag *d);
/* One option by full name; the value as it would be written. NULL: no such option. */
const char *conf_get(struct conf *c, const char *name);

/* Calls f for every option: full name, value as text, source. */
typedef void conf_visit(void *ctx, const char *section, const struct conf_opt *o, const char *value,
                        const char *source);
void conf_each(struct conf *c, conf_visit *f, void *ctx);

/* Whether the model reads an option as the others are set. */
bool conf_is_read(struct conf *c, const struct conf_section *s, const struct conf_opt *o);
/* What was set on top of the preset and changes nothing: a sentence for each option, or for an overlay of which nothing is left;
 * and overlays whose values are those of another machine. */
typedef void conf_tell(void *ctx, const char *text);
void conf_each_idle(struct conf *c, conf_tell *f, void *ctx);
/* "section.option=value ..." that the machine should have before an overlay changes it: [mech] from = ... in its file. Used by
 * conf.c. */
void conf_note_origin(struct conf *c, const char *source, const char *conditions);
/* How many options have their values from the defaults alone. */
uint32_t conf_count_default(const struct conf *c);

#define CONF_MEMBER_OPT(name_, type_, ...) conf_##type_ name_;
#define CONF_MEMBER_NAME(name_, ...) const char *name_;

#define CONF_FIELD_OPT(T, name_, type_, ...) conf_##type_ name_;
#define CONF_FIELD_NAME(T, name_, ...) const char *name_;
#define CONF_STRUCT(T, LIST)                                                                                 \
    struct T {                                                                                               \
        LIST(T, CONF_FIELD_OPT, CONF_FIELD_NAME)                                                             \
    }
#define CONF_TABLE(table, section_, T, LIST)                                                                 \
    static const struct conf_opt table##_rows[] = {LIST(struct T, CONF_ROW_OPT, CONF_ROW_NAME)};             \
    const struct conf_table table = {section_, table##_rows, sizeof table##_rows / sizeof table##_rows[0],   \
                                     sizeof(struct T)}

/* After the help: nothing, or read_by. */
#define CONF_ROW_OPT(T, name_, type_, def_, lo_, hi_, help_, ...)                                            \
    {#name_, CONF_##type_, offsetof(T, name_), def_, lo_, hi_, NULL, NULL, help_, "" __VA_ARGS__},
#define CONF_ROW_NAME(T, name_, def_, names_, help_, ...)                                                    \
    {#name_, CONF_NAME, offsetof(T, name_), 0, 0, 0, def_, names_, help_, "" __VA_ARGS__},

#endif
