/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations: variables of every state space, parameters, registers. */
#include "ptx/parser.h"

/* What stands before the names of a declaration. */
struct decl {
    uint8_t space, type, vec;
    bool is_ptr;
    uint32_t align_b; /* 0: not given */
    unsigned link;
};

int ptx_space_word(const struct ptx_tok *t)
{
    static const struct {
        const char *word;
        int space;
    } words[] = {
        {"reg", SPACE_REG},     {"global", SPACE_GLOBAL}, {"shared", SPACE_SHARED}, {"local", SPACE_LOCAL},
        {"const", SPACE_CONST}, {"param", SPACE_PARAM},   {"tex", SPACE_GLOBAL},
    };
    if (t->kind == TK_DOT)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (ptx_tok_is(t, words[i].word))
                return words[i].space;
    return -1;
}

static bool parse_align(struct ptx_parser *p, uint32_t *align)
{
    struct ptx_tok at = p->t;
    uint64_t v;
    if (!ptx_expect_int(p, "an alignment", UINT32_MAX, &v))
        return false;
    if (!v || v & (v - 1) || v > PTX_MAX_ALIGN)
        return ptx_err(p, &at, "alignment %llu is not a power of two up to %d", (unsigned long long)v,
                       PTX_MAX_ALIGN);
    *align = (uint32_t)v;
    return true;
}

bool ptx_attribute(struct ptx_parser *p)
{
    /* .managed and .unified say where the host may see a variable: one address space here, so there is
     * nothing to keep. */
    return ptx_skip_parens(p);
}

/* The annotation of a pointer parameter: .ptr [.space] [.align n]. It speaks about what is pointed to. */
static bool parse_ptr(struct ptx_parser *p)
{
    uint32_t ignored;
    for (; p->t.kind == TK_DOT; ptx_next(p))
        if (ptx_tok_is(&p->t, "align")) {
            ptx_next(p);
            return parse_align(p, &ignored);
        } else if (ptx_space_word(&p->t) < 0) {
            return ptx_unexpected(p, "a state space, '.align' or the parameter's name");
        }
    return true;
}

static bool is_storage(uint8_t type, uint8_t space)
{
    switch (type) {
    case T_B1:
    case T_U4:
    case T_S4:
    case T_TF32:
    case T_E4M3:
    case T_E5M2:
    case T_E4M3X2:
    case T_E5M2X2:
    case T_U16X2:
    case T_S16X2: return false;
    case T_PRED: return space == SPACE_REG;
    case T_TEXREF:
    case T_SAMPLERREF:
    case T_SURFREF: return space == SPACE_GLOBAL || space == SPACE_PARAM;
    default: return true;
    }
}

static bool parse_type(struct ptx_parser *p, struct decl *d)
{
    uint8_t kind;
    uint16_t value;
    bool known = ptx_word_find(&p->words, false, p->t.s, p->t.len, &kind, &value);
    if (known && kind == PW_MOD && ptx_mods[value].field == MF_VEC && ptx_mods[value].value <= 4) {
        d->vec = ptx_mods[value].value;
        ptx_next(p);
        return true;
    }
    if (!known || kind != PW_TYPE)
        return ptx_err(p, &p->t, "'.%.*s' is not a type", PTX_TOK(&p->t));
    if (!is_storage((uint8_t)value, d->space))
        return ptx_err(p, &p->t, "nothing can be declared as '.%.*s' here", PTX_TOK(&p->t));
    if (d->type)
        return ptx_err(p, &p->t, "second type '.%.*s' in a declaration", PTX_TOK(&p->t));
    d->type = (uint8_t)value;
    ptx_next(p);
    return true;
}

/* From the state space up to the first name. */
static bool parse_head(struct ptx_parser *p, struct decl *d)
{
    struct ptx_tok at = p->t;
    d->vec = 1;
    if (ptx_tok_is(&p->t, "tex"))
        d->type = T_TEXREF;
    ptx_next(p);
    if (d->space == SPACE_CONST && p->t.kind == '[') { /* .const[2]: a bank number of old PTX */
        uint64_t bank;
        ptx_next(p);
        if (!ptx_expect_int(p, "a bank", 10, &bank) || !ptx_expect(p, ']', "']'"))
            return false;
    }
    while (p->t.kind == TK_DOT) {
        bool ok = true;
        if (ptx_tok_is(&p->t, "align")) {
            ptx_next(p);
            ok = parse_align(p, &d->align_b);
        } else if (ptx_tok_is(&p->t, "attribute")) {
            ptx_next(p);
            ok = ptx_attribute(p);
        } else if (ptx_tok_is(&p->t, "ptr") && d->space == SPACE_PARAM) {
            d->is_ptr = true;
            ptx_next(p);
            ok = parse_ptr(p);
        } else if (d->type == T_TEXREF && at.len == 3) {
            ptx_next(p); /* .tex .u32 name: the type says nothing */
        } else {
            ok = parse_type(p, d);
        }
        if (!ok)
            return false;
    }
    return d->type ? true : ptx_unexpected(p, "a type");
}

