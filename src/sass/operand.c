/* SPDX-License-Identifier: Apache-2.0 */
/* Operands: from a place in the template to what an encoding has there. */
#include "sass/table.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sass_refuse(struct sass_reader *r, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (r->why_b)
        vsnprintf(r->why, r->why_b, fmt, ap);
    va_end(ap);
    return false;
}

uint64_t sass_take(struct sass_reader *r, unsigned at, unsigned n)
{
    uint64_t m = n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
    if (at < 64) {
        r->used_lo |= m << at;
        if (at + n > 64)
            r->used_hi |= m >> (64 - at);
    } else {
        r->used_hi |= m << (at - 64);
    }
    return sass_bits(r->i, at, n);
}

static int64_t take_signed(struct sass_reader *r, unsigned at, unsigned n)
{
    sass_take(r, at, n);
    return sass_sbits(r->i, at, n);
}

/* Uniform registers have six bits up to sm_90 and eight after it; the last number is URZ. Here URZ is SASS_RZ. */
static uint8_t take_ureg(struct sass_reader *r, unsigned at)
{
    uint64_t v = sass_take(r, at, r->arch >= 100 ? 8 : 6);
    return v == 63 && r->arch < 100 ? SASS_RZ : (uint8_t)v;
}

static void take_reg(struct sass_reader *r, struct sass_opnd *o, unsigned at, bool uniform)
{
    o->kind = uniform ? SASS_UREG : SASS_REG;
    o->reg = uniform ? take_ureg(r, at) : (uint8_t)sass_take(r, at, 8);
}

static void take_const(struct sass_reader *r, struct sass_opnd *o)
{
    o->kind = SASS_CONST;
    o->reg = o->ureg = o->desc = SASS_RZ;
    o->imm = (int64_t)sass_take(r, 38, 16);
    o->bank = (uint8_t)sass_take(r, 54, 5);
}

/* Bits of the modifiers of a source, by its place. */
struct place {
    uint8_t neg, abs, sel;
};
static const struct place place_a = {72, 73, 74}, place_32 = {63, 62, 60}, place_64 = {75, 74, 81},
                          half_64 = {84, 83, 81};

/* The source at bits 32 to 63 as the form (bits 9 to 11) says: register, immediate, constant, uniform register. */
static void wide_place(struct sass_reader *r, struct sass_opnd *o, unsigned kind)
{
    switch (kind) {
    case 'R': take_reg(r, o, 32, r->i->row->flags & SF_U); break;
    case 'U': take_reg(r, o, 32, true); break;
    case 'C': take_const(r, o); break;
    default:
        o->kind = SASS_IMM;
        o->wide = r->i->row->imm == IMM_D;
        o->imm = (int64_t)sass_take(r, 32, 32);
    }
}

/* Source a, b, c or x of an arithmetic instruction, with its modifiers' bits. */
static bool alu_source(struct sass_reader *r, char letter, struct sass_opnd *o, struct place *p)
{
    static const char at_32[] = " RICICUU"; /* what the bits 32 to 63 have, by form */
    unsigned form = r->i->form;
    bool uniform = r->i->row->flags & SF_U;
    const struct place *at_64 = r->i->row->flags & SF_HALF ? &half_64 : &place_64;
    bool c_is_wide = form == 2 || form == 3 || form == 7; /* then b is in bits 64 to 71 */
    if (form == 0 || (uniform && form != 1 && form != 2 && form != 4 && form != 6))
        return sass_refuse(r, "form %u", form);
    switch (letter) {
    case 'a':
        take_reg(r, o, 24, uniform);
        *p = place_a;
        o->reuse = sass_take(r, 122, 1);
        return true;
    case 'x':
        if (form != 1 && !c_is_wide)
            return sass_refuse(r, "form %u", form);
        wide_place(r, o, (unsigned char)at_32[form]);
        *p = place_32;
        break;
    default:
        if ((letter == 'c') == c_is_wide) {
            wide_place(r, o, (unsigned char)at_32[form]);
            *p = place_32;
        } else {
            take_reg(r, o, 64, uniform);
            *p = *at_64;
        }
    }
    if (o->kind == SASS_REG)
        o->reuse = sass_take(r, letter == 'b' ? 123 : 124, 1);
    return true;
}

static unsigned number(const char **t)
{
    char *end;
    unsigned long v = strtoul(*t, &end, 10);
    *t = end;
    return (unsigned)v;
}

/* Reads "@n" if it is there. */
static unsigned at_or(const char **t, unsigned usual)
{
    if (**t != '@')
        return usual;
    ++*t;
    return number(t);
}

