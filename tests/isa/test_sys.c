/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel asks of the system, and how it is stopped: printf, assert, malloc, trap, and every kind of bad access. */
#include "run.h"

#include "exec/exec.h"

#include <stdlib.h>

static const char printf_decl[] = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n";

/* Runs a kernel that prints; returns its output. */
static char *printed(struct isa *t, unsigned config, const struct kern *k)
{
    char *text = NULL;
    size_t n = 0;
    uint64_t out[64] = {0};
    FILE *f = open_memstream(&text, &n);
    struct kern own = *k;
    assert_non_null(f);
    own.out = f;
    struct isa_launch l = kern_launch(t, &own, out);
    isa_run(t, config, &l, k->name);
    fclose(f);
    return text;
}

static const char *bytes_of(struct isa *t, const char *name, const char *s)
{
    const char *list = "";
    for (const char *p = s; *p; p++)
        list = isa_fmt(t, "%s%d, ", list, *p);
    return isa_fmt(t, ".global .align 1 .b8 %s[%u] = {%s0};\n", name, (unsigned)strlen(s) + 1, list);
}

static void test_printf(void **state)
{
    struct isa *t = *state;
    struct kern k = {.name = "call vprintf", .slots = 1, .block = {2}};
    k.module = isa_fmt(t, "%s%s%s", printf_decl,
                       bytes_of(t, "fmt", "t%d u=%u x=%08x c=%c f=%.3f e=%e s=%s ll=%lld p=%% %5d|%-5d|%s\n"),
                       bytes_of(t, "str", "hello"));
    k.body =
        ".local .align 8 .b8 args[96]; mov.u64 %rd0, args; cvta.local.u64 %rd1, %rd0; st.local.u32 [%rd0], "
        "%tx; mov.u32 %r0, -1; st.local.u32 [%rd0+4], %r0;"
        "mov.u32 %r0, 0xbeef; st.local.u32 [%rd0+8], %r0; mov.u32 %r0, 65; st.local.u32 [%rd0+12], %r0; "
        "mov.f64 %fd0, 0d400921FB54442D18; st.local.f64 [%rd0+16], %fd0;"
        "mov.f64 %fd0, 0d40FE240C9FBE76C9; st.local.f64 [%rd0+24], %fd0; mov.u64 %rd2, str; cvta.global.u64 "
        "%rd2, %rd2; st.local.u64 [%rd0+32], %rd2; mov.u64 %rd3, -5000000000; st.local.u64 [%rd0+40], %rd3;"
        "mov.u32 %r0, 42; st.local.u32 [%rd0+48], %r0; st.local.u32 [%rd0+52], %r0; st.local.u64 [%rd0+56], "
        "%rd2; mov.u64 %rd4, fmt; cvta.global.u64 %rd4, %rd4;"
        "{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd4; st.param.b64 [a], %rd1; "
        "call.uni (r), vprintf, (f, a); ld.param.b32 %r1, [r]; }\nst.global.u32 [%out], %r1;";
    char want[512] = "";
    for (int i = 0; i < 2; i++)
        snprintf(want + strlen(want), sizeof want - strlen(want),
                 "t%d u=%u x=%08x c=%c f=%.3f e=%e s=%s ll=%lld p=%% %5d|%-5d|%s\n", i, 0xffffffffu, 0xbeef,
                 'A', 3.14159265358979, 123456.789, "hello", -5000000000ll, 42, 42, "hello");
    isa_count(t, k.name);
    for (unsigned c = 0; c < ISA_CONFIGS; c++) {
        char *text = printed(t, c, &k);
        if (strcmp(text, want) != 0)
            isa_fail(t, "vprintf [%u]: want \"%s\", got \"%s\"", c, want, text);
        free(text);
    }
    ISA_DONE(t);
}

