/* SPDX-License-Identifier: Apache-2.0 */
/* One SM that plays a micro-kernel cycle by cycle, against a memory that the test answers for: to look into a policy's state
 * between two cycles. */
#ifndef TESTS_GPU_ONE_H
#define TESTS_GPU_ONE_H

#include "mini.h"

#include "sm/core.h"

struct one {
    struct mini *m;
    struct sm *s;
    struct sm_kernel *k;
    struct tr_reader *t;
    struct sm_timing tm;
    uint64_t now;
    bool ended;
    mem_reqs sent;  /* all, in their order */
    uint32_t given; /* of these: answered */
};

void one_init(struct one *o, struct mini *m);
void one_free(struct one *o);
/* A cycle passes. */
void one_step(struct one *o);
/* The next `n` requests that want an answer and have none get it, one per cycle from now on. */
void one_answer(struct one *o, uint32_t n);
/* Until the CTA has ended, with every request answered `after` cycles later. Fails if that takes too long. */
void one_finish(struct one *o, uint32_t after);

#endif
