/* SPDX-License-Identifier: Apache-2.0 */
/* Numeric constants of PTX: 12 012 0x1F 0b101 12U 1.5 1e-3 0f3F800000 0d3FF0000000000000. */
#ifndef PTX_NUMBER_H
#define PTX_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

enum ptx_num_kind { NUM_INT, NUM_DOUBLE, NUM_SINGLE };

struct ptx_number {
    enum ptx_num_kind kind;
    bool is_unsigned;
    uint64_t value;      /* the integer, or the bits of the double or float */
    const char *problem; /* what is wrong with it, or NULL */
};

/* Reads the number at s (a digit; the text ends with a NUL) and returns where it ends. */
const char *ptx_number(const char *s, struct ptx_number *n);

/* Rounds to nearest even; the source is a double's bits. */
uint64_t ptx_bits_f64_to_f32(uint64_t bits);
uint64_t ptx_bits_f32_to_f64(uint64_t bits);

#endif
