/* SPDX-License-Identifier: Apache-2.0 */
/* The machine form: functions of basic blocks of SASS-shaped instructions. Lowering makes it with virtual
 * registers, the passes of compile/ rewrite it in place, register allocation turns virtual into physical ones.
 * ops.def is the definition of every opcode. */
#ifndef IR_IR_H
#define IR_IR_H

#include "base/arena.h"
#include "base/vec.h"
#include "ir/type.h"

#include <stdbool.h>
#include <stdio.h>

enum ir_op {
#define OP(name, unit, class, nd, ns, flags) OP_##name,
#define OPM(name, unit, class, nd, ns, flags, access, space, addrs) OP_##name,
#include "ir/ops.def"
#undef OP
#undef OPM
    OP_COUNT
};

enum ir_unit {
    UNIT_FP32,
    UNIT_INT,
    UNIT_SFU,
    UNIT_FP64,
    UNIT_HALF,
    UNIT_TENSOR,
    UNIT_LSU,
    UNIT_TEX,
    UNIT_BRANCH,
    UNIT_MISC,
    UNIT_COUNT
};

enum { OPF_MEM = 1, OPF_CTL = 2, OPF_SYNC = 4, OPF_SIDE = 8 };

enum { ACC_LOAD = 1, ACC_STORE = 2, ACC_ATOMIC = 4 };

struct ir_op_info {
    const char *name;
    uint8_t unit, ndst, nsrc, flags;
    uint8_t access, space, naddr; /* of memory through addresses; access 0: none */
};
extern const struct ir_op_info ir_ops[OP_COUNT];

/* Variants (ir_insn.sub). */
enum ir_shf { SHF_WRAP32, SHF_CLAMP32, SHF_CLAMP64 };
enum ir_prmt { PRMT_INDEX, PRMT_F4E, PRMT_B4E, PRMT_RC8, PRMT_ECL, PRMT_ECR, PRMT_RC16 };
enum ir_mufu {
    MUFU_RCP,
    MUFU_RSQ,
    MUFU_SQRT,
    MUFU_SIN,
    MUFU_COS,
    MUFU_EX2,
    MUFU_LG2,
    MUFU_TANH,
    MUFU_RCP64H,
    MUFU_RSQ64H,
    MUFU_SIN_TURN, /* sin(2 pi s0), as NVIDIA's instruction has it; its code multiplies before */
    MUFU_COS_TURN
};
enum ir_nop { NOP_PLAIN, NOP_YIELD };
enum ir_shfl { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };
/* VOTE_ACTIVE: d0 = active lanes, without waiting for any. */
enum ir_vote { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT, VOTE_ACTIVE };
enum ir_bar { BAR_SYNC, BAR_ARRIVE, BAR_RED_POPC, BAR_RED_AND, BAR_RED_OR };
/* Whose accesses a fence orders: those of a CTA, or a cluster; of the GPU; of the system. */
enum ir_fence { FENCE_NEAR, FENCE_GPU, FENCE_SYS };
enum ir_cgabar { CGABAR_ARRIVE, CGABAR_WAIT };
/* mbarrier: INIT s1 = count; INVAL; ARRIVE d = state(2), s1 = count or absent; ARRIVE_DROP; ARRIVE_NOCOMPLETE;
   TEST_WAIT d(pred) = phase of state s1(2) completed; TEST_PARITY s1 = parity (32); PENDING d = pending count of state s1;
   CP_ARRIVE: cp.async.mbarrier.arrive (IRF_X: .noinc); EXPECT_TX, COMPLETE_TX s1 = bytes; ARRIVE_TX, ARRIVE_DROP_TX: EXPECT_TX of
   s1 bytes and one arrival, d as ARRIVE; TRY_WAIT, TRY_PARITY: as TEST, after waiting. The address may be another CTA's (arrivals
   and bytes only). */
