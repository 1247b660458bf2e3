/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions: guard, opcode, modifiers, operands. */
#include "base/nearest.h"
#include "ptx/parser.h"

static bool parse_guard(struct ptx_parser *p, struct ptx_insn *in)
{
    if (!ptx_accept(p, '@'))
        return true;
    in->guard_neg = ptx_accept(p, '!');
    struct ptx_tok name = p->t;
    if (!ptx_expect(p, TK_IDENT, "a predicate register"))
        return false;
    struct ptx_sym *y = ptx_reg_named(p, &name);
    if (!y || (y->type != T_PRED && !y->bad))
        return ptx_err(p, &name, "guard '%.*s' is not a predicate register", PTX_TOK(&name));
    in->guard = y->index + 1;
    return true;
}

static bool parse_opcode(struct ptx_parser *p, struct ptx_insn *in)
{
    struct ptx_tok t = p->t;
    uint8_t kind = PW_NONE;
    uint16_t value;
    if (t.kind != TK_IDENT)
        return ptx_unexpected(p, "an instruction");
    in->line = t.line;
    in->col = t.col;
    in->loc = p->loc;
    ptx_next(p);
    bool known = ptx_word_find(&p->words, true, t.s, t.len, &kind, &value);
    if (known && kind == PW_OP) {
        in->op = value;
        return true;
    }
    if (known)
        return ptx_err(p, &t, "'%.*s' is not supported", PTX_TOK(&t));
    const char *near = nearest_name(t.s, t.len, ptx_op_names, P_COUNT);
    if (near)
        return ptx_err(p, &t, "unknown opcode '%.*s'; did you mean '%s'?", PTX_TOK(&t), near);
    return ptx_err(p, &t, "unknown opcode '%.*s'", PTX_TOK(&t));
}

static bool is_compare(enum ptx_op op)
{
    return op == P_set || op == P_setp || op == P_vset || op == P_vset2 || op == P_vset4;
}

static void set_compare(struct ptx_insn *in, uint8_t cmp)
{
    if (is_compare(in->op))
        in->cmp = cmp;
}

static void set_space(struct ptx_insn *in, uint8_t space)
{
    if (in->space)
        in->space2 = space;
    else
        in->space = space;
}

static void set_layout(struct ptx_insn *in, uint8_t layout)
{
    if (in->nlayouts < 2)
        in->layout[in->nlayouts++] = layout;
}

static uint8_t bop_of(uint8_t aop) { return aop == AOP_AND ? BOP_AND : aop == AOP_OR ? BOP_OR : BOP_XOR; }

static void set_field(struct ptx_insn *in, const struct ptx_mod_info *mod)
{
    switch ((enum ptx_mod_field)mod->field) {
    case MF_FLAG: break;
    case MF_RND: in->rnd = mod->value; break;
    case MF_CMP:
    case MF_CMP_OR_FLAG: set_compare(in, mod->value); break;
    case MF_BOP_AOP:
        in->bop = bop_of(mod->value);
        in->aop = mod->value;
        break;
    case MF_AOP: in->aop = mod->value; break;
    case MF_SPACE: set_space(in, mod->value); break;
    case MF_VEC: in->vec = mod->value; break;
    case MF_ORDER: in->order = mod->value; break;
    case MF_GEOM: in->geom = mod->value; break;
    case MF_LAYOUT: set_layout(in, mod->value); break;
    case MF_COUNT: in->count = mod->value; break;
    }
}

/* Fields that hold one value: two different modifiers for one of them contradict each other. */
static bool contradicts(const struct ptx_insn *in, const struct ptx_mod_info *mod)
{
    switch ((enum ptx_mod_field)mod->field) {
    case MF_RND: return in->rnd;
    case MF_CMP:
    case MF_CMP_OR_FLAG: return is_compare(in->op) && in->cmp;
    case MF_VEC: return in->vec > 1;
    case MF_COUNT: return in->count;
    case MF_SPACE: return in->space && (in->op != P_cp || in->space2);
    case MF_LAYOUT: return in->nlayouts == 2;
    default: return false;
    }
}

static bool add_modifier(struct ptx_parser *p, struct ptx_insn *in, const struct ptx_tok *t, uint16_t mod)
{
    const struct ptx_mod_info *info = &ptx_mods[mod];
    const char *op = ptx_op_names[in->op];
    if (!(ptx_word_set(&p->words, in->op)->mods[mod / 64] >> (mod % 64) & 1))
        return ptx_err(p, t, "'%s' has no modifier '.%.*s'", op, PTX_TOK(t));
    if (info->field != MF_LAYOUT && ptx_has(in, (enum ptx_mod)mod))
        return ptx_err(p, t, "modifier '.%.*s' is given twice", PTX_TOK(t));
    if (contradicts(in, info))
        return ptx_err(p, t, "modifier '.%.*s' contradicts an earlier one", PTX_TOK(t));
    in->mods[mod / 64] |= 1ull << (mod % 64);
    set_field(in, info);
    return true;
}

