/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that only NVIDIA's own code has: several carries at once, shifts of pairs by form, minima of three, tables of
 * predicates. */
#include "exec/alu/alu_fp.h"

static ALU_INLINE uint32_t flip(const struct xop *x, unsigned k) { return x->src[k].neg ? ~0u : 0; }

static void iadd3c(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1), *pc = alu_src(w, x, 2);
    bool chained = x->insn->flags & IRF_X;
    uint32_t na = flip(x, 0), nb = flip(x, 1), nc = flip(x, 2);
    uint32_t ones = chained ? 0 : (na & 1) + (nb & 1) + (nc & 1);
    uint32_t in0 = chained ? x_psrc(w, &x->psrc[3]) : 0, in1 = chained ? x_psrc(w, &x->psrc[4]) : 0;
    uint32_t one = 0, two = 0;
    ALU_OUT(1)
    ALU_LANES(i)
    {
        uint64_t sum = (uint64_t)(pa[i] ^ na) + (pb[i] ^ nb) + (pc[i] ^ nc) + ones +
                       (in0 & alu_bit[i] ? 1 : 0) + (in1 & alu_bit[i] ? 1 : 0);
        uint32_t c = (uint32_t)(sum >> 32);
        o[i] = (uint32_t)sum;
        one |= c >= 1 ? alu_bit[i] : 0;
        two |= c >= 2 ? alu_bit[i] : 0;
    }
    ALU_DONE(1)
    x_pset(w, x->pdst[1], one, mask);
    if (x->insn->src[5].kind == OPND_PRED && x->insn->src[5].val != PRED_PT)
        x_pset(w, x->psrc[5].p, two, mask);
}

static void imadx(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1), *pc = alu_src(w, x, 2);
    bool s = alu_is_signed(x->insn->type);
    uint32_t np = flip(x, 0) ^ flip(x, 1), nc = flip(x, 2), out = 0, sub = x->insn->sub;
    bool chained = x->insn->flags & IRF_X;
    uint32_t in = chained ? x_psrc(w, &x->psrc[3]) : 0;
    uint32_t r[2 * LANES] ALU_ROW;
    ALU_LANES(i)
    {
        uint64_t p = s ? (uint64_t)((int64_t)(int32_t)pa[i] * (int32_t)pb[i]) : (uint64_t)pa[i] * pb[i];
        uint64_t c = sub ? alu_pair(pc, i) : pc[i], cin = in & alu_bit[i] ? 1 : 0;
        p = np ? 0 - p : p;
        c = nc ? (sub ? ~c : (uint32_t)~c) : c;
        cin += nc && !chained ? 1 : 0;
        uint64_t word = sub ? p : (uint32_t)p;
        uint64_t sum = word + c, all = sum + cin;
        uint32_t carry = sub ? (uint32_t)(sum < word) | (uint32_t)(all < sum) : (uint32_t)(all >> 32) & 1;
        r[i] = sub == 2 ? (uint32_t)(all >> 32) : (uint32_t)all;
        r[LANES + i] = (uint32_t)(all >> 32);
        out |= carry ? alu_bit[i] : 0;
    }
    uint32_t *d = alu_dst(w, x, 0);
    alu_merge(d, r, mask);
    if (sub == 1)
        alu_merge(d + LANES, r + LANES, mask);
    x_pset(w, x->pdst[1], out, mask);
}

static void leax(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1), *pc = alu_src(w, x, 2);
    unsigned shift = x->insn->lut & 31, sub = x->insn->sub;
    uint32_t na = flip(x, 0), nb = flip(x, 1), in = sub & 2 ? x_psrc(w, &x->psrc[3]) : 0, out = 0;
    uint32_t ones = sub & 2 ? 0 : (na & 1) + (nb & 1);
    ALU_OUT(1)
    ALU_LANES(i)
    {
        uint32_t hi = sub & 4 ? (uint32_t)((int32_t)pa[i] >> 31) : pc[i];
        uint64_t v = ((uint64_t)hi << 32 | pa[i]) << shift;
        uint32_t t = (sub & 1 ? (uint32_t)(v >> 32) : (uint32_t)v) ^ na;
        uint64_t sum = (uint64_t)t + (pb[i] ^ nb) + ones + (in & alu_bit[i] ? 1 : 0);
        o[i] = (uint32_t)sum;
        out |= sum >> 32 ? alu_bit[i] : 0;
    }
    ALU_DONE(1)
    x_pset(w, x->pdst[1], out, mask);
}

