/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/write/value.h"

enum tr_value tr_value_part(const uint32_t *row, unsigned n)
{
    uint32_t step = n > 1 ? row[1] - row[0] : 0;
    if (step != 0 && step != 1 && step != 4)
        return TV_OTHER;
    for (unsigned l = 0; l < n; l++) {
        unsigned start = l < TR_HALF ? 0 : TR_HALF;
        if (row[l] != row[start] + step * (l - start))
            return TV_OTHER;
    }
    return tr_value_by_step(step, n > TR_HALF && row[TR_HALF] != row[0] + TR_HALF * step);
}
