/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lab/manifest.h"

#include "base/file.h"
#include "base/nearest.h"
#include "cli/cli.h"
#include "cli/resource.h"

enum { COLUMNS = 7, MANIFEST_MAX_B = 1 << 20 };
static const char header[] = "name,family,program,args,uses,about,arch";

/* Names become parts of paths and of command lines. */
static bool is_name(const char *s)
{
    return *s && strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(s);
}

static bool read_row(struct manifest *m, const char *path, char *line, uint32_t number, struct diag *d)
{
    char *cells[COLUMNS] = {0};
    uint32_t n = 0;
    for (char *p = line; p; n++) {
        char *comma = strchr(p, ',');
        if (comma)
            *comma++ = 0;
        if (n < COLUMNS)
            cells[n] = p;
        p = comma;
    }
    if (n != COLUMNS && n != COLUMNS - 1) {
        diag_error(d, path, NULL, 0, number, 0,
                   "%u cell%s where there should be %d, or %d without the last: %s", n, cli_s(n), COLUMNS,
                   COLUMNS - 1, header);
        return false;
    }
    struct manifest_row r = {
        cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6] ? cells[6] : ""};
    if (!is_name(r.name) || !is_name(r.family) || !is_name(r.program)) {
        diag_error(d, path, NULL, 0, number, 0,
                   "name, family and program are words of small letters, digits and underscores");
        return false;
    }
    if (*r.arch && !is_name(r.arch)) {
        diag_error(d, path, NULL, 0, number, 0, "arch is a word such as sm_90a, or empty");
        return false;
    }
    vec_each (&m->rows, o)
        if (strcmp(o->name, r.name) == 0) {
            diag_error(d, path, NULL, 0, number, 0, "%s is there twice", r.name);
            return false;
        }
    vec_push(&m->rows, r);
    return true;
}

bool manifest_read(struct manifest *m, const char *path, struct diag *d)
{
    struct file_text t;
    if (!file_read(path, MANIFEST_MAX_B, &t, d))
        return false;
    char *p = arena_strndup(&m->arena, t.at, t.n);
    path = cli_shown_path(&m->arena, path);
    bool ok = strlen(p) == t.n;
    if (!ok)
        diag_error(d, path, NULL, 0, 1, 0, "it holds a zero byte");
    file_free(&t);
    for (uint32_t line = 1; ok && *p; line++) {
        char *end = p + strcspn(p, "\n"), *next = end + (*end == '\n');
        *end = 0;
        if (line == 1) {
            ok = strcmp(p, header) == 0;
            if (!ok)
                diag_error(d, path, NULL, 0, 1, 0, "the first line should be %s", header);
        } else {
            ok = read_row(m, path, p, line, d);
        }
        p = next;
    }
    return ok;
}

bool manifest_load(struct manifest *m, struct diag *d)
{
    const char *path = cli_resource(&m->arena, "workloads/manifest.csv");
    return path && manifest_read(m, path, d);
}

void manifest_free(struct manifest *m)
{
    vec_free(&m->rows);
    arena_free(&m->arena);
}

const struct manifest_row *manifest_find(const struct manifest *m, const char *name, struct diag *d)
{
    VEC(const char *) names = {0};
    const struct manifest_row *hit = NULL;
    vec_each (&m->rows, r) {
        vec_push(&names, r->name);
        if (strcmp(r->name, name) == 0)
            hit = r;
    }
    if (!hit) {
        const char *near = nearest_name(name, strlen(name), names.at, names.n);
        if (near)
            diag_plain(d, "unknown workload '%s'; did you mean '%s'?", name, near);
        else
            diag_plain(d,
                       "unknown workload '%s'; see bankshot list workloads, or name a trace: a file that "
                       "ends in .bst or has a slash",
                       name);
    }
    vec_free(&names);
    return hit;
}
