/* SPDX-License-Identifier: Apache-2.0 */
/* Text of a decoded instruction, as NVIDIA's disassembler writes it. */
#include "sass/table.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct out {
    char *buf;
    size_t n, len;
};

static void put(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(struct out *o, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int k = vsnprintf(o->len < o->n ? o->buf + o->len : NULL, o->len < o->n ? o->n - o->len : 0, fmt, ap);
    va_end(ap);
    if (k > 0)
        o->len += (size_t)k;
}

static void put_signed(struct out *o, int64_t v)
{
    if (v < 0)
        put(o, "-0x%llx", (unsigned long long)-(uint64_t)v);
    else
        put(o, "0x%llx", (unsigned long long)v);
}

/* Infinities, NaNs and negative zero have a space behind them. False: none of these. */
static bool put_odd(struct out *o, double v, bool quiet)
{
    if (isnan(v))
        put(o, "%c%s ", signbit(v) ? '-' : '+', quiet ? "QNAN" : "SNAN");
    else if (isinf(v))
        put(o, "%cINF ", v < 0 ? '-' : '+');
    else if (v == 0 && signbit(v))
        put(o, "-0.0 ");
    else
        return false;
    return true;
}

#define LARGE 1e9 /* numbers from here on are written with an exponent */

static void put_f32(struct out *o, uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    if (!put_odd(o, f, bits >> 22 & 1))
        put(o, fabsf(f) >= LARGE ? "%.20e" : "%.20g", (double)f);
}

/* The immediate is the high word. */
static void put_f64(struct out *o, uint32_t high)
{
    uint64_t bits = (uint64_t)high << 32;
    double v;
    memcpy(&v, &bits, 8);
    if (!put_odd(o, v, high >> 19 & 1))
        put(o, fabs(v) >= LARGE ? "%.20e" : "%.20g", v);
}

static void put_f16(struct out *o, uint32_t bits, bool bf16)
{
    double v;
    if (bf16) {
        put_f32(o, bits << 16);
        return;
    }
    uint32_t e = bits >> 10 & 31, m = bits & 1023;
    v = e == 31 ? (m ? (double)NAN : (double)INFINITY) : e ? ldexp(1024 + m, (int)e - 25) : ldexp(m, -24);
    v = bits >> 15 & 1 ? -v : v;
    if (!put_odd(o, v, m >> 9 & 1))
        put(o, "%.20g", v);
}

static void put_imm(struct out *o, const struct sass_insn *i, const struct sass_opnd *p)
{
    uint32_t v = (uint32_t)p->imm;
    if (p->sel == 'x')
        put(o, "0x%llx", (unsigned long long)p->imm);
    else if (p->sel == 's')
        put_signed(o, p->imm);
    else
        switch (i->row->imm) {
        case IMM_S: put_signed(o, (int32_t)v); break;
        case IMM_F:
            if (sass_mod(i, SM_mufu) == 6 || sass_mod(i, SM_mufu) == 7)
                put_f64(o, v);
            else
                put_f32(o, v);
            break;
        case IMM_D: put_f64(o, v); break;
        case IMM_H:
        case IMM_B: {
            bool bf16 = i->row->imm == IMM_B || sass_mod(i, SM_bf16v2);
            put_f16(o, v >> 16, bf16);
            put(o, ", ");
            put_f16(o, v & 0xffff, bf16);
            break;
        }
        default: put(o, "0x%x", v);
        }
}

static void put_reg(struct out *o, const char *file, unsigned reg, const char *zero)
{
    if (zero && reg == (file[strlen(file) - 1] == 'P' ? SASS_PT : SASS_RZ))
        put(o, "%s%s", file, zero);
    else
        put(o, "%s%u", file, reg);
}

static void put_address(struct out *o, const struct sass_insn *i, const struct sass_opnd *p)
{
    bool ur = p->ureg != SASS_RZ || (p->bank && p->desc == SASS_RZ && p->reg != SASS_RZ);
    if (p->desc != SASS_RZ && i->arch >= 90)
        put(o, "desc[UR%u]", p->desc);
    put(o, "[");
    size_t at = o->len;
    if (p->reg != SASS_RZ || (!ur && p->imm == 0 && p->desc != SASS_RZ)) {
        put_reg(o, "R", p->reg, "Z");
        if (p->wide)
            put(o, ".64");
    }
    if (p->sel)
        put(o, "%s", p->sel == 1 ? ".X4" : p->sel == 2 ? ".X8" : ".X16");
    if (ur) {
        if (o->len > at)
            put(o, "+");
        put_reg(o, "UR", p->ureg, "Z");
    }
    if (p->imm) {
        if (o->len > at)
            put(o, "+");
        put_signed(o, p->imm);
    } else if (o->len == at) {
        put(o, "RZ");
    }
    put(o, "]");
}

/* index: the instruction has an index register, which may be RZ. */
static void put_const(struct out *o, const struct sass_opnd *p, bool index, bool uniform)
{
    put(o, "c[0x%x][", p->bank);
    if (p->reg != SASS_RZ || p->ureg != SASS_RZ) {
        put(o, p->reg != SASS_RZ ? "R%u" : "UR%u", p->reg != SASS_RZ ? p->reg : p->ureg);
        if (p->imm) {
            put(o, "+");
            put_signed(o, p->imm);
        }
    } else if (p->imm || !index) {
        put_signed(o, p->imm);
    } else {
        put(o, uniform ? "URZ" : "RZ");
    }
    put(o, "]");
}

static const char *const tex_dims[8] = {"1D",       "2D",       "3D",       "CUBE",
                                        "ARRAY_1D", "ARRAY_2D", "ARRAY_3D", "ARRAY_CUBE"};

static const char *const sreg_names[256] = {
#define SREG(n, name) [n] = name,
#include "sass/sregs.def"
#undef SREG
};

/* Does the instruction take halves of a register, not bytes? */
static bool is_half(const struct sass_insn *i)
{
    unsigned isrc = sass_mod(i, SM_isrc);
    return isrc == 2 || isrc == 3 || i->row->op == S_F2F || i->row->op == S_F2I || i->row->op == S_F2FP ||
           i->row->op == S_MUFU;
}

static void put_operand(struct out *o, const struct sass_insn *i, const struct sass_opnd *p, uint64_t pc,
                        sass_label *label, void *ctx)
{
    char text[64];
    static const char *const halves[] = {"", ".F32", ".H0_H0", ".H1_H1"};
    if (p->kind != SASS_ADDR && p->kind != SASS_OTHER) {
        if (p->inv)
            put(o, p->kind == SASS_PRED || p->kind == SASS_UPRED ? "!" : "~");
        if (p->neg)
            put(o, "-");
        if (p->abs)
            put(o, "|");
    }
    switch (p->kind) {
    case SASS_REG: put_reg(o, "R", p->reg, "Z"); break;
    case SASS_UREG: put_reg(o, "UR", p->reg, "Z"); break;
    case SASS_PRED: put_reg(o, "P", p->reg, "T"); break;
    case SASS_UPRED: put_reg(o, "UP", p->reg, "T"); break;
    case SASS_BREG: put_reg(o, "B", p->reg, NULL); break;
    case SASS_IMM: put_imm(o, i, p); break;
    case SASS_CONST:
        put_const(o, p, i->row->op == S_LDC || i->row->op == S_LDCU, i->row->flags & SF_U);
        break;
    case SASS_ADDR: put_address(o, i, p); return;
    case SASS_SREG:
        if (sreg_names[p->reg])
            put(o, "%s", sreg_names[p->reg]);
        else
            put(o, "SR%u", p->reg);
        break;
    case SASS_LABEL:
        if (i->row->op == S_BRX) {
            put_signed(o, p->imm);
            break;
        }
        if (label)
            label(ctx, pc + 16 + (uint64_t)p->imm, text, sizeof text);
        else
            snprintf(text, sizeof text, "0x%" PRIx64, pc + 16 + (uint64_t)p->imm);
        put(o, "`(%s)", text);
        break;
    case SASS_OTHER:
        if (p->sel == 'P') {
            put(o, "PR");
            break;
        }
        if (p->sel == 'g') {
            put(o, "gsb%u", (unsigned)p->imm);
            break;
        }
        if (p->sel == 'S') {
            put(o, "SB%u", (unsigned)p->imm);
            break;
        }
        if (p->sel == 'D') {
            put(o, "%s", tex_dims[p->imm & 7]);
            break;
        }
        if (p->sel == 's') {
            put(o, "{");
            for (unsigned b = 6, any = 0; b-- > 0;) {
                if (p->imm >> b & 1)
                    put(o, any++ ? ",%u" : "%u", b);
            }
            put(o, "}");
            break;
        }
        put(o, p->sel == 'c' ? "gdesc[" : p->sel == 'd' ? "desc[" : "[");
        put_reg(o, "UR", p->reg, "Z");
        put(o, "]");
        if (p->sel == 'c')
            put(o, "%s%s%s%s", p->imm & 16 ? ".negA" : "", p->imm & 8 ? ".negB" : "",
                p->imm & 2 ? ".tnspA" : "", p->imm & 4 ? ".tnspB" : "");
        break;
    default: break;
    }
    if (p->abs)
        put(o, "|");
    if (p->reuse)
        put(o, ".reuse");
    if (i->row->flags & SF_HALF && p->sel && (p->kind == SASS_REG || p->kind == SASS_UREG))
        put(o, "%s", halves[p->sel & 3]);
    else if ((i->row->op == S_IMMA || i->row->op == S_BMMA) && p->sel)
        put(o, p->sel == 'w' ? ".ROW" : ".COL");
    else if (p->sel && p->kind == SASS_REG)
        put(o, is_half(i) ? ".H%u" : ".B%u", p->sel);
}

static void put_mnemonic(struct out *o, const struct sass_insn *i)
{
    unsigned k = 0;
    for (const char *c = i->row->name; *c; c++) {
        bool dot = c[0] == '_' && c[1] == '_';
        put(o, "%c", dot ? '.' : *c);
        c += dot;
    }
    for (const char *t = i->row->text; *t == '.';) {
        size_t n = 1 + strcspn(t + 1, ". ");
        if (islower((unsigned char)t[1])) {
            if (k < i->nmods && i->mod[k].kind != SM_COUNT)
                put(o, "%s", sass_mods[i->mod[k].kind].name[i->mod[k].value]);
            k++;
        } else {
            put(o, "%.*s", (int)n, t);
        }
        t += n;
    }
}

size_t sass_print(char *buf, size_t n, const struct sass_insn *i, uint64_t pc, sass_label *label, void *ctx)
{
    struct out o = {.buf = buf, .n = n};
    if (n)
        *buf = 0;
    if (i->guard.kind != SASS_NONE) {
        put(&o, "@");
        put_operand(&o, i, &i->guard, pc, label, ctx);
        put(&o, " ");
    }
    put_mnemonic(&o, i);
    const char *sep = " ";
    for (unsigned k = 0; k < i->nopnds; k++) {
        if (!i->opnd[k].shown)
            continue;
        put(&o, "%s", sep);
        put_operand(&o, i, &i->opnd[k], pc, label, ctx);
        sep = i->row->op == S_RET || i->row->op == S_BRX || i->row->op == S_CALL ? " " : ", ";
    }
    while (o.len && o.len < n && buf[o.len - 1] == ' ')
        buf[--o.len] = 0;
    return o.len;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): put writes there */
size_t sass_print_ctl(char *buf, size_t n, const struct sass_ctl *c)
{
    struct out o = {.buf = buf, .n = n};
    put(&o, "B");
    for (unsigned b = 0; b < 6; b++)
        put(&o, "%c", c->wait >> b & 1 ? (int)('0' + b) : '-');
    put(&o, ":R%c:W%c:%c:S%02u", c->rbar == 7 ? '-' : (int)('0' + c->rbar),
        c->wbar == 7 ? '-' : (int)('0' + c->wbar), c->yield ? '-' : 'Y', c->stall);
    return o.len;
}
