/* SPDX-License-Identifier: Apache-2.0 */
/* Exact reuse distances (operands_ops.near): whether the next read of each register that a warp's instruction names is near, this
 * time. A second reader of the CTA's streams is ahead of the first by as many instructions as count as near, and no more, so what
 * it costs is bounded by the warps in the SM. The SM asks once for each instruction that it fetches; nobody asks where the option
 * is off. */
#ifndef SM_AHEAD_H
#define SM_AHEAD_H

#include <stdint.h>

struct ahead;
struct sm_kernel;
struct tr_cta;

/* Of an instruction's registers (kinsn.read, .write): the next read is near, by bit. */
struct near_bits {
    uint16_t read, write;
};

/* Takes the stream, which nobody has read from. */
struct ahead *ahead_new(struct tr_cta *stream, const struct sm_kernel *k, uint32_t nwarps, uint32_t near);
void ahead_free(struct ahead *a);
/* Of the warp's next instruction. */
struct near_bits ahead_next(struct ahead *a, uint32_t warp);

#endif
