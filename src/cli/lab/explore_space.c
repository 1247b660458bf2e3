/* SPDX-License-Identifier: Apache-2.0 */
/* The points of an exploration: every machine of the specification once, as coordinates. */
#include "cli/lab/explore.h"

#include "sm/policy.h"

/* ---- coordinates ---- */

static uint32_t level_of(struct explore_factor *f, const char *text)
{
    for (uint32_t i = 0; i < f->levels.n; i++)
        if (strcmp(f->levels.at[i], text) == 0)
            return i;
    vec_push(&f->levels, text);
    return f->levels.n - 1;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Mechanisms in one order, whatever order they were named in. "": none. extra: one more, or NULL. */
static const char *sorted_mechs(struct arena *a, const char *mechs, const char *extra)
{
    VEC(const char *) words = {0};
    for (const char *p = mechs; p && *p;) {
        size_t n = strcspn(p, ",");
        if (n && !(n == 4 && memcmp(p, "base", 4) == 0))
            vec_push(&words, arena_strndup(a, p, n));
        p += n + (p[n] == ',');
    }
    if (extra)
        vec_push(&words, extra);
    if (words.n)
        qsort(words.at, words.n, sizeof *words.at, by_name);
    const char *text = "";
    vec_each (&words, w)
        text = arena_printf(a, "%s%s%s", text, *text ? "," : "", *w);
    vec_free(&words);
    return text;
}

static bool has_mech(const char *mechs, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = mechs; *p;) {
        size_t len = strcspn(p, ",");
        if (len == n && memcmp(p, name, n) == 0)
            return true;
        p += len + (p[len] == ',');
    }
    return false;
}

static uint32_t factor_of(struct explore *x, const char *name)
{
    for (uint32_t f = 1; f < x->factors.n; f++)
        if (strcmp(x->factors.at[f].name, name) == 0)
            return f;
    vec_push(&x->factors, (struct explore_factor){.name = name});
    return x->factors.n - 1;
}

/* Every option that any block sets is a coordinate of all. */
static void find_factors(struct explore *x)
{
    vec_push(&x->factors, (struct explore_factor){.name = "mechs"});
    vec_each (&x->plan.machines, m)
        vec_each (&m->opts.sets.items, set)
            factor_of(x, arena_strndup(&x->arena, *set, strcspn(*set, "=")));
}

static void place(struct explore *x, struct explore_point *p)
{
    const struct plan_machine *m = &x->plan.machines.at[p->machine];
    p->level = ARENA_ARRAY(&x->arena, uint32_t, x->factors.n);
    p->level[0] = level_of(&x->factors.at[0], sorted_mechs(&x->arena, m->mechs, NULL));
    for (uint32_t f = 1; f < x->factors.n; f++) {
        const char *name = x->factors.at[f].name, *value = "";
        size_t n = strlen(name);
        vec_each (&m->opts.sets.items, set)
            if (strncmp(*set, name, n) == 0 && (*set)[n] == '=')
                value = *set + n + 1;
        p->level[f] = level_of(&x->factors.at[f], value);
    }
}

static uint32_t hash_levels(const struct explore *x, const uint32_t *level, uint32_t factor, uint32_t instead)
{
    uint64_t h = 0xcbf29ce484222325ull; /* FNV-1a */
    for (uint32_t f = 0; f < x->factors.n; f++)
        h = (h ^ (f == factor ? instead : level[f])) * 0x100000001b3ull;
    return (uint32_t)(h ^ h >> 32);
}

static bool is_at(const struct explore *x, const uint32_t *a, const uint32_t *b, uint32_t factor,
                  uint32_t instead)
{
    for (uint32_t f = 0; f < x->factors.n; f++)
        if (b[f] != (f == factor ? instead : a[f]))
            return false;
    return true;
}

/* 1 + the point, or 0, at the end of the search for it. */
static uint32_t *find_slot(const struct explore *x, const uint32_t *level, uint32_t factor, uint32_t instead)
{
    uint32_t at = hash_levels(x, level, factor, instead) & x->slot_mask;
    while (x->slot[at] && !is_at(x, level, x->points.at[x->slot[at] - 1].level, factor, instead))
        at = (at + 1) & x->slot_mask;
    return &x->slot[at];
}

int64_t explore_with(const struct explore *x, uint32_t i, uint32_t factor, uint32_t level)
{
    uint32_t found = *find_slot(x, x->points.at[i].level, factor, level);
    return found && !x->points.at[found - 1].out ? (int64_t)found - 1 : -1;
}

