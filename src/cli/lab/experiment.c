/* SPDX-License-Identifier: Apache-2.0 */
/* Finding experiments in their folders. */
#include "cli/lab/experiment.h"

#include "base/file.h"
#include "base/nearest.h"
#include "cli/resource.h"

#include <dirent.h>
#include <unistd.h>

enum { MAX_TEXT_B = 1 << 20 };

static const char *read_text(struct arena *a, const char *path, struct diag *d)
{
    struct file_text t;
    if (!file_read(path, MAX_TEXT_B, &t, d))
        return NULL;
    const char *text = arena_strndup(a, t.at, t.n);
    file_free(&t);
    return text;
}

/* Which shell runs a script, and its licence, are no title. */
static bool is_preface(const char *line)
{
    static const char licence[] = "SPDX-License-Identifier:";
    return strncmp(line, "#!", 2) == 0 ||
           strncmp(line + strspn(line, ";# "), licence, sizeof licence - 1) == 0;
}

static const char *first_comment(struct arena *a, const char *text)
{
    while (is_preface(text)) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    text += strspn(text, ";# ");
    return arena_strndup(a, text, strcspn(text, "\n"));
}

/* The text under "## NAME" up to the next such heading. */
static const char *section(struct arena *a, const char *text, const char *name)
{
    const char *heading = arena_printf(a, "## %s\n", name);
    size_t n = strlen(heading);
    for (const char *p = text; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
        if (strncmp(p, heading, n) != 0)
            continue;
        const char *from = p + n, *end = strstr(from, "\n## ");
        return arena_strndup(a, from, end ? (size_t)(end + 1 - from) : strlen(from));
    }
    return "";
}

static bool add(struct experiments *e, const char *dir, const char *paper, const char *name,
                const char *analysis, struct diag *d)
{
    struct arena *a = &e->arena;
    struct experiment x = {.paper = paper, .name = name};
    const char *script = arena_printf(a, "%s/%s.sh", dir, name), *gp = arena_printf(a, "%s/%s.gp", dir, name),
               *first;
    if (access(script, R_OK) == 0) {
        x.script = script;
        x.text = first = read_text(a, script, d);
    } else {
        x.ini = arena_printf(a, "%s/%s.ini", dir, name);
        x.sql = arena_printf(a, "%s/%s.sql", dir, name);
        first = read_text(a, x.ini, d);
        x.text = first ? read_text(a, x.sql, d) : NULL;
        const char *views = arena_printf(a, "%s/views.sql", dir);
        if (access(views, R_OK) == 0) {
            x.views = read_text(a, views, d);
            x.views_shown = cli_shown_path(a, views);
            if (!x.views)
                return false;
        }
    }
    if (!x.text)
        return false;
    x.shown = cli_shown_path(a, x.script ? x.script : x.sql);
    x.gp = access(gp, R_OK) == 0 ? gp : NULL;
    x.title = first_comment(a, first);
    x.analysis = section(a, analysis, name);
    vec_push(&e->all, x);
    return true;
}

/* Names of folders, or of .ini and .sh files without their ending, sorted. */
static uint32_t names_in(struct arena *a, const char *dir, bool folders, const char ***out)
{
    struct dirent **list;
    int n = scandir(dir, &list, NULL, alphasort);
    uint32_t count = 0;
    *out = ARENA_ARRAY(a, const char *, n > 0 ? n : 1);
    for (int i = 0; i < n; i++) {
        const char *name = list[i]->d_name, *dot = strrchr(name, '.');
        if (folders && name[0] != '.' && !dot)
            (*out)[count++] = arena_strndup(a, name, strlen(name));
        else if (!folders && dot && (strcmp(dot, ".ini") == 0 || strcmp(dot, ".sh") == 0))
            (*out)[count++] = arena_strndup(a, name, (size_t)(dot - name));
        free(list[i]);
    }
    if (n >= 0)
        free(list);
    return count;
}

static bool nothing(const char *what, const char *name, const char *const *names, uint32_t n, struct diag *d)
{
    const char *near = nearest_name(name, strlen(name), names, n);
    struct arena a = {0};
    const char *list = "";
    for (uint32_t i = 0; i < n; i++)
        list = arena_printf(&a, "%s%s%s", list, i ? ", " : "", names[i]);
    if (near)
        diag_plain(d, "no %s '%s'; did you mean '%s'?", what, name, near);
    else
        diag_plain(d, "no %s '%s'; there are %s", what, name, n ? list : "none");
    arena_free(&a);
    return false;
}

static bool find_in(struct experiments *e, const char *root, const char *paper, const char *name,
                    struct diag *d)
{
    struct arena *a = &e->arena;
    const char *dir = arena_printf(a, "%s/%s", root, paper), **names;
    const char *notes = arena_printf(a, "%s/analysis.md", dir);
    const char *analysis = access(notes, R_OK) == 0 ? read_text(a, notes, d) : "";
    uint32_t n = names_in(a, dir, false, &names), found = 0;
    bool ok = analysis;
    for (uint32_t i = 0; ok && i < n; i++) {
        if ((name && strcmp(names[i], name) != 0) || (i && strcmp(names[i], names[i - 1]) == 0))
            continue;
        ok = add(e, dir, paper, names[i], analysis, d);
        found++;
    }
    if (ok && name && !found)
        return nothing(arena_printf(a, "experiment of %s is called", paper), name, names, n, d);
    return ok;
}

bool experiments_find(struct experiments *e, const char *paper, const char *name, struct diag *d)
{
    const char *root = cli_resource(&e->arena, "experiments"), **papers;
    if (!root)
        return false;
    uint32_t n = names_in(&e->arena, root, true, &papers), found = 0;
    bool ok = true;
    for (uint32_t i = 0; ok && i < n; i++) {
        if (paper && strcmp(papers[i], paper) != 0)
            continue;
        ok = find_in(e, root, papers[i], name, d);
        found++;
    }
    if (ok && paper && !found)
        return nothing("experiments of", paper, papers, n, d);
    return ok;
}

void experiments_free(struct experiments *e)
{
    vec_each (&e->all, x) {
        spec_free(&x->spec);
        vec_each (&x->tables, t) {
            vec_free(&t->names);
            vec_free(&t->cells);
        }
        vec_free(&x->tables);
        vec_free(&x->missing.texts);
    }
    vec_free(&e->all);
    arena_free(&e->arena);
}

static bool is_id(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.'; }

bool experiment_names(const struct experiment *x, const char *claim)
{
    size_t n = strlen(claim);
    for (const char *p = x->text; (p = strstr(p, claim)); p++)
        if ((p == x->text || !is_id(p[-1])) && !is_id(p[n]))
            return true;
    return false;
}