static void lop3p(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1), *pc = alu_src(w, x, 2);
    uint32_t lut = x->insn->lut, in = x_psrc(w, &x->psrc[3]), some = 0;
    uint32_t r[LANES] ALU_ROW;
    ALU_LANES(i)
    {
        uint32_t a = pa[i], b = pb[i], c = pc[i], v = 0;
        for (unsigned k = 0; k < 8; k++)
            v |= lut >> k & 1 ? (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c) : 0;
        r[i] = v;
        some |= v ? alu_bit[i] : 0;
    }
    alu_put32(x, w, mask, r);
    x_pset(w, x->pdst[1], x->insn->sub ? some & in : some | in, mask);
}

static void shfx(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1), *pc = alu_src(w, x, 2);
    unsigned sub = x->insn->sub, most = sub & 8 ? 64 : 32;
    bool right = sub & 1, wraps = sub & 2, high = sub & 4, arith = alu_is_signed(x->insn->type);
    ALU_OUT(1)
    ALU_LANES(i)
    {
        uint64_t v = (uint64_t)pc[i] << 32 | pa[i];
        uint32_t s = wraps ? pb[i] & (most - 1) : pb[i] < most ? pb[i] : most;
        uint64_t gone = right && arith && (int32_t)pc[i] < 0 ? ~0ull : 0;
        uint64_t t = right ? (arith ? (uint64_t)((int64_t)v >> (s & 63)) : v >> (s & 63)) : v << (s & 63);
        t = s < 64 ? t : gone;
        o[i] = high ? (uint32_t)(t >> 32) : (uint32_t)t;
    }
    ALU_DONE(1)
}

static void fmuls(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1);
    struct alu_mod ma = alu_mod(x, 0, 0x80000000), mb = alu_mod(x, 1, 0x80000000);
    const double scale = as_f64((uint64_t)(1023 + x->insn->off) << 52);
    bool ftz = x->insn->flags & IRF_FTZ, sat = x->insn->flags & IRF_SAT;
    enum ir_rnd rnd = x->insn->rnd;
    ALU_OUT(1)
    ALU_LANES(i)
    {
        uint32_t a = alu_signed(pa[i], ma), b = alu_signed(pb[i], mb);
        a = ftz ? f32_flush(a) : a;
        b = ftz ? f32_flush(b) : b;
        double p = (double)as_f32(a) * (double)as_f32(b) * scale;
        float f = rnd == RND_RZ || rnd == RND_RM || rnd == RND_RP ? f32_directed(p, rnd) : (float)p;
        uint32_t u = f32_canon(sat ? f32_sat(f) : f);
        o[i] = ftz ? f32_flush(u) : u;
    }
    ALU_DONE(1)
}

/* Minimum and maximum of two or three, or of a sum and another. */
static ALU_INLINE int64_t part(uint32_t v, uint8_t type, unsigned k)
{
    switch (type) {
    case T_S16X2: return (int16_t)(v >> 16 * k);
    case T_U16X2: return (uint16_t)(v >> 16 * k);
    case T_S32: return (int32_t)v;
    default: return v;
    }
}
static ALU_INLINE int64_t fit(int64_t v, uint8_t type)
{
    switch (type) {
    case T_S16X2: return (int16_t)v;
    case T_U16X2: return (uint16_t)v;
    case T_S32: return (int32_t)v;
    default: return (uint32_t)v;
    }
}

static void vmnmx(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1), *pc = alu_src(w, x, 2);
    uint8_t type = x->insn->type;
    bool max = x->insn->sub & 1, relu = x->insn->flags & IRF_RELU, two = type == T_S16X2 || type == T_U16X2;
    unsigned how = x->insn->sub >> 1;
    uint32_t nb = flip(x, 1);
    uint32_t r[LANES] ALU_ROW;
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t out = 0;
        for (unsigned k = 0; k <= two; k++) {
            int64_t a = part(pa[i], type, k), b = part(pb[i], type, k), c = part(pc[i], type, k);
            b = nb ? -b : b;
            if (how == 1) {
                a = fit(a + b, type);
                b = c;
            }
            int64_t v = max ? (a > b ? a : b) : a < b ? a : b;
            if (how == 2)
                v = max ? (v > c ? v : c) : v < c ? v : c;
            v = relu && v < 0 ? 0 : v;
            out |= two ? ((uint32_t)v & 0xffff) << 16 * k : (uint32_t)v;
        }
        r[i] = out;
    }
    alu_put32(x, w, mask, r);
}

