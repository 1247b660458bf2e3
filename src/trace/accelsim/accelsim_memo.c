/* SPDX-License-Identifier: Apache-2.0 */
/* Programs loop, and warps do alike: most lines of a trace were there before. A line is compared with the one that came last time
 * after the line before it. If it has no addresses all of it may be the same, and is not read; if it has, the same text up to
 * there is not. */
#include "trace/accelsim/accelsim_in.h"

enum { SEEN = 2048, SEEN_TEXT_B = 80 };
_Static_assert((SEEN & (SEEN - 1)) == 0 && SEEN_TEXT_B <= (int)TEXT_BEHIND_B,
               "a power of two; what may be compared");

struct seen {
    char text[SEEN_TEXT_B]; /* `n` bytes are compared; 0: nothing is here */
    uint8_t n, text_at, text_n, form;
    bool whole; /* with the zero behind the line */
    uint16_t next;
    uint32_t pc, mask, line, known;
    int64_t imm;
};

struct as_memo {
    const struct as_head *h;
    const struct as_code *code;
    uint32_t last; /* the line before this one */
    struct seen seen[SEEN];
};

struct as_memo *as_memo_new(const struct as_head *h, const struct as_code *known)
{
    struct as_memo *m = xcalloc(1, sizeof *m);
    m->h = h;
    m->code = known;
    return m;
}

void as_memo_free(struct as_memo *m) { free(m); }

static const char *again(struct as_memo *m, struct seen *e, const char *s, struct as_line *l)
{
    l->pc = e->pc;
    l->mask = e->mask;
    l->line = e->line;
    l->form = e->form;
    l->text = s + e->text_at;
    l->text_n = e->text_n;
    if (e->known == AS_UNKNOWN && m->code) { /* it was new then */
        uint32_t n;
        uint8_t form;
        e->known = as_code_known(m->code, e->pc, l->text, &n, &form);
    }
    l->known = e->known;
    if (!e->whole)
        return as_line_end(m->h, l->text + l->text_n, l);
    l->width = 0;
    l->imm = e->imm;
    l->second = false;
    return NULL;
}

static void remember(struct seen *e, const char *s, size_t n, const struct as_line *l)
{
    size_t text_at = (size_t)(l->text - s), upto = text_at + l->text_n + 1; /* a blank or the end */
    e->n = 0;
    e->whole = !l->width && !l->second && n < SEEN_TEXT_B;
    upto = e->whole ? n + 1 : upto;
    if (upto > SEEN_TEXT_B)
        return;
    memcpy(e->text, s, upto);
    e->n = (uint8_t)upto;
    e->text_at = (uint8_t)text_at;
    e->text_n = (uint8_t)l->text_n;
    e->form = l->form;
    e->pc = l->pc;
    e->mask = l->mask;
    e->line = l->line;
    e->known = l->known;
    e->imm = l->imm;
}

static uint32_t place(const struct as_line *l)
{
    return (l->pc * 0x9e3779b1u ^ l->mask * 0x85ebca6bu) >> 16 & (SEEN - 1);
}

const char *as_memo_read(struct as_memo *m, const char *s, size_t n, struct as_line *l)
{
    uint32_t at = m->seen[m->last].next;
    struct seen *e = &m->seen[at];
    if (e->n && memcmp(s, e->text, e->n) == 0) {
        m->last = at;
        return again(m, e, s, l);
    }
    const char *end = s, *wrong = as_line_begin(m->h, m->code, &end, l);
    wrong = wrong ? wrong : as_line_end(m->h, end, l);
    if (wrong)
        return wrong;
    at = place(l);
    m->seen[m->last].next = (uint16_t)at;
    m->last = at;
    remember(&m->seen[at], s, n, l);
    return NULL;
}
