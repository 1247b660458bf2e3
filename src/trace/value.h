/* The class of a register's content (enum tr_value), once per register write: the recorder's innermost work. */
#ifndef TRACE_VALUE_H
#define TRACE_VALUE_H

#include "trace/trace.h"

/* row: 32 words, 16-byte aligned. exist: the lanes that count, from lane 0 on without a gap; not 0. Of the classes that fit
 * the first in the enum's order is given: one lane is CONST, 16 lanes or less are never HALF. */
static inline enum tr_value tr_value_class(const uint32_t *row, uint32_t exist);

/* Lanes 0 and 1 tell which class is possible; most writes are none. */
enum tr_value tr_value_full(const uint32_t *row);
enum tr_value tr_value_part(const uint32_t *row, unsigned n);

static inline enum tr_value tr_value_class(const uint32_t *row, uint32_t exist)
{
    uint32_t step = row[1] - row[0];
    if (exist != ~0u)
        return tr_value_part(row, (unsigned)__builtin_popcount(exist));
    return step > 4 || step == 2 || step == 3 ? TV_OTHER : tr_value_full(row);
}

#endif
