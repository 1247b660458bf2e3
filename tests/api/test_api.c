/* SPDX-License-Identifier: Apache-2.0 */
/* libbankshot's functions: what they answer, and what they say of a caller's mistakes. How the library is linked and how plug-ins
 * are loaded: tests/install. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/bankshot.h"

#include <cmocka.h>

static const char trace_path[] = TEST_DATA_DIR "/../fuzz/corpus/trace/saxpy.bst";

static struct bankshot_trace *open_trace(void)
{
    struct bankshot_error e;
    struct bankshot_trace *t = bankshot_trace_open(trace_path, &e);
    assert_non_null(t);
    assert_int_equal(e.status, BANKSHOT_OK);
    return t;
}

static struct bankshot_gpu *plain(void)
{
    struct bankshot_gpu *g = bankshot_gpu_new("volta", NULL, NULL);
    assert_non_null(g);
    return g;
}

static void traces(void **state)
{
    (void)state;
    assert_int_equal(bankshot_abi(), BANKSHOT_ABI);
    struct bankshot_trace *t = open_trace();
    assert_true(bankshot_trace_launches(t) > 0);
    assert_true(bankshot_trace_warp_insts(t) > 0);
    assert_non_null(bankshot_trace_kernel(t, 0));
    assert_null(bankshot_trace_kernel(t, bankshot_trace_launches(t)));
    bankshot_trace_close(t);
}

static void results(void **state)
{
    (void)state;
    struct bankshot_trace *t = open_trace();
    struct bankshot_gpu *g = plain();
    struct bankshot_error e;
    struct bankshot_result *a = bankshot_run(g, t, NULL, &e);
    struct bankshot_result *b =
        bankshot_run(g, t, &(struct bankshot_run_opts){.threads = 2, .check = true}, &e);
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal(bankshot_cycles(a), bankshot_cycles(b));
    assert_true(bankshot_kernel_cycles(a) > 0 && bankshot_kernel_cycles(a) < bankshot_cycles(a));
    assert_true(bankshot_energy_pj(a) > 0);
    uint64_t insts = 0, other = 7;
    assert_true(bankshot_counter(a, "sm.warp_insts", &insts));
    assert_int_equal(insts, bankshot_trace_warp_insts(t));
    assert_false(bankshot_counter(a, "sm.nothing", &other));
    assert_int_equal(other, 7);
    uint32_t n = 0;
    for (; bankshot_counter_name(a, n); n++) {
        uint64_t x, y;
        assert_true(bankshot_counter(a, bankshot_counter_name(a, n), &x));
        assert_true(bankshot_counter(b, bankshot_counter_name(a, n), &y));
        assert_int_equal(x, y);
    }
    assert_true(n > 50);
    bankshot_result_free(a);
    bankshot_result_free(b);
    bankshot_gpu_free(g);
    bankshot_trace_close(t);
}

static void options(void **state)
{
    (void)state;
    struct bankshot_gpu *g = bankshot_gpu_new("volta", "cu4", NULL);
    struct bankshot_error e;
    assert_string_equal(bankshot_gpu_get(g, "sm.collectors"), "4");
    assert_true(bankshot_gpu_set(g, "sm.collectors=3", &e));
    assert_string_equal(bankshot_gpu_get(g, "sm.collectors"), "3");
    assert_null(bankshot_gpu_get(g, "sm.nothing"));
    assert_false(bankshot_gpu_set(g, "sm.collecters=3", &e));
    assert_int_equal(e.status, BANKSHOT_INPUT);
    assert_non_null(strstr(e.text, "sm.collectors"));
    assert_false(bankshot_gpu_set(g, "sm.collectors=many", NULL));
    bankshot_gpu_free(g);
}

static void mistakes(void **state)
{
    (void)state;
    struct bankshot_error e;
    assert_null(bankshot_trace_open(TEST_DATA_DIR "/nothing.bst", &e));
    assert_int_equal(e.status, BANKSHOT_INPUT);
    assert_null(bankshot_trace_open(TEST_DATA_DIR "/api/test_api.c", &e));
    assert_null(bankshot_trace_open(TEST_DATA_DIR "/../fuzz/corpus/trace/two.bst", &e));
    assert_non_null(strstr(e.text, "partial"));
    assert_null(bankshot_gpu_new("volt", NULL, &e));
    assert_non_null(strstr(e.text, "did you mean 'volta'"));
    assert_null(bankshot_gpu_new("volta", "rba,nothing", &e));
    assert_null(bankshot_gpu_new("volta", "unified", &e)); /* for other machines */
    struct bankshot_trace *t = open_trace();
    struct bankshot_gpu *g = plain();
    assert_true(bankshot_gpu_set(g, "sm.partitions=3", &e));
    assert_null(bankshot_run(g, t, NULL, &e));
    assert_int_equal(e.status, BANKSHOT_INPUT);
    assert_non_null(strstr(e.text, "sm.partitions = 3"));
    bankshot_gpu_free(g);
    bankshot_trace_close(t);
    bankshot_gpu_free(NULL);
    bankshot_trace_close(NULL);
    bankshot_result_free(NULL);
}

