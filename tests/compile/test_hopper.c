/* SPDX-License-Identifier: Apache-2.0 */
/* What only code for sm_90 has: both words of a product at once, atomics of a warp on one address as one, logic whose constant
 * comes first. The same lines for sm_80 stay as they are. Results: tests/cuda/aggregate.cu, tests/random. */
#include "one.h"

#define HEAD(sm)                                                                                             \
    ".version 8.0\n.target " sm "\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n) {\n"    \
    ".reg .b64 %rd<20>; .reg .b32 %r<20>; .reg .f32 %f<8>; .reg .f64 %fd<4>; .reg .pred %p<4>;\n"            \
    "ld.param.u64 %rd0, [p]; ld.param.u32 %r0, [n]; mov.u32 %r1, %tid.x;\n"

static uint32_t count(const char *head, const char *body, enum ir_op op)
{
    struct code *c = kernel_of(head, body, 0);
    uint32_t n = count_op(c, op);
    code_free(c);
    return n;
}

static const char words[] =
    "mul.lo.u32 %r2, %r1, %r0; mul.hi.u32 %r3, %r0, %r1; mul.wide.u32 %rd1, %r1, 8;\n"
    "add.s64 %rd2, %rd0, %rd1; st.global.u32 [%rd2], %r2; st.global.u32 [%rd2+4], %r3;";

static void both_words(void **state)
{
    (void)state;
    assert_int_equal(count(HEAD("sm_90"), words, OP_IMAD_HI), 0);
    assert_int_equal(count(HEAD("sm_80"), words, OP_IMAD_HI), 1);
}

/* The factor changes between the two: they are two products. */
static void not_the_same_factor(void **state)
{
    (void)state;
    static const char body[] =
        "mov.u32 %r5, %r1;\nL: mul.lo.u32 %r2, %r5, %r0; add.u32 %r5, %r5, %r2; mul.hi.u32 %r3, %r0, "
        "%r5; st.global.u32 [%rd0], %r2; st.global.u32 [%rd0+4], %r3; setp.lt.u32 %p1, %r5, 99; @%p1 bra L;";
    assert_int_equal(count(HEAD("sm_90"), body, OP_IMAD_HI), 1);
}

static const char long_words[] = "ld.global.u64 %rd1, [%rd0]; ld.global.u64 %rd2, [%rd0+8];\n"
                                 "mul.lo.s64 %rd3, %rd1, %rd2; mul.hi.u64 %rd4, %rd1, %rd2;\n"
                                 "st.global.u64 [%rd0], %rd3; st.global.u64 [%rd0+8], %rd4;";

static uint32_t products(const char *head, const char *body)
{
    return count(head, body, OP_IMAD_WIDE) + count(head, body, OP_IMADX) + count(head, body, OP_IMAD);
}

/* Four products of words give both halves; the low half alone takes three. */
static void both_halves(void **state)
{
    (void)state;
    assert_true(products(HEAD("sm_90"), long_words) <= 5); /* and a copy by IMAD */
    assert_true(products(HEAD("sm_80"), long_words) >= 6);
}

static uint32_t votes(const char *head, const char *body)
{
    return count(head, body, OP_VOTE) + 10 * count(head, body, OP_REDUX) + 100 * count(head, body, OP_SHFL);
}

/* Those that the text itself has. */
static uint32_t own_votes(const char *body)
{
    return (strstr(body, "vote.") != NULL) + 100 * (strstr(body, "shfl.") != NULL);
}

