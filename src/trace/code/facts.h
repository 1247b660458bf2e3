/* SPDX-License-Identifier: Apache-2.0 */
/* Facts of an instruction that its text tells (facts.def). */
#ifndef TRACE_FACTS_H
#define TRACE_FACTS_H

#include "trace/code/kernel.h"

enum tr_fact_at {
#define FACT(name, what) TF_AT_##name,
#include "trace/code/facts.def"
#undef FACT
    TR_FACTS
};
enum tr_fact {
#define FACT(name, what) TF_##name = 1 << TF_AT_##name,
#include "trace/code/facts.def"
#undef FACT
};

/* The facts of the instruction, TF_* by bit. Without a text it has none. */
uint32_t tr_facts(const struct tr_insn *i);

#endif
