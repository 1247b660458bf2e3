/* SPDX-License-Identifier: Apache-2.0 */
/* The words of instructions: opcodes (ops.def), modifiers (mods.def), types (ir/type.h), and which go
 * together. One hash of all words is built per parse; an opcode's row is decoded when it is first met. */
#ifndef PTX_OPTAB_H
#define PTX_OPTAB_H

#include "ptx/ptx.h"

enum ptx_mod_field {
    MF_FLAG,
    MF_RND,
    MF_CMP,
    MF_CMP_OR_FLAG,
    MF_BOP_AOP,
    MF_AOP,
    MF_SPACE,
    MF_VEC,
    MF_ORDER,
    MF_GEOM,
    MF_LAYOUT,
    MF_COUNT,
};

struct ptx_mod_info {
    const char *name;
    uint8_t field; /* enum ptx_mod_field */
    uint8_t value;
};
extern const struct ptx_mod_info ptx_mods[M_COUNT];

struct ptx_op_info {
    const char *name;
    uint8_t min_ops, max_ops, min_types, max_types;
    const char *types, *mods;
};
extern const struct ptx_op_info ptx_ops[P_COUNT];

enum ptx_word_kind { PW_NONE, PW_OP, PW_MOD, PW_TYPE, PW_REFUSED };
enum { PTX_WORD_SLOTS = 2048, PTX_MAX_RULES = 96, PTX_MAX_FORMS = 160 };

/* What one opcode may carry. */
struct ptx_opset {
    bool ready, shape;
    uint64_t mods[PTX_MOD_WORDS];
    uint64_t types;
};

/* A row of forms.def as masks, made when first asked for. */
struct ptx_form {
    bool ready, any; /* any: one of `needs` must be there */
    uint64_t dst, src;
    uint64_t needs[PTX_MOD_WORDS], mods[PTX_MOD_WORDS];
};

struct ptx_words {
    struct {
        const char *s;
        uint8_t len, kind;
        uint16_t value;
    } slot[PTX_WORD_SLOTS];
    struct ptx_opset set[P_COUNT];
    uint64_t rule[PTX_MAX_RULES][PTX_MOD_WORDS]; /* the modifiers that each row of rules.def names */
    struct ptx_form form[PTX_MAX_FORMS];
};
_Static_assert(T_COUNT <= 64, "types fit a mask");

void ptx_words_init(struct ptx_words *w);
/* Opcodes and dotted words are different name spaces: `add` is both. */
bool ptx_word_find(const struct ptx_words *w, bool opcode, const char *s, size_t len, uint8_t *kind,
                   uint16_t *value);
const struct ptx_opset *ptx_word_set(struct ptx_words *w, enum ptx_op op);
/* Adds the words of a row to the set; returns the first that nothing defines, or NULL. */
const char *ptx_words_mask(const struct ptx_words *w, const char *words, struct ptx_opset *set);
const char *ptx_rules_init(struct ptx_words *w);
const char *ptx_forms_undefined(struct ptx_words *w);
/* The first word of the table's strings that nothing defines, or NULL; for tests. */
const char *ptx_words_undefined(struct ptx_words *w, char *buf, size_t size);
/* The opcode whose name looks most like s, or NULL. */

/* mMnN or mMnNkK; false if s is no shape. */
bool ptx_shape(const char *s, size_t len, uint16_t mnk[3]);
uint32_t ptx_hash(const char *s, size_t len);

#endif
