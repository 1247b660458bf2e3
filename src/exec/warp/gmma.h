/* SPDX-License-Identifier: Apache-2.0 */
/* wgmma: matrices in shared memory, as descriptors tell where they lie, and what a warp multiplies.
 *
 * A descriptor (PTX ISA, "matrix descriptor") has, in units of 16 bytes, the start address (bits 0-13), the leading byte offset
 * (16-29) and the stride byte offset (32-45), then a base offset (49-51) and the swizzle mode (62-63: none, 128, 64, 32 bytes).
 * A matrix consists of lines of 16 bytes. With S the width of the swizzle in bytes (none: 16):
 *   K-major   line c (0, 1) of the 32 bytes of k that row i has: (i mod 8) S + (i div 8) stride + c (16; no swizzle: leading)
 *   MN-major  8 elements of 16 bits from row i on (i a multiple of 8), at k: with e = S / 2 elements of a repeat
 *             2 (i mod e) + (k mod 8) S + (i div e) leading + (k div 8) stride; no swizzle: leading and stride change places
 * The rows are those of A, the columns of B. Then, by the bits of the address alone, bits 4 and up are xored with as many from
 * bit 7 on (32 bytes: one, 64: two, 128: three), of which the base offset is taken off first. */
#ifndef EXEC_GMMA_H
#define EXEC_GMMA_H

#include "exec/xop.h"

enum { GMMA_ROWS = 16, GMMA_COLS = 256, GMMA_LINE_B = 32 };

/* The 16 rows of A that a warp has, and B by columns: 32 bytes along k each. */
struct gmma {
    unsigned char a[GMMA_ROWS][GMMA_LINE_B] __attribute__((aligned(16)));
    unsigned char b[GMMA_COLS][GMMA_LINE_B] __attribute__((aligned(16)));
    bool add_c;
};

/* Does the executor know the instruction's types and widths? */
bool gmma_known(const struct ir_insn *i);

#endif
