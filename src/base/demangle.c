/* SPDX-License-Identifier: Apache-2.0 */
/* A walk over the Itanium ABI's grammar, as far as names of kernels need it. Everything is bounded by the input's length and
 * DEPTH. */
#include "base/demangle.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { DEPTH = 16 };

struct walk {
    const char *p;
    char *out;
    size_t n, used;
    bool full;
};

static void put(struct walk *w, const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (w->used + 1 >= w->n) {
            w->full = true;
            return;
        }
        w->out[w->used++] = s[i];
    }
}

static void puts_(struct walk *w, const char *s) { put(w, s, strlen(s)); }

static bool take(struct walk *w, char c)
{
    if (*w->p != c)
        return false;
    w->p++;
    return true;
}

/* <length> <letters> */
static bool source_name(struct walk *w)
{
    static const char nameless[] = "_GLOBAL__N_1";
    size_t len = 0;
    if (*w->p < '1' || *w->p > '9')
        return false;
    while (*w->p >= '0' && *w->p <= '9' && len < 10000)
        len = len * 10 + (size_t)(*w->p++ - '0');
    if (strnlen(w->p, len) < len)
        return false;
    if (len == sizeof nameless - 1 && memcmp(w->p, nameless, len) == 0)
        puts_(w, "(anonymous)");
    else
        put(w, w->p, len);
    w->p += len;
    return true;
}

static bool type(struct walk *w, int depth);

static const char *builtin(char c)
{
    static const struct {
        char letter;
        const char *name;
    } names[] = {
        {'v', "void"},
        {'b', "bool"},
        {'c', "char"},
        {'a', "signed char"},
        {'h', "unsigned char"},
        {'s', "short"},
        {'t', "unsigned short"},
        {'i', "int"},
        {'j', "unsigned"},
        {'l', "long"},
        {'m', "unsigned long"},
        {'x', "long long"},
        {'y', "unsigned long long"},
        {'f', "float"},
        {'d', "double"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].letter == c)
            return names[i].name;
    return NULL;
}

/* After L: a literal of a whole-number type. */
static bool literal(struct walk *w)
{
    bool truth = *w->p == 'b';
    if (!builtin(*w->p) || *w->p == 'f' || *w->p == 'd')
        return false;
    w->p++;
    if (take(w, 'n'))
        puts_(w, "-");
    size_t len = strspn(w->p, "0123456789");
    if (!len)
        return false;
    if (truth && len == 1)
        puts_(w, *w->p == '0' ? "false" : "true");
    else
        put(w, w->p, len);
    w->p += len;
    return take(w, 'E');
}

/* After I. */
static bool arguments(struct walk *w, int depth)
{
    puts_(w, "<");
    for (bool first = true; !take(w, 'E'); first = false) {
        if (!first)
            puts_(w, ", ");
        if (!(take(w, 'L') ? literal(w) : type(w, depth + 1)))
            return false;
    }
    puts_(w, ">");
    return true;
}

static bool with_arguments(struct walk *w, int depth)
{
    size_t before = w->used;
    if (!take(w, 'I') || arguments(w, depth))
        return true;
    w->used = before;
    puts_(w, "<...>");
    return false;
}

static bool nested(struct walk *w, int depth)
{
    for (bool first = true; !take(w, 'E'); first = false) {
        if (!first)
            puts_(w, "::");
        if (!source_name(w) || !with_arguments(w, depth))
            return false;
    }
    return true;
}

static bool type(struct walk *w, int depth)
{
    if (depth > DEPTH)
        return false;
    static const struct {
        char letter;
        const char *before, *after;
    } marks[] = {{'P', "", "*"}, {'R', "", "&"}, {'K', "const ", ""}, {'V', "volatile ", ""}};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (take(w, marks[i].letter)) {
            puts_(w, marks[i].before);
            bool ok = type(w, depth + 1);
            puts_(w, marks[i].after);
            return ok;
        }
    const char *name = builtin(*w->p);
    if (name) {
        puts_(w, name);
        w->p++;
        return true;
    }
    if (take(w, 'N'))
        return nested(w, depth + 1);
    return source_name(w) && with_arguments(w, depth);
}

void demangle(const char *name, char *out, size_t n)
{
    struct walk w = {.p = name + 2, .out = out, .n = n};
    if (!n)
        return;
    bool is_mangled = strncmp(name, "_Z", 2) == 0, named = false;
    if (is_mangled) {
        if (take(&w, 'N')) {
            named = nested(&w, 0) || w.used;
        } else {
            take(&w, 'L');
            named = source_name(&w);
            if (named)
                with_arguments(&w, 0);
        }
    }
    if (!named) {
        w = (struct walk){.p = name, .out = out, .n = n};
        puts_(&w, name);
    }
    out[w.used] = 0;
}
