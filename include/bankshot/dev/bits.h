/* Integer functions that clang's headers lack; they have __popc, __clz, __ffs, __brev, __byte_perm,
 * __mulhi, __sad, __hadd. */
#ifndef BANKSHOT_DEV_BITS_H
#define BANKSHOT_DEV_BITS_H

#define __BANKSHOT_FUNNEL(name, insn)                                                                        \
    __BANKSHOT_FN unsigned name(unsigned lo, unsigned hi, unsigned shift)                                    \
    {                                                                                                        \
        unsigned r;                                                                                          \
        asm(insn " %0, %1, %2, %3;" : "=r"(r) : "r"(lo), "r"(hi), "r"(shift));                               \
        return r;                                                                                            \
    }
__BANKSHOT_FUNNEL(__funnelshift_l, "shf.l.wrap.b32")
__BANKSHOT_FUNNEL(__funnelshift_lc, "shf.l.clamp.b32")
__BANKSHOT_FUNNEL(__funnelshift_r, "shf.r.wrap.b32")
__BANKSHOT_FUNNEL(__funnelshift_rc, "shf.r.clamp.b32")
#undef __BANKSHOT_FUNNEL

/* Dot products of bytes (dp4a), and of 16-bit words with two bytes (dp2a), added to c. */
#define __BANKSHOT_DOT(name, T, insn)                                                                        \
    __BANKSHOT_FN T name(T a, T b, T c)                                                                      \
    {                                                                                                        \
        T r;                                                                                                 \
        asm(insn " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));                                     \
        return r;                                                                                            \
    }
#define __BANKSHOT_DOT_VEC(name, T, VA, VB)                                                                  \
    __BANKSHOT_FN T name(VA a, VB b, T c)                                                                    \
    {                                                                                                        \
        T x, y;                                                                                              \
        __builtin_memcpy(&x, &a, sizeof x);                                                                  \
        __builtin_memcpy(&y, &b, sizeof y);                                                                  \
        return name(x, y, c);                                                                                \
    }
__BANKSHOT_DOT(__dp4a, int, "dp4a.s32.s32")
__BANKSHOT_DOT(__dp4a, unsigned, "dp4a.u32.u32")
__BANKSHOT_DOT_VEC(__dp4a, int, char4, char4)
__BANKSHOT_DOT_VEC(__dp4a, unsigned, uchar4, uchar4)
__BANKSHOT_DOT(__dp2a_lo, int, "dp2a.lo.s32.s32")
__BANKSHOT_DOT(__dp2a_lo, unsigned, "dp2a.lo.u32.u32")
__BANKSHOT_DOT_VEC(__dp2a_lo, int, short2, char4)
__BANKSHOT_DOT_VEC(__dp2a_lo, unsigned, ushort2, uchar4)
__BANKSHOT_DOT(__dp2a_hi, int, "dp2a.hi.s32.s32")
__BANKSHOT_DOT(__dp2a_hi, unsigned, "dp2a.hi.u32.u32")
__BANKSHOT_DOT_VEC(__dp2a_hi, int, short2, char4)
__BANKSHOT_DOT_VEC(__dp2a_hi, unsigned, ushort2, uchar4)
#undef __BANKSHOT_DOT_VEC
#undef __BANKSHOT_DOT

/* The place of the offset-th set bit of the mask, counted from base; ~0 if there is none. */
__BANKSHOT_FN unsigned __fns(unsigned mask, unsigned base, int offset)
{
    unsigned r;
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(mask), "r"(base), "r"(offset));
    return r;
}

/* Promises to the optimiser. */
#define __assume(e) __builtin_assume(e)
#define __nv_aligned_device_malloc(size_b, align_b) malloc(size_b)
__BANKSHOT_FN void *__nv_associate_access_property(const void *p, unsigned long long) { return (void *)p; }

#endif
/* SPDX-License-Identifier: Apache-2.0 */
