/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the cubin reader. */
#ifndef SASS_CUBIN_PARTS_H
#define SASS_CUBIN_PARTS_H

#include "sass/cubin.h"
#include "sass/elf.h"

#include <string.h>

/* Attributes of a section .nv.info (k NULL: of all kernels). False after telling why. */
bool cubin_info(struct elf_in *in, struct cubin *c, uint32_t section, struct cubin_kernel *k);
/* Line numbers of .debug_line. What is not understood in it is left out: code runs without. */
void cubin_lines(struct cubin *c);

#endif
