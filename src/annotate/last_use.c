/* SPDX-License-Identifier: Apache-2.0 */
#include "annotate/last_use.h"

#include "annotate/live.h"

uint8_t *last_uses(const struct tr_kernel *k)
{
    uint8_t *out = xcalloc(k->n ? k->n : 1, 1);
    regset *after = live_after(k);
    for (uint32_t i = 0; i < k->n; i++) {
        const struct tr_insn *x = &k->insns[i];
        regset s = after[i];
        live_overwrite(&s, x);
        for (uint32_t j = 0; j < x->nsrc; j++)
            out[i] |= (uint8_t)((x->src[j].kind == TO_REG && !regset_has_any(&s, &x->src[j])) << j);
    }
    free(after);
    return out;
}
