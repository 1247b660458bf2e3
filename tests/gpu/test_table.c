/* SPDX-License-Identifier: Apache-2.0 */
/* The cache table of a caching collector: which entry is replaced (Malekeh paper, section IV-A1). */
#include "sm/operands/ccu/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct table table_of(const char *spec)
{
    /* One letter per entry, the least recently used first: n near, f far, '-' empty; capital: locked. Registers 0, 1, ... */
    struct table t = {0};
    for (; spec[t.n]; t.n++) {
        char c = spec[t.n];
        if (c == '-')
            continue;
        table_put(&t, t.n, (uint8_t)t.n, (c | 32) == 'n', 0);
        t.locked |= (uint32_t)(c < 'a') << t.n;
    }
    return t;
}

static void victims(const char *spec, bool by_reuse, uint32_t want)
{
    struct table t = table_of(spec);
    uint32_t got = 0;
    for (uint64_t seed = 0; seed < 64; seed++) {
        int v = table_victim(&t, by_reuse, &(struct rng){.s = seed});
        got |= v < 0 ? 1u << 31 : 1u << v;
    }
    assert_int_equal(got, want);
}

static void replacement_order(void **state)
{
    (void)state;
    victims("nnn-nnnn", true, 1u << 3);           /* an empty one */
    victims("nfnfnnnn", true, 1u << 1 | 1u << 3); /* one of the far ones, either */
    victims("nFnfnnnn", true, 1u << 3);           /* never a locked one */
    victims("Nnnnnnnn", true, 1u << 1);           /* no far one: least recently used that is not locked */
    victims("NFNFNNNN", true, 1u << 31);          /* all are locked */
    victims("nfnfnnnn", false, 1u << 0);          /* plain: least recently used */
    victims("Nfn-nnnn", false, 1u << 3);
}

static void recently_used(void **state)
{
    (void)state;
    struct table t = table_of("nnnn");
    table_put(&t, 0, 0, true, 0);
    assert_int_equal(table_victim(&t, true, &(struct rng){0}), 1);
    t.clock = UINT32_MAX - 1; /* stamps go round */
    for (uint32_t i = 0; i < 4; i++)
        table_put(&t, i, (uint8_t)i, true, 0);
    assert_int_equal(table_victim(&t, true, &(struct rng){0}), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(replacement_order), cmocka_unit_test(recently_used)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
