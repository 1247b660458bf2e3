/* All ways to run a plain machine (sm/stages/stage.h) have the same result: counters, kernels' times, accesses of each bank. */
#include "mini.h"
#include "wild.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "play.h"

#include <cmocka.h>

#include "same.h"
#include "sm/core.h"

static const struct play_machine machines[] = {
    {"volta", "volta", {"gpu.sms=2"}},
    {"one bank, one collector", "volta", {"gpu.sms=2", "sm.banks=1", "sm.collectors=1"}},
    {"eight banks, four collectors", "volta", {"gpu.sms=2", "sm.banks=8", "sm.collectors=4"}},
    {"three banks, sixteen collectors", "volta", {"gpu.sms=2", "sm.banks=3", "sm.collectors=16"}},
    {"a narrow fetch",
     "volta",
     {"gpu.sms=2", "sm.ibuffer=1", "sm.fetch_width=1", "sm.l0i_b=0", "sm.fetch_cyc=3"}},
    {"a wide fetch", "volta", {"gpu.sms=2", "sm.ibuffer=8", "sm.fetch_width=8", "sm.fetches=2"}},
    {"no read lock, a short queue", "volta", {"gpu.sms=2", "sm.read_lock=false", "sm.lsu_queue=1"}},
    {"round robin", "volta", {"gpu.sms=2", "sm.wsched=lrr"}},
    {"collectors that fetch when empty",
     "volta",
     {"gpu.sms=2", "sm.fetch_empty=true", "sm.bank_swizzle=false"}},
};
enum { MACHINES = sizeof machines / sizeof machines[0], WAYS = 4 };

static enum way way_of(const struct gpu_conf *c, bool check)
{
    struct sm_timing tm = {.lat = &c->lat, .ii = &c->ii, .unit = &c->unit, .count = &c->count};
    struct sm *s = sm_new(&c->sm, &tm, 0, check);
    enum way way = s->way;
    sm_free(s);
    return way;
}

static void same_arrays(const struct gpu_conf *c, const struct gpu_result *a, const struct gpu_result *b)
{
    static const enum sm_array arrays[] = {SA_bank_reads, SA_bank_writes, SA_bank_conflicts,
                                           SA_reads_per_cycle};
    for (uint32_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        assert_memory_equal(a->arrays[arrays[i]], b->arrays[arrays[i]],
                            sm_array_n(&c->sm, arrays[i]) * sizeof *a->arrays[0]);
}

static void check(const char *path, const struct play_machine *m)
{
    struct diag d = {0};
    struct gpu_conf c;
    struct gpu_result r[WAYS];
    struct tr_reader *t = tr_open(path, &d);
    assert_true(t && play_load(&c, m, NULL, &d));
    for (uint32_t i = 0; i < WAYS; i++) {
        static const enum way ways[WAYS] = {PLAIN, CHECKED, ANY, ANY};
        bool checks = i % 2;
        c.sm.sleep = i < 2; /* what never sleeps is not plain */
        assert_int_equal(way_of(&c, checks), ways[i]);
        if (gpu_run(&c, t, &(struct gpu_opts){.check = checks}, &r[i], &d) != GPU_OK)
            fail_msg("%s: %s", m->name, d.n ? d.msg[0].text : "no message");
        same(&r[0], &r[i], m->name);
        same_arrays(&c, &r[0], &r[i]);
    }
    assert_int_equal(r[1].checked.operands, r[3].checked.operands);
    assert_int_equal(r[1].checked.lines, r[3].checked.lines);
    for (uint32_t i = 0; i < WAYS; i++)
        gpu_result_free(&r[i]);
    conf_free(&c.conf);
    tr_free(t);
    diag_free(&d);
}

static void random_programs(void **state)
{
    static const enum wild_kind kinds[] = {WILD_ANY, WILD_MEMORY, WILD_ATOMICS, WILD_BLOCKS};
    (void)state;
    for (uint64_t seed = 0; seed < 4 * MACHINES; seed++) {
        char path[256];
        play_path(path);
        wild_write(path, 5000 + seed, kinds[seed % 4]);
        check(path, &machines[seed / 4]);
        unlink(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
