/* SPDX-License-Identifier: Apache-2.0 */
/* Warps that execute some parts of their streams and jump over the others, so that a launch is sampled in place (gpu/sample).
 * What is jumped over takes no time; L1, L2 and the instruction caches have what it would have brought. Instructions that end
 * lanes are always executed; barriers are, unless jumps are counted in barriers: all warps of a CTA jump over the same ones. */
#ifndef SM_JUMP_H
#define SM_JUMP_H

#include "sm/sm.h"

struct part;
struct sm_kernel;
struct jump;

struct jump *jump_new(const struct sm_jumps *how, struct tr_cta *stream, uint32_t cta,
                      const struct sm_need *n);
/* As tr_next for the warp in slot `i`, of what is not jumped over. */
enum tr_status jump_next(struct part *p, uint32_t i, struct tr_step *step);

#endif
