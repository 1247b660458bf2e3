/* SPDX-License-Identifier: Apache-2.0 */
/* PTX as written: what the parser makes and lowering reads. Names are resolved (registers, variables, functions,
 * labels), instruction modifiers are decoded into fields, nothing is interpreted. The AST lives in the module's arena.
 *
 * ptx_parse reports into the sink and goes on after an error (at the next ';', label or '}'); it returns NULL if there
 * was any error. */
#ifndef PTX_PTX_H
#define PTX_PTX_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/type.h"

enum ptx_mod {
#define MOD(e, s, field, value) M_##e,
#include "ptx/mods.def"
#undef MOD
    M_COUNT
};

/* ptx/ops.def: POP(name, min operands, max operands, ...): one row per PTX opcode (add, ld, wmma, ...). */
enum ptx_op {
#define POP(name, ...) P_##name,
#include "ptx/ops.def"
#undef POP
    P_COUNT
};
extern const char *const ptx_op_names[P_COUNT];

struct ptx_reg {
    const char *name; /* with the % */
    uint8_t type;     /* enum ir_type */
    uint8_t vec;      /* 1; .v2/.v4 register declarations are expanded to elements by the parser */
};

/* An initialiser word: `size` bytes of value, or the address of a symbol plus addend (a function's address for functions). */
struct ptx_init {
    uint32_t off_b;
    uint8_t size_b;
    uint8_t generic; /* generic(sym): address in the generic window */
    uint64_t value;  /* bits, or addend */
    struct ptx_var *sym;
    struct ptx_func *func;
};

struct ptx_var {
    const char *name;
    uint8_t space; /* enum ir_space */
    uint8_t type;  /* element type */
    uint8_t vec;   /* 1, 2, 4 */
    uint8_t is_extern, is_visible, is_weak, is_ptr;
    uint32_t align_b;
    uint64_t size_b; /* 0: unsized array (extern .shared) */
    uint32_t line;
    VEC(struct ptx_init) init; /* in offset order; gaps are zero */
    uint32_t index;            /* position in its list (module vars, function params, function vars) */
    struct ptx_func *owner;    /* function it is declared in, or NULL */
};

enum ptx_opnd_kind {
    PO_NONE,  /* '_' */
    PO_REG,   /* reg */
    PO_IMM,   /* imm: integer bits (two's complement, 64-bit) */
    PO_FIMM,  /* imm: bits of a double (0d, decimal) or of a float (0f) with is_f32 */
    PO_VAR,   /* var + off (address of a variable) */
    PO_FUNC,  /* func */
    PO_LABEL, /* label */
    PO_SREG,  /* sreg name, e.g. "tid.x" */
    PO_ADDR,  /* [base + off]; base in sub[0] (REG, VAR, IMM) */
    PO_VEC,   /* {sub[0..n-1]} */
    PO_PAIR,  /* sub[0] | sub[1] */
    PO_TEX,   /* [sub[0], sub[1]] or [sub[0], sub[1], sub[2]]: texture/surface, (sampler,) coordinates */
    PO_LIST,  /* (sub...) of a call */
    PO_TABLE, /* name of .branchtargets / .calltargets / .callprototype: table */
};

struct ptx_opnd {
    uint8_t kind;
    uint8_t neg; /* '!' before a predicate, or '-' before a register */
    uint8_t is_f32;
    uint8_t n;      /* sub operands */
    uint32_t reg;   /* index into ptx_func.regs */
    uint32_t label; /* index into ptx_func.labels */
    uint32_t table; /* index into ptx_func.tables */
    uint32_t col;
    uint64_t imm;
    int64_t off;
    const char *sreg;
    struct ptx_var *var;
    struct ptx_func *func;
    struct ptx_opnd *sub;
};

enum { PTX_MAX_TYPES = 4, PTX_MAX_OPNDS = 12, PTX_MOD_WORDS = (M_COUNT + 63) / 64 };