enum ir_mbar {
    MBAR_INIT,
    MBAR_INVAL,
    MBAR_ARRIVE,
    MBAR_ARRIVE_DROP,
    MBAR_TEST_WAIT,
    MBAR_TEST_PARITY,
    MBAR_PENDING,
    MBAR_CP_ARRIVE,
    MBAR_EXPECT_TX,
    MBAR_COMPLETE_TX,
    MBAR_ARRIVE_TX,
    MBAR_ARRIVE_DROP_TX,
    MBAR_TRY_WAIT,
    MBAR_TRY_PARITY
};
/* Bulk copies, by where they copy: global to shared, shared to global, shared of a CTA to shared of another one; RED: adds to
   what is there, or another operation; TENSOR: a box of a tensor. */
enum ir_bulk {
    BULK_LOAD,
    BULK_STORE,
    BULK_SHARED,
    BULK_PREFETCH,
    BULK_RED,
    BULK_RED_SHARED,
    BULK_TENSOR_LOAD,
    BULK_TENSOR_STORE,
    BULK_TENSOR_PREFETCH,
    BULK_TENSOR_RED,
    /* BULKGRP */
    BULKGRP_COMMIT,
    BULKGRP_WAIT,
    BULKGRP_WAIT_READ
};
/* HGMMA: which of A and B are negated, which lie in shared memory with neighbours of a column (A) or a row (B) next to each
   other ("MN-major"). */
enum ir_gmma { GMMA_NEG_A = 1, GMMA_NEG_B = 2, GMMA_TRANS_A = 4, GMMA_TRANS_B = 8 };
/* wgmma.fence, commit_group, wait_group. */
enum ir_warpgroup { WG_ARRIVE, WG_COMMIT, WG_WAIT };
enum ir_texgeom { TEX_1D, TEX_2D, TEX_3D, TEX_A1D, TEX_A2D, TEX_CUBE, TEX_ACUBE };
enum ir_clamp { CLAMP_TRAP, CLAMP_CLAMP, CLAMP_ZERO };
enum ir_txq { TXQ_WIDTH, TXQ_HEIGHT, TXQ_DEPTH, TXQ_CHANNELS };
/* PRINTF d = result, s0 = format pointer (2), s1 = argument buffer pointer (2).
   ASSERT s0 message, s1 file, s2 = line (1), s3 = function (pairs are generic pointers).
   MALLOC d(2) = pointer, s0 = size (2). FREE s0 = pointer (2). */
enum ir_syscall { SYS_PRINTF, SYS_ASSERT, SYS_MALLOC, SYS_FREE };

/* Special registers, X(enum, PTX name). NTID and NCTAID are constant-bank words, not S2R. */
/* clang-format off */
#define IR_SREGS(X)                                                                                          \
    X(TID_X, "tid.x") X(TID_Y, "tid.y") X(TID_Z, "tid.z")                                                    \
    X(CTAID_X, "ctaid.x") X(CTAID_Y, "ctaid.y") X(CTAID_Z, "ctaid.z")                                        \
    X(LANEID, "laneid") X(WARPID, "warpid") X(NWARPID, "nwarpid") X(SMID, "smid") X(NSMID, "nsmid")          \
    X(GRIDID, "gridid") X(GRIDID_HI, "gridid.hi")                                                            \
    X(LM_EQ, "lanemask_eq") X(LM_LE, "lanemask_le") X(LM_LT, "lanemask_lt")                                  \
    X(LM_GE, "lanemask_ge") X(LM_GT, "lanemask_gt")                                                          \
    X(CLOCK, "clock") X(CLOCK_HI, "clock_hi") X(TIMER, "globaltimer_lo") X(TIMER_HI, "globaltimer_hi")       \
    X(DYN_SMEM, "dynamic_smem_size") X(TOTAL_SMEM, "total_smem_size")                                        \
    X(ENVREG1, "envreg1") X(ENVREG2, "envreg2")                                                              \
    X(CLUSTERID_X, "clusterid.x") X(CLUSTERID_Y, "clusterid.y") X(CLUSTERID_Z, "clusterid.z")                \
    X(CLUSTER_CTAID_X, "cluster_ctaid.x") X(CLUSTER_CTAID_Y, "cluster_ctaid.y")                              \
    X(CLUSTER_CTAID_Z, "cluster_ctaid.z") X(CLUSTER_RANK, "cluster_ctarank")                                 \
    X(VIRTID, "virtid") X(VIRTCFG, "virtcfg") /* machine code alone: %warpid and %nwarpid from bit 8 on */      \
    X(ZERO, "zero")
