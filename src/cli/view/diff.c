/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/view/diff.h"

#include "base/demangle.h"
#include "cli/cli.h"
#include "cli/shown.h"

#include <math.h>

/* A figure of both: its name and values; NaN: one of them does not have it. */
struct pair {
    char name[200];
    double a, b;
};
typedef VEC(struct pair) pairs;

/* An option, and its values as JSON; NULL: one of them does not have it. */
struct setting {
    const char *name;
    char *a, *b;
};

struct diff {
    pairs sums, kernels, launches, causes, units, counters;
    VEC(struct setting) options;
};

static const json_t *get(const json_t *o, const char *name) { return json_object_get(o, name); }

static double number(const json_t *o, const char *name)
{
    const json_t *v = get(o, name);
    return json_is_number(v) ? json_number_value(v) : NAN;
}

const char *diff_refuses(const json_t *o)
{
    const json_t *command = get(o, "command");
    if (!json_is_string(command) || strcmp(json_string_value(command), "run") != 0)
        return "it is no answer of bankshot run --json";
    if (json_integer_value(get(o, "schema")) != JSON_VERSION)
        return "its schema is of another version";
    static const char *const objects[] = {"stats", "options", "light"};
    for (uint32_t i = 0; i < 3; i++)
        if (!json_is_object(get(o, objects[i])))
            return "it lacks counters, options or the speed of light: it was written by an older version";
    return json_is_array(get(o, "kernels")) ? NULL : "it has no kernels";
}

static struct pair *pair_of(pairs *all, const char *name)
{
    vec_each (all, p)
        if (strcmp(p->name, name) == 0)
            return p;
    struct pair p = {.a = NAN, .b = NAN};
    snprintf(p.name, sizeof p.name, "%s", name);
    vec_push(all, p);
    return &all->at[all->n - 1];
}

static void add(double *to, double v) { *to = isnan(*to) ? v : *to + v; }

/* Launches of a kernel are taken together: the two programs may have different numbers of them. */
static void add_kernels(struct diff *d, const json_t *o, bool second)
{
    size_t i;
    json_t *k;
    json_array_foreach ((json_t *)get(o, "kernels"), i, k) {
        char name[200];
        const char *mangled = json_string_value(get(k, "kernel"));
        demangle(mangled ? mangled : "?", name, sizeof name);
        struct pair *p = pair_of(&d->kernels, name);
        add(second ? &p->b : &p->a, number(k, "kernel_cycles"));
        p = pair_of(&d->launches, name);
        add(second ? &p->b : &p->a, 1);
    }
}

static bool is_cause(const char *name)
{
    return strcmp(name, "sm.issued") == 0 || strncmp(name, "sm.stall_", 9) == 0;
}

static void add_counters(struct diff *d, const json_t *o, bool second)
{
    const json_t *stats = get(o, "stats");
    double slots = number(stats, "sm.cycles") - number(stats, "sm.stall_launch");
    const char *name;
    json_t *v;
    json_object_foreach ((json_t *)stats, name, v) {
        double n = json_number_value(v);
        struct pair *p =
            pair_of(is_cause(name) ? &d->causes : &d->counters, is_cause(name) ? name + 3 : name);
        if (strcmp(name, "sm.stall_launch") == 0)
            n = NAN;
        *(second ? &p->b : &p->a) = is_cause(name) ? (slots > 0 ? n / slots : 0) : n;
    }
}

static void add_units(struct diff *d, const json_t *o, bool second)
{
    size_t i;
    json_t *u;
    json_array_foreach ((json_t *)get(get(o, "light"), "units"), i, u) {
        const char *name = json_string_value(get(u, "name"));
        struct pair *p = pair_of(&d->units, name ? name : "?");
        *(second ? &p->b : &p->a) = number(u, "share");
    }
}

static void add_sums(struct diff *d, const json_t *o, bool second)
{
    static const char *const names[] = {"kernel_cycles", "cycles", "warp_insts",
                                        "thread_insts",  "ipc",    "energy_pj"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct pair *p = pair_of(&d->sums, names[i]);
        *(second ? &p->b : &p->a) = number(o, names[i]);
    }
    struct pair *p = pair_of(&d->sums, "seconds");
    *(second ? &p->b : &p->a) = number(get(o, "light"), "seconds");
}

static void add_options(struct diff *d, const json_t *a, const json_t *b)
{
    const char *name;
    json_t *v;
    json_object_foreach ((json_t *)get(a, "options"), name, v) {
        const json_t *w = get(get(b, "options"), name);
        if (w && json_equal(v, w))
            continue;
        struct setting s = {name, json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT),
                            w ? json_dumps(w, JSON_ENCODE_ANY | JSON_COMPACT) : NULL};
        vec_push(&d->options, s);
    }
}

