/* SPDX-License-Identifier: Apache-2.0 */
/* A bump allocator: everything that lives as long as one module or one compilation.
 * Callers allocate and never free single objects; arena_free drops the lot.
 * Memory comes zeroed. Running out of memory ends the process with a message (status 4). */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *head;
    size_t used_b; /* bytes handed out, for tests and limits */
};

void *arena_alloc(struct arena *a, size_t size);
/* From the beginning of a line of the host's caches on; raw: not zeroed. */
void *arena_lines(struct arena *a, size_t size);
void *arena_raw_lines(struct arena *a, size_t size);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void arena_free(struct arena *a);

#define ARENA_NEW(a, T) ((T *)arena_alloc((a), sizeof(T)))
#define ARENA_ARRAY(a, T, n) ((T *)arena_alloc((a), sizeof(T) * (size_t)(n)))

/* malloc family that never returns NULL. */
void *xmalloc(size_t size) __attribute__((returns_nonnull));
void *xcalloc(size_t n, size_t size) __attribute__((returns_nonnull));
void *xrealloc(void *p, size_t size) __attribute__((returns_nonnull));
/* From the beginning of a line of the host's caches on; zeroed, but for raw. */
void *xlines(size_t n, size_t size) __attribute__((returns_nonnull));
void *xraw_lines(size_t n, size_t size) __attribute__((returns_nonnull));
char *xstrdup(const char *s) __attribute__((returns_nonnull));

#endif
