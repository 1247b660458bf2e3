/* SPDX-License-Identifier: Apache-2.0 */
/* mma.sync and wmma as the instructions of Ampere and later: one for each product of 16 rows and 8 columns, with the registers
 * that NVIDIA's assembler gives it, as aligned tuples. */
#include "base/diag.h"
#include "compile/compile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct code *compile(const char *body, struct ptx_module **m)
{
    static char text[16384];
    struct diag d = {0};
    int n = snprintf(text, sizeof text,
                     ".version 8.0\n.target sm_90\n.address_size 64\n"
                     ".shared .align 32 .b8 s[4096];\n"
                     ".visible .entry k(.param .u64 p) {\n.reg .b32 %%r<64>; .reg .f32 %%f<32>; .reg .f64 "
                     "%%d<32>; .reg .b64 %%rd<8>;\nld.param.u64 %%rd0, [p];\n%s\nret;\n}\n",
                     body);
    *m = ptx_parse("tensor.ptx", text, (size_t)n, &d);
    assert_non_null(*m);
    struct code *c = compile_kernel(*m, ptx_find_func(*m, "k"), &(struct compile_opts){.verify = true}, &d);
    if (!c)
        diag_print(&d, stderr);
    assert_non_null(c);
    diag_free(&d);
    return c;
}

static char *put_list(char *to, const char *stem, unsigned first, unsigned n)
{
    to += sprintf(to, "{");
    for (unsigned k = 0; k < n; k++)
        to += sprintf(to, "%s%s%u", k ? ", " : "", stem, first + k);
    return to + sprintf(to, "}");
}

/* One PTX instruction, and what it becomes: `times` of `want` with registers d, a, b, c each. PTX has fragments of na, nb, nc. */
struct form {
    const char *ptx, *want;
    unsigned na, nb, nc;
    unsigned d, a, b, c, times;
};
static const struct form forms[] = {
    {"m16n8k16.row.col.f32.f16.f16.f32", "HMMA.16816.F32", 4, 2, 4, 4, 4, 2, 4, 1},
    {"m16n8k16.row.col.f32.bf16.bf16.f32", "HMMA.16816.F32.BF16", 4, 2, 4, 4, 4, 2, 4, 1},
    {"m16n8k16.row.col.f16.f16.f16.f16", "HMMA.16816.F16", 4, 2, 2, 2, 4, 2, 2, 1},
    {"m16n8k8.row.col.f32.f16.f16.f32", "HMMA.1688.F32", 2, 1, 4, 4, 2, 1, 4, 1},
    {"m16n8k8.row.col.f32.bf16.bf16.f32", "HMMA.1688.F32.BF16", 2, 1, 4, 4, 2, 1, 4, 1},
    {"m16n8k8.row.col.f16.f16.f16.f16", "HMMA.1688.F16", 2, 1, 2, 2, 2, 1, 2, 1},
    {"m16n8k8.row.col.f32.tf32.tf32.f32", "HMMA.1688.F32.TF32", 4, 2, 4, 4, 4, 2, 4, 1},
    {"m16n8k4.row.col.f32.tf32.tf32.f32", "HMMA.1684.F32.TF32", 2, 1, 4, 4, 2, 1, 4, 1},
    {"m16n8k32.row.col.s32.s8.u8.s32", "IMMA.16832.S8.U8", 4, 2, 4, 4, 4, 2, 4, 1},
    {"m16n8k16.row.col.satfinite.s32.s8.s8.s32", "IMMA.16816.S8.S8.SAT", 2, 1, 4, 4, 2, 1, 4, 1},
    {"m8n8k16.row.col.s32.s8.s8.s32", "IMMA.8816.S8.S8", 1, 1, 2, 2, 1, 1, 2, 1},
    {"m16n8k64.row.col.s32.u4.u4.s32", "IMMA.16864.U4.U4", 4, 2, 4, 4, 4, 2, 4, 1},
    {"m16n8k32.row.col.s32.s4.s4.s32", "IMMA.16832.S4.S4", 2, 1, 4, 4, 2, 1, 4, 1},
    {"m8n8k32.row.col.s32.s4.s4.s32", "IMMA.8832.S4.S4", 1, 1, 2, 2, 1, 1, 2, 1},
    {"m16n8k256.row.col.s32.b1.b1.s32.and.popc", "BMMA.168256.AND.POPC", 4, 2, 4, 4, 4, 2, 4, 1},
    {"m16n8k128.row.col.s32.b1.b1.s32.xor.popc", "BMMA.168128.XOR.POPC", 2, 1, 4, 4, 2, 1, 4, 1},
    {"m8n8k128.row.col.s32.b1.b1.s32.and.popc", "BMMA.88128.AND.POPC", 1, 1, 2, 2, 1, 1, 2, 1},
    {"m8n8k4.row.col.f64.f64.f64.f64", "DMMA.8x8x4", 1, 1, 2, 4, 2, 2, 4, 1},
    {"m16n8k8.row.col.f64.f64.f64.f64", "DMMA.8x8x4", 4, 2, 4, 4, 2, 2, 4, 4},
    {"m16n8k16.row.col.f64.f64.f64.f64", "DMMA.8x8x4", 8, 4, 4, 4, 2, 2, 4, 8},
};

