/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores: every width, vector, space, address pattern and a set of lane masks, against a plain model of the
 * lanes; then everything that must be refused. */
#include "rig.h"

#include "base/rng.h"

#include <string.h>

enum { AREA_B = 4096, LANES_N = 32 };

static const uint8_t types[] = {T_U8, T_S8, T_B8, T_U16, T_S16, T_F16, T_U32, T_F32, T_U64, T_F64, T_B128};
static const uint32_t masks[] = {0xffffffff, 0x1, 0x80000000, 0xf0f0f0f0, 0x00ffff00, 0x12345678};

enum where { IN_GLOBAL, IN_SHARED, IN_LOCAL, IN_GENERIC_GLOBAL, IN_GENERIC_SHARED, IN_GENERIC_LOCAL, WHERES };
enum order { UNIT, SAME, REVERSED, SCATTERED, ORDERS };

static uint32_t place(enum order o, uint32_t lane, uint32_t n)
{
    switch (o) {
    case UNIT: return 64 + lane * n;
    case SAME: return 128;
    case REVERSED: return 64 + (31 - lane) * n;
    default: return (lane * lane * 7 + 3 * lane) % (AREA_B / n - 8) * n;
    }
}

/* Words of registers that one lane's access takes. */
static uint32_t words_of(uint32_t elem, uint32_t vec) { return elem < 4 ? vec : elem * vec / 4; }

static struct ir_insn access_op(enum where w, bool store, uint8_t type, uint8_t vec)
{
    static const uint8_t ld[] = {OP_LDG, OP_LDS, OP_LDL, OP_LD, OP_LD, OP_LD},
                         st[] = {OP_STG, OP_STS, OP_STL, OP_ST, OP_ST, OP_ST};
    struct ir_insn i = {.op = store ? st[w] : ld[w], .type = type, .vec = vec};
    bool wide = w == IN_GLOBAL || w >= IN_GENERIC_GLOBAL;
    i.src[0] = wide ? RR(10) : R(10);
    i.off = w == IN_LOCAL ? 16 : -16;
    return i;
}

/* R10:R11 = the lane's address in that space, plus 16 (minus for local) for the offset to take back. */
static void emit_address(struct rig *r, enum where w)
{
    rig_s2r(r, 2, SR_LANEID);
    rig_addr(r, 4, 1, R(2), 4); /* table of positions */
    ADD(r, .op = OP_LDG, .type = T_U32, .vec = 1, .dst = {R(3)}, .src = {RR(4)});
    rig_iadd(r, 10, R(3), I(w == IN_LOCAL ? -16 : 16));
    if (w == IN_GLOBAL || w == IN_GENERIC_GLOBAL) {
        rig_addr(r, 6, 0, R(10), 1);
        ADD(r, .op = OP_MOV, .type = T_B32, .dst = {R(10)}, .src = {R(6)});
        ADD(r, .op = OP_MOV, .type = T_B32, .dst = {R(11)}, .src = {R(7)});
    } else if (w == IN_GENERIC_SHARED) {
        rig_mov(r, 11, I(WINDOW_SHARED >> 32));
    } else if (w == IN_GENERIC_LOCAL) {
        rig_mov(r, 11, I(WINDOW_LOCAL >> 32));
    }
}

/* Fills the space (through lane-wide byte stores where it is not global) with a pattern: byte i of lane l. */
static unsigned char pattern(enum where w, uint32_t lane, uint32_t i)
{
    bool local = w == IN_LOCAL || w == IN_GENERIC_LOCAL;
    return (unsigned char)(i * 37 + (i >> 8) * 11 + (local ? lane * 5 : 0) + 1);
}

