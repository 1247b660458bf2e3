/* SPDX-License-Identifier: Apache-2.0 */
/* The renamed register file, register by register. One partition with two banks, the file's registers divided between them. */
#include "cached.h"
#include "one.h"

#include "sm/operands/rfv/rfv.h"

static void open_rfv(struct cached *x, const char *regs)
{
    cached_open(x, "rfv");
    cached_set(x, regs);
}

/* R0 and R2 are taken by results and given back by their last readers; R4, which nobody reads, when the warp issues after its
 * write; R6 goes with the warp. R1, which is read and never written, has no place at all. */
static void taken_and_freed(void **state)
{
    struct cached *x = *state;
    open_rfv(x, "rfv.regs=16");
    fp32(x, 0, none, none, none);
    fp32(x, 2, 0, 1, none);
    fp32(x, 4, 2, none, none);
    fp32(x, 6, none, none, none);
    mini_bar(&x->m);
    fp32(x, none, 6, none, none);
    cached_run(x);
    counted_own(x, "rfv.taken", 4);
    counted_own(x, "rfv.freed", 3 + 1); /* R6's reader leaves its collector before the warp ends */
    counted_own(x, "rfv.spills", 0);
}

/* A register that is written again keeps its place: one is taken for three writes. */
static void written_again(void **state)
{
    struct cached *x = *state;
    open_rfv(x, "rfv.regs=16");
    for (int i = 0; i < 3; i++)
        fp32(x, 0, 0, none, none);
    cached_run(x);
    counted_own(x, "rfv.taken", 1);
}

/* How many registers the partition has given away, most at a time. */
static uint32_t most_mapped(struct cached *x)
{
    struct one o;
    uint32_t most = 0;
    one_init(&o, &x->m);
    const struct rfv *s = o.s->parts[0].operands;
    while (!o.ended) {
        one_step(&o);
        uint32_t used = 2 * s->lines - s->free[0] - s->free[1];
        most = used > most ? used : most;
    }
    assert_int_equal(s->free[0] + s->free[1], 2 * s->lines); /* nothing stays behind */
    one_free(&o);
    return most;
}

/* A chain needs a source and a result at a time, and the place of a result that is still on its way to its bank is not yet
 * free: however long the chain is, it has at most three of the eight registers that the code names. */
static void short_lives(void **state)
{
    struct cached *x = *state;
    open_rfv(x, "rfv.regs=64");
    fp32(x, 0, none, none, none);
    for (int i = 1; i < 8; i++)
        fp32(x, i, i - 1, none, none);
    uint32_t most = most_mapped(x);
    assert_in_range(most, 2, 3);
}

/* Two CTAs of a warp name four registers of a bank each and keep them all; the bank has six. While the first one waits for a
 * load the other gets two, and no third: the first ends, and its four come back. None is spilled. */
static void oldest_ends_first(void **state)
{
    struct cached *x = *state;
    open_rfv(x, "rfv.regs=12");
    x->m.warps = 1;
    x->m.ctas = 2;
    for (int r = 0; r < 8; r += 2)
        fp32(x, r, none, none, none);
    load(x, 1, none);
    fp32(x, none, 1, none, none);
    for (int r = 0; r < 8; r += 2)
        fp32(x, none, r, none, none);
    cached_run(x);
    counted_own(x, "rfv.taken", 2 * 5);
    counted_own(x, "rfv.freed", 2 * 5);
    counted_own(x, "rfv.spills", 0);
    assert_in_range(count_of(x, stall_capacity), 50, 113); /* most of the way to memory and back */
}

/* Two warps that meet at a barrier with four registers of a bank each, of six: the second has taken two when there are no more,
 * the first waits at the barrier with four. After starve_cyc cycles the first is moved out, the second goes on with four and
 * meets it: 4 spills. The first is the older one, so it comes back as soon as there is room for four: when the second has read
 * two of its own. */
static void spilled_at_a_barrier(void **state)
{
    struct cached *x = *state;
    open_rfv(x, "rfv.regs=12");
    cached_set(x, "rfv.starve_cyc=50");
    x->m.warps = 2;
    for (int r = 0; r < 8; r += 2)
        fp32(x, r, none, none, none);
    mini_bar(&x->m);
    for (int r = 0; r < 8; r += 2)
        fp32(x, none, r, none, none);
    uint64_t cyc = cached_run(x);
    counted_own(x, "rfv.taken", 8);
    counted_own(x, "rfv.freed", 8);
    counted_own(x, "rfv.spills", 4);
    assert_in_range(cyc, 50 + 30 + 4, 50 + 30 + 4 + 100); /* it starved, and L1 was waited for */
}

static void refused(void **state)
{
    struct cached *x = *state;
    open_rfv(x, "rfv.regs=9");
    fp32(x, 1, 2, none, none);
    assert_non_null(strstr(cached_refusal(x), "does not divide"));
    open_rfv(x, "rfv.regs=8");
    for (int r = 0; r < 10; r += 2)
        fp32(x, r, none, none, none);
    assert_non_null(strstr(cached_refusal(x), "names 5 registers of a bank, more than the 4"));
    open_rfv(x, "sm.warp_limit=1");
    fp32(x, 1, 2, none, none);
    assert_non_null(strstr(cached_refusal(x), "sm.warp_limit"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CACHED(taken_and_freed),   CACHED(written_again),        CACHED(short_lives),
        CACHED(oldest_ends_first), CACHED(spilled_at_a_barrier), CACHED(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
