/* SPDX-License-Identifier: Apache-2.0 */
/* Stepping through tokens, and the directives that may stand anywhere. */
#include "ptx/parser.h"

void ptx_next(struct ptx_parser *p)
{
    if (p->t.kind == '{')
        p->braces++;
    else if (p->t.kind == '}' && p->braces)
        p->braces--;
    p->prev_line = p->t.end_line;
    p->prev_col = p->t.end_col;
    if (p->have_ahead) {
        p->t = p->ahead;
        p->have_ahead = false;
    } else {
        ptx_lex_next(&p->lx, &p->t);
    }
}

const struct ptx_tok *ptx_peek(struct ptx_parser *p)
{
    if (!p->have_ahead) {
        ptx_lex_next(&p->lx, &p->ahead);
        p->have_ahead = true;
    }
    return &p->ahead;
}

bool ptx_accept(struct ptx_parser *p, int kind)
{
    if (p->t.kind != kind)
        return false;
    ptx_next(p);
    return true;
}

bool ptx_unexpected(struct ptx_parser *p, const char *what)
{
    const struct ptx_tok *t = &p->t;
    if (t->kind == TK_EOF)
        return ptx_err(p, t, "expected %s before the end of the file", what);
    return ptx_err(p, t, "expected %s before '%s%.*s'", what, t->kind == TK_DOT ? "." : "", PTX_TOK(t));
}

bool ptx_expect(struct ptx_parser *p, int kind, const char *what)
{
    return ptx_accept(p, kind) ? true : ptx_unexpected(p, what);
}

/* A missing ';' is reported behind the statement; if the next one begins on its own line nothing else is
 * lost. */
bool ptx_expect_semicolon(struct ptx_parser *p)
{
    if (ptx_accept(p, ';'))
        return true;
    if (!p->t.bol && p->t.kind != '}' && p->t.kind != TK_EOF)
        return ptx_unexpected(p, "';'");
    ptx_error(p->m, p->d, p->prev_line, p->prev_col, "expected ';'");
    return true;
}

bool ptx_expect_int(struct ptx_parser *p, const char *what, uint64_t max, uint64_t *value)
{
    if (p->t.kind != TK_INT)
        return ptx_unexpected(p, what);
    if (p->t.value > max)
        return ptx_err(p, &p->t, "%llu is too large for %s", (unsigned long long)p->t.value, what);
    *value = p->t.value;
    ptx_next(p);
    return true;
}

const char *ptx_name(struct ptx_parser *p, const struct ptx_tok *t)
{
    return arena_strndup(&p->m->arena, t->s, t->len);
}

bool ptx_skip_parens(struct ptx_parser *p)
{
    if (!ptx_expect(p, '(', "'('"))
        return false;
    for (uint32_t depth = 1; p->t.kind != TK_EOF && p->t.kind != ';'; ptx_next(p)) {
        depth += p->t.kind == '(';
        depth -= p->t.kind == ')';
        if (!depth) {
            ptx_next(p);
            return true;
        }
    }
    return ptx_unexpected(p, "')'");
}

void ptx_skip_braces(struct ptx_parser *p)
{
    for (uint32_t depth = 0; p->t.kind != TK_EOF; ptx_next(p)) {
        depth += p->t.kind == '{';
        depth -= p->t.kind == '}';
        if (!depth) {
            ptx_next(p);
            return;
        }
    }
}

/* .file n "name" [, time, size] */
static bool parse_file(struct ptx_parser *p)
{
    uint64_t n = 0;
    struct ptx_tok at = p->t;
    if (!ptx_expect_int(p, "a file number", UINT64_MAX, &n))
        return false;
    struct ptx_tok name = p->t;
    if (!ptx_expect(p, TK_STRING, "a file name"))
        return false;
    if (n > PTX_MAX_FILE)
        return ptx_err(p, &at, "file number %llu is too large", (unsigned long long)n);
    if (p->m->files.n <= n)
        vec_resize(&p->m->files, n + 1);
    p->m->files.at[n] = ptx_name(p, &name);
    while (ptx_accept(p, ','))
        if (!ptx_expect(p, TK_INT, "a number"))
            return false;
    return true;
}

static bool parse_section(struct ptx_parser *p)
{
    struct ptx_tok at = p->t;
    if (p->t.kind != TK_DOT && p->t.kind != TK_IDENT && p->t.kind != TK_STRING)
        return ptx_unexpected(p, "a section's name");
    ptx_next(p);
    if (p->t.kind != '{')
        return ptx_unexpected(p, "'{'");
    if (!ptx_lex_skip_block(&p->lx)) { /* nothing has looked behind the '{' */
        ptx_next(p);
        return ptx_err(p, &at, "section '%.*s' is not closed", PTX_TOK(&at));
    }
    ptx_lex_next(&p->lx, &p->t);
    return true;
}

static bool parse_pragma(struct ptx_parser *p)
{
    do {
        static const char word[] = "nounroll";
        p->keep_rolled |=
            p->t.kind == TK_STRING && p->t.len == sizeof word - 1 && memcmp(p->t.s, word, p->t.len) == 0;
        if (!ptx_expect(p, TK_STRING, "a string"))
            return false;
    } while (ptx_accept(p, ','));
    return ptx_expect_semicolon(p);
}

bool ptx_common_directive(struct ptx_parser *p, bool *ok)
{
    static const struct {
        const char *word;
        bool (*parse)(struct ptx_parser *p);
    } table[] = {
        {"file", parse_file}, {"loc", ptx_parse_loc}, {"section", parse_section}, {"pragma", parse_pragma}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (ptx_tok_is(&p->t, table[i].word)) {
            ptx_next(p);
            *ok = table[i].parse(p);
            return true;
        }
    return false;
}
