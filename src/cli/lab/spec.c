/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the file. */
#include "cli/lab/spec.h"

#include "base/nearest.h"
#include "cli/resource.h"

#include <ini.h>

static const char defaults_name[] = "defaults", explore_name[] = "explore";

static const struct {
    const char *name;
    size_t off;
} keys[] = {
    {"workloads", offsetof(struct spec_block, workloads)}, {"sizes", offsetof(struct spec_block, sizes)},
    {"registers", offsetof(struct spec_block, registers)}, {"order", offsetof(struct spec_block, order)},
    {"gpus", offsetof(struct spec_block, gpus)},           {"mechs", offsetof(struct spec_block, mechs)},
    {"mechs2", offsetof(struct spec_block, mechs2)},
};
enum { NKEYS = sizeof keys / sizeof keys[0] };

struct reading {
    struct spec *s;
    struct spec_block defaults, *block; /* block: NULL before the first section */
    FILE *f;
    uint32_t line;
    int bad; /* line of the first error that `why` tells */
    const char *why;
};

static struct spec_words *list_of(struct spec_block *b, uint32_t key)
{
    return (struct spec_words *)(void *)((char *)b + keys[key].off);
}

static void add_words(struct reading *r, struct spec_words *to, const char *text)
{
    for (const char *p = text + strspn(text, " \t"); *p; p += strspn(p, " \t")) {
        size_t n = strcspn(p, " \t");
        vec_push(&to->at, arena_strndup(&r->s->arena, p, n));
        vec_push(&to->lines, r->line);
        p += n;
    }
}

/* A section starts when its first key comes; a name may come back later and goes on. */
static void enter(struct reading *r, const char *section)
{
    struct spec *s = r->s;
    if (strcmp(section, defaults_name) == 0) {
        r->block = &r->defaults;
        return;
    }
    r->block = NULL;
    vec_each (&s->blocks, b)
        if (strcmp(b->name, section) == 0)
            r->block = b;
    if (r->block)
        return;
    vec_push(&s->blocks, (struct spec_block){.name = arena_strndup(&s->arena, section, strlen(section)),
                                             .line = r->line});
    r->block = &s->blocks.at[s->blocks.n - 1];
}

static void add_option(struct reading *r, struct spec_options *list, const char *name, const char *value)
{
    struct spec_option *o = NULL;
    vec_each (list, k)
        if (strcmp(k->name, name) == 0)
            o = k;
    if (!o) {
        vec_push(list, (struct spec_option){.name = arena_strndup(&r->s->arena, name, strlen(name))});
        o = &list->at[list->n - 1];
    }
    add_words(r, &o->values, value);
}

static const char *unknown_key(struct reading *r, const char *name)
{
    const char *names[NKEYS];
    for (uint32_t i = 0; i < NKEYS; i++)
        names[i] = keys[i].name;
    const char *near = nearest_name(name, strlen(name), names, NKEYS);
    if (near)
        return arena_printf(&r->s->arena, "unknown key '%s'; did you mean '%s'?", name, near);
    return arena_printf(
        &r->s->arena,
        "unknown key '%s'; workloads, sizes, registers, order, gpus, mechs, mechs2, or section.option", name);
}

/* A line that is indented belongs to the key above it, and comes here under its name. */
static int on_line(void *ctx, const char *section, const char *name, const char *value)
{
    struct reading *r = ctx;
    if (r->bad)
        return 0;
    if (strcmp(section, explore_name) == 0) {
        add_option(r, &r->s->explore, name, value);
        return 1;
    }
    enter(r, *section ? section : defaults_name);
    for (uint32_t i = 0; i < NKEYS; i++)
        if (strcmp(keys[i].name, name) == 0) {
            add_words(r, list_of(r->block, i), value);
            return 1;
        }
    if (strchr(name, '.')) {
        add_option(r, &r->block->options, name, value);
        return 1;
    }
    r->why = unknown_key(r, name);
    r->bad = (int)r->line;
    return 0;
}

static char *next_line(char *text, int size, void *ctx)
{
    struct reading *r = ctx;
    r->line++;
    char *got = fgets(text, size, r->f);
    if (got && strlen(text) == (size_t)size - 1 && text[size - 2] != '\n' && !r->bad) {
        r->why = "the line is too long; go on in the next one, indented";
        r->bad = (int)r->line;
    }
    return got;
}

static void copy_words(struct spec_words *to, const struct spec_words *from)
{
    vec_each (&from->at, w)
        vec_push(&to->at, *w);
    vec_each (&from->lines, l)
        vec_push(&to->lines, *l);
}

static void free_words(struct spec_words *w)
{
    vec_free(&w->at);
    vec_free(&w->lines);
}

/* What a block does not say is as in [defaults]. */
static void inherit(struct spec_block *b, const struct spec_block *from)
{
    for (uint32_t i = 0; i < NKEYS; i++) {
        const struct spec_words *w = list_of((struct spec_block *)from, i);
        if (!list_of(b, i)->at.n)
            copy_words(list_of(b, i), w);
    }
    vec_each (&from->options, o) {
        bool has = false;
        vec_each (&b->options, k)
            has |= strcmp(k->name, o->name) == 0;
        if (has)
            continue;
        struct spec_option copy = {.name = o->name};
        copy_words(&copy.values, &o->values);
        vec_push(&b->options, copy);
    }
}

static void free_block(struct spec_block *b)
{
    for (uint32_t i = 0; i < NKEYS; i++)
        free_words(list_of(b, i));
    vec_each (&b->options, o)
        free_words(&o->values);
    vec_free(&b->options);
}

static bool complete(struct reading *r, struct diag *d)
{
    struct spec *s = r->s;
    if (!s->blocks.n) { /* [defaults] alone is a block */
        vec_push(&s->blocks, (struct spec_block){.name = defaults_name, .line = 1});
    }
    vec_each (&s->blocks, b) {
        inherit(b, &r->defaults);
        if (b->workloads.at.n && b->gpus.at.n)
            continue;
        diag_error(d, s->path, NULL, 0, b->line, 0, "[%s] has no %s", b->name,
                   b->gpus.at.n ? "workloads" : "gpus");
        return false;
    }
    return true;
}

bool spec_read(struct spec *s, const char *path, struct diag *d)
{
    memset(s, 0, sizeof *s);
    const char *shown = cli_shown_path(&s->arena, path);
    s->path = arena_strndup(&s->arena, shown, strlen(shown));
    FILE *f = fopen(path, "r");
    if (!f) {
        diag_plain(d, "cannot read %s", s->path);
        return false;
    }
    struct reading r = {.s = s, .f = f};
    int line = ini_parse_stream(next_line, &r, on_line, &r);
    bool failed = ferror(f) != 0, ok = false;
    fclose(f);
    if (failed)
        diag_plain(d, "cannot read %s", s->path);
    else if (line != 0 && r.bad && r.bad <= line)
        diag_error(d, s->path, NULL, 0, (uint32_t)r.bad, 0, "%s", r.why);
    else if (line != 0)
        diag_error(d, s->path, NULL, 0, line > 0 ? (uint32_t)line : 0, 0, "neither [block] nor key = words");
    else
        ok = complete(&r, d);
    free_block(&r.defaults);
    return ok;
}

void spec_free(struct spec *s)
{
    vec_each (&s->blocks, b)
        free_block(b);
    vec_free(&s->blocks);
    vec_each (&s->explore, o)
        free_words(&o->values);
    vec_free(&s->explore);
    arena_free(&s->arena);
}