/* ---- schedulers ---- */

struct turn {
    uint32_t last, issued;
    char canary[4];
};

static void turn_init(void *state, uint32_t slots)
{
    struct turn *s = state;
    assert_true(slots > 0 && slots <= 64);
    assert_int_equal(s->last | s->issued, 0);
    s->last = 63;
    memcpy(s->canary, "here", 4);
}

/* Loose round robin, which there is under the name of lrr. */
static int turn_pick(void *state, const struct bankshot_warps *w)
{
    const struct turn *s = state;
    assert_memory_equal(s->canary, "here", 4);
    uint64_t after = s->last == 63 ? 0 : w->ready & ~0ull << (s->last + 1);
    return __builtin_ctzll(after ? after : w->ready);
}

static void turn_issued(void *state, uint32_t slot) { ((struct turn *)state)->last = slot; }

static const struct bankshot_scheduler turn = {.abi = BANKSHOT_ABI,
                                               .name = "turn",
                                               .state_b = sizeof(struct turn),
                                               .init = turn_init,
                                               .pick = turn_pick,
                                               .issued = turn_issued};

static uint64_t cycles_of(struct bankshot_gpu *g, struct bankshot_trace *t)
{
    struct bankshot_error e;
    struct bankshot_result *r = bankshot_run(g, t, NULL, &e);
    if (!r)
        fail_msg("%s", e.text);
    uint64_t cycles = bankshot_cycles(r);
    bankshot_result_free(r);
    return cycles;
}

static void schedulers(void **state)
{
    (void)state;
    struct bankshot_trace *t = open_trace();
    struct bankshot_gpu *ours = plain(), *theirs = plain();
    assert_true(bankshot_gpu_set(ours, "gpu.sms=1", NULL) && bankshot_gpu_set(theirs, "gpu.sms=1", NULL));
    uint64_t before = cycles_of(theirs, t);
    assert_true(bankshot_gpu_set(ours, "sm.wsched=lrr", NULL));
    assert_true(bankshot_gpu_scheduler(theirs, &turn, NULL));
    assert_string_equal(bankshot_gpu_get(theirs, "sm.wsched"), "turn");
    assert_int_equal(cycles_of(ours, t), cycles_of(theirs, t));
    /* The last word counts. */
    assert_true(bankshot_gpu_set(theirs, "sm.wsched=gto", NULL));
    assert_int_equal(cycles_of(theirs, t), before);
    bankshot_gpu_free(ours);
    bankshot_gpu_free(theirs);
    bankshot_trace_close(t);
}

static void refuses(struct bankshot_scheduler s, const char *why)
{
    struct bankshot_gpu *g = plain();
    struct bankshot_error e;
    assert_false(bankshot_gpu_scheduler(g, &s, &e));
    assert_int_equal(e.status, BANKSHOT_INPUT);
    if (!strstr(e.text, why))
        fail_msg("%s, where it should say: %s", e.text, why);
    bankshot_gpu_free(g);
}

static void wrong_schedulers(void **state)
{
    (void)state;
    struct bankshot_scheduler s = turn;
    s.abi = BANKSHOT_ABI + 1;
    refuses(s, "version 2 of bankshot.h, this is version 1");
    s = turn;
    s.pick = NULL;
    refuses(s, "turn lacks a function `pick`");
    s = turn;
    s.name = "";
    refuses(s, "lacks a name");
    s.name = "lrr";
    refuses(s, "bundled");
    s = turn;
    s.state_b = SIZE_MAX;
    refuses(s, "wants a state of");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traces),   cmocka_unit_test(results),    cmocka_unit_test(options),
        cmocka_unit_test(mistakes), cmocka_unit_test(schedulers), cmocka_unit_test(wrong_schedulers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