static void one_address(void **state)
{
    (void)state;
    const struct {
        const char *body;
        uint32_t sm_90;
    } cases[] = {
        {"red.global.add.u32 [%rd0], 1;", 1},
        {"red.global.add.u32 [%rd0], %r0;", 1},
        {"red.global.add.u64 [%rd0], 1;", 1},
        {"red.global.add.u32 [%rd0], %r1;", 11},
        {"red.global.max.s32 [%rd0+8], %r1;", 11},
        {"red.global.or.b32 [%rd0], %r1;", 11},
        {"atom.global.add.u32 %r2, [%rd0], 3; add.s32 %r3, %r2, %r1; st.global.u32 [%rd0+4], %r3;", 101},
        /* A number that all lanes exchanged is the same for all; one that some did is not. */
        {"vote.sync.ballot.b32 %r2, %p1, 0xffffffff; popc.b32 %r3, %r2; red.global.add.u32 [%rd0], %r3;", 2},
        {"vote.sync.ballot.b32 %r2, %p1, 1; popc.b32 %r3, %r2; red.global.add.u32 [%rd0], %r3;", 12},
        {"shfl.sync.idx.b32 %r3, %r1, 0, 0x1f, 0xffffffff; red.global.add.u32 [%rd0], %r3;", 101},
        {"shfl.sync.idx.b32 %r3, %r1, 0, 0x181f, 0xffffffff; red.global.add.u32 [%rd0], %r3;", 111},
        /* ... and what the assembler leaves alone. */
        {"atom.global.max.u32 %r2, [%rd0], %r1; st.global.u32 [%rd0+4], %r2;", 0},
        {"atom.global.add.u32 %r2, [%rd0], %r1; st.global.u32 [%rd0+4], %r2;", 0},
        {"red.global.inc.u32 [%rd0], 7;", 0},
        {"mov.f32 %f1, 0f3F800000; red.global.add.f32 [%rd0], %f1;", 0},
        {"mul.wide.u32 %rd1, %r1, 4; add.s64 %rd2, %rd0, %rd1; red.global.add.u32 [%rd2], 1;", 0},
        {"ld.global.u64 %rd1, [%rd0]; red.global.add.u32 [%rd1], 1;", 0},
        {"red.release.gpu.global.add.u32 [%rd0], 1;", 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (votes(HEAD("sm_90"), cases[k].body) != cases[k].sm_90)
            fail_msg("%s: %u", cases[k].body, votes(HEAD("sm_90"), cases[k].body));
        assert_int_equal(votes(HEAD("sm_80"), cases[k].body), own_votes(cases[k].body));
    }
}

/* ptxas 13 for sm_90: VIADDMNMX, VIMNMX3, F2I.FLOOR; a sum that others read too, and two choices that differ, stay apart. */
static void two_as_one(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        enum ir_op op, gone;
    } cases[] = {
        {"ld.global.u32 %r4, [%rd0]; add.s32 %r2, %r1, 1; min.s32 %r3, %r2, %r4; st.global.u32 [%rd0], %r3;",
         OP_VMNMX, OP_IMNMX},
        {"add.u32 %r2, %r1, %r1; max.u32 %r3, %r0, %r2; st.global.u32 [%rd0], %r3;", OP_VMNMX, OP_IMNMX},
        {"ld.global.u32 %r4, [%rd0]; max.s32 %r2, %r1, 5; max.s32 %r3, %r2, %r4; st.global.u32 [%rd0], %r3;",
         OP_VMNMX, OP_IMNMX},
        {"ld.global.f32 %f1, [%rd0]; cvt.rmi.f32.f32 %f2, %f1; cvt.rzi.s32.f32 %r2, %f2; st.global.u32 "
         "[%rd0], %r2;",
         OP_F2I, OP_FRND},
        {"ld.global.f64 %fd1, [%rd0]; cvt.rpi.f64.f64 %fd2, %fd1; cvt.rzi.s64.f64 %rd2, %fd2; "
         "st.global.u64 [%rd0], %rd2;",
         OP_F2I, OP_FRND},
        {"add.s32 %r2, %r1, 1; min.s32 %r3, %r2, %r0; st.global.u32 [%rd0], %r3; st.global.u32 [%rd0+4], "
         "%r2;",
         OP_IMNMX, OP_VMNMX},
        {"min.s32 %r2, %r1, 5; max.s32 %r3, %r2, %r0; st.global.u32 [%rd0], %r3;", OP_IMNMX, OP_VMNMX},
        {"max.s32 %r2, %r1, 5; max.u32 %r3, %r2, %r0; st.global.u32 [%rd0], %r3;", OP_IMNMX, OP_VMNMX},
        {"ld.global.f32 %f1, [%rd0]; cvt.rmi.f32.f32 %f2, %f1; cvt.rzi.s32.f32 %r2, %f2; st.global.u32 "
         "[%rd0], %r2; "
         "st.global.f32 [%rd0+4], %f2;",
         OP_FRND, OP_VMNMX},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (!count(HEAD("sm_90"), cases[k].body, cases[k].op) ||
            count(HEAD("sm_90"), cases[k].body, cases[k].gone))
            fail_msg("%s", cases[k].body);
        assert_int_equal(count(HEAD("sm_80"), cases[k].body, OP_VMNMX), 0);
    }
}

