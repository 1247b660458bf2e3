/* SPDX-License-Identifier: Apache-2.0 */
/* Registers that warps touch in windows of cycles, counted where sm.reg_window asks for it (window.c). */
#ifndef SM_WINDOW_H
#define SM_WINDOW_H

#include "annotate/regset.h"
#include "sm/part.h"

struct reg_window {
    uint32_t cyc, n; /* cycles; warp slots */
    bool busy;
    uint64_t index;
    regset *touched; /* by slot of the SM; NULL: nobody asks */
};

/* Callers ask s->operands.window.touched first, but for the first. */
void window_init(struct sm *s);
void window_begin(struct sm *s); /* it has a CTA */
void window_end(struct sm *s);   /* it has none */
void window_touch(struct part *p, uint32_t warp, const struct kinsn *k);

#endif
