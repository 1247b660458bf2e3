/* SPDX-License-Identifier: Apache-2.0 */
/* Line numbers: .debug_line, the program of DWARF 2 to 4 that makes a table of (address, file, line). An address is zero in the
 * file and a relocation says to which section it belongs. */
#include "sass/cubin_parts.h"

enum {
    OPCODE_COPY = 1,
    OPCODE_ADVANCE_PC,
    OPCODE_ADVANCE_LINE,
    OPCODE_SET_FILE,
    OPCODE_CONST_ADD_PC = 8,
    OPCODE_FIXED_ADVANCE
};
enum { EXTENDED_END = 1, EXTENDED_ADDRESS = 2 };
enum { LINES_MAX = 1 << 24, FILES_MAX = 1 << 16 };

struct reader {
    const unsigned char *at;
    uint64_t pos, end;
    bool bad; /* read past the end */
};

static uint8_t byte(struct reader *r)
{
    if (r->pos >= r->end) {
        r->bad = true;
        return 0;
    }
    return r->at[r->pos++];
}

static uint64_t number(struct reader *r, unsigned bytes)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < bytes; i++)
        v |= (uint64_t)byte(r) << 8 * i;
    return v;
}

static uint64_t uleb(struct reader *r)
{
    uint64_t v = 0;
    for (unsigned shift = 0; !r->bad; shift += 7) {
        uint8_t b = byte(r);
        if (shift < 64)
            v |= (uint64_t)(b & 0x7f) << shift;
        if (!(b & 0x80))
            break;
    }
    return v;
}

static int64_t sleb(struct reader *r)
{
    uint64_t v = 0;
    unsigned shift = 0;
    uint8_t b = 0x80;
    while (b & 0x80 && !r->bad) {
        b = byte(r);
        if (shift < 64)
            v |= (uint64_t)(b & 0x7f) << shift;
        shift += 7;
    }
    if (shift < 64 && b & 0x40)
        v |= ~0ull << shift;
    return (int64_t)v;
}

static const char *text(struct reader *r)
{
    const char *s = (const char *)r->at + r->pos;
    while (byte(r))
        ;
    return r->bad ? "" : s;
}

struct head {
    uint8_t min_b, line_range, opcode_base, lengths[256];
    int8_t line_base;
    uint32_t first_file; /* file 1 of the program is files[first_file] */
};

static bool read_head(struct cubin *c, struct reader *r, struct head *h)
{
    VEC(const char *) dirs = {0};
    unsigned version = (unsigned)number(r, 2);
    uint64_t length = number(r, 4), program = r->pos + length;
    h->min_b = byte(r);
    if (version >= 4)
        byte(r);
    byte(r);
    h->line_base = (int8_t)byte(r);
    h->line_range = byte(r);
    h->opcode_base = byte(r);
    for (unsigned i = 1; i < h->opcode_base; i++)
        h->lengths[i] = byte(r);
    while (!r->bad && r->pos < r->end && r->at[r->pos])
        vec_push(&dirs, text(r));
    byte(r);
    h->first_file = c->files.n;
    while (!r->bad && r->pos < r->end && r->at[r->pos] && c->files.n < FILES_MAX) {
        const char *name = text(r);
        uint64_t dir = uleb(r);
        uleb(r);
        uleb(r);
        bool relative = dir && dir <= dirs.n && name[0] != '/';
        vec_push(&c->files, relative ? arena_printf(&c->arena, "%s/%s", dirs.at[dir - 1], name) : name);
    }
    vec_free(&dirs);
    bool good = !r->bad && version >= 2 && version <= 4 && h->line_range && h->opcode_base &&
                program >= r->pos && program <= r->end;
    r->pos = program;
    return good;
}

struct machine {
    uint32_t section, file;
    uint64_t address;
    int64_t line;
};