/* clang-format on */
enum ir_sreg {
#define X(e, s) SR_##e,
    IR_SREGS(X)
#undef X
        SR_COUNT
};

/* Flags (ir_insn.flags). */
enum {
    IRF_FTZ = 1 << 0,
    IRF_SAT = 1 << 1,
    IRF_X = 1 << 2,   /* uses the carry / low-word result; see the op */
    IRF_NAN = 1 << 3, /* min/max propagate NaN */
    IRF_RELU = 1 << 4,
    IRF_TRANS = 1 << 5,
    IRF_ACC = 1 << 6,
    IRF_FINITE = 1 << 6, /* F2F, F2FP: what is too large, or infinite, becomes the largest finite number */
    IRF_XORSIGN = 1 << 7,
    IRF_FETCH4 = 1 << 8,
    IRF_CTA = 1 << 8,    /* LDG, LD, STG, ST: ordered for the threads of the CTA alone, whom L1 serves */
    IRF_CHOP = 1 << 8,   /* HMMA, HGMMA, MUFU: results as an H200 has them (exec/alu/alu_chop.h, alu_sfu.c) */
    IRF_UNI = 1 << 9,    /* the branch is known not to diverge */
    IRF_SPILL = 1 << 10, /* spill code, for counting */
    IRF_NC = 1 << 11,    /* LDG: nobody writes there while the kernel runs */
    /* LDL/STL: off, IADD3: the immediate source, is relative to the caller's R1: pass_frame adds the size of the frame */
    IRF_ARG = 1 << 12,
    IRF_KILL0 = 1 << 13,   /* a guarded write of destination 0 (1) whose old value nobody reads: */
    IRF_KILL1 = 1 << 14,   /* it ends the live range (ir_mark_kills) */
    IRF_PAST_L1 = 1 << 15, /* LDG, LD: not served by L1 */
};

enum opnd_kind { OPND_NONE, OPND_REG, OPND_PRED, OPND_IMM, OPND_CONST };

enum { MAX_GMMA_REGS = 128 }; /* of the accumulators of an HGMMA */
enum { REG_RZ = 255, REG_SP = 1, REG_LINK = 0, PRED_PT = 7, MAX_REGS = 255, MAX_PREDS = 7 };
/* Code of NVIDIA's (src/sass/) names more than a thread's registers. These are numbers of operands of kind REG and PRED
 * there: uniform registers and predicates (all lanes have the same value), convergence barriers (for each lane the lanes
 * that it waits for), the result of a barrier's reduction. REG_TMP: where sources are prepared. */
enum {
    REG_U0 = 256,
    REG_B0 = 320,
    REG_BAR = 336,
    REG_TMP = 337,
    REG_MORE = 343,
    PRED_U0 = 16,
    PRED_BAR = 23,
    PRED_MORE = 25
};
/* What becomes of a source before the operation sees it (ir_insn.prep, four bits for each of the first four). */
enum ir_prep {
    PREP_NONE,
    PREP_H0,  /* the low half, twice */
    PREP_H1,  /* the high half, twice */
    PREP_INV, /* all bits inverted */
    PREP_B1,  /* byte 1, 2, 3 or half 1 moved down */
    PREP_B2,
    PREP_B3,
    PREP_W1,
    PREP_NEG, /* sign of a float: flipped, cleared, set */
    PREP_ABS,
    PREP_NEGABS
};

