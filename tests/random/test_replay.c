/* SPDX-License-Identifier: Apache-2.0 */
/* Reading back a trace gives exactly the streams that were written: random programs, executed under the recorder and under
 * a plain log (replay.h), at two register limits each.
 *
 *   test_random_replay              60 programs (part of `make test`)
 *   test_random_replay FROM TO      those seeds */
#include "run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { QUICK_SEEDS = 60, FIRST_SEED = 1000 };
/* Programs with empty blocks, and with one target several times in the branch table of a small kernel. */
static const uint64_t special[] = {5270, 5326, 10935};

static bool check(uint64_t seed)
{
    static const struct config configs[] = {{.max_regs = 18, .replay = true},
                                            {.no_opt = true, .replay = true}};
    struct prog *p = prog_gen(seed);
    bool ok = true;
    for (unsigned k = 0; ok && k < sizeof configs / sizeof configs[0]; k++) {
        char buf[600];
        const char *bad = run_check(p, &configs[k], buf, sizeof buf);
        if (bad)
            fprintf(stderr, "seed %llu, configuration %u: %s\n", (unsigned long long)seed, k, bad);
        ok = !bad;
    }
    prog_free(p);
    return ok;
}

static void random_replay(void **state)
{
    (void)state;
    for (unsigned seed = FIRST_SEED; seed < FIRST_SEED + QUICK_SEEDS; seed++)
        assert_true(check(seed));
    for (unsigned i = 0; i < sizeof special / sizeof special[0]; i++)
        assert_true(check(special[i]));
}

int main(int argc, char **argv)
{
    if (argc == 3) {
        unsigned failed = 0;
        uint64_t from = strtoull(argv[1], NULL, 0), to = strtoull(argv[2], NULL, 0);
        for (uint64_t seed = from; seed <= to; seed++)
            failed += !check(seed);
        printf("%llu programs, %u failed\n", (unsigned long long)(to - from + 1), failed);
        return failed != 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_replay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