/* Bytes that were loaded are equal or not as they stand: no sign is extended for that. */
static void equal_bytes(void **state)
{
    (void)state;
    static const char
        body[] = ".reg .b16 %rs<4>;\n"
                 "ld.global.u8 %rs1, [%rd0]; ld.global.u8 %rs2, [%rd0+1]; and.b16 %rs3, %rs1, 255; "
                 "setp.ne.s16 %p1, %rs3, %rs2; "
                 "@%p1 st.global.u32 [%rd0], %r1;",
        less[] = ".reg .b16 %rs<4>;\n"
                 "ld.global.u16 %rs1, [%rd0]; ld.global.u16 %rs2, [%rd0+2]; setp.lt.s16 %p1, %rs1, %rs2; "
                 "@%p1 st.global.u32 [%rd0], %r1;";
    assert_int_equal(count(HEAD("sm_90"), body, OP_SGXT), 0);
    assert_int_equal(count(HEAD("sm_80"), body, OP_SGXT), 1);
    assert_int_equal(count(HEAD("sm_90"), less, OP_SGXT), 2);
}

static void logic_with_constants(void **state)
{
    (void)state;
    static const char body[] =
        "ld.global.u32 %r2, [%rd0]; ld.global.u32 %r3, [%rd0+4]; xor.b32 %r4, %r2, %r3; xor.b32 %r5, "
        "%r4, 0x9f55dd61; xor.b32 %r6, %r2, %r0; xor.b32 %r7, %r6, 9; st.global.u32 [%rd0], %r5; "
        "st.global.u32 [%rd0+4], %r7;";
    assert_int_equal(count(HEAD("sm_90"), body, OP_LOP3), 2);
}

/* By either pipe (compile/sched/balance.c). */
static uint32_t sums(const char *body)
{
    return count(HEAD("sm_90"), body, OP_IADD3) + count(HEAD("sm_90"), body, OP_IMAD);
}

/* A number of two words whose low or high word is zero: no carry, no logic, no comparison of what is known. */
static void words_with_zero(void **state)
{
    (void)state;
    static const char high_only[] = "ld.global.u64 %rd1, [%rd0]; cvt.u64.u32 %rd2, %r1; shl.b64 %rd3, %rd2, "
                                    "32; add.s64 %rd4, %rd1, %rd3;\n"
                                    "st.global.u64 [%rd0], %rd4;";
    static const char less_high[] = "ld.global.u64 %rd1, [%rd0]; cvt.u64.u32 %rd2, %r1; shl.b64 %rd3, %rd2, "
                                    "32; sub.s64 %rd4, %rd1, %rd3;\n"
                                    "st.global.u64 [%rd0], %rd4;";
    static const char joined[] =
        "ld.global.v2.u32 {%r2, %r3}, [%rd0]; cvt.u64.u32 %rd1, %r2; cvt.u64.u32 %rd2, %r3;\n"
        "shl.b64 %rd3, %rd2, 32; or.b64 %rd4, %rd1, %rd3; st.global.u64 [%rd0+8], %rd4;";
    static const char negative[] =
        "ld.global.u64 %rd1, [%rd0]; setp.lt.s64 %p1, %rd1, 0; @%p1 st.global.u32 [%rd0], %r1;";
    assert_int_equal(sums(high_only), 1);
    assert_int_equal(sums(less_high), 1);
    assert_int_equal(count(HEAD("sm_80"), high_only, OP_IADD3), 2);
    assert_int_equal(count(HEAD("sm_90"), joined, OP_LOP3), 0);
    assert_int_equal(count(HEAD("sm_90"), negative, OP_ISETP), 1);
    assert_int_equal(count(HEAD("sm_80"), negative, OP_ISETP), 2);
}

