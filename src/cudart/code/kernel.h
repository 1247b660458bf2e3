/* SPDX-License-Identifier: Apache-2.0 */
/* What registration and modules need of kernels and variables; rt.h has what the rest needs. */
#ifndef CUDART_KERNEL_H
#define CUDART_KERNEL_H

#include "cudart/rt.h"

struct rt_module *module_new(struct rt *rt, const void *image, size_t image_b);
/* Kernel i of a module that is ready, in the order of its code; NULL: it has not so many. */
const char *module_kernel_name(const struct rt_module *m, uint32_t i);
struct rt_kernel *kernel_add(struct rt *rt, struct rt_module *m, const char *name, const void *stub);
void kernel_retire(struct rt *rt, struct rt_kernel *k);
struct rt_var *var_add(struct rt *rt, struct rt_module *m, const char *name, const void *host,
                       uint64_t size_b);
void var_retire(struct rt *rt, struct rt_var *v);
/* The variable in memory that the host reaches too (cuLibraryGetManaged). NULL: the module has none of that name. */
struct rt_var *module_managed(struct rt *rt, struct rt_module *m, const char *name);
/* Managed: the address where it lives, made at the first call; 0: no room. */
uint64_t var_memory(struct rt *rt, struct rt_var *v);

#endif
