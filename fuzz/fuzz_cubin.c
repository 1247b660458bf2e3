/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a cubin: a refusal with the place and the reason, or one whose parts lie inside the file. */
#include "sass/cubin.h"

#define CHECK(c)                                                                                             \
    do {                                                                                                     \
        if (!(c))                                                                                            \
            __builtin_trap();                                                                                \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char why[200] = "";
    struct cubin *c = cubin_read(data, n, why, sizeof why);
    CHECK(!c == (why[0] != 0));
    if (!c)
        return 0;
    vec_each (&c->kernels, k) {
        CHECK(k->section < c->sections.n && c->sections.at[k->section].size_b % 16 == 0);
        for (uint32_t b = 0; b < CUBIN_BANKS; b++)
            CHECK(k->bank[b] < c->sections.n);
        const struct cubin_line *l = cubin_line_at(c, k->section, 16);
        CHECK(!l || l->file < c->files.n);
    }
    vec_each (&c->relocs, r)
        CHECK(r->section < c->sections.n && r->offset + 4 <= c->sections.at[r->section].size_b);
    cubin_free(c);
    return 0;
}
