/* The reproduction as text: for each experiment its claims, figure, data and what a person makes of them. */
#include "cli/output.h"
#include "cli/view/repro.h"

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

bool repro_md(const struct repro *r, const char *path)
{
    FILE *f = output_open(path);
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
    if (r->size)
        fprintf(f, "\n" REPRO_SIZE_NOTE "\n", r->size);
    if (any) {
        fputc('\n', f);
        repro_sum(r, f);
    }
    const char *paper = "";
    vec_each (&r->experiments.all, x) {
        if (strcmp(paper, x->paper) != 0)
            fprintf(f, "\n## %s\n", x->paper);
        paper = x->paper;
        experiment(r, x, f);
    }
    without(r, f);
    return output_close(f, path);
}
