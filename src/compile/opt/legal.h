/* SPDX-License-Identifier: Apache-2.0 */
/* Which sources of an instruction may be an immediate or a constant-bank word: the machine reads at most one such
 * operand, and never as the first source of an arithmetic instruction. */
#ifndef COMPILE_LEGAL_H
#define COMPILE_LEGAL_H

#include "ir/ir.h"

/* May source i become o, the other sources staying as they are? */
bool legal_src(const struct ir_insn *insn, unsigned i, const struct ir_opnd *o);
/* May sources 0 and 1 change places? */
bool legal_commutes(const struct ir_insn *insn);

#endif