static ALU_INLINE uint32_t table(uint32_t lut, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r = 0;
    for (unsigned k = 0; k < 8; k++)
        if (lut >> k & 1)
            r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return r;
}

static void plop3x(ALU_ARGS)
{
    uint32_t a = x_psrc(w, &x->psrc[0]), b = x_psrc(w, &x->psrc[1]), c = x_psrc(w, &x->psrc[2]);
    uint32_t r0 = table(x->insn->lut, a, b, c), r1 = table((uint32_t)x->insn->off, a, b, c);
    x_pset(w, x->pdst[0], r0, mask);
    x_pset(w, x->pdst[1], r1, mask);
}

static void p2rx(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0);
    unsigned at = 8u * x->insn->sub;
    uint32_t which = x->insn->lut;
    uint32_t r[LANES] ALU_ROW;
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t bits = 0;
        for (unsigned p = 0; p < MAX_PREDS; p++)
            bits |= (w->pred[p] >> i & 1) << p;
        r[i] = (pa[i] & ~(which << at)) | (bits & which) << at;
    }
    alu_put32(x, w, mask, r);
}

static void r2px(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0);
    unsigned at = 8u * x->insn->sub;
    for (unsigned p = 0; p < MAX_PREDS; p++) {
        uint32_t v = 0;
        if (!(x->insn->lut >> p & 1))
            continue;
        for (unsigned i = 0; i < LANES; i++)
            v |= (pa[i] >> at >> p & 1) << i;
        x_pset(w, p, v, mask);
    }
}

static void iadd64(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1);
    const uint32_t *pc = x->insn->src[2].kind != OPND_NONE ? alu_src(w, x, 2) : NULL;
    bool na = x->src[0].neg, nb = x->src[1].neg, nc = x->src[2].neg;
    uint64_t r[LANES] ALU_ROW;
    ALU_LANES(i)
    {
        uint64_t a = alu_pair(pa, i), b = alu_pair(pb, i);
        r[i] = (na ? 0 - a : a) + (nb ? 0 - b : b);
    }
    if (pc)
        ALU_LANES(i)
        {
            uint64_t c = alu_pair(pc, i);
            r[i] += nc ? 0 - c : c;
        }
    alu_put64(x, w, mask, r);
}

/* The first of two doubles is chosen if it is less (greater) or the second is not a number, but not if
 * it is none itself; the second predicate says that neither is a number (H200). */
static void dsel(ALU_ARGS)
{
    const uint32_t *pa = alu_src(w, x, 0), *pb = alu_src(w, x, 1);
    struct alu_mod ma = alu_mod(x, 0, 0x80000000), mb = alu_mod(x, 1, 0x80000000);
    bool max = x->insn->sub;
    uint32_t first = 0, nan = 0;
    for (unsigned i = 0; i < LANES; i++) {
        double a = f64_mod_at(pa, i, ma), b = f64_mod_at(pb, i, mb);
        bool take = (max ? a > b : a < b) || (a == a && b != b);
        first |= take ? alu_bit[i] : 0;
        nan |= a != a && b != b ? alu_bit[i] : 0;
    }
    x_pset(w, x->pdst[0], first, mask);
    x_pset(w, x->pdst[1], nan, mask);
}

xfn ALU_NAME(alu_sass)(const struct ir_insn *i)
{
    switch (i->op) {
    case OP_IADD3C: return iadd3c;
    case OP_IMADX: return i->sub <= 2 ? imadx : NULL;
    case OP_LEAX: return leax;
    case OP_LOP3P: return lop3p;
    case OP_SHFX: return shfx;
    case OP_FMULS: return fmuls;
    case OP_VMNMX: return vmnmx;
    case OP_PLOP3X: return plop3x;
    case OP_P2RX: return p2rx;
    case OP_R2PX: return r2px;
    case OP_IADD64: return iadd64;
    case OP_DSEL: return dsel;
    default: return NULL;
    }
}
