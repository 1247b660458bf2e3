/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/layout.h"

static uint64_t place(const struct ptx_module *m, const struct ptx_var *until)
{
    uint64_t at = 0;
    vec_each (&m->vars, p) {
        const struct ptx_var *v = *p;
        if (v->space != SPACE_CONST)
            continue;
        uint64_t align = v->align_b ? v->align_b : 1;
        at = (at + align - 1) / align * align;
        if (v == until)
            return at;
        at += v->size_b;
    }
    return at;
}

uint64_t ptx_const_off(const struct ptx_module *m, const struct ptx_var *v) { return place(m, v); }
uint64_t ptx_const_size(const struct ptx_module *m) { return place(m, NULL); }
