/* SPDX-License-Identifier: Apache-2.0 */
/* Whether an instruction's types, modifiers and number of operands exist together: the rows of forms.def, checked when
 * the whole instruction is read. A modifier that would have no effect is an error here and not a surprise later. */
#include "ptx/parser.h"

static const struct {
    uint16_t op;
    uint8_t nops;
    const char *dst, *src, *needs, *mods;
} forms[] = {
#define FORM(op, dst, src, nops, needs, mods) {P_##op, nops, dst, src, needs, mods},
#include "ptx/forms.def"
#undef FORM
};
_Static_assert(sizeof forms / sizeof *forms <= PTX_MAX_FORMS, "every form has its masks");

static const struct ptx_form *masks(struct ptx_words *w, size_t i)
{
    struct ptx_form *f = &w->form[i];
    struct ptx_opset dst = {0}, src = {0}, needs = {0}, mods = {0};
    if (f->ready)
        return f;
    ptx_words_mask(w, forms[i].dst, &dst);
    ptx_words_mask(w, forms[i].src, &src);
    ptx_words_mask(w, forms[i].needs, &needs);
    ptx_words_mask(w, forms[i].mods, &mods);
    f->ready = true;
    f->dst = dst.types;
    f->src = src.types;
    for (unsigned k = 0; k < PTX_MOD_WORDS; k++) {
        f->any |= needs.mods[k] != 0;
        f->needs[k] = needs.mods[k];
        f->mods[k] = needs.mods[k] | mods.mods[k];
    }
    return f;
}

const char *ptx_forms_undefined(struct ptx_words *w)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *const words[] = {forms[i].dst, forms[i].src, forms[i].needs, forms[i].mods};
        for (unsigned k = 0; k < 4; k++) {
            struct ptx_opset set = {0};
            const char *bad = ptx_words_mask(w, words[k], &set);
            if (bad)
                return bad;
        }
    }
    return NULL;
}

static bool types_fit(const struct ptx_form *f, const struct ptx_insn *in)
{
    if (!(f->dst >> in->type[0] & 1))
        return false;
    return f->src ? in->ntypes > 1 && f->src >> in->type[1] & 1 : in->ntypes == 1;
}

/* The first modifier of the instruction that the form does not have; M_COUNT: none. */
static uint32_t odd_modifier(const struct ptx_form *f, const struct ptx_insn *in)
{
    for (uint32_t k = 0; k < PTX_MOD_WORDS; k++) {
        uint64_t odd = in->mods[k] & ~f->mods[k];
        if (odd)
            return 64 * k + (uint32_t)__builtin_ctzll(odd);
    }
    return M_COUNT;
}

static bool needs_met(const struct ptx_form *f, const struct ptx_insn *in)
{
    for (uint32_t k = 0; k < PTX_MOD_WORDS; k++)
        if (in->mods[k] & f->needs[k])
            return true;
    return !f->any;
}

bool ptx_forms_check(struct ptx_parser *p, const struct ptx_insn *in)
{
    bool known = false, typed = false;
    uint32_t odd = M_COUNT;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (forms[i].op != in->op)
            continue;
        const struct ptx_form *f = masks(&p->words, i);
        known = true;
        if (!types_fit(f, in))
            continue;
        typed = true;
        uint32_t o = odd_modifier(f, in);
        if (o == M_COUNT && needs_met(f, in) && forms[i].nops == in->nops)
            return true;
        odd = odd == M_COUNT ? o : odd;
    }
    if (!known)
        return true;
    const char *op = ptx_op_names[in->op], *type = ir_types[in->type[in->ntypes > 1 ? 1 : 0]].name;
    if (!typed)
        ptx_error(p->m, p->d, in->line, in->col, "'%s' does not take these types together", op);
    else if (odd < M_COUNT)
        ptx_error(p->m, p->d, in->line, in->col, "'%s' on .%s has no form with '.%s'", op, type,
                  ptx_mods[odd].name);
    else
        ptx_error(p->m, p->d, in->line, in->col,
                  "'%s' on .%s has no form with these modifiers and %u operands", op, type, in->nops);
    return false;
}
