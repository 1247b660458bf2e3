/* SPDX-License-Identifier: Apache-2.0 */
/* Element-wise forms: one instruction form, applied by every thread to its own operands, against a plain reference.
 *
 * sig is "dst[,dst]:src,src,..." in PTX type names; registers are %d %q for results and %a %b %c %e for operands.
 * Further names: sh (a u32 with shift amounts among its edge values), len (bit positions and field lengths).
 * 8-bit types live in 32-bit registers, sources with junk above the low byte; results are then compared in all 32 bits.
 * pred operands come from and go to a word that is 0 or 1.
 *
 * Values travel as uint64_t, zero extended. */
#ifndef TESTS_ISA_FORM_H
#define TESTS_ISA_FORM_H

#include "isa.h"

enum { FORM_SRCS = 4, FORM_DSTS = 2 };

struct form;
/* Writes the expected results; false: these operands have no specified result. */
typedef bool (*form_ref)(const struct form *f, const uint64_t *in, uint64_t *out);
/* Compares one result, for forms that are not exact; NULL: bits, any NaN for any NaN. */
typedef bool (*form_ok)(const struct form *f, const uint64_t *in, uint64_t want, uint64_t got);

struct form {
    const char *name; /* as written, up to the operands */
    const char *sig;
    const char *body; /* NULL: "<name> %d, %a, ...;" */
    form_ref ref;
    form_ok ok;
    int k[6]; /* what the reference needs to know */
    double bound;
    bool few;      /* random operands only: many forms of one kind */
    unsigned nimm; /* also with the last operand immediate, for so many values; 0: never */
};

void form_check(struct isa *t, const struct form *f);

/* Types by name. */
enum type_kind { TK_UINT, TK_SINT, TK_BITS, TK_FLOAT, TK_PACKED, TK_PRED };
struct type_info {
    const char *name;
    unsigned bits;
    enum type_kind kind;
    unsigned ebits, mbits; /* floats; packed: of each half (0: integers) */
    const char *reg, *mem; /* declaration, and the type of its loads and stores */
};
const struct type_info *type_of(const char *name);

/* Values. */
static inline uint64_t trunc_to(uint64_t v, unsigned bits)
{
    return bits >= 64 ? v : v & ((1ull << bits) - 1);
}
static inline int64_t sign_of(uint64_t v, unsigned bits)
{
    return bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}
/* Edge values of a type into v (at most max), their number. */
unsigned type_edges(const struct type_info *ti, uint64_t *v, unsigned max);
uint64_t type_random(const struct type_info *ti, struct rng *r);

#endif
