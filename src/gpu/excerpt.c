/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/excerpt.h"

bool excerpt_cta_from(const struct gpu_excerpt *e, const struct tr_reader *t, uint32_t from, uint32_t *cta)
{
    if (!e->n)
        return tr_cta_from(t, e->launch, from, cta);
    for (uint32_t i = 0; i < e->n; i++) {
        if (from >= e->ctas[i].to)
            continue;
        from = from > e->ctas[i].from ? from : (uint32_t)e->ctas[i].from;
        if (!tr_cta_from(t, e->launch, from, cta))
            return false;
        if (*cta < e->ctas[i].to)
            return true;
        from = *cta;
    }
    return false;
}

uint64_t excerpt_ctas(const struct gpu_excerpt *e, const struct tr_reader *t)
{
    uint64_t n = 0;
    uint32_t cta = 0;
    if (!e->n)
        return tr_launch(t, e->launch)->recorded;
    for (uint32_t from = 0; excerpt_cta_from(e, t, from, &cta); from = cta + 1) {
        n++;
        if (cta == UINT32_MAX)
            break;
    }
    return n;
}
