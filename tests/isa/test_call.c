/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow: functions with every kind of parameter and result, recursion, indirect calls, branch tables, guards,
 * divergence and loops. */
#include "run.h"

enum { N = 64 };

/* One kernel of N threads with one 64-bit slot each. */
static void check(struct isa *t, const char *name, const char *module, const char *body,
                  uint64_t (*want)(unsigned thread))
{
    uint64_t w[N];
    for (unsigned i = 0; i < N; i++)
        w[i] = want(i);
    kern_check(t, &(struct kern){.name = name, .module = module, .body = body, .slots = 1, .block = {N}}, w,
               NULL);
}

static uint64_t want_sum(unsigned i) { return (uint32_t)(i * 3 + 7); }
static uint64_t want_two(unsigned i) { return (uint64_t)(i / 5) << 32 | i % 5; }
static uint64_t want_wide(unsigned i) { return (uint64_t)i * 0x100000001ull + 5; }
static uint64_t want_fact(unsigned i)
{
    uint32_t r = 1;
    for (unsigned k = 2; k <= i % 10; k++)
        r *= k;
    return r;
}
static uint64_t want_fib(unsigned i)
{
    uint32_t a = 0, b = 1;
    for (unsigned k = 0; k < i % 9; k++) {
        uint32_t c = a + b;
        a = b;
        b = c;
    }
    return a;
}

static void test_call(void **state)
{
    struct isa *t = *state;
    check(t, "call (ret), f, (params)",
          ".func (.reg .u32 %ret) scale(.reg .u32 %x, .reg .u32 %y)\n{ mad.lo.u32 %ret, %x, 3, %y; ret; }\n",
          "mov.u32 %r0, 7; call (%r1), scale, (%tx, %r0); st.global.u32 [%out], %r1;", want_sum);
    check(t, "call.uni .param",
          ".func (.param .b32 r) scale(.param .b32 x, .param .b32 y)\n{ .reg .b32 %a<4>; ld.param.u32 %a0, "
          "[x]; ld.param.u32 %a1, [y];"
          " mad.lo.u32 %a2, %a0, 3, %a1; st.param.b32 [r], %a2; ret; }\n",
          "{ .param .b32 p0; .param .b32 p1; .param .b32 q; st.param.b32 [p0], %tx; st.param.b32 [p1], 7; "
          "call.uni (q), scale, (p0, p1); ld.param.b32 %r1, [q]; }\n"
          "st.global.u32 [%out], %r1;",
          want_sum);
    check(t, "call struct result",
          ".func (.param .align 4 .b8 r[8]) divide(.param .align 4 .b8 x[8])\n{ .reg .b32 %a<6>; "
          "ld.param.u32 %a0, [x]; ld.param.u32 %a1, [x+4];"
          " div.u32 %a2, %a0, %a1; rem.u32 %a3, %a0, %a1; st.param.v2.b32 [r], {%a3, %a2}; ret; }\n",
          "{ .param .align 4 .b8 p[8]; .param .align 4 .b8 q[8]; st.param.b32 [p], %tx; st.param.b32 [p+4], "
          "5; call.uni (q), divide, (p); ld.param.v2.b32 {%r1, %r2}, [q]; }\n"
          "st.global.v2.u32 [%out], {%r1, %r2};",
          want_two);
    check(t, "call 64-bit",
          ".func (.param .b64 r) wide(.param .b64 x)\n{ .reg .b64 %a<3>; ld.param.u64 %a0, [x]; add.u64 %a1, "
          "%a0, 5; st.param.b64 [r], %a1; ret; }\n",
          "mov.b64 %rd0, {%tx, %tx}; { .param .b64 p; .param .b64 q; st.param.b64 [p], %rd0; call.uni (q), "
          "wide, (p); ld.param.b64 %rd1, [q]; }\n"
          "st.global.u64 [%out], %rd1;",
          want_wide);
    ISA_DONE(t);
}

static uint64_t want_mixed(unsigned i)
{
    return (uint64_t)(int64_t)((int)(signed char)(i * 5) + (short)(i * -700) + (int)(i * 2) + 4);
}

