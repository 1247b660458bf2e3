/* SPDX-License-Identifier: Apache-2.0 */
/* A cubin: the ELF file in which NVIDIA's assembler leaves machine code for one architecture, sm_70 to sm_120.
 *
 * cubin_read checks all of it before anything is used and keeps a copy: sections, symbols and relocations as they are in the
 * file, and for each kernel what its attributes say (registers, parameters, shared and local memory, barriers, clusters).
 * Nothing in a file is trusted; what is wrong is told with the offset of the byte. Code is bytes here: sass.h decodes them.
 *
 * The layout of attributes is not documented by NVIDIA; docs/sass.md has the facts that are used. */
#ifndef SASS_CUBIN_H
#define SASS_CUBIN_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { CUBIN_MACHINE = 190, CUBIN_MAX_B = 1 << 30, CUBIN_BANKS = 8 };

struct cubin_section {
    const char *name;
    const unsigned char *data; /* NULL: nothing in the file (NOBITS) */
    uint64_t size_b, flags, align_b;
    uint32_t type, link, info;
};

enum cubin_symbol_type { CUBIN_NOTYPE, CUBIN_OBJECT, CUBIN_FUNC, CUBIN_SECTION };

struct cubin_symbol {
    const char *name;
    uint64_t value, size_b; /* value: offset in its section */
    uint32_t section;       /* 0: defined elsewhere (vprintf, malloc) */
    uint8_t type, bind, other;
};

/* What is added to a place of a section when the addresses are known. */
enum cubin_reloc_type {
    CUBIN_R_32 = 1,
    CUBIN_R_64 = 2, /* an address, eight bytes */
    CUBIN_R_G32 = 3,
    CUBIN_R_G64 = 4,           /* a generic address, eight bytes */
    CUBIN_R_FUNC_DESC_64 = 35, /* of a function, to be called */
    CUBIN_R_ABS32_LO_32 = 56,  /* low half of an address in an instruction's immediate, bits 32 to 63 */
    CUBIN_R_ABS32_HI_32 = 57,
    CUBIN_R_ABS47_34 = 58, /* of code, without its two low bits, in bits 34 to 80 of an instruction */
    CUBIN_R_FUNC_DESC32_LO_32 = 62,
    CUBIN_R_FUNC_DESC32_HI_32 = 63
};

struct cubin_reloc {
    uint32_t section, symbol, type;
    uint64_t offset;
    int64_t addend;
};

struct cubin_param {
    uint32_t ordinal, offset_b, size_b; /* offset from the first parameter */
};

/* A kernel: a global function of a section .text.NAME. */
struct cubin_kernel {
    const char *name;
    uint32_t symbol, section; /* of the code */
    uint32_t regs;            /* of a thread */
    uint32_t param_base;      /* offset of the first parameter in constant bank 0 */
    uint32_t param_b;
    VEC(struct cubin_param) params; /* by ordinal */
    /* As the section says: on sm_90 and later with what the system keeps at its beginning */
    uint32_t static_shared_b;
    uint32_t local_b; /* a thread's stack at entry, callees included */
    uint32_t barriers;
    uint32_t max_threads[3]; /* 0: none given */
    uint32_t req_threads[3];
    uint32_t cluster[3]; /* 0: none given */
    bool explicit_cluster;
    uint32_t max_cluster; /* 0: none given */
    VEC(uint32_t) exits;  /* offsets of EXIT instructions */
    /* Section of constant bank N: its own (0, 2), or the file's (3, 4); 0: none */
    uint32_t bank[CUBIN_BANKS];
};

/* A line of source for code from `offset` on. */
struct cubin_line {
    uint32_t section, offset;
    uint32_t file, line; /* file: index into files */
};

struct cubin {
    struct arena arena;
    uint32_t sm;  /* 90 */
    char variant; /* 'a', 'f' or 0 */
    uint32_t abi; /* ELF's ABI version: 7 up to CUDA 12, 8 since */
    VEC(struct cubin_section) sections;
    VEC(struct cubin_symbol) symbols;
    VEC(struct cubin_reloc) relocs;   /* by section, then by offset */
    VEC(struct cubin_kernel) kernels; /* in the order of the symbol table */
    VEC(const char *) files;
    VEC(struct cubin_line) lines; /* of -lineinfo; by section, then by offset */
    const char *tool;             /* what made it, "" if it does not say */
};

/* NULL: not a cubin that can be used; why[] says at which byte and why. */
struct cubin *cubin_read(const void *bytes, size_t n, char *why, size_t why_b);
void cubin_free(struct cubin *c);

const struct cubin_kernel *cubin_kernel_named(const struct cubin *c, const char *name);
/* 0: there is none. */
uint32_t cubin_section_named(const struct cubin *c, const char *name);
/* The line of an instruction, NULL: not known. */
const struct cubin_line *cubin_line_at(const struct cubin *c, uint32_t section, uint32_t offset);

#endif
