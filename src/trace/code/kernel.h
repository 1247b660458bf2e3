/* SPDX-License-Identifier: Apache-2.0 */
/* Static code as the trace keeps it and as everything after the executor sees it: one form for code compiled here and for
 * imported SASS. It says which registers an instruction reads and writes, what it touches and where it may go, and nothing
 * about values. Made by from_code.c (and importers), stored and read by the container, annotated, timed. Read-only once
 * made. */
#ifndef TRACE_KERNEL_H
#define TRACE_KERNEL_H

#include "base/arena.h"
#include "ir/ir.h"

enum tr_class {
#define CLASS(name, unit, what) TC_##name,
#include "trace/code/class.def"
#undef CLASS
    TC_COUNT
};

struct tr_class_info {
    const char *name, *what;
    uint8_t unit; /* enum ir_unit */
};
extern const struct tr_class_info tr_classes[TC_COUNT];

enum tr_opnd_kind { TO_NONE, TO_REG, TO_PRED, TO_UREG, TO_UPRED, TO_IMM, TO_CONST };

/* Register operands name n consecutive registers from val; the zero register and the true predicate are never named. */
struct tr_opnd {
    uint8_t kind; /* enum tr_opnd_kind */
    uint8_t n;    /* registers; CONST: words */
    uint8_t bank; /* CONST */
    uint8_t neg;  /* PRED: inverted */
    uint32_t val; /* register or predicate number; CONST: byte offset; IMM: bits */
};

enum { TR_DSTS = 4, TR_SRCS = 8, TR_PARAMS = 16, TR_BULK_PARAMS = 13, TR_GROUP_PARAMS = 2 };

/* Memory behaviour (tr_insn.mem). */
enum { TM_LOAD = 1, TM_STORE = 2, TM_ATOMIC = 4 };

enum { TR_NO_TARGET = 0xffffffff };

struct tr_insn {
    uint8_t cls; /* enum tr_class */
    uint8_t ndst, nsrc;
    uint8_t mem;     /* TM_*; 0: touches no memory through addresses */
    uint8_t space;   /* enum ir_space; NONE: generic, the stream tells */
    uint8_t width_b; /* bytes per lane */
    /* Address sets per dynamic instance: 0, 1, or 2 (LDGSTS: global, then shared; MBAR: shared, then what a lane brings). */
    uint8_t naddr;
    uint8_t bypass; /* 1: not served by L1 (volatile, atomics, cache hints) */
    /* Parameters per dynamic instance, in place of address sets: what the instruction starts is done by another unit,
     * once for the warp (bulk copies, warp-group matrix products). docs/trace.md says which. */
    uint8_t nparam;
    struct tr_opnd guard; /* kind NONE: always */
    struct tr_opnd dst[TR_DSTS];
    struct tr_opnd src[TR_SRCS];
    uint32_t target; /* BRANCH: instruction index; TR_NO_TARGET: indirect or none */
    /* BAR: barrier id | TB_ARRIVE | TB_CLUSTER; ASYNC: groups that may stay pending, or TA_COMMIT; MBAR with two address
     * sets: enum tr_mbar; TMA with parameters: enum tr_bulk; GMMA: TG_*; USETMAXREG: registers of a thread from here on */
    uint32_t imm;
    uint32_t count;   /* BAR: threads, 0: all of the CTA; GMMA: registers of A, 0: it is in shared memory */
    uint32_t line;    /* of the source (PTX); 0: unknown */
    uint32_t pc;      /* byte address within the kernel, as profilers show it */
    uint32_t ctl;     /* control codes, TR_CTL_*, where the kernel has them */
    const char *text; /* mnemonic with modifiers: "IMAD.WIDE.U32" */
};
/* Control codes, as NVIDIA's code has them: cycles until the warp's next issue; 1: the warp goes on, 0: it yields; barrier
 * that counts the result, and that counts the reading of the sources (TR_CTL_NONE: none); barriers to wait for; sources that are
 * kept. */
