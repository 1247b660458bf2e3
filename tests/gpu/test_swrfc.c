/* Software-managed register files and their scheduler, event by event; and random code whose lanes part anywhere.
 *
 *   test_gpu_swrfc              some traces (part of `make test`)
 *   test_gpu_swrfc FROM TO      those seeds
 *   test_gpu_swrfc --keep SEED FILE   writes a trace */
#include "mini.h"
#include "one.h"
#include "wild.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "play.h"

#include "stat_at.h"

#include <cmocka.h>

static const int none = MINI_NONE;
static const uint64_t far = 0x200000000000;

static void open_mini(struct mini *m)
{
    mini_init(m);
    mini_set(m, "sm.operands=swrfc");
    mini_set(m, "sm.partitions=1");
    mini_set(m, "sm.warps=4");
    mini_set(m, "sm.registers=16384");
}

static uint64_t run(struct mini *m, struct gpu_result *r)
{
    uint64_t cycles = mini_run(m, r, 1);
    mini_free(m);
    if (r->sm[SS_cache_reads])
        assert_int_equal(r->sm[SS_cache_reads], r->sm[SS_cache_hits] + r->sm[SS_reg_reads]);
    return cycles;
}

static void guard(struct mini *m, uint32_t i, uint32_t mask)
{
    m->insns[i].guard = (struct tr_opnd){.kind = TO_PRED, .n = 1};
    m->mask[i] = mask;
}

/* R1 goes to the last-result file and nowhere else, R4 to the operand file; R3 and R5, which nobody reads, to their banks. */
static void levels(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    open_mini(&m);
    mini_op(&m, TC_FP32, 1, 2, none, none);
    mini_op(&m, TC_FP32, 3, 1, 2, none);
    mini_op(&m, TC_SFU, 4, none, none, none);
    mini_op(&m, TC_FP32, 5, 4, none, none);
    run(&m, &r);
    assert_int_equal(r.sm[SS_cache_hits], 2);
    assert_int_equal(r.sm[stat_at("swrfc.lrf_reads")], 1);
    assert_int_equal(r.sm[SS_reg_reads], 2);
    assert_int_equal(r.sm[SS_cache_writes], 2);
    assert_int_equal(r.sm[stat_at("swrfc.lrf_writes")], 1);
    assert_int_equal(r.sm[SS_cache_filtered], 2);
    assert_int_equal(r.sm[SS_reg_writes], 2);
    assert_int_equal(r.sm[SS_cache_lost] + r.sm[SS_cache_writebacks], 0);
    gpu_result_free(&r);
}

/* A chain of eight: an instruction with all operands at hand leaves a cycle earlier, which seven do. */
static void chain(void **state)
{
    (void)state;
    uint64_t cycles[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct mini m;
        struct gpu_result r;
        open_mini(&m);
        if (!i)
            mini_set(&m, "sm.operands=collectors");
        for (uint32_t n = 0; n < 8; n++)
            mini_op(&m, TC_FP32, 1, 1, none, none);
        cycles[i] = run(&m, &r);
        assert_int_equal(r.sm[stat_at("swrfc.lrf_reads")], i ? 7 : 0);
        assert_int_equal(r.sm[SS_reg_writes], i ? 1 : 8);
        gpu_result_free(&r);
    }
    assert_int_equal(cycles[0] - cycles[1], 7);
}

/* Lanes part within a block: what only an entry has goes to its bank, and is read there. Results of some lanes are in their bank as
 * well as in an entry. */
static void parted(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    open_mini(&m);
    mini_op(&m, TC_FP32, 1, none, none, none);
    uint32_t from = m.n;
    mini_op(&m, TC_FP32, 2, 1, none, none);
    mini_op(&m, TC_FP32, 3, 2, 1, none);
    m.mask[from] = m.mask[from + 1] = 0xff;
    run(&m, &r);
    assert_int_equal(r.sm[SS_cache_writebacks], 1); /* R1 */
    assert_int_equal(r.sm[SS_cache_hits], 1);       /* R2 */
    assert_int_equal(r.sm[SS_reg_reads], 2);        /* R1 twice */
    assert_int_equal(r.sm[SS_reg_writes], 3);
    gpu_result_free(&r);
}

/* Guarded instructions are no parting: they read entries and change them, also where all lanes are switched off. */
static void guarded(void **state)
{
    (void)state;
    for (uint32_t off = 0; off < 2; off++) {
        struct mini m;
        struct gpu_result r;
        open_mini(&m);
        mini_op(&m, TC_FP32, 1, none, none, none);
        guard(&m, mini_op(&m, TC_FP32, 1, 1, none, none), off ? 0 : 0xff);
        mini_op(&m, TC_FP32, none, 1, none, none);
        run(&m, &r);
        assert_int_equal(r.sm[SS_cache_hits], off ? 1 : 2);
        assert_int_equal(r.sm[SS_cache_writes], off ? 1 : 2);
        assert_int_equal(r.sm[SS_reg_reads] + r.sm[SS_reg_writes] + r.sm[SS_cache_writebacks], 0);
        gpu_result_free(&r);
    }
}

