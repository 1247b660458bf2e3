/* Instruction fetch where code jumps: pieces of 8 FMAs, each followed by a branch over 16 or 64 instructions that nobody executes. So many
 * pieces in a loop, gone through again and again: cycles of a piece by how much code lies between its ends, and by warps.
 * Usage: jumps [GROUP [ROW]] */
#include "rows.h"
#include "pieces.h"

#define CODE(name, body)                                                                                     \
    __global__ void name(float b, float c, float bad, int n, ull *took, unsigned *out)                       \
    {                                                                                                        \
        float x = b, y = b, z = b, w = b;                                                                    \
        BEGIN_CLOCK                                                                                          \
        _Pragma("unroll 1") for (int i = 0; i < n; i++) { body }                                             \
        END_CLOCK                                                                                            \
        if (x + y + z + w == 12345.0f)                                                                       \
            *out = 1;                                                                                        \
    }

CODE(none_64, P64())
CODE(short_16, P16(I16))
CODE(short_64, P64(I16))
CODE(short_128, P64(I16) P64(I16))
CODE(short_192, P64(I16) P64(I16) P64(I16))
CODE(short_256, P256(I16))
CODE(long_16, P16(I64))
CODE(long_32, P16(I64) P16(I64))
CODE(long_64, P64(I64))
CODE(long_96, P64(I64) P16(I64) P16(I64))

typedef void (*code)(float, float, float, int, ull *, unsigned *);

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        code k;
    } codes[] = {{"none 64", none_64},     {"short 16", short_16}, {"short 64", short_64}, {"short 128", short_128}, {"short 192", short_192},
                 {"short 256", short_256}, {"long 16", long_16},   {"long 32", long_32},   {"long 64", long_64},     {"long 96", long_96}};
    char name[64];
    rows_begin(argc, argv);
    for (auto &c : codes)
        for (int ctas : {1, (int)SMS})
            for (int warps : {1, 4, 8}) {
                snprintf(name, sizeof name, "%s ctas %d warps %d", c.name, ctas, warps);
                row("jumps", name, ctas, 4, [&](int n) { c.k<<<ctas, warps * 32>>>(1.0f, 0.5f, -7.0f, n, took_by, sink); });
            }
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