static void emit_fill(struct rig *r, enum where w)
{
    /* R20 = byte index; every lane writes every byte of its local memory or of shared memory. */
    bool local = w == IN_LOCAL || w == IN_GENERIC_LOCAL;
    rig_mov(r, 20, I(0));
    uint32_t top = rig_here(r);
    ADD(r, .op = OP_SHR, .type = T_U32, .dst = {R(21)}, .src = {R(20), I(8)});
    rig_mov(r, 23, I(37));
    ADD(r, .op = OP_IMAD, .type = T_U32, .dst = {R(22)}, .src = {R(20), R(23), I(1)});
    rig_mov(r, 23, I(11));
    ADD(r, .op = OP_IMAD, .type = T_U32, .dst = {R(22)}, .src = {R(21), R(23), R(22)});
    rig_s2r(r, 2, SR_LANEID);
    if (local) {
        rig_mov(r, 23, I(5));
        ADD(r, .op = OP_IMAD, .type = T_U32, .dst = {R(22)}, .src = {R(2), R(23), R(22)});
    }
    ADD(r, .op = local ? OP_STL : OP_STS, .type = T_U8, .vec = 1, .src = {R(20), R(22)});
    rig_iadd(r, 20, R(20), I(1));
    rig_isetp(r, 0, CMP_LT, R(20), I(AREA_B));
    rig_bra(r, P(0), top);
}

static uint32_t extend(uint8_t type, const unsigned char *p)
{
    uint16_t h;
    memcpy(&h, p, 2);
    switch (type) {
    case T_U8:
    case T_B8: return p[0];
    case T_S8: return (uint32_t)(int32_t)(int8_t)p[0];
    case T_S16: return (uint32_t)(int32_t)(int16_t)h;
    default: return h;
    }
}

static void one_load(enum where w, uint8_t type, uint8_t vec, enum order o, uint32_t mask)
{
    uint32_t elem = type_bytes(type), n = elem * vec, words = words_of(elem, vec);
    struct rig r;
    rig_open(&r, AREA_B / 4);
    r.params[1] = exec_alloc(r.dev, 4 * LANES_N);
    r.params[2] = exec_alloc(r.dev, 4 * 4 * LANES_N);
    r.code.shared_b = AREA_B;
    r.code.local_b = AREA_B;
    uint32_t *at = exec_ptr(r.dev, r.params[1], 4 * LANES_N),
             *got = exec_ptr(r.dev, r.params[2], 16 * LANES_N);
    unsigned char *area = (void *)rig_out(&r);
    for (uint32_t i = 0; i < AREA_B; i++)
        area[i] = pattern(w, 0, i);
    for (uint32_t l = 0; l < LANES_N; l++)
        at[l] = place(o, l, n);
    if (w != IN_GLOBAL && w != IN_GENERIC_GLOBAL)
        emit_fill(&r, w);
    emit_address(&r, w);
    for (uint32_t k = 0; k < words; k++)
        rig_mov(&r, 12 + k, I(0xabababab));
    rig_s2r(&r, 30, SR_LM_EQ);
    ADD(&r, .op = OP_LOP3, .type = T_B32, .lut = 0xc0, .dst = {R(30)}, .src = {R(30), I(mask), I(0)});
    rig_isetp(&r, 1, CMP_NE, R(30), I(0));
    struct ir_insn i = access_op(w, false, type, vec);
    i.guard = P(1);
    i.dst[0] = ir_reg(12, 0, words);
    rig_add(&r, i);
    for (uint32_t k = 0; k < words; k++) {
        rig_addr(&r, 4, 2, R(2), 4);
        ADD(&r, .op = OP_STG, .type = T_U32, .vec = 1, .off = (int32_t)(k * 128), .src = {RR(4), R(12 + k)});
    }
    rig_exit(&r);
    rig_ok(&r, 1, 32);
    for (uint32_t l = 0; l < LANES_N; l++) {
        for (uint32_t k = 0; k < words; k++) {
            unsigned char b[4];
            for (uint32_t j = 0; j < 4; j++)
                b[j] = pattern(w, l, at[l] + (elem < 4 ? elem : 4) * k + j);
            uint32_t want = 0xabababab;
            if (mask >> l & 1) {
                if (elem < 4)
                    want = extend(type, b);
                else
                    memcpy(&want, b, 4);
            }
            assert_int_equal(got[k * LANES_N + l], want);
        }
    }
    rig_close(&r);
}

