/* SPDX-License-Identifier: Apache-2.0 */
/* Is all of an encoding understood? */
#include "sass/lower.h"

static const struct {
    uint16_t op, code;
    uint64_t lo, hi;
} rests[] = {
#define REST(name, code, lo, hi) {S_##name, code, lo, hi},
#include "sass/rest.def"
#undef REST
};

bool sass_is_whole(const struct sass_insn *i)
{
    uint64_t lo = i->rest_lo, hi = i->rest_hi & ~((uint64_t)1 << (91 - 64));
    if (!lo && !hi)
        return true;
    for (size_t k = 0; k < sizeof rests / sizeof rests[0]; k++) {
        if (rests[k].op == i->row->op && rests[k].code == i->row->code && rests[k].lo == lo &&
            rests[k].hi == hi)
            return true;
    }
    return false;
}
