/* SPDX-License-Identifier: Apache-2.0 */
/* Growable arrays. VEC(T) declares the struct; the macros work on any of them.
 * The storage is malloc'ed: vec_free it. Pointers into a vector die when it grows. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define VEC(T)                                                                                               \
    struct {                                                                                                 \
        T *at;                                                                                               \
        uint32_t n, cap;                                                                                     \
    }

#define vec_reserve(v, want)                                                                                 \
    do {                                                                                                     \
        if (!(v)->at || (v)->cap < (uint32_t)(want)) {                                                       \
            uint32_t cap_ = (v)->cap ? (v)->cap : 8;                                                         \
            while (cap_ < (uint32_t)(want))                                                                  \
                cap_ *= 2;                                                                                   \
            (v)->at = xrealloc((v)->at, sizeof *(v)->at * (size_t)cap_);                                     \
            (v)->cap = cap_;                                                                                 \
        }                                                                                                    \
    } while (0)

/* The value is evaluated before the array grows, so it may come from the array itself. */
#define vec_push(v, ...)                                                                                     \
    do {                                                                                                     \
        __typeof__(*(v)->at) val_ = __VA_ARGS__;                                                             \
        vec_reserve(v, (v)->n + 1);                                                                          \
        (v)->at[(v)->n++] = val_;                                                                            \
    } while (0)

/* Grow to n elements; new ones are zero. */
#define vec_resize(v, want_n)                                                                                \
    do {                                                                                                     \
        uint32_t n_ = (uint32_t)(want_n);                                                                    \
        vec_reserve(v, n_);                                                                                  \
        if (n_ > (v)->n)                                                                                     \
            memset((v)->at + (v)->n, 0, sizeof *(v)->at * (size_t)(n_ - (v)->n));                            \
        (v)->n = n_;                                                                                         \
    } while (0)

#define vec_insert(v, i, ...)                                                                                \
    do {                                                                                                     \
        __typeof__(*(v)->at) ins_ = __VA_ARGS__;                                                             \
        uint32_t at_ = (uint32_t)(i);                                                                        \
        vec_reserve(v, (v)->n + 1);                                                                          \
        memmove((v)->at + at_ + 1, (v)->at + at_, sizeof *(v)->at * (size_t)((v)->n - at_));                 \
        (v)->at[at_] = ins_;                                                                                 \
        (v)->n++;                                                                                            \
    } while (0)

#define vec_clear(v) ((void)((v)->n = 0))
#define vec_free(v)                                                                                          \
    do {                                                                                                     \
        free((v)->at);                                                                                       \
        (v)->at = NULL;                                                                                      \
        (v)->n = (v)->cap = 0;                                                                               \
    } while (0)

#define vec_each(v, p) for (__typeof__((v)->at + 0) p = (v)->at; p && p < (v)->at + (v)->n; p++)

#endif
