/* SPDX-License-Identifier: Apache-2.0 */
/* Texts are read as statements: a declaration, a function with its body, or a directive of one line. */
#include "cudart/code/link.h"

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    const char *s;
    size_t n;
};

/* A set of names; they point into the texts. */
struct names {
    struct word *slot;
    uint32_t n, cap; /* cap: 0 or a power of two */
};

static uint32_t hash(struct word w)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < w.n; i++)
        h = (h ^ (unsigned char)w.s[i]) * 16777619u;
    return h;
}

static struct word *find(const struct names *set, struct word w)
{
    uint32_t at = hash(w) & (set->cap - 1);
    while (set->slot[at].s && (set->slot[at].n != w.n || memcmp(set->slot[at].s, w.s, w.n) != 0))
        at = (at + 1) & (set->cap - 1);
    return &set->slot[at];
}

static bool has(const struct names *set, struct word w) { return set->cap && find(set, w)->s; }

static void put(struct names *set, struct word w)
{
    if (2 * set->n >= set->cap) {
        struct names more = {.cap = set->cap ? 2 * set->cap : 64};
        more.slot = xcalloc(more.cap, sizeof *more.slot);
        for (uint32_t i = 0; i < set->cap; i++)
            if (set->slot[i].s)
                put(&more, set->slot[i]);
        free(set->slot);
        *set = more;
    }
    struct word *to = find(set, w);
    set->n += !to->s;
    *to = w;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '%';
}
static bool is_name(struct word w) { return is_letter(w.s[0]) && !(w.s[0] >= '0' && w.s[0] <= '9'); }
static bool is(struct word w, const char *text) { return w.n == strlen(text) && memcmp(w.s, text, w.n) == 0; }

/* The next token: a word, with the '.' before it; a string; or one character. n is 0 at the end. */
static struct word next_token(const char **p)
{
    const char *s = *p;
    for (;;) {
        s += strspn(s, " \t\r\n");
        if (s[0] == '/' && s[1] == '/')
            s += strcspn(s, "\n");
        else
            break;
    }
    const char *end = s + (*s != 0);
    if (*s == '"')
        end += strcspn(end, "\"\n");
    else if (*s == '.' || is_letter(*s))
        while (is_letter(*end))
            end++;
    if (*s == '"' && *end == '"')
        end++;
    *p = end;
    return (struct word){s, (size_t)(end - s)};
}

struct statement {
    const char *start, *end;
    struct word name; /* of what it declares; n 0: nothing */
    bool is_func, is_local, is_weak, has_body;
};

/* A directive that ends with its line. */
static bool ends_with_line(struct word w)
{
    static const char *const words[] = {".version", ".target", ".address_size", ".file", ".loc"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is(w, words[i]))
            return true;
    return false;
}

static bool next_statement(const char **p, struct statement *st)
{
    *st = (struct statement){.start = *p};
    bool linked = false, declares = false, section = false;
    int parens = 0, braces = 0;
    for (struct word w; (w = next_token(p)).n; st->end = *p) {
        if (!braces && !declares && ends_with_line(w)) {
            *p += strcspn(*p, "\n");
            st->end = *p;
            return true;
        }
        section = section || is(w, ".section");
        st->is_func = st->is_func || (!braces && (is(w, ".func") || is(w, ".entry")));
        declares = declares || st->is_func || is(w, ".global") || is(w, ".const") || is(w, ".shared");
        linked = linked || is(w, ".visible") || is(w, ".extern") || is(w, ".weak") || is(w, ".common");
        st->is_weak = st->is_weak || is(w, ".weak");
        if (declares && !st->name.n && !parens && !braces && is_name(w))
            st->name = w;
        parens += (w.s[0] == '(') - (w.s[0] == ')');
        braces += (w.s[0] == '{') - (w.s[0] == '}');
        st->has_body = st->has_body || w.s[0] == '{';
        if (!braces && (w.s[0] == ';' || (w.s[0] == '}' && (st->is_func || section)))) {
            st->is_local = declares && !linked;
            st->end = *p;
            return true;
        }
    }
    return st->end != NULL;
}

struct text {
    char *at;
    size_t n, room;
};

static void append(struct text *t, const char *s, size_t n)
{
    if (t->n + n + 1 > t->room) {
        t->room = 2 * (t->n + n + 1);
        t->at = xrealloc(t->at, t->room);
    }
    memcpy(t->at + t->n, s, n);
    t->n += n;
    t->at[t->n] = 0;
}

/* One file on its way into the text. */
struct part {
    uint32_t index;
    uint32_t first_file, files; /* numbers of its source files: those before, and how many of its own */
    struct names local;
};

/* Copies a statement, with its own names and file numbers changed. */
static void emit(struct text *to, struct part *part, const struct statement *st)
{
    const char *p = st->start, *copied = p;
    bool number_next = false;
    for (struct word w; p < st->end && (w = next_token(&p)).n;) {
        char changed[32] = "";
        if (number_next && w.s[0] >= '0' && w.s[0] <= '9') {
            uint32_t n = (uint32_t)strtoul(w.s, NULL, 10);
            part->files = n >= part->files ? n + 1 : part->files;
            snprintf(changed, sizeof changed, "%u", n + part->first_file);
            append(to, copied, (size_t)(w.s - copied));
        } else if (is_name(w) && has(&part->local, w)) {
            snprintf(changed, sizeof changed, "$%u", part->index);
            append(to, copied, (size_t)(p - copied));
        }
        if (changed[0]) {
            append(to, changed, strlen(changed));
            copied = p;
        }
        number_next = is(w, ".file") || is(w, ".loc") || is(w, "inlined_at");
    }
    append(to, copied, (size_t)(st->end - copied));
}

char *link_texts(const char *const *texts, uint32_t n)
{
    struct text out = {0};
    struct names strong = {0}, weak = {0};
    struct statement st;
    uint32_t files = 0;
    append(&out, "", 0);
    for (uint32_t i = 0; i < n; i++)
        for (const char *p = texts[i]; next_statement(&p, &st);)
            if (st.name.n && !st.is_local && !st.is_weak && st.has_body)
                put(&strong, st.name);
    for (uint32_t i = 0; i < n; i++) {
        struct part part = {.index = i, .first_file = files};
        for (const char *p = texts[i]; next_statement(&p, &st);)
            if (st.is_local && st.name.n)
                put(&part.local, st.name);
        for (const char *p = texts[i]; next_statement(&p, &st);) {
            bool defines = st.is_weak && st.name.n && (st.has_body || !st.is_func);
            if (defines && (has(&strong, st.name) || has(&weak, st.name)))
                continue;
            if (defines)
                put(&weak, st.name);
            emit(&out, &part, &st);
        }
        append(&out, "\n", 1);
        files += part.files;
        free(part.local.slot);
    }
    free(strong.slot);
    free(weak.slot);
    return out.at;
}