static void row(struct cubin *c, const struct head *h, const struct machine *m, bool end)
{
    uint64_t file = (uint64_t)h->first_file + m->file - 1;
    if (!m->section || c->lines.n >= LINES_MAX || m->address > UINT32_MAX)
        return;
    bool known = !end && m->file && file < c->files.n && m->line > 0 && m->line <= UINT32_MAX;
    vec_push(&c->lines, (struct cubin_line){.section = m->section,
                                            .offset = (uint32_t)m->address,
                                            .file = known ? (uint32_t)file : 0,
                                            .line = known ? (uint32_t)m->line : 0});
}

/* The section that an address at this place of the table belongs to. */
static uint32_t section_at(const struct cubin *c, uint32_t table, uint64_t place)
{
    uint32_t lo = 0, hi = c->relocs.n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        const struct cubin_reloc *r = &c->relocs.at[mid];
        if (r->section == table && r->offset == place)
            return c->symbols.at[r->symbol].section;
        if (r->section < table || (r->section == table && r->offset < place))
            lo = mid + 1;
        else
            hi = mid;
    }
    return 0;
}

static void extended(struct cubin *c, struct reader *r, const struct head *h, struct machine *m,
                     uint32_t table)
{
    uint64_t n = uleb(r), next = r->pos + n;
    if (!n || next > r->end || next < r->pos) {
        r->bad = true;
        return;
    }
    switch (byte(r)) {
    case EXTENDED_END:
        row(c, h, m, true);
        *m = (struct machine){.file = 1, .line = 1};
        break;
    case EXTENDED_ADDRESS:
        m->section = section_at(c, table, r->pos);
        m->address = number(r, n > 9 ? 8 : (unsigned)n - 1);
        break;
    default: break; /* NVIDIA's: functions that were inlined */
    }
    r->pos = next;
}

static void standard(struct cubin *c, struct reader *r, const struct head *h, struct machine *m, uint8_t op)
{
    switch (op) {
    case OPCODE_COPY: row(c, h, m, false); break;
    case OPCODE_ADVANCE_PC: m->address += uleb(r) * h->min_b; break;
    case OPCODE_ADVANCE_LINE: m->line = (int64_t)((uint64_t)m->line + (uint64_t)sleb(r)); break;
    case OPCODE_SET_FILE: m->file = (uint32_t)uleb(r); break;
    case OPCODE_CONST_ADD_PC:
        m->address += (uint64_t)((255 - h->opcode_base) / h->line_range) * h->min_b;
        break;
    case OPCODE_FIXED_ADVANCE: m->address += number(r, 2); break;
    default:
        for (unsigned i = 0; i < h->lengths[op]; i++)
            uleb(r);
    }
}

static void run(struct cubin *c, struct reader *r, const struct head *h, uint32_t table)
{
    struct machine m = {.file = 1, .line = 1};
    while (r->pos < r->end && !r->bad) {
        uint8_t op = byte(r);
        if (op >= h->opcode_base) {
            unsigned step = op - h->opcode_base;
            m.address += (uint64_t)(step / h->line_range) * h->min_b;
            m.line += h->line_base + (int)(step % h->line_range);
            row(c, h, &m, false);
        } else if (op == 0) {
            extended(c, r, h, &m, table);
        } else {
            standard(c, r, h, &m, op);
        }
    }
}

/* Of two lines for one place the later one of the program counts. */
static int by_place(const void *a, const void *b)
{
    const struct cubin_line *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (!x->line != !y->line)
        return !x->line ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

void cubin_lines(struct cubin *c)
{
    uint32_t table = cubin_section_named(c, ".debug_line");
    const struct cubin_section *s = &c->sections.at[table];
    if (!table || !s->data)
        return;
    for (uint64_t at = 0; s->size_b - at >= 10;) {
        struct reader r = {.at = s->data, .pos = at, .end = s->size_b};
        struct head h = {0};
        uint64_t n = number(&r, 4);
        if (n > s->size_b - r.pos)
            break;
        r.end = at = r.pos + n;
        if (read_head(c, &r, &h))
            run(c, &r, &h, table);
    }
    if (c->lines.n)
        qsort(c->lines.at, c->lines.n, sizeof *c->lines.at, by_place);
}