/* A register operand names `n` words starting at word `sub` of virtual register `val`; once allocated,
 * `val` is the first physical register and sub is 0. RZ and PT are spelled with the helper functions
 * below and are the same before and after allocation (OPND_IMM 0 and OPND_PRED with val PT). */
struct ir_opnd {
    uint8_t kind; /* enum opnd_kind */
    /* How many registers; for IMM and CONST: words. (An IMM of two words is the high word of a double whose low word is 0;
     * with sub 1, an integer whose sign is extended.) */
    uint8_t n;
    uint8_t sub;              /* REG: first word of the virtual register; CONST: bank */
    uint8_t neg : 1, abs : 1; /* PRED: neg = inverted */
    uint32_t val;             /* REG: register; PRED: predicate; IMM: bits; CONST: byte offset */
};

/* Predicate registers are numbered apart from the others. Virtual predicates start at VPRED0 so that PT needs no
 * special case before allocation. */
enum { VPRED0 = 8 };

struct ir_insn {
    uint8_t op;    /* enum ir_op */
    uint8_t type;  /* enum ir_type */
    uint8_t stype; /* enum ir_type */
    uint8_t rnd;   /* enum ir_rnd */
    uint8_t cmp;   /* enum ir_cmp */
    uint8_t bop;   /* enum ir_bop, or as the op says */
    uint8_t sub;   /* variant */
    uint8_t lut;
    uint8_t space; /* enum ir_space of ATOM, RED */
    uint8_t vec;
    uint8_t order; /* enum ir_order */
    uint8_t aop;   /* enum ir_aop */
    uint16_t flags;
    uint16_t prep;        /* enum ir_prep of src[0] to src[3], four bits each */
    struct ir_opnd guard; /* kind NONE: always */
    struct ir_opnd dst[2];
    struct ir_opnd src[6];
    int32_t off;     /* memory offset; DEPBAR count */
    uint32_t target; /* BRA: block index; in linked code: instruction index */
    uint32_t line;   /* PTX line */
};

struct ir_block {
    VEC(struct ir_insn) insns;
    /* Successors in order: the taken target of a closing BRA first, then the fall-through block. */
    VEC(uint32_t) succ;
    VEC(uint32_t) pred; /* filled by ir_cfg_build */
    uint32_t line;
    const char *label; /* PTX label or NULL */
    bool keep_rolled;  /* a loop that begins here is not to be unrolled */
};

enum ir_class { CLASS_GPR, CLASS_PRED };

struct ir_vreg {
    uint8_t n;     /* words: 1, 2, 3, 4 (3 is aligned like 4), up to 128 for accumulators */
    uint8_t fixed; /* 1: bound to physical register phys */
    uint8_t phys;
    uint8_t nospill;  /* made by the spiller: spilling it again would not help */
    uint8_t acc;      /* accumulators of HGMMA: they stay in registers, next to each other */
    const char *name; /* PTX name, for dumps; may be NULL */
};

/* One function: an entry (kernel) or a device function. Block 0 is the entry. Blocks are in layout order: a block
 * whose last instruction is not an unguarded BRA, BRX, EXIT or RET falls through to the next one. */
struct ir_fn {
    const char *name;
    struct arena *arena;
    bool is_entry;
    uint32_t id; /* function id within the module, for CALL */
    VEC(struct ir_block) blocks;
    VEC(struct ir_vreg) vregs; /* general registers; words numbered by ir_live */
    uint32_t npreds;           /* virtual predicates are VPRED0 .. VPRED0 + npreds - 1 */
    uint32_t frame_b; /* local memory of declared variables and outgoing call arguments, below the spill area;
                                  after pass_frame: the whole frame */
    uint32_t spill_b; /* bytes added by the register allocator */
    uint32_t nbars;   /* convergence barriers */
    bool has_calls;
    bool hopper;        /* for sm_90 and later */
    bool allocated;     /* registers are physical */
    uint32_t regs_used; /* after allocation: highest register + 1 (at least 2) */
    uint32_t preds_used;
    uint32_t uregs_used; /* uniform registers (pass_constants) */
};

