/* SPDX-License-Identifier: Apache-2.0 */
/* The option reader: one table per command gives parsing, ranges, help and guesses. */
#include "base/arena.h"
#include "base/nearest.h"
#include "cli/cli.h"
#include "cli/files.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>

int cli_error(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fputs("bankshot: error: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    return CLI_USAGE;
}

bool cli_u64(const char *text, uint64_t *out)
{
    if (*text < '0' || *text > '9')
        return false;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (hex && !text[2])
        return false;
    char *end;
    errno = 0;
    *out = strtoull(text, &end, hex ? 16 : 10);
    return errno == 0 && *end == 0;
}

bool cli_dim3(const char *text, uint32_t out[3])
{
    const char *p = text;
    for (int i = 0; i < 3; i++) {
        out[i] = 1;
        if (i > 0 && !*p)
            continue;
        if (i > 0 && *p != ',' && *p != 'x')
            return false;
        p += i > 0;
        if (*p < '0' || *p > '9')
            return false;
        char *end;
        errno = 0;
        unsigned long long v = strtoull(p, &end, 10);
        if (errno || v > UINT32_MAX)
            return false;
        out[i] = (uint32_t)v;
        p = end;
    }
    return *p == 0;
}

static const char *dashes(const struct cli_opt *o) { return o->name[1] ? "--" : "-"; }

static bool in_range(const struct cli_opt *o, uint64_t v) { return v >= o->lo && (!o->hi || v <= o->hi); }

static bool bad_value(const struct cli_opt *o, const char *text, const char *what)
{
    if (o->hi)
        cli_error("%s%s %s: expected %s from %llu to %llu", dashes(o), o->name, text, what,
                  (unsigned long long)o->lo, (unsigned long long)o->hi);
    else
        cli_error("%s%s %s: expected %s", dashes(o), o->name, text, what);
    return false;
}

static bool set_value(const struct cli_opt *o, const char *text)
{
    uint64_t v;
    uint32_t dim[3];
    switch (o->kind) {
    case CLI_FLAG: *(bool *)o->to = true; return true;
    case CLI_U32:
    case CLI_U64:
        if (!cli_u64(text, &v) || !in_range(o, v) || (o->kind == CLI_U32 && v > UINT32_MAX))
            return bad_value(o, text, "a number");
        if (o->kind == CLI_U32)
            *(uint32_t *)o->to = (uint32_t)v;
        else
            *(uint64_t *)o->to = v;
        return true;
    case CLI_STR:
    case CLI_IN:
    case CLI_OUT:
    case CLI_DB: *(const char **)o->to = text; return true;
    case CLI_DIM3:
        if (!cli_dim3(text, dim))
            return bad_value(o, text, "X[,Y[,Z]], numbers");
        for (int i = 0; i < 3; i++)
            if (!in_range(o, dim[i]))
                return bad_value(o, text, "X[,Y[,Z]], numbers");
        memcpy(o->to, dim, sizeof dim);
        return true;
    case CLI_LIST:
    case CLI_INS: vec_push(&((struct cli_list *)o->to)->items, text); return true;
    }
    return false;
}

static void print_help(const struct cli_spec *s)
{
    printf("usage: bankshot %s\n\n%s", s->usage, s->story);
    if (s->nopts)
        printf("\noptions:\n");
    for (uint32_t i = 0; i < s->nopts; i++) {
        const struct cli_opt *o = &s->opts[i];
        char left[64];
        snprintf(left, sizeof left, "%s%s%s%s", dashes(o), o->name, o->arg ? " " : "", o->arg ? o->arg : "");
        printf("  %-22s %s\n", left, o->help);
    }
    printf("  %-22s %s\n", "--help", "print this");
}

static int unknown_option(const struct cli_spec *s, const char *name, size_t len)
{
    const char *names[64];
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->nopts && n < 64; i++) {
        if (s->opts[i].name[1])
            names[n++] = s->opts[i].name;
    }
    char given[64];
    snprintf(given, sizeof given, "%.*s", (int)(len < 60 ? len : 60), name);
    const char *near = nearest_name(given, strlen(given), names, n);
    if (near)
        return cli_error("unknown option --%s; did you mean --%s?", given, near);
    return cli_error("unknown option --%s; see bankshot %.*s --help", given, (int)strcspn(s->usage, " "),
                     s->usage);
}

