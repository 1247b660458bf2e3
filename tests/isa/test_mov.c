/* SPDX-License-Identifier: Apache-2.0 */
/* mov of every type, literals, packing and unpacking, kernel parameters of every type, cvta and isspacep. */
#include "form.h"
#include "run.h"

static bool ref_same(const struct form *f, const uint64_t *in, uint64_t *out)
{
    (void)f;
    out[0] = in[0];
    return true;
}

static void test_mov(void **state)
{
    struct isa *t = *state;
    static const char *const types[] = {"pred", "b16", "u16", "s16", "b32", "u32",
                                        "s32",  "b64", "u64", "s64", "f32", "f64"};
    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++)
        form_check(t, &(struct form){.name = isa_fmt(t, "mov.%s", types[i]),
                                     .sig = isa_fmt(t, "%s:%s", types[i], types[i]),
                                     .ref = ref_same,
                                     .nimm = i ? 16 : 0});
    ISA_DONE(t);
}

/* out = f(in) for the pack and unpack bodies below: k[0] says which. */
static bool ref_pack(const struct form *f, const uint64_t *in, uint64_t *out)
{
    switch (f->k[0]) {
    case 0: out[0] = in[0] | in[1] << 16; break;
    case 1: out[0] = in[0] | in[1] << 32; break;
    case 2: out[0] = in[0] | in[1] << 16 | in[2] << 32 | in[3] << 48; break;
    case 3: out[0] = in[0] & 0xffff, out[1] = in[0] >> 16; break;
    case 4: out[0] = in[0] & 0xffffffff, out[1] = in[0] >> 32; break;
    case 5: out[0] = in[0] >> 16 & 0xffff, out[1] = in[0] >> 48; break;
    case 6: out[0] = in[0] >> 32; break;
    case 7: out[0] = in[0] >> 32 | in[0] << 32; break;
    }
    return true;
}

static void test_pack(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *sig, *body;
    } rows[] = {
        {"b32:b16,b16", "mov.b32 %d, {%a, %b};"},
        {"b64:b32,b32", "mov.b64 %d, {%a, %b};"},
        {"b64:b16,b16,b16,b16", "mov.b64 %d, {%a, %b, %c, %e};"},
        {"b16,b16:b32", "mov.b32 {%d, %q}, %a;"},
        {"b32,b32:b64", "mov.b64 {%d, %q}, %a;"},
        {"b16,b16:b64", "{ .reg .b16 %u<2>; mov.b64 {%u0, %d, %u1, %q}, %a; }"},
        {"b32:b64", "mov.b64 {_, %d}, %a;"},
        {"f64:f64", "{ .reg .f32 %u<2>; mov.b64 {%u0, %u1}, %a; mov.b64 %d, {%u1, %u0}; }"},
    };
    for (int i = 0; i < (int)(sizeof rows / sizeof rows[0]); i++)
        form_check(t, &(struct form){.name = i < 2 ? "mov.b32 pack" : "mov.b64 pack",
                                     .sig = rows[i].sig,
                                     .body = rows[i].body,
                                     .ref = ref_pack,
                                     .k = {i}});
    ISA_DONE(t);
}

static void test_literals(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *mov, *reg, *text;
        uint64_t want;
    } rows[] = {
        {"mov.u32", "%r0", "42", 42},
        {"mov.u32", "%r0", "0x2A", 42},
        {"mov.u32", "%r0", "052", 42},
        {"mov.u32", "%r0", "0b101010", 42},
        {"mov.u32", "%r0", "4294967295U", 0xffffffff},
        {"mov.s32", "%r0", "-2147483648", 0x80000000},
        {"mov.s64", "%rd0", "-9223372036854775808", 0x8000000000000000},
        {"mov.u64", "%rd0", "0xfedcba9876543210", 0xfedcba9876543210},
        {"mov.u64", "%rd0", "18446744073709551615U", UINT64_MAX},
        {"mov.s64", "%rd0", "-1", UINT64_MAX},
        {"mov.u32", "%r0", "WARP_SZ", 32},
        {"mov.f32", "%f0", "0f3FC00000", 0x3fc00000},
        {"mov.f32", "%f0", "1.5", 0x3fc00000},
        {"mov.f32", "%f0", "-1.5e1", 0xc1700000},
        {"mov.f32", "%f0", "0f7FFFFFFF", 0x7fffffff},
        {"mov.f64", "%fd0", "0d3FF8000000000000", 0x3ff8000000000000},
        {"mov.f64", "%fd0", "0.1", 0x3fb999999999999a},
        {"mov.b32", "%r0", "0f3F800000", 0x3f800000},
        {"mov.u32", "%r0", "(3 + 4 * 5) << 1", 46},
        {"mov.u32", "%r0", "(1 ? 7 : 9) | 8", 15},
        {"mov.s32", "%r0", "-(7 / 2)", 0xfffffffd},
        {"mov.u32", "%r0", "!0 + ~0xfffffffe", 2},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct kern k = {.name = "mov literal", .slots = 1};
        const char *st = rows[i].reg[1] == 'r'   ? (rows[i].reg[2] == 'd' ? "u64" : "u32")
                         : rows[i].reg[2] == 'd' ? "f64"
                                                 : "f32";
        k.body = isa_fmt(t, "%s %s, %s; st.global.%s [%%out], %s;", rows[i].mov, rows[i].reg, rows[i].text,
                         st, rows[i].reg);
        kern_check(t, &k, &rows[i].want, NULL);
    }
    ISA_DONE(t);
}

