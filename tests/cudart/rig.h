/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels for tests of the runtime, in one PTX module, and launches with the order they got. */
#ifndef TESTS_CUDART_RIG_H
#define TESTS_CUDART_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda.h"
#include "cudart/rt.h"

#define ok(call) assert_int_equal(call, cudaSuccess)
#define fails(code, call)                                                                                    \
    do {                                                                                                     \
        assert_int_equal(call, code);                                                                        \
        cudaGetLastError();                                                                                  \
    } while (0)

/* Handle of a kernel; goes where a stub goes:
 *   nop()   step(u32 *p, u32 a, u32 b): *p = *p * a + b   fill(u32 *p, u32 v): p[global thread] = v
 *   shared1k(): 1 KiB static shared memory   tex1/tex2(u64 texture, f32 *out, ...): see rig.c */
void *kernel(const char *name);
struct CUmod_st *rig_module(void);

/* Launches nop and returns its number in the order. */
uint32_t go(cudaStream_t s);
/* *p = *p * a + b in stream s. */
void step(cudaStream_t s, uint32_t *p, uint32_t a, uint32_t b);
/* Number of the last launch. */
uint32_t last_launch(void);
/* A launch after everything, which the host has waited for: what comes next comes after this one and nothing else. */
uint32_t barrier(void);
/* What launch l came after is exactly this list. */
#define after(...) after_at(__LINE__, __VA_ARGS__)
void after_at(int line, uint32_t l, unsigned n, ...);
/* For a group of tests that starts captures: loads the module first. */
int rig_setup(void **state);

uint32_t read_u32(const void *device);

#endif
