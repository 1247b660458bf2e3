/* SPDX-License-Identifier: Apache-2.0 */
/* Shifts, fields, byte permutes, bit counts. */
#include "exec/alu/alu.h"

#define S(v) ((int32_t)(v))
#define U(v) ((uint32_t)(v))

ALU_DEF2(shl, b < 32 ? a << (b & 31) : 0)
ALU_DEF2(shr_u, b < 32 ? a >> (b & 31) : 0)
ALU_DEF2(shr_s, U(S(a) >> (b < 31 ? b : 31)))

/* Funnel shifts of c:a by b. The amount is reduced to 0..63 beforehand; 64 is a case of its own. */
static ALU_INLINE uint32_t funnel(uint32_t lo, uint32_t hi, uint32_t s, unsigned mode, bool right, bool arith)
{
    uint64_t v = (uint64_t)hi << 32 | lo;
    uint32_t all = arith ? U(S(hi) >> 31) : 0; /* a shift by 64 */
    if (mode == SHF_WRAP32)
        s &= 31;
    else if (mode == SHF_CLAMP32)
        s = s < 32 ? s : 32;
    if (!right) {
        uint32_t r = U(v << (s & 63) >> 32);
        return s < 64 ? r : 0;
    }
    uint32_t r = arith ? U((int64_t)v >> (s & 63)) : U(v >> (s & 63));
    return s < 64 ? r : all;
}
#define FUNNEL(mode)                                                                                         \
    ALU_DEF3(shf_l_##mode, funnel(a, c, b, mode, false, false))                                              \
    ALU_DEF3(shf_r_u_##mode, funnel(a, c, b, mode, true, false))                                             \
    ALU_DEF3(shf_r_s_##mode, funnel(a, c, b, mode, true, true))
FUNNEL(SHF_WRAP32)
FUNNEL(SHF_CLAMP32)
FUNNEL(SHF_CLAMP64)

static xfn pick_funnel(const struct ir_insn *i)
{
    static const xfn tab[3][3] = {
        {shf_l_SHF_WRAP32, shf_r_u_SHF_WRAP32, shf_r_s_SHF_WRAP32},
        {shf_l_SHF_CLAMP32, shf_r_u_SHF_CLAMP32, shf_r_s_SHF_CLAMP32},
        {shf_l_SHF_CLAMP64, shf_r_u_SHF_CLAMP64, shf_r_s_SHF_CLAMP64},
    };
    if (i->sub > SHF_CLAMP64)
        return NULL;
    return tab[i->sub][i->op == OP_SHF_L ? 0 : 1 + alu_is_signed(i->type)];
}

static ALU_INLINE uint32_t sgxt(uint32_t a, uint32_t n, bool s)
{
    uint32_t sh = n < 32 ? 32 - n : 0; /* 32 for n = 0: a case of its own */
    uint32_t up = a << (sh & 31);
    uint32_t r = s ? U(S(up) >> (sh & 31)) : up >> (sh & 31);
    return n ? r : 0;
}
ALU_DEF2(sgxt_u, sgxt(a, b, false))
ALU_DEF2(sgxt_s, sgxt(a, b, true))

static ALU_INLINE uint32_t bmsk(uint32_t at, uint32_t n)
{
    uint32_t ones = n < 32 ? (1u << (n & 31)) - 1 : ~0u;
    return at < 32 ? ones << (at & 31) : 0;
}
ALU_DEF2(bmsk_clamp, bmsk(a, b))
ALU_DEF2(bmsk_wrap, bmsk(a & 31, b & 31))

/* PRMT: byte k of the result is byte (nibble k of the control) of b:a; a nibble's top bit replicates the sign. */
static ALU_INLINE uint32_t prmt_byte(uint32_t a, uint32_t b, uint32_t ctl, unsigned k)
{
    uint32_t sel = ctl >> 4 * k;
    uint32_t byte = (sel & 4 ? b : a) >> (8 * (sel & 3)) & 0xff;
    uint32_t sign = U(0 - (byte >> 7)) & 0xff;
    return (sel & 8 ? sign : byte) << 8 * k;
}
static ALU_INLINE uint32_t prmt(uint32_t a, uint32_t b, uint32_t ctl)
{
    return prmt_byte(a, b, ctl, 0) | prmt_byte(a, b, ctl, 1) | prmt_byte(a, b, ctl, 2) |
           prmt_byte(a, b, ctl, 3);
}
ALU_DEF3(prmt_index, prmt(a, b, c))

/* The control word that a mode and c & 3 stand for (PTX manual, prmt). */
static const uint16_t prmt_ctl[PRMT_RC16 + 1][4] = {
    [PRMT_F4E] = {0x3210, 0x4321, 0x5432, 0x6543}, [PRMT_B4E] = {0x5670, 0x6701, 0x7012, 0x0123},
    [PRMT_RC8] = {0x0000, 0x1111, 0x2222, 0x3333}, [PRMT_ECL] = {0x3210, 0x3211, 0x3222, 0x3333},
    [PRMT_ECR] = {0x0000, 0x1110, 0x2210, 0x3210}, [PRMT_RC16] = {0x1010, 0x3232, 0x1010, 0x3232},
};
static void prmt_mode(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1), *pc = alu_src(w, x, 2);
    const uint16_t *ctl = prmt_ctl[x->insn->sub];
    ALU_OUT(1)
    for (unsigned i = 0; i < LANES; i++)
        o[i] = prmt(pa[i], pb[i], ctl[pc[i] & 3]);
    ALU_DONE(1)
}

/* The control is the same in all lanes and replicates no sign. */
static void prmt_uniform(ALU_ARGS)
{
    uint32_t ctl = alu_src(w, x, 2)[0];
    const uint32_t *p[4];
    uint32_t sh[4];
    for (unsigned k = 0; k < 4; k++) {
        p[k] = alu_src(w, x, ctl >> (4 * k + 2) & 1);
        sh[k] = 8 * (ctl >> 4 * k & 3);
    }
    ALU_OUT(1)
    ALU_LANES(i)
    {
        uint32_t r = p[0][i] >> sh[0] & 0xff;
        r |= (p[1][i] >> sh[1] & 0xff) << 8;
        r |= (p[2][i] >> sh[2] & 0xff) << 16;
        o[i] = r | p[3][i] >> sh[3] << 24;
    }
    ALU_DONE(1)
}

static xfn pick_prmt(const struct ir_insn *i)
{
    if (i->sub > PRMT_RC16)
        return NULL;
    if (i->sub != PRMT_INDEX)
        return prmt_mode;
    bool signs = i->src[2].val & 0x8888;
    return i->src[2].kind == OPND_IMM && !signs ? prmt_uniform : prmt_index;
}

/* Bit counts, as arithmetic on all lanes at once. */
static ALU_INLINE uint32_t popc(uint32_t v)
{
    v -= v >> 1 & 0x55555555;
    v = (v & 0x33333333) + (v >> 2 & 0x33333333);
    v = (v + (v >> 4)) & 0x0f0f0f0f;
    return v * 0x01010101 >> 24;
}
static ALU_INLINE uint32_t brev(uint32_t v)
{
    v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
    v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
    v = (v >> 8 & 0x00ff00ff) | (v & 0x00ff00ff) << 8;
    return v >> 16 | v << 16;
}
static ALU_INLINE uint32_t flo(uint32_t v, bool is_signed, bool from_top)
{
    v = is_signed ? v ^ U(S(v) >> 31) : v;
    uint32_t lead = U(__builtin_clz(v | 1)); /* v | 1: zero is a case of its own */
    return v ? (from_top ? lead : 31 - lead) : ~0u;
}
ALU_DEF1(popc32, popc(a))
ALU_DEF1(brev32, brev(a))
ALU_DEF1(flo_u, flo(a, false, false))
ALU_DEF1(flo_s, flo(a, true, false))
ALU_DEF1(flo_sh_u, flo(a, false, true))
ALU_DEF1(flo_sh_s, flo(a, true, true))

xfn ALU_NAME(alu_bits)(const struct ir_insn *i)
{
    bool s = alu_is_signed(i->type);
    switch (i->op) {
    case OP_SHL: return shl;
    case OP_SHR: return s ? shr_s : shr_u;
    case OP_SHF_L:
    case OP_SHF_R: return pick_funnel(i);
    case OP_SGXT: return s ? sgxt_s : sgxt_u;
    case OP_BMSK: return i->sub ? bmsk_wrap : bmsk_clamp;
    case OP_PRMT: return pick_prmt(i);
    case OP_POPC: return popc32;
    case OP_BREV: return brev32;
    case OP_FLO:
        if (i->sub)
            return s ? flo_sh_s : flo_sh_u;
        return s ? flo_s : flo_u;
    default: return NULL;
    }
}