/* [4][8], [] first; dims are in order, 0 for the open one. */
static bool parse_dims(struct ptx_parser *p, uint64_t dims[PTX_MAX_DIMS], uint32_t *n)
{
    *n = 0;
    while (p->t.kind == '[') {
        struct ptx_tok at = p->t;
        if (*n == PTX_MAX_DIMS)
            return ptx_err(p, &at, "more than %d dimensions", PTX_MAX_DIMS);
        ptx_next(p);
        uint64_t v = 0;
        at = p->t;
        if (p->t.kind != ']') {
            if (!ptx_int_expr(p, &v))
                return false;
            if (v > PTX_MAX_VAR_B)
                return ptx_err(p, &at, "array is too large");
        } else if (*n) {
            return ptx_err(p, &at, "only the first dimension may be left open");
        }
        dims[(*n)++] = v;
        if (!ptx_expect(p, ']', "']'"))
            return false;
    }
    return true;
}

static bool set_size(struct ptx_parser *p, struct ptx_var *v, const struct ptx_tok *name,
                     const uint64_t *dims, uint32_t ndims)
{
    uint64_t size = (uint64_t)type_bytes(v->type) * v->vec;
    bool empty = false;
    for (uint32_t i = 0; i < ndims; i++) {
        empty |= !dims[i];
        if (dims[i] && (__builtin_mul_overflow(size, dims[i], &size) || size > PTX_MAX_VAR_B))
            return ptx_err(p, name, "'%.*s' is too large", PTX_TOK(name));
    }
    v->size_b = empty ? 0 : size;
    return true;
}

static struct ptx_var *new_var(struct ptx_parser *p, const struct decl *d, const struct ptx_tok *name)
{
    struct ptx_var *v = ARENA_NEW(&p->m->arena, struct ptx_var);
    v->name = ptx_name(p, name);
    v->space = d->space;
    v->type = d->type;
    v->vec = d->vec;
    v->is_ptr = d->is_ptr;
    v->is_extern = (d->link & PTX_LINK_EXTERN) != 0;
    v->is_visible = (d->link & PTX_LINK_VISIBLE) != 0;
    v->is_weak = (d->link & PTX_LINK_WEAK) != 0;
    v->align_b = d->align_b ? d->align_b : type_bytes(d->type) * d->vec;
    v->line = name->line;
    v->owner = p->fn;
    return v;
}

static struct ptx_sym *bind_var(struct ptx_parser *p, struct ptx_var *v, const struct ptx_tok *name)
{
    struct ptx_sym *y = ptx_sym_add(p, false, p->depth, name->s, name->len, SY_VAR);
    y->var = v;
    return y;
}

/* Puts a variable into its list. A module variable may be declared .extern before or after it is defined. */
static bool enter_var(struct ptx_parser *p, struct ptx_var *v, const struct ptx_tok *name)
{
    if (p->depth) {
        if (!ptx_name_free(p, name, false))
            return false;
        v->index = p->fn->vars.n;
        vec_push(&p->fn->vars, v);
        bind_var(p, v, name);
        return true;
    }
    struct ptx_sym *y = ptx_sym_find(&p->names, name->s, name->len);
    if (y && y->kind == SY_VAR && y->var->space == v->space && (y->var->is_extern || v->is_extern)) {
        if (y->var->is_extern && !v->is_extern) {
            uint32_t index = y->var->index;
            vec_free(&y->var->init);
            *y->var = *v;
            y->var->index = index;
            v->init.at = NULL;
        }
        return true;
    }
    if (!ptx_name_free(p, name, false))
        return false;
    v->index = p->m->vars.n;
    vec_push(&p->m->vars, v);
    bind_var(p, v, name);
    return true;
}

static bool var_place_ok(struct ptx_parser *p, int space, const struct ptx_tok *at)
{
    if (p->depth ? space == SPACE_GLOBAL || space == SPACE_CONST
                 : space == SPACE_LOCAL || space == SPACE_PARAM)
        return ptx_err(p, at, "'.%.*s' cannot be declared %s a function", PTX_TOK(at),
                       p->depth ? "inside" : "outside");
    return true;
}

