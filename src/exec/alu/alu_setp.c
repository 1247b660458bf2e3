/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons into predicates. The lanes' results are gathered in one word; what follows is logic on words. */
#include "exec/alu/alu_fp.h"

/* d0 = r bop s2, d1 = !r bop s2. */
static ALU_INLINE uint32_t combine(uint32_t r, uint32_t p, uint8_t bop)
{
    switch (bop) {
    case BOP_AND: return r & p;
    case BOP_OR: return r | p;
    case BOP_XOR: return r ^ p;
    default: return r;
    }
}
static ALU_INLINE void set_pair(ALU_ARGS, uint32_t r0, uint32_t r1)
{
    uint32_t p = x_psrc(w, &x->psrc[2]);
    x_pset(w, x->pdst[0], combine(r0, p, x->insn->bop), mask);
    x_pset(w, x->pdst[1], combine(r1, p, x->insn->bop), mask);
}

#define GATHER(r, cond)                                                                                      \
    uint32_t r = 0;                                                                                          \
    ALU_LANES(i) r |= (cond) ? alu_bit[i] : 0;

/* ISETP. */
#define ICMPS(X) X(EQ, ==, ==) X(NE, !=, !=) X(LT, <, <) X(LE, <=, <) X(GT, >, >) X(GE, >=, >)
#define X(cmp, op, strict)                                                                                   \
    static void isetp_u_##cmp(ALU_ARGS)                                                                      \
    {                                                                                                        \
        const uint32_t *a = alu_src(w, x, 0), *b = alu_src(w, x, 1);                                         \
        GATHER(r, a[i] op b[i])                                                                              \
        set_pair(x, w, mask, r, ~r);                                                                         \
    }                                                                                                        \
    static void isetp_s_##cmp(ALU_ARGS)                                                                      \
    {                                                                                                        \
        const uint32_t *a = alu_src(w, x, 0), *b = alu_src(w, x, 1);                                         \
        GATHER(r, (int32_t)a[i] op(int32_t) b[i])                                                            \
        set_pair(x, w, mask, r, ~r);                                                                         \
    }                                                                                                        \
    static uint32_t strict_u_##cmp(const uint32_t *a, const uint32_t *b)                                     \
    {                                                                                                        \
        GATHER(r, a[i] strict b[i])                                                                          \
        return r;                                                                                            \
    }                                                                                                        \
    static uint32_t strict_s_##cmp(const uint32_t *a, const uint32_t *b)                                     \
    {                                                                                                        \
        GATHER(r, (int32_t)a[i] strict(int32_t) b[i])                                                        \
        return r;                                                                                            \
    }
ICMPS(X)
#undef X

/* The high words of a 64-bit comparison; s3 is the result of the low ones. */
static void isetp_x(ALU_ARGS)
{
    static uint32_t (*const strict[2][CMP_GE + 1])(const uint32_t *, const uint32_t *) = {
#define X(cmp, op, st) [CMP_##cmp] = strict_u_##cmp,
        {ICMPS(X)},
#undef X
#define X(cmp, op, st) [CMP_##cmp] = strict_s_##cmp,
        {ICMPS(X)},
#undef X
    };
    const uint32_t *a = alu_src(w, x, 0), *b = alu_src(w, x, 1);
    uint32_t low = x_psrc(w, &x->psrc[3]);
    uint8_t cmp = x->insn->cmp;
    uint32_t r = strict[alu_is_signed(x->insn->type)][cmp](a, b);
    if (cmp == CMP_EQ)
        r &= low;
    else if (cmp == CMP_NE)
        r |= low;
    else
        r |= strict_u_EQ(a, b) & low;
    set_pair(x, w, mask, r, ~r);
}

static xfn pick_isetp(const struct ir_insn *i)
{
    static const xfn tab[2][CMP_GE + 1] = {
#define X(cmp, op, st) [CMP_##cmp] = isetp_u_##cmp,
        {ICMPS(X)},
#undef X
#define X(cmp, op, st) [CMP_##cmp] = isetp_s_##cmp,
        {ICMPS(X)},
#undef X
    };
    if (i->cmp == CMP_NONE || i->cmp > CMP_GE)
        return NULL;
    return i->flags & IRF_X ? isetp_x : tab[alu_is_signed(i->type)][i->cmp];
}

/* Floating comparisons: E of a and b is true only for ordered operands unless the name ends in U. */
/* clang-format off */
#define FCMPS(X)                                                                                             \
    X(EQ, a == b) X(NE, (a < b) | (a > b)) X(LT, a < b) X(LE, a <= b) X(GT, a > b) X(GE, a >= b)             \
    X(EQU, !((a < b) | (a > b))) X(NEU, a != b) X(LTU, !(a >= b)) X(LEU, !(a > b)) X(GTU, !(a <= b))         \
    X(GEU, !(a < b)) X(NUM, (a == a) & (b == b)) X(NAN, (a != a) | (b != b))
/* clang-format on */

enum { CMP_LAST = CMP_NAN };

