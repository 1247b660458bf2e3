/* SPDX-License-Identifier: Apache-2.0 */
/* Source positions: the .loc directives, and the line of a kernel's source that an instruction comes from.
 *
 * A compiler that inlines writes where the code went: ".loc 2 26 1, ..., inlined_at 1 102 38" says that line 26 of
 * file 2 stands in line 102 of file 1, which an earlier .loc of the same place may trace further out. Earlier places
 * are kept in a table of one slot each that newer ones take over: a chain may lose its end in a large function, never
 * time. */
#include "ptx/parser.h"

enum {
    MAX_CHAIN = 64,  /* inlined calls behind each other that are followed */
    MAX_NAME = 1024, /* bytes of a file name that is taken for one */
};

struct place {
    uint64_t file, line, col;
};

static bool expect_place(struct ptx_parser *p, struct place *at)
{
    return ptx_expect_int(p, "a file number", UINT64_MAX, &at->file) &&
           ptx_expect_int(p, "a line number", UINT64_MAX, &at->line) &&
           ptx_expect_int(p, "a column", UINT64_MAX, &at->col);
}

/* A place that no compiler writes: it says nothing, and the line before it stays. */
static bool is_odd(const struct place *at)
{
    return at->file > PTX_MAX_FILE || at->line > INT32_MAX || at->col > INT32_MAX;
}

static struct ptx_seen_loc *slot_of(struct ptx_parser *p, const struct place *at)
{
    uint64_t h = (at->file << 40 ^ at->line << 20 ^ at->col) * 0x9e3779b97f4a7c15u;
    return &p->seen_locs[h >> 32 & (PTX_SEEN_LOCS - 1)];
}

/* The earlier .loc of this place: its index + 1, or 0. */
static uint32_t seen(struct ptx_parser *p, const struct place *at)
{
    const struct ptx_seen_loc *s = slot_of(p, at);
    const struct ptx_loc *l = s->loc ? &p->m->locs.at[s->loc - 1] : NULL;
    return l && l->file == at->file && l->line == at->line && s->col == at->col ? s->loc : 0;
}

static uint32_t add(struct ptx_parser *p, const struct place *at, uint32_t outer)
{
    uint32_t depth = outer ? p->m->locs.at[outer - 1].depth + 1 : 0;
    if (depth > MAX_CHAIN)
        outer = depth = 0;
    vec_push(&p->m->locs, (struct ptx_loc){(uint32_t)at->file, (uint32_t)at->line, outer, depth});
    *slot_of(p, at) = (struct ptx_seen_loc){p->m->locs.n, (uint32_t)at->col};
    return p->m->locs.n;
}

/* .loc file line column [, function_name label[+n]] [, inlined_at file line column]; it ends with its line. */
bool ptx_parse_loc(struct ptx_parser *p)
{
    struct place in, at;
    bool inlined = false;
    if (!expect_place(p, &in))
        return false;
    while (!p->t.bol && ptx_accept(p, ',')) {
        bool here = p->t.kind == TK_IDENT && ptx_tok_is(&p->t, "inlined_at");
        if (!ptx_expect(p, TK_IDENT, "'function_name' or 'inlined_at'"))
            return false;
        if (here && !expect_place(p, &at))
            return false;
        if (!here && (!ptx_expect(p, TK_IDENT, "a label") ||
                      (ptx_accept(p, '+') && !ptx_expect(p, TK_INT, "a number"))))
            return false;
        inlined |= here;
    }
    if (!p->fn || is_odd(&in) || (inlined && is_odd(&at)))
        return true;
    uint32_t outer = inlined ? seen(p, &at) : 0;
    if (inlined && !outer)
        outer = add(p, &at, 0);
    p->loc = add(p, &in, outer);
    if (!inlined && !p->fn->loc)
        p->fn->loc = p->loc;
    return true;
}

const char *ptx_source_file(const struct ptx_module *m, const struct ptx_func *entry)
{
    uint32_t n = entry->loc ? m->locs.at[entry->loc - 1].file : 0;
    const char *name = entry->loc && n < m->files.n ? m->files.at[n] : NULL;
    if (!name || strlen(name) > MAX_NAME)
        return NULL;
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return NULL;
    while (name[0] == '.' && name[1] == '/' && name[2])
        name += 2;
    return *name ? name : NULL;
}

uint32_t ptx_source_line(const struct ptx_module *m, const struct ptx_func *entry, uint32_t loc)
{
    uint32_t file = m->locs.at[entry->loc - 1].file;
    for (; loc; loc = m->locs.at[loc - 1].outer)
        if (m->locs.at[loc - 1].file == file && m->locs.at[loc - 1].line)
            return m->locs.at[loc - 1].line;
    return 0;
}
