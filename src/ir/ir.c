/* SPDX-License-Identifier: Apache-2.0 */
/* The tables behind type.h and ops.def, and the few helpers that build functions. */
#include "ir/ir.h"

/* Liveness takes three bits for each word in each block: 768 MiB at most. */
enum { MAX_INSNS = 1 << 22 };
#define MAX_LIVE_BITS (1ull << 31)

const struct ir_type_info ir_types[T_COUNT] = {
#define X(e, s, bits, kind) [T_##e] = {s, bits, KIND_##kind},
    IR_TYPES(X)
#undef X
};

const struct ir_op_info ir_ops[OP_COUNT] = {
#define OP(name, unit, class, nd, ns, flags) [OP_##name] = {#name, UNIT_##unit, nd, ns, flags, 0, 0, 0},
#define OPM(name, unit, class, nd, ns, flags, access, space, addrs)                                          \
    [OP_##name] = {#name, UNIT_##unit, nd, ns, flags, access, SPACE_##space, addrs},
#include "ir/ops.def"
#undef OP
#undef OPM
};

void ir_fn_init(struct ir_fn *fn, struct arena *arena, const char *name)
{
    memset(fn, 0, sizeof *fn);
    fn->arena = arena;
    fn->name = name;
}

void ir_fn_free(struct ir_fn *fn)
{
    vec_each (&fn->blocks, b) {
        vec_free(&b->insns);
        vec_free(&b->succ);
        vec_free(&b->pred);
    }
    vec_free(&fn->blocks);
    vec_free(&fn->vregs);
}

uint32_t ir_vreg(struct ir_fn *fn, unsigned words, const char *name)
{
    vec_push(&fn->vregs, (struct ir_vreg){.n = (uint8_t)words, .name = name});
    return fn->vregs.n - 1;
}

uint32_t ir_vreg_fixed(struct ir_fn *fn, unsigned words, unsigned phys)
{
    vec_push(&fn->vregs, (struct ir_vreg){.n = (uint8_t)words, .fixed = 1, .phys = (uint8_t)phys});
    return fn->vregs.n - 1;
}

uint32_t ir_vpred(struct ir_fn *fn) { return VPRED0 + fn->npreds++; }

uint32_t ir_block_new(struct ir_fn *fn, const char *label, uint32_t line)
{
    vec_push(&fn->blocks, (struct ir_block){.label = label, .line = line});
    return fn->blocks.n - 1;
}

void ir_block_set(struct ir_block *b, const struct ir_insn *insns, uint32_t n)
{
    vec_reserve(&b->insns, n);
    b->insns.n = n;
    if (n)
        memcpy(b->insns.at, insns, sizeof *insns * n);
}

/* Marks (first pass) or renames (second pass) the register of an operand. */
static void visit_opnd(struct ir_opnd *o, uint32_t *vreg, uint32_t *pred, bool rename)
{
    uint32_t *slot = o->kind == OPND_REG                        ? &vreg[o->val]
                     : o->kind == OPND_PRED && o->val >= VPRED0 ? &pred[o->val - VPRED0]
                                                                : NULL;
    if (!slot)
        return;
    if (rename)
        o->val = *slot;
    else
        *slot = 1;
}

static void visit_fn(struct ir_fn *fn, uint32_t *vreg, uint32_t *pred, bool rename)
{
    vec_each (&fn->blocks, b)
        vec_each (&b->insns, i) {
            ir_each_dst (i, d)
                visit_opnd(d, vreg, pred, rename);
            ir_each_src (i, s)
                visit_opnd(s, vreg, pred, rename);
            visit_opnd(&i->guard, vreg, pred, rename);
        }
}

void ir_compact(struct ir_fn *fn)
{
    uint32_t *vreg = xcalloc(fn->vregs.n, sizeof *vreg), *pred = xcalloc(fn->npreds, sizeof *pred);
    uint32_t nv = 0, np = 0;

    visit_fn(fn, vreg, pred, false);
    for (uint32_t v = 0; v < fn->vregs.n; v++)
        if (vreg[v]) {
            fn->vregs.at[nv] = fn->vregs.at[v];
            vreg[v] = nv++;
        }
    for (uint32_t p = 0; p < fn->npreds; p++)
        if (pred[p])
            pred[p] = VPRED0 + np++;
    fn->vregs.n = nv;
    fn->npreds = np;
    visit_fn(fn, vreg, pred, true);
    free(vreg);
    free(pred);
}

const char *ir_too_large(const struct ir_fn *fn)
{
    uint64_t words = fn->npreds, insns = 0;

    for (uint32_t v = 0; v < fn->vregs.n; v++)
        words += fn->vregs.at[v].n;
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        insns += fn->blocks.at[b].insns.n;
    if (insns <= MAX_INSNS && fn->blocks.n * words <= MAX_LIVE_BITS)
        return NULL;
    return arena_printf(fn->arena, "%llu instructions in %u blocks with %llu register words are too many",
                        (unsigned long long)insns, fn->blocks.n, (unsigned long long)words);
}