static bool parse_var(struct ptx_parser *p, const struct decl *d)
{
    uint64_t dims[PTX_MAX_DIMS];
    uint32_t ndims;
    struct ptx_tok name = p->t;
    if (!ptx_expect(p, TK_IDENT, "a name"))
        return false;
    struct ptx_var *v = new_var(p, d, &name);
    if (!parse_dims(p, dims, &ndims) || !set_size(p, v, &name, dims, ndims))
        return false;
    /* Entered before its initialiser is read: it may name itself, and the reference keeps pointing at the
     * entry. */
    if (!enter_var(p, v, &name))
        return false;
    if (p->t.kind == '=') {
        struct ptx_sym *y = ptx_sym_find(&p->names, name.s, name.len);
        struct ptx_tok eq = p->t;
        ptx_next(p);
        if ((d->space != SPACE_GLOBAL && d->space != SPACE_CONST) || d->type >= T_TEXREF || v->is_extern)
            return ptx_err(p, &eq, "'%.*s' cannot have an initialiser", PTX_TOK(&name));
        return ptx_initialiser(p, y->var, dims, ndims);
    }
    bool open = ndims && !dims[0];
    if (open && !v->is_extern)
        return ptx_err(p, &name, "array '%.*s' needs a size", PTX_TOK(&name));
    return true;
}

bool ptx_decl_vars(struct ptx_parser *p, unsigned link)
{
    struct decl d = {.space = (uint8_t)ptx_space_word(&p->t), .link = link};
    struct ptx_tok at = p->t;
    if (!var_place_ok(p, d.space, &at) || !parse_head(p, &d))
        return false;
    do
        if (!parse_var(p, &d))
            return false;
    while (ptx_accept(p, ','));
    return ptx_expect_semicolon(p);
}

static bool parse_reg(struct ptx_parser *p, const struct decl *d)
{
    struct ptx_tok name = p->t;
    uint64_t count = 1;
    if (!ptx_expect(p, TK_IDENT, "a register's name"))
        return false;
    bool range = ptx_accept(p, '<');
    struct ptx_tok at = range ? p->t : name;
    if (range &&
        (!ptx_expect_int(p, "a number of registers", UINT64_MAX, &count) || !ptx_expect(p, '>', "'>'")))
        return false;
    if (!ptx_name_free(p, &name, range))
        return false;
    if (count > PTX_MAX_REGS || (p->regs_declared += count * d->vec) > PTX_MAX_REGS)
        return ptx_err(p, &at, "function '%s' declares more than %d registers", p->fn->name, PTX_MAX_REGS);
    if (range) {
        struct ptx_sym *y = ptx_sym_add(p, false, p->depth, name.s, name.len, SY_RANGE);
        y->type = d->type;
        y->vec = d->vec;
        y->index = (uint32_t)count;
        return true;
    }
    struct ptx_sym *y = ptx_sym_add(p, false, p->depth, name.s, name.len, d->vec > 1 ? SY_VREG : SY_REG);
    y->type = d->type;
    y->vec = d->vec;
    y->index = ptx_reg_new(p, ptx_name(p, &name), d->type, d->vec);
    return true;
}

bool ptx_decl_regs(struct ptx_parser *p)
{
    struct decl d = {.space = SPACE_REG};
    if (!p->depth)
        return ptx_err(p, &p->t, "'.reg' cannot be declared outside a function");
    if (!parse_head(p, &d))
        return false;
    do
        if (!parse_reg(p, &d))
            return false;
    while (ptx_accept(p, ','));
    return ptx_expect_semicolon(p);
}

static bool parse_param(struct ptx_parser *p, bool bind)
{
    uint64_t dims[PTX_MAX_DIMS];
    uint32_t ndims;
    int space = ptx_space_word(&p->t);
    if (space != SPACE_PARAM && space != SPACE_REG)
        return ptx_unexpected(p, "'.param' or '.reg'");
    struct decl d = {.space = (uint8_t)space};
    if (!parse_head(p, &d))
        return false;
    struct ptx_tok name = p->t;
    if (!ptx_expect(p, TK_IDENT, "a parameter's name"))
        return false;
    struct ptx_var *v = new_var(p, &d, &name);
    if (!parse_dims(p, dims, &ndims) || !set_size(p, v, &name, dims, ndims))
        return false;
    v->index = p->params.n;
    vec_push(&p->params, v);
    if (!bind || ptx_tok_is(&name, "_"))
        return true;
    if (!ptx_name_free(p, &name, false))
        return false;
    bind_var(p, v, &name);
    return true;
}

bool ptx_param_list(struct ptx_parser *p, bool bind)
{
    vec_clear(&p->params);
    if (!ptx_expect(p, '(', "'('"))
        return false;
    if (ptx_accept(p, ')'))
        return true;
    do
        if (!parse_param(p, bind))
            return false;
    while (ptx_accept(p, ','));
    return ptx_expect(p, ')', "',' or ')'");
}
