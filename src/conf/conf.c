/* SPDX-License-Identifier: Apache-2.0 */
/* Sections, values and where they came from. */
#include "conf/conf.h"

#include "base/nearest.h"

#include <assert.h>
#include <errno.h>
#include <ini.h>
#include <math.h>
#include <strings.h>
#include <unistd.h>

static void store(const struct conf_section *s, const struct conf_opt *o, double v, const char *name)
{
    char *at = (char *)s->base + o->off;
    switch ((enum conf_type)o->type) {
    case CONF_BOOL: *(bool *)at = v != 0; break;
    case CONF_U32:
    case CONF_POW2: *(uint32_t *)(void *)at = (uint32_t)v; break;
    case CONF_F64: *(double *)(void *)at = v; break;
    case CONF_NAME: *(const char **)(void *)at = name; break;
    }
}

void conf_add(struct conf *c, const char *name, const struct conf_opt *opts, uint32_t n, void *base)
{
    assert(c->n < CONF_MAX_SECTIONS);
    struct conf_section *s = &c->sec[c->n++];
    *s = (struct conf_section){.name = name, .read_by = "", .opts = opts, .n = n, .base = base};
    s->layer = ARENA_ARRAY(&c->arena, uint8_t, n);
    s->source = ARENA_ARRAY(&c->arena, const char *, n);
    for (uint32_t i = 0; i < n; i++)
        store(s, &opts[i], opts[i].def, opts[i].def_name);
}

void conf_free(struct conf *c)
{
    vec_free(&c->changes);
    vec_free(&c->rules);
    vec_free(&c->notes);
    arena_free(&c->arena);
}

uint32_t conf_count_default(const struct conf *c)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t j = 0; j < c->sec[i].n; j++)
            n += c->sec[i].layer[j] == CONF_DEFAULT;
    return n;
}

/* The shortest of two texts that reads back as the same number. */
static const char *number_text(struct conf *c, double v)
{
    const char *text = arena_printf(&c->arena, "%.9g", v);
    return strtod(text, NULL) == v ? text : arena_printf(&c->arena, "%.17g", v);
}

static const char *text_of(struct conf *c, const struct conf_section *s, const struct conf_opt *o)
{
    const char *at = (const char *)s->base + o->off;
    switch ((enum conf_type)o->type) {
    case CONF_BOOL: return *(const bool *)at ? "true" : "false";
    case CONF_U32:
    case CONF_POW2: return arena_printf(&c->arena, "%u", *(const uint32_t *)(const void *)at);
    case CONF_F64: return number_text(c, *(const double *)(const void *)at);
    case CONF_NAME: return *(const char *const *)(const void *)at;
    }
    return "";
}

/* The option of a full name, case ignored; NULL: none. */
static const struct conf_opt *find(struct conf *c, const char *section, const char *name,
                                   struct conf_section **out)
{
    for (uint32_t i = 0; i < c->n; i++) {
        if (strcasecmp(c->sec[i].name, section) != 0)
            continue;
        for (uint32_t j = 0; j < c->sec[i].n; j++) {
            if (strcasecmp(c->sec[i].opts[j].name, name) == 0) {
                *out = &c->sec[i];
                return &c->sec[i].opts[j];
            }
        }
    }
    return NULL;
}

static const char *unknown(struct conf *c, const char *section, const char *name)
{
    VEC(const char *) all = {0};
    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t j = 0; j < c->sec[i].n; j++)
            vec_push(&all, arena_printf(&c->arena, "%s.%s", c->sec[i].name, c->sec[i].opts[j].name));
    const char *full = arena_printf(&c->arena, "%s.%s", section, name);
    const char *near = nearest_name(full, strlen(full), all.at, all.n);
    vec_free(&all);
    return near ? arena_printf(&c->arena, "unknown option '%s'; did you mean '%s'?", full, near)
                : arena_printf(&c->arena, "unknown option '%s'; see bankshot list options", full);
}

/* NULL, or why the text is no value of the option. */
static const char *read_name(struct conf *c, const struct conf_opt *o, const char *text, const char **out)
{
    enum { MAX = 64 };
    const char *names[MAX], *list = "";
    uint32_t n = 0;
    for (; n < MAX && o->names(n); n++) {
        names[n] = o->names(n);
        list = arena_printf(&c->arena, "%s%s%s", list, n ? ", " : "", names[n]);
        if (strcasecmp(names[n], text) == 0) {
            *out = names[n];
            return NULL;
        }
    }
    const char *near = nearest_name(text, strlen(text), names, n);
    if (near)
        return arena_printf(&c->arena, "%s: unknown '%s'; did you mean '%s'?", o->name, text, near);
    return arena_printf(&c->arena, "%s: unknown '%s'; there are %s", o->name, text, list);
}

