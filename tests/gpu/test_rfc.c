/* SPDX-License-Identifier: Apache-2.0 */
/* The register file cache and its scheduler, event by event. */
#include "cached.h"

/* A result goes to the cache and not to its bank; sources that miss make no entry; what is left at the end is dropped. */
static void results(void **state)
{
    struct cached *x = *state;
    cached_open(x, "rfc");
    fp32(x, 1, 2, none, none);
    fp32(x, 3, 1, 2, none);
    cached_run(x);
    counted(x, cache_hits, 1);
    counted(x, reg_reads, 2);
    counted(x, reg_writes, 0);
    counted(x, cache_writes, 2);
}

/* First in, first out; writing a register again is no new entry, and does not renew its place. */
static void order(void **state)
{
    struct cached *x = *state;
    for (uint32_t again = 0; again < 2; again++) {
        cached_open(x, "rfc");
        for (int i = 1; i <= 6; i++)
            fp32(x, i, none, none, none);
        if (again)
            fp32(x, 1, none, none, none);
        fp32(x, 7, none, none, none); /* R1 leaves */
        fp32(x, none, 1, 2, 7);
        cached_run(x);
        counted(x, cache_hits, 2);
        counted(x, reg_reads, 1);
        counted(x, reg_writes, 1);
        counted(x, cache_writebacks, 1);
    }
}

/* A value that was read for the last time leaves without a write, unless some lanes have not read it. */
static void last_read(void **state)
{
    struct cached *x = *state;
    for (uint32_t part = 0; part < 2; part++) {
        cached_open(x, "rfc");
        fp32(x, 1, none, none, none);
        lanes(x, fp32(x, none, 1, none, none), part ? 0xff : ~0u);
        for (int i = 2; i <= 7; i++)
            fp32(x, i, none, none, none);
        cached_run(x);
        counted(x, cache_dead, !part);
        counted(x, cache_writebacks, part);
        counted(x, reg_writes, part);
    }
}

/* Some lanes: to the bank, or into the entry that has the others. */
static void some_lanes(void **state)
{
    struct cached *x = *state;
    for (uint32_t had = 0; had < 2; had++) {
        cached_open(x, "rfc");
        if (had)
            fp32(x, 1, none, none, none);
        lanes(x, fp32(x, 1, none, none, none), 0xff);
        fp32(x, none, 1, none, none);
        cached_run(x);
        counted(x, cache_hits, had);
        counted(x, reg_writes, !had);
        counted(x, cache_lost, !had);
    }
}

/* A warp leaves the set with R1, which is in its bank when it comes back. The load's result comes while the warp is away and goes
 * to the bank. */
static void swap(void **state)
{
    struct cached *x = *state;
    cached_open(x, "rfc");
    cached_swap(x, "sm.wsched=two-level");
    assert_true(count_of(x, cache_flushes) >= 1);
    counted(x, cache_writebacks, count_of(x, cache_flushes));
    assert_true(count_of(x, cache_lost) >= 1);
}

static void three_states(void **state)
{
    struct cached *x = *state;
    for (uint32_t active = 1; active <= 2; active++) {
        cached_open(x, "rfc");
        cached_three_states(x, active);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {CACHED(results),    CACHED(order), CACHED(last_read),
                                       CACHED(some_lanes), CACHED(swap),  CACHED(three_states)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
