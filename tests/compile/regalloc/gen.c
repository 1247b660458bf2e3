/* SPDX-License-Identifier: Apache-2.0 */
/* Random functions that only read what was written, whose loops end, and whose effects show in the log. */
#include "rig.h"

enum { MAX_VALUES = 512 };

struct gen {
    struct ir_fn *fn;
    struct rng *r;
    const struct gen_opts *o;
    uint32_t val[MAX_VALUES], nval; /* registers that hold something */
    uint32_t prd[MAX_VALUES], nprd;
    uint32_t sp, link, budget, depth;
};

static uint32_t below(struct gen *g, uint32_t n) { return rng_below(g->r, n); }
#define NONE ir_none()
#define ZERO ir_imm(0)

/* n words of some value; where none is wide enough, one is made of copies. */
static struct ir_opnd some(struct gen *g, unsigned n)
{
    for (int tries = 0; tries < 12; tries++) {
        uint32_t v = g->val[below(g, g->nval)], have = g->fn->vregs.at[v].n;
        unsigned align = n == 2 ? 2 : n > 2 ? 4 : 1;
        if (have < n)
            continue;
        uint32_t places = (have - n) / align + 1;
        return ir_reg(v, below(g, places) * align, n);
    }
    uint32_t t = ir_vreg(g->fn, n, NULL);
    for (unsigned k = 0; k < n; k++) {
        struct ir_opnd s = ir_imm(rng_u32(g->r));
        if (below(g, 4)) {
            uint32_t v = g->val[below(g, g->nval)];
            s = ir_reg(v, below(g, g->fn->vregs.at[v].n), 1);
        }
        rig_emit(g->fn, OP_MOV, ir_reg(t, k, 1), s, NONE, NONE);
    }
    return ir_reg(t, 0, n);
}

static struct ir_opnd some_or_imm(struct gen *g)
{
    switch (below(g, 6)) {
    case 0: return ir_imm(rng_u32(g->r));
    case 1: return ir_const(0, 0x160 + 4 * below(g, 16), 1);
    case 2: return ZERO;
    default: return some(g, 1);
    }
}

static struct ir_opnd some_pred(struct gen *g)
{
    if (!g->nprd)
        return ir_pred(PRED_PT, below(g, 2));
    return ir_pred(g->prd[below(g, g->nprd)], below(g, 2));
}

/* A fresh value, or a place in an old one. A guarded write of a fresh value would leave it undefined in part, so the
 * caller guards only the old ones. */
static struct ir_opnd target(struct gen *g, unsigned n, bool *old)
{
    *old = g->depth ? below(g, 3) != 0 : below(g, 4) == 0;
    if (*old || g->nval >= MAX_VALUES) {
        *old = true;
        for (int tries = 0; tries < 8; tries++) {
            uint32_t v = g->val[below(g, g->nval)], have = g->fn->vregs.at[v].n;
            unsigned align = n == 2 ? 2 : n > 2 ? 4 : 1;
            if (have >= n)
                return ir_reg(v, below(g, (have - n) / align + 1) * align, n);
        }
    }
    *old = false;
    return ir_reg(ir_vreg(g->fn, n, NULL), 0, n);
}

/* Values made inside a branch or loop body stay usable only inside it: the caller restores nval. */
static void made(struct gen *g, struct ir_opnd d, bool old)
{
    if (old)
        return;
    if (g->nval < g->o->values && g->nval < MAX_VALUES)
        g->val[g->nval++] = d.val;
    else if (!g->depth)
        g->val[below(g, g->nval)] = d.val;
}

static void maybe_guard(struct gen *g, struct ir_insn *i, bool old)
{
    if (old && below(g, 4) == 0)
        i->guard = some_pred(g);
}

static void gen_pred(struct gen *g)
{
    if (!g->o->preds)
        return;
    bool fresh = g->nprd < g->o->preds;
    uint32_t p = fresh ? ir_vpred(g->fn) : g->prd[below(g, g->nprd)];
    struct ir_opnd a = some(g, 1), b = some_or_imm(g), q = some_pred(g);
    struct ir_insn *i = below(g, 3)
                            ? rig_emit(g->fn, OP_ISETP, ir_pred(p, false), a, b, q)
                            : rig_emit(g->fn, OP_PLOP3, ir_pred(p, false), q, some_pred(g), some_pred(g));

    i->cmp = CMP_LT;
    i->bop = BOP_AND;
    i->lut = (uint8_t)below(g, 256);
    if (!fresh && below(g, 4) == 0)
        i->guard = below(g, 3) ? some_pred(g) : ir_pred(p, below(g, 2)); /* its own old value, sometimes */
    if (g->nprd && below(g, 3) == 0) {
        uint32_t second = g->prd[below(g, g->nprd)];
        if (second != p)
            i->dst[1] = ir_pred(second, false);
    }
    if (fresh && !g->depth)
        g->prd[g->nprd++] = p;
}

