/* SPDX-License-Identifier: Apache-2.0 */
/* What is remembered of global memory, in pages that exist once they are used. */
#include "exec/sanitize/san_inside.h"

static uint32_t slot_of(const struct pages *p, uint64_t number)
{
    uint32_t i = (uint32_t)(number * 0x9e3779b97f4a7c15ull >> 32) & (p->cap - 1);
    while (p->slots[i] && p->slots[i]->number != number)
        i = (i + 1) & (p->cap - 1);
    return i;
}

static void grow(struct pages *p)
{
    struct pages old = *p;
    p->cap = old.cap ? 2 * old.cap : 64;
    p->slots = xcalloc(p->cap, sizeof *p->slots);
    for (uint32_t i = 0; i < old.cap; i++)
        if (old.slots[i])
            p->slots[slot_of(p, old.slots[i]->number)] = old.slots[i];
    free(old.slots);
}

struct page *san_pages_get(struct pages *p, uint64_t addr)
{
    if (2 * p->n >= p->cap)
        grow(p);
    uint32_t i = slot_of(p, addr >> PAGE_BITS);
    if (!p->slots[i]) {
        p->slots[i] = xcalloc(1, sizeof *p->slots[i]);
        p->slots[i]->number = addr >> PAGE_BITS;
        p->n++;
    }
    return p->slots[i];
}

void san_page_fill(struct page *p) { p->cells = xcalloc(PAGE_B, sizeof *p->cells); }

/* The bits of word i of [from, end). */
static inline uint64_t part(uint64_t i, uint64_t from, uint64_t end)
{
    uint64_t mask = ~0ull;
    if (i == from >> 6)
        mask <<= from & 63;
    if (i == (end - 1) >> 6)
        mask &= ~0ull >> (63 - ((end - 1) & 63));
    return mask;
}

bool bits_range(const uint64_t *bits, uint64_t from, uint64_t n)
{
    uint64_t lack = 0;
    for (uint64_t i = from >> 6; i <= (from + n - 1) >> 6; i++)
        lack |= ~bits[i] & part(i, from, from + n);
    return !lack;
}

void bits_range_set(uint64_t *bits, uint64_t from, uint64_t n)
{
    for (uint64_t i = from >> 6; i <= (from + n - 1) >> 6; i++)
        bits[i] |= part(i, from, from + n);
}

void san_pages_mark(struct pages *p, uint64_t addr, uint64_t n)
{
    while (n) {
        struct page *g = san_pages_get(p, addr);
        uint64_t from = addr & (PAGE_B - 1), most = PAGE_B - from < n ? PAGE_B - from : n;
        bits_range_set(g->written, from, most);
        addr += most;
        n -= most;
    }
}

void san_pages_forget_stamps(struct pages *p)
{
    for (uint32_t i = 0; i < p->cap; i++) {
        if (p->slots[i]) {
            free(p->slots[i]->cells);
            p->slots[i]->cells = NULL;
        }
    }
}

void san_pages_free(struct pages *p)
{
    san_pages_forget_stamps(p);
    for (uint32_t i = 0; i < p->cap; i++)
        free(p->slots[i]);
    free(p->slots);
    *p = (struct pages){0};
}
