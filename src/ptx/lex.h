/* SPDX-License-Identifier: Apache-2.0 */
/* PTX tokens. The lexer walks the text once and never looks back; tokens are slices of the text.
 * A dotted word (.global, .L1::no_allocate, .2d) is one token; identifiers hold no dots, so %tid.x is two.
 * Characters that cannot begin a token are reported once per run and skipped. */
#ifndef PTX_LEX_H
#define PTX_LEX_H

#include "base/diag.h"

#include <stdbool.h>
#include <stdint.h>

/* One-character punctuation is its own kind (';', '{', ...). */
enum ptx_tok_kind {
    TK_EOF = 0,
    TK_IDENT = 256,
    TK_DOT,    /* s, len without the dot */
    TK_INT,    /* value */
    TK_DOUBLE, /* value: bits of a double */
    TK_SINGLE, /* value: bits of a float (0f...) */
    TK_STRING, /* s, len without the quotes, escapes as written */
    TK_SHL,
    TK_SHR,
    TK_LE,
    TK_GE,
    TK_EQ,
    TK_NE,
    TK_ANDAND,
    TK_OROR,
};

struct ptx_tok {
    uint16_t kind;
    bool is_unsigned; /* TK_INT: U suffix, or too large for a signed 64-bit number */
    bool bol;         /* first token of its line */
    bool glued;       /* no white space before it */
    uint32_t len;
    uint32_t line, col;         /* of the first character, 1-based; columns count bytes */
    uint32_t end_line, end_col; /* just behind the last character */
    const char *s;
    uint64_t value;
};

struct ptx_lex {
    const char *file, *src; /* src is followed by a NUL */
    const char *p, *end, *line_start;
    uint32_t line;
    bool bol;
    struct diag *d;
};

void ptx_lex_init(struct ptx_lex *lx, const char *file, const char *src, size_t len, struct diag *d);
void ptx_lex_next(struct ptx_lex *lx, struct ptx_tok *t);
/* Skips the text of a .section up to the '}' that matches a '{' already read; false at the end of the
 * text. */
bool ptx_lex_skip_block(struct ptx_lex *lx);

static inline bool ptx_tok_is(const struct ptx_tok *t, const char *word)
{
    return strlen(word) == t->len && memcmp(t->s, word, t->len) == 0;
}

#endif