/* Parameters of 8 and 16 bits, a double and a byte array together; the body of a function declared first. */
static void test_call_types(void **state)
{
    struct isa *t = *state;
    check(t, "call mixed",
          ".func (.param .b64 r) mixed(.param .b32 a, .param .b32 b, .param .b64 c, .param .align 8 .b8 "
          "d[12]);\n"
          ".func (.param .b64 r) outer(.param .b32 a, .param .b32 b, .param .b64 c, .param .align 8 .b8 "
          "d[12])\n"
          "{ .reg .b32 %a<6>; .reg .b64 %b<6>; ld.param.u32 %a0, [a]; ld.param.u32 %a1, [b]; ld.param.f64 "
          "%b0, [c]; ld.param.u32 %a2, [d+8];"
          " { .param .b32 pa; .param .b32 pb; .param .b64 pc; .param .align 8 .b8 pd[12]; .param .b64 q; "
          "st.param.b32 [pa], %a0; st.param.b32 [pb], %a1;"
          " st.param.f64 [pc], %b0; st.param.b32 [pd+8], %a2; call.uni (q), mixed, (pa, pb, pc, pd); "
          "ld.param.b64 %b1, [q]; } st.param.b64 [r], %b1; ret; }\n"
          ".func (.param .b64 r) mixed(.param .b32 a, .param .b32 b, .param .b64 c, .param .align 8 .b8 "
          "d[12])\n"
          "{ .reg .b32 %a<6>; .reg .b64 %b<6>; .reg .f64 %c; ld.param.s8 %a0, [a]; ld.param.s16 %a1, [b]; "
          "ld.param.f64 %c, [c]; ld.param.u32 %a2, [d+8];"
          " cvt.s64.s32 %b0, %a0; cvt.s64.s32 %b1, %a1; cvt.rzi.s64.f64 %b2, %c; cvt.s64.s32 %b3, %a2; "
          "add.s64 %b0, %b0, %b1; add.s64 %b0, %b0, %b2; add.s64 %b0, %b0, %b3;"
          " st.param.b64 [r], %b0; ret; }\n",
          "mul.lo.u32 %r0, %tx, 5; mul.lo.s32 %r1, %tx, -700; add.u32 %r2, %tx, %tx; cvt.rn.f64.u32 %fd0, "
          "%r2; mov.u32 %r3, 4;"
          "{ .param .b32 pa; .param .b32 pb; .param .b64 pc; .param .align 8 .b8 pd[12]; .param .b64 q; "
          "st.param.b32 [pa], %r0; st.param.b32 [pb], %r1; st.param.f64 [pc], %fd0;"
          " st.param.b32 [pd+8], %r3; call.uni (q), outer, (pa, pb, pc, pd); ld.param.b64 %rd1, [q]; "
          "}\nst.global.u64 [%out], %rd1;",
          want_mixed);
    ISA_DONE(t);
}

/* Recursion to different depths in the lanes of one warp. */
static void test_recursion(void **state)
{
    struct isa *t = *state;
    check(t, "call recursive",
          ".func (.param .b32 r) fact(.param .b32 n)\n{ .reg .b32 %a<4>; .reg .pred %p; ld.param.u32 %a0, "
          "[n]; mov.u32 %a1, 1; setp.lt.u32 %p, %a0, 2; @%p bra E; sub.u32 %a2, %a0, 1;"
          " { .param .b32 x; .param .b32 y; st.param.b32 [x], %a2; call (y), fact, (x); ld.param.b32 %a1, "
          "[y]; } mul.lo.u32 %a1, %a1, %a0;\nE: st.param.b32 [r], %a1; ret; }\n",
          "rem.u32 %r0, %tx, 10; { .param .b32 x; .param .b32 y; st.param.b32 [x], %r0; call (y), fact, (x); "
          "ld.param.b32 %r1, [y]; }\nst.global.u32 [%out], %r1;",
          want_fact);
    check(
        t, "call recursive twice",
        ".func (.param .b32 r) fib(.param .b32 n)\n{ .reg .b32 %a<6>; .reg .pred %p; ld.param.u32 %a0, [n]; "
        "mov.u32 %a1, %a0; setp.lt.u32 %p, %a0, 2; @%p bra E; sub.u32 %a2, %a0, 1; sub.u32 %a4, %a0, 2;"
        " { .param .b32 x; .param .b32 y; st.param.b32 [x], %a2; call (y), fib, (x); ld.param.b32 %a3, [y]; }"
        " { .param .b32 x; .param .b32 y; st.param.b32 [x], %a4; call (y), fib, (x); ld.param.b32 %a1, [y]; "
        "} add.u32 %a1, %a1, %a3;\nE: st.param.b32 [r], %a1; ret; }\n",
        "rem.u32 %r0, %tx, 9; { .param .b32 x; .param .b32 y; st.param.b32 [x], %r0; call (y), fib, (x); "
        "ld.param.b32 %r1, [y]; }\nst.global.u32 [%out], %r1;",
        want_fib);
    ISA_DONE(t);
}

