/* SPDX-License-Identifier: Apache-2.0 */
/* Of what a word is made, back to constants and special registers, if a few instructions without side effects do it: then it can
 * be made again anywhere. */
#include "compile/regs/recipe.h"

#include "compile/opt/legal.h"

enum { SPECIAL_REG = 4 }; /* instructions that reading a special register counts for: it takes as long */

static bool is_repeatable(const struct ir_insn *i)
{
    switch (i->op) {
    case OP_S2R:
        if (i->sub > SR_CTAID_Z && i->sub != SR_LANEID)
            return false;
        break;
    case OP_IADD3:
    case OP_IMAD:
    case OP_LEA:
    case OP_LOP3:
    case OP_SHL:
    case OP_SHR: break;
    default: return false;
    }
    return !i->flags && i->dst[0].n == 1 && !i->dst[1].kind;
}

static bool add_step(struct recipe *r, struct ir_insn i, struct ir_opnd *result)
{
    if (r->n == RECIPE_STEPS)
        return false;
    *result = ir_reg(r->n, 0, 1);
    i.dst[0] = *result;
    r->step[r->n++] = i;
    r->price += i.op == OP_S2R ? SPECIAL_REG : 1;
    return true;
}

static bool move(struct recipe *r, struct ir_opnd *constant)
{
    return add_step(r, (struct ir_insn){.op = OP_MOV, .type = T_U32, .src = {*constant}}, constant);
}

/* What the word `o`, as read at (block, at), is made of: a constant, or the result of the recipe's last step. `depth` steps wait
 * for it, so that from RECIPE_STEPS on no recipe fits; without that bound every word is followed back to its loads. */
static bool find(const struct defs *d, struct ir_opnd o, uint32_t block, uint32_t at, uint32_t depth,
                 struct recipe *r, struct ir_opnd *result)
{
    *result = o = defs_origin(d, o, block, at);
    if (o.kind == OPND_IMM || o.kind == OPND_CONST)
        return true;
    const struct ir_insn *i = depth < RECIPE_STEPS ? defs_of(d, &o, block, at) : NULL;
    if (!i || !is_repeatable(i))
        return false;
    const struct def *def = defs_info(d, &o);
    struct ir_insn again = *i;
    for (unsigned k = 0; k < 6; k++) {
        struct ir_opnd *s = &again.src[k], from = *s;
        if (s->kind == OPND_NONE || s->kind == OPND_IMM || s->kind == OPND_CONST)
            continue;
        if (s->kind != OPND_REG || s->n != 1 ||
            !find(d, ir_reg(s->val, s->sub, 1), def->block, def->at, depth + 1, r, s))
            return false;
        if (s->kind != OPND_REG && (from.neg || from.abs || !legal_src(&again, k, s)) && !move(r, s))
            return false;
        s->neg = from.neg;
        s->abs = from.abs;
    }
    return add_step(r, again, result);
}

bool recipe_find(struct recipe *r, const struct defs *d, struct ir_opnd word, uint32_t block, uint32_t at)
{
    struct ir_opnd result;
    *r = (struct recipe){0};
    return find(d, word, block, at, 0, r, &result) && (result.kind == OPND_REG || move(r, &result));
}

void recipe_follow(const struct recipe *r, struct ir_fn *fn, struct ir_opnd result, struct recipe_insns *out,
                   uint32_t line)
{
    uint32_t made[RECIPE_STEPS];
    for (uint32_t k = 0; k < r->n; k++) {
        struct ir_insn i = r->step[k];
        ir_each_src (&i, s)
            if (s->kind == OPND_REG)
                s->val = made[s->val];
        made[k] = k + 1 < r->n ? ir_vreg(fn, 1, NULL) : result.val;
        i.dst[0] = k + 1 < r->n ? ir_reg(made[k], 0, 1) : result;
        i.line = line;
        vec_push(out, i);
    }
}
