/* SPDX-License-Identifier: Apache-2.0 */
/* Constant expressions: 64-bit integers with C's operators, precedence and signedness; a floating constant
 * stands alone. */
#include "ptx/parser.h"

#include "ptx/number.h"

bool ptx_starts_const(const struct ptx_tok *t)
{
    switch (t->kind) {
    case TK_INT:
    case TK_DOUBLE:
    case TK_SINGLE:
    case '(':
    case '-':
    case '+':
    case '~':
    case '!': return true;
    case TK_IDENT: return ptx_tok_is(t, "WARP_SZ");
    default: return false;
    }
}

static bool ternary(struct ptx_parser *p, struct ptx_const *c);

static bool enter(struct ptx_parser *p)
{
    if (p->expr_depth >= PTX_MAX_EXPR_DEPTH)
        return ptx_err(p, &p->t, "expression is nested more than %d deep", PTX_MAX_EXPR_DEPTH);
    p->expr_depth++;
    return true;
}

static bool unary(struct ptx_parser *p, struct ptx_const *c);

/* '(' was consumed: a cast (.s64) x, or a group. */
static bool group(struct ptx_parser *p, struct ptx_const *c)
{
    if (p->t.kind == TK_DOT && (ptx_tok_is(&p->t, "s64") || ptx_tok_is(&p->t, "u64"))) {
        struct ptx_tok cast = p->t;
        ptx_next(p);
        if (!ptx_expect(p, ')', "')' behind the cast") || !unary(p, c))
            return false;
        if (c->kind != TK_INT)
            return ptx_err(p, &cast, "a cast takes an integer");
        c->is_unsigned = cast.s[0] == 'u';
        return true;
    }
    return ternary(p, c) && ptx_expect(p, ')', "')'");
}

static bool apply_sign(struct ptx_parser *p, const struct ptx_tok *op, struct ptx_const *c)
{
    if (c->kind != TK_INT) {
        if (op->kind == '-')
            c->value ^= c->kind == TK_DOUBLE ? 1ull << 63 : 1ull << 31;
        else if (op->kind != '+')
            return ptx_err(p, op, "'%c' takes an integer", op->kind);
        return true;
    }
    switch (op->kind) {
    case '-': c->value = 0 - c->value; break;
    case '~': c->value = ~c->value; break;
    case '!':
        c->value = !c->value;
        c->is_unsigned = false;
        break;
    default: break;
    }
    return true;
}

static bool primary(struct ptx_parser *p, struct ptx_const *c)
{
    struct ptx_tok t = p->t;
    if (t.kind == TK_INT || t.kind == TK_DOUBLE || t.kind == TK_SINGLE) {
        *c = (struct ptx_const){.kind = t.kind, .is_unsigned = t.is_unsigned, .value = t.value};
        ptx_next(p);
        return true;
    }
    if (t.kind == TK_IDENT && ptx_tok_is(&t, "WARP_SZ")) {
        *c = (struct ptx_const){.kind = TK_INT, .value = 32};
        ptx_next(p);
        return true;
    }
    return ptx_unexpected(p, "a constant");
}

static bool unary(struct ptx_parser *p, struct ptx_const *c)
{
    struct ptx_tok op = p->t;
    if (op.kind != '-' && op.kind != '+' && op.kind != '~' && op.kind != '!' && op.kind != '(')
        return primary(p, c);
    if (!enter(p))
        return false;
    ptx_next(p);
    bool ok = op.kind == '(' ? group(p, c) : unary(p, c) && apply_sign(p, &op, c);
    p->expr_depth--;
    return ok;
}

static int precedence(int kind)
{
    switch (kind) {
    case '*':
    case '/':
    case '%': return 10;
    case '+':
    case '-': return 9;
    case TK_SHL:
    case TK_SHR: return 8;
    case '<':
    case '>':
    case TK_LE:
    case TK_GE: return 7;
    case TK_EQ:
    case TK_NE: return 6;
    case '&': return 5;
    case '^': return 4;
    case '|': return 3;
    case TK_ANDAND: return 2;
    case TK_OROR: return 1;
    default: return 0;
    }
}

