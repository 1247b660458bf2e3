/* SPDX-License-Identifier: Apache-2.0 */
/* Which bits of a register can be one: 0 where every definition of the word leaves the bit zero. Addresses tell by it how they
 * are aligned, and values that come out of memory as bytes that they need no extension. */
#ifndef COMPILE_KNOWN_H
#define COMPILE_KNOWN_H

#include "compile/opt/defs.h"

/* By word, numbered as the definitions' words, in the arena of d. */
uint32_t *known_bits(struct defs *d);
/* The bits that o (one word of a register, an immediate, a constant) can have. */
uint32_t known_of(const struct defs *d, const uint32_t *bits, const struct ir_opnd *o);

#endif
