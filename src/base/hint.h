/* SPDX-License-Identifier: Apache-2.0 */
/* Hints for functions beside a hot path. */
#ifndef BASE_HINT_H
#define BASE_HINT_H

/* Not built into its caller: where a few machines call it, the loop of all others stays small. */
#define ASIDE __attribute__((noinline))
/* The same, and most runs never call it. */
#define SELDOM __attribute__((noinline, cold))

/* A condition of a hot path that seldom holds: what it guards is moved out of the way, and takes no registers from the rest. */
#define RARE(x) __builtin_expect(!!(x), 0)

/* Built into each caller: what that knows of the arguments is not asked again. */
#define INTO static inline __attribute__((always_inline))

/* All that it calls is built into it, but for what is aside: a loop whose calls would cost a good part of what they do. */
#define FLAT __attribute__((flatten))

/* Bytes of a line of the host's caches. */
enum { HOST_LINE_B = 64 };

#endif
