/* SPDX-License-Identifier: Apache-2.0 */
/* Runs PTX text for the ISA tests: parse, compile, load, launch, copy buffers in and out. Every launch happens once per
 * configuration: as a user would run it, and with 16 registers and no host vector code, so that spill code and the
 * plain lane operations meet the same expectations. The references live in the tests; nothing here knows an opcode.
 *
 * A group of tests shares one struct isa (cmocka's group state): devices, coverage table, failures. A wrong result is
 * noted and the test goes on, so one run shows every wrong form; ISA_DONE at a test's end fails it. */
#ifndef TESTS_ISA_ISA_H
#define TESTS_ISA_ISA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/rng.h"

enum { ISA_CONFIGS = 2, ISA_MAX_BUFS = 8, ISA_MAX_OPCODES = 128 };

struct isa_count {
    char op[24];
    uint32_t forms;
};

struct isa_back; /* the machine under test */

struct isa {
    struct isa_back *back;
    struct arena arena; /* names and kernels that tests build */
    struct rng rng;
    struct isa_count count[ISA_MAX_OPCODES];
    uint32_t ncounts, forms, launches;
    uint64_t checks;   /* compared results */
    uint32_t fails;    /* of the running test */
    uint32_t reported; /* lines printed for the running test */
};

struct isa_buf {
    void *host;
    size_t size_b;
};

struct isa_launch {
    const char *ptx;
    const char *kernel;         /* NULL: "k" */
    uint32_t grid[3], block[3]; /* zeros count as 1 */
    uint32_t cluster[3];        /* 0: none */
    uint32_t dyn_shared_b;
    unsigned nbufs; /* their addresses are the first parameters, .u64 each */
    struct isa_buf buf[ISA_MAX_BUFS];
    const void *extra; /* further parameter bytes, laid out as the kernel declares them */
    size_t extra_b;
    bool cooperative;
    uint32_t tight_regs; /* registers of the second configuration; 0: 16 */
    FILE *out;           /* device printf; NULL: stdout */
};

enum isa_status { ISA_OK, ISA_REFUSED, ISA_FAILED };

struct isa_result {
    enum isa_status status;
    uint32_t line, col; /* REFUSED: of the first message; FAILED: the PTX line */
    int code;           /* FAILED: enum exec_status */
    char text[512];
    uint64_t addr;
};

/* Runs one configuration; the buffers hold the results afterwards. */
struct isa_result isa_try(struct isa *t, unsigned config, const struct isa_launch *l);
/* The same, and a failure noted unless it worked. */
bool isa_run(struct isa *t, unsigned config, const struct isa_launch *l, const char *form);

/* Counts a form for the table printed at the end; the opcode is the name up to its first '.'. */
void isa_count(struct isa *t, const char *form);
void isa_fail(struct isa *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *isa_fmt(struct isa *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "{head}{body}" where head is version, target, address size. */
#define ISA_HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

int isa_setup(void **state);
int isa_teardown(void **state);

#define ISA_DONE(t)                                                                                          \
    do {                                                                                                     \
        uint32_t fails_ = (t)->fails;                                                                        \
        (t)->fails = (t)->reported = 0;                                                                      \
        assert_int_equal(fails_, 0);                                                                         \
    } while (0)

#define ISA_MAIN(...)                                                                                        \
    int main(void)                                                                                           \
    {                                                                                                        \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                                     \
        return cmocka_run_group_tests(tests, isa_setup, isa_teardown);                                       \
    }

/* isa_back.c */
struct isa_back *isa_back_new(void);
void isa_back_free(struct isa_back *b);
struct isa_result isa_back_run(struct isa_back *b, unsigned config, const struct isa_launch *l);

#endif
