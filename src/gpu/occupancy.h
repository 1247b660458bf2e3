/* SPDX-License-Identifier: Apache-2.0 */
/* How many CTAs of a kernel an SM holds, what keeps it from holding more, and how a grid fills the GPU: the answer of the machine
 * that is simulated, by the rules that place CTAs in a run. Nothing here runs anything. */
#ifndef GPU_OCCUPANCY_H
#define GPU_OCCUPANCY_H

#include "gpu/gpu.h"

/* What an SM has so much of. The order is that of occupancy_limits. */
enum occupancy_limit { OCC_CTAS, OCC_THREADS, OCC_WARPS, OCC_REGISTERS, OCC_SHARED, OCC_LIMITS };
extern const struct occupancy_name {
    const char *name, *what;
} occupancy_limits[OCC_LIMITS];

/* A kernel and its launch. */
struct occupancy_ask {
    uint32_t threads;  /* of a CTA */
    uint32_t regs;     /* of a thread */
    uint32_t shared_b; /* of a CTA, static and dynamic */
    uint64_t ctas;     /* of the grid; 0: not known */
};

/* Are they the same? */
bool occupancy_same(const struct occupancy_ask *a, const struct occupancy_ask *b);

struct occupancy {
    struct sm_need need;
    uint32_t by[OCC_LIMITS]; /* CTAs that each limit alone allows; UINT32_MAX: it does not limit them */
    uint32_t ctas, warps;    /* that an SM holds together; ctas 0: not even one fits */
    uint32_t slots;          /* warps that an SM could hold */
    /* Limits that allow no more than these, by bit; 0: all allow more, but partitions lack room for all warps of another one. */
    uint32_t limits;
    char why[160]; /* ctas 0: why none fits, with the arithmetic */
    /* Of a grid: */
    double waves;      /* so often do its CTAs fill all SMs; below 1: it does not fill them once */
    uint64_t last;     /* CTAs of the last wave, 1 up to a whole one */
    uint32_t idle_sms; /* that get none */
};

/* Answers for one machine, of which an SM is made to ask it. */
struct occupancy_of;
struct occupancy_of *occupancy_open(const struct gpu_conf *c);
struct occupancy occupancy_get(const struct occupancy_of *o, const struct occupancy_ask *a);
void occupancy_close(struct occupancy_of *o);

struct tr_reader;
struct occupancy_ask occupancy_of_launch(const struct tr_reader *t, uint32_t launch);

/* Measured: warps of a launch that an SM had on average, over all SMs and the kernel's cycles; NaN: it is an estimate. */
double occupancy_achieved(const struct gpu_conf *c, const struct gpu_kernel_result *k, uint32_t warps);
/* Of the kernel's cycles: those after the start of its last CTA, in which SMs run empty. */
double occupancy_tail(const struct gpu_kernel_result *k);
/* SMs that issued nothing in a run. */
uint32_t occupancy_idle(const struct gpu_conf *c, const struct gpu_result *r);

#endif
