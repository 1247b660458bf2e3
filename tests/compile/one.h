/* SPDX-License-Identifier: Apache-2.0 */
/* One kernel of a few lines of PTX, compiled: parameters p (64 bits) and n, registers %rd, %r, %f and %p, and the thread in
 * %r1. */
#ifndef TESTS_COMPILE_ONE_H
#define TESTS_COMPILE_ONE_H

#include "base/diag.h"
#include "compile/compile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ONE_HEAD                                                                                             \
    ".version 7.0\n.target sm_80\n.address_size 64\n"                                                        \
    ".visible .entry k(.param .u64 p, .param .u32 n, .param .align 8 .b8 s[32]) {\n"                         \
    ".reg .b64 %rd<40>; .reg .b32 %r<60>; .reg .f32 %f<60>; .reg .pred %p<8>;\n"                             \
    "ld.param.u64 %rd0, [p]; ld.param.u32 %r0, [n]; mov.u32 %r1, %tid.x;\n"

/* Kernel k of a text that begins with `head`. */
static inline struct code *kernel_with(const char *head, const char *body, const struct compile_opts *o)
{
    static char text[16384];
    struct diag d = {0};
    int n = snprintf(text, sizeof text, "%s%s\nret;\n}\n", head, body);
    struct ptx_module *m = ptx_parse("one.ptx", text, (size_t)n, &d);
    if (!m)
        diag_print(&d, stderr);
    assert_non_null(m);
    struct code *c = compile_kernel(m, ptx_find_func(m, "k"), o, &d);
    if (!c)
        diag_print(&d, stderr);
    assert_non_null(c);
    ptx_module_free(m);
    diag_free(&d);
    return c;
}

static inline struct code *kernel_of(const char *head, const char *body, uint32_t max_regs)
{
    return kernel_with(head, body, &(struct compile_opts){.verify = true, .max_regs = max_regs});
}

static inline struct code *one_kernel(const char *body, uint32_t max_regs)
{
    return kernel_of(ONE_HEAD, body, max_regs);
}

static inline uint32_t count_op(const struct code *c, enum ir_op op)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < c->n; k++)
        n += c->insns[k].op == op;
    return n;
}

/* Instructions of an operation in such a kernel. */
static inline uint32_t count_in(const char *body, enum ir_op op)
{
    struct code *c = one_kernel(body, 0);
    uint32_t n = count_op(c, op);
    code_free(c);
    return n;
}

/* A copy, by whichever pipe (balance.c); not a load of a uniform register. */
static inline bool is_move(const struct ir_insn *i)
{
    return (i->op == OP_MOV && i->dst[0].val < REG_U0) ||
           (i->op == OP_IMAD && opnd_is_zero(&i->src[0]) && opnd_is_zero(&i->src[1]));
}
/* What it copies. */
static inline const struct ir_opnd *moved(const struct ir_insn *i)
{
    return &i->src[i->op == OP_MOV ? 0 : 2];
}

static inline uint32_t find_op(const struct code *c, enum ir_op op, uint32_t from)
{
    while (from < c->n && c->insns[from].op != op)
        from++;
    return from;
}

#endif
