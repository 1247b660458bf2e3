/* SPDX-License-Identifier: Apache-2.0 */
/* Static code as an SM needs it: a kernel's instructions, prepared once for a configuration (kernel.c), read-only after that and
 * shared by all SMs. */
#ifndef SM_KINSN_H
#define SM_KINSN_H

#include "sm/sm.h"

enum {
    SB_WORDS = 6, /* scoreboard: R0..R255, then P and UP, then UR */
    SB_PREDS = 4, /* the word of P and UP */
    SB_FEW_REGS =
        48, /* a kernel that has no more keeps P and UP behind them, and seldom needs another word than the first */
    MAX_OPERANDS = 16,
    NEED_BANKS = 8,
    COLLECT_CYC = 2, /* into a collector and out of it */
    /* Registers that a plain collector can hold: a tensor core's sources (Malekeh paper, section III-C). */
    OPERAND_SLOTS = 6,
};

/* How an instruction goes through the SM. */
enum route {
    ROUTE_UNIT,
    ROUTE_MEMORY,
    ROUTE_HOLD,
    ROUTE_BARRIER,
    ROUTE_ASYNC,
    ROUTE_NONE,
    /* Those of sm/async. */
    ROUTE_OBJECT,
    ROUTE_COPY,
    ROUTE_PRODUCT,
};

/* Marks of a scheduler that puts warps aside between strands (annotate/strands.h): one starts at the instruction, and does so
 * when all results from memory are there. */
enum { KM_STARTS = 1, KM_WAITS = 2 };

/* A static instruction, prepared. */
struct kinsn {
    /* Bits of the scoreboard that it reads or writes: what it must not issue before; that it writes, that it reads. And which
     * words of these are not 0, by bit. */
    uint64_t any[SB_WORDS], writes[SB_WORDS], reads[SB_WORDS];
    uint8_t any_words, writes_words, reads_words;
    uint8_t cls, unit, route, space, mem, width_b, naddr, bypass;
    /* Atomics: floating point; compare-and-swap, or doubles. */
    bool is_float, is_wide;
    /* Shared memory: lanes that name one word wait for each other; cycles for each word of a bank. */
    bool meets;
    uint8_t word_cyc;
    uint8_t nread, nwrite;
    /* Registers, each once (sm.read_twice: or as often as it is named) */
    uint8_t read[MAX_OPERANDS], write[MAX_OPERANDS];
    /* The banks of these, in a warp slot whose R0 is in bank 0. */
    uint8_t read_bank[MAX_OPERANDS], write_bank[MAX_OPERANDS];
    /* By bank of R0, up to NEED_BANKS banks: the reads of each bank, a byte each. */
    uint64_t need[NEED_BANKS];
    /* One bit for each of these: what the operands' policy notes of it (policy.annotate). */
    uint16_t mark_read, mark_write;
    uint8_t self_wait; /* cycles that its operands wait for each other: those in one bank */
    uint8_t marks;     /* KM_* */
    uint8_t work;      /* counter that its lanes are counted in beside thread_insts (code/work.c) */
    uint16_t weight;   /* ... and how often each is */
    bool collects;     /* it takes a collector and a unit */
    /* Unit whose latches it takes: one for all that go to memory, since these keep their order */
    uint8_t latch;
    /* As collect.wants has it: `latch`; LATCH_UNITS where it takes no collector, unless a policy says otherwise */
    uint8_t kind;
    uint8_t from_memory; /* its result comes from memory, for accounting */
    uint8_t blame;       /* what waiting for its result is charged to (enum sm_stat) */
    uint16_t guards;     /* predicates that decide whether or where it goes: P, then UP, by bit */
    uint16_t def_preds;  /* ... that it writes */
    uint32_t exec_cyc;   /* dispatch to result; ROUTE_HOLD: issue to the warp's next issue */
    uint32_t pass_cyc;   /* a branch that its guard has switched off: the same; 0: any other */
    uint32_t ii;         /* cycles until the unit takes another one */
    bool ported;         /* its registers and words go to the load-store unit and back (sm.port_cyc) */
    /* Cycles from when its last register has left until that may be overwritten, 0: none; not before the result is there */
    uint16_t free_cyc;
    bool holds;
    uint8_t from_unit; /* the first of its units that may take it */
    /* From one of its kind to the next, of all partitions of the SM; 0: they do not wait for each other */
    uint8_t across_cyc;
    uint32_t imm, count;
    /* Control codes, if the kernel has them and the SM goes by them (coded): cycles until the warp's next issue; barriers that
     * it waits for, by bit; barriers that its result and its reads release, TR_CTL_NONE: none; sources that the reuse cache
     * keeps. */
    bool coded, yields;
    uint8_t stall, wait, write_bar, read_bar, keeps;
    bool uniform;   /* a load of constants to uniform registers */
    uint8_t fence;  /* enum ir_fence, where it waits for L2 (sm.fence_cyc) */
    bool announces; /* a store whose bytes count at a barrier object, each lane's at one of its own */
    bool asks;      /* its step has parameters, or values by lane, that issue wants */
    bool has_data;  /* its step has addresses or parameters, whoever wants them */
    bool branches;  /* ROUTE_HOLD, with neither data nor results: it does nothing but hold its warp */
    bool odd; /* a unit's instruction that has some, or an asynchronous copy: its issue has more to do */
    /* A unit's instruction that reads registers, and whose result an ALU writes to the first word of the scoreboard: most. */
    bool simple;
    uint16_t quiet;          /* instructions from it on that have no data, are no barriers and end no lanes */
    uint32_t at;             /* its number in the kernel */
    uint8_t nacc;            /* registers of a warp group's accumulators */
    uint64_t line;           /* 1 + line of code that it is in */
    bool konst_table;        /* ... of a bank beyond that of the parameters */
    uint32_t konst;          /* 1 + line of the constant banks that it reads as an operand; 0: none */
    uint64_t def[4], use[4]; /* registers: written, read */
    /* Of these a bit for every fourth: two without one in common have no register in common. use_regs is 0 where reads that wait
     * keep nobody from writing (sm.read_lock). */
    uint64_t def_regs, use_regs;
};