static void gen_wide(struct gen *g)
{
    bool old;
    struct ir_opnd a, b, c, d;
    struct ir_insn *i;

    switch (below(g, 7)) {
    case 0:
        a = some(g, 2), b = some(g, 2), c = some(g, 2), d = target(g, 2, &old);
        i = rig_emit(g->fn, OP_DFMA, d, a, b, c);
        i->type = T_F64;
        break;
    case 1:
        a = some(g, 2), d = target(g, 4, &old);
        i = rig_emit(g->fn, OP_LDG, d, a, NONE, NONE);
        i->vec = 4;
        break;
    case 2:
        a = some(g, 2), b = some(g, 4);
        rig_emit(g->fn, OP_STG, NONE, a, b, NONE)->vec = 4;
        return;
    case 3:
        a = some(g, 1), b = some(g, 1), c = some(g, 2), d = target(g, 2, &old);
        i = rig_emit(g->fn, OP_IMAD_WIDE, d, a, b, c);
        break;
    case 4:
        a = some(g, 2), b = some(g, 4), c = some(g, 1), d = target(g, 4, &old);
        i = rig_emit(g->fn, OP_TEX, d, a, b, c);
        break;
    case 5:
        a = some(g, 2), b = some(g, 2), c = some(g, 2), d = target(g, 2, &old);
        i = rig_emit(g->fn, OP_ATOM, d, a, b, c);
        i->type = T_U64;
        i->space = SPACE_GLOBAL;
        i->aop = AOP_CAS;
        break;
    default: {
        unsigned n = 2 + below(g, 3);
        a = some(g, n), d = target(g, n, &old);
        i = rig_emit(g->fn, OP_MOV, d, a, NONE, NONE);
    }
    }
    maybe_guard(g, i, old);
    made(g, d, old);
}

static void gen_hmma(struct gen *g)
{
    bool old;
    struct ir_opnd a = some(g, 4), b = some(g, 2), c = some(g, 4), d = target(g, 4, &old);

    rig_emit(g->fn, OP_HMMA, d, a, b, c)->type = T_F32;
    made(g, d, old);
}

static void gen_local(struct gen *g)
{
    unsigned n = 1u << below(g, 3);
    uint32_t off = below(g, 4) * 16;
    struct ir_opnd base = ir_reg(g->sp, 0, 1), t;
    bool old;

    if (below(g, 3) == 0) {
        t = ir_reg(ir_vreg(g->fn, 1, NULL), 0, 1);
        rig_emit(g->fn, OP_IADD3, t, base, ir_imm(off), ZERO);
        base = t;
        off = 0;
    }
    if (below(g, 2)) {
        struct ir_opnd v = some(g, n);
        struct ir_insn *i = rig_emit(g->fn, OP_STL, NONE, base, v, NONE);
        i->vec = (uint8_t)n;
        i->off = (int32_t)off;
    } else {
        struct ir_opnd d = target(g, n, &old);
        struct ir_insn *i = rig_emit(g->fn, OP_LDL, d, base, NONE, NONE);
        i->vec = (uint8_t)n;
        i->off = (int32_t)off;
        maybe_guard(g, i, old);
        made(g, d, old);
    }
}

static void gen_plain(struct gen *g)
{
    static const uint8_t ops[] = {OP_IADD3, OP_IMAD, OP_LOP3, OP_FFMA, OP_PRMT, OP_SHF_L};
    bool old;
    struct ir_opnd a = some(g, 1), b = some(g, 1), c = some_or_imm(g), d;
    struct ir_insn *i;

    switch (below(g, 8)) {
    case 0:
        d = target(g, 1, &old);
        i = rig_emit(g->fn, OP_MOV, d, below(g, 2) ? a : c, NONE, NONE);
        break;
    case 1:
        d = target(g, 1, &old);
        i = rig_emit(g->fn, OP_SEL, d, a, c, some_pred(g));
        break;
    case 2:
        d = target(g, 1, &old);
        i = rig_emit(g->fn, OP_S2R, d, NONE, NONE, NONE);
        i->sub = (uint8_t)below(g, 6);
        break;
    case 3: {
        d = target(g, 1, &old);
        i = rig_emit(g->fn, OP_IADD3, d, a, c, ZERO);
        if (g->nprd) {
            i->dst[1] = ir_pred(g->prd[below(g, g->nprd)], false);
            if (old && below(g, 3) == 0)
                i->guard = ir_pred(i->dst[1].val, below(g, 2)); /* a guard that it overwrites itself */
            made(g, d, old);
            return;
        }
        break;
    }
    default:
        d = target(g, 1, &old);
        i = rig_emit(g->fn, (enum ir_op)ops[below(g, sizeof ops)], d, a, b, c);
        i->lut = (uint8_t)below(g, 256);
    }
    maybe_guard(g, i, old);
    made(g, d, old);
}

