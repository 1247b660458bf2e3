/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lab/claims.h"

#include "base/file.h"
#include "cli/resource.h"

#include <math.h>

static const char head[] = "id,paper,where,claim,paper_value,unit,lo,hi";
enum { CELLS = 8, MAX_B = 1 << 20 };

struct reading {
    struct claims *c;
    const char *path;
    const struct file_text *text;
    uint32_t line;
    struct diag *d;
};

static bool complain(const struct reading *r, const char *why)
{
    diag_error(r->d, r->path, r->text->at, r->text->n, r->line, 0, "%s", why);
    return false;
}

static bool number(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && isfinite(*out);
}

static bool read_row(const struct reading *r, char *line)
{
    char *cell[CELLS], *rest = line;
    for (unsigned i = 0; i < CELLS; i++) {
        cell[i] = strsep(&rest, ",");
        if (!cell[i])
            return complain(r, "a row has 8 cells");
    }
    if (rest)
        return complain(r, "a row has 8 cells; they hold no commas");
    struct claim c = {.id = cell[0],
                      .paper = cell[1],
                      .where = cell[2],
                      .text = cell[3],
                      .value_text = cell[4],
                      .unit = cell[5],
                      .lo_text = cell[6],
                      .hi_text = cell[7],
                      .size = ""};
    if (!number(cell[4], &c.value) || !number(cell[6], &c.lo) || !number(cell[7], &c.hi))
        return complain(r, "paper_value, lo and hi are numbers");
    if (!*c.id || c.lo > c.hi)
        return complain(r, *c.id ? "lo is above hi" : "a claim needs an id");
    if (claims_find(r->c, c.id))
        return complain(r, "this id is there twice");
    vec_push(&r->c->rows, c);
    return true;
}

bool claims_read(struct claims *c, const char *path, struct diag *d)
{
    struct file_text t;
    if (!file_read(path, MAX_B, &t, d))
        return false;
    struct reading r = {.c = c, .path = cli_shown_path(&c->arena, path), .text = &t, .line = 1, .d = d};
    char *text = arena_strndup(&c->arena, t.at, t.n), *line = strsep(&text, "\n");
    bool ok = strcmp(line, head) == 0 || complain(&r, "the first line is not the one of a table of claims");
    while (ok && (line = strsep(&text, "\n"))) {
        r.line++;
        line[strcspn(line, "\r")] = 0;
        ok = !*line || read_row(&r, line);
    }
    file_free(&t);
    return ok;
}

bool claims_load(struct claims *c, struct diag *d)
{
    const char *path = cli_resource(&c->arena, "experiments/claims.csv");
    return path && claims_read(c, path, d);
}

void claims_free(struct claims *c)
{
    vec_free(&c->rows);
    arena_free(&c->arena);
}

struct claim *claims_find(struct claims *c, const char *id)
{
    vec_each (&c->rows, r)
        if (strcmp(r->id, id) == 0)
            return r;
    return NULL;
}

static bool is_decided(const struct claim *c) { return c->has_measured && !*c->size; }

bool claim_within(const struct claim *c)
{
    return is_decided(c) && c->measured >= c->lo && c->measured <= c->hi;
}

bool claim_missed(const struct claim *c) { return is_decided(c) && !claim_within(c); }

const char *claim_verdict(const struct claim *c)
{
    return !c->has_measured ? "" : *c->size ? c->size : claim_within(c) ? "within" : "missed";
}
