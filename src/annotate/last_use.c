#include "annotate/last_use.h"

#include "annotate/live.h"

uint8_t *last_uses(const struct tr_kernel *k)
{
    uint8_t *out = xcalloc(k->n ? k->n : 1, 1);
    struct regset *before = live_before(k);
    for (uint32_t n = 0; n < k->nblocks; n++) {
        const struct tr_block *b = &k->blocks[n];
        if (!b->n)
            continue;
        struct regset s = live_after(k, b, before);
        for (uint32_t i = b->n; i-- > 0;) {
            const struct tr_insn *x = &k->insns[b->start + i];
            live_overwrite(k, b, x, &s);
            for (uint32_t j = 0; j < x->nsrc; j++)
                out[b->start + i] |=
                    (uint8_t)((x->src[j].kind == TO_REG && !regset_any(&s, &x->src[j])) << j);
            live_use(x, &s);
        }
    }
    free(before);
    return out;
}
