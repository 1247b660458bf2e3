/* SPDX-License-Identifier: Apache-2.0 */
#include "formtext.h"

static const char reg_src[FORM_SRCS] = {'a', 'b', 'c', 'e'};
static const char reg_dst[FORM_DSTS] = {'d', 'q'};

static void put(char *text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(char *text, const char *fmt, ...)
{
    size_t at = strlen(text);
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text + at, FORM_TEXT_B - at, fmt, ap);
    va_end(ap);
    assert_true(n >= 0 && at + (size_t)n < FORM_TEXT_B);
}

static unsigned reg_bits(const struct type_info *ti)
{
    return ti->kind == TK_PRED ? 1 : ti->bits <= 8 ? 32 : ti->bits;
}

bool form_can_alias(const struct shape *s, unsigned src)
{
    return s->ndst == 1 && reg_bits(s->dst[0]) == reg_bits(s->src[src]);
}

static void put_reg(char *text, const struct type_info *ti, char name, bool untyped)
{
    if (untyped && ti->kind != TK_PRED)
        put(text, "  .reg .b%u %%%c;\n", reg_bits(ti), name);
    else
        put(text, "  .reg %s %%%c;\n", ti->reg, name);
}

static void put_loads(char *text, const struct shape *s)
{
    for (unsigned i = 0; i < s->nsrc; i++) {
        const struct type_info *ti = s->src[i];
        if (ti->kind == TK_PRED)
            put(text, "  ld.global.u32 %%i5, [%%x2+%u];\n  setp.ne.u32 %%%c, %%i5, 0;\n", 8 * i, reg_src[i]);
        else
            put(text, "  ld.global%s %%%c, [%%x2+%u];\n", ti->mem, reg_src[i], 8 * i);
    }
}

/* At base register + off. */
static void put_stores(char *text, const struct shape *s, const char *base, unsigned off, const char *names)
{
    for (unsigned i = 0; i < s->ndst; i++) {
        const struct type_info *ti = s->dst[i];
        if (ti->kind == TK_PRED)
            put(text, "  selp.u32 %%i5, 1, 0, %%%c;\n  st.global.u32 [%s+%u], %%i5;\n", names[i], base,
                off + 8 * i);
        else
            put(text, "  st.global%s [%s+%u], %%%c;\n", ti->mem, base, off + 8 * i, names[i]);
    }
}

static void put_literal(char *text, const struct type_info *ti, uint64_t v)
{
    if (ti->kind == TK_FLOAT && ti->reg[1] == 'f')
        put(text, ti->bits == 32 ? "0f%08llX" : "0d%016llX", (unsigned long long)v);
    else if (ti->kind == TK_SINT && ti->bits > 8)
        put(text, "%lld", (long long)sign_of(v, ti->bits));
    else
        put(text, "%llu", (unsigned long long)v);
}

static void put_const(char *text, const struct type_info *ti, char name, uint64_t v)
{
    if (ti->kind == TK_PRED) {
        put(text, "  mov.u32 %%i5, %u;\n  setp.ne.u32 %%%c, %%i5, 0;\n", (unsigned)v, name);
        return;
    }
    if (ti->reg[1] == 'f')
        put(text, "  mov%s %%%c, ", ti->reg, name);
    else
        put(text, "  mov.b%u %%%c, ", reg_bits(ti), name);
    put_literal(text, ti, v);
    put(text, ";\n");
}

static void put_insn(char *text, const struct form *f, const struct shape *s, const struct form_how *how,
                     const char *dst)
{
    if (f->body) {
        put(text, "  %s\n", f->body);
        return;
    }
    put(text, "  %s%s ", how->kind == FORM_GUARDED ? "@%t " : "", f->name);
    for (unsigned i = 0; i < s->ndst; i++)
        put(text, "%s%%%c", i ? "|" : "", dst[i]);
    for (unsigned i = 0; i < s->nsrc; i++) {
        put(text, ", ");
        if (how->kind == FORM_IMM && i + 1 == s->nsrc)
            put_literal(text, s->src[i], how->imm);
        else
            put(text, "%%%c", reg_src[i]);
    }
    put(text, ";\n");
}

static void put_head(char *text, const struct shape *s, const struct form_how *how)
{
    bool in_place = how->kind == FORM_IN_PLACE;
    put(text, "%s.visible .entry k(.param .u64 pin, .param .u64 pout, .param .u32 pn)\n{\n", ISA_HEAD);
    put(text, "  .reg .pred %%guard, %%t;\n  .reg .b32 %%i<6>;\n  .reg .b64 %%x<4>;\n");
    for (unsigned i = 0; i < s->ndst && !in_place; i++)
        put_reg(text, s->dst[i], reg_dst[i], false);
    for (unsigned i = 0; i < s->nsrc; i++)
        put_reg(text, s->src[i], reg_src[i], in_place);
    put(text, "  ld.param.u64 %%x0, [pin];\n  ld.param.u64 %%x1, [pout];\n  ld.param.u32 %%i0, [pn];\n"
              "  mov.u32 %%i1, %%ctaid.x;\n  mov.u32 %%i2, %%ntid.x;\n  mov.u32 %%i3, %%tid.x;\n"
              "  mad.lo.s32 %%i4, %%i1, %%i2, %%i3;\n  setp.ge.u32 %%guard, %%i4, %%i0;\n  @%%guard ret;\n"
              "  mad.wide.u32 %%x2, %%i4, 32, %%x0;\n  mad.wide.u32 %%x3, %%i4, 16, %%x1;\n");
}

static void put_old_values(char *text, const struct shape *s)
{
    put(text, "  and.b32 %%i5, %%i4, 1;\n  setp.ne.u32 %%t, %%i5, 0;\n");
    for (unsigned i = 0; i < s->ndst; i++)
        put_const(text, s->dst[i], reg_dst[i], s->dst[i]->kind == TK_PRED ? 0 : FORM_OLD_VALUE);
}

void form_text(char *text, const struct form *f, const struct shape *s, const struct form_how *how,
               const uint64_t (*rows)[FORM_SRCS], unsigned n)
{
    const char *dst = how->kind == FORM_IN_PLACE ? &reg_src[how->alias] : reg_dst;
    text[0] = 0;
    put_head(text, s, how);
    if (how->kind == FORM_FOLDED) {
        for (unsigned k = 0; k < n; k++) {
            for (unsigned i = 0; i < s->nsrc; i++)
                put_const(text, s->src[i], reg_src[i], rows[k][i]);
            put_insn(text, f, s, how, dst);
            put_stores(text, s, "%x1", 16 * k, dst);
        }
    } else {
        put_loads(text, s);
        if (how->kind == FORM_GUARDED)
            put_old_values(text, s);
        put_insn(text, f, s, how, dst);
        put_stores(text, s, "%x3", 0, dst);
    }
    put(text, "  ret;\n}\n");
}
