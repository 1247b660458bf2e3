/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include "base/hint.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_chunk {
    struct arena_chunk *next;
    size_t used, cap;
    unsigned char *mem;
};

enum { CHUNK_MIN_B = 64 * 1024 };

static void out_of_memory(void)
{
    fputs("bankshot: out of memory\n", stderr);
    _Exit(4);
}

void *xmalloc(size_t size)
{
    void *p = malloc(size ? size : 1);
    if (!p)
        out_of_memory();
    return p;
}

void *xcalloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size ? size : 1);
    if (!p)
        out_of_memory();
    return p;
}

void *xrealloc(void *p, size_t size)
{
    void *q = realloc(p, size ? size : 1);
    if (!q)
        out_of_memory();
    return q;
}

char *xstrdup(const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(xmalloc(n), s, n);
}

void *xraw_lines(size_t n, size_t size)
{
    size_t all;
    if (__builtin_mul_overflow(n, size, &all) || all > SIZE_MAX - HOST_LINE_B)
        out_of_memory();
    all = (all + HOST_LINE_B - 1) / HOST_LINE_B * HOST_LINE_B;
    void *p = aligned_alloc(HOST_LINE_B, all ? all : HOST_LINE_B);
    if (!p)
        out_of_memory();
    return p;
}

void *xlines(size_t n, size_t size) { return memset(xraw_lines(n, size), 0, n * size); }

static struct arena_chunk *chunk_new(size_t cap)
{
    struct arena_chunk *c = xmalloc(sizeof *c + HOST_LINE_B + cap);
    uintptr_t begin = (uintptr_t)(c + 1);
    c->mem = (unsigned char *)(c + 1) + (HOST_LINE_B - begin % HOST_LINE_B) % HOST_LINE_B;
    c->cap = cap;
    return c;
}

static void *take(struct arena *a, size_t size, size_t align)
{
    struct arena_chunk *c = a->head;
    size_t from = c ? (c->used + align - 1) & ~(align - 1) : 0;
    if (!c || from > c->cap || c->cap - from < size) {
        c = chunk_new(size > CHUNK_MIN_B ? size : CHUNK_MIN_B);
        c->next = a->head;
        a->head = c;
        from = 0;
    }
    c->used = from + size;
    a->used_b += size;
    return c->mem + from;
}

void *arena_alloc(struct arena *a, size_t size)
{
    size = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    return memset(take(a, size, alignof(max_align_t)), 0, size);
}

void *arena_raw_lines(struct arena *a, size_t size)
{
    return take(a, (size + HOST_LINE_B - 1) & ~(size_t)(HOST_LINE_B - 1), HOST_LINE_B);
}

void *arena_lines(struct arena *a, size_t size) { return memset(arena_raw_lines(a, size), 0, size); }

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
    char *p = arena_alloc(a, n + 1);
    memcpy(p, s, n);
    return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *p = arena_alloc(a, (size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    return p;
}

void arena_free(struct arena *a)
{
    for (struct arena_chunk *c = a->head, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    *a = (struct arena){0};
}