/* Issue to the unit, where nothing is in the way. */
static inline uint32_t sm_way_cyc(const struct sm_cfg *c)
{
    return COLLECT_CYC + c->issue_latch + c->unit_latch;
}

/* Loads; asynchronous copies are such, atomics are not. */
static inline bool is_load(const struct kinsn *k) { return (k->mem & (TM_LOAD | TM_ATOMIC)) == TM_LOAD; }

static inline bool kinsn_writes(const struct kinsn *k, uint8_t reg)
{
    return k->def[reg / 64] >> reg % 64 & 1;
}

/* Does an operand name the register? */
bool kernel_names(const struct tr_opnd *o, uint32_t reg);

/* work.c: the counter (enum sm_stat) of what the instruction's lanes do, by its facts (TF_*); how often a lane counts in it. */
uint8_t sm_work_of(const struct tr_insn *i, uint32_t facts);
uint16_t sm_work_weight(const struct tr_insn *i, uint8_t work, uint32_t tensor_cyc);

/* Cycles that operands of one instruction (by bit) wait for each other: for their bank, or for the port of their collector. */
uint32_t kinsn_self_wait(const struct kinsn *k, uint32_t operands, uint32_t bank_reads, uint32_t ports);

struct sm_kernel {
    const struct tr_kernel *tr;
    struct kinsn *insns;
    void *note[SEAMS]; /* of the policies (policy.annotate), and what takes it back */
    void (*forget[SEAMS])(void *note);
    struct sm_kernel_id id;
    uint64_t space;     /* of its program's addresses (mem_space) */
    uint64_t code_addr; /* for the instruction caches */
    uint32_t insn_b;
    uint64_t regs[4]; /* bits of a scoreboard that are registers', if all are used */
    bool copies;      /* the copy engine has work in it */
    /* By instruction: how many words of code stand before it, itself not counted. A policy that puts metadata there sets it, and
     * frees it with its note; NULL: there are none but instructions. */
    const uint32_t *words;
};

/* Words of metadata before an instruction. */
static inline uint32_t sm_kernel_meta(const struct sm_kernel *k, uint32_t at)
{
    return k->words[at] - (at ? k->words[at - 1] + 1 : 0);
}

#endif
