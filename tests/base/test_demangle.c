/* SPDX-License-Identifier: Apache-2.0 */
/* Names of kernels as people write them, and whatever else may stand in a trace. */
#include "base/demangle.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void is(const char *name, const char *want)
{
    char out[200];
    demangle(name, out, sizeof out);
    assert_string_equal(out, want);
}

static void names(void **state)
{
    (void)state;
    is("vector_add", "vector_add");
    is("_Z10vector_addPKfS0_Pfi", "vector_add");
    is("_Z6reduceIfLi256EEvPKT_Pf", "reduce<float, 256>");
    is("_Z4scanILb1ELin3EEvv", "scan<true, -3>");
    is("_ZN3cub6kernelIN3cub4PackIdEEPKcEEvv", "cub::kernel<cub::Pack<double>, const char*>");
    is("_ZL6hiddeni", "hidden");
    is("_ZN12_GLOBAL__N_11kEv", "(anonymous)::k");
    is("_Z1fI3vecEvT_S0_", "f<vec>");
    is("_Z1fIXadL_Z1gvEEEvv", "f<...>");
    is("_Z", "_Z");
    is("_Z99short", "_Z99short");
    is("", "");
}

static void room(void **state)
{
    (void)state;
    char out[8];
    demangle("_Z10vector_addPf", out, sizeof out);
    assert_string_equal(out, "vector_");
    demangle("abc", out, 1);
    assert_string_equal(out, "");
}

/* Any bytes: an ended text, no access beyond either end (under the sanitizers that would be seen). */
static void anything(void **state)
{
    (void)state;
    static const char letters[] = "ZNIELPKRV_ilbfdS013456789abcxX";
    struct rng r = {1};
    for (int k = 0; k < 200000; k++) {
        char in[40] = "_Z", out[24];
        size_t n = 2 + rng_below(&r, 36);
        for (size_t i = 2; i < n; i++)
            in[i] = letters[rng_below(&r, sizeof letters - 1)];
        in[n] = 0;
        memset(out, 'x', sizeof out);
        demangle(in, out, sizeof out);
        assert_true(memchr(out, 0, sizeof out) != NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(room),
                                       cmocka_unit_test(anything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
