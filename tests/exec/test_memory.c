/* SPDX-License-Identifier: Apache-2.0 */
/* The device: allocations and their addresses, mapped memory, the launch's own checks, system calls. */
#include "rig.h"

#include <stdlib.h>
#include <string.h>

static void allocation(void **state)
{
    (void)state;
    struct exec_dev *d = exec_dev_new(&(struct exec_cfg){.mem_limit_b = 1 << 20});
    uint64_t a = exec_alloc(d, 1000), b = exec_alloc(d, 1), c;
    assert_true(a && b && a % 256 == 0 && b % 256 == 0);
    assert_true(b >= a + 1000 + 256);
    assert_int_equal(exec_alloc(d, 0), 0);
    assert_int_equal(exec_alloc(d, 1 << 20), 0);
    assert_int_equal(exec_alloc(d, UINT64_MAX), 0);
    unsigned char *p = exec_ptr(d, a, 1000);
    assert_non_null(p);
    assert_int_equal(p[999], 0);
    assert_ptr_equal(exec_ptr(d, a + 10, 990), p + 10);
    assert_null(exec_ptr(d, a + 10, 991));
    assert_null(exec_ptr(d, a + 1000, 1));
    assert_null(exec_ptr(d, a - 1, 1));
    assert_null(exec_ptr(d, a, UINT64_MAX));
    assert_false(exec_free(d, a + 1));
    assert_true(exec_free(d, a));
    assert_false(exec_free(d, a));
    assert_null(exec_ptr(d, a, 1));
    c = exec_alloc(d, 1000);
    assert_true(c != a); /* a freed address stays wrong */
    for (int i = 0; i < 10000; i++) {
        uint64_t t = exec_alloc(d, 1 << 19);
        assert_true(t && exec_free(d, t));
    }
    exec_dev_free(d);
    /* The same calls give the same addresses. */
    d = exec_dev_new(NULL);
    assert_int_equal(exec_alloc(d, 1000), a);
    assert_int_equal(exec_alloc(d, 1), b);
    exec_dev_free(d);
}

static void mapping(void **state)
{
    (void)state;
    struct exec_dev *d = exec_dev_new(NULL);
    char *host = malloc(100);
    assert_true(exec_map(d, host, 100));
    assert_false(exec_map(d, host, 10));
    assert_false(exec_map(d, host + 99, 10));
    assert_false(exec_map(d, host, 0));
    assert_false(exec_map(d, NULL, 1));
    assert_false(exec_map(d, (void *)(uintptr_t)exec_alloc(d, 1), 1)); /* where device memory lives */
    assert_ptr_equal(exec_ptr(d, (uint64_t)(uintptr_t)host + 5, 95), host + 5);
    assert_false(exec_free(d, (uint64_t)(uintptr_t)host));
    assert_false(exec_unmap(d, host + 1));
    assert_true(exec_unmap(d, host));
    assert_null(exec_ptr(d, (uint64_t)(uintptr_t)host, 1));
    free(host);
    exec_dev_free(d);
}

static void isa_choice(void **state)
{
    (void)state;
    const char *const *names = exec_isa_list();
    assert_non_null(names[0]);
    for (; *names; names++) {
        struct exec_dev *d = exec_dev_new(&(struct exec_cfg){.isa = *names});
        assert_non_null(d);
        assert_string_equal(exec_isa(d), *names);
        exec_dev_free(d);
    }
    assert_string_equal(names[-1], "plain");
    assert_null(exec_dev_new(&(struct exec_cfg){.isa = "altivec"}));
}

static void launch_checks(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 4);
    rig_exit(&r);
    rig_ok(&r, 1, 1024);
    rig_fails(&r, 1, 0, EXEC_BAD_LAUNCH, "kernel 'test': block dimension x is 0: 1 to 1024 is possible");
    rig_fails(&r, 0, 1, EXEC_BAD_LAUNCH, "grid dimension x is 0");
    rig_fails(&r, 0x80000000u, 1, EXEC_BAD_LAUNCH, "grid dimension x");
    rig_fails(&r, 1, 1025, EXEC_BAD_LAUNCH, "block dimension x is 1025");
    r.block[1] = 2;
    rig_fails(&r, 1, 513, EXEC_BAD_LAUNCH, "1026 threads per block");
    r.block[2] = 65;
    rig_fails(&r, 1, 1, EXEC_BAD_LAUNCH, "block dimension z is 65");
    r.block[1] = r.block[2] = 0;
    r.grid[1] = 65536;
    rig_fails(&r, 1, 1, EXEC_BAD_LAUNCH, "grid dimension y is 65536");
    r.grid[1] = 0;
    r.dyn = 227 * 1024;
    rig_ok(&r, 1, 1);
    r.dyn++;
    rig_fails(&r, 1, 1, EXEC_BAD_LAUNCH, "232449 bytes of shared memory");
    r.dyn = UINT32_MAX;
    rig_fails(&r, 1, 1, EXEC_BAD_LAUNCH, "bytes of shared memory");
    r.dyn = 0;
    r.code.param_b = 8;
    rig_fails(&r, 1, 1, EXEC_BAD_LAUNCH, "64 bytes of parameters: the kernel takes 8");
    r.code.param_b = 64;
    r.code.maxntid = 128;
    rig_fails(&r, 1, 129, EXEC_BAD_LAUNCH, "129 threads per block: the kernel allows 128");
    r.code.maxntid = 0;
    r.code.reqntid[0] = 64;
    rig_fails(&r, 1, 32, EXEC_BAD_LAUNCH, "the kernel requires 64 (.reqntid)");
    rig_close(&r);
}

