/* SPDX-License-Identifier: Apache-2.0 */
/* Small functions for the tests of ir/. */
#ifndef TEST_IR_IRT_H
#define TEST_IR_IRT_H

#include "base/bitset.h"
#include "ir/cfg.h"
#include "ir/live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define NONE ir_none()

/* Appends to block b. */
struct ir_insn *irt_emit(struct ir_fn *fn, uint32_t b, enum ir_op op, struct ir_opnd d, struct ir_opnd x,
                         struct ir_opnd y, struct ir_opnd z);

/* n blocks with the edges of the text "0-1 0-2 1-3": a block with two edges takes the first by a guarded branch and
 * must fall through to the second; a block without edges exits. Edges that are not the next block become branches. */
void irt_graph(struct ir_fn *fn, struct arena *a, uint32_t n, const char *edges);

#endif