static const char *read_number(struct conf *c, const struct conf_opt *o, const char *text, double *out)
{
    if (o->type == CONF_BOOL) {
        static const char *const words[] = {"false", "true", "0", "1", "no", "yes", "off", "on"};
        for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
            if (strcasecmp(text, words[i]) == 0) {
                *out = i & 1;
                return NULL;
            }
        }
        return arena_printf(&c->arena, "%s: '%s' is neither true nor false", o->name, text);
    }
    char *end;
    double v = strtod(text, &end);
    if (end == text || *end || !isfinite(v))
        return arena_printf(&c->arena, "%s: '%s' is no number", o->name, text);
    if (conf_is_whole(o->type) && v != floor(v))
        return arena_printf(&c->arena, "%s: %s is no whole number", o->name, text);
    if (v < o->lo || v > o->hi)
        return arena_printf(&c->arena, "%s: %s is outside %.10g to %.10g", o->name, text, o->lo, o->hi);
    if (o->type == CONF_POW2 && (uint64_t)v & ((uint64_t)v - 1))
        return arena_printf(&c->arena, "%s: %s is no power of two", o->name, text);
    *out = v;
    return NULL;
}

/* Sets one option. NULL, or the reason why not. */
static const char *assign(struct conf *c, const char *section, const char *name, const char *text,
                          enum conf_layer layer, const char *source)
{
    struct conf_section *s;
    const struct conf_opt *o = find(c, section, name, &s);
    if (!o)
        return unknown(c, section, name);
    double v = 0;
    const char *word = NULL;
    const char *why = o->type == CONF_NAME ? read_name(c, o, text, &word) : read_number(c, o, text, &v);
    if (why)
        return arena_printf(&c->arena, "%s.%s", s->name, why);
    uint32_t i = (uint32_t)(o - s->opts);
    const char *old = text_of(c, s, o), *by = s->source[i];
    uint8_t had = s->layer[i];
    if (layer > CONF_PRESET)
        vec_push(&c->changes,
                 (struct conf_change){
                     .section = (uint8_t)(s - c->sec), .layer = (uint8_t)layer, .opt = i, .source = source});
    if (had > layer)
        return NULL;
    store(s, o, v, word);
    if (layer == CONF_MECH && had == CONF_MECH && strcmp(old, text_of(c, s, o)) != 0)
        return arena_printf(&c->arena, "%s.%s is %s in %s and %s in %s: these do not combine", s->name,
                            o->name, old, by, text_of(c, s, o), source);
    s->layer[i] = (uint8_t)layer;
    s->source[i] = source;
    return NULL;
}

bool conf_set(struct conf *c, const char *assignment, enum conf_layer layer, struct diag *d)
{
    return conf_set_from(c, assignment, layer, "--set", d);
}

bool conf_set_from(struct conf *c, const char *assignment, enum conf_layer layer, const char *source,
                   struct diag *d)
{
    const char *dot = strchr(assignment, '.'), *eq = strchr(assignment, '=');
    if (!dot || !eq || dot > eq) {
        diag_plain(d, "'%s': section.option=value is expected", assignment);
        return false;
    }
    const char *section = arena_strndup(&c->arena, assignment, (size_t)(dot - assignment));
    const char *name = arena_strndup(&c->arena, dot + 1, (size_t)(eq - dot - 1));
    const char *why = assign(c, section, name, eq + 1, layer, source);
    if (why)
        diag_plain(d, "%s", why);
    return !why;
}

const char *conf_get(struct conf *c, const char *name)
{
    const char *dot = strchr(name, '.');
    struct conf_section *s;
    const struct conf_opt *o =
        dot ? find(c, arena_strndup(&c->arena, name, (size_t)(dot - name)), dot + 1, &s) : NULL;
    return o ? text_of(c, s, o) : NULL;
}

void conf_each(struct conf *c, conf_visit *f, void *ctx)
{
    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t j = 0; j < c->sec[i].n; j++)
            f(ctx, c->sec[i].name, &c->sec[i].opts[j], text_of(c, &c->sec[i], &c->sec[i].opts[j]),
              c->sec[i].source[j] ? c->sec[i].source[j] : "default");
}

/* ---- files ---- */

enum { MAX_BASES = 4 };

/* A key of the file that is read. */
struct seen_key {
    const char *name; /* section.option */
    int line;
};