/* By how much a counter changed beside the larger of its values; one that only one has counts as all of it. */
static double change(const struct pair *p)
{
    double a = isnan(p->a) ? 0 : p->a, b = isnan(p->b) ? 0 : p->b, most = fmax(fabs(a), fabs(b));
    return most > 0 ? fabs(a - b) / most : 0;
}

static int by_change(const void *a, const void *b)
{
    double x = change(a), y = change(b);
    return x != y ? (x < y ? 1 : -1) : strcmp(((const struct pair *)a)->name, ((const struct pair *)b)->name);
}

static int by_cycles(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    double p = fmax(isnan(x->a) ? 0 : x->a, isnan(x->b) ? 0 : x->b),
           q = fmax(isnan(y->a) ? 0 : y->a, isnan(y->b) ? 0 : y->b);
    return p != q ? (p < q ? 1 : -1) : strcmp(x->name, y->name);
}

static struct diff compare(const json_t *a, const json_t *b)
{
    struct diff d = {0};
    for (uint32_t i = 0; i < 2; i++) {
        add_sums(&d, i ? b : a, i);
        add_kernels(&d, i ? b : a, i);
        add_counters(&d, i ? b : a, i);
        add_units(&d, i ? b : a, i);
    }
    add_options(&d, a, b);
    if (d.kernels.n)
        qsort(d.kernels.at, d.kernels.n, sizeof *d.kernels.at, by_cycles);
    if (d.counters.n)
        qsort(d.counters.at, d.counters.n, sizeof *d.counters.at, by_change);
    return d;
}

static void release(struct diff *d)
{
    vec_each (&d->options, s) {
        free(s->a);
        free(s->b);
    }
    vec_free(&d->options);
    vec_free(&d->sums);
    vec_free(&d->kernels);
    vec_free(&d->launches);
    vec_free(&d->causes);
    vec_free(&d->units);
    vec_free(&d->counters);
}

/* ---- as text ---- */

static const char *figure(char *to, size_t size, double v)
{
    snprintf(to, size, isnan(v) ? "-" : v == floor(v) && fabs(v) < 1e15 ? "%.0f" : "%.4g", v);
    return to;
}

static void put(const struct pair *p, FILE *to)
{
    char a[32], b[32], by[32] = "";
    if (!isnan(p->a) && !isnan(p->b) && p->a != 0)
        snprintf(by, sizeof by, "%+.1f%%", 100 * (p->b - p->a) / p->a);
    fprintf(to, "  %-32.32s %16s %16s %10s\n", p->name, figure(a, sizeof a, p->a), figure(b, sizeof b, p->b),
            p->a == p->b ? "=" : by);
}

/* Shares, in percent and points. */
static void put_shares(const char *title, const pairs *all, FILE *to)
{
    fprintf(to, "\n%s\n", title);
    vec_each (all, p) {
        double a = isnan(p->a) ? 0 : p->a, b = isnan(p->b) ? 0 : p->b;
        if (a < 0.0005 && b < 0.0005)
            continue;
        fprintf(to, "  %-32s %15.2f%% %15.2f%% %+10.2f\n", p->name, 100 * a, 100 * b, 100 * (b - a));
    }
}

static void put_who(const char *name, const json_t *o, FILE *to)
{
    char text[256];
    size_t i;
    json_t *m;
    const char *what = json_string_value(get(o, "workload")), *gpu = json_string_value(get(o, "gpu"));
    const char *code = json_string_value(get(o, "code"));
    fprintf(to, "%s: %s on %s", name, shown_text(text, sizeof text, what ? what : "?"), gpu ? gpu : "?");
    json_array_foreach ((json_t *)get(o, "mechs"), i, m)
        fprintf(to, "%s%s", i ? "," : " with ", json_string_value(m) ? json_string_value(m) : "?");
    if (code && strcmp(code, "ptx") != 0)
        fprintf(to, ", NVIDIA's code%s", strcmp(code, "both") == 0 ? " in some kernels" : "");
    fputc('\n', to);
}