static bool add_type(struct ptx_parser *p, struct ptx_insn *in, const struct ptx_tok *t, uint16_t type)
{
    const struct ptx_op_info *op = &ptx_ops[in->op];
    if (!(ptx_word_set(&p->words, in->op)->types >> type & 1))
        return ptx_err(p, t, "'%s' does not take type '.%.*s'", op->name, PTX_TOK(t));
    if (in->ntypes == op->max_types)
        return ptx_err(p, t, "'%s' takes %u type%s", op->name, op->max_types, op->max_types == 1 ? "" : "s");
    in->type[in->ntypes++] = (uint8_t)type;
    return true;
}

static bool add_shape(struct ptx_parser *p, struct ptx_insn *in, const struct ptx_tok *t,
                      const uint16_t mnk[3])
{
    if (!ptx_word_set(&p->words, in->op)->shape)
        return ptx_err(p, t, "'%s' has no shape", ptx_op_names[in->op]);
    if (in->m)
        return ptx_err(p, t, "second shape '.%.*s'", PTX_TOK(t));
    in->m = mnk[0];
    in->n = mnk[1];
    in->k = mnk[2];
    if (ptx_tok_is(t, "m8n8"))
        in->mods[M_SPH / 64] |= 1ull << (M_SPH % 64);
    return true;
}

static bool parse_suffix(struct ptx_parser *p, struct ptx_insn *in)
{
    struct ptx_tok t = p->t;
    uint8_t kind;
    uint16_t value, mnk[3];
    ptx_next(p);
    if (ptx_shape(t.s, t.len, mnk))
        return add_shape(p, in, &t, mnk);
    if (!ptx_word_find(&p->words, false, t.s, t.len, &kind, &value))
        return ptx_err(p, &t, "unknown modifier '.%.*s' of '%s'", PTX_TOK(&t), ptx_op_names[in->op]);
    if (kind == PW_REFUSED)
        return ptx_err(p, &t, "'.%.*s' is not supported", PTX_TOK(&t));
    return kind == PW_TYPE ? add_type(p, in, &t, value) : add_modifier(p, in, &t, value);
}

static bool parse_suffixes(struct ptx_parser *p, struct ptx_insn *in)
{
    bool ok = true;
    while (p->t.kind == TK_DOT)
        ok &= parse_suffix(p, in);
    const struct ptx_op_info *op = &ptx_ops[in->op];
    if (!ok)
        return false;
    if (in->ntypes >= op->min_types)
        return ptx_rules_check(p, in);
    if (!in->ntypes)
        ptx_error(p->m, p->d, in->line, in->col, "'%s' needs a type", op->name);
    else
        ptx_error(p->m, p->d, in->line, in->col, "'%s' needs %u types", op->name, op->min_types);
    return false;
}

/* Pushes the operands up to the ';'. */
static bool parse_operands(struct ptx_parser *p, struct ptx_insn *in, uint32_t from)
{
    if (in->op == P_call)
        return ptx_call_operands(p);
    if (p->t.kind == ';' || p->t.kind == '}' || p->t.kind == TK_EOF || (p->t.bol && !ptx_ops[in->op].max_ops))
        return true;
    do {
        struct ptx_opnd o;
        uint32_t at = p->stack.n - from;
        if (at == PTX_MAX_OPNDS)
            return ptx_err(p, &p->t, "more than %d operands", PTX_MAX_OPNDS);
        bool label = (in->op == P_bra && at == 0) || (in->op == P_brx && at == 1);
        if (!(label ? ptx_label_operand(p, in->op == P_brx, &o) : ptx_operand(p, in->op, &o)))
            return false;
        vec_push(&p->stack, o);
    } while (ptx_accept(p, ','));
    return true;
}

static bool check_count(struct ptx_parser *p, const struct ptx_insn *in)
{
    const struct ptx_op_info *op = &ptx_ops[in->op];
    if (in->op == P_call || (in->nops >= op->min_ops && in->nops <= op->max_ops))
        return true;
    if (op->min_ops == op->max_ops)
        ptx_error(p->m, p->d, in->line, in->col, "'%s' takes %u operand%s, not %u", op->name, op->min_ops,
                  op->min_ops == 1 ? "" : "s", in->nops);
    else
        ptx_error(p->m, p->d, in->line, in->col, "'%s' takes %u to %u operands, not %u", op->name,
                  op->min_ops, op->max_ops, in->nops);
    return false;
}

bool ptx_instruction(struct ptx_parser *p)
{
    struct ptx_insn in = {.vec = 1, .keep_rolled = p->keep_rolled};
    p->keep_rolled = false;
    vec_clear(&p->stack);
    if (!parse_guard(p, &in) || !parse_opcode(p, &in))
        return false;
    bool ok = parse_suffixes(p, &in);
    if (!parse_operands(p, &in, 0))
        return false;
    in.nops = (uint8_t)p->stack.n;
    in.ops = ptx_take_operands(p, 0);
    if (!ptx_expect_semicolon(p))
        return false;
    if (ok && check_count(p, &in) && ptx_forms_check(p, &in))
        vec_push(&p->fn->insns, in);
    return true;
}
