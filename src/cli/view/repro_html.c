/* SPDX-License-Identifier: Apache-2.0 */
/* The reproduction as one page without references to anything outside it: figures are inside. */
#include "base/file.h"
#include "cli/output.h"
#include "cli/view/report.h"
#include "cli/view/repro.h"

static const char head[] = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                           "<title>Reproduction</title>\n<style>\n";
/* The look is the report's; what only this page has follows it. */
static const char own[] = "table{display:block;overflow-x:auto;margin:1rem 0}td{white-space:normal}"
                          "th,thead th{padding:.22rem .6rem}.within{color:var(--good)}"
                          ".missed{color:var(--bad);font-weight:600}img{max-width:100%;background:#fff}\n"
                          "</style></head><body>\n<h1>Reproduction</h1>\n";

static void text(FILE *f, const char *s)
{
    for (; s && *s; s++) {
        switch (*s) {
        case '<': fputs("&lt;", f); break;
        case '>': fputs("&gt;", f); break;
        case '&': fputs("&amp;", f); break;
        case '"': fputs("&quot;", f); break;
        default: fputc(*s, f); break;
        }
    }
}

static void cell(FILE *f, const char *cls, const char *s)
{
    fprintf(f, "<td%s%s%s>", *cls ? " class=\"" : "", cls, *cls ? "\"" : "");
    text(f, s);
    fputs("</td>", f);
}

static void base64(FILE *f, const unsigned char *p, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        unsigned v =
            (unsigned)p[i] << 16 | (i + 1 < n ? (unsigned)p[i + 1] << 8 : 0) | (i + 2 < n ? p[i + 2] : 0);
        fputc(digits[v >> 18], f);
        fputc(digits[v >> 12 & 63], f);
        fputc(i + 1 < n ? digits[v >> 6 & 63] : '=', f);
        fputc(i + 2 < n ? digits[v & 63] : '=', f);
    }
}

static void figure(FILE *f, const struct experiment *x)
{
    enum { MAX_B = 16 << 20 };
    struct diag d = {0};
    struct file_text t;
    if (x->svg && file_read(x->svg, MAX_B, &t, &d)) {
        fputs("<p><img alt=\"", f);
        text(f, x->title);
        fputs("\" src=\"data:image/svg+xml;base64,", f);
        base64(f, (const unsigned char *)t.at, t.n);
        fputs("\"></p>\n", f);
        file_free(&t);
    }
    diag_free(&d);
}

static void claim_row(FILE *f, const struct claim *c)
{
    char range[64], measured[32] = "";
    snprintf(range, sizeof range, "%s to %s", c->lo_text, c->hi_text);
    if (c->has_measured)
        snprintf(measured, sizeof measured, "%.4g", c->measured);
    fputs("<tr>", f);
    cell(f, "", c->id);
    cell(f, "", c->text);
    cell(f, "n", c->value_text);
    cell(f, "n", measured);
    cell(f, "n", range);
    cell(f, "", c->unit);
    if (c->has_measured)
        cell(f, *c->size ? "" : claim_verdict(c), claim_verdict(c));
    else
        cell(f, "", c->why);
    fputs("</tr>\n", f);
}

/* x NULL: the claims that no experiment answers, under a heading. */
static void claim_table(const struct repro *r, const struct experiment *x, FILE *f)
{
    bool any = false;
    vec_each (&r->claims.rows, c) {
        bool named = false;
        vec_each (&r->experiments.all, y)
            named |= experiment_names(y, c->id);
        if (x ? !experiment_names(x, c->id) : named || !repro_covers(r, c))
            continue;
        if (!any && !x)
            fputs("<h2>Claims without an experiment</h2>\n", f);
        if (!any)
            fputs("<table><tr><th>claim<th>what<th>paper<th>measured<th>accepted<th>unit<th></tr>\n", f);
        any = true;
        claim_row(f, c);
    }
    if (any)
        fputs("</table>\n", f);
}

static void data_table(FILE *f, const struct table *t)
{
    fputs("<details><summary>Data</summary><table><tr>", f);
    vec_each (&t->names, n) {
        fputs("<th>", f);
        text(f, *n);
    }
    for (uint32_t i = 0; i < t->cells.n; i++) {
        if (i % t->names.n == 0)
            fputs("</tr>\n<tr>", f);
        cell(f, i % t->names.n ? "n" : "", t->cells.at[i]);
    }
    fputs("</tr></table></details>\n", f);
}

static void experiment(const struct repro *r, const struct experiment *x, FILE *f)
{
    fprintf(f, "<h3 id=\"%s-%s\">%s/%s: ", x->paper, x->name, x->paper, x->name);
    text(f, x->title);
    fputs("</h3>\n", f);
    claim_table(r, x, f);
    vec_each (&x->missing.texts, t) {
        fputs("<p>Done without: ", f);
        text(f, *t);
        fputs("</p>\n", f);
    }
    for (const char *p = repro_analysis(r, x); *p;) { /* paragraphs */
        const char *end = strstr(p, "\n\n");
        size_t n = end ? (size_t)(end - p) : strlen(p);
        struct arena a = {0};
        fputs("<p>", f);
        text(f, arena_strndup(&a, p, n));
        fputs("</p>\n", f);
        arena_free(&a);
        p += n + strspn(p + n, "\n");
    }
    figure(f, x);
    vec_each (&x->tables, t)
        if (t->cells.n)
            data_table(f, t);
}

bool repro_html(const struct repro *r, const char *path)
{
    struct output o = output_open(path);
    FILE *f = o.f;
    if (!f)
        return false;
    fputs(head, f);
    fputs(report_css, f);
    fputs(own, f);
    fputs("<p>Speedups and IPC are of kernel cycles.</p>\n", f);
    if (r->size)
        fprintf(f, "<p>" REPRO_SIZE_NOTE "</p>\n", r->size);
    const char *paper = "";
    vec_each (&r->experiments.all, x) {
        if (strcmp(paper, x->paper) != 0)
            fprintf(f, "<h2>%s</h2>\n", x->paper);
        paper = x->paper;
        experiment(r, x, f);
    }
    claim_table(r, NULL, f);
    fputs("</body></html>\n", f);
    return output_close(&o);
}
