/* SPDX-License-Identifier: Apache-2.0 */
/* A warp's scoreboard for those beside the stages (warp.c; stages/warp.h is what issue asks). */
#ifndef SM_BOARD_H
#define SM_BOARD_H

#include "sm/part.h"

/* Re-evaluates whether a warp can issue, after anything that may have changed it. */
void sm_warp_refresh(struct part *p, uint32_t w);
/* What a warp that is blocked by BLOCK_ALU is charged to (enum sm_stat). */
uint8_t sm_warp_blame(const struct part *p, uint32_t w);
/* Has an instruction of the warp in the collectors yet to read one of these registers? `words`: those of regs that are not 0. */
bool sm_warp_reads(const struct part *p, uint32_t w, const uint64_t *regs, unsigned words);
/* ... or this one, or is it to be written? */
bool sm_warp_uses(const struct part *p, uint32_t w, uint32_t reg);
/* Are registers among these bits of the warp's scoreboard? */
bool sm_warp_has_regs(const struct part *p, uint32_t w, const uint64_t *bits);
/* Where lsu_ops.holds: an access to lines issues, and all of its lines have reached L1. */
void lsu_issued(struct part *p, uint32_t flight);
void lsu_reached(struct part *p, uint32_t flight, uint64_t t);

#endif
