/* SPDX-License-Identifier: Apache-2.0 */
/* Options that nobody reads. A row says when it is read by conditions on other options; what was set and is not read is told to
 * the user, since a result would be taken for one of something else. */
#include "conf/conf.h"

/* "option=value,..." or "option!=value,...", taken apart. */
struct clause {
    const char *option; /* full name */
    bool is_not;
    const char *values; /* with commas */
    size_t n;
};

static struct clause take_apart(struct conf *c, const struct conf_section *s, const char *text, size_t n)
{
    const char *eq = memchr(text, '=', n);
    bool is_not = eq[-1] == '!';
    size_t name = (size_t)(eq - text) - is_not;
    bool full = memchr(text, '.', name);
    return (struct clause){
        .option = full ? arena_strndup(&c->arena, text, name)
                       : arena_printf(&c->arena, "%s.%.*s", s->name, (int)name, text),
        .is_not = is_not,
        .values = eq + 1,
        .n = n - (size_t)(eq + 1 - text),
    };
}

static bool holds(struct conf *c, const struct clause *k)
{
    const char *value = conf_get(c, k->option);
    size_t len = strlen(value);
    bool found = false;
    for (const char *p = k->values, *end = p + k->n; p < end;) {
        size_t n = 0;
        while (p + n < end && p[n] != ',')
            n++;
        found |= n == len && memcmp(p, value, n) == 0;
        p += n + 1;
    }
    return found != k->is_not;
}

/* Calls f for every clause; first: it begins an alternative. */
typedef void on_clause(void *ctx, struct conf *c, const struct clause *k, bool first);
static void each_clause(struct conf *c, const struct conf_section *s, const char *text, on_clause *f,
                        void *ctx)
{
    bool first = true;
    for (const char *p = text; *p; p++) {
        size_t n = strcspn(p, " &");
        struct clause k = take_apart(c, s, p, n);
        f(ctx, c, &k, first);
        p += n;
        first = *p == ' ';
        if (!*p)
            return;
    }
}

struct verdict {
    bool any, all; /* an alternative before this one; this one so far */
};

static void judge(void *ctx, struct conf *c, const struct clause *k, bool first)
{
    struct verdict *v = ctx;
    v->any |= first && v->all;
    v->all = (first || v->all) && holds(c, k);
}

static bool hold(struct conf *c, const struct conf_section *s, const char *conditions)
{
    struct verdict v = {.all = !*conditions};
    each_clause(c, s, conditions, judge, &v);
    return v.any || v.all;
}

void conf_read_where(struct conf *c, const char *conditions) { c->sec[c->n - 1].read_by = conditions; }

void conf_add_rule(struct conf *c, struct conf_rule rule) { vec_push(&c->rules, rule); }

/* The rule by which an option that its row and its section allow is not read; NULL: none. */
static const struct conf_rule *rule_against(struct conf *c, const struct conf_section *s,
                                            const struct conf_opt *o)
{
    size_t n = strlen(s->name);
    vec_each (&c->rules, u)
        if (strncmp(u->option, s->name, n) == 0 && u->option[n] == '.' &&
            strcmp(u->option + n + 1, o->name) == 0 && hold(c, s, u->where) != u->only)
            return u;
    return NULL;
}

bool conf_is_read(struct conf *c, const struct conf_section *s, const struct conf_opt *o)
{
    return hold(c, s, s->read_by) && hold(c, s, o->read_by) && !rule_against(c, s, o);
}

static void describe(void *ctx, struct conf *c, const struct clause *k, bool first)
{
    const char **text = ctx, *values = "";
    for (const char *p = k->values, *end = p + k->n; p < end; p++)
        values = *p == ',' ? arena_printf(&c->arena, "%s%s", values,
                                          memchr(p + 1, ',', (size_t)(end - p - 1)) ? ", " : " or ")
                           : arena_printf(&c->arena, "%s%c", values, *p);
    *text = arena_printf(&c->arena, "%s%s%s is %s%s", *text,
                         !**text ? ""
                         : first ? ", or "
                                 : " and ",
                         k->option, k->is_not ? "not " : "", values);
}

/* ---- what was set ---- */

static const struct conf_opt *opt_of(const struct conf *c, const struct conf_change *k)
{
    return &c->sec[k->section].opts[k->opt];
}

static bool is_overruled(const struct conf *c, const struct conf_change *k)
{
    return c->sec[k->section].layer[k->opt] > k->layer;
}

static bool is_idle(struct conf *c, const struct conf_change *k)
{
    return is_overruled(c, k) || !conf_is_read(c, &c->sec[k->section], opt_of(c, k));
}

