/* SPDX-License-Identifier: Apache-2.0 */
/* A program's device code without a compiler: PTX text, registered as clang's and nvcc's constructors do it. */
#ifndef TESTS_CUDART_PROG_H
#define TESTS_CUDART_PROG_H

#include "cudart/code/fatbin.h"
#include "cudart/code/register.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#define OK(call) assert_int_equal(call, cudaSuccess)
#define FAILS(call, code) assert_int_equal(call, code)

struct prog {
    struct fatbin_wrapper wrapper;
    void **handle;
};

static inline void prog_open(struct prog *p, const void *ptx)
{
    p->wrapper = (struct fatbin_wrapper){.magic = FATBIN_SEGMENT_MAGIC, .version = 1, .data = ptx};
    p->handle = __cudaRegisterFatBinary(&p->wrapper);
}

/* Any address does for a stub; tests use static variables. */
static inline void prog_kernel(struct prog *p, const void *stub, const char *name)
{
    __cudaRegisterFunction(p->handle, stub, NULL, name, -1, NULL, NULL, NULL, NULL, NULL);
}

static inline void prog_close(struct prog *p) { __cudaUnregisterFatBinary(p->handle); }

#define PTX_HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

/* What the runtime prints on stderr between quiet_begin and quiet_end, instead of showing it. */
struct quiet {
    int saved;
    FILE *file;
};
void quiet_begin(struct quiet *q);
void quiet_end(struct quiet *q, char *text, size_t n); /* text may be NULL */

#endif