static uint64_t want_indirect(unsigned i)
{
    return i % 3 == 0 ? i + 100 : i % 3 == 1 ? i * i : ~i & 0xffffffff;
}

/* Three functions chosen per lane, through a table in memory. */
static void test_indirect(void **state)
{
    struct isa *t = *state;
#define FN(name, op)                                                                                         \
    ".func (.param .b32 r) " name "(.param .b32 n)\n{ .reg .b32 %a<3>; ld.param.u32 %a0, [n]; " op           \
    " st.param.b32 [r], %a1; ret; }\n"
    static const char module[] = FN("f0", "add.u32 %a1, %a0, 100;") FN("f1", "mul.lo.u32 %a1, %a0, %a0;")
        FN("f2", "not.b32 %a1, %a0;") ".global .align 8 .u64 table[3] = {f0, f1, f2};\n";
#undef FN
    check(t, "call indirect, prototype", module,
          "rem.u32 %r0, %tx, 3; mov.u64 %rd0, table; mad.wide.u32 %rd1, %r0, 8, %rd0; ld.global.u64 %rd2, "
          "[%rd1];\n"
          "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %tx; P: .callprototype (.param .b32 _) _ "
          "(.param .b32 _); call (y), %rd2, (x), P; ld.param.b32 %r1, [y]; }\n"
          "st.global.u32 [%out], %r1;",
          want_indirect);
    check(t, "call indirect, targets", module,
          "rem.u32 %r0, %tx, 3; mov.u64 %rd2, f0; mov.u64 %rd3, f1; mov.u64 %rd4, f2; setp.eq.u32 %p0, %r0, "
          "1; setp.eq.u32 %p1, %r0, 2; @%p0 mov.u64 %rd2, %rd3; @%p1 mov.u64 %rd2, %rd4;\n"
          "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %tx; T: .calltargets f0, f1, f2; call (y), "
          "%rd2, (x), T; ld.param.b32 %r1, [y]; }\n"
          "st.global.u32 [%out], %r1;",
          want_indirect);
    ISA_DONE(t);
}

static uint64_t want_guarded(unsigned i) { return i & 1 ? i + 1 : i; }
static uint64_t want_locals(unsigned i) { return i * 10 + 45; }

/* A guarded call, and a function whose local array must survive a nested call. */
static void test_frames(void **state)
{
    struct isa *t = *state;
    check(t, "@p call", ".func (.reg .u32 %ret) inc(.reg .u32 %x)\n{ add.u32 %ret, %x, 1; ret; }\n",
          "and.b32 %r0, %tx, 1; setp.ne.u32 %p0, %r0, 0; mov.u32 %r1, %tx; @%p0 call (%r1), inc, (%tx); "
          "st.global.u32 [%out], %r1;",
          want_guarded);
    check(t, "call with locals",
          ".func (.reg .u32 %ret) leaf(.reg .u32 %x)\n{ .local .align 4 .b8 l[64]; .reg .b32 %i; .reg .b64 "
          "%a<2>; .reg .pred %p; mov.u32 %i, 0; mov.u64 %a0, l;\n"
          "L: mov.u64 %a1, %a0; mad.wide.u32 %a1, %i, 4, %a1; st.local.u32 [%a1], %x; add.u32 %i, %i, 1; "
          "setp.lt.u32 %p, %i, 16; @%p bra L; ld.local.u32 %ret, [l+20]; ret; }\n"
          ".func (.reg .u32 %ret) mid(.reg .u32 %x)\n{ .local .align 4 .b8 l[40]; .reg .b32 %i, %v; .reg "
          ".b64 %a<2>; .reg .pred %p; mov.u32 %i, 0; mov.u64 %a0, l;\n"
          "L: mad.wide.u32 %a1, %i, 4, %a0; call (%v), leaf, (%x); add.u32 %v, %v, %i; st.local.u32 [%a1], "
          "%v; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 10; @%p bra L;\n"
          "mov.u32 %i, 0; mov.u32 %ret, 0;\nM: mad.wide.u32 %a1, %i, 4, %a0; ld.local.u32 %v, [%a1]; add.u32 "
          "%ret, %ret, %v; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 10; @%p bra M; ret; }\n",
          "call (%r1), mid, (%tx); st.global.u32 [%out], %r1;", want_locals);
    ISA_DONE(t);
}