static const char *body_of(const struct form *f)
{
    static char text[4096];
    bool dbl = strstr(f->ptx, ".f64"), flt = strstr(f->ptx, "col.f32");
    const char *ab = dbl ? "%d" : "%r", *acc = dbl ? "%d" : flt ? "%f" : "%r", *t = dbl ? "f64" : "b32";
    const char *ta = dbl ? "f64" : flt ? "f32" : "b32";
    char *p = text;
    for (unsigned k = 0; k < f->na + f->nb; k++)
        p += sprintf(p, "ld.global.%s %s%u, [%%rd0+%u];\n", t, ab, k, 8 * k);
    for (unsigned k = 0; k < f->nc; k++)
        p += sprintf(p, "ld.global.%s %s%u, [%%rd0+%u];\n", ta, acc, 16 + k, 256 + 8 * k);
    p += sprintf(p, "mma.sync.aligned.%s ", f->ptx);
    p = put_list(p, acc, 24, f->nc);
    p = put_list(p + sprintf(p, ", "), ab, 0, f->na);
    p = put_list(p + sprintf(p, ", "), ab, f->na, f->nb);
    p = put_list(p + sprintf(p, ", "), acc, 16, f->nc);
    p += sprintf(p, ";\n");
    for (unsigned k = 0; k < f->nc; k++)
        p += sprintf(p, "st.global.%s [%%rd0+%u], %s%u;\n", ta, 512 + 8 * k, acc, 24 + k);
    return text;
}

/* The mnemonic; operands follow behind a blank. */
static void name_of(const struct ir_insn *i, char *name, size_t size)
{
    FILE *f = fmemopen(name, size, "w");
    assert_non_null(f);
    ir_print_insn(f, NULL, i);
    fclose(f);
    name[strcspn(name, " ")] = 0;
}

static void expect_tuple(const struct form *f, const char *what, const struct ir_opnd *o, unsigned n)
{
    if (o->kind != OPND_REG || o->n != n || o->val % (n > 2 ? 4 : n))
        fail_msg("%s: %s is R%u with %u registers, not %u", f->ptx, what, o->val, o->n, n);
}

static void tuples(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof forms / sizeof *forms; k++) {
        const struct form *f = &forms[k];
        struct ptx_module *m;
        struct code *c = compile(body_of(f), &m);
        unsigned found = 0;
        for (uint32_t n = 0; n < c->n; n++) {
            const struct ir_insn *i = &c->insns[n];
            char name[128];
            if (ir_ops[i->op].unit != UNIT_TENSOR)
                continue;
            name_of(i, name, sizeof name);
            assert_string_equal(name, f->want);
            expect_tuple(f, "D", &i->dst[0], f->d);
            expect_tuple(f, "A", &i->src[0], f->a);
            expect_tuple(f, "B", &i->src[1], f->b);
            expect_tuple(f, "C", &i->src[2], f->c);
            found++;
        }
        assert_int_equal(found, f->times);
        code_free(c);
        ptx_module_free(m);
    }
}