/* A value whose last read was switched off is not written back over a newer one in the bank. */
static void older(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    open_mini(&m);
    mini_op(&m, TC_FP32, 1, none, none, none);
    guard(&m, mini_op(&m, TC_FP32, none, 1, none, none), 0);
    mini_op(&m, TC_FP32, 1, none, none, none);
    mini_bar(&m);
    m.mask[mini_op(&m, TC_FP32, none, 1, none, none)] = 0xff;
    run(&m, &r);
    assert_int_equal(r.sm[SS_cache_writes], 1);
    assert_int_equal(r.sm[SS_reg_writes], 1);
    assert_int_equal(r.sm[SS_cache_hits] + r.sm[SS_cache_writebacks], 0);
    gpu_result_free(&r);
}

/* Two warps, one of which may be active. R1 is read in the strand and after it: it is in an entry and in its bank, so the warp
 * leaves without writing anything. */
static void swap(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    open_mini(&m);
    mini_set(&m, "sm.wsched=strands");
    mini_set(&m, "active.warps=1");
    m.warps = 2;
    mini_op(&m, TC_FP32, 1, none, none, none);
    mini_op(&m, TC_FP32, none, 1, none, none);
    mini_mem(&m, TC_LDG, 2, none, 4, far, 4);
    mini_op(&m, TC_FP32, 3, 2, 1, none);
    run(&m, &r);
    assert_int_equal(r.sm[SS_cache_hits], 2);
    assert_int_equal(r.sm[SS_reg_reads], 4);
    assert_int_equal(r.sm[SS_reg_writes], 6);
    assert_int_equal(r.sm[SS_cache_writebacks] + r.sm[SS_cache_lost], 0);
    gpu_result_free(&r);
}

/* A strand begins when both loads are there, though its first instruction needs one. */
static void all_loads(void **state)
{
    (void)state;
    for (uint32_t strands = 0; strands < 2; strands++) {
        struct mini m;
        struct one o;
        open_mini(&m);
        mini_set(&m, strands ? "sm.wsched=strands" : "sm.wsched=two-level");
        mini_mem(&m, TC_LDG, 2, none, 4, far, 4);
        mini_mem(&m, TC_LDG, 3, none, 4, far + 4096, 4);
        mini_op(&m, TC_FP32, 4, 2, none, none);
        mini_op(&m, TC_FP32, 5, 3, none, none);
        one_init(&o, &m);
        while (o.sent.n < 2)
            one_step(&o);
        one_answer(&o, 1);
        for (uint32_t i = 0; i < 100; i++)
            one_step(&o);
        assert_int_equal(o.s->stats[SS_warp_insts], strands ? 2 : 3);
        one_finish(&o, 20);
        one_free(&o);
        mini_free(&m);
    }
}

/* A warp that waits within a strand, here for a constant, keeps its place, and the other one waits for it: the second of the Malekeh
 * paper's Fig. 10's states. */
static void within(void **state)
{
    (void)state;
    uint64_t cycles[2];
    for (uint32_t strands = 0; strands < 2; strands++) {
        struct mini m;
        struct gpu_result r;
        open_mini(&m);
        mini_set(&m, strands ? "sm.wsched=strands" : "sm.wsched=two-level");
        mini_set(&m, "active.warps=1");
        mini_set(&m, "latency.LDC=200");
        m.warps = 2;
        uint32_t load = mini_mem(&m, TC_LDC, 2, none, 4, 0, 0);
        m.insns[load].space = SPACE_CONST;
        mini_op(&m, TC_FP32, 3, 2, none, none);
        cycles[strands] = run(&m, &r);
        assert_int_equal(r.sm[SS_stall_policy] > 100, strands);
        gpu_result_free(&r);
    }
    assert_true(cycles[1] > cycles[0] + 150);
}

/* Four warps meet at barriers though one of them may be active; what they had read is gone, what they need is in the banks. */
static void barriers(void **state)
{
    (void)state;
    struct mini m;
    struct gpu_result r;
    open_mini(&m);
    mini_set(&m, "sm.wsched=strands");
    mini_set(&m, "active.warps=1");
    m.warps = 4;
    for (uint32_t i = 0; i < 3; i++) {
        mini_op(&m, TC_FP32, 1, 1, none, none);
        mini_bar(&m);
    }
    run(&m, &r);
    assert_int_equal(r.sm[SS_cache_hits], 0);
    assert_int_equal(r.sm[SS_reg_writes], 12);
    gpu_result_free(&r);
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
        cmocka_unit_test(levels),        cmocka_unit_test(chain),    cmocka_unit_test(parted),
        cmocka_unit_test(swap),          cmocka_unit_test(guarded),  cmocka_unit_test(all_loads),
        cmocka_unit_test(within),        cmocka_unit_test(barriers), cmocka_unit_test(older),
        cmocka_unit_test(random_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