/* The marks behind an operand. */
static void marks(struct sass_reader *r, const char **t, struct sass_opnd *o, struct place p)
{
    bool plain = o->kind == SASS_IMM;
    for (;;) {
        char c = **t;
        if (!c || !strchr("-|~!hBHwl", c))
            return;
        ++*t;
        unsigned usual = c == '|' ? p.abs : c == 'h' || c == 'B' ? p.sel : p.neg;
        bool given = **t == '@';
        unsigned bit = at_or(t, usual);
        if (plain && !given)
            continue;
        switch (c) {
        case 'w':
        case 'l': o->sel = (uint8_t)c; break; /* a matrix by rows, by columns */
        case '-': o->neg = sass_take(r, bit, 1); break;
        case '|': o->abs = sass_take(r, bit, 1); break;
        case 'H': o->sel = (uint8_t)sass_take(r, bit, 1); break;
        case 'B':
        case 'h': o->sel = (uint8_t)sass_take(r, bit, 2); break;
        default: o->inv = sass_take(r, bit, 1);
        }
    }
}

/* [Rn + URm + offset]. ur: where the uniform register is, if bit 91 says that there is one. Global addresses: bit 72 says 64 bits
 * (sm_75: bit 90 that a uniform register is added to a pair); from sm_90 on the uniform register is that of a descriptor. */
static void take_address(struct sass_reader *r, struct sass_opnd *o, unsigned ur, bool global,
                         unsigned off_bits)
{
    o->kind = SASS_ADDR;
    take_reg(r, o, 24, false);
    o->kind = SASS_ADDR;
    o->ureg = o->desc = SASS_RZ;
    o->imm = take_signed(r, 40, off_bits);
    bool has = sass_take(r, 91, 1);
    if (has)
        o->ureg = take_ureg(r, ur);
    o->bank = has; /* that there is one, URZ or not */
    if (!global)
        return;
    if (r->arch >= 80 && has) {
        o->desc = o->ureg;
        o->ureg = SASS_RZ;
    }
}

static bool keyword(const char **t, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(*t, word, n) != 0 || (*t)[n] != '@')
        return false;
    *t += n + 1;
    return true;
}

/* Where a branch goes, in bytes from the end of the instruction. */
static int64_t take_offset(struct sass_reader *r, bool split)
{
    int64_t v = take_signed(r, 34, 48);
    return split && r->arch >= 90 ? (int64_t)((uint64_t)v << 8 | sass_take(r, 16, 8)) * 4 : v * 4;
}

