/* SPDX-License-Identifier: Apache-2.0 */
/* Software-managed register files and their scheduler, event by event; and random code whose lanes part anywhere.
 *
 *   test_gpu_swrfc              some traces (part of `make test`)
 *   test_gpu_swrfc FROM TO      those seeds
 *   test_gpu_swrfc --keep SEED FILE   writes a trace */
#include "cached.h"
#include "one.h"
#include "wild.h"

#include <stdlib.h>
#include <unistd.h>

#include "play.h"

static void guard(struct cached *x, uint32_t i, uint32_t mask)
{
    x->m.insns[i].guard = (struct tr_opnd){.kind = TO_PRED, .n = 1};
    lanes(x, i, mask);
}

/* R1 goes to the last-result file and nowhere else, R4 to the operand file; R3 and R5, which nobody reads, to their banks. */
static void levels(void **state)
{
    struct cached *x = *state;
    cached_open(x, "swrfc");
    fp32(x, 1, 2, none, none);
    fp32(x, 3, 1, 2, none);
    mini_op(&x->m, TC_SFU, 4, none, none, none);
    fp32(x, 5, 4, none, none);
    cached_run(x);
    counted(x, cache_hits, 2);
    counted_own(x, "swrfc.lrf_reads", 1);
    counted(x, reg_reads, 2);
    counted(x, cache_writes, 2);
    counted_own(x, "swrfc.lrf_writes", 1);
    counted(x, cache_filtered, 2);
    counted(x, reg_writes, 2);
    assert_int_equal(count_of(x, cache_lost) + count_of(x, cache_writebacks), 0);
}

/* A chain of eight: an instruction with all operands at hand leaves a cycle earlier, which seven do. */
static void chain(void **state)
{
    struct cached *x = *state;
    uint64_t cycles[2];
    for (uint32_t i = 0; i < 2; i++) {
        cached_open(x, "swrfc");
        if (!i)
            cached_set(x, "sm.operands=collectors");
        for (uint32_t n = 0; n < 8; n++)
            fp32(x, 1, 1, none, none);
        cycles[i] = cached_run(x);
        counted_own(x, "swrfc.lrf_reads", i ? 7 : 0);
        counted(x, reg_writes, i ? 1 : 8);
    }
    assert_int_equal(cycles[0] - cycles[1], 7);
}

/* Lanes part within a block: what only an entry has goes to its bank, and is read there. Results of some lanes are in their bank
 * as well as in an entry. */
static void parted(void **state)
{
    struct cached *x = *state;
    cached_open(x, "swrfc");
    fp32(x, 1, none, none, none);
    uint32_t from = x->m.n;
    fp32(x, 2, 1, none, none);
    fp32(x, 3, 2, 1, none);
    x->m.mask[from] = x->m.mask[from + 1] = 0xff;
    cached_run(x);
    counted(x, cache_writebacks, 1); /* R1 */
    counted(x, cache_hits, 1);       /* R2 */
    counted(x, reg_reads, 2);        /* R1 twice */
    counted(x, reg_writes, 3);
}

/* Guarded instructions are no parting: they read entries and change them, also where all lanes are switched off. */
static void guarded(void **state)
{
    struct cached *x = *state;
    for (uint32_t off = 0; off < 2; off++) {
        cached_open(x, "swrfc");
        fp32(x, 1, none, none, none);
        guard(x, fp32(x, 1, 1, none, none), off ? 0 : 0xff);
        fp32(x, none, 1, none, none);
        cached_run(x);
        counted(x, cache_hits, off ? 1 : 2);
        counted(x, cache_writes, off ? 1 : 2);
        assert_int_equal(count_of(x, reg_reads) + count_of(x, reg_writes) + count_of(x, cache_writebacks), 0);
    }
}

/* A value whose last read was switched off is not written back over a newer one in the bank. */
static void older(void **state)
{
    struct cached *x = *state;
    cached_open(x, "swrfc");
    fp32(x, 1, none, none, none);
    guard(x, fp32(x, none, 1, none, none), 0);
    fp32(x, 1, none, none, none);
    mini_bar(&x->m);
    lanes(x, fp32(x, none, 1, none, none), 0xff);
    cached_run(x);
    counted(x, cache_writes, 1);
    counted(x, reg_writes, 1);
    assert_int_equal(count_of(x, cache_hits) + count_of(x, cache_writebacks), 0);
}

/* R1 is read in the strand and after it: it is in an entry and in its bank, so the warp leaves without writing anything. */
static void swap(void **state)
{
    struct cached *x = *state;
    cached_open(x, "swrfc");
    cached_swap(x, "sm.wsched=strands");
    counted(x, cache_hits, 2);
    counted(x, reg_reads, 4);
    counted(x, reg_writes, 6);
    assert_int_equal(count_of(x, cache_writebacks) + count_of(x, cache_lost), 0);
}