static void loads(void **state)
{
    (void)state;
    for (uint32_t w = 0; w < WHERES; w++) {
        for (uint32_t t = 0; t < sizeof types; t++) {
            for (uint32_t vec = 1; vec <= 4; vec *= 2) {
                if (type_bytes(types[t]) * vec > 16)
                    continue;
                for (uint32_t o = 0; o < ORDERS; o++)
                    one_load(w, types[t], (uint8_t)vec, o,
                             masks[(t + vec + o) % (sizeof masks / sizeof masks[0])]);
            }
        }
    }
}

/* Stores into global and shared memory; shared is copied out byte by byte. Later lanes win. */
static void one_store(enum where w, uint8_t type, uint8_t vec, enum order o, uint32_t mask)
{
    uint32_t elem = type_bytes(type), n = elem * vec, words = words_of(elem, vec);
    struct rig r;
    unsigned char want[AREA_B] = {0};
    bool shared = w == IN_SHARED || w == IN_GENERIC_SHARED;
    rig_open(&r, AREA_B / 4);
    r.params[1] = exec_alloc(r.dev, 4 * LANES_N);
    r.code.shared_b = AREA_B;
    uint32_t *at = exec_ptr(r.dev, r.params[1], 4 * LANES_N);
    for (uint32_t l = 0; l < LANES_N; l++)
        at[l] = place(o, l, n);
    emit_address(&r, w);
    rig_mov(&r, 31, I(0x01030507));
    for (uint32_t k = 0; k < words; k++)
        ADD(&r, .op = OP_IMAD, .type = T_U32, .dst = {R(12 + k)}, .src = {R(2), R(31), I(0x10 * k + 0x90)});
    rig_s2r(&r, 30, SR_LM_EQ);
    ADD(&r, .op = OP_LOP3, .type = T_B32, .lut = 0xc0, .dst = {R(30)}, .src = {R(30), I(mask), I(0)});
    rig_isetp(&r, 1, CMP_NE, R(30), I(0));
    struct ir_insn i = access_op(w, true, type, vec);
    i.guard = P(1);
    i.src[1] = ir_reg(12, 0, words);
    rig_add(&r, i);
    for (uint32_t b = 0; shared && b < AREA_B; b += 128) {
        ADD(&r, .op = OP_SHL, .type = T_U32, .dst = {R(3)}, .src = {R(2), I(2)});
        ADD(&r, .op = OP_LDS, .type = T_U32, .vec = 1, .off = (int32_t)b, .dst = {R(16)}, .src = {R(3)});
        rig_addr(&r, 4, 0, R(3), 1);
        ADD(&r, .op = OP_STG, .type = T_U32, .vec = 1, .off = (int32_t)b, .src = {RR(4), R(16)});
    }
    rig_exit(&r);
    rig_ok(&r, 1, 32);
    for (uint32_t l = 0; l < LANES_N; l++) {
        for (uint32_t k = 0; (mask >> l & 1) && k < words; k++) {
            uint32_t v = l * 0x01030507 + 0x10 * k + 0x90, b = elem < 4 ? elem : 4;
            memcpy(want + at[l] + k * b, &v, b);
        }
    }
    assert_memory_equal(rig_out(&r), want, AREA_B);
    rig_close(&r);
}

static void stores(void **state)
{
    (void)state;
    static const uint8_t wheres[] = {IN_GLOBAL, IN_SHARED, IN_GENERIC_GLOBAL, IN_GENERIC_SHARED};
    for (uint32_t w = 0; w < sizeof wheres; w++) {
        for (uint32_t t = 0; t < sizeof types; t++) {
            for (uint32_t vec = 1; vec <= 4; vec *= 2) {
                if (type_bytes(types[t]) * vec > 16)
                    continue;
                for (uint32_t o = 0; o < ORDERS; o++)
                    one_store(wheres[w], types[t], (uint8_t)vec, o,
                              masks[(t + vec + o) % (sizeof masks / sizeof masks[0])]);
            }
        }
    }
}