/* A number of 64 bits times a power of two, added: two instructions. A shift of two readers is in both. */
static void shifts_in_sums(void **state)
{
    (void)state;
    static const char element[] =
        "mul.wide.s32 %rd1, %r1, %r0; shl.b64 %rd2, %rd1, 3; add.s64 %rd3, %rd0, %rd2;\n"
        "st.global.u32 [%rd3], %r1;";
    static const char twice[] =
        "shl.b32 %r2, %r1, 4; ld.global.v2.u32 {%r3, %r4}, [%rd0]; add.s32 %r5, %r2, %r3;\n"
        "add.s32 %r6, %r2, %r4; st.global.v2.u32 [%rd0], {%r5, %r6};";
    assert_int_equal(count(HEAD("sm_90"), element, OP_LEAX), 2);
    assert_int_equal(count(HEAD("sm_90"), element, OP_SHF_L), 0);
    assert_int_equal(count(HEAD("sm_80"), element, OP_LEAX), 0);
    assert_int_equal(count(HEAD("sm_90"), twice, OP_SHL), 0);
    assert_int_equal(count(HEAD("sm_80"), twice, OP_SHL), 1);
}

/* All lanes load one word and branch on it: they stay together. Each loads its own: they may part. */
static void one_word_for_all(void **state)
{
    (void)state;
    static const char loop[] =
        "setp.gt.s32 %p1, %r2, 3; @%p1 bra D;\nL: atom.global.add.u32 %r5, [%rd0], %r1; "
        "add.s32 %r2, %r2, 1; setp.lt.s32 %p2, %r2, 3; @%p2 bra L;\n"
        "D: st.global.u32 [%rd0+4], %r1;";
    char one[512], own[512];
    snprintf(one, sizeof one, "ld.global.u32 %%r2, [%%rd0+8]; %s", loop);
    snprintf(own, sizeof own,
             "mul.wide.u32 %%rd1, %%r1, 4; add.s64 %%rd2, %%rd0, %%rd1; ld.global.u32 %%r2, [%%rd2+8]; %s",
             loop);
    assert_int_equal(count(HEAD("sm_90"), one, OP_BSSY), 0);
    assert_true(count(HEAD("sm_90"), own, OP_BSSY) > 0);
    assert_true(count(HEAD("sm_80"), one, OP_BSSY) > 0);
}

/* Bits of one word and the others of another, whose masks complement each other: one table. */
static void bits_of_two(void **state)
{
    (void)state;
    static const char body[] =
        "ld.global.u32 %r2, [%rd0]; and.b32 %r3, %r2, 0x7fffffff; and.b32 %r4, %r1, 0x80000000;\n"
        "or.b32 %r5, %r3, %r4; st.global.u32 [%rd0], %r5;";
    assert_int_equal(count(HEAD("sm_90"), body, OP_LOP3), 1);
}

/* The sign of a double is a matter of who reads it. */
static void sign_of_double(void **state)
{
    (void)state;
    static const char body[] = "ld.global.f64 %fd0, [%rd0]; neg.f64 %fd1, %fd0; abs.f64 %fd2, %fd0; "
                               "fma.rn.f64 %fd3, %fd1, %fd2, %fd0;\n"
                               "st.global.f64 [%rd0], %fd3;";
    struct code *c = kernel_of(HEAD("sm_90"), body, 0);
    const struct ir_insn *f = &c->insns[find_op(c, OP_DFMA, 0)];
    assert_int_equal(count_op(c, OP_LOP3), 0);
    assert_true(f->src[0].neg && f->src[1].abs && !f->src[2].neg);
    assert_int_equal(f->src[0].val, f->src[2].val);
    code_free(c);
    assert_int_equal(count(HEAD("sm_80"), body, OP_LOP3), 2);
}