/* A strand begins when both loads are there, though its first instruction needs one. */
static void all_loads(void **state)
{
    struct cached *x = *state;
    for (uint32_t strands = 0; strands < 2; strands++) {
        struct one o;
        cached_open(x, "swrfc");
        cached_set(x, strands ? "sm.wsched=strands" : "sm.wsched=two-level");
        load(x, 2, none);
        mini_mem(&x->m, TC_LDG, 3, none, 4, FAR + 4096, 4);
        fp32(x, 4, 2, none, none);
        fp32(x, 5, 3, none, none);
        one_init(&o, &x->m);
        while (o.sent.n < 2)
            one_step(&o);
        one_answer(&o, 1);
        for (uint32_t i = 0; i < 100; i++)
            one_step(&o);
        assert_int_equal(o.s->stats[SS_warp_insts], strands ? 2 : 3);
        one_finish(&o, 20);
        one_free(&o);
    }
}

/* A warp that waits within a strand, here for a constant, keeps its place, and the other one waits for it: the second of the
 * Malekeh paper's Fig. 10's states. */
static void within(void **state)
{
    struct cached *x = *state;
    uint64_t cycles[2];
    for (uint32_t strands = 0; strands < 2; strands++) {
        cached_open(x, "swrfc");
        cached_set(x, strands ? "sm.wsched=strands" : "sm.wsched=two-level");
        cached_set(x, "active.warps=1");
        cached_set(x, "latency.LDC=200");
        x->m.warps = 2;
        x->m.insns[mini_mem(&x->m, TC_LDC, 2, none, 4, 0, 0)].space = SPACE_CONST;
        fp32(x, 3, 2, none, none);
        cycles[strands] = cached_run(x);
        assert_int_equal(count_of(x, stall_policy) > 100, strands);
    }
    assert_true(cycles[1] > cycles[0] + 150);
}

/* Four warps meet at barriers though one of them may be active; what they had read is gone, what they need is in the banks. */
static void barriers(void **state)
{
    struct cached *x = *state;
    cached_open(x, "swrfc");
    cached_set(x, "sm.wsched=strands");
    cached_set(x, "active.warps=1");
    x->m.warps = 4;
    for (uint32_t i = 0; i < 3; i++) {
        fp32(x, 1, 1, none, none);
        mini_bar(&x->m);
    }
    cached_run(x);
    counted(x, cache_hits, 0);
    counted(x, reg_writes, 12);
}

/* ---- random code ---- */

static const struct play_machine machines[] = {
    {"two active", "turing", {"gpu.sms=2", "sm.operands=swrfc", "active.warps=2"}},
    {"one active, large files",
     "volta",
     {"gpu.sms=2", "sm.operands=swrfc", "active.warps=1", "swrfc.lrf_entries=4", "swrfc.orf_entries=32"}},
    {"operand file only",
     "fermi",
     {"gpu.sms=2", "sm.operands=swrfc", "active.warps=3", "swrfc.lrf_entries=0", "swrfc.orf_entries=2"}},
};
enum { MACHINES = sizeof machines / sizeof machines[0], QUICK = 24 };

/* The number of operands that were found; 0: none, or something is wrong. */
static uint64_t play_blocks(uint64_t seed)
{
    static const char *const wsched[] = {"strands", "two-level", "strands", "gto"};
    char path[256], buf[400];
    struct gpu_result r = {0};
    play_path(path);
    wild_write(path, seed, WILD_BLOCKS);
    const struct play_machine *m = &machines[seed % MACHINES];
    const char *bad = play(path, m, wsched[seed / MACHINES % 4], 1, &r, buf, sizeof buf);
    if (bad)
        fprintf(stderr, "seed %llu on %s, %s: %s\n", (unsigned long long)seed, m->name,
                wsched[seed / MACHINES % 4], bad);
    uint64_t hits = bad ? 0 : r.sm[SS_cache_hits] + 1;
    gpu_result_free(&r);
    unlink(path);
    return hits;
}

static void random_blocks(void **state)
{
    (void)state;
    uint64_t hits = 0;
    for (uint64_t seed = 0; seed < QUICK; seed++) {
        uint64_t n = play_blocks(seed);
        assert_true(n);
        hits += n;
    }
    assert_true(hits > 10000);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--keep") == 0) {
        wild_write(argv[3], strtoull(argv[2], NULL, 0), WILD_BLOCKS);
        return 0;
    }
    if (argc == 3) {
        unsigned failed = 0;
        uint64_t from = strtoull(argv[1], NULL, 0), to = strtoull(argv[2], NULL, 0);
        for (uint64_t seed = from; seed <= to; seed++)
            failed += !play_blocks(seed);
        printf("%llu traces, %u failed\n", (unsigned long long)(to - from + 1), failed);
        return failed != 0;
    }
    const struct CMUnitTest tests[] = {
        CACHED(levels),    CACHED(chain),  CACHED(parted),   CACHED(swap),  CACHED(guarded),
        CACHED(all_loads), CACHED(within), CACHED(barriers), CACHED(older), cmocka_unit_test(random_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
