/* SPDX-License-Identifier: Apache-2.0 */
/* Lists about machines: presets, mechanisms, options, and what a mechanism adds to an SM. */
#include "base/file.h"
#include "cli/list.h"

#include <ctype.h>

/* clang-format off */
#define FILE_ROW(X, T)                                                                                       \
    X(T, TEXT, OPEN, name, "for --gpu or --mech")                                                            \
    X(T, TEXT, OPEN, about, "what it is: a sentence")
#define OPTION_ROW(X, T)                                                                                     \
    X(T, TEXT, OPEN, name, "section.option, for --set")                                                      \
    X(T, TEXT, OPEN, type, "of the value", .words = "integer number boolean string")                         \
    X(T, VALUE, OPEN, value, "on this GPU with these mechanisms")                                            \
    X(T, VALUE, NULLABLE, lo, "least value; null: not a number")                                             \
    X(T, VALUE, NULLABLE, hi, "greatest value; null: not a number")                                          \
    X(T, TEXTS, NULLABLE, names, "the possible values of a string; null: it is none")                        \
    X(T, TEXT, OPEN, source, "what set it: default, or a file")                                              \
    X(T, TEXT, OPEN, about, "what it means")
#define STORAGE_ROW(X, T)                                                                                    \
    X(T, TEXT, OPEN, structure, "all: their sum")                                                            \
    X(T, INT, NULLABLE, entries, "negative: of what is not there any more; null: the sum")                  \
    X(T, COUNT, NULLABLE, bits, "of an entry; null: the sum")                                                \
    X(T, REAL, OPEN, bytes, "of all entries, in one SM")
/* clang-format on */
LIST(FILE_ROW, file)
LIST(OPTION_ROW, option)
LIST(STORAGE_ROW, storage)

/* ---- gpus, mechs ---- */

/* The comment that a preset or overlay begins with, as one line up to the end of its first sentence: a full stop at the end, or
 * before a word with a capital letter ("et al. (ISCA" is none). */
static char *first_sentence(struct arena *a, const char *text)
{
    char *out = arena_strndup(a, text, strlen(text)), *to = out;
    while (*text == ';') {
        text += strspn(text, "; \t");
        size_t n = strcspn(text, "\r\n");
        if (to != out && n)
            *to++ = ' ';
        memcpy(to, text, n);
        to += n;
        text += n;
        text += strspn(text, "\r\n");
    }
    *to = 0;
    for (char *p = out; (p = strstr(p, ". ")); p++)
        if (isupper((unsigned char)p[2])) {
            p[1] = 0;
            break;
        }
    return out;
}

static void file_row(void *ctx, const char *name, const char *path)
{
    enum { MAX_B = 1 << 20 };
    struct arena a = {0};
    struct diag d = {0};
    struct file_text t = {0};
    struct list_file row = {.name = name, .about = ""};
    if (file_read(path, MAX_B, &t, &d))
        row.about = first_sentence(&a, t.at);
    list_row(ctx, &row);
    file_free(&t);
    diag_free(&d);
    arena_free(&a);
}

static bool each_gpu(struct listing *l, struct diag *d)
{
    (void)d;
    return machine_each("gpus", file_row, l);
}

static bool each_mech(struct listing *l, struct diag *d)
{
    (void)d;
    return machine_each("mechs", file_row, l);
}

static void print_file(const void *row)
{
    const struct list_file *r = row;
    printf("%-16s %s\n", r->name, r->about);
}

const struct list_kind list_gpus = {.name = "gpus",
                                    .one = "GPU",
                                    .answer = LIST_SHAPE("gpus", file),
                                    .row = &file_shape,
                                    .each = each_gpu,
                                    .print = print_file};
const struct list_kind list_mechs = {.name = "mechs",
                                     .one = "mechanism",
                                     .answer = LIST_SHAPE("mechs", file),
                                     .row = &file_shape,
                                     .each = each_mech,
                                     .print = print_file};

/* ---- options ---- */

static json_t *bound(const struct conf_opt *o, double v)
{
    return conf_is_whole(o->type) ? json_integer((json_int_t)v) : o->type == CONF_F64 ? json_real(v) : NULL;
}