/* A predicate that inline assembly gave as a number is the branch's, or the choice's; its number never exists. */
static void predicate_as_number(void **state)
{
    (void)state;
    static const char body[] =
        "ld.global.f32 %f1, [%rd0]; setp.lt.f32 %p1, %f1, 0f3F800000; selp.u32 %r2, 1, 0, %p1;\n"
        "setp.ne.u32 %p2, %r2, 0; selp.f32 %f2, %f1, 0f40000000, %p2; st.global.f32 [%rd0], %f2;";
    assert_int_equal(count(HEAD("sm_90"), body, OP_ISETP), 0);
    assert_int_equal(count(HEAD("sm_90"), body, OP_SEL), 1);
    assert_int_equal(count(HEAD("sm_80"), body, OP_ISETP), 1);
}

/* A choice between a constant and zero has RZ first: no register holds the constant. */
static void choice_of_zero(void **state)
{
    (void)state;
    static const char body[] =
        "setp.lt.u32 %p1, %r1, %r0; selp.u32 %r2, 77, 0, %p1; st.global.u32 [%rd0], %r2;";
    struct code *c = kernel_of(HEAD("sm_90"), body, 0);
    const struct ir_insn *s = &c->insns[find_op(c, OP_SEL, 0)];
    assert_true(s->src[1].kind == OPND_IMM && s->src[1].val == 77);
    code_free(c);
}

/* The field of a number of two words at a place that is known: a shift and a mask. What a shift pushes out is not
 * masked before. */
static void known_fields(void **state)
{
    (void)state;
    static const char field[] =
        "ld.global.u64 %rd1, [%rd0]; bfe.u64 %rd2, %rd1, 5, 4; st.global.u64 [%rd0], %rd2;";
    static const char half[] = "ld.global.u32 %r2, [%rd0]; and.b32 %r3, %r2, 0xffff; shl.b32 %r4, %r3, 16;\n"
                               "st.global.u32 [%rd0], %r4;";
    assert_int_equal(count(HEAD("sm_90"), field, OP_SHF_R) + count(HEAD("sm_90"), field, OP_SHF_L), 1);
    assert_int_equal(count(HEAD("sm_90"), field, OP_IMNMX), 0);
    assert_int_equal(count(HEAD("sm_90"), half, OP_LOP3), 0);
    assert_int_equal(count(HEAD("sm_80"), half, OP_LOP3), 1);
}

/* Whoever reads a complement reads its source, however many there are. */
static void complement_for_two(void **state)
{
    (void)state;
    static const char body[] =
        "ld.global.u32 %r2, [%rd0]; not.b32 %r3, %r2; and.b32 %r4, %r3, %r1; xor.b32 %r5, %r3, %r0;\n"
        "st.global.u32 [%rd0], %r4; st.global.u32 [%rd0+4], %r5;";
    assert_int_equal(count(HEAD("sm_90"), body, OP_LOP3), 2);
    assert_int_equal(count(HEAD("sm_80"), body, OP_LOP3), 3);
}

/* |a - b| + c is VABSDIFF. */
static void distance_of_words(void **state)
{
    (void)state;
    static const char body[] =
        "ld.global.u32 %r2, [%rd0]; sad.s32 %r3, %r2, %r1, %r0; st.global.u32 [%rd0], %r3;";
    assert_int_equal(count(HEAD("sm_90"), body, OP_VABSDIFF4), 1);
    assert_int_equal(count(HEAD("sm_90"), body, OP_IMNMX), 0);
    assert_int_equal(count(HEAD("sm_80"), body, OP_VABSDIFF4), 0);
}