static void gen_body(struct gen *g, uint32_t n);

static void gen_if(struct gen *g, uint32_t n)
{
    uint32_t nval = g->nval, head = g->fn->blocks.n - 1;
    struct ir_insn *bra = rig_emit(g->fn, OP_BRA, NONE, NONE, NONE, NONE);

    bra->guard = some_pred(g);
    uint32_t at = g->fn->blocks.at[head].insns.n - 1;
    ir_block_new(g->fn, NULL, 0);
    g->depth++;
    gen_body(g, n);
    g->depth--;
    g->nval = nval;
    g->fn->blocks.at[head].insns.at[at].target = ir_block_new(g->fn, NULL, 0);
}

static void gen_loop(struct gen *g, uint32_t n)
{
    uint32_t nval = g->nval, c = ir_vreg(g->fn, 1, NULL), p = ir_vpred(g->fn);

    rig_emit(g->fn, OP_MOV, ir_reg(c, 0, 1), ZERO, NONE, NONE);
    uint32_t head = ir_block_new(g->fn, NULL, 0);
    g->depth++;
    gen_body(g, n);
    g->depth--;
    g->nval = nval;
    rig_emit(g->fn, OP_IADD3, ir_reg(c, 0, 1), ir_reg(c, 0, 1), ir_imm(1), ZERO);
    struct ir_insn *i =
        rig_emit(g->fn, OP_ISETP, ir_pred(p, false), ir_reg(c, 0, 1), ir_imm(2 + below(g, 2)), NONE);
    i->sub = 77;
    i->cmp = CMP_LT;
    struct ir_insn *bra = rig_emit(g->fn, OP_BRA, NONE, NONE, NONE, NONE);
    bra->guard = ir_pred(p, false);
    bra->target = head;
    ir_block_new(g->fn, NULL, 0);
}

static void gen_body(struct gen *g, uint32_t n)
{
    while (n && g->budget) {
        uint32_t what = below(g, 40), part = 1 + below(g, n < 24 ? n : 24);
        g->budget--;
        n--;
        if (g->o->loops && what == 0 && g->depth < 3)
            gen_loop(g, part);
        else if (g->o->loops && what <= 2 && g->depth < 4)
            gen_if(g, part);
        else if (g->o->calls && what == 3)
            rig_emit(g->fn, OP_CALL, NONE, ir_imm(1), NONE, NONE);
        else if (what <= 8)
            gen_pred(g);
        else if (what <= 17)
            gen_wide(g);
        else if (what == 18)
            gen_hmma(g);
        else if (what <= 21)
            gen_local(g);
        else
            gen_plain(g);
    }
}

void gen_function(struct ir_fn *fn, struct arena *a, struct rng *r, const struct gen_opts *o)
{
    struct gen g = {.fn = fn, .r = r, .o = o, .budget = o->insns};

    ir_fn_init(fn, a, "random");
    fn->is_entry = !o->device;
    fn->has_calls = o->calls;
    fn->frame_b = 64;
    ir_block_new(fn, NULL, 0);
    g.sp = ir_vreg_fixed(fn, 1, REG_SP);
    if (o->device) {
        uint32_t r0 = ir_vreg_fixed(fn, 1, REG_LINK);
        g.link = ir_vreg(fn, 1, "link");
        rig_emit(fn, OP_MOV, ir_reg(g.link, 0, 1), ir_reg(r0, 0, 1), NONE, NONE);
    }
    for (int k = 0; k < 3; k++) {
        uint32_t v = ir_vreg(fn, 1, NULL);
        rig_emit(fn, OP_MOV, ir_reg(v, 0, 1), ir_const(0, 0x160 + 4 * (uint32_t)k, 1), NONE, NONE);
        g.val[g.nval++] = v;
    }
    gen_body(&g, o->insns);
    for (uint32_t k = 0; k < g.nval; k++) {
        struct ir_opnd v = ir_reg(g.val[k], 0, fn->vregs.at[g.val[k]].n), addr = some(&g, 2);
        for (unsigned w = 0; w < v.n; w++)
            rig_emit(fn, OP_STG, NONE, addr, ir_reg(v.val, w, 1), NONE);
    }
    for (uint32_t k = 0; k < g.nprd; k++) {
        struct ir_opnd d = ir_reg(ir_vreg(fn, 1, NULL), 0, 1), addr = some(&g, 2);
        rig_emit(fn, OP_SEL, d, g.nval ? some(&g, 1) : ZERO, ZERO, ir_pred(g.prd[k], false));
        rig_emit(fn, OP_STG, NONE, addr, d, NONE);
    }
    rig_emit(fn, o->device ? OP_RET : OP_EXIT, NONE, o->device ? ir_reg(g.link, 0, 1) : NONE, NONE, NONE);
}
