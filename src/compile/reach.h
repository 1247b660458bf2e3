/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel with everything it can reach: what is laid out once per kernel (shared memory, symbols, functions) before
 * any function is lowered. */
#ifndef COMPILE_REACH_H
#define COMPILE_REACH_H

#include "compile/compile.h"

struct reach {
    struct arena arena;
    const struct ptx_module *m;
    const struct ptx_func *entry;
    const char *source; /* the file that the entry was written in; NULL: the PTX */
    struct diag *d;
    VEC(const struct ptx_func *) funcs; /* reachable, entry first */
    bool *reached;                      /* by ptx_func.index */
    VEC(const struct ptx_var *) shared_vars;
    VEC(uint32_t) shared_off;
    VEC(struct code_sym) syms; /* bank 4, 8 bytes each */
    uint32_t shared_b, dyn_align;
    uint32_t *param_off; /* of the entry's parameters */
    uint32_t param_b;
    uint32_t regs_later; /* the most registers that setmaxnreg names; 0: none in force */
    bool windows;        /* addresses of shared variables are computed when the kernel runs */
    bool recursive, has_indirect, uses_printf, uses_malloc;
};

bool reach_build(struct reach *u, const struct ptx_module *m, const struct ptx_func *entry, struct diag *d);
void reach_free(struct reach *u);
/* Byte offset of a shared variable; dynamic (extern) ones start behind the static ones. */
uint32_t reach_shared_off(const struct reach *u, const struct ptx_var *v);
uint32_t reach_sym(struct reach *u, enum code_sym_kind kind, uint32_t var); /* byte offset in bank 4 */

/* Where arguments and results of a call lie: from the callee's stack pointer at entry upwards. */
struct call_layout {
    uint32_t *param_off, *ret_off;
    uint32_t size_b;
};
struct call_layout call_layout_of(struct arena *a, struct ptx_var *const *params, uint32_t nparams,
                                  struct ptx_var *const *rets, uint32_t nrets);

/* lower.c: fn comes initialised. False: errors were reported. */
bool lower_function(struct reach *u, const struct ptx_func *f, struct ir_fn *fn);
/* link.c */
struct code *link_code(struct reach *u, struct ir_fn *fns, uint32_t n);

#endif
