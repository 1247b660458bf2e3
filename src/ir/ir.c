/* The tables behind type.h and ops.def, and the few helpers that build functions. */
#include "ir/ir.h"

const struct ir_type_info ir_types[T_COUNT] = {
#define X(e, s, bits, kind) [T_##e] = {s, bits, KIND_##kind},
    IR_TYPES(X)
#undef X
};

const struct ir_op_info ir_ops[OP_COUNT] = {
#define OP(name, unit, nd, ns, flags) [OP_##name] = {#name, UNIT_##unit, nd, ns, flags},
#include "ir/ops.def"
#undef OP
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