#define TR_CTL_STALL(c) ((c)&15u)
#define TR_CTL_STAYS(c) ((c) >> 4 & 1u)
#define TR_CTL_WRITE(c) ((c) >> 5 & 7u)
#define TR_CTL_READ(c) ((c) >> 8 & 7u)
#define TR_CTL_WAIT(c) ((c) >> 11 & 63u)
#define TR_CTL_REUSE(c) ((c) >> 17 & 15u)
enum { TR_CTL_NONE = 7, TR_CTL_BARRIERS = 6, TR_CTL_BITS = 21 };
/* TB_CLUSTER: the barrier of the cluster, id 0; an arrival, or a wait for the arrivals of all its threads. */
enum { TB_ARRIVE = 0x100, TB_CLUSTER = 0x200, TB_DYNAMIC = 0xff }; /* id in a register: TB_DYNAMIC */
/* Operations on barrier objects: each lane has an address and, in the second set, a value. */
enum tr_mbar {
    TMB_INIT,          /* arrivals that make a phase */
    TMB_ARRIVE,        /* how many arrivals */
    TMB_DROP,          /* the same, and every later phase waits for fewer */
    TMB_EXPECT,        /* bytes that the phase waits for */
    TMB_ARRIVE_EXPECT, /* the same, and one arrival */
    TMB_DROP_EXPECT,   /* the same, and every later phase waits for one fewer */
    TMB_COMPLETE,      /* bytes that have come */
    TMB_WAIT, /* until the phase of this parity is over; 2: it gave up; TMB_PHASES + n: until n phases are over */
    TMB_TEST,  /* asks and goes on */
    TMB_OTHER, /* nothing that others wait for */
};
enum { TMB_PHASES = 2 };
/* Bulk copies, and the groups of those that write. */
enum tr_bulk {
    TT_LOAD,
    TT_STORE,
    TT_REDUCE,
    TT_PREFETCH,
    TT_SHARED, /* from shared memory to that of a CTA of the cluster */
    TT_COMMIT = 0x100,
    TT_WAIT = 0x200 /* | groups that may stay */,
    TT_GROUPS = 0xff
};
/* Warp groups: columns of a product, TG_COMMIT if a group ends with it or here, or a wait | groups that may stay. */
enum { TG_COLUMNS = 0xffff, TG_COMMIT = 0x20000, TG_WAIT = 0x40000 };
#define TA_COMMIT 0xffffffffu
#define TB_DYNAMIC_COUNT 0xffffffffu /* thread count in a register */

struct tr_block {
    uint32_t start, n;     /* instructions */
    uint32_t nsucc, *succ; /* block indices */
    uint32_t ipdom;        /* block index or UINT32_MAX */
};

struct tr_kernel {
    struct arena arena; /* everything below lives here */
    const char *name;
    const char *file; /* source of the lines; may be "" */
    struct tr_insn *insns;
    uint32_t n;
    struct tr_block *blocks;
    uint32_t nblocks;
    uint32_t regs;     /* per thread, as NVIDIA's assembler counts */
    uint32_t shared_b; /* static */
    uint32_t local_b;  /* per thread */
    uint32_t arch;     /* SASS: sm number; 0: compiled here */
    uint32_t spill_insns;
    bool coded; /* instructions have control codes (tr_insn.ctl) */
};

void tr_kernel_free(struct tr_kernel *k); /* the struct itself comes from xcalloc */
/* counts: a figure shown before each instruction, or NULL. */
void tr_kernel_print(FILE *to, const struct tr_kernel *k, const uint64_t *counts);
void tr_insn_print(FILE *to, const struct tr_insn *i); /* one line's part: guard, mnemonic, operands */
/* NULL, or what is wrong (in k->arena): indices, classes, register numbers in range, blocks cover the code. Readers run it
 * before anybody else sees the kernel. */
const char *tr_kernel_check(struct tr_kernel *k);

bool tr_kernel_same(const struct tr_kernel *a, const struct tr_kernel *b);

struct code;
/* from_code.c: a kernel compiled here. */
struct tr_kernel *tr_kernel_from_code(const struct code *c);

#endif
