/* SPDX-License-Identifier: Apache-2.0 */
/* Initialisers. Values become words of the variable: zeros are left out, neighbouring plain values are
 * packed into 8-byte groups (a large .b8 table costs a few bytes per byte), and an address spelt byte by
 * byte with masks (0xFF(sym), 0xFF00(sym), ...) becomes one word again. */
#include "ptx/parser.h"

#include "ptx/number.h"

/* An address: a name, whether generic() is around it, and what is added. */
struct symbol {
    struct ptx_tok name;
    bool generic;
    int64_t addend;
};

struct init {
    struct ptx_var *v;
    uint32_t elem_b;
    uint32_t ndims;                    /* with the vector's as the last */
    uint64_t stride[PTX_MAX_DIMS + 2]; /* elements that one step of each dimension skips; the last is 1 */
    bool open;                         /* the first dimension is as long as its initialiser */
    uint64_t limit;                    /* elements of the variable */
    uint64_t end;                      /* elements initialised so far */
    /* A masked address in progress: bytes seen, 0 for none. */
    uint32_t mask_seen_b;
    uint64_t mask_at;
    struct symbol mask_sym;
};

static bool same_symbol(const struct symbol *a, const struct symbol *b)
{
    return a->name.len == b->name.len && memcmp(a->name.s, b->name.s, a->name.len) == 0 &&
           a->generic == b->generic && a->addend == b->addend;
}

static void put_value(struct ptx_var *v, uint64_t off, uint32_t size, uint64_t value)
{
    if (!value)
        return;
    struct ptx_init *last = v->init.n ? &v->init.at[v->init.n - 1] : NULL;
    if (last && !last->sym && !last->func && !last->generic && last->off_b / 8 == off / 8 &&
        off >= last->off_b + last->size_b && off + size - last->off_b <= 8) {
        last->value |= value << (8 * (off - last->off_b));
        last->size_b = (uint8_t)(off + size - last->off_b);
        return;
    }
    vec_push(&v->init, (struct ptx_init){.off_b = (uint32_t)off, .size_b = (uint8_t)size, .value = value});
}

static void put_symbol(struct ptx_parser *p, struct ptx_var *v, uint64_t off, uint32_t size,
                       const struct symbol *s)
{
    struct ptx_init in = {
        .off_b = (uint32_t)off, .size_b = (uint8_t)size, .generic = s->generic, .value = (uint64_t)s->addend};
    struct ptx_sym *y = ptx_sym_find(&p->names, s->name.s, s->name.len);
    if (y) {
        in.sym = y->var;
        in.func = y->func;
    } else {
        vec_push(&p->name_refs, (struct ptx_name_ref){.name = s->name.s,
                                                      .len = s->name.len,
                                                      .line = s->name.line,
                                                      .col = s->name.col,
                                                      .var = v,
                                                      .slot = v->init.n});
        in.generic |= 2; /* marks a word whose symbol is still open, so that nothing is packed into it */
    }
    vec_push(&v->init, in);
}

static bool parse_offset(struct ptx_parser *p, struct symbol *s)
{
    int64_t off = 0;
    if (!ptx_offset(p, &off))
        return false;
    s->addend = (int64_t)((uint64_t)s->addend + (uint64_t)off);
    return true;
}

/* name, name+4, generic(name), generic(name+4)+4 */
static bool parse_symbol(struct ptx_parser *p, struct symbol *s)
{
    *s = (struct symbol){.name = p->t};
    if (!ptx_expect(p, TK_IDENT, "a name"))
        return false;
    if (ptx_tok_is(&s->name, "generic") && p->t.kind == '(') {
        ptx_next(p);
        *s = (struct symbol){.name = p->t, .generic = true};
        if (!ptx_expect(p, TK_IDENT, "a name") || !parse_offset(p, s) || !ptx_expect(p, ')', "')'"))
            return false;
    }
    return parse_offset(p, s);
}

/* 0xFF00(sym): part of an address; the parts must follow each other from the lowest on. */
static bool put_mask(struct ptx_parser *p, struct init *in, uint64_t at, const struct ptx_tok *mask,
                     const struct symbol *s)
{
    uint32_t word = p->m->address_size / 8;
    uint64_t ones = in->elem_b >= 8 ? UINT64_MAX : (1ull << (8 * in->elem_b)) - 1;
    uint32_t seen = in->mask_seen_b;
    if (mask->value != ones << (8 * seen))
        return ptx_err(p, mask, "mask 0x%llx is not the next part of an address",
                       (unsigned long long)mask->value);
    if (seen && !same_symbol(s, &in->mask_sym))
        return ptx_err(p, &s->name, "the parts of an address must name the same symbol");
    if (!seen) {
        in->mask_at = at;
        in->mask_sym = *s;
    }
    in->mask_seen_b += in->elem_b;
    if (in->mask_seen_b >= word) {
        put_symbol(p, in->v, in->mask_at * in->elem_b, word, s);
        in->mask_seen_b = 0;
    }
    return true;
}