/* A constant that is divided: its size and sign are known, also where it was moved to a register first. */
static void constant_dividend(void **state)
{
    (void)state;
    static const char rest[] = "mov.b32 %r2, 5; rem.s32 %r3, %r2, %r0; st.global.u32 [%rd0], %r3;",
                      quotient[] = "mov.b32 %r2, -5; div.s32 %r3, %r2, %r0; st.global.u32 [%rd0], %r3;";
    assert_int_equal(count(HEAD("sm_90"), rest, OP_IABS), 1);
    assert_int_equal(count(HEAD("sm_80"), rest, OP_IABS), 2);
    assert_int_equal(count(HEAD("sm_90"), rest, OP_ISETP), 3); /* two corrections, and is it zero? */
    assert_int_equal(count(HEAD("sm_80"), rest, OP_ISETP), 4);
    assert_int_equal(count(HEAD("sm_90"), quotient, OP_IABS), 1);
}

/* The reciprocal of a divisor that stays the same is made in front of the loop, that of one that does not is not. */
static void divisor_of_a_loop(void **state)
{
    (void)state;
    static const char
        same[] =
            "mov.b32 %r5, 0;\nL: .pragma \"nounroll\"; rem.u32 %r3, %r5, %r0; st.global.u32 [%rd0], %r3;\n"
            "add.s32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, %r1; @%p1 bra L;",
        other[] =
            "mov.b32 %r5, 0;\nL: .pragma \"nounroll\"; rem.u32 %r3, %r0, %r5; st.global.u32 [%rd0], %r3;\n"
            "add.s32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, %r1; @%p1 bra L;";
    struct code *c = kernel_of(HEAD("sm_90"), same, 0);
    assert_true(find_op(c, OP_MUFU, 0) < find_op(c, OP_STG, 0));
    uint32_t bra = find_op(c, OP_BRA, 0);
    assert_true(bra < c->n && find_op(c, OP_MUFU, 0) < c->insns[bra].target);
    code_free(c);
    c = kernel_of(HEAD("sm_90"), other, 0);
    bra = find_op(c, OP_BRA, 0);
    assert_true(bra < c->n && find_op(c, OP_MUFU, 0) >= c->insns[bra].target);
    code_free(c);
}

/* Each division has a reciprocal of its own, each pair of remainders has one. */
static void divisions_share_nothing(void **state)
{
    (void)state;
    static const char quotients[] =
        "ld.global.f32 %f0, [%rd0]; ld.global.f32 %f1, [%rd0+4];"
        "div.rn.f32 %f2, %f0, %f1; div.rn.f32 %f3, %f2, %f1; st.global.f32 [%rd0], %f3;",
                      rests[] = "rem.u32 %r3, %r1, %r0; rem.u32 %r4, %r2, %r0; add.u32 %r3, %r3, %r4;"
                                "st.global.u32 [%rd0], %r3;";
    assert_int_equal(count(HEAD("sm_90"), quotients, OP_MUFU) - count(HEAD("sm_80"), quotients, OP_MUFU), 1);
    assert_int_equal(count(HEAD("sm_90"), rests, OP_MUFU), 1);
}

/* Four rounds, two, and the loop; 50 instructions with a load from global memory, 21 without. */
static void small_loops_as_ptxas(void **state)
{
    (void)state;
#define ROUND "add.f32 %f0, %f0, %f1;"
#define FIVE ROUND ROUND ROUND ROUND ROUND
#define DOWN "add.s32 %r0, %r0, -4; setp.gt.s32 %p0, %r0, 4; @%p0 bra L; st.global.f32 [%rd0], %f0;"
#define LOAD "ld.global.f32 %f1, [%rd0+8];"
    assert_int_equal(count(HEAD("sm_90"), "L: " ROUND DOWN, OP_FADD), 7);
    assert_int_equal(count(HEAD("sm_80"), "L: " ROUND DOWN, OP_FADD), 1);
    assert_int_equal(count(HEAD("sm_90"), "L: " FIVE FIVE FIVE ROUND ROUND ROUND DOWN, OP_FADD), 7 * 18);
    assert_int_equal(count(HEAD("sm_90"), "L: " FIVE FIVE FIVE FIVE DOWN, OP_FADD), 20);
    assert_int_equal(count(HEAD("sm_90"), "L: " LOAD FIVE FIVE FIVE FIVE DOWN, OP_FADD), 7 * 20);
}

