/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a configuration's controller (sm/control.h), if it has one: intervals end at the first boundary of windows at or after
 * their cycle, when every SM has run up to there. Whether windows without anything in them were skipped makes no difference. */
#ifndef GPU_CONTROL_H
#define GPU_CONTROL_H

#include "sm/sm.h"

struct control {
    const struct control_ops *ops; /* NULL: none */
    void *st;
    uint32_t cyc, grid; /* an interval, a window */
    uint64_t end;       /* cycle at which the interval ends */
    uint64_t at, insts; /* where it began */
    bool anew;          /* with each launch; `end` is UINT64_MAX until its first instruction */
    const struct sm_cfg *cfg;
};

void control_init(struct control *c, const struct sm_cfg *cfg, uint32_t window_cyc);
void control_free(struct control *c);
/* A launch has ended in the last window; all SMs have issued `insts` instructions. */
void control_launch_ended(struct control *c, uint64_t insts, struct sm **sms, uint32_t nsm);
/* A window has ended at cycle `until`, the next one begins at `now`, and all SMs have issued `insts` instructions. */
void control_pass(struct control *c, uint64_t until, uint64_t now, uint64_t insts, struct sm **sms,
                  uint32_t nsm);

#endif
