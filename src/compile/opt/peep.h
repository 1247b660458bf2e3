/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns that one machine instruction does better. */
#ifndef COMPILE_PEEP_H
#define COMPILE_PEEP_H

#include "ir/ir.h"

bool peephole(struct ir_fn *fn); /* did anything change? */
/* Takes out what patterns left as NOPs. */
void peep_drop_nops(struct ir_fn *fn);

#endif
