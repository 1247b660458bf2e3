/* SPDX-License-Identifier: Apache-2.0 */
/* Random functions do the same before and after allocation, at every limit, and stay within it. */
#include "rig.h"

#ifndef SEEDS
#define SEEDS 1 /* more for a long run */
#endif

static void check(const struct ir_fn *fn, const struct rig_result *want, uint32_t limit, uint64_t seed)
{
    struct arena a = {0};
    struct ir_fn f;

    rig_clone(&f, fn, &a);
    const char *err = pass_regalloc(&f, limit, 2, seed & 1);
    if (!err)
        err = ir_verify(&f, "regalloc");
    if (err)
        fail_msg("seed %llu limit %u: %s", (unsigned long long)seed, limit, err);
    if (f.regs_used > limit)
        fail_msg("seed %llu limit %u: %u registers", (unsigned long long)seed, limit, f.regs_used);
    for (int framed = fn->is_entry ? 0 : 1; framed < 2; framed++) {
        if (framed)
            pass_frame(&f);
        if ((err = ir_verify(&f, "frame")))
            fail_msg("seed %llu limit %u: %s", (unsigned long long)seed, limit, err);
        struct rig_result got = rig_run(&f, framed, 20 * want->steps + 10000);
        if (!rig_same(want, &got))
            fail_msg("seed %llu limit %u framed %d: different result (%s)", (unsigned long long)seed, limit,
                     framed, got.error ? got.error : "log");
        rig_free(&got);
    }
    ir_fn_free(&f);
    arena_free(&a);
}

static void try_seed(uint64_t seed, const struct gen_opts *o)
{
    struct arena a = {0};
    struct ir_fn fn;
    struct rng r = {seed};

    gen_function(&fn, &a, &r, o);
    const char *err = ir_verify(&fn, "gen");
    if (err)
        fail_msg("seed %llu: %s", (unsigned long long)seed, err);
    struct rig_result want = rig_run(&fn, false, 200000);
    if (!want.error || strcmp(want.error, "too many steps")) {
        assert_null(want.error);
        static const uint32_t limits[] = {14, 16, 17, 20, 24, 31, 40, 64, 255};
        for (size_t k = seed % 3; k<sizeof limits / sizeof *limits; k += SEEDS> 1 ? 1 : 3)
            check(&fn, &want, limits[k], seed);
    }
    rig_free(&want);
    ir_fn_free(&fn);
    arena_free(&a);
}

static void straight(void **state)
{
    (void)state;
    for (uint64_t s = 1; s <= 60 * SEEDS; s++)
        try_seed(s, &(struct gen_opts){.insns = 40 + (uint32_t)s % 60 * 3,
                                       .values = 4 + (uint32_t)s % 60,
                                       .preds = (uint32_t)s % 12});
}

static void loops(void **state)
{
    (void)state;
    for (uint64_t s = 1; s <= 60 * SEEDS; s++)
        try_seed(1000 + s, &(struct gen_opts){.insns = 60 + (uint32_t)s % 60 * 4,
                                              .values = 4 + (uint32_t)s % 60,
                                              .preds = (uint32_t)s % 14,
                                              .loops = true});
}

static void calls(void **state)
{
    (void)state;
    for (uint64_t s = 1; s <= 40 * SEEDS; s++)
        try_seed(2000 + s, &(struct gen_opts){.insns = 60 + (uint32_t)s % 60 * 4,
                                              .values = 4 + (uint32_t)s % 60,
                                              .preds = (uint32_t)s % 10,
                                              .loops = true,
                                              .calls = true});
}

static void device(void **state)
{
    (void)state;
    for (uint64_t s = 1; s <= 40 * SEEDS; s++)
        try_seed(3000 + s, &(struct gen_opts){.insns = 60 + (uint32_t)s % 60 * 4,
                                              .values = 4 + (uint32_t)s % 60,
                                              .preds = (uint32_t)s % 10,
                                              .loops = true,
                                              .calls = s % 2,
                                              .device = true});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(straight), cmocka_unit_test(loops),
                                       cmocka_unit_test(calls), cmocka_unit_test(device)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
