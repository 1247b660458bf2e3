/* SPDX-License-Identifier: Apache-2.0 */
/* Which modifiers go together: the rules of rules.def, checked when an instruction's modifiers are complete. */
#include "ptx/parser.h"

enum { RK_ANY, RK_INT, RK_FLOAT };
enum { RULE_ONE_OF, RULE_NEED, RULE_KIND };

static const struct {
    uint8_t rule, kind;
    uint16_t op; /* NEED */
    const char *words, *text;
} rules[] = {
#define ONE_OF(words) {RULE_ONE_OF, RK_ANY, 0, words, NULL},
#define NEED(op, kind, words, text) {RULE_NEED, RK_##kind, P_##op, words, text},
#define KIND(kind, words) {RULE_KIND, RK_##kind, 0, words, NULL},
#include "ptx/rules.def"
#undef ONE_OF
#undef NEED
#undef KIND
};
_Static_assert(sizeof rules / sizeof *rules <= PTX_MAX_RULES, "every rule has its mask");

const char *ptx_rules_init(struct ptx_words *w)
{
    const char *bad = NULL;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct ptx_opset set = {0};
        const char *b = ptx_words_mask(w, rules[i].words, &set);
        bad = bad ? bad : b;
        memcpy(w->rule[i], set.mods, sizeof set.mods);
    }
    return bad;
}

/* The modifiers of the instruction that the rule speaks of. */
static uint32_t count(const struct ptx_insn *in, const uint64_t *mask, uint32_t *last)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < PTX_MOD_WORDS; i++) {
        uint64_t both = in->mods[i] & mask[i];
        n += (uint32_t)__builtin_popcountll(both);
        if (both)
            *last = 64 * i + 63 - (uint32_t)__builtin_clzll(both);
    }
    return n;
}

/* set compares values of its last type, whatever the type of its result. */
static uint8_t kind_of(const struct ptx_insn *in)
{
    uint8_t kind = in->ntypes ? RK_INT : RK_ANY;
    for (unsigned i = in->op == P_set && in->ntypes ? in->ntypes - 1u : 0; i < in->ntypes; i++)
        if (type_is_float(in->type[i]))
            kind = RK_FLOAT;
    return kind;
}

static bool broken(struct ptx_parser *p, const struct ptx_insn *in, size_t i, uint8_t kind)
{
    uint32_t last = 0, n = count(in, p->words.rule[i], &last);
    switch (rules[i].rule) {
    case RULE_ONE_OF:
        if (n < 2)
            return false;
        ptx_error(p->m, p->d, in->line, in->col, "'.%s' contradicts another modifier of '%s'",
                  ptx_mods[last].name, ptx_op_names[in->op]);
        return true;
    case RULE_KIND:
        if (!n || kind == RK_ANY || kind == rules[i].kind)
            return false;
        ptx_error(p->m, p->d, in->line, in->col, "'.%s' needs %s type", ptx_mods[last].name,
                  rules[i].kind == RK_FLOAT ? "a floating" : "an integer");
        return true;
    default:
        if (n || (rules[i].kind != RK_ANY && kind != rules[i].kind))
            return false;
        ptx_error(p->m, p->d, in->line, in->col, "'%s' needs %s", ptx_op_names[in->op], rules[i].text);
        return true;
    }
}

bool ptx_rules_check(struct ptx_parser *p, const struct ptx_insn *in)
{
    uint8_t kind = kind_of(in);
    uint64_t any = 0;
    for (uint32_t i = 0; i < PTX_MOD_WORDS; i++)
        any |= in->mods[i];
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        bool speaks = rules[i].rule == RULE_NEED ? rules[i].op == in->op : any != 0;
        if (speaks && broken(p, in, i, kind))
            return false;
    }
    return true;
}
