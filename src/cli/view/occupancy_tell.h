/* SPDX-License-Identifier: Apache-2.0 */
/* What is told of occupancy: how many CTAs and warps an SM holds, what limits them, how a grid fills the GPU. */
#ifndef CLI_VIEW_OCCUPANCY_TELL_H
#define CLI_VIEW_OCCUPANCY_TELL_H

#include "cli/json.h"
#include "gpu/occupancy.h"

/* "registers", or "registers and shared memory"; "" where nothing but whole warps in partitions does. Returns to. */
const char *occupancy_limited_by(const struct occupancy *o, char *to, size_t size);
/* "12 CTAs and 48 of 64 warps an SM (75%), limited by registers" */
void occupancy_print_sm(const struct occupancy *o, FILE *to);
/* "8 CTAs are 0.01 waves of 960: 72 of 80 SMs have none" */
void occupancy_print_grid(const struct gpu_conf *c, const struct occupancy *o, uint64_t ctas, FILE *to);

extern const struct json_shape occupancy_shape;
/* k: measured; NULL: nothing is. */
json_t *occupancy_json(const struct gpu_conf *c, const struct occupancy_ask *a, const struct occupancy *o,
                       const struct gpu_kernel_result *k);

#endif