int64_t explore_step(const struct explore *x, uint32_t i, const struct explore_step *s)
{
    uint32_t at = x->points.at[i].level[s->factor];
    if (s->from)
        return at == s->level_from ? explore_with(x, i, s->factor, s->level_to) : -1;
    const struct explore_factor *f = &x->factors.at[0];
    if (has_mech(f->levels.at[at], s->name))
        return -1;
    struct arena a = {0};
    const char *text = sorted_mechs(&a, f->levels.at[at], s->name);
    int64_t found = -1;
    for (uint32_t k = 0; found < 0 && k < f->levels.n; k++)
        if (strcmp(f->levels.at[k], text) == 0)
            found = explore_with(x, i, 0, k);
    arena_free(&a);
    return found;
}

static void find_steps(struct explore *x)
{
    VEC(const char *) names = {0};
    vec_each (&x->factors.at[0].levels, mechs)
        for (const char *p = *mechs; *p;) {
            size_t n = strcspn(p, ",");
            const char *name = arena_strndup(&x->arena, p, n);
            bool seen = false;
            vec_each (&names, k)
                seen |= strcmp(*k, name) == 0;
            if (!seen)
                vec_push(&names, name);
            p += n + (p[n] == ',');
        }
    vec_each (&names, k)
        vec_push(&x->steps, (struct explore_step){.name = *k});
    for (uint32_t f = 1; f < x->factors.n; f++) {
        const struct explore_factor *o = &x->factors.at[f];
        for (uint32_t l = 1; l < o->levels.n; l++)
            vec_push(&x->steps, (struct explore_step){.name = o->name,
                                                      .from = o->levels.at[0],
                                                      .to = o->levels.at[l],
                                                      .factor = f,
                                                      .level_to = l});
    }
    vec_free(&names);
}

/* ---- machines ---- */

static int64_t storage_of(const struct gpu_conf *c)
{
    int64_t bits = 0;
    for (enum seam s = 0; s < SEAMS; s++) {
        const struct policy *p = policy_of(&c->sm, s);
        struct storage_row rows[STORAGE_MAX];
        uint32_t n = p->storage ? p->storage(&c->sm, rows) : 0;
        for (uint32_t i = 0; i < n; i++)
            bits += rows[i].n * (int64_t)rows[i].bits;
    }
    return bits;
}

/* Does the preset take these options together? */
static bool describe(struct explore *x, struct explore_point *p, struct diag *why)
{
    struct gpu_conf c;
    bool ok = machine_load(&x->plan.machines.at[p->machine].opts, &c, why) && gpu_conf_check(&c, why);
    if (ok) {
        const struct energy_machine of = gpu_machine(&c);
        struct area_out area;
        area_of(&of, &area);
        p->area_mm2 = area.total_mm2;
        p->mhz = c.gpu.core_mhz;
        p->storage_bits = storage_of(&c);
    }
    conf_free(&c.conf);
    return ok;
}

static bool seen_machine(const struct explore *x, uint32_t *slot, uint32_t mask, uint32_t machine)
{
    const char *key = x->plan.machines.at[machine].key.text;
    uint32_t at = 0;
    for (const char *p = key; *p; p++)
        at = at * 31 + (uint32_t)*p;
    for (at &= mask; slot[at]; at = (at + 1) & mask)
        if (strcmp(x->plan.machines.at[slot[at] - 1].key.text, key) == 0)
            return true;
    slot[at] = machine + 1;
    return false;
}

static void note_refusal(struct explore *x, const char *why)
{
    x->notes.refused++;
    vec_each (&x->notes.texts, t)
        if (strcmp(*t, why) == 0)
            return;
    vec_push(&x->notes.texts, arena_strndup(&x->arena, why, strlen(why)));
}

static void add_points(struct explore *x)
{
    uint32_t mask = 1;
    while (mask < 2 * x->plan.machines.n)
        mask = 2 * mask + 1;
    uint32_t *machines = xcalloc(mask + 1, sizeof *machines);
    x->slot_mask = mask;
    x->slot = xcalloc(mask + 1, sizeof *x->slot);
    for (uint32_t m = 0; m < x->plan.machines.n; m++) {
        struct explore_point p = {.machine = m};
        struct diag why = {0};
        if (!seen_machine(x, machines, mask, m)) {
            if (describe(x, &p, &why)) {
                place(x, &p);
                p.est = ARENA_ARRAY(&x->arena, struct explore_value, x->nunits);
                p.full = ARENA_ARRAY(&x->arena, struct explore_value, x->nunits);
                uint32_t *slot = find_slot(x, p.level, UINT32_MAX, 0);
                vec_push(&x->points, p);
                *slot = *slot ? *slot : x->points.n;
            } else {
                note_refusal(x, why.n ? why.msg[0].text : "cannot be had");
            }
        }
        diag_free(&why);
    }
    free(machines);
}

