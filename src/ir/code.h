/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel as the executor runs it and the trace stores it: flat code of the entry and every function it can reach,
 * physical registers, branch targets as instruction indices. Made by compile/link.c; read-only afterwards. */
#ifndef IR_CODE_H
#define IR_CODE_H

#include "ir/ir.h"

/* Constant bank 0: the launch. Words at these byte offsets, then the kernel's parameters (as on Volta). */
enum {
    CB_NTID_X = 0x0,
    CB_NTID_Y = 0x4,
    CB_NTID_Z = 0x8,
    CB_NCTAID_X = 0xc,
    CB_NCTAID_Y = 0x10,
    CB_NCTAID_Z = 0x14,
    CB_STACK = 0x28,            /* initial stack pointer: bytes of local memory per thread */
    CB_DYN_SHARED = 0x2c,       /* byte offset of dynamic shared memory */
    CB_NCLUSTERID_X = 0x30,     /* and y, z: clusters of the grid */
    CB_CLUSTER_NCTAID_X = 0x3c, /* and y, z: CTAs of a cluster */
    CB_CLUSTER_NCTARANK = 0x48, /* all of them */
    CB_CLUSTER_GIVEN = 0x4c,    /* 1: the kernel or its launch asked for clusters */
    CB_PARAM = 0x160,
};
/* Constant banks. Bank 3 has the .const variables, bank 4 addresses of symbols (code_sym). */
enum { BANK_LAUNCH = 0, BANK_CONST = 3, BANK_ADDR = 4 };

/* Generic address windows. Device (global) addresses never fall in them. */
#define WINDOW_SHARED 0x0001000000000000ull
#define WINDOW_LOCAL 0x0001000100000000ull
#define WINDOW_CONST 0x0001000200000000ull
/* Constant bank 0 (kernel parameters, from CB_PARAM on), inside the constant window. */
#define WINDOW_PARAM 0x0001000280000000ull
/* Bits 24 to 31 of a shared address: 1 + the rank in the cluster of the CTA that has the memory; 0: the executing CTA. */
enum { SHARED_RANK_BIT = 24, SHARED_RANK_MAX = 254 };
#define WINDOW_SIZE 0x0000000100000000ull
#define FUNC_ADDR0 0x0001000300000000ull /* address of function id 0; ids follow in steps of 16 */

/* A word pair of bank 4, filled in at load. */
enum code_sym_kind { SYM_GLOBAL, SYM_CONST_VAR, SYM_TEXREF };
struct code_sym {
    uint8_t kind;
    uint32_t var; /* index into ptx_module.vars */
    uint64_t addend;
};

struct code_param {
    const char *name;
    uint32_t off_b, size_b, align_b; /* off_b from CB_PARAM */
};

struct code_block {
    uint32_t start, n;     /* instructions */
    uint32_t nsucc, *succ; /* block indices */
    uint32_t ipdom;        /* block index or UINT32_MAX */
};

struct code_func {
    const char *name;
    uint32_t id, entry;         /* function id (ptx_func.index), first instruction */
    uint32_t nblocks0, nblocks; /* range in blocks */
    uint32_t regs, frame_b;
};

/* Registers per thread that Volta and later keep for themselves; they count for occupancy and in ptxas's figures
 * (measured: highest register in the SASS + 3, on every one of 89 kernels). */
enum { REGS_RESERVED = 2 };

/* What code of NVIDIA's has in addition. */
enum { CODE_BANKS = 8 };
struct code_sass {
    uint32_t arch;                         /* 90 */
    uint32_t param_off;                    /* where parameters begin in constant bank 0 */
    uint32_t system_shared_b;              /* that shared memory has before the kernel's own */
    uint64_t text_addr;                    /* of the first instruction, where code has an address */
    const unsigned char *bank[CODE_BANKS]; /* 1 to 7; whoever loaded the module keeps them */
    uint32_t bank_b[CODE_BANKS];
    const uint64_t *words; /* the encodings: low, high of each instruction */
};

struct code {
    struct arena arena; /* everything below lives here */
    const char *name;
    const char *file; /* PTX file, for messages */
    struct ir_insn *insns;
    uint32_t n;
    /* Branch tables. An entry is the index of an instruction; of a BRX, target is its first entry and off how many it has. */
    uint32_t *brx;
    uint32_t nbrx;
    struct code_block *blocks;
    uint32_t nblocks;
    struct code_func *funcs; /* [0] is the entry */
    uint32_t nfuncs;
    struct code_param *params;
    uint32_t nparams, param_b;
    struct code_sym *syms;
    uint32_t nsyms;
    uint32_t regs; /* per thread, as NVIDIA's assembler counts: highest register used + 1 + REGS_RESERVED */
    /* With setmaxnreg: the registers that the code uses, while regs is what its threads start with. Without: 0. */
    uint32_t regs_later;
    uint32_t uregs;    /* uniform registers that our own code names */
    uint32_t shared_b; /* static shared memory; dynamic starts here (rounded up to dyn_align) */
    uint32_t dyn_align;
    uint32_t local_b; /* stack per thread (frames of the deepest call chain; recursion: RECURSIVE_STACK_B) */
    uint32_t spill_b;
    uint32_t nbars; /* convergence barriers */
    uint32_t maxntid, reqntid[3], minnctapersm;
    uint32_t cluster[3], max_cluster; /* CTAs of a cluster that it requires, and the most; 0: not given */
    bool explicit_cluster;            /* it requires that there are clusters */
    uint32_t static_insns, spill_loads, spill_stores;
    bool recursive, uses_printf, uses_malloc, grid_sync;
    const struct code_sass *sass; /* NULL: our own code */
};

/* What a thread's registers take in the executor. */
static inline uint32_t code_rows(const struct code *c)
{
    return c->regs_later > c->regs ? c->regs_later : c->regs;
}

/* ... and what starts at REG_U0. */
static inline uint32_t code_more_rows(const struct code *c) { return c->sass ? REG_MORE - REG_U0 : c->uregs; }

/* All rows of a warp that instructions may name: a thread's registers, then the others. */
static inline uint32_t code_all_rows(const struct code *c) { return code_rows(c) + code_more_rows(c); }

void code_free(struct code *c); /* the struct itself comes from xmalloc or xcalloc */
void code_print(FILE *to, const struct code *c);

#endif
