/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/lex.h"

#include "ptx/number.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_word(char c) { return is_alpha(c) || is_digit(c) || c == '_' || c == '$'; }

void ptx_lex_init(struct ptx_lex *lx, const char *file, const char *src, size_t len, struct diag *d)
{
    *lx = (struct ptx_lex){.file = file,
                           .src = src,
                           .p = src,
                           .end = src + len,
                           .line_start = src,
                           .line = 1,
                           .bol = true,
                           .d = d};
    if (len >= 3 && memcmp(src, "\xef\xbb\xbf", 3) == 0) /* a byte order mark */
        lx->p += 3;
}

static uint32_t column(const struct ptx_lex *lx, const char *at)
{
    ptrdiff_t n = at - lx->line_start + 1;
    return n > INT32_MAX ? INT32_MAX : (uint32_t)n;
}

#define lex_error(lx, line_, col_, ...)                                                                      \
    diag_error((lx)->d, (lx)->file, (lx)->src, (size_t)((lx)->end - (lx)->src), (line_), (col_), __VA_ARGS__)

static void newline(struct ptx_lex *lx)
{
    lx->line++;
    lx->line_start = lx->p;
    lx->bol = true;
}

/* p stands behind the opening of a block comment. */
static void skip_comment(struct ptx_lex *lx, uint32_t line, uint32_t col)
{
    while (lx->p < lx->end) {
        char c = *lx->p++;
        if (c == '\n')
            newline(lx);
        else if (c == '*' && *lx->p == '/') {
            lx->p++;
            return;
        }
    }
    lex_error(lx, line, col, "comment is not closed");
}

/* White space and comments; tells whether there was any. */
static bool skip_blank(struct ptx_lex *lx)
{
    const char *start = lx->p;
    while (lx->p < lx->end) {
        char c = *lx->p;
        if (c == '\n') {
            lx->p++;
            newline(lx);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            lx->p++;
        } else if (c == '/' && lx->p[1] == '/') {
            const char *nl = memchr(lx->p, '\n', (size_t)(lx->end - lx->p));
            lx->p = nl ? nl : lx->end;
        } else if (c == '/' && lx->p[1] == '*') {
            uint32_t col = column(lx, lx->p);
            lx->p += 2;
            skip_comment(lx, lx->line, col);
        } else {
            break;
        }
    }
    return lx->p != start;
}

static void lex_string(struct ptx_lex *lx, struct ptx_tok *t)
{
    t->kind = TK_STRING;
    t->s = ++lx->p;
    while (lx->p < lx->end && *lx->p != '"' && *lx->p != '\n')
        lx->p += *lx->p == '\\' && lx->p + 1 < lx->end && lx->p[1] != '\n' ? 2 : 1;
    t->len = (uint32_t)(lx->p - t->s);
    if (lx->p < lx->end && *lx->p == '"')
        lx->p++;
    else
        lex_error(lx, t->line, t->col, "string is not closed");
}

/* An identifier, after its first character was seen. */
static void lex_word(struct ptx_lex *lx, struct ptx_tok *t)
{
    t->kind = TK_IDENT;
    t->s = lx->p++;
    while (is_word(*lx->p))
        lx->p++;
    t->len = (uint32_t)(lx->p - t->s);
}

static void lex_dotted(struct ptx_lex *lx, struct ptx_tok *t)
{
    t->kind = TK_DOT;
    t->s = ++lx->p;
    for (;;) {
        if (is_word(*lx->p))
            lx->p++;
        else if (lx->p[0] == ':' && lx->p[1] == ':' && is_word(lx->p[2]))
            lx->p += 3;
        else
            break;
    }
    t->len = (uint32_t)(lx->p - t->s);
}

