/* SPDX-License-Identifier: Apache-2.0 */
/* The reproduction as text: for each experiment its claims, figure, data and what a person makes of them. */
#include "cli/output.h"
#include "cli/view/repro.h"
#include "db/db.h"

enum { MAX_ROWS = 400 };

static void cell(FILE *f, const char *text)
{
    fputs(" ", f);
    for (const char *p = text ? text : ""; *p; p++)
        fprintf(f, *p == '|' ? "\\|" : *p == '\n' ? " " : "%c", *p);
    fputs(" |", f);
}

static void table(FILE *f, const struct table *t)
{
    fputs("\n|", f);
    vec_each (&t->names, n)
        cell(f, *n);
    fputs("\n|", f);
    vec_each (&t->names, n)
        fputs(n == t->names.at ? "---|" : "---:|", f);
    for (uint32_t i = 0; i < t->cells.n && i / t->names.n < MAX_ROWS; i++) {
        if (i % t->names.n == 0)
            fputs("\n|", f);
        cell(f, t->cells.at[i]);
    }
    fputc('\n', f);
    if (t->cells.n / t->names.n > MAX_ROWS)
        fprintf(f, "\n%u more row%s in the data.\n", t->cells.n / t->names.n - MAX_ROWS,
                cli_s(t->cells.n / t->names.n - MAX_ROWS));
}

static void claim_row(FILE *f, const struct claim *c)
{
    char range[64], measured[32] = "";
    snprintf(range, sizeof range, "%s to %s", c->lo_text, c->hi_text);
    if (c->has_measured)
        snprintf(measured, sizeof measured, "%.4g", c->measured);
    fputs("|", f);
    const char *cells[] = {c->id, c->where, c->text, c->value_text, measured, range, c->unit};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        cell(f, cells[i]);
    cell(f, claim_missed(c) ? "**missed**" : c->has_measured ? claim_verdict(c) : c->why);
    fputc('\n', f);
}

static void claim_head(FILE *f)
{
    fputs("\n| claim | where | what | paper | measured | accepted | unit | "
          "|\n|---|---|---|---:|---:|---|---|---|\n",
          f);
}

static void experiment(const struct repro *r, const struct experiment *x, FILE *f)
{
    const char *slash = strrchr(r->out, '/');
    bool any = false;
    fprintf(f, "\n### %s/%s: %s\n", x->paper, x->name, x->title);
    vec_each (&r->claims.rows, c) {
        if (!experiment_names(x, c->id))
            continue;
        if (!any)
            claim_head(f);
        any = true;
        claim_row(f, c);
    }
    vec_each (&x->missing.texts, t)
        fprintf(f, "\nDone without: %s.\n", *t);
    const char *analysis = repro_analysis(r, x);
    if (*analysis)
        fprintf(f, "\n%s", analysis + strspn(analysis, "\n"));
    if (x->svg)
        fprintf(f, "\n![%s](%s/%s/%s.svg)\n", x->title, slash ? slash + 1 : r->out, x->paper, x->name);
    vec_each (&x->tables, t)
        if (t->cells.n)
            table(f, t);
}

static void without(const struct repro *r, FILE *f)
{
    bool any = false;
    vec_each (&r->claims.rows, c) {
        bool named = !repro_covers(r, c);
        vec_each (&r->experiments.all, x)
            named |= experiment_names(x, c->id);
        if (named)
            continue;
        if (!any) {
            fputs("\n## Claims without an experiment\n", f);
            claim_head(f);
        }
        any = true;
        claim_row(f, c);
    }
}

/* What the analysis of a missed claim says after "`ID`: *", up to the next asterisk. */
static struct verdict {
    const char *at;
    int n;
} verdict_of(const struct repro *r, const struct claim *c)
{
    static const struct verdict none = {"no verdict yet", 14};
    vec_each (&r->experiments.all, x) {
        const char *text = experiment_names(x, c->id) ? repro_analysis(r, x) : "";
        for (const char *p = text; (p = strstr(p, c->id)); p++) {
            const char *v = p + strlen(c->id);
            if (p > text && p[-1] == '`' && strncmp(v, "`: *", 4) == 0 && strchr(v + 4, '*'))
                return (struct verdict){v + 4, (int)strcspn(v + 4, "*")};
        }
    }
    return none;
}

static bool same(struct verdict a, struct verdict b) { return a.n == b.n && memcmp(a.at, b.at, a.n) == 0; }

/* A row for each verdict, in the order in which they first come, with the claims that have it. */
static void verdicts(const struct repro *r, FILE *f)
{
    bool any = false;
    vec_each (&r->claims.rows, c) {
        if (!repro_covers(r, c) || !claim_missed(c))
            continue;
        struct verdict v = verdict_of(r, c);
        bool first = true;
        for (const struct claim *b = r->claims.rows.at; b < c; b++)
            first &= !repro_covers(r, b) || !claim_missed(b) || !same(v, verdict_of(r, b));
        if (!first)
            continue;
        fputs(any ? "" : "\n| why a claim is missed | claims |\n|---|---|\n", f);
        fprintf(f, "| %.*s |", v.n, v.at);
        any = true;
        for (const struct claim *b = c; b < r->claims.rows.at + r->claims.rows.n; b++)
            if (repro_covers(r, b) && claim_missed(b) && same(v, verdict_of(r, b)))
                fprintf(f, "%s `%s`", b == c ? "" : ",", b->id);
        fputs(" |\n", f);
    }
}

bool repro_md(const struct repro *r, const char *path)
{
    struct output o = output_open(path);
    FILE *f = o.f;
    if (!f)
        return false;
    bool any = false;
    vec_each (&r->claims.rows, c)
        any |= repro_covers(r, c);
    fputs(
        "# Reproduction\n\nMade by `bankshot repro`; the text under the tables of claims is from "
        "`experiments/*/analysis.md`. Nothing is\n"
        "fitted to a claim: a miss is a miss, with the reason as far as it is known. Speedups and IPC are of "
        "kernel cycles.\n",
        f);
    fprintf(f,
            "\nEvery run below is by the model `%s`, a digest of the sources that decide a result. `make "
            "repro-check` "
            "fails\nwhere the tree's is another.\n",
            db_model());
    fputs(r->carried ? r->carried : "", f);
    if (r->size)
        fprintf(f, "\n" REPRO_SIZE_NOTE "\n", r->size);
    if (any) {
        fputc('\n', f);
        repro_sum(r, f);
        verdicts(r, f);
    }
    const char *paper = "";
    vec_each (&r->experiments.all, x) {
        if (strcmp(paper, x->paper) != 0)
            fprintf(f, "\n## %s\n", x->paper);
        paper = x->paper;
        experiment(r, x, f);
    }
    without(r, f);
    return output_close(&o);
}