/* An element of a shared array: where the array begins is added, which is free in LEA. A known place needs no register. */
static void addresses_of_shared_arrays(void **state)
{
    (void)state;
    static const char masked[] =
        ".shared .align 4 .b8 s[1024]; mov.u32 %r2, s; and.b32 %r3, %r0, 1020;"
        "add.s32 %r4, %r2, %r3; ld.shared.u32 %r5, [%r4]; st.global.u32 [%rd0], %r5;",
                      indexed[] =
                          ".shared .align 4 .b8 s[1024]; mov.u32 %r2, s; shl.b32 %r3, %r0, 2;"
                          "add.s32 %r4, %r2, %r3; ld.shared.u32 %r5, [%r4]; st.global.u32 [%rd0], %r5;",
                      first[] = ".shared .align 4 .b8 s[1024]; mov.u32 %r2, s; ld.shared.u32 %r5, [%r2+8];"
                                "st.global.u32 [%rd0], %r5;",
                      twice[] =
                          ".shared .align 4 .b8 s[1024]; mov.u32 %r2, s; and.b32 %r3, %r0, 1020;"
                          "setp.gt.s32 %p0, %r0, 9; @%p0 bra A; add.s32 %r4, %r2, %r3;"
                          "st.shared.u32 [%r4], %r0; A: bar.sync 0; setp.gt.s32 %p0, %r0, 19; @%p0 bra B;"
                          "add.s32 %r5, %r2, %r3; ld.shared.u32 %r6, [%r5]; st.global.u32 [%rd0], %r6; B:";
    assert_int_equal(count(HEAD("sm_90"), masked, OP_IADD3), 1);
    assert_int_equal(count(HEAD("sm_80"), masked, OP_IADD3), 0);
    assert_int_equal(count(HEAD("sm_90"), indexed, OP_IADD3), 0);
    assert_int_equal(count(HEAD("sm_90"), first, OP_IADD3), 0);
    struct code *c = kernel_of(HEAD("sm_90"), first, 0);
    assert_int_equal(c->insns[find_op(c, OP_LDS, 0)].off, 8);
    code_free(c);
    assert_int_equal(count(HEAD("sm_90"), twice, OP_IADD3), 1);
}

/* Lanes of a loop with two ways back meet in each round, those that leave it say so. */
static void ways_back_lead_together(void **state)
{
    (void)state;
    static const char body[] =
        "L: ld.global.u32 %r2, [%rd0]; setp.eq.u32 %p0, %r2, %r1; @%p0 bra A; st.global.u32 [%rd0], %r1;\n"
        "st.global.u32 [%rd0+8], %r1; st.global.u32 [%rd0+16], %r1; atom.global.add.u32 %r4, [%rd0+24], 1;\n"
        "atom.global.add.u32 %r5, [%rd0+32], %r4; add.u32 %r1, %r1, %r5; bra L;\n"
        "A: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r0; @%p1 bra L; st.global.u32 [%rd0], %r1;";
    assert_int_equal(count(HEAD("sm_90"), body, OP_BREAK), 1);
    assert_int_equal(count(HEAD("sm_80"), body, OP_BREAK), 0);
}

/* shl, shr and add as clang writes a rotation: a funnel shift for each word. */
static void rotations(void **state)
{
    (void)state;
#define TURN(up, down)                                                                                       \
    "ld.global.u64 %rd1, [%rd0]; shl.b64 %rd2, %rd1, " up "; shr.b64 %rd3, %rd1, " down ";\n"                \
    "add.u64 %rd4, %rd2, %rd3; st.global.u64 [%rd0], %rd4;"
    assert_int_equal(count(HEAD("sm_90"), TURN("7", "57"), OP_SHF_L), 2);
    assert_int_equal(count(HEAD("sm_90"), TURN("7", "57"), OP_IADD3), 0);
    assert_int_equal(count(HEAD("sm_90"), TURN("45", "19"), OP_SHF_L), 2);
    assert_int_equal(count(HEAD("sm_90"), TURN("32", "32"), OP_SHF_L), 0);
    assert_true(count(HEAD("sm_90"), TURN("7", "56"), OP_IADD3) > 0);
    assert_true(count(HEAD("sm_80"), TURN("7", "57"), OP_IADD3) > 0);
}

