/* SPDX-License-Identifier: Apache-2.0 */
/* The answer on a terminal. */
#include "cli/view/explore.h"

#include <math.h>

enum { MANY = 12, WIDTH = 52 };

const char *explore_state(const struct explore_found *f, uint32_t point)
{
    const struct explore *x = f->x;
    const struct explore_point *p = &x->points.at[point];
    uint32_t est = 0, full = 0;
    if (p->out)
        return strncmp(p->out, "limit", 5) == 0 ? "limit" : "refused";
    vec_each (&f->study->front, i)
        if (*i == point)
            return "front";
    for (uint32_t u = 0; u < x->nunits; u++) {
        est += p->est[u].ok;
        full += p->full[u].ok;
    }
    return full == x->nunits ? "whole" : est == x->nunits ? "estimated" : est ? "part" : "not tried";
}

static void print_mean(struct explore_mean m, FILE *to)
{
    char text[48] = "-";
    if (isfinite(m.lo))
        snprintf(text, sizeof text, "%.3f [%.3f, %.3f]%s", m.mean, m.lo, m.hi, explore_same(m) ? " =" : "  ");
    else if (isfinite(m.mean))
        snprintf(text, sizeof text, "%.3f%18s", m.mean, "");
    fprintf(to, "  %24s", text);
}

static void print_heads(const struct explore *x, const char *first, FILE *to)
{
    fprintf(to, "\n%-*s", WIDTH, first);
    for (uint32_t k = 0; k < x->opts->ngoals; k++)
        fprintf(to, "  %24s", explore_goal_name[x->opts->goals[k]]);
    fputc('\n', to);
}

static void print_done(const struct explore_found *f, FILE *to)
{
    const struct explore *x = f->x;
    struct arena a = {0};
    uint32_t refused = 0;
    vec_each (&x->points, p)
        refused += p->out && strncmp(p->out, "limit", 5) != 0;
    fprintf(to, "%s: %u point%s, %u program%s", f->spec, x->points.n, cli_s(x->points.n), x->programs.n,
            cli_s(x->programs.n));
    if (x->nseeds > 1)
        fprintf(to, ", %u seeds", x->nseeds);
    if (x->notes.refused)
        fprintf(to, "; %llu more that the preset does not take", (unsigned long long)x->notes.refused);
    if (refused)
        fprintf(to, "; %u refused by a program", refused);
    if (x->over_limits)
        fprintf(to, "; %u over the limits", x->over_limits);
    fprintf(to, "\n%llu whole run%s", (unsigned long long)x->whole, cli_s(x->whole));
    if (x->whole_estimates)
        fprintf(to, ", %llu of them estimates that had to simulate everything",
                (unsigned long long)x->whole_estimates);
    if (x->estimates)
        fprintf(to, ", %llu estimate%s from %.1f%% of the instructions", (unsigned long long)x->estimates,
                cli_s(x->estimates), 100.0 * (double)x->est_insts / (double)x->est_of);
    fprintf(to, "; %llu of all from before\n", (unsigned long long)x->known);
    if (x->left)
        fprintf(
            to,
            "the budget of %u whole runs ended with %u point%s left that may be on the front: see whole in "
            "[explore]\n",
            x->opts->whole, x->left, cli_s(x->left));
    fprintf(to, "ratios to %s: geometric means [95%% interval over programs%s], = no difference\n",
            explore_point_text(&a, x, 0), x->nseeds > 1 ? " and seeds" : "");
    arena_free(&a);
}

static bool same_values(const struct explore *x, uint32_t a, uint32_t b)
{
    for (uint32_t k = 0; k < x->opts->ngoals; k++)
        if (explore_geomean(x, a, true, x->opts->goals[k]) != explore_geomean(x, b, true, x->opts->goals[k]))
            return false;
    return true;
}

