/* SPDX-License-Identifier: Apache-2.0 */
/* The state of one parse, shared by the files of the parser; nothing outside src/ptx includes this.
 *
 * module.c reads top-level directives and drives; parse.c steps through tokens; func.c functions and
 * statements; decl.c variables and registers; init.c initialisers; insn.c opcodes and modifiers; rules.c what
 * modifiers ask of each other; opnd.c operands; call.c calls; label.c labels and target tables; expr.c
 * constants; loc.c source positions; sreg.c special registers; alias.c aliases; scope.c names.
 *
 * A parse function returns false after it has reported an error; the caller skips to the next statement. */
#ifndef PTX_PARSER_H
#define PTX_PARSER_H

#include "ptx/lex.h"
#include "ptx/optab.h"
#include "ptx/ptx.h"

enum {
    PTX_MAX_DEPTH = 128,     /* nested { } of a function */
    PTX_MAX_EXPR_DEPTH = 64, /* nested parentheses and signs of a constant expression */
    PTX_MAX_REGS = 1 << 20,  /* registers a function may declare */
    PTX_MAX_DIMS = 8,        /* dimensions of an array */
    PTX_MAX_ARGS = 255,      /* operands of a list or vector: ptx_opnd.n is a byte */
    PTX_MAX_FILE = 1 << 16,  /* number of a .file */
    PTX_MAX_CLUSTER = 16,    /* CTAs */
    PTX_MAX_ALIGN = 1 << 16,
    PTX_SEEN_LOCS = 1 << 12, /* .loc places that are remembered: a power of two */
};
#define PTX_MAX_VAR_B (1ull << 40)

/* While an instruction is read: an operand whose name is not known yet; `table` is its index in name_refs. */
enum { PO_PENDING = 255 };

enum ptx_sym_kind { SY_REG, SY_VREG, SY_RANGE, SY_VAR, SY_FUNC, SY_LABEL, SY_TABLE };

/* A name in a scope. A range (.reg %r<10>) is entered under its stem; the registers it stands for become
 * symbols of the range's scope when they are first used. */
struct ptx_sym {
    struct ptx_sym *next;       /* in the hash chain */
    struct ptx_sym *scope_next; /* in the scope's list */
    const char *name;
    uint32_t len, hash;
    uint16_t depth;
    uint8_t kind;
    uint8_t type, vec; /* REG, VREG, RANGE */
    bool bad;          /* entered after an error, so that it is reported once */
    /* REG VREG: first register; RANGE: count; LABEL, TABLE: index; FUNC: 1 once it is declared. */
    uint32_t index;
    struct ptx_var *var;
    struct ptx_func *func;
};

struct ptx_symtab {
    struct ptx_sym **bucket;
    uint32_t n, cap;
};

struct ptx_scope {
    struct ptx_sym *names, *labels;
    uint32_t first_ref; /* label references from here on were made in this scope or below */
    uint32_t line, col; /* of its '{' */
};

/* A label, or table, that is named before its scope has ended. */
struct ptx_label_ref {
    const char *name;
    uint32_t len, line, col;
    struct ptx_opnd *opnd; /* what to fill, or NULL: nothing, or a slot of a .branchtargets */
    uint32_t table, slot;
    bool in_table, want_table;
};

/* A module-level name used before it is declared. */
struct ptx_name_ref {
    const char *name;
    uint32_t len, line, col;
    struct ptx_opnd *opnd; /* what to fill, */
    struct ptx_var *var;   /* or initialiser `slot` of this, or nothing */
    uint32_t slot;
};

struct ptx_alias_pair {
    struct ptx_func *from, *to;
};

/* An earlier .loc, for those inlined into it. */
struct ptx_seen_loc {
    uint32_t loc; /* index + 1 in the module; 0: none */
    uint32_t col;
};

struct ptx_parser {
    struct ptx_lex lx;
    struct ptx_tok t;     /* the current token */
    struct ptx_tok ahead; /* the one behind it, if have_ahead */
    bool have_ahead;
    uint32_t prev_line, prev_col; /* just behind the last consumed token */
    uint32_t braces;              /* '{' of the current statement that are still open */

    struct ptx_module *m;
    struct diag *d;
    struct arena tmp; /* symbols */
    struct ptx_words words;
    struct ptx_symtab names, labels;
    struct ptx_scope scope[PTX_MAX_DEPTH + 1]; /* 0: module; 1: function */
    uint32_t depth;
    uint32_t nested_ranges; /* register ranges in scopes deeper than 1 */
    uint32_t expr_depth;

    struct ptx_func *fn; /* the function being read, or NULL */
    uint64_t regs_declared;
    uint32_t loc;     /* the .loc in force: index + 1, 0: none */
    bool keep_rolled; /* .pragma "nounroll" was read, and no instruction since */
    struct ptx_seen_loc seen_locs[PTX_SEEN_LOCS];
    VEC(struct ptx_label_ref) label_refs;
    VEC(struct ptx_name_ref) name_refs;
    VEC(struct ptx_opnd) stack; /* operands being collected */
    VEC(struct ptx_var *)
    params, rets; /* lists of the function header being read; params also of a prototype */
    VEC(struct ptx_alias_pair) aliases;
};