static void test_heap(void **state)
{
    struct isa *t = *state;
    uint64_t want[64];
    for (unsigned i = 0; i < 64; i++)
        want[i] = i * i + 1;
    struct kern k = {.name = "call malloc", .slots = 1, .block = {64}};
    k.module = ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n";
    k.body = "mul.wide.u32 %rd0, %tx, 8; add.u64 %rd0, %rd0, 16; { .param .b64 n; .param .b64 r; "
             "st.param.b64 [n], %rd0; call.uni (r), malloc, (n); ld.param.b64 %rd1, [r]; }\n"
             "add.u64 %rd2, %rd1, %rd0; mad.lo.u32 %r0, %tx, %tx, 1; st.u32 [%rd2+-4], %r0; bar.sync 0; "
             "ld.u32 %r1, [%rd2+-4]; st.global.u32 [%out], %r1;"
             "{ .param .b64 p; st.param.b64 [p], %rd1; call.uni free, (p); }";
    kern_check(t, &k, want, NULL);
    ISA_DONE(t);
}

static const char stack_overflow[] = "stack overflow";

/* A kernel that must stop, and what the error must say. */
static void stops(struct isa *t, const char *name, const char *module, const char *body,
                  enum exec_status status, const char *says)
{
    isa_count(t, name);
    for (unsigned c = 0; c < ISA_CONFIGS; c++) {
        uint64_t out[64] = {0}, in[16] = {0};
        struct kern k = {
            .name = name, .module = module, .body = body, .slots = 1, .block = {64}, .in = {{in, sizeof in}}};
        struct isa_launch l = kern_launch(t, &k, out);
        struct isa_result r = isa_try(t, c, &l);
        /* The body is one line of the module's text: the error must name it. */
        uint32_t line = 1;
        for (const char *p = l.ptx, *end = strstr(l.ptx, body); p < end; p++)
            line += *p == '\n';
        if (says == stack_overflow) { /* in the function, at the access that did not fit */
            if (r.status != ISA_FAILED || !strstr(r.text, says))
                isa_fail(t, "%s [%u]: %s", name, c, r.text);
        } else if (r.status != ISA_FAILED || r.code != (int)status)
            isa_fail(t, "%s [%u]: status %d code %d (want %d): %s", name, c, r.status, r.code, (int)status,
                     r.text);
        else if (!strstr(r.text, says) || !strstr(r.text, "'k'") ||
                 (status != EXEC_DEADLOCK && status != EXEC_LIMIT && r.line != line))
            isa_fail(t, "%s [%u]: message does not say '%s' and line %u: %s", name, c, says, line, r.text);
    }
}

static void test_traps(void **state)
{
    struct isa *t = *state;
    stops(t, "trap", NULL, "setp.eq.u32 %p0, %tx, 37; @%p0 trap; st.global.u32 [%out], %tx;", EXEC_TRAP,
          "lane 5");
    stops(t, "brkpt", NULL, "setp.eq.u32 %p0, %tx, 3; @%p0 brkpt; st.global.u32 [%out], %tx;", EXEC_TRAP,
          "lane 3");
    const char *module =
        isa_fmt(t,
                ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, "
                ".param .b64 e);\n%s%s%s",
                bytes_of(t, "msg", "x > 0"), bytes_of(t, "file", "foo.cu"), bytes_of(t, "fn", "kern"));
    stops(t, "call __assertfail", module,
          "mov.u64 %rd0, msg; mov.u64 %rd1, file; mov.u64 %rd2, fn; cvta.global.u64 %rd0, %rd0; "
          "cvta.global.u64 %rd1, %rd1; cvta.global.u64 %rd2, %rd2; mov.u64 %rd3, 1;"
          "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e; st.param.b64 [a], "
          "%rd0; st.param.b64 [b], %rd1; st.param.b32 [c], 12; st.param.b64 [d], %rd2;"
          " st.param.b64 [e], %rd3; call.uni __assertfail, (a, b, c, d, e); }",
          EXEC_ASSERT, "x > 0");
    ISA_DONE(t);
}