static void print_front(const struct explore_found *f, FILE *to)
{
    const struct explore *x = f->x;
    struct arena a = {0};
    print_heads(x, x->opts->ngoals > 1 ? "front" : "best", to);
    if (!f->study->front.n)
        fputs("no point is within the limits\n", to);
    for (uint32_t i = 0, n; i < f->study->front.n; i += n) {
        uint32_t p = f->study->front.at[i];
        for (n = 1; i + n < f->study->front.n && same_values(x, p, f->study->front.at[i + n]);)
            n++;
        fprintf(to, "%-*s", WIDTH, explore_point_text(&a, x, p));
        for (uint32_t k = 0; k < x->opts->ngoals; k++)
            print_mean(explore_mean(x, p, true, x->opts->goals[k]), to);
        if (n > 1)
            fprintf(to, "  and %u more that are equal", n - 1);
        fputc('\n', to);
    }
    arena_free(&a);
}

/* How certain the best is. */
static void print_rivals(const struct explore_found *f, FILE *to)
{
    const struct explore *x = f->x;
    for (uint32_t k = 0; k < x->opts->ngoals; k++) {
        enum explore_goal g = x->opts->goals[k];
        uint32_t others = 0, same = 0;
        /* Area is known, and equal where it is */
        for (uint32_t i = 0; g != EG_area && f->study->best[k] >= 0 && i < x->points.n; i++) {
            const char *state = explore_state(f, i);
            if (i == f->study->best[k] || (strcmp(state, "front") != 0 && strcmp(state, "whole") != 0))
                continue;
            others++;
            same += explore_as_good(x, i, (uint32_t)f->study->best[k], g);
        }
        if (same)
            fprintf(to,
                    "%s: no difference from the best is shown by %u of %u other point%s with whole runs\n",
                    explore_goal_name[g], same, others, cli_s(others));
    }
}

static void print_effects(const struct explore_found *f, FILE *to)
{
    const struct explore *x = f->x;
    struct arena a = {0};
    if (!f->study->effects.n)
        return;
    print_heads(x, "what a change does, all else equal", to);
    vec_each (&f->study->effects, e) {
        const char *text = arena_printf(&a, "%s (%u pair%s)", explore_step_text(&a, &x->steps.at[e->a]),
                                        e->pairs, cli_s(e->pairs));
        fprintf(to, "%-*s", WIDTH, text);
        for (uint32_t k = 0; k < x->opts->ngoals; k++)
            print_mean(e->by[k], to);
        fputc('\n', to);
    }
    if (f->study->pairs.n)
        print_heads(x, "two together, beyond what each does (<1 they help)", to);
    for (uint32_t i = 0; i < f->study->pairs.n && i < MANY; i++) {
        const struct explore_effect *e = &f->study->pairs.at[i];
        const char *text = arena_printf(&a, "%s; %s", explore_step_text(&a, &x->steps.at[e->a]),
                                        explore_step_text(&a, &x->steps.at[e->b]));
        fprintf(to, "%-*s", WIDTH, text);
        for (uint32_t k = 0; k < x->opts->ngoals; k++)
            print_mean(e->by[k], to);
        fputc('\n', to);
    }
    if (f->study->pairs.n > MANY)
        fprintf(to, "and %u smaller ones: --json has them\n", f->study->pairs.n - MANY);
    if (!f->study->whole)
        fputs("changes are measured on estimates\n", to);
    arena_free(&a);
}

static void print_deciders(const struct explore_found *f, FILE *to)
{
    const struct explore *x = f->x;
    struct arena a = {0};
    bool any = false;
    vec_each (&f->study->programs, p) {
        bool decides = p->comes || p->goes;
        for (uint32_t k = 0; k < x->opts->ngoals; k++)
            decides |= p->best[k] >= 0;
        if (!decides)
            continue;
        fprintf(to, "%s%s: without it the front has %u point%s more and %u less",
                any ? "" : "\nprograms that decide\n", x->programs.at[p->program], p->comes, cli_s(p->comes),
                p->goes);
        for (uint32_t k = 0; k < x->opts->ngoals; k++)
            if (p->best[k] >= 0)
                fprintf(to, "; %s is least with %s", explore_goal_name[x->opts->goals[k]],
                        explore_point_text(&a, x, (uint32_t)p->best[k]));
        fputc('\n', to);
        any = true;
    }
    if (!any && f->study->programs.n)
        fputs("\nno single program decides: without any of them the front is the same\n", to);
    arena_free(&a);
}

void explore_print(const struct explore_found *f, FILE *to)
{
    print_done(f, to);
    print_front(f, to);
    print_rivals(f, to);
    print_effects(f, to);
    print_deciders(f, to);
}