/* Lanes of one generic load in three spaces, the destination overwriting the address. */
static void mixed_generic(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 64);
    r.code.shared_b = 64;
    r.code.local_b = 64;
    for (uint32_t k = 0; k < 32; k++)
        rig_out(&r)[k] = 1000 + k;
    rig_s2r(&r, 2, SR_LANEID);
    rig_mov(&r, 3, I(8));
    ADD(&r, .op = OP_STS, .type = T_U32, .vec = 1, .src = {R(3), I(500)});
    ADD(&r, .op = OP_STL, .type = T_U32, .vec = 1, .src = {R(3), R(2)});
    rig_addr(&r, 4, 0, R(2), 4);
    rig_isetp(&r, 0, CMP_LT, R(2), I(10));
    rig_isetp(&r, 1, CMP_GE, R(2), I(20));
    ADD(&r, .op = OP_MOV, .type = T_B32, .guard = P(0), .dst = {R(4)}, .src = {I(8)});
    ADD(&r, .op = OP_MOV, .type = T_B32, .guard = P(0), .dst = {R(5)}, .src = {I(WINDOW_SHARED >> 32)});
    ADD(&r, .op = OP_MOV, .type = T_B32, .guard = P(1), .dst = {R(4)}, .src = {I(8)});
    ADD(&r, .op = OP_MOV, .type = T_B32, .guard = P(1), .dst = {R(5)}, .src = {I(WINDOW_LOCAL >> 32)});
    ADD(&r, .op = OP_LD, .type = T_U32, .vec = 1, .dst = {R(4)}, .src = {RR(4)});
    rig_result(&r, R(4));
    rig_ok(&r, 1, 32);
    for (uint32_t l = 0; l < 32; l++)
        assert_int_equal(rig_out(&r)[l], l < 10 ? 500 : l < 20 ? 1000 + l : l);
    rig_close(&r);
}

/* Two allocations in one instruction; addresses that cross a 4 GiB line cannot be had here, a high word that differs can. */
static void two_allocations(void **state)
{
    (void)state;
    struct rig r;
    uint32_t host[4] = {7, 8, 9, 10};
    rig_open(&r, 32);
    assert_true(exec_map(r.dev, host, sizeof host));
    r.params[1] = (uint64_t)(uintptr_t)host;
    rig_s2r(&r, 2, SR_LANEID);
    rig_isetp(&r, 0, CMP_LT, R(2), I(4));
    rig_addr(&r, 4, 0, R(2), 4);
    rig_addr(&r, 6, 1, R(2), 4);
    ADD(&r, .op = OP_MOV, .type = T_B32, .guard = P(0), .dst = {R(4)}, .src = {R(6)});
    ADD(&r, .op = OP_MOV, .type = T_B32, .guard = P(0), .dst = {R(5)}, .src = {R(7)});
    ADD(&r, .op = OP_LDG, .type = T_U32, .vec = 1, .dst = {R(8)}, .src = {RR(4)});
    rig_iadd(&r, 8, R(8), I(100));
    ADD(&r, .op = OP_STG, .type = T_U32, .vec = 1, .src = {RR(4), R(8)});
    rig_exit(&r);
    rig_ok(&r, 1, 32);
    for (uint32_t l = 0; l < 32; l++)
        assert_int_equal(l < 4 ? host[l] : rig_out(&r)[l], l < 4 ? 107 + l : 100);
    assert_true(exec_unmap(r.dev, host));
    rig_fails(&r, 1, 32, EXEC_BAD_ADDRESS, "global load of 4 bytes");
    rig_close(&r);
}

/* out + 4 * lane + off, with the given access. */
static void refused(uint8_t type, int32_t off, enum exec_status want, const char *text)
{
    struct rig r;
    rig_open(&r, 1024);
    rig_s2r(&r, 2, SR_LANEID);
    rig_addr(&r, 4, 0, R(2), 4);
    ADD(&r, .op = OP_LDG, .type = type, .vec = 1, .off = off, .dst = {RR(8)}, .src = {RR(4)});
    rig_exit(&r);
    rig_fails(&r, 1, 32, want, text);
    assert_int_equal(r.err.warp, 0);
    assert_int_equal(r.err.line, 4);
    assert_int_equal(r.err.addr, r.out + 4 * r.err.lane + (uint64_t)(int64_t)off);
    assert_string_equal(r.err.kernel, "test");
    rig_close(&r);
}

