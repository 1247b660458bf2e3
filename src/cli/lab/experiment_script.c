/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments that are a script: areas, analyses of code, whatever another command of this program answers. */
#include "cli/lab/experiment.h"

#include <errno.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_ROWS = 10000, MAX_CELLS = 64 };

static bool take_claim(const struct experiment *x, const char *id, const char *value, struct claims *c,
                       struct diag *d)
{
    struct claim *claim = claims_find(c, id);
    char *end;
    double v = strtod(value, &end);
    if (!claim) {
        diag_error(d, x->shown, NULL, 0, 0, 0, "there is no claim '%s'", id);
        return false;
    }
    if (*end || !isfinite(v)) {
        diag_error(d, x->shown, NULL, 0, 0, 0, "claim %s: '%s' is no number", id, value);
        return false;
    }
    claim->has_measured = *value != 0;
    claim->measured = v;
    return true;
}

/* One line of CSV without quotes. The first that is no claim has the names. */
static bool take_line(struct experiments *e, struct experiment *x, struct table *t, char *line,
                      struct claims *c, struct diag *d)
{
    const char *cells[MAX_CELLS];
    uint32_t n = 0;
    line[strcspn(line, "\r\n")] = 0;
    for (char *rest = line, *cell; n < MAX_CELLS && (cell = strsep(&rest, ","));)
        cells[n++] = arena_strndup(&e->arena, cell, strlen(cell));
    if (!*line)
        return true;
    if (strcmp(cells[0], "claim") == 0 && n == 3)
        return take_claim(x, cells[1], cells[2], c, d);
    bool head = !t->names.n;
    if (!head && n != t->names.n) {
        diag_error(d, x->shown, NULL, 0, 0, 0, "a row with %u cell%s under %u name%s: %s", n, cli_s(n),
                   t->names.n, cli_s(t->names.n), line);
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (head)
            vec_push(&t->names, cells[i]);
        else
            vec_push(&t->cells, *cells[i] ? cells[i] : NULL);
    }
    return true;
}

/* Quoted for the shell by an environment variable: a path may hold anything. */
static FILE *start(const struct experiment *x)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return NULL;
    self[n] = 0;
    if (setenv("BANKSHOT", self, 1) != 0 || setenv("BANKSHOT_SCRIPT", x->script, 1) != 0)
        return NULL;
    fflush(NULL);
    return popen("exec sh \"$BANKSHOT_SCRIPT\"", "r");
}

bool experiment_script(struct experiments *e, struct experiment *x, struct claims *c, struct diag *d)
{
    FILE *f = start(x);
    if (!f) {
        diag_error(d, x->shown, NULL, 0, 0, 0, "cannot be started: %s", strerror(errno));
        return false;
    }
    struct table t = {0};
    char *line = NULL;
    size_t cap = 0;
    bool ok = true;
    for (uint32_t i = 0; ok && i < MAX_ROWS && getline(&line, &cap, f) >= 0; i++)
        ok = take_line(e, x, &t, line, c, d);
    free(line);
    int status = pclose(f);
    if (ok && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
        diag_error(d, x->shown, NULL, 0, 0, 0, "failed with status %d",
                   WIFEXITED(status) ? WEXITSTATUS(status) : 128);
        ok = false;
    }
    if (t.names.n)
        vec_push(&x->tables, t);
    return ok;
}
