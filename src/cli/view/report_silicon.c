/* SPDX-License-Identifier: Apache-2.0 */
/* What a real GPU took for workloads that a database has on the preset of that GPU: rows of what tools/suite-measure wrote. */
#include "base/file.h"
#include "cli/cli.h"
#include "cli/view/report.h"
#include "cli/view/report_put.h"

#include <inttypes.h>

enum { MOST_B = 4 << 20 };
#define HEADER "name,size,result,launches,cycles"

struct measured {
    const char *name, *size, *result;
    uint64_t launches, cycles;
};

/* The first cells of a line, which is cut into them. */
static bool read_row(char *line, struct measured *m)
{
    char *cells[5];
    for (uint32_t i = 0; i < 5; i++) {
        cells[i] = line;
        line = line ? strchr(line, ',') : NULL;
        if (line)
            *line++ = 0;
    }
    *m = (struct measured){.name = cells[0], .size = cells[1], .result = cells[2]};
    return cells[4] && cli_u64(cells[3], &m->launches) && cli_u64(cells[4], &m->cycles);
}

static bool has_point(struct stmt *s, const struct measured *m, const char *gpu)
{
    stmt_text(s, m->name);
    stmt_text(s, m->size);
    stmt_text(s, gpu);
    bool has = stmt_row(s);
    stmt_run(s);
    return has;
}

static void put_row(FILE *to, const struct measured *m, const char *gpu, bool first)
{
    fputs(first ? "\n[" : ",\n[", to);
    put_text(to, m->name);
    fputc(',', to);
    put_text(to, m->size);
    fputc(',', to);
    put_text(to, gpu);
    fprintf(to, ",%" PRIu64 ",%" PRIu64 "]", m->launches, m->cycles);
}

static bool put_lines(FILE *to, char *text, const struct report_silicon *of, struct stmt *s, struct diag *d)
{
    uint32_t number = 0;
    bool ok = true, first = true;
    for (char *line = text, *next; ok && line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        struct measured m;
        if (!number++) {
            ok = strncmp(line, HEADER, strlen(HEADER)) == 0;
            if (!ok)
                diag_error(d, of->path, NULL, 0, number, 0, "the first line does not begin with %s", HEADER);
            continue;
        }
        ok = read_row(line, &m);
        if (!ok)
            diag_error(d, of->path, NULL, 0, number, 0, "no row of %s", HEADER);
        if (!ok || strcmp(m.result, "PASS") != 0 || !m.cycles || !has_point(s, &m, of->gpu))
            continue;
        put_row(to, &m, of->gpu, first);
        first = false;
    }
    return ok;
}

bool report_put_silicon(FILE *to, struct db *db, const struct report_silicon *of, struct diag *d)
{
    struct file_text t = {0};
    bool ok = !of || file_read(of->path, MOST_B, &t, d);
    struct stmt s = stmt_of(db, "SELECT 1 FROM point WHERE workload = ? AND size = ? AND gpu = ? LIMIT 1");
    fputs("{\"columns\":[\"workload\",\"size\",\"gpu\",\"launches\",\"cycles\"],\"rows\":[", to);
    if (of && ok)
        ok = put_lines(to, t.at, of, &s, d);
    fputs("]}", to);
    file_free(&t);
    return stmt_end(&s, d) && ok;
}