void diff_print(const json_t *a, const json_t *b, FILE *to)
{
    enum { MOST = 20 };
    struct diff d = compare(a, b);
    put_who("A", a, to);
    put_who("B", b, to);
    fprintf(to, "\n%-34s %16s %16s %10s\n", "", "A", "B", "B - A");
    vec_each (&d.sums, p)
        put(p, to);
    fprintf(to, "\nkernel cycles, launches of a kernel together\n");
    for (uint32_t i = 0; i < d.kernels.n && i < MOST; i++)
        put(&d.kernels.at[i], to);
    put_shares("scheduler cycles, of the kernel cycles (difference in points)", &d.causes, to);
    put_shares("speed of light (difference in points)", &d.units, to);
    fprintf(to, "\ncounters that differ most\n");
    uint32_t n = 0;
    for (uint32_t i = 0; i < d.counters.n && n < MOST && change(&d.counters.at[i]) > 0.005; i++, n++)
        put(&d.counters.at[i], to);
    if (!n)
        fprintf(to, "  none\n");
    fprintf(to, "\noptions that differ\n");
    vec_each (&d.options, s)
        fprintf(to, "  %-32s %16s %16s\n", s->name, s->a ? s->a : "-", s->b ? s->b : "-");
    if (!d.options.n)
        fprintf(to, "  none\n");
    release(&d);
}

/* ---- as JSON ---- */

/* clang-format off */
#define PAIR(X, T)                                                                                           \
    X(T, TEXT, OPEN, name, "of the figure, the kernel, the cause, the unit or the counter")                  \
    X(T, REAL, NULLABLE, a, "of the first; null: it has none")                                               \
    X(T, REAL, NULLABLE, b, "of the second; null: it has none")
#define SETTING(X, T)                                                                                        \
    X(T, TEXT, OPEN, name, "of the option")                                                                  \
    X(T, TEXT, NULLABLE, a, "its value for the first, as JSON; null: it has none")                           \
    X(T, TEXT, NULLABLE, b, "... for the second")
#define DIFF(X, T)                                                                                           \
    X(T, TEXT, OPEN, a, "workload of the first")                                                             \
    X(T, TEXT, OPEN, b, "workload of the second")                                                            \
    X(T, ROWS, OPEN, sums, "cycles, instructions, energy, seconds", .shape = &pair_shape)                    \
    X(T, ROWS, OPEN, kernels, "kernel cycles, launches of a kernel together", .shape = &pair_shape)          \
    X(T, ROWS, OPEN, launches, "of these kernels: how many", .shape = &pair_shape)                           \
    X(T, ROWS, OPEN, causes, "scheduler cycles by cause, shares of the kernel cycles", .shape = &pair_shape) \
    X(T, ROWS, OPEN, units, "speed of light by unit, shares of the peak", .shape = &pair_shape)              \
    X(T, ROWS, OPEN, counters, "all others, those that differ most first", .shape = &pair_shape)             \
    X(T, ROWS, OPEN, options, "that differ", .shape = &setting_shape)
/* clang-format on */
struct pair_row {
    PAIR(JSON_FIELD, )
};
struct setting_row {
    SETTING(JSON_FIELD, )
};
static const struct json_member pair_members[] = {PAIR(JSON_MEMBER, struct pair_row)};
static const struct json_member setting_members[] = {SETTING(JSON_MEMBER, struct setting_row)};
static const struct json_shape pair_shape = {.name = "diff_pair", .parts = {JSON_PART(pair_members, 0)}},
                               setting_shape = {.name = "diff_option",
                                                .parts = {JSON_PART(setting_members, 0)}};
struct diff_row {
    struct json_head head;
    DIFF(JSON_FIELD, )
};
static const struct json_member members[] = {DIFF(JSON_MEMBER, struct diff_row)};
const struct json_shape diff_shape = {
    .name = "diff", .command = "diff", .parts = {JSON_HEAD_PART, JSON_PART(members, 0)}};

static json_t *rows(const pairs *all)
{
    json_t *to = json_array();
    vec_each (all, p) {
        struct pair_row row = {p->name, p->a, p->b};
        json_array_append_new(to, json_of(&pair_shape, &row));
    }
    return to;
}

json_t *diff_answer(const json_t *a, const json_t *b)
{
    struct diff d = compare(a, b);
    const char *first = json_string_value(get(a, "workload")),
               *second = json_string_value(get(b, "workload"));
    struct diff_row o = {.head = json_head(&diff_shape),
                         .a = first ? first : "?",
                         .b = second ? second : "?",
                         .sums = rows(&d.sums),
                         .kernels = rows(&d.kernels),
                         .launches = rows(&d.launches),
                         .causes = rows(&d.causes),
                         .units = rows(&d.units),
                         .counters = rows(&d.counters),
                         .options = json_array()};
    vec_each (&d.options, s) {
        struct setting_row row = {s->name, s->a, s->b};
        json_array_append_new(o.options, json_of(&setting_shape, &row));
    }
    json_t *all = json_of(&diff_shape, &o);
    release(&d);
    return all;
}
