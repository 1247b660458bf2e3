/* SPDX-License-Identifier: Apache-2.0 */
/* Whole kernels: a body over a fixed prologue, results in 64-bit slots per thread.
 *
 * The kernel's parameters are .u64 out, in0, in1, in2 (absent buffers are not declared), then `params`. The body finds
 * %out (this thread's first slot), %in0..%in2 (buffer addresses), %tx (thread x), %gid (linear thread index in the grid),
 * and registers %p<16> pred, %h<32> b16, %r<96> b32, %rd<32> b64, %f<64> f32, %fd<32> f64.
 * Slots are zero before the launch, so a store of 32 bits reads back zero extended. */
#ifndef TESTS_ISA_RUN_H
#define TESTS_ISA_RUN_H

#include "isa.h"

struct kern {
    const char *name;   /* for the table and messages */
    const char *module; /* text before the kernel: variables, functions */
    const char *params; /* ", .param .u32 x" ... */
    const char *body;
    unsigned slots;
    uint32_t grid[3], block[3], cluster[3]; /* cluster: 0 for none */
    uint32_t dyn_shared_b;
    struct isa_buf in[3];
    const void *extra;
    size_t extra_b;
    bool cooperative;
    uint32_t tight_regs; /* isa_launch's */
    FILE *out;
};

const char *kern_text(struct isa *t, const struct kern *k);
uint32_t kern_threads(const struct kern *k);
struct isa_launch kern_launch(struct isa *t, const struct kern *k, uint64_t *out);

/* Runs every configuration; want has slots values per thread, in order of thread index. Input buffers are compared with
 * want_in where it is not NULL (same layout as k->in), and restored before each run. */
void kern_check(struct isa *t, const struct kern *k, const uint64_t *want, const void *const *want_in);

#endif