/* A parameter of each type, each at its natural alignment after the one before. */
static void test_params(void **state)
{
    struct isa *t = *state;
    struct {
        uint8_t u8;
        int8_t s8;
        uint16_t u16;
        int16_t s16;
        uint32_t u32;
        int32_t s32;
        uint64_t u64;
        int64_t s64;
        float f32;
        double f64;
        uint8_t b8;
        uint16_t b16;
        uint32_t b32;
        uint64_t b64;
    } p = {0xf1,        -2,   0xf0f1, -300, 0xdeadbeef, -70000,     0x123456789abcdef0,
           -5000000000, 1.5f, -2.25,  0x99, 0x8123,     0x87654321, 0xfeed};
    static const char body[] = "ld.param.u8 %r0, [a0]; st.global.u32 [%out], %r0; ld.param.s8 %r0, [a1]; "
                               "st.global.u32 [%out+8], %r0;"
                               "ld.param.u16 %r0, [a2]; st.global.u32 [%out+16], %r0; ld.param.s16 %r0, "
                               "[a3]; st.global.u32 [%out+24], %r0;"
                               "ld.param.u32 %r0, [a4]; st.global.u32 [%out+32], %r0; ld.param.s32 %r0, "
                               "[a5]; st.global.u32 [%out+40], %r0;"
                               "ld.param.u64 %rd0, [a6]; st.global.u64 [%out+48], %rd0; ld.param.s64 %rd0, "
                               "[a7]; st.global.u64 [%out+56], %rd0;"
                               "ld.param.f32 %f0, [a8]; st.global.f32 [%out+64], %f0; ld.param.f64 %fd0, "
                               "[a9]; st.global.f64 [%out+72], %fd0;"
                               "ld.param.b8 %h0, [a10]; st.global.b16 [%out+80], %h0; ld.param.b16 %h0, "
                               "[a11]; st.global.b16 [%out+88], %h0;"
                               "ld.param.b32 %r0, [a12]; st.global.b32 [%out+96], %r0; ld.param.b64 %rd0, "
                               "[a13]; st.global.b64 [%out+104], %rd0;";
    const uint64_t want[14] = {0xf1,
                               0xfffffffe,
                               0xf0f1,
                               0xfffffed4,
                               0xdeadbeef,
                               0xfffeee90,
                               0x123456789abcdef0,
                               (uint64_t)-5000000000,
                               0x3fc00000,
                               0xc002000000000000,
                               0x99,
                               0x8123,
                               0x87654321,
                               0xfeed};
    struct kern k = {.name = "ld.param", .slots = 14, .body = body, .extra = &p, .extra_b = sizeof p};
    k.params = ", .param .u8 a0, .param .s8 a1, .param .u16 a2, .param .s16 a3, .param .u32 a4, .param .s32 "
               "a5, .param .u64 a6,"
               ".param .s64 a7, .param .f32 a8, .param .f64 a9, .param .b8 a10, .param .b16 a11, .param .b32 "
               "a12, .param .b64 a13";
    kern_check(t, &k, want, NULL);
    ISA_DONE(t);
}

/* A struct parameter read at constant and computed offsets, and .ptr attributes. */
static void test_struct_param(void **state)
{
    struct isa *t = *state;
    uint32_t p[8];
    uint64_t want[32][2];
    for (unsigned i = 0; i < 8; i++)
        p[i] = 0x01010101u * (i + 1);
    for (unsigned i = 0; i < 32; i++) {
        want[i][0] = p[i & 7];
        want[i][1] = (uint64_t)p[3] << 32 | p[2];
    }
    struct kern k = {.name = "ld.param struct", .slots = 2, .block = {32}, .extra = p, .extra_b = sizeof p};
    k.params = ", .param .align 8 .b8 s[32]";
    k.body = "and.b32 %r0, %tx, 7; mul.wide.u32 %rd0, %r0, 4; mov.b64 %rd1, s; add.s64 %rd0, %rd0, %rd1;"
             "ld.param.u32 %r1, [%rd0]; st.global.u32 [%out], %r1; ld.param.u64 %rd2, [s+8]; st.global.u64 "
             "[%out+8], %rd2;";
    kern_check(t, &k, &want[0][0], NULL);
    ISA_DONE(t);
}

