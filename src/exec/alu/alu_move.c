/* SPDX-License-Identifier: Apache-2.0 */
/* Copies, selects, predicate logic, and the choice of the family. */
#include "exec/alu/alu_fp.h"

static void nop(ALU_ARGS)
{
    (void)x;
    (void)w;
    (void)mask;
}

static ALU_INLINE void move_row(ALU_ARGS, unsigned k)
{
    const uint32_t *a = alu_src(w, x, 0) + k * LANES;
    uint32_t *d = alu_dst(w, x, 0) + k * LANES;
    if (mask == ALU_ALL)
        memmove(d, a, ROW_B);
    else
        alu_merge(d, a, mask);
}

static void mov1(ALU_ARGS) { move_row(x, w, mask, 0); }

/* Tuples are aligned to their size, so source and destination coincide or are apart. */
static void movn(ALU_ARGS)
{
    for (unsigned k = 0; k < x->insn->dst[0].n; k++)
        move_row(x, w, mask, k);
}

static uint32_t sign_bits(uint8_t type)
{
    switch (type) {
    case T_F16:
    case T_BF16: return 0x8000;
    case T_F16X2:
    case T_BF16X2: return 0x80008000;
    default: return 0x80000000;
    }
}

/* With neg or abs: the sign is in the last word of the value. */
static void mov_mod(ALU_ARGS)
{
    unsigned last = x->insn->dst[0].n - 1u;
    struct alu_mod m = alu_mod(x, 0, sign_bits(x->insn->type));
    const uint32_t *a = alu_src(w, x, 0) + last * LANES;
    uint32_t *d = alu_dst(w, x, 0) + last * LANES;
    for (unsigned k = 0; k < last; k++)
        move_row(x, w, mask, k);
    ALU_LANES(i) d[i] = alu_pick(mask & alu_bit[i], alu_signed(a[i], m), d[i]);
}

static ALU_INLINE void select_row(ALU_ARGS, unsigned k)
{
    const uint32_t *a = alu_src(w, x, 0) + k * LANES, *b = alu_src(w, x, 1) + k * LANES;
    uint32_t *d = alu_dst(w, x, 0) + k * LANES;
    uint32_t p = x_psrc(w, &x->psrc[2]);
    if (mask == ALU_ALL)
        ALU_LANES(i) d[i] = alu_pick(p & alu_bit[i], a[i], b[i]);
    else
        ALU_LANES(i) d[i] = alu_pick(mask & alu_bit[i], alu_pick(p & alu_bit[i], a[i], b[i]), d[i]);
}

static void sel1(ALU_ARGS) { select_row(x, w, mask, 0); }

static void seln(ALU_ARGS)
{
    for (unsigned k = 0; k < x->insn->dst[0].n; k++)
        select_row(x, w, mask, k);
}

static void p2r(ALU_ARGS)
{
    uint32_t p = x_psrc(w, &x->psrc[0]), *d = alu_dst(w, x, 0);
    ALU_LANES(i) d[i] = alu_pick(mask & alu_bit[i], (p & alu_bit[i]) != 0, d[i]);
}

static void r2p(ALU_ARGS)
{
    const uint32_t *a = alu_src(w, x, 0);
    uint32_t r = 0;
    ALU_LANES(i) r |= a[i] ? alu_bit[i] : 0;
    x_pset(w, x->pdst[0], r, mask);
}

static void plop3(ALU_ARGS)
{
    uint32_t a = x_psrc(w, &x->psrc[0]), b = x_psrc(w, &x->psrc[1]), c = x_psrc(w, &x->psrc[2]), r = 0;
    unsigned lut = x->insn->lut;
    for (unsigned k = 0; k < 8; k++)
        if (lut >> k & 1)
            r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    x_pset(w, x->pdst[0], r, mask);
    x_pset(w, x->pdst[1], ~r, mask);
}

xfn ALU_NAME(alu_move)(const struct ir_insn *i)
{
    unsigned n = i->dst[0].n;
    switch (i->op) {
    case OP_NOP: return nop;
    case OP_MOV:
        if (n > 4)
            return NULL;
        if (n && alu_has_mod(i, 1))
            return mov_mod;
        return n <= 1 ? mov1 : movn;
    case OP_SEL:
        if (n > 4)
            return NULL;
        return n <= 1 ? sel1 : seln;
    case OP_P2R: return p2r;
    case OP_R2P: return r2p;
    case OP_PLOP3: return plop3;
    default: return NULL;
    }
}