/* wmma on shared memory: matrices are loaded by rows, and 8 x 32 is computed as 32 x 8. */
static const struct {
    const char *a, *b, *mma, *type;
    unsigned na, nb, nc;
    unsigned products, matrices, loads; /* instructions: tensor, LDSM, LDS */
} wmmas[] = {
    {"row.m16n16k16.shared.f16", "col.m16n16k16.shared.f16", "row.col.m16n16k16.f32.f32", "f32", 8, 8, 8, 2,
     2, 0},
    {"col.m16n16k16.shared.f16", "row.m16n16k16.shared.f16", "col.row.m16n16k16.f32.f32", "f32", 8, 8, 8, 2,
     2, 0},
    {"row.m32n8k16.shared.f16", "col.m32n8k16.shared.f16", "row.col.m32n8k16.f32.f32", "f32", 8, 8, 8, 2, 3,
     0},
    {"row.m8n32k16.shared.f16", "col.m8n32k16.shared.f16", "row.col.m8n32k16.f32.f32", "f32", 8, 8, 8, 2, 3,
     0},
    {"row.m16n16k16.shared.s8", "col.m16n16k16.shared.s8", "row.col.m16n16k16.s32.s8.s8.s32", "s32", 2, 2, 8,
     2, 2, 0},
    {"col.m16n16k16.shared.s8", "row.m16n16k16.shared.s8", "col.row.m16n16k16.s32.s8.s8.s32", "s32", 2, 2, 8,
     2, 0, 16},
};

static void fragments(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof wmmas / sizeof *wmmas; k++) {
        static char text[4096];
        const char *acc = wmmas[k].type[0] == 'f' ? "%f" : "%r";
        unsigned c0 = acc[1] == 'f' ? 0 : 32;
        char *p = text, shape[32];
        sscanf(strchr(wmmas[k].a, 'm'), "%31[^.]", shape);
        p = put_list(p + sprintf(p, "wmma.load.a.sync.aligned.%s ", wmmas[k].a), "%r", 0, wmmas[k].na);
        p = put_list(p + sprintf(p, ", [s];\nwmma.load.b.sync.aligned.%s ", wmmas[k].b), "%r", 8,
                     wmmas[k].nb);
        p = put_list(
            p + sprintf(p, ", [s+2048];\nwmma.load.c.sync.aligned.row.%s.global.%s ", shape, wmmas[k].type),
            acc, c0, 8);
        p = put_list(p + sprintf(p, ", [%%rd0];\nwmma.mma.sync.aligned.%s ", wmmas[k].mma), acc, c0 + 8, 8);
        p = put_list(p + sprintf(p, ", "), "%r", 0, wmmas[k].na);
        p = put_list(p + sprintf(p, ", "), "%r", 8, wmmas[k].nb);
        p = put_list(p + sprintf(p, ", "), acc, c0, 8);
        p = put_list(
            p + sprintf(p, ";\nwmma.store.d.sync.aligned.row.%s.global.%s [%%rd0], ", shape, wmmas[k].type),
            acc, c0 + 8, 8);
        sprintf(p, ";\n");
        struct ptx_module *m;
        struct code *c = compile(text, &m);
        unsigned products = 0, matrices = 0, loads = 0;
        for (uint32_t n = 0; n < c->n; n++) {
            products += ir_ops[c->insns[n].op].unit == UNIT_TENSOR;
            matrices += c->insns[n].op == OP_LDSM;
            loads += c->insns[n].op == OP_LDS;
        }
        if (products != wmmas[k].products || matrices != wmmas[k].matrices || loads != wmmas[k].loads)
            fail_msg("%s: %u tensor instructions, %u LDSM, %u LDS", wmmas[k].mma, products, matrices, loads);
        code_free(c);
        ptx_module_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tuples), cmocka_unit_test(fragments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