static ALU_INLINE float fsrc(uint32_t v, struct alu_mod m, bool ftz)
{
    v = alu_signed(v, m);
    return as_f32(ftz ? f32_flush(v) : v);
}
static ALU_INLINE float hsrc(uint32_t v, bool bf16, uint32_t ftz_mask)
{
    v &= 0xffff;
    v = v & ftz_mask ? v : v & 0x8000; /* ftz_mask: the exponent bits, or all bits */
    return bf16 ? bf16_to_f32(v) : f16_to_f32(v);
}

#define X(cmp, cond)                                                                                         \
    static ALU_INLINE bool fcmp_##cmp(float a, float b) { return cond; }                                     \
    static ALU_INLINE bool dcmp_##cmp(double a, double b) { return cond; }                                   \
    static void fsetp_##cmp(ALU_ARGS)                                                                        \
    {                                                                                                        \
        const uint32_t *a = alu_src(w, x, 0), *b = alu_src(w, x, 1);                                         \
        GATHER(r, fcmp_##cmp(as_f32(a[i]), as_f32(b[i])))                                                    \
        set_pair(x, w, mask, r, ~r);                                                                         \
    }                                                                                                        \
    static void fsetp_mod_##cmp(ALU_ARGS)                                                                    \
    {                                                                                                        \
        const uint32_t *a = alu_src(w, x, 0), *b = alu_src(w, x, 1);                                         \
        struct alu_mod ma = alu_mod(x, 0, 0x80000000), mb = alu_mod(x, 1, 0x80000000);                       \
        bool ftz = x->insn->flags & IRF_FTZ;                                                                 \
        GATHER(r, fcmp_##cmp(fsrc(a[i], ma, ftz), fsrc(b[i], mb, ftz)))                                      \
        set_pair(x, w, mask, r, ~r);                                                                         \
    }                                                                                                        \
    static void dsetp_##cmp(ALU_ARGS)                                                                        \
    {                                                                                                        \
        const uint32_t *a = alu_src(w, x, 0), *b = alu_src(w, x, 1);                                         \
        struct alu_mod ma = alu_mod(x, 0, 0x80000000), mb = alu_mod(x, 1, 0x80000000);                       \
        GATHER(r, dcmp_##cmp(f64_mod_at(a, i, ma), f64_mod_at(b, i, mb)))                                    \
        set_pair(x, w, mask, r, ~r);                                                                         \
    }                                                                                                        \
    static uint32_t hcmp_##cmp(const uint32_t *a, const uint32_t *b, struct alu_mod ma, struct alu_mod mb,   \
                               unsigned shift, bool bf16, uint32_t ftz)                                      \
    {                                                                                                        \
        GATHER(r, fcmp_##cmp(hsrc(alu_signed(a[i], ma) >> shift, bf16, ftz),                                 \
                             hsrc(alu_signed(b[i], mb) >> shift, bf16, ftz)))                                \
        return r;                                                                                            \
    }
FCMPS(X)
#undef X

static void hsetp2(ALU_ARGS)
{
    static uint32_t (*const tab[CMP_LAST + 1])(const uint32_t *, const uint32_t *, struct alu_mod,
                                               struct alu_mod, unsigned, bool, uint32_t) = {
#define X(cmp, cond) [CMP_##cmp] = hcmp_##cmp,
        FCMPS(X)
#undef X
    };
    const uint32_t *a = alu_src(w, x, 0), *b = alu_src(w, x, 1);
    struct alu_mod ma = alu_mod(x, 0, 0x80008000), mb = alu_mod(x, 1, 0x80008000);
    uint8_t t = x->insn->type;
    bool bf16 = t == T_BF16 || t == T_BF16X2, two = t == T_F16X2 || t == T_BF16X2;
    uint32_t ftz = !(x->insn->flags & IRF_FTZ) ? 0xffff : bf16 ? 0x7f80 : 0x7c00;
    uint32_t r0 = tab[x->insn->cmp](a, b, ma, mb, 0, bf16, ftz);
    uint32_t r1 = two ? tab[x->insn->cmp](a, b, ma, mb, 16, bf16, ftz) : ~r0;
    set_pair(x, w, mask, r0, r1);
}

static xfn pick_float(const struct ir_insn *i)
{
    static const xfn tab[3][CMP_LAST + 1] = {
#define X(cmp, cond) [CMP_##cmp] = fsetp_##cmp,
        {FCMPS(X)},
#undef X
#define X(cmp, cond) [CMP_##cmp] = fsetp_mod_##cmp,
        {FCMPS(X)},
#undef X
#define X(cmp, cond) [CMP_##cmp] = dsetp_##cmp,
        {FCMPS(X)},
#undef X
    };
    if (i->cmp > CMP_LAST)
        return NULL;
    bool mod = (i->flags & IRF_FTZ) || alu_has_mod(i, 2);
    return tab[i->op == OP_DSETP ? 2 : mod][i->cmp];
}

static bool is_half(uint8_t t) { return t == T_F16 || t == T_F16X2 || t == T_BF16 || t == T_BF16X2; }

xfn ALU_NAME(alu_setp)(const struct ir_insn *i)
{
    switch (i->op) {
    case OP_ISETP: return pick_isetp(i);
    case OP_FSETP:
    case OP_DSETP: return pick_float(i);
    case OP_HSETP2: return is_half(i->type) && pick_float(i) ? hsetp2 : NULL;
    default: return NULL;
    }
}
