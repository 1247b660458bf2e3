/* SPDX-License-Identifier: Apache-2.0 */
/* SASS instructions: their classes, what they touch, and how many registers an operand has. */
#ifndef TRACE_SASS_H
#define TRACE_SASS_H

#include "trace/code/kernel.h"

enum sass_flow { SF_NONE, SF_BRANCH, SF_CALL, SF_END };

/* Fills class, memory behaviour, barrier and the registers of the operands that in->dst and in->src name (n = 1 on entry).
 * `opcode`: with modifiers. `addresses`: the trace has addresses for it. `imm`: its immediate, 0
 * where it has none. False: the opcode is unknown, and the class a guess. */
bool sass_describe(struct tr_insn *in, const char *opcode, uint32_t arch, bool addresses, int64_t imm);
enum tr_class sass_class(const char *opcode);
enum sass_flow sass_flow(const char *opcode);

#endif
