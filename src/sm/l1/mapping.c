/* SPDX-License-Identifier: Apache-2.0 */
/* How the words of a line belong to the lanes of a load (thesis, section 3.3.6): a few patterns need a handful of bits, the rest
 * an entry of a table. A word is as wide as a lane's access. */
#include "sm/core.h"

static bool touches(uint64_t addr, uint32_t width, uint64_t line)
{
    return addr - line < LINE_B || (addr < line && addr + width > line);
}

static enum line_map classify(const uint64_t *addr, uint32_t mask, uint32_t width, uint64_t line)
{
    uint32_t lanes = 0;
    for (uint32_t m = mask; m; m &= m - 1)
        if (touches(addr[__builtin_ctz(m)], width, line))
            lanes |= m & -m;
    if (!lanes)
        return MAP_NONE;
    uint32_t first = (uint32_t)__builtin_ctz(lanes), n = (uint32_t)__builtin_popcount(lanes);
    bool same = true, row = lanes >> first == (n == 32 ? ~0u : (1u << n) - 1), own = width == 4;
    for (uint32_t m = lanes; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m);
        same &= addr[i] == addr[first];
        row &= addr[i] == addr[first] + (uint64_t)(i - first) * width;
        own &= addr[i] == line + i * 4ull;
    }
    return n == 1                  ? MAP_SINGLE
           : same && lanes == mask ? MAP_BROADCAST
           : own && lanes == mask  ? MAP_CONSECUTIVE
           : row                   ? MAP_RANGE
                                   : MAP_OTHER;
}

void lines_map(struct sm *s, struct lines *l, const uint64_t *addr, uint32_t mask, uint32_t width)
{
    uint64_t *at = l->block == NONE16 ? l->at : s->lsu.blocks[l->block];
    for (uint32_t i = 0; i < l->n; i++) {
        enum line_map map = classify(addr, mask, width, line_addr(at[i]));
        if (map == MAP_NONE)
            continue;
        if (line_map(at[i]) != MAP_NONE)
            map = MAP_OTHER; /* more than one word of a lane */
        at[i] = (at[i] & ~(7ull << MAP_SHIFT)) | (uint64_t)map << MAP_SHIFT;
    }
}
