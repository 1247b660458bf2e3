/* SPDX-License-Identifier: Apache-2.0 */
/* Launches: checks and execution, for op.c. */
#ifndef CUDART_LAUNCH_H
#define CUDART_LAUNCH_H

#include "cudart/rt.h"

cudaError_t launch_check(struct rt *rt, const struct rt_op *op);
cudaError_t launch_execute(struct rt *rt, struct rt_stream *s, const struct rt_op *op);
/* Shared memory of a CTA: static and dynamic together, and the most it may ask for without and with cudaFuncSetAttribute. */
/* CTAs of a cluster on every device that has them, and with cudaFuncAttributeNonPortableClusterSizeAllowed on this one. */
enum { CLUSTER_PORTABLE = 8, CLUSTER_MAX = 16 };
/* Reads the attributes of a launch. NULL, or what is not supported; *e: an attribute that does not exist, or makes no sense. */
const char *launch_attributes(const cudaLaunchAttribute *at, unsigned n, struct rt_wish *w, cudaError_t *e);
enum { SHARED_DEFAULT_B = 48 << 10, SHARED_OPTIN_B = 227 << 10 };

#endif
