/* SPDX-License-Identifier: Apache-2.0 */
/* Values and argument descriptions as the command line reads and prints them. */
#include "cli/argspec.h"
#include "cli/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void reads(enum ir_type t, const char *text, uint64_t bits)
{
    uint64_t got = 0xdead;
    if (!elem_parse(t, text, &got))
        fail_msg("%s refused", text);
    if (got != bits)
        fail_msg("%s: got %llx, want %llx", text, (unsigned long long)got, (unsigned long long)bits);
}

static void refuses(enum ir_type t, const char *text)
{
    uint64_t got;
    if (elem_parse(t, text, &got))
        fail_msg("%s accepted as %s", text, ir_types[t].name);
}

static void test_integers(void **state)
{
    (void)state;
    reads(T_U32, "5", 5);
    reads(T_U32, "0xffffffff", 0xffffffff);
    reads(T_S32, "-1", 0xffffffff);
    reads(T_S32, "-2147483648", 0x80000000);
    reads(T_S8, "-128", 0x80);
    reads(T_B16, "-1", 0xffff);
    reads(T_U64, "18446744073709551615", UINT64_MAX);
    reads(T_S64, "-9223372036854775808", 1ull << 63);
    const char *const bad_u32[] = {"", "-1", "4294967296", "0x", "0xg", "1 ", " 1", "+1", "1.0", "one"};
    for (size_t i = 0; i < sizeof bad_u32 / sizeof bad_u32[0]; i++)
        refuses(T_U32, bad_u32[i]);
    refuses(T_S32, "2147483648");
    refuses(T_S8, "-129");
    refuses(T_U64, "18446744073709551616");
}

static void test_floats(void **state)
{
    (void)state;
    reads(T_F32, "1.5", 0x3fc00000);
    reads(T_F32, "-inf", 0xff800000);
    reads(T_F64, "0.1", 0x3fb999999999999aull);
    reads(T_F16, "1", 0x3c00);
    reads(T_F16, "-2", 0xc000);
    reads(T_F16, "65504", 0x7bff); /* largest */
    reads(T_F16, "65520", 0x7c00); /* rounds to infinity */
    reads(T_F16, "65519", 0x7bff);
    reads(T_F16, "5.9604644775390625e-08", 0x0001); /* smallest subnormal */
    reads(T_F16, "2.98023223876953125e-08", 0);     /* half of it: ties to even */
    reads(T_F16, "6.103515625e-05", 0x0400);        /* smallest normal */
    reads(T_F16, "1e300", 0x7c00);
    reads(T_BF16, "3.140625", 0x4049);
    reads(T_BF16, "1.00390625", 0x3f80); /* tie to even */
    refuses(T_F32, "");
    refuses(T_F32, "1.5x");
    refuses(T_F64, "pi");
}

/* Every 16-bit pattern survives the way through a double (NaNs as NaNs). */
static void test_small_floats_round_trip(void **state)
{
    (void)state;
    const enum ir_type types[] = {T_F16, T_BF16};
    for (int t = 0; t < 2; t++)
        for (uint64_t bits = 0; bits < 0x10000; bits++) {
            double v = elem_double(types[t], bits);
            uint64_t back = elem_from_double(types[t], v);
            if (v == v)
                assert_true(back == bits);
            else
                assert_true(elem_double(types[t], back) != elem_double(types[t], back));
        }
}

static void test_print(void **state)
{
    (void)state;
    char s[40];
    elem_print(T_S16, 0xfffe, s, sizeof s);
    assert_string_equal(s, "-2");
    elem_print(T_U8, 200, s, sizeof s);
    assert_string_equal(s, "200");
    elem_print(T_B32, 0x1f, s, sizeof s);
    assert_string_equal(s, "0x0000001f");
    elem_print(T_F16, 0x3800, s, sizeof s);
    assert_string_equal(s, "0.5");
}

static void test_arguments(void **state)
{
    (void)state;
    struct arg a;
    char why[256];
    assert_null(arg_parse(&a, "out:f32:1024=const:2.0", why, sizeof why));
    assert_int_equal(a.kind, ARG_OUT);
    assert_int_equal(a.size_b, 4096);
    float f[1024];
    arg_fill(&a, f);
    assert_true(f[0] == 2.0f && f[1023] == 2.0f);
    assert_null(arg_parse(&a, "buf:u16:5=iota", why, sizeof why));
    uint16_t u[5];
    arg_fill(&a, u);
    assert_int_equal(u[4], 4);
    assert_null(arg_parse(&a, "hex:01ff", why, sizeof why));
    unsigned char bytes[2];
    arg_bytes(&a, bytes);
    assert_int_equal(bytes[1], 0xff);
    assert_null(arg_parse(&a, "buf:f32:64=rand:3", why, sizeof why));
    arg_fill(&a, f);
    for (int i = 0; i < 64; i++)
        assert_true(f[i] >= 0 && f[i] < 1);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    const char *const bad[] = {"",
                               "5",
                               "i32:5",
                               "u32:",
                               "buf:f32",
                               "buf:f32:0",
                               "buf::3",
                               "buf:f32:x",
                               "buf:f32:4=ones",
                               "buf:f32:4=const:x",
                               "buf:f32:4=rand:",
                               "hex:1",
                               "hex:zz",
                               "hex:",
                               "f16x2:1",
                               "texref:1",
                               "buf:f32:99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct arg a;
        char why[256] = "";
        if (!arg_parse(&a, bad[i], why, sizeof why))
            fail_msg("'%s' accepted", bad[i]);
        assert_true(why[0] != 0);
    }
}

static void test_show(void **state)
{
    (void)state;
    struct arg a;
    char why[256], buf[512] = {0};
    const int32_t v[4] = {3, -7, 2, 5};
    assert_null(arg_parse(&a, "out:s32:4", why, sizeof why));
    FILE *f = fmemopen(buf, sizeof buf, "w");
    arg_show(f, &a, "y", v, 3);
    fclose(f);
    assert_non_null(strstr(buf, "y  s32[4]  min -7  max 5  sum 3  checksum "));
    assert_non_null(strstr(buf, "\n    3 -7 2 ...\n"));
}

static void test_dim3(void **state)
{
    (void)state;
    uint32_t d[3];
    assert_true(cli_dim3("7", d) && d[0] == 7 && d[1] == 1 && d[2] == 1);
    assert_true(cli_dim3("7,8", d) && d[1] == 8);
    assert_true(cli_dim3("1x2x3", d) && d[2] == 3);
    const char *const bad[] = {"", ",", "1,", "1,2,3,4", "-1", "1;2", "4294967296", "x", "1,,2"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(cli_dim3(bad[i], d));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_small_floats_round_trip),
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_show),

        cmocka_unit_test(test_dim3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