static const char *name_of(struct conf *c, const struct conf_change *k)
{
    return arena_printf(&c->arena, "%s.%s", c->sec[k->section].name, opt_of(c, k)->name);
}

/* The values that stand in the way. */
static void describe_here(void *ctx, struct conf *c, const struct clause *k, bool first)
{
    (void)first;
    const char **text = ctx, *here = arena_printf(&c->arena, "%s is %s", k->option, conf_get(c, k->option));
    if (!holds(c, k) && !strstr(*text, here))
        *text = arena_printf(&c->arena, "%s%s%s", *text, **text ? " and " : "", here);
}

static const char *when_read(struct conf *c, const struct conf_change *k)
{
    const struct conf_section *s = &c->sec[k->section];
    const struct conf_opt *o = opt_of(c, k);
    const char *when = "", *here = "";
    const char *conditions = hold(c, s, s->read_by) ? o->read_by : s->read_by;
    if (hold(c, s, conditions)) {
        const struct conf_rule *rule = rule_against(c, s, o);
        each_clause(c, s, rule->where, describe, &when);
        if (!rule->only)
            return arena_printf(&c->arena, "is not read where %s", when);
        conditions = rule->where;
        when = "";
    }
    each_clause(c, s, conditions, describe, &when);
    each_clause(c, s, conditions, describe_here, &here);
    return arena_printf(&c->arena, "is read only where %s; here %s", when, here);
}

static const char *reason(struct conf *c, const struct conf_change *k)
{
    if (is_overruled(c, k))
        return arena_printf(&c->arena, "%s overrules %s", c->sec[k->section].source[k->opt], name_of(c, k));
    return arena_printf(&c->arena, "%s %s", name_of(c, k), when_read(c, k));
}

/* The name of an overlay: its file's, without folder and ending. */
static const char *overlay_name(struct conf *c, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return arena_strndup(&c->arena, name, dot ? (size_t)(dot - name) : strlen(name));
}

static bool all_idle(struct conf *c, const char *source)
{
    bool all = true;
    vec_each (&c->changes, k)
        all &= k->source != source || is_idle(c, k);
    return all;
}

static void tell_overlay(struct conf *c, const char *source, conf_tell *f, void *ctx)
{
    const char *text = "";
    vec_each (&c->changes, k)
        if (k->source == source)
            text = arena_printf(&c->arena, "%s%s%s", text, *text ? "; " : "", reason(c, k));
    f(ctx, arena_printf(&c->arena, "mechanism %s has no effect: %s", overlay_name(c, source), text));
}

/* ---- overlays on other machines than they were made for ---- */

/* Has an overlay before this one set it? Then the two were meant to go together. */
static bool is_changed(struct conf *c, const char *option)
{
    bool changed = false;
    vec_each (&c->changes, k)
        changed |= strcmp(name_of(c, k), option) == 0;
    return changed;
}

void conf_note_origin(struct conf *c, const char *source, const char *conditions)
{
    const char *want = "", *here = "";
    for (const char *p = conditions + strspn(conditions, " "); *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        struct clause k = take_apart(c, &c->sec[0], p, n);
        p += n;
        if (holds(c, &k) || is_changed(c, k.option))
            continue;
        want =
            arena_printf(&c->arena, "%s%s%s = %.*s", want, *want ? ", " : "", k.option, (int)k.n, k.values);
        here = arena_printf(&c->arena, "%s%s%s", here, *here ? ", " : "", conf_get(c, k.option));
    }
    if (*want)
        vec_push(&c->notes, arena_printf(&c->arena, "mechanism %s is made for a GPU with %s; here: %s",
                                         overlay_name(c, source), want, here));
}

void conf_each_idle(struct conf *c, conf_tell *f, void *ctx)
{
    vec_each (&c->notes, text)
        f(ctx, *text);
    for (uint32_t i = 0; i < c->changes.n; i++) {
        const struct conf_change *k = &c->changes.at[i];
        bool overlay = k->layer == CONF_MECH, again = false;
        for (uint32_t j = 0; j < i; j++) {
            const struct conf_change *b = &c->changes.at[j];
            again |= b->source == k->source && b->section == k->section && b->opt == k->opt;
        }
        if (overlay && all_idle(c, k->source)) {
            if (!i || k->source != k[-1].source)
                tell_overlay(c, k->source, f, ctx);
        } else if (!again && !is_overruled(c, k) && is_idle(c, k)) {
            f(ctx, arena_printf(&c->arena, "%s%s%s has no effect: it %s", name_of(c, k),
                                overlay ? " of mechanism " : "", overlay ? overlay_name(c, k->source) : "",
                                when_read(c, k)));
        }
    }
}