static uint64_t want_brx(unsigned i) { return i % 4 == 0 ? 11 : i % 4 == 1 ? 22 + i : i % 4 == 2 ? 33 : 44; }
static uint64_t want_loop(unsigned i) { return i * (i + 1) / 2; }
static uint64_t want_nest(unsigned i)
{
    unsigned n = 0;
    for (unsigned a = 0; a < i % 5; a++)
        for (unsigned b = 0; b < i % 7; b++) {
            if ((a + b + i) % 3 == 0)
                continue;
            if (b == 5)
                break;
            n += a * b + 1;
        }
    return n;
}
static uint64_t want_exit(unsigned i) { return i % 3 == 0 ? 0 : i; }

static void test_branches(void **state)
{
    struct isa *t = *state;
    check(t, "brx.idx", NULL,
          "and.b32 %r0, %tx, 3; T: .branchtargets A, B, C, D; brx.idx %r0, T;\nA: mov.u32 %r1, 11; bra "
          "E;\nB: add.u32 %r1, %tx, 22; bra E;\nC: mov.u32 %r1, 33; bra E;\nD: mov.u32 %r1, 44;\n"
          "E: st.global.u32 [%out], %r1;",
          want_brx);
    check(t, "bra loop", NULL,
          "mov.u32 %r0, 0; mov.u32 %r1, 0;\nL: setp.gt.u32 %p0, %r0, %tx; @%p0 bra E; add.u32 %r1, %r1, %r0; "
          "add.u32 %r0, %r0, 1; bra.uni L;\nE: st.global.u32 [%out], %r1;",
          want_loop);
    check(
        t, "bra nested", NULL,
        "rem.u32 %r0, %tx, 5; rem.u32 %r1, %tx, 7; mov.u32 %r2, 0; mov.u32 %r3, 0;\nA: setp.ge.u32 %p0, %r3, "
        "%r0; @%p0 bra E; mov.u32 %r4, 0;\nB: setp.ge.u32 %p1, %r4, %r1; @%p1 bra A2;"
        "add.u32 %r5, %r3, %r4; add.u32 %r5, %r5, %tx; rem.u32 %r6, %r5, 3; setp.eq.u32 %p2, %r6, 0; @%p2 "
        "bra B2; setp.eq.u32 %p3, %r4, 5; @%p3 bra A2; mad.lo.u32 %r7, %r3, %r4, 1; add.u32 %r2, %r2, %r7;\n"
        "B2: add.u32 %r4, %r4, 1; bra B;\nA2: add.u32 %r3, %r3, 1; bra A;\nE: st.global.u32 [%out], %r2;",
        want_nest);
    check(t, "@p exit", NULL,
          "rem.u32 %r0, %tx, 3; setp.eq.u32 %p0, %r0, 0; @%p0 exit; st.global.u32 [%out], %tx;", want_exit);
    check(t, "@p ret", NULL,
          "rem.u32 %r0, %tx, 3; setp.eq.u32 %p0, %r0, 0; @%p0 ret; st.global.u32 [%out], %tx;", want_exit);
    ISA_DONE(t);
}

static uint64_t want_guard(unsigned i)
{
    return (i < 10 ? 1u : 2u) | (i < 10 ? 0x100u : 0x200u) | (i == 7 ? 0x10000u : 0);
}

static void test_guards(void **state)
{
    struct isa *t = *state;
    check(t, "@p @!p", NULL,
          "setp.lt.u32 %p0, %tx, 10; mov.u32 %r0, 0; @%p0 mov.u32 %r0, 1; @!%p0 mov.u32 %r0, 2; mov.u32 %r1, "
          "0x200; @%p0 add.u32 %r1, %r1, -0x100; or.b32 %r0, %r0, %r1;"
          "setp.eq.u32 %p1, %tx, 7; mov.u32 %r2, 0x10000; @%p1 or.b32 %r0, %r0, %r2; st.global.u32 [%out], "
          "%r0;",
          want_guard);
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_call), cmocka_unit_test(test_call_types), cmocka_unit_test(test_recursion),
         cmocka_unit_test(test_indirect), cmocka_unit_test(test_frames), cmocka_unit_test(test_branches),
         cmocka_unit_test(test_guards))
