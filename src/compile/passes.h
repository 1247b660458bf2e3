/* SPDX-License-Identifier: Apache-2.0 */
/* The passes, in pipeline order. Each takes the function in the state the previous one left. */
#ifndef COMPILE_PASSES_H
#define COMPILE_PASSES_H

#include "compile/compile.h"
#include "ir/cfg.h"
#include "ir/live.h"

/* MUFU: the instruction is not shared with equal ones (cse.c). */
enum { IRF_OWN = IRF_NC };

/* A constant of this bank is the address of a shared variable on sm_90, which is computed when the kernel runs (constants.c): its
 * offset, of which the compiler knows the bits below ALIGN_WINDOW. */
enum { BANK_WINDOW = 255, ALIGN_WINDOW = 1024 };

/* narrow.c: global addresses of one register, and what made their upper halves goes. Virtual registers, before all others. */
void pass_narrow(struct ir_fn *fn);
/* fuse.c: products and sums that PTX lets be fused. Virtual registers, first of all. */
void pass_fuse(struct ir_fn *fn);
/* opt.c: copies, constants, addresses folded; dead code removed. Virtual registers. */
void pass_opt(struct ir_fn *fn);
/* cse.c: values that are computed twice. Were there any? Virtual registers. */
bool pass_cse(struct ir_fn *fn);
/* masks.c: masks that take nothing away. Were there any? Virtual registers. */
bool pass_masks(struct ir_fn *fn);
/* products.c: both words of one product (sm_90). Were there any? Virtual registers. */
bool pass_products(struct ir_fn *fn);
/* windows.c: equal addresses in shared memory in several blocks (sm_90). Were there any? Virtual registers, behind cse.c. */
bool pass_windows(struct ir_fn *fn);
bool pass_dead(struct ir_fn *fn);                                      /* did anything go? */
bool dead_has_effect(const struct ir_fn *fn, const struct ir_insn *i); /* beyond what it writes */
/* params.c: loads of constants at known addresses become moves. Did any? Virtual registers. */
bool pass_params(struct ir_fn *fn);
/* strength.c: atomics without a result, shifts of widened numbers. Did any change? Virtual registers. */
bool pass_strength(struct ir_fn *fn);
/* vector.c: neighbouring accesses to shared memory become one. Were there any? Virtual registers. */
bool pass_vector(struct ir_fn *fn);
/* combine.c: what one instruction makes of another's result, by one (sm_90). Did anything change? Virtual registers. */
bool pass_combine(struct ir_fn *fn);
/* dots.c: sums of four products of bytes become dot products (sm_90). Were there any? Virtual registers. */
bool pass_dots(struct ir_fn *fn);
/* aggregate.c: atomics of a warp on one address become one (sm_90). Were there any? Virtual registers. */
bool pass_aggregate(struct ir_fn *fn);
/* tuples.c: tuples of registers that are made of the same words become one. Virtual registers. */
void pass_tuples(struct ir_fn *fn);
/* unread.c: what is overwritten before it is read. Did anything go? Virtual registers. */
bool pass_unread(struct ir_fn *fn);
/* unroll.c: small loops that count become four rounds at a time. Was there one, on sm_90, that is small only for its loads?
 * With keep_large those stay. Virtual registers. */
bool pass_unroll(struct ir_fn *fn, bool keep_large);
/* How many rounds of a loop the block makes at a time, as sm_90 code; UINT32_MAX: it makes at most one that is left. */
unsigned unroll_rounds(const struct ir_block *b);
/* divisors.c: reciprocals of integer divisors go in front of loops (sm_90). Virtual registers. */
void pass_divisors(struct ir_fn *fn);
/* bases.c: the base of an address stands in registers (sm_90). Virtual registers, before hoist.c. */
void pass_bases(struct ir_fn *fn);
/* hoist.c: constants that must stand in registers move there once, in front of loops. Virtual registers. */
void pass_hoist(struct ir_fn *fn);
/* texels.c: texture instructions write the channels that are used. Virtual registers. */
void pass_texels(struct ir_fn *fn);
/* cleanup.c: branches threaded, exits predicated, unreachable blocks dropped, straight-line blocks joined. */
void pass_cleanup(struct ir_fn *fn);
/* ifconv.c: short bodies under a branch become predicated instructions. */
void pass_ifconv(struct ir_fn *fn);
/* latch.c: ways back to one loop lead to one block, where lanes meet (sm_90). Virtual registers. */
void pass_latches(struct ir_fn *fn);
/* uniform.c: for every block, may its closing branch go different ways for lanes of one warp? (an array by block) */
bool *find_divergent(struct ir_fn *fn, const struct ir_cfg *c, struct arena *a);
/* reconv.c: BSSY/BSYNC for every branch that may diverge. Virtual registers. */
void pass_reconv(struct ir_fn *fn);
/* remat.c: values that are quick to make are made again behind the points of highest pressure. Virtual registers. */
void pass_remat(struct ir_fn *fn);
/* wide.c: what is copied to and from accumulators of warp groups becomes part of them. Virtual registers. */
void pass_wide(struct ir_fn *fn);
/* sched.c: order inside blocks by latency, aware of register pressure. Virtual registers. limit = registers available. */
void pass_sched(struct ir_fn *fn, uint32_t limit);
/* regalloc.c: physical registers under `limit` (at least 16), spill code, bank-aware choice. Returns NULL, or why not. */
const char *pass_regalloc(struct ir_fn *fn, uint32_t limit, uint32_t banks, bool bank_aware);
/* balance.c: sums, shifts and copies go to the pipe that has less to do. Physical registers. */
void pass_balance(struct ir_fn *fn);
/* frame.c: prologue and epilogue, once the frame size is known. Physical registers. */
void pass_frame(struct ir_fn *fn);
/* constants.c: loads of constants, and uniform registers (sm_90). Physical registers, last of all. */
void pass_constants(struct ir_fn *fn);

/* Latency in cycles from issue to a dependent issue, for scheduling (Volta/Hopper measurements, docs/machine.md). */
enum { SCHED_FAR = 260 }; /* of a load that leaves the SM */
unsigned sched_latency(const struct ir_insn *i);
/* Cycles until a sub-core's tensor core takes another instruction; 0: it is not one of those. */
unsigned sched_busy(const struct ir_insn *i);

#endif