/* ---- programs ---- */

/* Means are over programs, so all points have the same. */
static bool find_programs(struct explore *x, const struct spec *s, struct diag *d)
{
    uint32_t *count = xcalloc(x->plan.machines.n + 1, sizeof *count);
    bool ok = true;
    vec_each (&x->plan.jobs, j) {
        bool known = false;
        vec_each (&x->programs, name)
            known |= strcmp(*name, j->name) == 0;
        if (!known)
            vec_push(&x->programs, j->name);
        count[j->machine]++;
    }
    for (uint32_t m = 0; ok && m < x->plan.machines.n; m++) {
        ok = count[m] == x->programs.n;
        if (!ok)
            diag_error(
                d, s->path, NULL, 0, 0, 0,
                "blocks of an exploration have the same workloads, each of them once: means are over them");
        if (ok && strcmp(x->plan.machines.at[m].opts.gpu, x->plan.machines.at[0].opts.gpu) != 0) {
            diag_error(
                d, s->path, NULL, 0, 0, 0,
                "%s and %s: an exploration is of one preset, since energies of two are not of one kind",
                x->plan.machines.at[0].opts.gpu, x->plan.machines.at[m].opts.gpu);
            ok = false;
        }
    }
    free(count);
    return ok;
}

/* Limits of area and storage are known before anything runs. */
static void apply_limits(struct explore *x)
{
    const struct explore_point *ref = &x->points.at[0];
    vec_each (&x->points, p)
        vec_each (&x->opts->limits, l) {
            bool over = l->goal == EG_COUNT  ? (double)p->storage_bits > l->most
                        : l->goal == EG_area ? p->area_mm2 > l->most * ref->area_mm2
                                             : false;
            if (over && !p->out && p != ref) {
                p->out = l->goal == EG_COUNT ? "limit: storage" : "limit: area";
                x->over_limits++;
            }
        }
}

bool explore_space(struct explore *x, struct spec *s, const char *size, struct diag *d)
{
    x->notes.machines_only = true;
    x->plan.quiet = x->quiet;
    if (!spec_plan(s, size, &x->notes, &x->plan, d) || !find_programs(x, s, d))
        return false;
    x->nseeds = x->opts->seeds.n ? x->opts->seeds.n : 1;
    x->nunits = x->programs.n * x->nseeds;
    find_factors(x);
    add_points(x);
    find_steps(x);
    if (!x->points.n) {
        diag_plain(d, "%s: no machine of it can be had: %s", s->path,
                   x->notes.texts.n ? x->notes.texts.at[0] : "none");
        return false;
    }
    apply_limits(x);
    return true;
}

/* An option that all points have alike says nothing. */
static bool tells(const struct explore *x, const char *set)
{
    vec_each (&x->factors, f)
        if (strncmp(set, f->name, strlen(f->name)) == 0 && set[strlen(f->name)] == '=')
            return f->levels.n > 1;
    return true;
}

const char *explore_point_text(struct arena *a, const struct explore *x, uint32_t i)
{
    const struct plan_machine *m = &x->plan.machines.at[x->points.at[i].machine];
    const char *text = m->mechs;
    vec_each (&m->opts.sets.items, set)
        if (tells(x, *set))
            text = arena_printf(a, "%s %s", text, *set);
    return text;
}

const char *explore_step_text(struct arena *a, const struct explore_step *s)
{
    if (!s->from)
        return s->name;
    return arena_printf(a, "%s %s -> %s", s->name, *s->from ? s->from : "preset", *s->to ? s->to : "preset");
}

void explore_free(struct explore *x)
{
    vec_each (&x->factors, f)
        vec_free(&f->levels);
    vec_free(&x->factors);
    vec_free(&x->steps);
    vec_free(&x->points);
    vec_free(&x->programs);
    vec_free(&x->notes.texts);
    free(x->slot);
    x->plan.stopped = x->stopped;
    arena_free(&x->arena);
    plan_free(&x->plan);
}
