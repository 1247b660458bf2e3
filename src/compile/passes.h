/* The passes, in pipeline order. Each takes the function in the state the previous one left. */
#ifndef COMPILE_PASSES_H
#define COMPILE_PASSES_H

#include "compile/compile.h"
#include "ir/cfg.h"
#include "ir/live.h"

struct lower_ctx;

/* opt.c: copies, constants, addresses folded; dead code removed. Virtual registers. */
void pass_opt(struct ir_fn *fn);
/* reconv.c: BSSY/BSYNC for every branch that may diverge. Virtual registers. */
void pass_reconv(struct ir_fn *fn);
/* sched.c: order inside blocks by latency, aware of register pressure. Virtual registers. limit = registers available. */
void pass_sched(struct ir_fn *fn, uint32_t limit);
/* regalloc.c: physical registers under `limit` (at least 16), spill code, bank-aware choice. Returns NULL, or why not. */
const char *pass_regalloc(struct ir_fn *fn, uint32_t limit, uint32_t banks, bool bank_aware);
/* frame.c: prologue and epilogue, once the frame size is known. Physical registers. */
void pass_frame(struct ir_fn *fn);

/* Latency in cycles from issue to a dependent issue, for scheduling (Volta/Hopper measurements, docs/machine.md). */
unsigned sched_latency(const struct ir_insn *i);

#endif
