/* SPDX-License-Identifier: Apache-2.0 */
/* Speed of light: how near a run came to what each part of the machine can do at most, and the operations it did for that. What
 * instructions do is read from their code; how often they were executed the caller has counted (struct light_work). */
#ifndef GPU_LIGHT_H
#define GPU_LIGHT_H

#include "gpu/gpu.h"

/* Floating-point operations, by the unit that does them. A fused multiply-add is two. */
enum light_kind { LIGHT_FP32, LIGHT_FP64, LIGHT_HALF, LIGHT_TENSOR, LIGHT_KINDS };
extern const char *const light_kinds[LIGHT_KINDS];

/* Operations of one warp instruction with `lanes` active lanes: those of tensor cores are the whole warp's. *kind is set where
 * there are some. Products of integers and bits on tensor cores count as operations too. */
double light_flops(const struct tr_insn *i, uint32_t lanes, enum light_kind *kind);

/* What was executed. */
struct light_work {
    double flops[LIGHT_KINDS];
    double busy[UNIT_COUNT]; /* cycles that units of a partition were taken, added up */
};
/* `issues` warp instructions with so many active lanes together. */
void light_add(struct light_work *w, const struct gpu_conf *c, const struct tr_insn *i, uint64_t issues,
               uint64_t lanes);

enum light_unit {
    LU_ISSUE,
    LU_REGISTERS,
    LU_FP32,
    LU_INT,
    LU_SFU,
    LU_FP64,
    LU_HALF,
    LU_TENSOR,
    LU_SHARED,
    LU_L1,
    LU_L2,
    LU_DRAM,
    LU_COUNT
};
extern const struct light_name {
    const char *name, *what, *unit; /* of rate and peak; NULL: these have none */
} light_units[LU_COUNT];

struct light {
    double seconds; /* of the kernel cycles */
    double flops;   /* all kinds together; NaN: nobody has counted */
    struct {
        /* Of what it could do in the kernel cycles, 0 to 1; NaN: not known, or the machine has none */
        double share;
        double rate, peak; /* per second; NaN: as above, or it has no such rate */
    } unit[LU_COUNT];
};
/* work: of all kernels; NULL: not counted. */
struct light light_of(const struct gpu_conf *c, const struct gpu_result *r, const struct light_work *work);
/* Operations per second that units of a kind can do at most. Of tensor cores: dense products of half-precision numbers, of warp
 * groups where the machine has them. */
double light_roof(const struct gpu_conf *c, enum light_kind kind);

#endif
