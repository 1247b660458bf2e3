/* Inside an SM: what parking (park.c) asks of the others, and they of it. */
#ifndef SM_PARK_H
#define SM_PARK_H

#include "sm/core.h"

/* A CTA ends, while it has its slots. */
void park_ended(struct sm *s, struct sm_cta *c);
void park_free(struct sm *s);
void park_print(const struct sm *s, FILE *to); /* for a deadlock's report */

#endif
