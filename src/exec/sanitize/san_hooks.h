/* SPDX-License-Identifier: Apache-2.0 */
/* Where the executor tells the checks what an observer does not see. Called by launch.c and warp/bar.c, only where a launch is
 * checked. */
#ifndef EXEC_SANITIZE_HOOKS_H
#define EXEC_SANITIZE_HOOKS_H

#include "exec/run.h"

void san_begin(struct san *k, struct run *r); /* makes itself the launch's observer */
void san_end(struct san *k);                  /* tells what was found */
void san_free(struct san *k);

void san_cta_begin(struct san *k, struct cta *c);
void san_cta_run(struct san *k, struct cta *c); /* instructions from now on are of this CTA */
void san_cta_end(struct san *k, struct cta *c);

/* Lanes of the warp have come to a CTA barrier; it is complete, and those that wait have not gone on yet. */
void san_arrive(struct san *k, const struct warp *w, uint32_t id, uint32_t lanes);
void san_release(struct san *k, const struct cta *c, uint32_t id);

#endif
