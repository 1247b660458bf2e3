/* SPDX-License-Identifier: Apache-2.0 */
/* run --check of NVIDIA's code: whether its control codes wait as long as the machine's latencies want. */
#ifndef CLI_WAITS_H
#define CLI_WAITS_H

#include "gpu/gpu.h"
#include "trace/trace.h"

/* Only where the machine goes by control codes and kernels have them. False: d has an error for each kernel that does not wait
 * long enough. */
bool cli_waits_ok(const struct gpu_conf *c, const struct tr_reader *t, struct diag *d);

#endif