static const struct cli_opt *find_option(const struct cli_spec *s, const char *name, size_t len, bool letter)
{
    for (uint32_t i = 0; i < s->nopts; i++)
        if (letter == !s->opts[i].name[1] && strlen(s->opts[i].name) == len &&
            memcmp(s->opts[i].name, name, len) == 0)
            return &s->opts[i];
    return NULL;
}

static bool is_list(const struct cli_opt *o) { return o->kind == CLI_LIST || o->kind == CLI_INS; }

static bool is_text(const struct cli_opt *o) { return o->kind >= CLI_STR && o->kind <= CLI_DB; }

/* Of two values one would be lost without a word; of two that are the same none is. */
static bool is_contradicted(const struct cli_opt *o, const char *value, const char *before)
{
    if (!before || o->kind == CLI_FLAG || is_list(o) || strcmp(value, before) == 0)
        return false;
    const char *comma = strchr(o->arg, ',');
    bool joined = is_text(o) && comma && strcmp(comma, ",...") == 0;
    cli_error("%s%s is given twice, as %s and as %s: %s%s%s%s", dashes(o), o->name, before, value,
              joined ? "what goes together is joined by commas, as in " : "only one value counts",
              joined ? before : "", joined ? "," : "", joined ? value : "");
    return true;
}

/* One --name, --name=value, --name value, -x or -x value at argv[*at]; advances over what it used. before: the value that
 * each option has had so far. */
static bool read_option(const struct cli_spec *s, int argc, char **argv, const char **before, int *at,
                        int *status)
{
    bool letter = argv[*at][1] != '-';
    const char *name = argv[*at] + (letter ? 1 : 2);
    size_t len = letter ? strlen(name) : strcspn(name, "=");
    *status = CLI_USAGE;
    const struct cli_opt *o = find_option(s, name, len, letter);
    if (!o && letter)
        cli_error("unknown option -%s; see bankshot %.*s --help", name, (int)strcspn(s->usage, " "),
                  s->usage);
    else if (!o)
        unknown_option(s, name, len);
    if (!o)
        return false;
    const char *value = name[len] ? name + len + 1 : NULL;
    if (o->kind == CLI_FLAG && value) {
        cli_error("--%s takes no value", o->name);
        return false;
    }
    if (o->kind != CLI_FLAG && !value) {
        if (*at + 1 >= argc) {
            cli_error("%s%s needs a value: %s%s %s", dashes(o), o->name, dashes(o), o->name, o->arg);
            return false;
        }
        value = argv[++*at];
    }
    ++*at;
    if (value && !*value && (is_text(o) || is_list(o))) {
        cli_error("%s%s needs a value, and this one is empty: %s%s %s", dashes(o), o->name, dashes(o),
                  o->name, o->arg);
        return false;
    }
    if (is_contradicted(o, value, before[o - s->opts]))
        return false;
    before[o - s->opts] = value ? value : "";
    return set_value(o, value);
}

/* ---- the files that were named ---- */

typedef VEC(struct cli_file) file_list;

static void add_options(const struct cli_spec *s, struct arena *a, file_list *to)
{
    for (uint32_t i = 0; i < s->nopts; i++) {
        const struct cli_opt *o = &s->opts[i];
        struct cli_file f = {.option = arena_printf(a, "%s%s", dashes(o), o->name)};
        if (o->kind == CLI_INS) {
            vec_each (&((struct cli_list *)o->to)->items, path) {
                f.path = *path;
                vec_push(to, f);
            }
            continue;
        }
        if (o->kind != CLI_IN && o->kind != CLI_OUT && o->kind != CLI_DB)
            continue;
        f.path = *(const char **)o->to;
        f.role = o->kind == CLI_IN ? FILE_INPUT : o->kind == CLI_DB ? FILE_STORE : FILE_OUTPUT;
        f.kind = o->kind == CLI_OUT ? (enum file_kind)o->lo : FILE_DATABASE;
        vec_push(to, f);
    }
}