static void option_row(void *ctx, const char *section, const struct conf_opt *o, const char *value,
                       const char *source)
{
    static const char *const types[] = {[CONF_BOOL] = "boolean",
                                        [CONF_U32] = "integer",
                                        [CONF_POW2] = "integer",
                                        [CONF_F64] = "number",
                                        [CONF_NAME] = "string"};
    char name[64];
    snprintf(name, sizeof name, "%s.%s", section, o->name);
    struct list_option row = {.name = name,
                              .type = types[o->type],
                              .value = json_option(o, value),
                              .lo = bound(o, o->lo),
                              .hi = bound(o, o->hi),
                              .names = o->type == CONF_NAME ? json_array() : NULL,
                              .source = source,
                              .about = o->help};
    for (uint32_t i = 0; row.names && o->names(i); i++)
        json_array_append_new(row.names, json_string(o->names(i)));
    list_row(ctx, &row);
}

static bool each_option(struct listing *l, struct diag *d)
{
    const struct machine_opts *of = list_machine(l);
    struct gpu_conf c;
    bool ok = machine_load(of, &c, d);
    if (ok) {
        list_heading(l, arena_printf(&c.conf.arena,
                                     "Options, with their values on %s; --set section.option=value changes "
                                     "one.\n\n",
                                     of->gpu));
        conf_each(&c.conf, option_row, l);
    }
    conf_free(&c.conf);
    return ok;
}

static const char *value_text(char *out, size_t cap, const json_t *v)
{
    if (json_is_string(v))
        return json_string_value(v);
    if (json_is_boolean(v))
        return json_is_true(v) ? "true" : "false";
    snprintf(out, cap, "%.9g", json_number_value(v));
    return out;
}

static void print_option(const void *row)
{
    const struct list_option *r = row;
    char value[40];
    printf("%-24s %-12s %s", r->name, value_text(value, sizeof value, r->value), r->about);
    if (r->lo)
        printf(" (%.10g to %.10g)", json_number_value(r->lo), json_number_value(r->hi));
    size_t i;
    json_t *name;
    json_array_foreach (r->names, i, name)
        printf("%s%s", i ? ", " : ": ", json_string_value(name));
    putchar('\n');
}

const struct list_kind list_options = {.name = "options",
                                       .one = "option",
                                       .machine = true,
                                       .answer = LIST_SHAPE("options", option),
                                       .row = &option_shape,
                                       .each = each_option,
                                       .print = print_option};

/* ---- storage ---- */

static double storage_rows(struct listing *l, const struct storage_row *rows, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct list_storage row = {.structure = rows[i].what,
                                   .entries = rows[i].n,
                                   .bits = rows[i].bits,
                                   .bytes = (double)rows[i].n * (double)rows[i].bits / 8};
        list_row(l, &row);
        sum += row.bytes;
    }
    return sum;
}

/* Bytes that the policies add to an SM, as CSV: a table for people and for experiments. */
static bool each_storage(struct listing *l, struct diag *d)
{
    struct gpu_conf c;
    bool ok = machine_load(list_machine(l), &c, d) && gpu_conf_check(&c, d);
    if (ok) {
        double sum = 0;
        list_heading(l, "structure,entries,bits,bytes\n");
        for (enum seam s = 0; s < SEAMS; s++) {
            const struct policy *p = policy_of(&c.sm, s);
            struct storage_row rows[STORAGE_MAX];
            sum += storage_rows(l, rows, p->storage ? p->storage(&c.sm, rows) : 0);
        }
        struct list_storage all = {
            .structure = "all", .entries = JSON_NO_INT, .bits = JSON_NO_COUNT, .bytes = sum};
        list_row(l, &all);
    }
    conf_free(&c.conf);
    return ok;
}

static void print_storage(const void *row)
{
    const struct list_storage *r = row;
    if (r->entries == JSON_NO_INT)
        printf("%s,,,%.10g\n", r->structure, r->bytes);
    else
        printf("%s,%lld,%llu,%.10g\n", r->structure, (long long)r->entries, (unsigned long long)r->bits,
               r->bytes);
}

const struct list_kind list_storage = {.name = "storage",
                                       .one = "structure",
                                       .machine = true,
                                       .answer = LIST_SHAPE("storage", storage),
                                       .row = &storage_shape,
                                       .each = each_storage,
                                       .print = print_storage};
