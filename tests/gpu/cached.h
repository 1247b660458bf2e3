/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of the tests of register caches (rfc, swrfc, ltrf, bow, regless, rfv): a case opens a machine with one of them,
 * writes a kernel of a few instructions, runs it and says what was counted.
 *
 *   static void reads_twice(void **state)
 *   {
 *       struct cached *x = *state;
 *       cached_open(x, "rfc");
 *       fp32(x, 1, 2, none, none);
 *       fp32(x, 3, 1, 2, none);
 *       cached_run(x);
 *       counted(x, cache_hits, 1);
 *   }
 *
 * It is listed as CACHED(reads_twice), which makes `state` and frees what the case has left. */
#ifndef TESTS_GPU_CACHED_H
#define TESTS_GPU_CACHED_H

#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "stat_at.h"

#include <cmocka.h>

struct cached {
    struct mini m;
    struct gpu_result r; /* of the last run */
    char refusal[400];
    bool open; /* there is a machine */
};

enum { none = MINI_NONE };
#define FAR 0x200000000000ull /* an address in device memory */

int cached_setup(void **state);
int cached_teardown(void **state);
#define CACHED(f) cmocka_unit_test_setup_teardown(f, cached_setup, cached_teardown)

/* An empty kernel on a machine of one partition with room for four warps. A case may open several, one after the other. */
void cached_open(struct cached *x, const char *operands);
void cached_set(struct cached *x, const char *assignment);
/* An instruction; -1 (none) for a register that it does not have. Returns its index. */
uint32_t fp32(struct cached *x, int d, int a, int b, int c);
uint32_t load(struct cached *x, int d, int addr);
/* Some lanes only execute an instruction. */
void lanes(struct cached *x, uint32_t insn, uint32_t mask);
/* Plays the kernel with all checks; every operand that was read came from the cache or from a bank. Returns cycles. */
uint64_t cached_run(struct cached *x);
/* Why it is refused. */
const char *cached_refusal(struct cached *x);

/* What a counter of the last run says; own: one of the policy's, by its full name. */
#define count_of(x, counter) ((x)->r.sm[SS_##counter])
#define own_of(x, name) ((x)->r.sm[stat_at(name)])
#define counted(x, counter, n) assert_int_equal(count_of(x, counter), n)
#define counted_own(x, name, n) assert_int_equal(own_of(x, name), n)

/* ---- cases of more than one policy; the machine is open ---- */

/* Two warps, one of which may be active. Each makes R1 and waits for a load: it leaves the active set, and reads R1 again when it
 * has come back. */
void cached_swap(struct cached *x, const char *wsched);
/* The three states of the Malekeh paper's Fig. 10. While the active warp waits for its own results a ready one stands outside:
 * those cycles are the scheduler's fault. With room for both in the set there are none. */
void cached_three_states(struct cached *x, uint32_t active);

#endif
