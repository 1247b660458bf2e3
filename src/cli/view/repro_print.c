/* SPDX-License-Identifier: Apache-2.0 */
/* Claims on a terminal, and as CSV. */
#include "cli/csv.h"
#include "cli/output.h"
#include "cli/view/repro.h"

static void print_missing(const struct repro *r, FILE *to)
{
    vec_each (&r->experiments.all, x)
        vec_each (&x->missing.texts, t)
            fprintf(to, "%s/%s does without: %s\n", x->paper, x->name, *t);
}

bool repro_covers(const struct repro *r, const struct claim *c)
{
    size_t n = r->paper ? strlen(r->paper) : 0;
    if (n && (strncmp(c->id, r->paper, n) != 0 || c->id[n] != '.'))
        return false;
    if (!r->name)
        return true;
    vec_each (&r->experiments.all, x)
        if (experiment_names(x, c->id))
            return true;
    return false;
}

void repro_sum(const struct repro *r, FILE *to)
{
    uint32_t within = 0, measured = 0, all = 0, undecided = 0;
    vec_each (&r->claims.rows, c) {
        if (!repro_covers(r, c))
            continue;
        all++;
        measured += c->has_measured;
        undecided += c->has_measured && *c->size;
        within += claim_within(c);
    }
    fprintf(to, "%u claim%s, %u measured", all, cli_s(all), measured);
    if (undecided)
        fprintf(to, ", %u of them at size %s, which decides nothing", undecided, r->size);
    if (measured > undecided || !measured)
        fprintf(to, ", %u within their accepted range", within);
    fputs(".\n", to);
}

void repro_print(const struct repro *r, FILE *to)
{
    int ids = 20;
    bool any = false;
    vec_each (&r->claims.rows, c)
        if (repro_covers(r, c))
            ids = (int)strlen(c->id) > ids ? (int)strlen(c->id) : ids;
    print_missing(r, to);
    vec_each (&r->claims.rows, c) {
        if (!repro_covers(r, c))
            continue;
        if (!any)
            fprintf(to, "%-*s %9s %10s  %-16s\n", ids, "claim", "paper", "measured", "range");
        char range[64];
        snprintf(range, sizeof range, "%s to %s", c->lo_text, c->hi_text);
        fprintf(to, "%-*s %9s ", ids, c->id, c->value_text);
        if (c->has_measured)
            fprintf(to, "%10.4g  %-16s %-6s  %s\n", c->measured, range,
                    claim_missed(c) ? "MISSED" : claim_verdict(c), c->unit);
        else
            fprintf(to, "%10s  %-16s missing: %s\n", "", range, c->why);
        any = true;
    }
    if (any)
        repro_sum(r, to);
    vec_each (&r->experiments.all, x)
        fprintf(to, "%s/%s/%s.dat%s\n", r->out, x->paper, x->name, x->svg ? ", .svg, .pdf" : "");
    fprintf(to, "%s.md, %s/index.html\n", r->out, r->out);
}

bool repro_csv(const struct repro *r, const char *path)
{
    struct output o = output_open(path);
    FILE *f = o.f;
    if (!f)
        return false;
    fputs("id,paper,measured,lo,hi,within\n", f);
    vec_each (&r->claims.rows, c) {
        if (!repro_covers(r, c))
            continue;
        csv_cell(f, c->id);
        fprintf(f, ",%s,", c->value_text);
        if (c->has_measured)
            fprintf(f, "%.6g", c->measured);
        fprintf(f, ",%s,%s,%s\n", c->lo_text, c->hi_text,
                !claim_within(c) && !claim_missed(c) ? ""
                : claim_within(c)                    ? "yes"
                                                     : "no");
    }
    return output_close(&o);
}
