/* SPDX-License-Identifier: Apache-2.0 */
/* Lowering: PTX instructions to machine instructions over virtual registers. Internal to compile/lower/.
 *
 * One PTX register becomes one virtual register of as many words as its type has (8- and 16-bit values use one word whose
 * upper bits are unspecified; the users extend). Lowering of one PTX instruction calls the emit functions; they keep the
 * machine's operand rules (one immediate or constant per instruction, never first) and put the PTX guard on everything
 * that has an effect outside the expansion: writes of PTX registers, memory, control. Writes of temporaries stay
 * unguarded, so that they have short live ranges. */
#ifndef COMPILE_LOWER_H
#define COMPILE_LOWER_H

#include "compile/reach.h"

typedef struct ir_opnd opnd;

/* What is known of the upper bits of a 16-bit PTX register. */
enum ext { EXT_UNKNOWN, EXT_ZERO8, EXT_SIGN8, EXT_ZERO16, EXT_SIGN16 };

struct lreg {
    uint32_t v;                 /* virtual register, or virtual predicate */
    uint8_t words;              /* 0: predicate */
    uint8_t ndefs;              /* saturating */
    uint8_t ext;                /* enum ext, valid if ndefs == 1 */
    const struct ptx_insn *def; /* the only one, if ndefs == 1 */
    uint8_t space;              /* where a generic pointer in it points to; SPACE_NONE: unknown */
};

struct lower {
    struct reach *unit;
    const struct ptx_module *m;
    const struct ptx_func *f;
    struct diag *d;
    struct ir_fn *fn;
    struct lreg *regs;  /* by PTX register */
    uint32_t first_tmp; /* virtual registers from here on are temporaries */
    uint32_t first_tmp_pred;
    uint32_t sp;                         /* virtual register fixed to R1 */
    uint32_t link;                       /* copy of the return address (device functions) */
    uint32_t cc;                         /* virtual predicate of the carry flag, 0: none yet */
    opnd lane_group, lane_in_group;      /* %laneid / 4 and % 4, in functions with wmma */
    opnd matrix_line[2], matrix_half[2]; /* and where a lane's row of LDSM lies (lower_wmma.c) */
    uint32_t cur;                        /* block being filled */
    const struct ptx_insn *in;
    const uint32_t *label_at; /* by PTX instruction: not 0 where a label stands before it */
    struct {
        const struct ptx_insn *of; /* NULL: free */
        opnd half;
    } halves[8]; /* products of 64 bits that were made with their other half, before their own instruction */
    uint32_t line; /* of the source, or of the PTX: what instructions get */
    opnd guard;
    VEC(uint32_t) label_block;  /* by label; PTX labels first, then local ones; UINT32_MAX: not placed */
    struct call_layout *params; /* own parameters (device function) */
    uint32_t *var_off; /* by index in f->vars: frame offset (.local) or outgoing argument offset (.param) */
    bool failed;
};

