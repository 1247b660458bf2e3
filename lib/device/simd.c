/* Integers of 8 and 16 bits side by side in a word. Written lane by lane from one table of operations; the compiler turns the
 * loops into straight code. */
#include "device.h"

#define EACH2(i) _Pragma("unroll") for (int i = 0; i < 32; i += 16)
#define EACH4(i) _Pragma("unroll") for (int i = 0; i < 32; i += 8)
#define S2(v, i) ((i32)((v) << (16 - (i))) >> 16)
#define S4(v, i) ((i32)((v) << (24 - (i))) >> 24)
#define U2(v, i) ((i32)((v) >> (i)&0xffff))
#define U4(v, i) ((i32)((v) >> (i)&0xff))
INLINE i32 clamp(i32 v, i32 lo, i32 hi) { return v < lo ? lo : v > hi ? hi : v; }
INLINE i32 abs_of(i32 v) { return v < 0 ? -v : v; }

/* name: expr of x and y (the lanes, sign- or zero-extended as `get` says), packed again. lo and hi: the range of the signed lane. */
#define SIMD(name, width, get, mask, expr)                                                                   \
    u32 __nv_##name##width(u32 a, u32 b)                                                                     \
    {                                                                                                        \
        const i32 lo = -(i32)((mask) >> 1) - 1, hi = (i32)((mask) >> 1), top = (i32)(mask);                  \
        (void)lo, (void)hi, (void)top;                                                                       \
        u32 r = 0;                                                                                           \
        EACH##width(i)                                                                                       \
        {                                                                                                    \
            i32 x = get(a, i), y = get(b, i);                                                                \
            r |= ((u32)(expr) & (mask)) << i;                                                                \
        }                                                                                                    \
        return r;                                                                                            \
    }
#define SIGNED(name, expr) SIMD(name, 2, S2, 0xffffu, expr) SIMD(name, 4, S4, 0xffu, expr)
#define UNSIGNED(name, expr) SIMD(name, 2, U2, 0xffffu, expr) SIMD(name, 4, U4, 0xffu, expr)
#define SIMD1(name, width, get, mask, expr)                                                                  \
    u32 __nv_##name##width(u32 a)                                                                            \
    {                                                                                                        \
        const i32 hi = (i32)((mask) >> 1);                                                                   \
        (void)hi;                                                                                            \
        u32 r = 0;                                                                                           \
        EACH##width(i)                                                                                       \
        {                                                                                                    \
            i32 x = get(a, i);                                                                               \
            r |= ((u32)(expr) & (mask)) << i;                                                                \
        }                                                                                                    \
        return r;                                                                                            \
    }
#define SIGNED1(name, expr) SIMD1(name, 2, S2, 0xffffu, expr) SIMD1(name, 4, S4, 0xffu, expr)
#define SUM(name, width, get)                                                                                \
    u32 __nv_##name##width(u32 a, u32 b)                                                                     \
    {                                                                                                        \
        u32 r = 0;                                                                                           \
        EACH##width(i) r += (u32)abs_of(get(a, i) - get(b, i));                                              \
        return r;                                                                                            \
    }

UNSIGNED(vadd, x + y)
UNSIGNED(vsub, x - y)
SIGNED(vaddss, clamp(x + y, lo, hi))
SIGNED(vsubss, clamp(x - y, lo, hi))
UNSIGNED(vaddus, clamp(x + y, 0, top))
UNSIGNED(vsubus, clamp(x - y, 0, top))
SIGNED(vavgs, (x + y + 1 - (x + y < 0)) >> 1)
UNSIGNED(vavgu, (x + y + 1) >> 1)
UNSIGNED(vhaddu, (x + y) >> 1)
SIGNED(vabsdiffs, abs_of(x - y))
UNSIGNED(vabsdiffu, abs_of(x - y))
SIGNED(vmaxs, x > y ? x : y)
UNSIGNED(vmaxu, x > y ? x : y)
SIGNED(vmins, x < y ? x : y)
UNSIGNED(vminu, x < y ? x : y)
SIGNED1(vabs, abs_of(x))
SIGNED1(vabsss, abs_of(x) > hi ? hi : abs_of(x))
SIGNED1(vneg, -x)
SIGNED1(vnegss, -x > hi ? hi : -x)
SUM(vsads, 2, S2)
SUM(vsads, 4, S4)
SUM(vsadu, 2, U2)
SUM(vsadu, 4, U4)
/* Comparisons: all ones (vcmp) or one (vset). */
#define COMPARE(name, kind, op) kind(vcmp##name, x op y ? -1 : 0) kind(vset##name, x op y)
COMPARE(eq, UNSIGNED, ==)
COMPARE(ne, UNSIGNED, !=)
COMPARE(ges, SIGNED, >=)
COMPARE(geu, UNSIGNED, >=)
COMPARE(gts, SIGNED, >)
COMPARE(gtu, UNSIGNED, >)
COMPARE(les, SIGNED, <=)
COMPARE(leu, UNSIGNED, <=)
COMPARE(lts, SIGNED, <)
COMPARE(ltu, UNSIGNED, <)
/* SPDX-License-Identifier: Apache-2.0 */
