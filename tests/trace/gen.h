/* SPDX-License-Identifier: Apache-2.0 */
/* Made-up kernels and instruction streams for the trace's tests. A stream is a function of its seed, so that a test that
 * reads a trace back makes the same stream again instead of keeping it. */
#ifndef TESTS_TRACE_GEN_H
#define TESTS_TRACE_GEN_H

#include "base/rng.h"
#include "trace/trace.h"

struct tr_kernel *gen_kernel(uint64_t seed, uint32_t n); /* n >= 4 instructions; passes tr_kernel_check */

struct gen_stream {
    struct rng r;
    const struct tr_kernel *k;
    uint64_t left;
    uint32_t at, mask, kept;
    uint64_t base[64];
};
struct gen_step {
    uint32_t at, mask;
    uint8_t space;
    uint64_t addrs[2][TR_LANES];
    uint8_t values[TR_DSTS * 4];
};

void gen_start(struct gen_stream *g, const struct tr_kernel *k, uint64_t seed, uint64_t insts);
bool gen_next(struct gen_stream *g, struct gen_step *s); /* false: the stream has ended */
void gen_write(struct tr_writer *w, uint32_t cta, uint32_t warp, const struct gen_step *s);
/* What was read is what was made: NULL, or what differs. */
const char *gen_compare(const struct tr_kernel *k, const struct gen_step *want, const struct tr_step *got);
const char *gen_compare_kernel(const struct tr_kernel *a, const struct tr_kernel *b);

/* ---- whole traces ---- */

/* A program: its launches' sizes; everything else follows from the seed. */
struct gen_launch {
    uint32_t kernel, ctas, threads;
    uint64_t insts;  /* of a warp, about */
    bool interleave; /* all CTAs are open at once */
    uint32_t fail;   /* the launch fails when this many CTAs have ended; 0: it does not */
};
struct gen_program {
    uint64_t seed;
    uint32_t nkernels, nlaunches;
    const struct gen_launch *launches;
    uint32_t small_b; /* the writer's limits; 0: as they are. Small ones make many chunks of few bytes */
};

struct tr_kernel *gen_program_kernel(const struct gen_program *p, uint32_t i);
void gen_program_stream(struct gen_stream *g, const struct gen_program *p, const struct tr_kernel *k,
                        uint32_t launch, uint32_t cta, uint32_t warp);
bool gen_program_write(const struct gen_program *p, const char *path, struct diag *d);
/* Reads every CTA that the trace has and compares. The trace may be partial or have damaged streams: what it gives must be
 * right as far as it goes. NULL, or what is wrong. *ctas: those read to their end; *refused: those that were refused. */
const char *gen_program_compare(const struct gen_program *p, struct tr_reader *r, uint64_t *ctas,
                                uint64_t *refused);

#endif
