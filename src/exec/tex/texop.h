/* SPDX-License-Identifier: Apache-2.0 */
/* The seam between the executor core and textures: warp.c calls exec_tex_op for TEX, SULD, SUST and TXQ; texop.c
 * implements it. Descriptors live in a table that only texop.c knows, hung into the device at tex_table. */
#ifndef EXEC_TEXOP_H
#define EXEC_TEXOP_H

#include "exec/exec.h"
#include "exec/xop.h"

/* Executes x (x->insn has op, sub, type, stype, vec, flags, bop) for the lanes in mask, which is never 0: sources are
 * x_row(w, x, i), consecutive rows for operands of several words; results go to x_dst(w, x, 0) and the rows after it, for
 * the lanes in mask only (x_dst always has room for 4 rows, also when the destination is absent).
 * addr_out[lane] = device byte address of the lane's (first) texel, for recording; 0 where there is none (TXQ, border).
 * Returns false after an error: *bad_lane is the lane, *why a constant string such as "texture reference is not bound".
 * The core then stops the launch with EXEC_BAD_ADDRESS if addr_out[*bad_lane] is not 0, else with EXEC_BAD_CODE. */
bool exec_tex_op(struct exec_dev *d, const struct xop *x, struct xwarp *w, uint32_t mask,
                 uint64_t addr_out[32], uint32_t *bad_lane, const char **why);

/* Device memory for texop.c: exec_ptr (exec.h) gives a writable host pointer to [addr, addr + size_b), or NULL. */
static inline const void *exec_mem_at(struct exec_dev *d, uint64_t addr, uint64_t size_b)
{
    return exec_ptr(d, addr, size_b);
}

/* Where texop.c keeps its handle table: NULL at first; exec_dev_free calls exec_tex_table_free on it. */
void **exec_dev_tex_table(struct exec_dev *d);
void exec_tex_table_free(void *table); /* in texop.c; NULL is fine */

#endif
