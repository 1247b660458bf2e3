/* SPDX-License-Identifier: Apache-2.0 */
/* Modules that a program loads itself, for the runtime's and the driver's names. */
#ifndef CUDART_LIBRARY_H
#define CUDART_LIBRARY_H

#include "cudart/rt.h"

cudaError_t library_load_file(struct rt *rt, const char *path, struct rt_module **out);
/* Not a texture: cudaErrorSymbolNotFound. */
cudaError_t library_variable(struct rt *rt, struct rt_module *m, const char *name, uint64_t *addr,
                             uint64_t *size_b);

#endif
