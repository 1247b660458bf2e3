/* SPDX-License-Identifier: Apache-2.0 */
/* The section [explore] of a specification. */
#include "base/nearest.h"
#include "cli/lab/explore.h"

#include <math.h>

#define X(name, what) #name,
const char *const explore_goal_name[EG_COUNT] = {EXPLORE_GOALS(X)};
#undef X
#define X(name, what) what,
const char *const explore_goal_what[EG_COUNT] = {EXPLORE_GOALS(X)};
#undef X

static bool wrong(const struct spec *s, const struct spec_words *w, uint32_t i, struct diag *d,
                  const char *text, const char *word)
{
    diag_error(d, s->path, NULL, 0, i < w->lines.n ? w->lines.at[i] : 0, 0, "[explore] %s: %s", word, text);
    return false;
}

static int goal_of(const char *text, size_t n)
{
    for (int g = 0; g < EG_COUNT; g++)
        if (strlen(explore_goal_name[g]) == n && memcmp(explore_goal_name[g], text, n) == 0)
            return g;
    return -1;
}

static bool read_goals(const struct spec *s, const struct spec_words *w, struct explore_opts *o,
                       struct diag *d)
{
    o->ngoals = 0;
    for (uint32_t i = 0; i < w->at.n; i++) {
        int g = goal_of(w->at.at[i], strlen(w->at.at[i]));
        if (g < 0)
            return wrong(s, w, i, d, "goals are cycles, time, rf_energy, energy, edp, area", w->at.at[i]);
        for (uint32_t k = 0; k < o->ngoals; k++)
            if (o->goals[k] == (enum explore_goal)g)
                return wrong(s, w, i, d, "is there twice", w->at.at[i]);
        o->goals[o->ngoals++] = (enum explore_goal)g;
    }
    return true;
}

static bool read_limits(const struct spec *s, const struct spec_words *w, struct explore_opts *o,
                        struct diag *d)
{
    for (uint32_t i = 0; i < w->at.n; i++) {
        const char *text = w->at.at[i], *sign = strstr(text, "<=");
        size_t n = sign ? (size_t)(sign - text) : 0;
        bool storage = n == 7 && memcmp(text, "storage", 7) == 0;
        int g = sign ? goal_of(text, n) : -1;
        char *end = NULL;
        double most = sign ? strtod(sign + 2, &end) : 0;
        if ((g < 0 && !storage) || end == sign + 2 || !end || *end || !isfinite(most) ||
            (most <= 0 && !storage))
            return wrong(s, w, i, d, "a limit is GOAL<=RATIO, over the first point's, or storage<=BITS",
                         text);
        vec_push(&o->limits, (struct explore_limit){.goal = storage ? EG_COUNT : g, .most = most});
    }
    return true;
}

static bool read_number(const struct spec *s, const struct spec_words *w, uint32_t lo, uint32_t hi,
                        uint32_t *out, struct diag *d)
{
    uint64_t v;
    if (w->at.n == 1 && cli_u64(w->at.at[0], &v) && v >= lo && v <= hi) {
        *out = (uint32_t)v;
        return true;
    }
    char text[64];
    snprintf(text, sizeof text, "one number from %u to %u is expected", lo, hi);
    return wrong(s, w, 0, d, text, w->at.n ? w->at.at[w->at.n - 1] : "nothing");
}

static bool read_sample(const struct spec *s, const struct spec_words *w, struct explore_opts *o,
                        struct diag *d)
{
    char *end = NULL;
    double v = w->at.n == 1 ? strtod(w->at.at[0], &end) : 0;
    if (w->at.n != 1 || *end || !(v > 0 && v <= 0.5))
        return wrong(s, w, 0, d, "a share of the instructions above 0, up to 0.5, is expected",
                     w->at.n ? w->at.at[0] : "nothing");
    o->sample = w->at.at[0];
    return true;
}

static bool read_seeds(const struct spec *s, const struct spec_words *w, struct explore_opts *o,
                       struct diag *d)
{
    for (uint32_t i = 0; i < w->at.n; i++) {
        uint64_t v;
        if (!cli_u64(w->at.at[i], &v) || v > UINT32_MAX)
            return wrong(s, w, i, d, "a number for sm.seed is expected", w->at.at[i]);
        vec_push(&o->seeds, w->at.at[i]);
    }
    return true;
}

static bool read_key(const struct spec *s, const struct spec_option *k, struct explore_opts *o,
                     struct diag *d)
{
    static const char *const names[] = {"goals", "limits", "seeds", "sample", "whole", "screen", "seed"};
    const struct spec_words *w = &k->values;
    if (strcmp(k->name, "goals") == 0)
        return read_goals(s, w, o, d);
    if (strcmp(k->name, "limits") == 0)
        return read_limits(s, w, o, d);
    if (strcmp(k->name, "seeds") == 0)
        return read_seeds(s, w, o, d);
    if (strcmp(k->name, "sample") == 0)
        return read_sample(s, w, o, d);
    if (strcmp(k->name, "whole") == 0)
        return read_number(s, w, 1, 1000000, &o->whole, d);
    if (strcmp(k->name, "screen") == 0)
        return read_number(s, w, 1, 200000, &o->screen, d);
    if (strcmp(k->name, "seed") == 0)
        return read_number(s, w, 0, UINT32_MAX, &o->seed, d);
    const char *near = nearest_name(k->name, strlen(k->name), names, sizeof names / sizeof *names);
    char text[128];
    snprintf(text, sizeof text, "unknown key%s%s%s; goals, limits, seeds, sample, whole, screen, seed",
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    if (near)
        snprintf(text, sizeof text, "unknown key; did you mean '%s'?", near);
    return wrong(s, w, 0, d, text, k->name);
}

bool explore_read(const struct spec *s, struct explore_opts *o, struct diag *d)
{
    *o = (struct explore_opts){.goals = {EG_cycles, EG_rf_energy},
                               .ngoals = 2,
                               .sample = MACHINE_SAMPLE,
                               .whole = 200,
                               .screen = 4000,
                               .seed = 1};
    vec_each (&s->explore, k)
        if (!read_key(s, k, o, d))
            return false;
    if (!o->ngoals) {
        diag_error(d, s->path, NULL, 0, 0, 0, "[explore] has no goals");
        return false;
    }
    return true;
}

void explore_opts_free(struct explore_opts *o)
{
    vec_free(&o->limits);
    vec_free(&o->seeds);
}