/* Addresses: to generic and back, and which space a generic address is in. */
static void test_generic(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *space;
        unsigned is;
    } rows[] = {{"global", 1}, {"shared", 2}, {"local", 4}, {"const", 8}};
    for (unsigned i = 0; i < 4; i++) {
        const char *s = rows[i].space;
        uint64_t want[5];
        struct kern k = {.name = isa_fmt(t, "cvta.%s.u64", s), .slots = 5};
        k.module =
            ".global .align 4 .u32 vglobal[4] = {1, 2, 3, 4}; .const .align 4 .u32 vconst[4] = {1, 2, 3, 4};"
            ".shared .align 4 .u32 vshared[4];\n";
        k.body =
            isa_fmt(t,
                    ".local .align 4 .b8 vlocal[16]; mov.u64 %%rd0, v%s; add.u64 %%rd0, %%rd0, 4; "
                    "cvta.%s.u64 %%rd1, %%rd0;"
                    "cvta.to.%s.u64 %%rd2, %%rd1; sub.u64 %%rd3, %%rd2, %%rd0; st.global.u64 [%%out], %%rd3;"
                    "isspacep.global %%p0, %%rd1; isspacep.shared %%p1, %%rd1; isspacep.local %%p2, %%rd1; "
                    "isspacep.const %%p3, %%rd1;"
                    "selp.u32 %%r0, 1, 0, %%p0; selp.u32 %%r1, 1, 0, %%p1; selp.u32 %%r2, 1, 0, %%p2; "
                    "selp.u32 %%r3, 1, 0, %%p3;"
                    "st.global.u32 [%%out+8], %%r0; st.global.u32 [%%out+16], %%r1; st.global.u32 "
                    "[%%out+24], %%r2; st.global.u32 [%%out+32], %%r3;",
                    s, s, s);
        want[0] = 0;
        for (unsigned b = 0; b < 4; b++)
            want[1 + b] = rows[i].is >> b & 1;
        kern_check(t, &k, want, NULL);
        isa_count(t, isa_fmt(t, "cvta.to.%s.u64", s));
        isa_count(t, isa_fmt(t, "isspacep.%s", s));
    }
    ISA_DONE(t);
}

/* Initialised variables of every shape: arrays, partial lists, addresses of others, floats. */
static void test_variables(void **state)
{
    struct isa *t = *state;
    static const char module[] = ".global .align 4 .u32 other[4] = {10, 20};\n"
                                 ".global .align 8 .u64 table[3] = {other, generic(other)+4, 7};\n"
                                 ".global .align 4 .f32 fl[2] = {1.5, 0f40000000};\n"
                                 ".const .align 8 .f64 db[2] = {0.5, 0d4000000000000000};\n"
                                 ".const .align 4 .s32 cs = -5;\n"
                                 ".global .align 1 .b8 text[6] = {104, 105, 0, 255};\n"
                                 ".global .align 2 .u16 grid[2][3] = {{1, 2, 3}, {4, 5, 6}};\n"
                                 ".global .v4 .u32 quad = {1, 2, 3, 4};\n";
    static const char body[] =
        "ld.global.u64 %rd0, [table]; cvta.to.global.u64 %rd0, %rd0; ld.global.u32 %r0, [%rd0]; "
        "st.global.u32 [%out], %r0;"
        "ld.global.u64 %rd0, [table+8]; ld.u32 %r0, [%rd0]; st.global.u32 [%out+8], %r0;"
        "ld.global.u64 %rd0, [table+16]; st.global.u64 [%out+16], %rd0; ld.global.u32 %r0, [other+12]; "
        "st.global.u32 [%out+24], %r0;"
        "ld.global.v2.f32 {%f0, %f1}, [fl]; add.f32 %f0, %f0, %f1; st.global.f32 [%out+32], %f0;"
        "ld.const.f64 %fd0, [db]; ld.const.f64 %fd1, [db+8]; add.f64 %fd0, %fd0, %fd1; st.global.f64 "
        "[%out+40], %fd0;"
        "ld.const.s32 %r0, [cs]; st.global.u32 [%out+48], %r0; ld.global.s8 %r0, [text+3]; st.global.u32 "
        "[%out+56], %r0;"
        "ld.global.u16 %r0, [grid+8]; st.global.u32 [%out+64], %r0; ld.global.v4.u32 {%r0, %r1, %r2, %r3}, "
        "[quad];"
        "add.u32 %r0, %r0, %r3; st.global.u32 [%out+72], %r0;";
    const uint64_t want[] = {10, 20, 7, 0, 0x40600000, 0x4004000000000000, 0xfffffffb, 0xffffffff, 5, 5};
    struct kern k = {.name = "ld initialised", .module = module, .body = body, .slots = 10};
    kern_check(t, &k, want, NULL);
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_mov), cmocka_unit_test(test_pack), cmocka_unit_test(test_literals),
         cmocka_unit_test(test_params), cmocka_unit_test(test_struct_param), cmocka_unit_test(test_generic),
         cmocka_unit_test(test_variables))