/* Construction. */
void ir_fn_init(struct ir_fn *fn, struct arena *arena, const char *name);
void ir_fn_free(struct ir_fn *fn); /* the vectors; the arena is the caller's */
uint32_t ir_vreg(struct ir_fn *fn, unsigned words, const char *name); /* returns its number */
uint32_t ir_vreg_fixed(struct ir_fn *fn, unsigned words, unsigned phys);
uint32_t ir_vpred(struct ir_fn *fn); /* returns VPRED0 + i */
/* The new block comes last. The array of blocks may move: pointers into it are void. */
uint32_t ir_block_new(struct ir_fn *fn, const char *label, uint32_t line);

/* The block's instructions are these n now. */
void ir_block_set(struct ir_block *b, const struct ir_insn *insns, uint32_t n);

/* Drops the virtual registers and predicates that no instruction names and renumbers the others. A module may declare a
 * million; every later set is as large as what is used. */
void ir_compact(struct ir_fn *fn);
/* NULL, or why the analyses would take too much memory. */
const char *ir_too_large(const struct ir_fn *fn);

static inline struct ir_opnd ir_none(void) { return (struct ir_opnd){0}; }
static inline struct ir_opnd ir_reg(uint32_t v, unsigned sub, unsigned n)
{
    return (struct ir_opnd){.kind = OPND_REG, .n = (uint8_t)n, .sub = (uint8_t)sub, .val = v};
}
static inline struct ir_opnd ir_pred(uint32_t p, bool neg)
{
    return (struct ir_opnd){.kind = OPND_PRED, .n = 1, .neg = neg, .val = p};
}
static inline struct ir_opnd ir_imm(uint32_t bits)
{
    return (struct ir_opnd){.kind = OPND_IMM, .n = 1, .val = bits};
}
static inline struct ir_opnd ir_const(unsigned bank, uint32_t off, unsigned n)
{
    return (struct ir_opnd){.kind = OPND_CONST, .n = (uint8_t)n, .sub = (uint8_t)bank, .val = off};
}
static inline bool opnd_is_zero(const struct ir_opnd *o) { return o->kind == OPND_IMM && o->val == 0; }

static inline bool ir_is_terminator(const struct ir_insn *i)
{
    return (i->op == OP_BRA || i->op == OP_BRX || i->op == OP_EXIT || i->op == OP_RET) &&
           i->guard.kind == OPND_NONE;
}

/* Registers of the accumulators of a tensor instruction whose A and B have as many as it names; 0: no such matrices. */
static inline unsigned ir_tensor_acc(const struct ir_insn *i)
{
    unsigned a = i->src[0].n, b = i->src[1].n;
    if (i->op == OP_DMMA)
        return a == 2 && b == 2 ? 4 : 0;
    if ((b != 1 && b != 2) || (a != b && a != 2 * b) || (a == b && b != 1))
        return 0;
    return a / b * (i->type == T_F16 ? 1 : 2);
}

/* Columns of an HGMMA's D, and registers of the accumulators of so many. */
static inline unsigned ir_gmma_cols(const struct ir_insn *i)
{
    return i->dst[0].n * (i->type == T_F16 ? 4u : 2u);
}

/* Every operand that names a register, with whether it is written. Calls f for each. */
#define ir_each_dst(i, d) for (struct ir_opnd *d = (i)->dst; d < (i)->dst + 2; d++)
#define ir_each_src(i, s) for (struct ir_opnd *s = (i)->src; s < (i)->src + 6; s++)

/* print.c */
void ir_print_insn(FILE *to, const struct ir_fn *fn, const struct ir_insn *i);
void ir_print_fn(FILE *to, const struct ir_fn *fn);
const char *ir_sreg_name(enum ir_sreg r);

/* verify.c: checks the invariants of ops.def, blocks and registers. Returns NULL, or a message (in the arena) that names
 * function, block and instruction. `after` names the pass that ran last. */
const char *ir_verify(const struct ir_fn *fn, const char *after);

#endif