/* parse.c: tokens and the directives that may stand anywhere */
void ptx_next(struct ptx_parser *p);
const struct ptx_tok *ptx_peek(struct ptx_parser *p);
bool ptx_accept(struct ptx_parser *p, int kind);
bool ptx_expect(struct ptx_parser *p, int kind, const char *what); /* "expected WHAT" */
bool ptx_expect_semicolon(struct ptx_parser *p);
bool ptx_expect_int(struct ptx_parser *p, const char *what, uint64_t max, uint64_t *value);
bool ptx_unexpected(struct ptx_parser *p, const char *what);
const char *ptx_name(struct ptx_parser *p, const struct ptx_tok *t);
bool ptx_skip_parens(struct ptx_parser *p);
void ptx_skip_braces(struct ptx_parser *p); /* at '{': behind its '}' */
/* Directives that may stand at module level and in functions; false: not one of them. */
bool ptx_common_directive(struct ptx_parser *p, bool *ok);
#define ptx_err(p, tok, ...) (ptx_error((p)->m, (p)->d, (tok)->line, (tok)->col, __VA_ARGS__), ptx_failed())
static inline bool ptx_failed(void) { return false; }
#define PTX_SLICE(len, s) ((len) > 120 ? 120 : (int)(len)), (s)
#define PTX_TOK(tok) PTX_SLICE((tok)->len, (tok)->s)

/* scope.c */
void ptx_scope_push(struct ptx_parser *p);
void ptx_scope_pop(struct ptx_parser *p);
struct ptx_sym *ptx_sym_find(struct ptx_symtab *tab, const char *s, uint32_t len);
/* The module-level symbol, whatever hides it. */
struct ptx_sym *ptx_sym_global(struct ptx_parser *p, const char *s, uint32_t len);
struct ptx_sym *ptx_sym_add(struct ptx_parser *p, bool label, uint32_t depth, const char *s, uint32_t len,
                            enum ptx_sym_kind kind);
struct ptx_sym *ptx_name_find(struct ptx_parser *p, const char *s, uint32_t len);
/* Reports the name as declared already in this scope; false if it was. */
bool ptx_name_free(struct ptx_parser *p, const struct ptx_tok *t, bool range);
uint32_t ptx_reg_new(struct ptx_parser *p, const char *name, uint8_t type, uint8_t vec);

/* expr.c */
struct ptx_const {
    uint16_t kind; /* TK_INT, TK_DOUBLE, TK_SINGLE */
    bool is_unsigned;
    uint64_t value;
};
bool ptx_starts_const(const struct ptx_tok *t);
bool ptx_const_expr(struct ptx_parser *p, struct ptx_const *c);
bool ptx_int_expr(struct ptx_parser *p, uint64_t *value);
/* An offset that follows a name: '+' expr, '-' expr, or nothing. */
bool ptx_offset(struct ptx_parser *p, int64_t *off);

/* decl.c */
enum { PTX_LINK_EXTERN = 1, PTX_LINK_VISIBLE = 2, PTX_LINK_WEAK = 4 };
int ptx_space_word(const struct ptx_tok *t);             /* enum ir_space of a declaration, or -1 */
bool ptx_decl_vars(struct ptx_parser *p, unsigned link); /* at the state space */
bool ptx_decl_regs(struct ptx_parser *p);                /* behind .reg */
/* ( .param ..., .param ... ) into p->params; `bind`: the names become visible. */
bool ptx_param_list(struct ptx_parser *p, bool bind);
bool ptx_attribute(struct ptx_parser *p); /* behind .attribute */

/* init.c */
/* What stands behind '='. */
bool ptx_initialiser(struct ptx_parser *p, struct ptx_var *v, const uint64_t *dims, uint32_t ndims);

/* func.c */
bool ptx_function(struct ptx_parser *p, unsigned link); /* at .entry or .func */
struct ptx_func *ptx_func_named(struct ptx_parser *p, const struct ptx_tok *t);

/* alias.c */
bool ptx_alias(struct ptx_parser *p); /* at .alias */
void ptx_aliases_fix(struct ptx_parser *p);

/* insn.c */
bool ptx_instruction(struct ptx_parser *p);

/* forms.c */
bool ptx_forms_check(struct ptx_parser *p, const struct ptx_insn *in);

/* rules.c */
bool ptx_rules_check(struct ptx_parser *p, const struct ptx_insn *in);

/* opnd.c */
/* The symbol of a register; an undeclared one is reported and entered, so that it is reported once. NULL:
 * no register. */
struct ptx_sym *ptx_reg_named(struct ptx_parser *p, const struct ptx_tok *name);
bool ptx_operand(struct ptx_parser *p, enum ptx_op op, struct ptx_opnd *o);
/* A list of operands up to and with `close`, collected into o->sub. */
bool ptx_operand_list(struct ptx_parser *p, enum ptx_op op, int close, struct ptx_opnd *o);
/* Moves the operands collected since `from` to the module's arena. Only then may references point at them. */
struct ptx_opnd *ptx_take_operands(struct ptx_parser *p, uint32_t from);
void ptx_names_fix(struct ptx_parser *p); /* at the end of the module */

/* loc.c */
bool ptx_parse_loc(struct ptx_parser *p); /* behind .loc */

/* sreg.c */
/* The name (with component) if the tokens at p are a special register, which are then consumed. */
bool ptx_special(struct ptx_parser *p, const struct ptx_tok *name, const char **sreg, bool *failed);

/* call.c */
bool ptx_call_operands(struct ptx_parser *p); /* pushes three or four operands */

/* label.c */
bool ptx_label_stmt(struct ptx_parser *p); /* at NAME ':' */
bool ptx_label_operand(struct ptx_parser *p, bool want_table, struct ptx_opnd *o);
void ptx_labels_fix(struct ptx_parser *p); /* at the end of a scope */

#endif
