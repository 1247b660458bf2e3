/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/read/streams.h"

/* Sums of these stay in 64 bits for any number of pieces that fit a chunk. */
#define PIECE_MAX_INSTS (1ull << 40)

static void get_piece(struct cursor *c, struct piece *p, uint64_t size[3], struct group *g)
{
    p->insts = get_varint(c);
    uint64_t idle = get_varint(c);
    if (p->insts > PIECE_MAX_INSTS || idle > p->insts * TR_LANES)
        c->bad = true;
    if (c->bad)
        return;
    p->threads = p->insts * TR_LANES - idle;
    g->insts += p->insts;
    g->threads += p->threads;
    uint32_t *const start[] = {&p->ctl, &p->addr, &p->val};
    for (unsigned i = 0; i < 3; i++) {
        *start[i] = (uint32_t)size[i];
        size[i] += get_u32(c, STREAMS_MAX_B);
        if (size[i] > STREAMS_MAX_B)
            c->bad = true;
    }
}

static void get_table(struct cursor *c, struct streams *s, uint32_t nwarps, uint64_t size[3])
{
    uint32_t n = get_u32(c, GROUPS_MAX), before = UINT32_MAX;
    if (c->bad)
        return;
    s->pieces = xcalloc((size_t)n * nwarps + 1, sizeof s->pieces[0]);
    for (uint32_t i = 0; i < n && !c->bad; i++) {
        uint64_t head = get_varint(c);
        struct group g = {.flags = head & 3};
        g.cta = before = (uint32_t)(before + 1 + unzigzag(head >> 2));
        for (uint32_t w = 0; w < nwarps && !c->bad; w++)
            get_piece(c, &s->pieces[(size_t)i * nwarps + w], size, &g);
        s->entry.insts += g.insts;
        s->entry.threads += g.threads;
        vec_push(&s->entry.groups, g);
    }
}

const char *streams_parse(struct streams *s, uint8_t *raw, uint32_t raw_b, uint32_t nwarps)
{
    *s = (struct streams){.raw = raw};
    struct cursor c = cursor_of(raw, raw_b);
    uint64_t size[3] = {0};
    get_table(&c, s, nwarps, size);
    if (c.bad || size[0] + size[1] + size[2] != cursor_left(&c))
        return "a table of pieces that makes no sense";
    uint32_t ctl = raw_b - (uint32_t)cursor_left(&c), addr = ctl + (uint32_t)size[0],
             val = addr + (uint32_t)size[1];
    size_t n = (size_t)s->entry.groups.n * nwarps;
    for (size_t i = 0; i < n; i++) {
        s->pieces[i].ctl += ctl;
        s->pieces[i].addr += addr;
        s->pieces[i].val += val;
    }
    s->pieces[n] = (struct piece){.ctl = addr, .addr = val, .val = raw_b};
    return NULL;
}

void streams_free(struct streams *s)
{
    free(s->raw);
    free(s->pieces);
    vec_free(&s->entry.groups);
}
