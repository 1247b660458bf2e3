/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot list: what there is to choose from. */
#include "cli/list.h"

#include "base/nearest.h"
#include "cli/output.h"
#include "cli/view/json_schema.h"

#include <fnmatch.h>
#include <strings.h>

struct listing {
    const struct list_kind *kind;
    const struct machine_opts *of;
    const char *pattern; /* NULL: all */
    const char *heading; /* to be printed; NULL: none */
    json_t *rows;        /* NULL: text */
    uint32_t shown;
    struct arena arena;
    VEC(const char *) names; /* of all rows, for the guess */
};

const struct machine_opts *list_machine(const struct listing *l) { return l->of; }
void list_heading(struct listing *l, const char *text) { l->heading = text; }

static const struct list_kind *const kinds[] = {&list_gpus,  &list_mechs,  &list_workloads, &list_options,
                                                &list_stats, &list_claims, &list_storage};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

const struct json_shape *list_shape(uint32_t i) { return i < NKINDS ? &kinds[i]->answer : NULL; }

/* * and ? stand for letters; without them the pattern is a part of the name. */
static bool is_match(const char *pattern, const char *name)
{
    if (strpbrk(pattern, "*?["))
        return fnmatch(pattern, name, 0) == 0;
    size_t n = strlen(pattern);
    for (; *name; name++)
        if (strncasecmp(name, pattern, n) == 0)
            return true;
    return !n;
}

void list_row(struct listing *l, const void *row)
{
    const char *name = *(const json_TEXT *)row;
    vec_push(&l->names, arena_strndup(&l->arena, name, strlen(name)));
    bool wanted = !l->pattern || is_match(l->pattern, name);
    json_t *o = json_of(l->kind->row, row); /* made in any case: it takes over what the row holds */
    if (wanted && !l->rows) {
        if (l->heading)
            fputs(l->heading, stdout);
        l->heading = NULL;
        l->kind->print(row);
    }
    if (wanted && l->rows)
        json_array_append(l->rows, o);
    json_decref(o);
    l->shown += wanted;
}

/* The nearest name, or the nearest last part of one: 'bnaks' for sm.banks. */
static int no_match(struct listing *l)
{
    VEC(const char *) names = {0};
    vec_each (&l->names, name) {
        const char *dot = strrchr(*name, '.');
        vec_push(&names, *name);
        if (dot)
            vec_push(&names, dot + 1);
    }
    const char *near = nearest_name(l->pattern, strlen(l->pattern), names.at, names.n);
    vec_free(&names);
    if (near)
        return cli_error("no %s matches '%s'; did you mean '%s'?", l->kind->one, l->pattern, near);
    return cli_error("no %s matches '%s'; bankshot list %s has all of them", l->kind->one, l->pattern,
                     l->kind->name);
}

static bool write_json(const struct listing *l)
{
    struct list_answer o = {.head = json_head(&l->kind->answer),
                            .list = l->kind->name,
                            .gpu = l->kind->machine ? l->of->gpu : NULL,
                            .mechs = l->kind->machine ? json_words(l->of->mechs, ',') : NULL,
                            .pattern = l->pattern,
                            .rows = l->rows};
    return json_write(json_of(&l->kind->answer, &o), "-");
}

static int list(const struct list_kind *k, const struct machine_opts *of, const char *pattern, bool json)
{
    struct diag d = {0};
    struct listing l = {.kind = k, .of = of, .pattern = pattern, .rows = json ? json_array() : NULL};
    int status = k->each(&l, &d) ? CLI_OK : CLI_USAGE;
    if (status == CLI_OK && pattern && !l.shown)
        status = no_match(&l);
    if (status != CLI_OK)
        json_decref(l.rows);
    else if (json && !write_json(&l))
        status = CLI_FAILED;
    diag_print(&d, stderr);
    diag_free(&d);
    vec_free(&l.names);
    arena_free(&l.arena);
    return status;
}

static int no_list(const char *what)
{
    struct arena a = {0};
    const char *names[NKINDS], *all = "";
    for (uint32_t i = 0; i < NKINDS; i++) {
        names[i] = kinds[i]->name;
        all = arena_printf(&a, "%s%s%s", all, !i ? "" : i + 1 < NKINDS ? ", " : " or ", names[i]);
    }
    const char *near = nearest_name(what, strlen(what), names, NKINDS);
    if (near)
        cli_error("there is no list '%s'; did you mean '%s'?", what, near);
    else
        cli_error("there is no list '%s'; %s", what, all);
    arena_free(&a);
    return CLI_USAGE;
}

int cli_list(int argc, char **argv)
{
    const char *args[2] = {NULL, NULL};
    struct machine_opts m = {.gpu = "volta"};
    bool json = false;
    const struct cli_opt opts[] = {
        {"gpu", CLI_STR, &m.gpu, 0, 0, "NAME", "options, storage: of which GPU"},
        {"mech", CLI_STR, &m.mechs, 0, 0, "NAME,...", "options, storage: with these mechanisms"},
        {"json", CLI_FLAG, &json, 0, 0, NULL, "the list as JSON (see bankshot help --json-schema)"},
    };
    const struct cli_spec spec = {
        .usage = "list gpus|mechs|workloads|options|stats|claims|storage [PATTERN] [--gpu NAME] [--mech "
                 "NAME,...] [--json]",
        .story =
            "Prints the presets, the mechanisms, the bundled programs, every option with its value, range "
            "and meaning,\n"
            "every counter, the claims of the papers, or the storage that a mechanism adds to an SM. "
            "PATTERN: only those\n"
            "whose name has it as a part, or matches it where it has * or ?: list options bank, list "
            "options 'sm.l1*'.\n",
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional = args,
        .npositional = 2,
        .nrequired = 1,
        .positional_name = "what to list",
    };
    int status;
    if (!cli_parse(&spec, argc, argv, &status))
        return status;
    for (uint32_t i = 0; i < NKINDS; i++)
        if (strcmp(kinds[i]->name, args[0]) == 0)
            return list(kinds[i], &m, args[1], json);
    return no_list(args[0]);
}
