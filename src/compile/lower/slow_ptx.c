/* SPDX-License-Identifier: Apache-2.0 */
/* The subroutines themselves, written in PTX: %a and %b are the operands, %a is the result. Only operands that the fast path
 * refuses come here, and every result is rounded once. */
#include "compile/lower/slow.h"

/* Significands are divided as numbers in [1, 2) with two corrections, so that the remainder decides every rounding; the
 * exponent is put back at the end. A subnormal result is the quotient rounded towards zero, shifted out and rounded by what was
 * lost. */
static const char div_f32[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".func slow_div_f32() {\n"
    ".reg .b32 %a, %b, %x, %y, %ea, %eb, %s, %t; .reg .f32 %fa, %fb, %r, %q, %e; .reg .pred %p, %p2, %p3;\n"
    "bfe.u32 %ea, %a, 23, 8; bfe.u32 %eb, %b, 23, 8;\n"
    "add.u32 %x, %ea, -1; add.u32 %y, %eb, -1;\n"
    "mov.u32 %s, 0; max.u32 %x, %x, %y;\n"
    "setp.lt.u32 %p, %x, 254; @%p bra DIVIDE;\n"
    /* not both normal */
    "mov.b32 %fa, %a; mov.b32 %fb, %b; abs.f32 %r, %fa; abs.f32 %q, %fb;\n"
    "setp.nan.f32 %p, %r, %q; @%p bra NAN;\n"
    "setp.eq.f32 %p, %r, 0f00000000; setp.eq.f32 %p2, %q, 0f00000000;\n"
    "setp.eq.f32 %p3, %r, 0f7F800000; @%p2 bra BY_ZERO;\n"
    "@%p bra ZERO;\n"
    "setp.eq.f32 %p, %q, 0f7F800000; @%p3 bra INFINITE;\n"
    "@%p bra ZERO;\n"
    "setp.eq.u32 %p, %ea, 0; setp.eq.u32 %p2, %eb, 0;\n"
    "@%p mul.f32 %fa, %fa, 0f5F800000; @%p mov.u32 %s, -64; @%p2 mul.f32 %fb, %fb, 0f5F800000; @%p2 add.u32 "
    "%s, %s, 64;\n"
    "mov.b32 %a, %fa; mov.b32 %b, %fb; bfe.u32 %ea, %a, 23, 8; bfe.u32 %eb, %b, 23, 8;\n"
    "DIVIDE:\n"
    "sub.u32 %x, %ea, %eb; add.u32 %s, %s, %x;\n"
    "lop3.b32 %x, %a, 0x007fffff, 0x3f800000, 0xea; lop3.b32 %y, %b, 0x007fffff, 0x3f800000, 0xea;\n"
    "mov.b32 %fa, %x; mov.b32 %fb, %y; neg.f32 %e, %fb; rcp.approx.f32 %r, %fb;\n"
    "fma.rn.f32 %q, %e, %r, 0f3F800000; fma.rn.f32 %r, %r, %q, %r; mul.rn.f32 %q, %fa, %r;\n"
    "fma.rn.f32 %fb, %e, %q, %fa; fma.rn.f32 %q, %fb, %r, %q; fma.rn.f32 %fb, %e, %q, %fa;\n"
    "xor.b32 %a, %a, %b; and.b32 %a, %a, 0x80000000;\n"
    "fma.rn.f32 %fa, %fb, %r, %q; mov.b32 %x, %fa; shr.u32 %y, %x, 23; add.s32 %y, %y, %s;\n"
    "add.u32 %t, %y, -1; setp.lt.u32 %p, %t, 254; @%p bra NORMAL;\n"
    "setp.gt.s32 %p, %y, 254; @%p bra OVERFLOW;\n"
    /* subnormal: %x = significand cut off, %y = places to shift, %t = what is shifted out */
    "fma.rz.f32 %fa, %fb, %r, %q; mov.b32 %x, %fa; shr.u32 %y, %x, 23; add.s32 %y, %y, %s; sub.s32 %y, 1, "
    "%y;\n"
    "setp.gt.s32 %p, %y, 25; @%p bra DONE;\n"
    "setp.neu.f32 %p2, %fb, 0f00000000; sub.s32 %t, 32, %y;\n"
    "lop3.b32 %x, %x, 0x007fffff, 0x00800000, 0xea; shl.b32 %t, %x, %t; shr.u32 %x, %x, %y;\n"
    "and.b32 %y, %x, 1; @%p2 or.b32 %y, %y, 1;\n"
    "setp.eq.u32 %p3, %y, 0; setp.gt.u32 %p, %t, 0x80000000; setp.ne.u32 %p2, %t, 0x80000000;\n"
    "or.pred %p3, %p3, %p2; not.pred %p3, %p3; or.pred %p, %p, %p3;\n"
    "@%p add.u32 %x, %x, 1; or.b32 %a, %a, %x; bra DONE;\n"
    "NORMAL: shl.b32 %s, %s, 23; add.u32 %x, %x, %s; or.b32 %a, %a, %x; bra DONE;\n"
    "OVERFLOW: or.b32 %a, %a, 0x7f800000; bra DONE;\n"
    "BY_ZERO: @%p bra NAN;\n"
    "bra SIGNED_INFINITY;\n"
    "INFINITE: @%p bra NAN;\n"
    "SIGNED_INFINITY: xor.b32 %a, %a, %b; and.b32 %a, %a, 0x80000000; or.b32 %a, %a, 0x7f800000; bra DONE;\n"
    "ZERO: xor.b32 %a, %a, %b; and.b32 %a, %a, 0x80000000; bra DONE;\n"
    "NAN: mov.u32 %a, 0x7fffffff;\n"
    "DONE:\n}\n";

static const char sqrt_f32[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".func slow_sqrt_f32() {\n"
    ".reg .b32 %a; .reg .f32 %f, %y, %s, %h, %e; .reg .pred %p;\n"
    "mov.b32 %f, %a; setp.eq.f32 %p, %f, 0f00000000; @%p bra DONE;\n"
    "setp.geu.f32 %p, %f, 0f00000000; @!%p mov.u32 %a, 0x7fffffff; @!%p bra DONE;\n"
    "abs.f32 %y, %f; setp.gtu.f32 %p, %y, 0f7F800000; @%p mov.u32 %a, 0x7fffffff; @%p bra DONE;\n"
    "setp.eq.f32 %p, %y, 0f7F800000; @%p bra DONE;\n"
    "mul.f32 %f, %f, 0f5F800000; rsqrt.approx.f32 %y, %f; mul.f32 %s, %f, %y; mul.f32 %h, %y, 0f3F000000;\n"
    "neg.f32 %e, %s; fma.rn.f32 %e, %e, %s, %f; fma.rn.f32 %s, %e, %h, %s;\n"
    "mul.f32 %s, %s, 0f2F800000; mov.b32 %a, %s;\n"
    "DONE:\n}\n";

static const struct {
    const char *name, *text;
} subs[SLOW_COUNT] = {[SLOW_DIV] = {"slow_div_f32", div_f32}, [SLOW_SQRT] = {"slow_sqrt_f32", sqrt_f32}};

/* Operands arrive, and the result leaves, in registers of their own; the return reads the result. */
static void pin(struct ir_fn *fn)
{
    struct ir_opnd result = ir_none();
    for (uint32_t v = 0; v < fn->vregs.n; v++) {
        struct ir_vreg *r = &fn->vregs.at[v];
        bool a = r->name && strcmp(r->name, "%a") == 0, b = r->name && strcmp(r->name, "%b") == 0;
        if (!a && !b)
            continue;
        r->fixed = 1;
        r->phys = a ? SLOW_A : SLOW_B;
        if (a)
            result = ir_reg(v, 0, 1);
    }
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i)
            if (i->op == OP_RET)
                i->src[1] = result;
}

bool slow_lower(struct reach *u, enum slow kind, struct ir_fn *fn)
{
    struct diag d = {0};
    struct ptx_module *m = ptx_parse(subs[kind].name, subs[kind].text, strlen(subs[kind].text), &d);
    bool ok = m && lower_function(u, ptx_find_func(m, subs[kind].name), fn);
    if (ok) {
        fn->name = subs[kind].name;
        fn->id = u->m->funcs.n + (uint32_t)kind;
        pin(fn);
    }
    vec_each (&fn->vregs, r) /* their names go with the text */
        r->name = NULL;
    vec_each (&fn->blocks, b)
        b->label = NULL;
    ptx_module_free(m);
    diag_free(&d);
    return ok;
}
