/* SPDX-License-Identifier: Apache-2.0 */
/* NVIDIA's machine code: instructions of 128 bits (sm_75 to sm_120) decoded by a table, printed as NVIDIA's disassembler prints
 * them, and a kernel of them translated into the form that the executor runs (ir/code.h).
 *
 * sass_decode knows every instruction that forms*.def has a row for and refuses all others; it never guesses. The reader of
 * cubins (cubin.h) gives kernels as words; nothing here reads files. */
#ifndef SASS_SASS_H
#define SASS_SASS_H

#include "ir/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 75, 80, 86, 89, 90, 100, 120 of "sm_75", "sm_90a" and so on; 0: not known. */
unsigned sass_arch(const char *name);

enum {
    SASS_RZ = 255,
    SASS_PT = 7,
    SASS_MAX_OPNDS = 10,
    SASS_MAX_MODS = 14,
    SASS_TEXT_B = 256 /* enough for any instruction's text */
};

enum sass_opnd_kind {
    SASS_NONE,
    SASS_REG,   /* R reg */
    SASS_UREG,  /* UR reg */
    SASS_PRED,  /* P reg */
    SASS_UPRED, /* UP reg */
    SASS_BREG,  /* B reg: convergence barrier */
    SASS_IMM,   /* imm, as its print says */
    SASS_CONST, /* c[bank][index + imm]: reg or ureg as index */
    SASS_ADDR,  /* [reg + ureg + imm], with a descriptor's uniform register where there is one */
    SASS_LABEL, /* imm: bytes from the end of the instruction */
    SASS_SREG,  /* special register number reg */
    SASS_OTHER  /* imm: what only the text names */
};

struct sass_opnd {
    uint8_t kind; /* enum sass_opnd_kind */
    uint8_t reg;  /* of the kind; ADDR and CONST: base or index register, SASS_RZ for none */
    uint8_t ureg; /* ADDR: uniform base or index register, CONST: index; URZ for none */
    uint8_t desc; /* ADDR: first uniform register of the descriptor; URZ for none */
    uint8_t bank; /* CONST */
    uint8_t sel;  /* halves or bytes of a register that are taken (enum of its operand in the table) */
    bool neg, abs, inv, reuse;
    bool wide;  /* ADDR: the base is a pair of registers, IMM: 64 bits */
    bool shown; /* false: the usual value, which the text leaves out */
    int64_t imm;
};

struct sass_mod {
    uint8_t kind, value; /* enum sass_modkind; its value in the encoding */
};

/* Control, bits 105 to 125. */
struct sass_ctl {
    uint8_t stall, yield, wbar, rbar, wait, reuse; /* wbar, rbar 7: none; yield 0: the warp yields */
};

struct sass_row;
struct sass_insn {
    const struct sass_row *row;
    uint64_t lo, hi;
    uint64_t rest_lo, rest_hi; /* bits set that no field of the row has */
    struct sass_opnd guard;    /* kind NONE: always */
    uint8_t arch, nopnds, nmods, form;
    /* In the order of the text; those that it leaves out are here too */
    struct sass_opnd opnd[SASS_MAX_OPNDS];
    struct sass_mod mod[SASS_MAX_MODS];
    struct sass_ctl ctl;
};

/* False: no such instruction on that architecture; why (of why_b bytes) says which field has what it cannot have. */
bool sass_decode(unsigned arch, uint64_t lo, uint64_t hi, struct sass_insn *out, char *why, size_t why_b);

/* The text of a place in the code, into buf of n bytes: what stands for a label. */
typedef void sass_label(void *ctx, uint64_t address, char *buf, size_t n);
/* One line without a newline. pc: its address in bytes; label NULL: targets as numbers. Returns the length. */
size_t sass_print(char *buf, size_t n, const struct sass_insn *i, uint64_t pc, sass_label *label, void *ctx);
/* Control as "B--2---:R0:W1:Y:S05": barriers waited for, read and write barrier, yield, stall count. */
size_t sass_print_ctl(char *buf, size_t n, const struct sass_ctl *c);
const char *sass_name(const struct sass_insn *i); /* FFMA */

/* A kernel as the reader of cubins gives it. Code of the functions it calls follows its own in `words`; relocations have been
 * applied. What pointers name must stay as long as the translated code is used. */
enum {
    SASS_BANKS = 8,
    SASS_STACK_B = 1024 /* CUDA's default stack of a thread */
};
struct sass_kernel {
    const char *name, *file;
    unsigned arch;
    const uint64_t *words; /* low, high of each instruction */
    uint32_t n;            /* instructions */
    uint64_t text_addr;    /* of words[0], where code has an address (CALL.ABS, LEPC, function pointers) */
    const uint32_t *lines; /* source line of each instruction, or NULL */
    uint32_t regs;         /* of a thread (EIATTR_REGCOUNT) */
    uint32_t param_off;    /* PARAM_CBANK: where parameters begin in bank 0 */
    uint32_t param_b;
    const struct code_param *params; /* off_b from param_off */
    uint32_t nparams;
    uint32_t shared_b;        /* static */
    uint32_t system_shared_b; /* that shared memory has before it: 1 KiB on sm_90 and later */
    uint32_t local_b;         /* stack of a thread */
    uint32_t maxntid, reqntid[3], minnctapersm;
    uint32_t cluster[3], max_cluster; /* 0: not given */
    bool explicit_cluster;
    /* Constant banks 1 to 7 as they are when the kernel runs: 2 literals, 3 __constant__ variables, 4 addresses. */
    const unsigned char *bank[SASS_BANKS];
    uint32_t bank_b[SASS_BANKS];
};

/* Can the instruction be executed? False: why. */
bool sass_executes(const struct sass_insn *i, char *why, size_t why_b);

/* NULL after writing to why which instruction (with its text and encoding) cannot be executed, or what else is wrong. */
struct code *sass_translate(const struct sass_kernel *k, char *why, size_t why_b);

#endif