static void test_bad_accesses(void **state)
{
    struct isa *t = *state;
    static const char sh[] = ".shared .align 16 .b8 sh[64];\n.const .align 8 .b8 cb[64];\n";
    stops(t, "ld.global null", NULL, "mov.u64 %rd0, 0; ld.global.u32 %r0, [%rd0]; st.global.u32 [%out], %r0;",
          EXEC_BAD_ADDRESS, "0x0");
    stops(t, "ld.global beyond", NULL, "ld.global.u32 %r0, [%in0+1000000]; st.global.u32 [%out], %r0;",
          EXEC_BAD_ADDRESS, "warp 0");
    stops(t, "ld.global misaligned", NULL, "ld.global.u32 %r0, [%in0+2]; st.global.u32 [%out], %r0;",
          EXEC_MISALIGNED, "lane 0");
    stops(t, "st.global misaligned", NULL, "st.global.u64 [%in0+4], %rd0;", EXEC_MISALIGNED, "lane 0");
    stops(t, "ld.global.v4 misaligned", NULL,
          "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%in0+8]; st.global.u32 [%out], %r3;", EXEC_MISALIGNED,
          "lane 0");
    stops(t, "atom.global beyond", NULL,
          "atom.global.add.u32 %r0, [%in0+1000000], 1; st.global.u32 [%out], %r0;", EXEC_BAD_ADDRESS,
          "warp 0");
    stops(t, "ld.shared beyond", sh,
          "mov.u64 %rd0, sh; ld.shared.u32 %r0, [%rd0+1048576]; st.global.u32 [%out], %r0;", EXEC_BAD_ADDRESS,
          "warp 0");
    stops(t, "st.shared misaligned", sh, "mov.u64 %rd0, sh; st.shared.u32 [%rd0+1], %tx;", EXEC_MISALIGNED,
          "warp 0");
    stops(t, "ld.local beyond", NULL,
          ".local .align 4 .b8 l[16]; mov.u64 %rd0, l; ld.local.u32 %r0, [%rd0+1048576]; st.global.u32 "
          "[%out], %r0;",
          EXEC_BAD_ADDRESS, "warp 0");
    stops(t, "ld.const beyond", sh,
          "mov.u64 %rd0, cb; mul.wide.u32 %rd1, %tx, 16384; add.u64 %rd0, %rd0, %rd1; ld.const.u32 %r0, "
          "[%rd0]; st.global.u32 [%out], %r0;",
          EXEC_BAD_ADDRESS, "lane");
    stops(t, "ld generic null", NULL, "mov.u64 %rd0, 16; ld.u32 %r0, [%rd0]; st.global.u32 [%out], %r0;",
          EXEC_BAD_ADDRESS, "0x10");
    ISA_DONE(t);
}

static void test_hangs(void **state)
{
    struct isa *t = *state;
    stops(t, "bar.sync missing threads", NULL, "bar.sync 1, 96; st.global.u32 [%out], %tx;", EXEC_DEADLOCK,
          "barrier");
    stops(t, "bra forever", NULL, "L: bra L;", EXEC_LIMIT, "");
    ISA_DONE(t);
}

static void test_indirect_errors(void **state)
{
    struct isa *t = *state;
    stops(t, "call to nowhere", NULL, "mov.u64 %rd0, 12345; P: .callprototype _ (); call %rd0, P;",
          EXEC_BAD_CODE, "");
    stops(t, "recursion without end",
          ".func (.param .b32 r) down(.param .b32 n)\n{ .reg .b32 %a<4>; ld.param.u32 %a0, [n]; { .param "
          ".b32 x; .param .b32 y; st.param.b32 [x], %a0; call (y), down, (x); ld.param.b32 %a1, [y]; }"
          " add.u32 %a1, %a1, 1; st.param.b32 [r], %a1; ret; }\n",
          "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %tx; call (y), down, (x); ld.param.b32 %r1, "
          "[y]; } st.global.u32 [%out], %r1;",
          EXEC_BAD_ADDRESS, stack_overflow);
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_printf), cmocka_unit_test(test_heap), cmocka_unit_test(test_traps),
         cmocka_unit_test(test_bad_accesses), cmocka_unit_test(test_hangs),
         cmocka_unit_test(test_indirect_errors))
