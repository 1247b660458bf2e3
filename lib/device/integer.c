/* Integer functions. */
#include "device.h"

int __nv_abs(int x) { return x < 0 ? -x : x; }
i64 __nv_llabs(i64 x) { return x < 0 ? -x : x; }
int __nv_min(int x, int y) { return x < y ? x : y; }
int __nv_max(int x, int y) { return x > y ? x : y; }
u32 __nv_umin(u32 x, u32 y) { return x < y ? x : y; }
u32 __nv_umax(u32 x, u32 y) { return x > y ? x : y; }
i64 __nv_llmin(i64 x, i64 y) { return x < y ? x : y; }
i64 __nv_llmax(i64 x, i64 y) { return x > y ? x : y; }
u64 __nv_ullmin(u64 x, u64 y) { return x < y ? x : y; }
u64 __nv_ullmax(u64 x, u64 y) { return x > y ? x : y; }

int __nv_clz(int x) { return x ? __builtin_clz((u32)x) : 32; }
int __nv_clzll(i64 x) { return x ? __builtin_clzll((u64)x) : 64; }
int __nv_popc(u32 x) { return __builtin_popcount(x); }
int __nv_popcll(u64 x) { return __builtin_popcountll(x); }
/* Zeros above the highest one, or all ones if there is none: what the machine's instruction gives. */
INLINE u32 zeros_above(u32 x)
{
    u32 r;
    __asm__("bfind.shiftamt.u32 %0, %1;" : "=r"(r) : "r"(x));
    return r;
}
int __nv_ffs(int x) { return (int)zeros_above(__builtin_bitreverse32((u32)x)) + 1; }
int __nv_ffsll(i64 x)
{
    u32 r;
    __asm__("bfind.shiftamt.u64 %0, %1;" : "=r"(r) : "l"(__builtin_bitreverse64((u64)x)));
    return (int)r + 1;
}
u32 __nv_brev(u32 x) { return __builtin_bitreverse32(x); }
u64 __nv_brevll(u64 x) { return __builtin_bitreverse64(x); }
u32 __nv_byte_perm(u32 x, u32 y, u32 s)
{
    u32 r;
    __asm__("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(s & 0x7777));
    return r;
}

int __nv_mulhi(int x, int y) { return (int)((i64)x * y >> 32); }
u32 __nv_umulhi(u32 x, u32 y) { return (u32)((u64)x * y >> 32); }
i64 __nv_mul64hi(i64 x, i64 y) { return __nvvm_mulhi_ll(x, y); }
u64 __nv_umul64hi(u64 x, u64 y) { return __nvvm_mulhi_ull(x, y); }
int __nv_mul24(int x, int y) { return (int)((u32)(x << 8 >> 8) * (u32)(y << 8 >> 8)); }
u32 __nv_umul24(u32 x, u32 y) { return (x & 0xffffff) * (y & 0xffffff); }
/* Averages without overflow, rounded down and up. */
int __nv_hadd(int x, int y) { return (x & y) + ((x ^ y) >> 1); }
int __nv_rhadd(int x, int y) { return (x | y) - ((x ^ y) >> 1); }
u32 __nv_uhadd(u32 x, u32 y) { return (x & y) + ((x ^ y) >> 1); }
u32 __nv_urhadd(u32 x, u32 y) { return (x | y) - ((x ^ y) >> 1); }
#define SAD(name, type, ptx)                                                                                 \
    u32 name(type x, type y, u32 z)                                                                          \
    {                                                                                                        \
        u32 r;                                                                                               \
        __asm__(ptx " %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z));                                  \
        return r;                                                                                            \
    }
SAD(__nv_sad, int, "sad.s32")
SAD(__nv_usad, u32, "sad.u32")
/* SPDX-License-Identifier: Apache-2.0 */