struct ptx_insn {
    uint16_t op; /* enum ptx_op */
    uint8_t ntypes;
    uint8_t type[PTX_MAX_TYPES]; /* in order of appearance */
    uint8_t rnd, cmp, bop, aop;
    uint8_t space;  /* first state space named */
    uint8_t space2; /* second one (cp.async.ca.shared.global) */
    uint8_t vec;    /* 1, 2, 4, 8 */
    uint8_t order;
    uint8_t geom;
    uint8_t nlayouts, layout[2]; /* row 0, col 1, in order */
    uint8_t count;               /* .x1 .x2 .x4 */
    uint16_t m, n, k;            /* .mMnNkK shape */
    uint64_t mods[PTX_MOD_WORDS];
    uint8_t guard_neg;
    bool keep_rolled; /* .pragma "nounroll" stands in front of it */
    uint32_t guard;   /* register index + 1; 0: none */
    uint8_t nops;
    /* Of a call: the list of results (LIST or NONE), callee (FUNC or REG), argument list (LIST), [TABLE]. */
    struct ptx_opnd *ops;
    uint32_t line, col;
    uint32_t loc; /* the .loc in force: index + 1 into ptx_module.locs, 0: none */
};

static inline bool ptx_has(const struct ptx_insn *i, enum ptx_mod m)
{
    return i->mods[m / 64] >> (m % 64) & 1;
}

struct ptx_label {
    const char *name;
    uint32_t at; /* index of the instruction it stands before (insns.n: end) */
    uint32_t line;
    bool used; /* code may jump here; debug information has labels of its own */
};

enum ptx_table_kind { PT_BRANCHTARGETS, PT_CALLTARGETS, PT_CALLPROTOTYPE };
struct ptx_table {
    const char *name;
    uint8_t kind;
    VEC(uint32_t) labels;               /* BRANCHTARGETS */
    VEC(struct ptx_func *) funcs;       /* CALLTARGETS */
    VEC(struct ptx_var *) rets, params; /* CALLPROTOTYPE */
};

struct ptx_func {
    const char *name;
    uint8_t is_entry, is_extern, is_visible, is_weak, has_body, noreturn;
    uint32_t line;
    uint32_t loc;   /* its first .loc that is not inlined: index + 1, 0: none */
    uint32_t index; /* position in module.funcs */
    VEC(struct ptx_var *) params, rets;
    VEC(struct ptx_reg) regs;
    VEC(struct ptx_var *) vars; /* .local .shared .param (call arguments) declared inside */
    VEC(struct ptx_label) labels;
    VEC(struct ptx_table) tables;
    VEC(struct ptx_insn) insns;
    uint32_t maxntid[3], reqntid[3], minnctapersm, maxnreg; /* 0: not given */
    uint32_t cluster[3], maxclusterrank; /* .reqnctapercluster, .maxclusterrank; 0: not given */
    uint8_t explicitcluster;
};

/* A .loc: a line of a file, and the place that the code of that line was inlined into. */
struct ptx_loc {
    uint32_t file, line; /* line 0: of no line in particular */
    uint32_t outer;      /* index + 1 into ptx_module.locs, less than its own; 0: none, or not known */
    uint32_t depth;      /* places behind outer */
};

struct ptx_module {
    struct arena arena;
    const char *file; /* for messages */
    const char *src;  /* the text, kept for carets; owned by the arena */
    size_t src_len;
    uint32_t version; /* 10 * major + minor */
    const char *target;
    uint32_t sm; /* number in sm_NN */
    uint32_t address_size;
    VEC(struct ptx_var *) vars; /* .global .const .shared, .texref at module level */
    VEC(struct ptx_func *) funcs;
    VEC(const char *) files; /* .file table by number */
    VEC(struct ptx_loc) locs;
};

struct ptx_module *ptx_parse(const char *file, const char *src, size_t len, struct diag *d);
void ptx_module_free(struct ptx_module *m);
struct ptx_func *ptx_find_func(const struct ptx_module *m, const char *name);

/* The file that a kernel was written in: that of its first .loc, as the compiler names it. NULL: the module does not say;
 * then the PTX is all the source there is. */
const char *ptx_source_file(const struct ptx_module *m, const struct ptx_func *entry);
/* The line of that file (which there must be) that a .loc lies in, or the innermost one that it was inlined into; 0: none. */
uint32_t ptx_source_line(const struct ptx_module *m, const struct ptx_func *entry, uint32_t loc);

/* Reports at an instruction or operand column of the module's source. */
#define ptx_error(m, d, line, col, ...)                                                                      \
    diag_error((d), (m)->file, (m)->src, (m)->src_len, (line), (col), __VA_ARGS__)

#endif