static bool special(struct sass_reader *r, const char **t, struct sass_opnd *o)
{
    unsigned at, n;
    if (keyword(t, "mem")) {
        at = number(t);
        take_address(r, o, at, true, 24);
        bool offset_there = r->arch >= 80 || r->i->row->code == 0x980;
        if (offset_there && !o->bank &&
            at == 32) /* its place is the offset's too, if there is no uniform register */
            o->imm = take_signed(r, 32, 32);
        o->wide = sass_take(r, 90, 1);
    } else if (keyword(t, "atm")) { /* bit 90 is the operation's */
        take_address(r, o, number(t), true, r->arch >= 100 ? 23 : 24);
        o->wide = o->desc != SASS_RZ || o->ureg != SASS_RZ;
    } else if (keyword(t, "ccm")) { /* of a line; where there is no descriptor its place is the offset's */
        take_address(r, o, number(t), true, 24);
        if (!o->bank)
            o->imm = take_signed(r, 32, 32);
        o->wide = o->desc != SASS_RZ;
    } else if (keyword(t, "pair")) { /* two addresses */
        take_reg(r, o, number(t), false);
        o->kind = SASS_ADDR;
        o->wide = true;
    } else if (keyword(t, "udesc")) { /* the policy of a copy, if it has one */
        take_reg(r, o, number(t), true);
        o->kind = SASS_OTHER;
        o->sel = 'd';
        o->shown = sass_take(r, 76, 1);
        o->reg = o->shown ? o->reg : SASS_RZ;
    } else if (keyword(t, "sbs")) { /* scoreboards, by bit */
        o->kind = SASS_OTHER;
        o->sel = 's';
        o->imm = (int64_t)sass_take(r, number(t), 6);
    } else if (keyword(t, "shm")) {
        take_address(r, o, number(t), false, 24);
    } else if (keyword(t, "shx")) { /* the register may be scaled by 4, 8 or 16 */
        take_address(r, o, number(t), false, 24);
        o->sel = (uint8_t)sass_take(r, 78, 2);
    } else if (keyword(t, "lgs")) { /* the shared address of LDGSTS */
        o->kind = SASS_ADDR;
        o->reg = (uint8_t)sass_take(r, number(t), 8);
        o->imm = take_signed(r, 44, 20);
    } else if (keyword(t, "lgg")) { /* and its global address */
        at = number(t);
        take_address(r, o, at, true, 24);
        o->imm = take_signed(r, 32, 12);
        o->wide = true;
    } else if (keyword(t, "cst")) { /* c[bank][R + offset], index register at that bit */
        at = number(t);
        take_const(r, o);
        o->imm = r->i->row->op == S_LDCU ? take_signed(r, 37, 17) : take_signed(r, 38, 16);
        if (r->i->row->flags & SF_U)
            o->ureg = at ? take_ureg(r, at) : SASS_RZ;
        else
            o->reg = (uint8_t)sass_take(r, at, 8);
    } else if (
        keyword(
            t, "rel")) { /* rel@34: BSSY; rel@16: BRA and others, whose low byte is at bit 16 from sm_90 on */
        o->kind = SASS_LABEL;
        o->imm = take_offset(r, number(t) == 16);
    } else if (!strncmp(*t, "PR", 2)) {
        *t += 2;
        o->kind = SASS_OTHER;
        o->sel = 'P';
    } else if (keyword(t, "sr")) {
        o->kind = SASS_SREG;
        o->reg = (uint8_t)sass_take(r, number(t), 8);
    } else if (keyword(t, "gdesc") || keyword(t, "uaddr")) {
        char c = (*t)[-2];
        take_reg(r, o, number(t), true);
        o->kind = SASS_OTHER;
        o->sel = (uint8_t)c; /* c, r: how it is printed */
        if (c == 'c')        /* -, tnspA, tnspB, negB, negA */
            o->imm = (int64_t)(sass_take(r, 60, 4) | (uint64_t)(r->i->row->code < 0xd00) * sass_take(r, 72, 1)
                                                         << 4);
    } else if (keyword(t, "usm")) { /* [UR + offset] */
        o->kind = SASS_ADDR;
        o->ureg = take_ureg(r, number(t));
        o->imm = take_signed(r, 40, 24);
    } else if (keyword(t, "gsb")) { /* group of products; 7: none */
        o->kind = SASS_OTHER;
        o->sel = 'g';
        o->imm = (int64_t)sass_take(r, number(t), 3);
        o->shown = o->imm != 7;
    } else if (keyword(t, "sb")) { /* scoreboard */
        o->kind = SASS_OTHER;
        o->sel = 'S';
        o->imm = (int64_t)sass_take(r, number(t), 3);
    } else if (keyword(t, "texdim")) {
        o->kind = SASS_OTHER;
        o->sel = 'D';
        o->imm = (int64_t)sass_take(r, number(t), 3);
    } else if (keyword(t, "revup")) { /* a uniform predicate counted from UPT downwards */
        at = number(t);
        o->kind = SASS_UPRED;
        o->reg = (uint8_t)(7 - sass_take(r, at, 3));
        o->inv = sass_take(r, at + 3, 1);
        o->shown = o->reg != SASS_PT || o->inv;
    } else if (**t == 'i' || **t == 's') {
        bool sign = *(*t)++ == 's';
        unsigned have = 0;
        o->kind = SASS_IMM;
        o->sel = sign ? 's' : 'x';
        do { /* pieces, the low one first */
            ++*t;
            at = number(t);
            n = 1;
            if (**t == ':') {
                ++*t;
                n = number(t);
            }
            o->imm |=
                (int64_t)((uint64_t)(sign ? take_signed(r, at, n) : (int64_t)sass_take(r, at, n)) << have);
            have += n;
        } while (**t == '+');
    } else {
        return sass_refuse(r, "template of %s", r->i->row->name);
    }
    return true;
}

bool sass_operand(struct sass_reader *r, const char **t, struct sass_opnd *o)
{
    struct place p = {0};
    bool ok = true;
    *o = (struct sass_opnd){.shown = true, .reg = SASS_RZ, .ureg = SASS_RZ, .desc = SASS_RZ};
    bool hide = **t == '?';
    *t += hide;
    char c = **t;
    if (c == 'd') {
        ++*t;
        take_reg(r, o, 16, r->i->row->flags & SF_U);
    } else if (c && strchr("abcx", c) && (!islower((unsigned char)(*t)[1]) || strchr("wlh", (*t)[1]))) {
        ++*t;
        ok = alu_source(r, c, o, &p);
    } else if (c == 'U' && (*t)[1] == 'R') {
        *t += 2;
        take_reg(r, o, at_or(t, 16), true);
    } else if (c == 'R') {
        ++*t;
        take_reg(r, o, at_or(t, 16), false);
    } else if ((c == 'P' && (*t)[1] == '@') || c == 'U') {
        *t += c == 'P' ? 1 : 2;
        unsigned at = at_or(t, 87);
        o->kind = c == 'P' ? SASS_PRED : SASS_UPRED;
        o->reg = (uint8_t)sass_take(r, at, 3);
        p.neg = (uint8_t)(at + 3);
    } else if (c == 'B') {
        ++*t;
        o->kind = SASS_BREG;
        o->reg = (uint8_t)sass_take(r, at_or(t, 16), 4);
    } else {
        ok = special(r, t, o);
    }
    if (!ok)
        return false;
    marks(r, t, o, p);
    if (hide) {
        bool pred = o->kind == SASS_PRED || o->kind == SASS_UPRED;
        o->shown = pred ? o->reg != SASS_PT || o->inv : o->kind == SASS_IMM ? o->imm != 0 : o->reg != SASS_RZ;
    }
    return true;
}
