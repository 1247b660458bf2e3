/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel cycles: those in which at least one launch is in its span, from the cycle in which its first CTA starts on an SM to the
 * end of its last CTA. Spans of launches that run together are not counted twice. The GPU tells of beginnings and ends window by
 * window; nothing is done in between. Outside of every span no SM has a warp. */
#ifndef GPU_SPANS_H
#define GPU_SPANS_H

#include "base/vec.h"

#include <stdint.h>

struct span {
    uint32_t launch;   /* its number among those of all tenants, in the order of their turns */
    uint64_t from, to; /* to is UINT64_MAX while it runs */
};

struct spans {
    VEC(struct span) open; /* by their beginning */
    uint64_t settled;      /* everything before this cycle is in `cycles` */
    uint64_t cycles;
};

/* In the order of their beginnings, none of which lies before the last spans_settle. */
void spans_begin(struct spans *s, uint32_t launch, uint64_t at);
/* The launch has begun; `at` is the first cycle after it. */
void spans_end(struct spans *s, uint32_t launch, uint64_t at);
/* All that begins or ends before `until` has been told. */
void spans_settle(struct spans *s, uint64_t until);
/* Kernel cycles up to `at`, where nothing has begun or ended since the last spans_settle. */
uint64_t spans_upto(const struct spans *s, uint64_t at);
void spans_free(struct spans *s);

#endif