/* Numbers that were widened are compared by their low words. */
static void widened_numbers(void **state)
{
    (void)state;
    static const char body[] =
        "ld.global.u64 %rd1, [%rd0]; shr.u64 %rd2, %rd1, 62; setp.gt.s64 %p1, %rd2, 1;\n"
        "selp.u32 %r2, 7, 9, %p1; st.global.u32 [%rd0], %r2;";
    assert_int_equal(count(HEAD("sm_90"), body, OP_ISETP), 1);
    assert_int_equal(count(HEAD("sm_80"), body, OP_ISETP), 2);
}

/* Products of all four bytes of two words, in any order, are a dot product; with another byte they are products. */
static void bytes_of_words(void **state)
{
    (void)state;
#define BYTE(type, k, a, b, sum)                                                                             \
    "bfe." type " %r2, %r10, " #a ", 8; bfe." type " %r3, %r11, " #b ", 8; mad.lo.s32 %r" #k                 \
    ", %r3, %r2, " sum ";\n"
#define BYTES(type, last)                                                                                    \
    "ld.global.u32 %r10, [%rd0]; ld.global.u32 %r11, [%rd0+4];\n"                                            \
    "{ .reg .b32 %r2, %r3; " BYTE(type, 12, 8, 8, "%r0") "}\n{ .reg .b32 %r2, %r3; " BYTE(                   \
        type, 13, 0, 0,                                                                                      \
        "%r12") "}\n{ .reg .b32 %r2, %r3; " BYTE(type, 14, 24, 24,                                           \
                                                 "%r13") "}\n{ .reg .b32 %r2, %r3; " BYTE(type, 15, 16,      \
                                                                                          last,              \
                                                                                          "%r14") "}\nst."   \
                                                                                                  "global."  \
                                                                                                  "u32 "     \
                                                                                                  "[%rd0], " \
                                                                                                  "%r15;"
    assert_int_equal(count(HEAD("sm_90"), BYTES("s32", 16), OP_IDP), 1);
    assert_int_equal(count(HEAD("sm_90"), BYTES("s32", 16), OP_SGXT), 0);
    assert_int_equal(count(HEAD("sm_90"), BYTES("u32", 16), OP_IDP), 1);
    assert_int_equal(count(HEAD("sm_90"), BYTES("s32", 8), OP_IDP), 0);
    assert_int_equal(count(HEAD("sm_80"), BYTES("s32", 16), OP_IDP), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_words),
        cmocka_unit_test(not_the_same_factor),
        cmocka_unit_test(both_halves),
        cmocka_unit_test(one_address),
        cmocka_unit_test(logic_with_constants),
        cmocka_unit_test(two_as_one),
        cmocka_unit_test(equal_bytes),
        cmocka_unit_test(words_with_zero),
        cmocka_unit_test(shifts_in_sums),
        cmocka_unit_test(one_word_for_all),
        cmocka_unit_test(bits_of_two),
        cmocka_unit_test(sign_of_double),
        cmocka_unit_test(predicate_as_number),
        cmocka_unit_test(choice_of_zero),
        cmocka_unit_test(known_fields),
        cmocka_unit_test(complement_for_two),
        cmocka_unit_test(distance_of_words),
        cmocka_unit_test(constant_dividend),
        cmocka_unit_test(divisor_of_a_loop),
        cmocka_unit_test(divisions_share_nothing),
        cmocka_unit_test(small_loops_as_ptxas),
        cmocka_unit_test(addresses_of_shared_arrays),
        cmocka_unit_test(ways_back_lead_together),
        cmocka_unit_test(rotations),
        cmocka_unit_test(widened_numbers),
        cmocka_unit_test(bytes_of_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
