/* SPDX-License-Identifier: Apache-2.0 */
/* Inside an SM: what parking (park.c) asks of the others, and they of it. */
#ifndef SM_PARK_H
#define SM_PARK_H

#include "sm/core.h"

/* switch.c: what a CTA holds on its way to memory and back. */
enum switch_way { SWITCH_NONE, SWITCH_OUT, SWITCH_SAVED, SWITCH_IN };
/* It begins to leave, or to come back; false: that costs nothing (share.switch_b). */
bool switch_begin(struct sm *s, uint32_t slot, enum switch_way way);
void switch_cancel(struct sm *s, uint32_t slot); /* it stays after all */
void switch_free(struct sm *s);

/* A CTA ends, while it has its slots. */
void park_ended(struct sm *s, struct sm_cta *c);
void park_free(struct sm *s);
void park_print(const struct sm *s, FILE *to); /* for a deadlock's report */

#endif