struct reading {
    struct conf *c;
    enum conf_layer layer;
    uint32_t depth;
    const char *path, *source, *why; /* source: the path as messages have it */
    FILE *f;
    int line, bad; /* being read; the first with an error that is in `why` */
    VEC(struct seen_key) seen;
    struct diag *d;
};

static bool read_file(struct conf *c, const char *path, enum conf_layer layer, uint32_t depth,
                      struct diag *d);

/* A user knows the program's own files by their names, not by where they were installed. */
static const char *shown(struct conf *c, const char *path)
{
    size_t n = c->bundled ? strlen(c->bundled) : 0;
    if (n && strncmp(path, c->bundled, n) == 0 && path[n] == '/')
        path = strrchr(path, '/') + 1;
    return arena_strndup(&c->arena, path, strlen(path));
}

/* [preset] base = NAME: another file is read first, of the same folder or of the presets'. */
static void read_base(struct reading *r, const char *name)
{
    const char *slash = strrchr(r->path, '/');
    int dir = slash ? (int)(slash - r->path + 1) : 0;
    if (r->depth == MAX_BASES || strchr(name, '/')) {
        r->why = arena_printf(&r->c->arena, "base = %s: %s", name,
                              strchr(name, '/') ? "a name is expected" : "bases of bases without end");
        return;
    }
    const char *path = arena_printf(&r->c->arena, "%.*s%s.ini", dir, r->path, name);
    if (r->c->presets && access(path, F_OK) != 0)
        path = arena_printf(&r->c->arena, "%s/%s.ini", r->c->presets, name);
    r->c->has_base = true;
    if (!read_file(r->c, path, r->layer, r->depth + 1, r->d))
        r->why = "its base has an error";
}

/* [mech] from = section.option=value ...: values that those of the overlay are made from. */
static const char *read_origin(struct reading *r, const char *text)
{
    for (const char *p = text + strspn(text, " "); *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " "), name = strcspn(p, "=");
        if (name >= n || !conf_get(r->c, arena_strndup(&r->c->arena, p, name)))
            return arena_printf(&r->c->arena, "from: '%.*s': section.option=value is expected", (int)n, p);
        p += n;
    }
    conf_note_origin(r->c, r->source, text);
    return NULL;
}

/* A key that is there twice: one of its values would be lost without a word. NULL, or why it is refused. */
static const char *repeated(struct reading *r, const char *section, const char *name)
{
    const char *full = arena_printf(&r->c->arena, "%s.%s", section, name);
    vec_each (&r->seen, k)
        if (strcasecmp(k->name, full) == 0)
            return arena_printf(&r->c->arena, "%s is there twice, before in line %d", full, k->line);
    vec_push(&r->seen, (struct seen_key){full, r->line});
    return NULL;
}

/* The parser goes on after an error; the first one is reported. */
static int on_line(void *ctx, const char *section, const char *name, const char *value)
{
    struct reading *r = ctx;
    if (r->bad)
        return 0;
    r->why = repeated(r, section, name);
    if (r->why) {
        r->bad = r->line;
        return 0;
    }
    if (strcmp(section, "preset") == 0 && strcmp(name, "base") == 0)
        read_base(r, value);
    else if (strcmp(section, "mech") == 0 && strcmp(name, "from") == 0)
        r->why = read_origin(r, value);
    else
        r->why = assign(r->c, section, name, value, r->layer, r->source);
    r->bad = r->why ? r->line : 0;
    return r->why == NULL;
}

static char *next_line(char *text, int size, void *ctx)
{
    struct reading *r = ctx;
    r->line++;
    return fgets(text, size, r->f);
}

static bool read_file(struct conf *c, const char *path, enum conf_layer layer, uint32_t depth, struct diag *d)
{
    FILE *f = fopen(path, "r");
    if (!f) {
        diag_plain(d, "cannot read %s: %s", shown(c, path), strerror(errno));
        return false;
    }
    struct reading r = {
        .c = c, .layer = layer, .depth = depth, .path = path, .source = shown(c, path), .f = f, .d = d};
    int line = ini_parse_stream(next_line, &r, on_line, &r);
    bool failed = ferror(f) != 0; /* a directory, for one */
    fclose(f);
    vec_free(&r.seen);
    if (failed) {
        diag_plain(d, "cannot read %s", r.source);
        return false;
    }
    if (line == 0)
        return true;
    diag_error(d, r.source, NULL, 0, line > 0 ? (uint32_t)line : 0, 0, "%s",
               r.bad == line ? r.why : "neither [section] nor name = value");
    return false;
}

bool conf_read(struct conf *c, const char *path, enum conf_layer layer, struct diag *d)
{
    return read_file(c, path, layer, 0, d);
}
