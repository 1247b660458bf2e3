/* SPDX-License-Identifier: Apache-2.0 */
/* Golden tests of the bundled kernels: a test fills device memory, launches, and compares with plain C.
 * kt_run repeats it for every PTX file of the kernel (nvcc's and clang's), every register limit of the
 * list, scheduled and not; with two of these settings launches are recorded too and the traces read back. */
#ifndef TESTS_KERNELS_KT_H
#define TESTS_KERNELS_KT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "compile/compile.h"
#include "exec/exec.h"

struct kt {
    const char *file;
    struct compile_opts opts;
    struct ptx_module *ptx;
    struct exec_dev *dev;
    struct exec_module *mod;
    struct diag diag;
    struct rng rng;
    char *text; /* what the kernel printed, after kt_text */
    size_t text_n;
    FILE *out;
    /* For the next launch. */
    uint32_t dyn_shared_b;
    bool cooperative;
    bool replay; /* record each launch and compare what the trace gives with what was executed */
    struct exec_error err;
};

typedef void kt_fn(struct kt *t);
void kt_run(const char *name, kt_fn *fn);

#define KT_TEST(name, kernel)                                                                                \
    static void test_##kernel(void **state)                                                                  \
    {                                                                                                        \
        (void)state;                                                                                         \
        kt_run(name, kernel);                                                                                \
    }

/* Zeroed device memory, seen from here; its address goes to *addr. */
void *kt_alloc(struct kt *t, size_t size_b, uint64_t *addr);
#define KT_NEW(t, T, n, addr) ((T *)kt_alloc((t), sizeof(T) * (size_t)(n), (addr)))

/* Values from the test's own generator: uniform in [lo, hi). */
float kt_f32(struct kt *t, float lo, float hi);
int kt_int(struct kt *t, int lo, int hi);

/* p: a struct whose members are the kernel's parameters in order. */
enum exec_status kt_try(struct kt *t, const char *kernel, const uint32_t grid[2], const uint32_t block[2],
                        const void *p, size_t p_b);
void kt_launch(struct kt *t, const char *kernel, const uint32_t grid[2], const uint32_t block[2],
               const void *p, size_t p_b);
#define KT_2(x, y) ((const uint32_t[2]){(uint32_t)(x), (uint32_t)(y)})
#define KT_1(x) KT_2(x, 1)
const char *kt_text(struct kt *t);

/* Comparisons fail the test with kernel file, settings and index. size_b: of an element, at most 8. */
void kt_same(struct kt *t, const char *what, const void *got, const void *want, size_t n, size_t size_b);
void kt_near(struct kt *t, const char *what, const float *got, const double *want, size_t n, double rel,
             double abs);
void kt_near64(struct kt *t, const char *what, const double *got, const double *want, size_t n, double rel,
               double abs);
#define KT_SAME(t, got, want, n) kt_same((t), #got, (got), (want), (n), sizeof *(got))
#define KT_NEAR(t, got, want, n, rel, abs) kt_near((t), #got, (got), (want), (n), (rel), (abs))

/* Half and bfloat16 of a number in their range, rounded to nearest even, and back. */
uint16_t kt_to_half(double v);
float kt_from_half(uint16_t h);
uint16_t kt_to_bf16(double v);
float kt_from_bf16(uint16_t h);

#endif