static uint64_t divide(int kind, uint64_t a, uint64_t b, bool is_unsigned)
{
    if (is_unsigned)
        return kind == '/' ? a / b : a % b;
    int64_t x = (int64_t)a, y = (int64_t)b;
    if (y == -1) /* the quotient of the smallest number wraps */
        return kind == '/' ? 0 - a : 0;
    return (uint64_t)(kind == '/' ? x / y : x % y);
}

static uint64_t shift(int kind, uint64_t a, uint64_t n, bool is_unsigned)
{
    if (kind == TK_SHL)
        return n > 63 ? 0 : a << n;
    if (is_unsigned)
        return n > 63 ? 0 : a >> n;
    return (uint64_t)((int64_t)a >> (n > 63 ? 63 : n));
}

static bool less(uint64_t a, uint64_t b, bool is_unsigned)
{
    return is_unsigned ? a < b : (int64_t)a < (int64_t)b;
}

static bool combine(struct ptx_parser *p, const struct ptx_tok *op, struct ptx_const *a,
                    const struct ptx_const *b)
{
    if (a->kind != TK_INT || b->kind != TK_INT)
        return ptx_err(p, op, "a constant expression takes integers");
    bool u = a->is_unsigned || b->is_unsigned;
    uint64_t x = a->value, y = b->value;
    if ((op->kind == '/' || op->kind == '%') && !y)
        return ptx_err(p, op, "division by zero");
    switch (op->kind) {
    case '*': a->value = x * y; break;
    case '/':
    case '%': a->value = divide(op->kind, x, y, u); break;
    case '+': a->value = x + y; break;
    case '-': a->value = x - y; break;
    case TK_SHL:
    case TK_SHR: a->value = shift(op->kind, x, y, a->is_unsigned); return true;
    case '&': a->value = x & y; break;
    case '^': a->value = x ^ y; break;
    case '|': a->value = x | y; break;
    default:
        switch (op->kind) {
        case '<': a->value = less(x, y, u); break;
        case '>': a->value = less(y, x, u); break;
        case TK_LE: a->value = !less(y, x, u); break;
        case TK_GE: a->value = !less(x, y, u); break;
        case TK_EQ: a->value = x == y; break;
        case TK_NE: a->value = x != y; break;
        case TK_ANDAND: a->value = x && y; break;
        default: a->value = x || y; break;
        }
        u = false;
        break;
    }
    a->is_unsigned = u;
    return true;
}

/* Operators that bind at least as tightly as `min`; recursion is bounded by the levels of precedence. */
static bool binary(struct ptx_parser *p, int min, struct ptx_const *c)
{
    if (!unary(p, c))
        return false;
    for (int level; (level = precedence(p->t.kind)) >= min && level;) {
        struct ptx_tok op = p->t;
        struct ptx_const right;
        ptx_next(p);
        if (!binary(p, level + 1, &right) || !combine(p, &op, c, &right))
            return false;
    }
    return true;
}

static bool ternary(struct ptx_parser *p, struct ptx_const *c)
{
    if (!binary(p, 1, c))
        return false;
    if (p->t.kind != '?')
        return true;
    struct ptx_const yes, no;
    if (!enter(p))
        return false;
    ptx_next(p);
    bool ok = ternary(p, &yes) && ptx_expect(p, ':', "':'") && ternary(p, &no);
    p->expr_depth--;
    if (ok)
        *c = c->value ? yes : no;
    return ok;
}

bool ptx_const_expr(struct ptx_parser *p, struct ptx_const *c)
{
    p->expr_depth = 0;
    return ternary(p, c);
}

bool ptx_int_expr(struct ptx_parser *p, uint64_t *value)
{
    struct ptx_tok at = p->t;
    struct ptx_const c;
    if (!ptx_const_expr(p, &c))
        return false;
    if (c.kind != TK_INT)
        return ptx_err(p, &at, "expected an integer");
    *value = c.value;
    return true;
}

bool ptx_offset(struct ptx_parser *p, int64_t *off)
{
    uint64_t v = 0;
    if (p->t.kind == '+')
        ptx_next(p);
    else if (p->t.kind != '-')
        return true;
    if (!ptx_int_expr(p, &v))
        return false;
    *off = (int64_t)v;
    return true;
}