bool cli_files(const struct cli_spec *s, const struct cli_file *more, uint32_t n)
{
    struct arena a = {0};
    file_list all = {0};
    for (uint32_t i = 0; i < s->npositional && s->positional[i]; i++)
        vec_push(&all, (struct cli_file){.option = s->positional_name, .path = s->positional[i]});
    add_options(s, &a, &all);
    for (uint32_t i = 0; i < n; i++)
        vec_push(&all, more[i]);
    bool ok = files_check(all.at, all.n);
    vec_free(&all);
    arena_free(&a);
    return ok;
}

/* For bankshot help --files: options and what they do to files. An option for a FILE that does not say so is a mistake of
 * ours. */
static void print_files(const struct cli_spec *s)
{
    static const char *const roles[] = {[CLI_IN] = "reads", [CLI_INS] = "reads", [CLI_DB] = "adds to"};
    for (uint32_t i = 0; i < s->nopts; i++) {
        const struct cli_opt *o = &s->opts[i];
        int word = (int)strcspn(s->usage, " ");
        if (o->kind == CLI_OUT)
            printf("%.*s\t%s%s\twrites\t%s\n", word, s->usage, dashes(o), o->name,
                   file_kind_name((enum file_kind)o->lo));
        else if (o->kind == CLI_IN || o->kind == CLI_INS || o->kind == CLI_DB)
            printf("%.*s\t%s%s\t%s\t\n", word, s->usage, dashes(o), o->name, roles[o->kind]);
        else if (o->arg && strcmp(o->arg, "FILE") == 0)
            printf("%.*s\t%s%s\tundeclared\t\n", word, s->usage, dashes(o), o->name);
    }
}

/* The words of the user's own command line may be files that it reads. */
static bool check_rest(const struct cli_spec *s, int argc, char **argv, int at)
{
    file_list words = {0};
    for (int i = at; i < argc; i++)
        vec_push(&words, (struct cli_file){.option = s->positional_name, .path = argv[i]});
    bool ok = cli_files(s, words.at, words.n);
    vec_free(&words);
    return ok;
}

static bool parse(const struct cli_spec *s, int argc, char **argv, const char **before, int *status)
{
    uint32_t npos = 0;
    bool only_positional = false;
    for (int i = 1; i < argc;) {
        const char *a = argv[i];
        if (!only_positional && strcmp(a, "--") == 0) {
            only_positional = true;
            i++;
        } else if (s->rest && (only_positional || a[0] != '-')) {
            *s->rest = i;
            *status = CLI_USAGE;
            return check_rest(s, argc, argv, i);
        } else if (!only_positional && (strcmp(a, "-h") == 0 || strcmp(a, "--help") == 0)) {
            print_help(s);
            *status = CLI_OK;
            return false;
        } else if (i == 1 && argc == 2 && strcmp(a, CLI_TELL_FILES) == 0) {
            print_files(s);
            *status = CLI_OK;
            return false;
        } else if (!only_positional && a[0] == '-' && a[1]) {
            if (!read_option(s, argc, argv, before, &i, status))
                return false;
        } else if (npos == s->npositional) {
            *status = cli_error("unexpected argument '%s'", a);
            return false;
        } else {
            s->positional[npos++] = argv[i++];
        }
    }
    if (npos < s->nrequired || s->rest) {
        *status = cli_error("%s is missing: bankshot %s", s->positional_name, s->usage);
        return false;
    }
    *status = CLI_USAGE;
    return cli_files(s, NULL, 0);
}

bool cli_parse(const struct cli_spec *s, int argc, char **argv, int *status)
{
    const char *before[CLI_MAX_OPTS] = {NULL};
    assert(s->nopts <= CLI_MAX_OPTS);
    return parse(s, argc, argv, before, status);
}
