/* SPDX-License-Identifier: Apache-2.0 */
/* Bookkeeping of the ISA tests: failures, coverage, group set-up. */
#include "isa.h"

#include <stdlib.h>

enum { MAX_REPORTED = 40 }; /* lines per test: enough to see a pattern */

int isa_setup(void **state)
{
    struct isa *t = xcalloc(1, sizeof *t);
    t->back = isa_back_new();
    t->rng.s = 20240229;
    *state = t;
    return 0;
}

int isa_teardown(void **state)
{
    struct isa *t = *state;
    for (uint32_t i = 0; i < t->ncounts; i++)
        printf("%s%-12s %4u", i % 6 ? "  " : i ? "\nisa: " : "isa: ", t->count[i].op, t->count[i].forms);
    printf("\nisa: total %u forms, %u launches, %llu results compared\n", t->forms, t->launches,
           (unsigned long long)t->checks);
    isa_back_free(t->back);
    arena_free(&t->arena);
    free(t);
    return 0;
}

void isa_count(struct isa *t, const char *form)
{
    size_t n = strcspn(form, ". ;");
    uint32_t i = 0;
    t->forms++;
    while (i < t->ncounts && (strlen(t->count[i].op) != n || memcmp(t->count[i].op, form, n) != 0))
        i++;
    if (i == t->ncounts) {
        assert_true(i < ISA_MAX_OPCODES && n < sizeof t->count[i].op);
        memcpy(t->count[i].op, form, n);
        t->ncounts++;
    }
    t->count[i].forms++;
}

void isa_fail(struct isa *t, const char *fmt, ...)
{
    t->fails++;
    if (t->reported >= MAX_REPORTED)
        return;
    t->reported++;
    va_list ap;
    va_start(ap, fmt);
    fputs("isa: FAIL ", stdout);
    vprintf(fmt, ap);
    putchar('\n');
    va_end(ap);
}

const char *isa_fmt(struct isa *t, const char *fmt, ...)
{
    char text[4096];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    assert_true(n >= 0 && (size_t)n < sizeof text);
    return arena_strndup(&t->arena, text, (size_t)n);
}

struct isa_result isa_try(struct isa *t, unsigned config, const struct isa_launch *l)
{
    t->launches++;
    return isa_back_run(t->back, config, l);
}

bool isa_run(struct isa *t, unsigned config, const struct isa_launch *l, const char *form)
{
    struct isa_result r = isa_try(t, config, l);
    if (r.status == ISA_OK)
        return true;
    isa_fail(t, "%s: %s [%u] line %u: %s", form, r.status == ISA_REFUSED ? "refused" : "stopped", config,
             r.line, r.text);
    return false;
}
