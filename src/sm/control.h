/* SPDX-License-Identifier: Apache-2.0 */
/* A controller: sets one value for all SMs from what the GPU has done in an interval. The GPU counts, between windows, and hands
 * the value on; the policy that brings the controller gets it in every partition (operands_ops.set). */
#ifndef SM_CONTROL_H
#define SM_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sm_cfg;

struct control_ops {
    size_t state_b;
    /* Cycles of an interval; 0: with this configuration there is nothing to control. */
    uint32_t (*interval)(const struct sm_cfg *cfg);
    /* Does it start anew with each launch? Then `init` is called again when one has ended, and the next interval begins when
     * the next instruction was issued. */
    bool (*anew)(const struct sm_cfg *cfg);
    uint32_t (*init)(void *st, const struct sm_cfg *cfg); /* returns the value for the first interval */
    /* An interval has ended, with this many warp instructions per cycle. Returns the value for the next one. */
    uint32_t (*step)(void *st, double ipc);
};

#endif
