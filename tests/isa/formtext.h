/* SPDX-License-Identifier: Apache-2.0 */
/* The PTX of a form's kernel, in the ways a form is tried. */
#ifndef TESTS_ISA_FORMTEXT_H
#define TESTS_ISA_FORMTEXT_H

#include "form.h"

struct shape {
    const struct type_info *dst[FORM_DSTS], *src[FORM_SRCS];
    unsigned ndst, nsrc;
};

enum form_kind {
    FORM_PLAIN,    /* every operand in its own register */
    FORM_IMM,      /* the last operand written into the instruction */
    FORM_IN_PLACE, /* the result goes to the register of operand `alias` */
    FORM_GUARDED,  /* odd threads only; the others keep FORM_OLD_VALUE */
    FORM_FOLDED,   /* every operand a constant: one thread, rows one after the other */
};
enum { FORM_OLD_VALUE = 0x1234, FORM_TEXT_B = 65536 };

struct form_how {
    enum form_kind kind;
    uint64_t imm;
    unsigned alias;
};

/* rows: the operands that FORM_FOLDED writes out. text has FORM_TEXT_B bytes. */
void form_text(char *text, const struct form *f, const struct shape *s, const struct form_how *how,
               const uint64_t (*rows)[FORM_SRCS], unsigned n);
bool form_can_alias(const struct shape *s, unsigned src);

#endif