/* Code that no compiler of ours makes must not get further than the decoder. */
static void bad_code(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 4);
    rig_mov(&r, 2, I(0));
    rig_exit(&r);
    r.v.at[0].dst[0] = R(208);
    rig_fails(&r, 1, 1, EXEC_BAD_CODE,
              "kernel 'test': test.ptx:1: instruction 0, MOV: register out of range");
    r.v.at[0] = (struct ir_insn){.op = OP_BRA, .target = 2};
    rig_fails(&r, 1, 1, EXEC_BAD_CODE, "branch target out of range");
    r.v.at[0] = (struct ir_insn){.op = OP_BSSY, .src = {I(4)}};
    rig_fails(&r, 1, 1, EXEC_BAD_CODE, "convergence barrier out of range");
    r.v.at[0] = (struct ir_insn){.op = OP_MOV, .dst = {R(2)}, .src = {ir_const(0, 0x1a0, 1)}};
    rig_fails(&r, 1, 1, EXEC_BAD_CODE, "constant operand outside its bank");
    r.v.at[0] = (struct ir_insn){.op = OP_LDG, .type = T_U64, .vec = 4, .dst = {R4(4)}, .src = {RR(2)}};
    rig_fails(&r, 1, 1, EXEC_BAD_CODE, "no such access size");
    r.v.at[0] = (struct ir_insn){
        .op = OP_ATOM, .type = T_F32, .vec = 1, .aop = AOP_INC, .dst = {R(4)}, .src = {RR(2), R(6)}};
    rig_fails(&r, 1, 1, EXEC_BAD_CODE, "no such atomic operation");
    r.v.at[0] = (struct ir_insn){.op = 250};
    rig_fails(&r, 1, 1, EXEC_BAD_CODE, "no such combination");
    rig_close(&r);
}

static void trap(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 4);
    rig_s2r(&r, 2, SR_TID_X);
    rig_isetp(&r, 0, CMP_EQ, R(2), I(37));
    ADD(&r, .op = OP_TRAP, .guard = P(0));
    rig_exit(&r);
    rig_fails(&r, 1, 64, EXEC_TRAP, "warp 1, lane 5, test.ptx:3: trap");
    rig_close(&r);
}

/* A string in device memory. */
static uint64_t text(struct rig *r, const char *s)
{
    uint64_t a = exec_alloc(r->dev, strlen(s) + 1);
    strcpy(exec_ptr(r->dev, a, strlen(s) + 1), s);
    return a;
}

static void emit_printf(struct rig *r, unsigned format, unsigned args)
{
    for (unsigned k = 0; k < 2; k++) {
        rig_mov(r, 4 + k, ir_const(0, CB_PARAM + 8 * format + 4 * k, 1));
        rig_mov(r, 6 + k, ir_const(0, CB_PARAM + 8 * args + 4 * k, 1));
    }
    ADD(r, .op = OP_SYSCALL, .sub = SYS_PRINTF, .dst = {R(8)}, .src = {RR(4), RR(6)});
}

static void printing(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 64);
    r.params[1] = text(&r, "%d %5u|%-6x|%lld %s %c %f %.2e %% %p %*d %05hd %zu%q %s\n");
    r.params[2] = exec_alloc(r.dev, 256);
    unsigned char *p = exec_ptr(r.dev, r.params[2], 256);
    int32_t i32;
    uint64_t u64;
    double f64;
