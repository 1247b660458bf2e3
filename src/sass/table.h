/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder's table: one row for each instruction (forms_*.def), its modifiers as small enumerations (mods.def).
 *
 * A row's template is the text that the disassembler writes, with fields in place of values. Decoding follows it and printing
 * follows it; there is no other description of an encoding.
 *
 *   .ftz@80 .rnd@78:2      modifiers: enumeration @ first bit : width (1 where it is left out); + joins a further piece above
 *   .E                     capitals: always there
 *   then operands, separated by commas:
 *   d                      destination register (bits 16 to 23); of a row marked SF_U a uniform one
 *   a b c                  sources; where b and c are is said by bits 9 to 11 (register, immediate, constant, uniform register)
 *   x                      a last source that as a register is in b's place and else in c's
 *   R@n UR@n P@n UP@n B@n  a register, uniform register, predicate, uniform predicate, barrier at bit n
 *   i@n:w s@n:w            an immediate, unsigned or signed
 *   mem@n shm@n ...        an address, see operand.c
 * Behind an operand: - | ~ say that it can be negated, taken as absolute value, inverted (bits 72, 73 of a; 63, 62 of what is in
 * bits 32 to 63; 75, 74 of what is in bits 64 to 71); ! a predicate whose inversion is the bit above it; h which half of a
 * register, H the same in one bit, B which byte of it. With @n: that bit instead. Before an operand: ? leaves it out if it is
 * RZ, PT or 0. */
#ifndef SASS_TABLE_H
#define SASS_TABLE_H

#include "sass/sass.h"

enum sass_modkind {
#define MOD(kind, ...) SM_##kind,
#include "sass/mods.def"
#undef MOD
    SM_COUNT
};

enum sass_op {
#define FORM(name, code, mask, from, to, unit, imm, flags, text) S_##name,
#define ALSO(name, code, mask, from, to, unit, imm, flags, text)
#include "sass/forms.def"
    S_COUNT
};

enum { SMF_MAX = 32 }; /* names of an enumeration */
struct sass_modinfo {
    const char *kind;
    const char *name[SMF_MAX]; /* by value; NULL: no such */
};
extern const struct sass_modinfo sass_mods[SM_COUNT];

/* What an immediate operand is. */
enum sass_imm { IMM_S, IMM_X, IMM_F, IMM_D, IMM_H, IMM_B };
/* Flags of a row. */
enum {
    SF_U = 1,    /* executes in the uniform datapath: registers and guard are uniform */
    SF_HALF = 2, /* sources select halves */
    SF_WIDE = 4, /* 64-bit immediates and constants */
};

struct sass_row {
    const char *name;
    uint16_t op; /* enum sass_op */
    uint16_t code, mask;
    uint8_t from, to; /* architectures */
    uint8_t unit;     /* enum ir_unit */
    uint8_t imm;      /* enum sass_imm */
    uint8_t flags;
    const char *text;
};
extern const struct sass_row sass_rows[];
extern const size_t sass_nrows;

/* The value of the modifier in the encoding; 0 where the row has none. */
unsigned sass_mod(const struct sass_insn *i, enum sass_modkind kind);

/* A field of the encoding. */
static inline uint64_t sass_bits(const struct sass_insn *i, unsigned at, unsigned n)
{
    uint64_t v = at >= 64 ? i->hi >> (at - 64) : at ? i->lo >> at | (i->hi << 1) << (63 - at) : i->lo;
    return n >= 64 ? v : v & (((uint64_t)1 << n) - 1);
}
static inline int64_t sass_sbits(const struct sass_insn *i, unsigned at, unsigned n)
{
    return (int64_t)(sass_bits(i, at, n) << (64 - n)) >> (64 - n);
}

/* operand.c: reads the operand whose description begins at *t, and moves *t behind it. False: why. */
struct sass_reader {
    struct sass_insn *i;
    unsigned arch;
    uint64_t used_lo, used_hi;
    char *why;
    size_t why_b;
};
bool sass_operand(struct sass_reader *r, const char **t, struct sass_opnd *o);
uint64_t sass_take(struct sass_reader *r, unsigned at, unsigned n);
bool sass_refuse(struct sass_reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* alias.c: what the text says otherwise than the encoding's template: names after the mnemonic, operands that are left out. */
void sass_alias(struct sass_insn *i, unsigned arch);

#endif
