/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction fetch by how far code jumps, how much of it there is, and who else asks for it: straight code by size and SMs; pieces of 8 FMAs
 * and a branch over so many instructions that nobody executes, in code of some 3, 24 and 96 KB; four segments of code that warps go through in
 * the same order or each from another on, or stay in.
 * Usage: places [GROUP [ROW]] */
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

#define I8 I4 I4
#define I12 I8 I4
#define I24 I16 I8
#define I32 I16 I16
#define I48 I32 I16
#define I96 I64 I32
#define I128 I64 I64
#define P8(over) P4(over) P4(over)
#define P12(over) P8(over) P4(over)
#define P32(over) P16(over) P16(over)
#define P96(over) P64(over) P32(over)
#define P128(over) P64(over) P64(over)

CODE(straight_4, K4)
CODE(straight_5, K4 I64)
CODE(straight_6, K4 I64 I64)
CODE(straight_7, K4 I64 I64 I64)
CODE(straight_8, K4 K4)
CODE(straight_24, K16 K4 K4)
CODE(straight_28, K16 K4 K4 K4)
CODE(straight_30, K16 K4 K4 K4 I64 I64)
CODE(straight_31, K16 K4 K4 K4 I64 I64 I64)
CODE(straight_33, K16 K16 I64)
CODE(straight_34, K16 K16 I64 I64)
CODE(straight_36, K16 K16 K4)
CODE(straight_40, K16 K16 K4 K4)
CODE(straight_48, K16 K16 K16)
CODE(straight_96, K64 K16 K16)
CODE(straight_120, K64 K16 K16 K16 K4 K4)
CODE(straight_124, K64 K16 K16 K16 K4 K4 K4)
CODE(straight_132, K64 K64 K4)
CODE(straight_160, K64 K64 K16 K16)

/* So many instructions are jumped over: some 3 KB, 24 KB, 96 KB of code. */
CODE(near_8, P8(I8))
CODE(near_16, P8(I16))
CODE(near_32, P4(I32))
CODE(near_48, P4(I48) )
CODE(mid_8, P64(I8) P12(I8) P4(I8))
CODE(mid_12, P64(I12))
CODE(mid_24, P32(I24) P12(I24))
CODE(mid_32, P32(I32) P4(I32))
CODE(mid_48, P16(I48) P8(I48))
CODE(mid_96, P12(I96) P4(I96))
CODE(mid_128, P8(I128) P4(I128))
CODE(far_8, P256(I8) P64(I8))
CODE(far_12, P256(I12))
CODE(far_24, P128(I24) P32(I24) P16(I24))
CODE(far_32, P128(I32) P16(I32))
CODE(far_48, P96(I48) P8(I48))
CODE(far_96, P32(I96) P16(I96) P8(I96))
CODE(far_128, P32(I128) P12(I128))

/* Four segments, and each warp from its own on (`turn` 1), or all in one order (0). */
#define SEGMENTS(name, segment)                                                                              \
    __global__ void name(float b, float c, int turn, int n, ull *took, unsigned *out)                        \
    {                                                                                                        \
        float x = b, y = b, z = b, w = b;                                                                    \
        int at = __shfl_sync(~0u, turn ? threadIdx.x / 32 : 0, 0), step = turn < 3;                                           \
        if (turn == 2 || turn == 4)                                                                          \
            at /= 4;                                                                                         \
        BEGIN_CLOCK                                                                                          \
        _Pragma("unroll 1") for (int i = 0; i < 4 * n; i++, at += step)                                            \
        {                                                                                                    \
            switch (at & 3) {                                                                                \
            case 0: segment break;                                                                           \
            case 1: segment break;                                                                           \
            case 2: segment break;                                                                           \
            default: segment break;                                                                          \
            }                                                                                                \
        }                                                                                                    \
        END_CLOCK                                                                                            \
        if (x + y + z + w == 12345.0f)                                                                       \
            *out = 1;                                                                                        \
    }
SEGMENTS(segments_1, I48)
SEGMENTS(segments_2, I128)
SEGMENTS(segments_4, K4)
SEGMENTS(segments_6, K4 I64 I64)
SEGMENTS(segments_24, K16 K4 K4)

typedef void (*code)(float, float, float, int, ull *, unsigned *);
typedef void (*segments)(float, float, int, int, ull *, unsigned *);
struct named {
    const char *name;
    code k;
};
#define NAMED(what, n) {#what " " #n, what##_##n}

int main(int argc, char **argv)
{
    static const named straight[] = {NAMED(straight, 4),  NAMED(straight, 5),  NAMED(straight, 6),   NAMED(straight, 7),   NAMED(straight, 8),
                                     NAMED(straight, 24), NAMED(straight, 28), NAMED(straight, 30),  NAMED(straight, 31),  NAMED(straight, 33),
                                     NAMED(straight, 34), NAMED(straight, 36), NAMED(straight, 40),  NAMED(straight, 48),  NAMED(straight, 96),
                                     NAMED(straight, 120), NAMED(straight, 124), NAMED(straight, 132), NAMED(straight, 160)};
    static const named over[] = {NAMED(near, 8),  NAMED(near, 16), NAMED(near, 32), NAMED(near, 48), NAMED(mid, 8),   NAMED(mid, 12),
                                 NAMED(mid, 24),  NAMED(mid, 32),  NAMED(mid, 48),  NAMED(mid, 96),  NAMED(mid, 128), NAMED(far, 8),
                                 NAMED(far, 12),  NAMED(far, 24),  NAMED(far, 32),  NAMED(far, 48),  NAMED(far, 96),  NAMED(far, 128)};
    static const struct {
        const char *name;
        segments k;
    } parts[] = {{"1 KB", segments_1}, {"2 KB", segments_2}, {"4 KB", segments_4}, {"6 KB", segments_6}, {"24 KB", segments_24}};
    char name[64];
    rows_begin(argc, argv);
    for (auto &c : straight)
        for (int ctas : {1, 2, 8, 16, 66, (int)SMS})
            for (int warps : {1, 4, 8}) {
                snprintf(name, sizeof name, "%s ctas %d warps %d", c.name, ctas, warps);
                row("straight", name, ctas, 4, [&](int n) { c.k<<<ctas, warps * 32>>>(1.0f, 0.5f, -7.0f, n, took_by, sink); });
            }
    for (auto &c : over)
        for (int ctas : {1, (int)SMS})
            for (int warps : {1, 4, 8}) {
                snprintf(name, sizeof name, "%s ctas %d warps %d", c.name, ctas, warps);
                row("over", name, ctas, 4, [&](int n) { c.k<<<ctas, warps * 32>>>(1.0f, 0.5f, -7.0f, n, took_by, sink); });
            }
    static const char *const orders[] = {"one order", "each its own", "each four", "each stays", "each four stay"};
    for (auto &c : parts)
        for (int turn = 0; turn < 5; turn++)
            for (int ctas : {1, (int)SMS})
                for (int warps : {1, 4, 8, 16}) {
                    snprintf(name, sizeof name, "%s %s ctas %d warps %d", c.name, orders[turn], ctas, warps);
                    row("segments", name, ctas, 4, [&](int n) { c.k<<<ctas, warps * 32>>>(1.0f, 0.5f, turn, n, took_by, sink); });
                }
    return 0;
}
