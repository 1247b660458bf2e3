/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs give the interpreter's answer at every register limit, optimised or not, scheduled or not, on every
 * vector instruction set of this host.
 *
 *   test_random_random              150 programs, four limits each (part of `make test`)
 *   test_random_random FROM TO      those seeds, every limit from 16 to 255 and every switch
 *   test_random_random --some FROM TO   those seeds, as many limits as the quick test
 *   test_random_random --ptx SEED   the program's text
 * A failing program is cut down and printed. */
#include "run.h"
#include "sanitized.h"

#include "exec/exec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { QUICK_SEEDS = 150 };

struct failing {
    struct config c;
    char kind[12]; /* the message's first letters: the same kind of failure, not just any */
};

static bool still_fails(void *ctx, const struct prog *p)
{
    const struct failing *f = ctx;
    char buf[600];
    const char *bad = run_check(p, &f->c, buf, sizeof buf);
    return bad && !strncmp(bad, f->kind, strlen(f->kind));
}

static void report(struct prog *p, const struct config *c, const char *bad)
{
    struct failing f = {.c = *c};
    size_t len;
    char buf[600];
    snprintf(f.kind, sizeof f.kind, "%.6s", bad);
    fprintf(stderr, "seed %llu, %u registers%s%s, %s: %s\n", (unsigned long long)p->seed, c->max_regs,
            c->no_opt ? ", not optimised" : "", c->no_schedule ? ", not scheduled" : "",
            c->isa ? c->isa : "best", bad);
    prog_shrink(p, still_fails, &f);
    bad = run_check(p, c, buf, sizeof buf);
    char *text = prog_ptx(p, &len);
    fprintf(stderr, "cut down: %s\n%s\n", bad ? bad : "does not fail any more", text);
    free(text);
}

static bool check(struct prog *p, const struct config *c)
{
    char buf[600];
    const char *bad = run_check(p, c, buf, sizeof buf);
    if (bad)
        report(p, c, bad);
    return !bad;
}

/* Every limit once; the switches and instruction sets take turns. */
static bool check_all(uint64_t seed)
{
    const char *const *isa = exec_isa_list();
    unsigned nisa = 0;
    bool ok = true;
    while (isa[nisa])
        nisa++;
    struct prog *p = prog_gen(seed);
    for (uint32_t regs = 16; ok && regs <= 255; regs++)
        ok = check(p, &(struct config){.max_regs = regs,
                                       .no_opt = regs & 1,
                                       .no_schedule = regs >> 1 & 1,
                                       .isa = isa[(regs >> 2) % nisa]});
    for (unsigned k = 0; ok && k < 4 * nisa; k++)
        ok = check(p, &(struct config){.no_opt = k & 1, .no_schedule = k >> 1 & 1, .isa = isa[k >> 2]});
    prog_free(p);
    return ok;
}

static bool check_some(uint64_t seed)
{
    const char *const *isa = exec_isa_list();
    struct rng r = {seed};
    unsigned nisa = 0;
    while (isa[nisa])
        nisa++;
    const uint32_t limits[4] = {16, 17 + rng_below(&r, 16), 33 + rng_below(&r, 60), 255};
    struct prog *p = prog_gen(seed);
    bool ok = true;
    for (unsigned k = 0; ok && k < 4; k++) {
        uint32_t bits = rng_u32(&r);
        ok = check(p, &(struct config){.max_regs = limits[k],
                                       .no_opt = bits & 1,
                                       .no_schedule = bits >> 1 & 1,
                                       .isa = isa[(bits >> 2) % nisa]});
    }
    prog_free(p);
    return ok;
}

static void random_programs(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < QUICK_SEEDS; seed += TEST_EACH)
        assert_true(check_some(seed));
}

static int dump(uint64_t seed)
{
    size_t len;
    struct prog *p = prog_gen(seed);
    char *text = prog_ptx(p, &len);
    fwrite(text, 1, len, stdout);
    free(text);
    prog_free(p);
    return 0;
}

static int long_run(uint64_t from, uint64_t to, bool (*one)(uint64_t seed))
{
    unsigned failed = 0;
    for (uint64_t seed = from; seed <= to; seed++) {
        failed += !one(seed);
        if (seed % 16 == 0)
            fprintf(stderr, "seed %llu, %u failed\n", (unsigned long long)seed, failed);
    }
    printf("%llu programs, %u failed\n", (unsigned long long)(to - from + 1), failed);
    return failed != 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "--ptx"))
        return dump(strtoull(argv[2], NULL, 0));
    if (argc == 4 && !strcmp(argv[1], "--some"))
        return long_run(strtoull(argv[2], NULL, 0), strtoull(argv[3], NULL, 0), check_some);
    if (argc == 3)
        return long_run(strtoull(argv[1], NULL, 0), strtoull(argv[2], NULL, 0), check_all);
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
