/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/l1/passes.h"

#include <string.h>

uint8_t passes_count(uint32_t banks, const uint64_t *addr, uint32_t mask, uint32_t width, bool atomic)
{
    uint64_t seen[64][TR_LANES];
    uint8_t count[64] = {0};
    uint32_t words = width > 4 ? width / 4 : 1, most = 1;
    for (uint32_t m = mask; m; m &= m - 1) {
        for (uint32_t k = 0; k < words; k++) {
            uint64_t word = addr[__builtin_ctz(m)] / 4 + k;
            uint32_t b = (uint32_t)(word % banks), i = 0;
            while (i < count[b] && (seen[b][i] != word || atomic))
                i++;
            if (i < count[b] || i == TR_LANES)
                continue;
            seen[b][count[b]++] = word;
            most = count[b] > most ? count[b] : most;
        }
    }
    return (uint8_t)most;
}

static uint8_t count(uint32_t banks, const struct tr_addr *a, uint32_t mask, uint32_t width, bool atomic)
{
    uint64_t addr[TR_LANES];
    tr_expand(a, mask, addr);
    return passes_count(banks, addr, mask, width, atomic);
}

uint8_t passes_of(struct passes_cache *c, uint32_t banks, const struct tr_addr *a, uint32_t mask,
                  uint32_t width, bool atomic)
{
    uint32_t words = width > 4 ? width / 4 : 1, form = a->form, groups = form == TF_GROUPS;
    if (form == TF_STRIDE && banks == 32 && !atomic) {
        if (a->stride == 0)
            return 1;
        if (a->stride == (int64_t)width && mask == ~0u)
            return (uint8_t)words;
    }
    if (form == TF_LIST)
        return count(banks, a, mask, width, atomic);
    /* All lanes moved by whole rows of the banks meet in the same way. */
    uint32_t base = (uint32_t)(a->base % (4 * banks));
    int64_t stride = a->stride, jump = groups ? a->jump : 0;
    uint32_t what = form | (groups ? a->log2 : 0u) << 8 | words << 16 | (uint32_t)atomic << 24;
    struct passes *kept =
        &c->at[(base / 4 + (uint64_t)stride * 5 + (uint64_t)jump * 3 + words) % PASSES_KEPT];
    if (kept->what != what || kept->base != base || kept->mask != mask || kept->stride != stride ||
        kept->jump != jump) {
        struct tr_addr moved = *a;
        moved.base = base;
        *kept = (struct passes){stride, jump, mask, base, what, count(banks, &moved, mask, width, atomic)};
    }
    return kept->passes;
}
