/* SPDX-License-Identifier: Apache-2.0 */
/* Inside regions (regions.h): what instructions do to registers, and where a stretch of them is split. For regions.c. */
#ifndef ANNOTATE_REGION_SPLIT_H
#define ANNOTATE_REGION_SPLIT_H

#include "annotate/regions.h"

/* By instruction, but for the last. */
struct region_code {
    const struct tr_kernel *k;
    regset *reads, *writes;
    regset *kills; /* of those written: whatever its lanes had is gone */
    /* Of those written: by a load from far memory, whose data come when the region has long issued */
    regset *late;
    regset *soft;   /* of those written: old values of some lanes are wanted */
    regset *wanted; /* after it, by any lane of the warp */
    /* Of a load from far memory: the first instruction of its block that touches the result; else 0 */
    uint32_t *use;
    regset *apart; /* by block */
};
void region_code_init(struct region_code *c, const struct tr_kernel *k, const regset *live);
void region_code_free(struct region_code *c);

/* Registers that instructions from `start` to before `end` need from outside. */
regset region_inputs(const struct region_code *c, uint32_t start, uint32_t end);
/* Instructions of the first region of a stretch. */
uint32_t region_length(const struct region_code *c, const struct region_limits *l, uint32_t start,
                       uint32_t end);

#endif
