/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs through the whole chain: generated, compiled, executed under the recorder, and the trace played on the
 * timing model with its checks on, under every scheduler.
 *
 *   test_random_timing              some programs (part of `make test`)
 *   test_random_timing FROM TO      those seeds, on four machines each */
#include "run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "play.h"

#include <cmocka.h>

enum { QUICK_SEEDS = 24, FIRST_SEED = 3000, LONG_MACHINES = 4 };

/* `most` machines, from another one on for each seed. */
static bool check(uint64_t seed, uint32_t most)
{
    static const uint32_t limits[] = {0, 16, 24, 64};
    char path[256], buf[600];
    play_path(path);
    struct prog *p = prog_gen(seed);
    struct config c = {.max_regs = limits[seed % 4], .no_opt = seed >> 2 & 1, .trace = path};
    const char *bad = run_check(p, &c, buf, sizeof buf);
    bool ok = !bad;
    if (bad)
        fprintf(stderr, "seed %llu: %s\n", (unsigned long long)seed, bad);
    for (uint32_t i = 0; ok && i < most; i++) {
        const struct play_machine *m = &play_machines[(seed * most + i) % PLAY_MACHINES];
        for (uint32_t k = 0; wsched_name(k); k++) {
            bad = play(path, m, wsched_name(k), 1, NULL, buf, sizeof buf);
            if (bad)
                fprintf(stderr, "seed %llu on %s, %s: %s\n", (unsigned long long)seed, m->name,
                        wsched_name(k), bad);
            ok &= !bad;
        }
    }
    prog_free(p);
    unlink(path);
    return ok;
}

static void random_timing(void **state)
{
    (void)state;
    for (unsigned seed = FIRST_SEED; seed < FIRST_SEED + QUICK_SEEDS; seed++)
        assert_true(check(seed, 1));
}

int main(int argc, char **argv)
{
    if (argc == 3) {
        unsigned failed = 0;
        uint64_t from = strtoull(argv[1], NULL, 0), to = strtoull(argv[2], NULL, 0);
        for (uint64_t seed = from; seed <= to; seed++)
            failed += !check(seed, LONG_MACHINES);
        printf("%llu programs, %u failed\n", (unsigned long long)(to - from + 1), failed);
        return failed != 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_timing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
