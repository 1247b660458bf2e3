#include "sm/passes.h"

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

static bool same(const struct passes *a, const struct passes *b)
{
    return a->stride == b->stride && a->jump == b->jump && a->mask == b->mask && a->base == b->base &&
           a->form == b->form && a->log2 == b->log2 && a->words == b->words && a->atomic == b->atomic;
}

uint8_t passes_of(struct passes_cache *c, uint32_t banks, const struct tr_addr *a, uint32_t mask,
                  uint32_t width, bool atomic)
{
    uint32_t words = width > 4 ? width / 4 : 1;
    if (a->form == TF_STRIDE && banks == 32 && !atomic) {
        if (a->stride == 0)
            return 1;
        if (a->stride == (int64_t)width && mask == ~0u)
            return (uint8_t)words;
    }
    if (a->form == TF_LIST)
        return count(banks, a, mask, width, atomic);
    /* All lanes moved by whole rows of the banks meet in the same way. */
    struct tr_addr moved = *a;
    moved.base %= 4 * banks;
    struct passes key = {.stride = a->stride,
                         .jump = a->form == TF_GROUPS ? a->jump : 0,
                         .mask = mask,
                         .base = (uint32_t)moved.base,
                         .form = a->form,
                         .log2 = a->form == TF_GROUPS ? a->log2 : 0,
                         .words = (uint8_t)words,
                         .atomic = atomic};
    struct passes *kept =
        &c->at[(key.base / 4 + (uint64_t)key.stride * 5 + (uint64_t)key.jump * 3 + words) % PASSES_KEPT];
    if (!kept->passes || !same(kept, &key)) {
        key.passes = count(banks, &moved, mask, width, atomic);
        *kept = key;
    }
    return kept->passes;
}
