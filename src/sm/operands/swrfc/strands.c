/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/operands/swrfc/strands.h"

#include "annotate/strands.h"
#include "sm/core.h"

CONF_TABLE(strands_options, "swrfc", strands_cfg, STRANDS_OPTIONS);

void *strands_note(struct sm_kernel *k, const struct sm_cfg *cfg)
{
    _Static_assert((int)STRAND_OPERANDS == (int)MAX_OPERANDS, "operands are counted alike");
    const struct strands_cfg *own = policy_options(cfg, &strands_options);
    return strands_new(k->tr, own->lrf_entries, own->orf_entries);
}

void *strands_mark(struct sm_kernel *k, const struct sm_cfg *cfg)
{
    const struct strands *s = strands_note(k, cfg);
    for (uint32_t n = 0; n < k->tr->n; n++)
        k->insns[n].marks =
            (uint8_t)((s->insns[n].starts ? KM_STARTS : 0) | (s->insns[n].waits ? KM_WAITS : 0));
    return (void *)s;
}

void strands_forget(void *note) { strands_free(note); }