/* The bits that a constant has as an element of the variable. */
static bool element_bits(struct ptx_parser *p, const struct init *in, const struct ptx_tok *at,
                         struct ptx_const c, uint64_t *bits)
{
    uint8_t type = in->v->type;
    if (c.kind == TK_INT && type_is_float(type) && c.value) {
        if (type != T_F32 && type != T_F64)
            return ptx_err(p, at, "expected a floating constant");
        double d = c.is_unsigned ? (double)c.value : (double)(int64_t)c.value;
        memcpy(&c.value, &d, sizeof d);
        c.kind = TK_DOUBLE;
    }
    if (c.kind != TK_INT && in->elem_b < 4)
        return ptx_err(p, at, "a floating constant does not fit in '.%s'", ir_types[type].name);
    if (c.kind == TK_DOUBLE && in->elem_b == 4)
        c.value = ptx_bits_f64_to_f32(c.value);
    else if (c.kind == TK_SINGLE && in->elem_b == 8)
        c.value = ptx_bits_f32_to_f64(c.value);
    *bits = in->elem_b >= 8 ? c.value : c.value & ((1ull << (8 * in->elem_b)) - 1);
    return true;
}

static bool parse_element(struct ptx_parser *p, struct init *in, uint64_t at)
{
    struct ptx_tok first = p->t;
    struct symbol s;
    if (at >= in->limit || at * in->elem_b > UINT32_MAX - 16)
        return ptx_err(p, &first, "too many initialisers for '%s'", in->v->name);
    if (at + 1 > in->end)
        in->end = at + 1;
    bool mask = first.kind == TK_INT && ptx_peek(p)->kind == '(';
    if (in->mask_seen_b && !mask)
        return ptx_err(p, &first, "the address before is not complete");
    if (mask) {
        ptx_next(p);
        ptx_next(p);
        return parse_symbol(p, &s) && ptx_expect(p, ')', "')'") && put_mask(p, in, at, &first, &s);
    }
    if (first.kind == TK_IDENT && !ptx_starts_const(&first)) {
        if (!parse_symbol(p, &s))
            return false;
        if (in->elem_b != 4 && in->elem_b != 8)
            return ptx_err(p, &first, "an address does not fit in '.%s'", ir_types[in->v->type].name);
        put_symbol(p, in->v, at * in->elem_b, in->elem_b, &s);
        return true;
    }
    struct ptx_const c;
    uint64_t bits;
    if (!ptx_const_expr(p, &c) || !element_bits(p, in, &first, c, &bits))
        return false;
    put_value(in->v, at * in->elem_b, in->elem_b > 8 ? 8 : in->elem_b, bits);
    return true;
}

/* '{' was consumed; the elements of dimension `dim` start at `from`. Braces may be left out as in C. */
static bool parse_braces(struct ptx_parser *p, struct init *in, uint32_t dim, uint64_t from)
{
    uint64_t at = from;
    uint64_t step = in->stride[dim];
    uint64_t end = dim ? from + in->stride[dim - 1] : in->limit;
    while (p->t.kind != '}') {
        struct ptx_tok here = p->t;
        if (at >= end)
            return ptx_err(p, &here, "too many initialisers for '%s'", in->v->name);
        if (p->t.kind == '{') {
            if (dim + 1 >= in->ndims)
                return ptx_err(p, &here, "too many braces");
            ptx_next(p);
            at = from + (at - from + step - 1) / step * step;
            if (at >= end)
                return ptx_err(p, &here, "too many initialisers for '%s'", in->v->name);
            if (!parse_braces(p, in, dim + 1, at))
                return false;
            at += step;
            if (at > in->end)
                in->end = at;
        } else {
            if (!parse_element(p, in, at))
                return false;
            at++;
        }
        if (!ptx_accept(p, ','))
            break;
    }
    return ptx_expect(p, '}', "',' or '}'");
}

bool ptx_initialiser(struct ptx_parser *p, struct ptx_var *v, const uint64_t *dims, uint32_t ndims)
{
    struct init in = {.v = v, .elem_b = type_bytes(v->type), .open = ndims && !dims[0]};
    struct ptx_tok at = p->t;
    in.ndims = ndims + (v->vec > 1);
    uint64_t stride = 1;
    if (v->vec > 1) {
        in.stride[in.ndims - 1] = 1;
        stride = v->vec;
    }
    for (uint32_t i = ndims; i-- > 0;) {
        in.stride[i] = stride;
        stride *= dims[i];
    }
    if (!in.ndims)
        in.stride[0] = 1;
    for (uint32_t i = 0; i < in.ndims; i++)
        if (!in.stride[i])
            return ptx_err(p, &at, "too many initialisers for '%s'", v->name);
    in.limit = in.open ? PTX_MAX_VAR_B / in.elem_b : v->size_b / in.elem_b;
    if (!in.open && ndims && !in.limit)
        return ptx_err(p, &at, "too many initialisers for '%s'", v->name);
    bool ok = ptx_accept(p, '{') ? parse_braces(p, &in, 0, 0) : parse_element(p, &in, 0);
    if (!ok)
        return false;
    if (in.mask_seen_b)
        return ptx_err(p, &at, "the last address of '%s' is not complete", v->name);
    if (in.open) {
        uint64_t row = in.stride[0];
        if (!in.end)
            return ptx_err(p, &at, "array '%s' needs a size", v->name);
        v->size_b = (in.end + row - 1) / row * row * in.elem_b;
    }
    return true;
}
