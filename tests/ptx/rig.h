/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers of the parser tests: small modules from the lines that matter. */
#ifndef TESTS_PTX_RIG_H
#define TESTS_PTX_RIG_H

#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define HEAD ".version 7.0\n.target sm_80\n.address_size 64\n"
/* Registers of every test kernel. The first body line is line 6 of the module. */
#define REGS                                                                                                 \
    ".reg .pred %p<4>; .reg .b16 %rs<8>; .reg .b32 %r<32>; .reg .b64 %rd<16>; .reg .f32 %f<16>; .reg .f64 "  \
    "%fd<8>;\n"

/* A module that must be right; fails the test with the messages otherwise. The caller frees it. */
struct ptx_module *rig_parse(const char *text);
/* The same, from the lines of one kernel's body. */
struct ptx_module *rig_body(const char *lines);
/* The only function with a body, and its i-th instruction. */
struct ptx_func *rig_func(struct ptx_module *m);
struct ptx_insn *rig_insn(struct ptx_module *m, uint32_t i);
struct ptx_var *rig_var(struct ptx_module *m, const char *name);

#endif