#define PUT(at, var, value) (var = (value), memcpy(p + (at), &var, sizeof var))
    PUT(0, i32, -5);
    PUT(4, i32, 42);
    PUT(8, i32, 0xbeef);
    PUT(16, u64, (uint64_t)-1234567890123ll);
    PUT(24, u64, text(&r, "word"));
    PUT(32, i32, 'Z');
    PUT(40, f64, 2.5);
    PUT(48, f64, 12345.678);
    PUT(56, u64, 0x200000000000ull);
    PUT(64, i32, 6);
    PUT(68, i32, 77);
    PUT(72, i32, 9);
    PUT(80, u64, 1ull << 40);
    PUT(88, u64, 0);
    emit_printf(&r, 1, 2);
    rig_result(&r, R(8));
    rig_ok(&r, 1, 1);
    assert_string_equal(r.text_buf, "-5    42|beef  |-1234567890123 word Z 2.500000 1.23e+04 % "
                                    "0x200000000000     77 00009 1099511627776%q (null)\n");
    assert_int_equal(rig_out(&r)[0], 14);
    /* Lane order, and arguments on the stack. */
    vec_clear(&r.v);
    r.code.local_b = 32;
    r.params[1] = text(&r, "<%d>");
    r.params[2] = WINDOW_LOCAL + 8;
    rig_s2r(&r, 2, SR_TID_X);
    rig_mov(&r, 3, I(8));
    ADD(&r, .op = OP_STL, .type = T_U32, .vec = 1, .src = {R(3), R(2)});
    emit_printf(&r, 1, 2);
    rig_exit(&r);
    rewind(r.text);
    rig_ok(&r, 1, 3);
    assert_memory_equal(r.text_buf, "<0><1><2>", 9);
    /* A format that leaves its memory. */
    r.params[1] = r.out + 63 * 4 + 3;
    ((char *)exec_ptr(r.dev, r.params[1], 1))[0] = 'x';
    rig_fails(&r, 1, 1, EXEC_BAD_ADDRESS, "system call reads 0x200000000100, which is outside");
    rig_close(&r);
}

static void assertion(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r, 4);
    r.params[1] = text(&r, "x > 0");
    r.params[2] = text(&r, "k.cu");
    r.params[3] = text(&r, "kernel");
    ADD(&r, .op = OP_SYSCALL, .sub = SYS_ASSERT, .src = {PARAM(1), PARAM(2), I(12), PARAM(3)});
    rig_exit(&r);
    rig_fails(&r, 1, 2, EXEC_ASSERT,
              "lane 0, test.ptx:1: k.cu:12: kernel: thread (0,0,0): assertion `x > 0' failed");
    rig_close(&r);
}

/* p = malloc(size); *p = tid; out[tid] = *p; free(p). */
static void heap(void **state)
{
    (void)state;
    struct rig r;
    rig_open_cfg(&r, 64, (struct exec_cfg){.heap_b = 1024});
    rig_s2r(&r, 2, SR_TID_X);
    rig_mov(&r, 4, I(16));
    rig_mov(&r, 5, I(0));
    ADD(&r, .op = OP_SYSCALL, .sub = SYS_MALLOC, .dst = {RR(6)}, .src = {RR(4)});
    ADD(&r, .op = OP_STG, .type = T_U32, .vec = 1, .src = {RR(6), R(2)});
    ADD(&r, .op = OP_LDG, .type = T_U32, .vec = 1, .dst = {R(8)}, .src = {RR(6)});
    ADD(&r, .op = OP_SYSCALL, .sub = SYS_FREE, .src = {RR(6)});
    rig_result(&r, R(8));
    rig_ok(&r, 1, 64);
    for (uint32_t t = 0; t < 64; t++)
        assert_int_equal(rig_out(&r)[t], t);
    r.v.at[4].off = 16; /* past the block */
    rig_fails(&r, 1, 1, EXEC_BAD_ADDRESS, "0 bytes past the end of a 16-byte allocation");
    r.v.at[4].off = 0;
    r.v.at[1].src[0] = I(1025); /* more than the heap has: NULL */
    rig_fails(&r, 1, 1, EXEC_BAD_ADDRESS, "a null pointer");
    r.v.at[1].src[0] = I(16);
    struct ir_insn again = r.v.at[6];
    vec_insert(&r.v, 7, again);
    rig_fails(&r, 1, 1, EXEC_BAD_ADDRESS, "which malloc did not return or which is free already");
    r.v.at[7] = r.v.at[5]; /* use after free */
    rig_fails(&r, 1, 1, EXEC_BAD_ADDRESS, "inside a freed allocation of 16 bytes");
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocation),    cmocka_unit_test(mapping),   cmocka_unit_test(isa_choice),
        cmocka_unit_test(launch_checks), cmocka_unit_test(bad_code),  cmocka_unit_test(trap),
        cmocka_unit_test(printing),      cmocka_unit_test(assertion), cmocka_unit_test(heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