/* lower_emit.c */
opnd tmp(struct lower *L, unsigned words);
opnd tmp_pred(struct lower *L);
opnd word(opnd o, unsigned w); /* one word of a register, constant or 64-bit immediate zero operand */
struct ir_insn *emit(struct lower *L, enum ir_op op, enum ir_type type, opnd dst, opnd a, opnd b, opnd c);
/* As emit, for instructions with more operands: takes the whole instruction, applies guard and line. */
struct ir_insn *emit_insn(struct lower *L, struct ir_insn i);
opnd to_reg(struct lower *L, opnd o);  /* in a register (zero too) */
opnd mov_tmp(struct lower *L, opnd o); /* a fresh copy */
void mov(struct lower *L, opnd dst, opnd src);
opnd pair(struct lower *L, opnd lo, opnd hi);           /* a fresh pair */
opnd tuple(struct lower *L, const opnd *w, unsigned n); /* n words next to each other, in a fresh tuple */
uint32_t label_new(struct lower *L);
void label_place(struct lower *L, uint32_t label);        /* starts a block */
void branch(struct lower *L, uint32_t label, opnd guard); /* guard kind NONE: always; starts a block */
bool lower_fail(struct lower *L, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static inline opnd neg(opnd o)
{
    o.neg ^= 1;
    return o;
}
static inline opnd absolute(opnd o)
{
    o.abs = 1;
    o.neg = 0;
    return o;
}
static inline opnd imm(uint32_t v) { return ir_imm(v); }
static inline opnd not_pred(opnd p) { return neg(p); }
#define NONE_OPND ((opnd){0})
#define ZERO ir_imm(0)

/* lower_opnd.c: PTX operands as machine operands. Wide immediates are put into registers. */
/* The operand as words of its type; upper bits are as they happen to be. */
opnd src(struct lower *L, const struct ptx_opnd *o, enum ir_type t);
/* An integer of 8, 16 or 32 bits, extended to 32 as its type says. */
opnd src32(struct lower *L, const struct ptx_opnd *o, enum ir_type t);
/* Does src32 take an instruction? */
bool src_extends(const struct lower *L, const struct ptx_opnd *o, enum ir_type t);
opnd src_pred(struct lower *L, const struct ptx_opnd *o);
/* Word w of an operand of 64 bits. */
opnd src_word(struct lower *L, const struct ptx_opnd *o, enum ir_type t, unsigned w);
/* The destination register of an operand: '_' gives a temporary. */
opnd dst(struct lower *L, const struct ptx_opnd *o, enum ir_type t);
opnd dst_pred(struct lower *L, const struct ptx_opnd *o);
/* A place to build a multi-word result in: the destination itself, or a temporary where a source is the same register.
 * finish with put(). */
opnd dst_safe(struct lower *L, const struct ptx_opnd *o, enum ir_type t);
void put(struct lower *L, const struct ptx_opnd *o, enum ir_type t, opnd built);
/* Is o an immediate, or a register that only ever holds one? */
bool src_known(const struct lower *L, const struct ptx_opnd *o, uint64_t *value);
/* Notes what is in the upper bits of a destination of 16 bits. */
void set_ext(struct lower *L, const struct ptx_opnd *o, enum ext e);
opnd extend(struct lower *L, opnd o, enum ir_type t); /* low bits of t extended to 32 */

/* A 64-bit integer operand by words (immediates stay immediates). */
struct w64 {
    opnd lo, hi;
};
struct w64 src64(struct lower *L, const struct ptx_opnd *o);
opnd logic(struct lower *L, opnd d, opnd a, opnd b, uint8_t lut); /* two-input: lut over a = 0xf0, b = 0xcc */
enum { LUT_AND = 0xc0, LUT_OR = 0xfc, LUT_XOR = 0x3c, LUT_A = 0xf0, LUT_NOT_A = 0x0f, LUT_ANDN = 0x30 };
opnd isetp(struct lower *L, opnd d, enum ir_cmp c, enum ir_type t, opnd a, opnd b);
opnd isetp64(struct lower *L, opnd d, enum ir_cmp c, bool is_signed, struct w64 a, struct w64 b);
opnd sel(struct lower *L, opnd d, opnd p, opnd a, opnd b);
void add64(struct lower *L, opnd d, struct w64 a, struct w64 b, bool sub);
void mul64_lo(struct lower *L, opnd d, struct w64 a, struct w64 b);
/* The high half of an unsigned product; into word 1 of low, which has room for two, goes that of the low half. */
void mul64_hi(struct lower *L, opnd d, struct w64 a, struct w64 b, opnd low);
bool lower_div_int(struct lower *L, const struct ptx_insn *i); /* lower_idiv.c */
opnd div_u32(struct lower *L, opnd a, opnd b, bool rem);

/* A memory operand: base register (or none) and offset, in the given space. */
struct maddr {
    opnd base; /* NONE, a word, or a pair */
    int32_t off;
    uint16_t flags;
    uint8_t space; /* what it became: PARAM is turned into CONST (bank) or LOCAL */
    uint8_t bank;
};
bool mem_addr(struct lower *L, const struct ptx_opnd *o, enum ir_space space, struct maddr *a);
opnd var_address(struct lower *L, const struct ptx_var *v, int64_t off, bool generic); /* a pair */

/* lower_spin.c: atomics of shared memory that are a loop of exchanges. result may be NONE. */
bool spins_in_shared(enum ir_aop op, enum ir_type t);
void atom_spin(struct lower *L, enum ir_aop op, enum ir_type t, const struct maddr *a, opnd v, opnd result);

/* lower_cluster.c. An operand in .shared::cluster as a generic address. */
bool cluster_addr(struct lower *L, const struct ptx_opnd *o, struct maddr *a);
void lower_own_shared(struct lower *L, opnd d, opnd lo, opnd hi);
bool lower_cluster_bar(struct lower *L, const struct ptx_insn *i);
/* st.async, red.async: n has opcode, type and data, this adds the addresses. */
bool lower_async_store(struct lower *L, const struct ptx_insn *i, struct ir_insn n);

/* lower_mbar.c: cp.async.mbarrier.arrive. lower_bulk.c: cp.async.bulk and cp.reduce.async.bulk. */
bool lower_mbar_copied(struct lower *L, const struct ptx_insn *i);
bool lower_bulk(struct lower *L, const struct ptx_insn *i);

/* lower_call.c: offsets of call arguments in the frame; *at grows. */
bool lower_call_layout(struct lower *L, uint64_t *at);
bool lower_reg_params(struct lower *L);
void lower_spaces(struct lower *L);     /* fills in lreg.space */
void lower_wmma_begin(struct lower *L); /* what wmma needs, before the body */
bool lower_reg_results(struct lower *L);

/* One function per PTX opcode family; false: reported. The table is in lower.c. */
/* clang-format off */
#define LOWER_FAMILIES(X)                                                                                    \
    X(add) X(addc) X(mul) X(mad) X(madc) X(mul24) X(sad) X(div) X(absneg) X(minmax) X(dp) X(video4)          \
    X(logic) X(shift) X(shf) X(lop3) X(bfe) X(bfi) X(bfind) X(clz) X(popc) X(brev) X(prmt) X(bmsk)           \
    X(szext) X(fns) X(setp) X(set) X(selp) X(slct) X(testp) X(fma) X(sqrt) X(rcp) X(mufu) X(copysign) X(mov)        \
    X(cvt) X(cvta) X(isspacep) X(ld) X(st) X(atom) X(prefetch) X(cp) X(mbarrier) X(fence) X(tex) X(suld)     \
    X(sust) X(txq) X(shfl) X(vote) X(match) X(redux) X(activemask) X(elect) X(bar) X(nanosleep) X(trap)      \
    X(bra) X(brx) X(call) X(ret) X(exit) X(mma) X(wmma) X(wgmma) X(ldmatrix) X(stmatrix) X(movmatrix)      \
    X(setmaxnreg) X(griddepcontrol) X(nothing) X(mapa) X(getctarank)
/* clang-format on */
#define X(n) bool lower_##n(struct lower *L, const struct ptx_insn *i);
LOWER_FAMILIES(X)
#undef X

#endif
