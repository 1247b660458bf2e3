/* SPDX-License-Identifier: Apache-2.0 */
/* What a run tells its observer between windows, and the counters of a cycle on the way. Launches tell of themselves
 * (launch.h). */
#ifndef GPU_TELL_H
#define GPU_TELL_H

#include "gpu/launch.h"

struct tell {
    const struct gpu_observer *watch; /* NULL: nobody, and nothing here may be called */
    const struct gpu_conf *c;
    struct sm **sms;
    struct memsys *mem;
    const struct spans *spans;
    uint32_t ntenants;
    uint64_t sample_at; /* cycle of the next sample */
};

void tell_start(struct tell *t);
void tell_window(struct tell *t, uint64_t until);
/* Up to cycle `now` nothing happens; samples that fall there are taken all the same. */
void tell_gap(struct tell *t, uint64_t now);
/* A run that was cut at cycle `until` leaves kernels that have begun. */
void tell_unfinished(struct tell *t, const struct launches *tenants, const struct gpu_result *r,
                     uint64_t until);

/* Counters at the end of a window, without those of tenants. */
void tell_peek(const struct gpu_conf *c, struct sm **sms, struct memsys *mem, const struct spans *spans,
               uint64_t at, struct gpu_sample *s);
/* Up to cycle `at`, of which `kernel_cycles` lie in a launch's span. In the others no SM has a warp; that is not the SMs'
 * doing. */
void split_no_warp(const struct gpu_conf *c, uint64_t at, uint64_t kernel_cycles, uint64_t sm[SS_COUNT]);

#endif
