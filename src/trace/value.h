/* The class of a register's content (enum tr_value), once per register write: the recorder's innermost work. */
#ifndef TRACE_VALUE_H
#define TRACE_VALUE_H

#include "trace/trace.h"

/* row: 32 words, 16-byte aligned. exist: the lanes that count, from lane 0 on without a gap; not 0. Of the classes that fit
 * the first in the enum's order is given: one lane is CONST, 16 lanes or less are never HALF. */
enum tr_value tr_value_class(const uint32_t *row, uint32_t exist);

#endif