static void out_of_bounds(void **state)
{
    (void)state;
    refused(T_U32, 4096 - 28, EXEC_BAD_ADDRESS,
            "kernel 'test', CTA (0,0,0), warp 0, lane 7, test.ptx:4: global load of 4 bytes at "
            "0x200000001000: 0 bytes past the end of a "
            "4096-byte allocation at 0x200000000000");
    refused(T_U32, 4096, EXEC_BAD_ADDRESS,
            "lane 0, test.ptx:4: global load of 4 bytes at 0x200000001000: 0 bytes past");
    refused(T_U32, -4, EXEC_BAD_ADDRESS, "4 bytes before a 4096-byte allocation");
    refused(T_U32, 1 << 30, EXEC_BAD_ADDRESS, "outside every allocation");
    refused(T_U32, 2, EXEC_MISALIGNED, "global load of 4 bytes at 0x200000000002: not a multiple of 4");
    refused(T_U64, 0, EXEC_MISALIGNED,
            "lane 1, test.ptx:4: global load of 8 bytes at 0x200000000004: not a multiple of 8");
    refused(T_U16, 1, EXEC_MISALIGNED, "not a multiple of 2");
}

static void region_bounds(void **state)
{
    (void)state;
    static const struct {
        uint8_t op;
        const char *text;
    } cases[] = {{OP_LDS, "shared load of 4 bytes at 0x64: the CTA has 100 bytes"},
                 {OP_LDL, "local load of 4 bytes at 0x70: the thread has 112 bytes"},
                 {OP_LDC, "const load of 4 bytes at 0x1a0: outside the constant bank"}};
    for (uint32_t k = 0; k < 3; k++) {
        struct rig r;
        rig_open(&r, 4);
        r.code.shared_b = 100;
        r.code.local_b = 100; /* rounded up to 112 */
        int32_t size = cases[k].op == OP_LDS ? 100 : cases[k].op == OP_LDL ? 112 : 0x1a0;
        rig_mov(&r, 2, I(-4));
        ADD(&r, .op = cases[k].op, .type = T_U32, .vec = 1, .off = size, .dst = {R(3)}, .src = {R(2)});
        rig_mov(&r, 2, I(0));
        ADD(&r, .op = cases[k].op, .type = T_U32, .vec = 1, .off = size, .dst = {R(3)}, .src = {R(2)});
        rig_exit(&r);
        rig_fails(&r, 1, 32, EXEC_BAD_ADDRESS, cases[k].text);
        assert_int_equal(r.err.line, 4);
        r.v.at[0].src[0] = I(1);
        r.v.at[1].off = 0;
        rig_fails(&r, 1, 32, EXEC_MISALIGNED, "not a multiple of 4");
        rig_close(&r);
    }
}

static void stack_overflow(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 4);
    r.code.local_b = 64;
    uint32_t top = rig_here(&r);
    rig_iadd(&r, 1, R(1), I(-16));
    ADD(&r, .op = OP_STL, .type = T_U32, .vec = 1, .src = {R(1), R(2)});
    rig_bra(&r, ir_none(), top);
    rig_fails(&r, 1, 32, EXEC_BAD_CODE, "stack overflow: the thread has 64 bytes");
    rig_close(&r);
}

static void generic_errors(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 4);
    rig_mov(&r, 4, I(0));
    rig_mov(&r, 5, I(WINDOW_CONST >> 32));
    ADD(&r, .op = OP_ST, .type = T_U32, .vec = 1, .src = {RR(4), R(2)});
    rig_exit(&r);
    rig_fails(&r, 1, 32, EXEC_BAD_ADDRESS, "store to constant memory");
    r.v.at[1].src[0] = I(0);
    rig_fails(&r, 1, 32, EXEC_BAD_ADDRESS, "a null pointer");
    r.v.at[1].src[0] = I(0xffff0000);
    rig_fails(&r, 1, 32, EXEC_BAD_ADDRESS, "outside every allocation");
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads),           cmocka_unit_test(stores),         cmocka_unit_test(mixed_generic),
        cmocka_unit_test(two_allocations), cmocka_unit_test(out_of_bounds),  cmocka_unit_test(region_bounds),
        cmocka_unit_test(stack_overflow),  cmocka_unit_test(generic_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
