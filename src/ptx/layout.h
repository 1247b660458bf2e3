/* SPDX-License-Identifier: Apache-2.0 */
/* Where a module's .const variables lie in constant bank 3: in order of declaration, each at its alignment. The compiler
 * writes these offsets into the code, the executor fills the bank by them. */
#ifndef PTX_LAYOUT_H
#define PTX_LAYOUT_H

#include "ptx/ptx.h"

uint64_t ptx_const_off(const struct ptx_module *m, const struct ptx_var *v);
uint64_t ptx_const_size(const struct ptx_module *m);

#endif