static void lex_number(struct ptx_lex *lx, struct ptx_tok *t)
{
    struct ptx_number n;
    const char *start = lx->p;
    lx->p = ptx_number(start, &n);
    t->s = start;
    t->kind = n.kind == NUM_INT ? TK_INT : n.kind == NUM_DOUBLE ? TK_DOUBLE : TK_SINGLE;
    t->value = n.value;
    t->is_unsigned = n.is_unsigned;
    const char *tail = lx->p;
    while (is_word(*lx->p))
        lx->p++;
    t->len = (uint32_t)(lx->p - start);
    if (n.problem)
        lex_error(lx, t->line, t->col, "%s", n.problem);
    else if (lx->p != tail)
        lex_error(lx, t->line, t->col, "bad number '%.*s'", t->len > 80 ? 80 : (int)t->len, start);
}

static const struct {
    char a, b;
    uint16_t kind;
} pairs[] = {
    {'<', '<', TK_SHL}, {'>', '>', TK_SHR}, {'<', '=', TK_LE},     {'>', '=', TK_GE},
    {'=', '=', TK_EQ},  {'!', '=', TK_NE},  {'&', '&', TK_ANDAND}, {'|', '|', TK_OROR},
};

static bool lex_punct(struct ptx_lex *lx, struct ptx_tok *t)
{
    char c = *lx->p;
    if (!c || !strchr("(){}[]<>,;:+-*/%&|^~!?=@", c))
        return false;
    t->s = lx->p++;
    t->len = 1;
    t->kind = (uint16_t)c;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].a == c && pairs[i].b == *lx->p) {
            t->kind = pairs[i].kind;
            t->len = 2;
            lx->p++;
            break;
        }
    return true;
}

static void junk(struct ptx_lex *lx)
{
    uint32_t col = column(lx, lx->p);
    unsigned char c = (unsigned char)*lx->p;
    if (c > ' ' && c < 127)
        lex_error(lx, lx->line, col, "unexpected character '%c'", c);
    else
        lex_error(lx, lx->line, col, "unexpected byte 0x%02x", c);
    while (lx->p < lx->end && !is_word(*lx->p) && *lx->p != '\n' &&
           !(*lx->p && strchr(" \t\r(){}[]<>,;:+-*/%&|^~!?=@\".", *lx->p)))
        lx->p++;
}

/* Reads a token that begins at p; false: nothing here, the junk was skipped. */
static bool lex_one(struct ptx_lex *lx, struct ptx_tok *t)
{
    char c = *lx->p;
    if (is_alpha(c) || c == '_' || c == '$' || (c == '%' && is_word(lx->p[1])))
        lex_word(lx, t);
    else if (c == '.' && is_word(lx->p[1]))
        lex_dotted(lx, t);
    else if (is_digit(c))
        lex_number(lx, t);
    else if (c == '"')
        lex_string(lx, t);
    else if (!lex_punct(lx, t)) {
        const char *before = lx->p;
        junk(lx);
        if (lx->p == before)
            lx->p++;
        return false;
    }
    return true;
}

void ptx_lex_next(struct ptx_lex *lx, struct ptx_tok *t)
{
    *t = (struct ptx_tok){.glued = true};
    for (;;) {
        if (skip_blank(lx))
            t->glued = false;
        t->line = lx->line;
        t->col = column(lx, lx->p);
        t->bol = lx->bol;
        if (lx->p >= lx->end) {
            t->kind = TK_EOF;
            t->s = lx->p;
            break;
        }
        if (lex_one(lx, t))
            break;
    }
    lx->bol = false;
    t->end_line = lx->line;
    t->end_col = column(lx, lx->p);
}

bool ptx_lex_skip_block(struct ptx_lex *lx)
{
    uint32_t depth = 1;
    struct ptx_tok t = {0};
    while (skip_blank(lx), lx->p < lx->end) {
        char c = *lx->p;
        if (c == '"') {
            t.line = lx->line;
            t.col = column(lx, lx->p);
            lex_string(lx, &t);
            continue;
        }
        lx->p++;
        if (c == '{')
            depth++;
        else if (c == '}' && --depth == 0)
            return true;
    }
    return false;
}
