/* SPDX-License-Identifier: Apache-2.0 */
/* CTAs of an SM: places for their warps, barriers, ends (cta.c). */
#ifndef SM_CTA_H
#define SM_CTA_H

#include "sm/part.h"

/* FAR_ARRIVED, FAR_GONE, FAR_ALONE; there: so is still the CTA that it is for. */
void sm_cta_far_arrived(struct sm *s, const struct far_msg *m, bool there);
void sm_cta_arrive(struct part *p, uint32_t w, struct ientry *e, uint64_t t);
void sm_cta_exit(struct part *p, uint32_t w, uint32_t mask, uint64_t t); /* lanes */
void sm_cta_release(struct sm *s, uint32_t slot, uint32_t bar);
void sm_cta_begin(struct sm *s, uint32_t slot); /* its warps appear */
/* The CTA of a slot, of which nothing but its need and names are looked at, gets places for its warps. There is room. */
void sm_cta_take(struct sm *s, uint32_t slot);
void sm_cta_warp_ended(struct part *p, uint32_t w, uint64_t t);

#endif
