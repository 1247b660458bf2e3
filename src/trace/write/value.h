/* SPDX-License-Identifier: Apache-2.0 */
/* The class of a register's content (enum tr_value), once per register write: the recorder's innermost work. */
#ifndef TRACE_VALUE_H
#define TRACE_VALUE_H

#include "trace/trace.h"

/* row: 32 words, 16-byte aligned. exist: the lanes that count, from lane 0 on without a gap; not 0. Of the classes that fit
 * the first in the enum's order is given: one lane is CONST, 16 lanes or less are never HALF. */
static inline enum tr_value tr_value_class(const uint32_t *row, uint32_t exist);
/* The same for all lanes. */
static inline enum tr_value tr_value_whole(const uint32_t *row);

/* Lanes 0 and 1 tell which class is possible; most writes are none. */
enum tr_value tr_value_part(const uint32_t *row, unsigned n);

enum { TR_HALF = TR_LANES / 2 };
typedef uint32_t tr_u32x4 __attribute__((vector_size(16), may_alias));
typedef uint64_t tr_u64x2 __attribute__((vector_size(16), may_alias));

enum { TR_ROW_EVEN, TR_ROW_HALVES, TR_ROW_ODD }; /* one step for all lanes, for those of each half, neither */

/* step: 0, 1 or 4. */
static inline enum tr_value tr_value_by_step(uint32_t step, unsigned how)
{
    static const uint8_t of[3][5] = {
        [TR_ROW_EVEN] = {TV_CONST, TV_STRIDE1, 0, 0, TV_STRIDE4},
        [TR_ROW_HALVES] = {TV_OTHER, TV_HALF1, 0, 0, TV_HALF4},
    };
    return (enum tr_value)of[how][step];
}

/* Not 0 unless lane i of each half is that half's lane 0 + step * i. */
static inline uint64_t tr_halves_off(const uint32_t *row, uint32_t step)
{
    /* What four lanes have more than the first, and than the four before them. */
    static const tr_u32x4 ramps[5][2] = {
        [1] = {{0, 1, 2, 3}, {4, 4, 4, 4}}, [4] = {{0, 4, 8, 12}, {16, 16, 16, 16}}};
    const tr_u32x4 *lo = (const void *)row, *hi = lo + TR_HALF / 4;
    uint32_t a = row[0], b = row[TR_HALF];
    tr_u32x4 next = ramps[step][1], off_lo = {0}, off_hi = {0};
    tr_u32x4 want_lo = ramps[step][0] + (tr_u32x4){a, a, a, a},
             want_hi = ramps[step][0] + (tr_u32x4){b, b, b, b};
    for (unsigned k = 0; k < TR_HALF / 4; k++, want_lo += next, want_hi += next) {
        off_lo |= lo[k] ^ want_lo;
        off_hi |= hi[k] ^ want_hi;
    }
    tr_u64x2 any = (tr_u64x2)(off_lo | off_hi);
    return any[0] | any[1];
}

/* Past the first test it is looked up: whether a row is regular is too often guessed wrong for a branch. */
static inline enum tr_value tr_value_whole(const uint32_t *row)
{
    uint32_t step = row[1] - row[0];
    if (step > 4 || step == 2 || step == 3)
        return TV_OTHER;
    unsigned halves = row[TR_HALF] != row[0] + TR_HALF * step, odd = tr_halves_off(row, step) != 0;
    return tr_value_by_step(step, (halves & ~odd) | odd << 1);
}

static inline enum tr_value tr_value_class(const uint32_t *row, uint32_t exist)
{
    return exist == ~0u ? tr_value_whole(row) : tr_value_part(row, (unsigned)__builtin_popcount(exist));
}

#endif
