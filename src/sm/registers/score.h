/* SPDX-License-Identifier: Apache-2.0 */
/* Scores for bank-aware scheduling: for a warp's next instruction, the sum over its source operands of the reads queued at the
 * operand's bank, five bits wide (partition paper, section IV-A). The queues are as they were some cycles ago, when this
 * cycle's scores began to be computed. */
#ifndef SM_SCORE_H
#define SM_SCORE_H

#include "base/hint.h"

#include <stdint.h>

struct part;

enum { SCORE_MAX = 31, SCORE_LATENCY_MAX = 20 };

struct score *score_new(uint32_t banks, uint32_t late_cyc);
void score_free(struct score *s);
/* Once per tick, before anybody issues: takes down the reads that wait in cycle t. (Both stay functions of their own: built into
 * the loop over the partitions, what they compute of t is computed for every machine.) */
ASIDE void score_sample(struct part *p, uint64_t t);
/* The scores of the slots of `ready`, by slot. They stand until the next call. */
ASIDE const uint8_t *score_warps(const struct part *p, uint64_t ready, uint64_t t);

#endif
