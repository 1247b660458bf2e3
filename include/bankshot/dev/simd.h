/* Functions on the two halves or the four bytes of a word. clang's own emit PTX's video instructions,
 * which no GPU since Kepler has; these are made of logic and prmt, as nvcc makes them. */
#ifndef BANKSHOT_DEV_SIMD_H
#define BANKSHOT_DEV_SIMD_H

/* parts: 2 or 4. */
template <int parts> struct __bankshot_simd {
    static const unsigned top = parts == 2 ? 0x80008000u : 0x80808080u; /* highest bit of each part */
    static const unsigned low = parts == 2 ? 0x00010001u : 0x01010101u; /* lowest */

    /* All bits of a part like its highest. */
    __BANKSHOT_FN unsigned spread(unsigned a) { return __nvvm_prmt(a, 0, parts == 2 ? 0xbb99 : 0xba98); }
    __BANKSHOT_FN unsigned pick(unsigned mask, unsigned a, unsigned b) { return (a & mask) | (b & ~mask); }

    __BANKSHOT_FN unsigned add(unsigned a, unsigned b) { return ((a & ~top) + (b & ~top)) ^ ((a ^ b) & top); }
    __BANKSHOT_FN unsigned sub(unsigned a, unsigned b) { return ((a | top) - (b & ~top)) ^ ((a ^ ~b) & top); }
    __BANKSHOT_FN unsigned neg(unsigned a) { return sub(0, a); }

    /* Half the sum, rounded down: nothing is carried from part to part. */
    __BANKSHOT_FN unsigned haddu(unsigned a, unsigned b) { return (a & b) + (((a ^ b) & ~low) >> 1); }

    /* Comparisons: all bits of a part, or none. a < b where half of ~a + b has its highest bit. */
    __BANKSHOT_FN unsigned cmpltu(unsigned a, unsigned b) { return spread(haddu(~a, b)); }
    __BANKSHOT_FN unsigned cmplts(unsigned a, unsigned b) { return cmpltu(a ^ top, b ^ top); }
    __BANKSHOT_FN unsigned cmpne(unsigned a, unsigned b)
    {
        unsigned d = a ^ b;
        return spread(((d & ~top) + ~top) | d);
    }
    __BANKSHOT_FN unsigned cmpeq(unsigned a, unsigned b) { return ~cmpne(a, b); }
    __BANKSHOT_FN unsigned cmpgtu(unsigned a, unsigned b) { return cmpltu(b, a); }
    __BANKSHOT_FN unsigned cmpgts(unsigned a, unsigned b) { return cmplts(b, a); }
    __BANKSHOT_FN unsigned cmpgeu(unsigned a, unsigned b) { return ~cmpltu(a, b); }
    __BANKSHOT_FN unsigned cmpges(unsigned a, unsigned b) { return ~cmplts(a, b); }
    __BANKSHOT_FN unsigned cmpleu(unsigned a, unsigned b) { return ~cmpltu(b, a); }
    __BANKSHOT_FN unsigned cmples(unsigned a, unsigned b) { return ~cmplts(b, a); }

    /* Of halves one instruction from sm_90 on. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define __BANKSHOT_EXTREME(name, ptx, mask, yes, no)                                                         \
    __BANKSHOT_FN unsigned name(unsigned a, unsigned b)                                                      \
    {                                                                                                        \
        if (parts == 4)                                                                                      \
            return pick(mask, yes, no);                                                                      \
        unsigned r;                                                                                          \
        asm(ptx " %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));                                                  \
        return r;                                                                                            \
    }
#else
#define __BANKSHOT_EXTREME(name, ptx, mask, yes, no)                                                         \
    __BANKSHOT_FN unsigned name(unsigned a, unsigned b) { return pick(mask, yes, no); }
#endif
    __BANKSHOT_EXTREME(minu, "min.u16x2", cmpltu(a, b), a, b)
    __BANKSHOT_EXTREME(mins, "min.s16x2", cmplts(a, b), a, b)
    __BANKSHOT_EXTREME(maxu, "max.u16x2", cmpltu(a, b), b, a)
    __BANKSHOT_EXTREME(maxs, "max.s16x2", cmplts(a, b), b, a)
#undef __BANKSHOT_EXTREME

    /* Saturating: us to the unsigned range, ss to the signed one. */
    __BANKSHOT_FN unsigned addus(unsigned a, unsigned b)
    {
        unsigned s = add(a, b);
        return s | spread((a & b) | ((a | b) & ~s));
    }
    __BANKSHOT_FN unsigned subus(unsigned a, unsigned b) { return pick(cmpltu(a, b), b, a) - b; }
    __BANKSHOT_FN unsigned limit(unsigned overflow, unsigned a, unsigned s) /* towards the sign of a */
    {
        return pick(spread(overflow), spread(a) ^ ~top, s);
    }
    __BANKSHOT_FN unsigned addss(unsigned a, unsigned b)
    {
        unsigned s = add(a, b);
        return limit((s ^ a) & (s ^ b), a, s);
    }
    __BANKSHOT_FN unsigned subss(unsigned a, unsigned b)
    {
        unsigned s = sub(a, b);
        return limit((a ^ b) & (s ^ a), a, s);
    }
    __BANKSHOT_FN unsigned negss(unsigned a) { return subss(0, a); }

    __BANKSHOT_FN unsigned flip(unsigned mask, unsigned a) { return sub(a ^ mask, mask); }
    __BANKSHOT_FN unsigned abs(unsigned a) { return flip(spread(a), a); }
    __BANKSHOT_FN unsigned absss(unsigned a)
    {
        unsigned r = abs(a);
        return r - ((r & top) >> (32 / parts - 1)); /* only the smallest number keeps its sign */
    }
    __BANKSHOT_FN unsigned absdiffu(unsigned a, unsigned b)
    {
        if (parts == 2) {
            unsigned less = cmpltu(a, b);
            return pick(less, b, a) - pick(less, a, b);
        }
        unsigned r;
        asm("vabsdiff4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0));
        return r;
    }
    __BANKSHOT_FN unsigned absdiffs(unsigned a, unsigned b) { return absdiffu(a ^ top, b ^ top); }
    __BANKSHOT_FN unsigned sum(unsigned a)
    {
        if (parts == 2)
            return (a & 0xffff) + (a >> 16);
        return (a & 0xff) + (a >> 8 & 0xff) + (a >> 16 & 0xff) + (a >> 24);
    }
    __BANKSHOT_FN unsigned sadu(unsigned a, unsigned b)
    {
        if (parts == 2)
            return sum(absdiffu(a, b));
        unsigned r;
        asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0));
        return r;
    }
    __BANKSHOT_FN unsigned sads(unsigned a, unsigned b) { return sadu(a ^ top, b ^ top); }

    /* Averages to the nearest and, halfway, away from zero. */
    __BANKSHOT_FN unsigned avgu(unsigned a, unsigned b) { return (a | b) - (((a ^ b) & ~low) >> 1); }
    __BANKSHOT_FN unsigned avgs(unsigned a, unsigned b)
    {
        unsigned down = haddu(a ^ top, b ^ top) ^ top;
        return add(down, (a ^ b) & low & ~spread(down));
    }
};

#define __BANKSHOT_SIMD1(name)                                                                               \
    __BANKSHOT_FN unsigned __bankshot_v##name##2(unsigned a) { return __bankshot_simd<2>::name(a); }         \
    __BANKSHOT_FN unsigned __bankshot_v##name##4(unsigned a) { return __bankshot_simd<4>::name(a); }
#define __BANKSHOT_SIMD2(name)                                                                               \
    __BANKSHOT_FN unsigned __bankshot_v##name##2(unsigned a, unsigned b)                                     \
    {                                                                                                        \
        return __bankshot_simd<2>::name(a, b);                                                               \
    }                                                                                                        \
    __BANKSHOT_FN unsigned __bankshot_v##name##4(unsigned a, unsigned b)                                     \
    {                                                                                                        \
        return __bankshot_simd<4>::name(a, b);                                                               \
    }
/* cmp gives a mask, set gives 1. */
#define __BANKSHOT_SIMD_CMP(how)                                                                             \
    __BANKSHOT_SIMD2(cmp##how)                                                                               \
    __BANKSHOT_FN unsigned __bankshot_vset##how##2(unsigned a, unsigned b)                                   \
    {                                                                                                        \
        return __bankshot_simd<2>::cmp##how(a, b) & __bankshot_simd<2>::low;                                 \
    }                                                                                                        \
    __BANKSHOT_FN unsigned __bankshot_vset##how##4(unsigned a, unsigned b)                                   \
    {                                                                                                        \
        return __bankshot_simd<4>::cmp##how(a, b) & __bankshot_simd<4>::low;                                 \
    }
__BANKSHOT_SIMD1(abs)
__BANKSHOT_SIMD1(absss)
__BANKSHOT_SIMD1(neg)
__BANKSHOT_SIMD1(negss)
__BANKSHOT_SIMD2(add)
__BANKSHOT_SIMD2(addss)
__BANKSHOT_SIMD2(addus)
__BANKSHOT_SIMD2(sub)
__BANKSHOT_SIMD2(subss)
__BANKSHOT_SIMD2(subus)
__BANKSHOT_SIMD2(absdiffs)
__BANKSHOT_SIMD2(absdiffu)
__BANKSHOT_SIMD2(sads)
__BANKSHOT_SIMD2(sadu)
__BANKSHOT_SIMD2(avgs)
__BANKSHOT_SIMD2(avgu)
__BANKSHOT_SIMD2(haddu)
__BANKSHOT_SIMD2(maxs)
__BANKSHOT_SIMD2(maxu)
__BANKSHOT_SIMD2(mins)
__BANKSHOT_SIMD2(minu)
__BANKSHOT_SIMD_CMP(eq)
__BANKSHOT_SIMD_CMP(ne)
__BANKSHOT_SIMD_CMP(lts)
__BANKSHOT_SIMD_CMP(ltu)
__BANKSHOT_SIMD_CMP(les)
__BANKSHOT_SIMD_CMP(leu)
__BANKSHOT_SIMD_CMP(gts)
__BANKSHOT_SIMD_CMP(gtu)
__BANKSHOT_SIMD_CMP(ges)
__BANKSHOT_SIMD_CMP(geu)
#undef __BANKSHOT_SIMD_CMP
#undef __BANKSHOT_SIMD2
#undef __BANKSHOT_SIMD1

/* The names stand for clang's functions until here. */
#define __vabs2 __bankshot_vabs2
#define __vabs4 __bankshot_vabs4
#define __vabsss2 __bankshot_vabsss2
#define __vabsss4 __bankshot_vabsss4
#define __vneg2 __bankshot_vneg2
#define __vneg4 __bankshot_vneg4
#define __vnegss2 __bankshot_vnegss2
#define __vnegss4 __bankshot_vnegss4
#define __vadd2 __bankshot_vadd2
#define __vadd4 __bankshot_vadd4
#define __vaddss2 __bankshot_vaddss2
#define __vaddss4 __bankshot_vaddss4
#define __vaddus2 __bankshot_vaddus2
#define __vaddus4 __bankshot_vaddus4
#define __vsub2 __bankshot_vsub2
#define __vsub4 __bankshot_vsub4
#define __vsubss2 __bankshot_vsubss2
#define __vsubss4 __bankshot_vsubss4
#define __vsubus2 __bankshot_vsubus2
#define __vsubus4 __bankshot_vsubus4
#define __vabsdiffs2 __bankshot_vabsdiffs2
#define __vabsdiffs4 __bankshot_vabsdiffs4
#define __vabsdiffu2 __bankshot_vabsdiffu2
#define __vabsdiffu4 __bankshot_vabsdiffu4
#define __vsads2 __bankshot_vsads2
#define __vsads4 __bankshot_vsads4
#define __vsadu2 __bankshot_vsadu2
#define __vsadu4 __bankshot_vsadu4
#define __vavgs2 __bankshot_vavgs2
#define __vavgs4 __bankshot_vavgs4
#define __vavgu2 __bankshot_vavgu2
#define __vavgu4 __bankshot_vavgu4
#define __vhaddu2 __bankshot_vhaddu2
#define __vhaddu4 __bankshot_vhaddu4
#define __vmaxs2 __bankshot_vmaxs2
#define __vmaxs4 __bankshot_vmaxs4
#define __vmaxu2 __bankshot_vmaxu2
#define __vmaxu4 __bankshot_vmaxu4
#define __vmins2 __bankshot_vmins2
#define __vmins4 __bankshot_vmins4
#define __vminu2 __bankshot_vminu2
#define __vminu4 __bankshot_vminu4
#define __vcmpeq2 __bankshot_vcmpeq2
#define __vcmpeq4 __bankshot_vcmpeq4
#define __vcmpne2 __bankshot_vcmpne2
#define __vcmpne4 __bankshot_vcmpne4
#define __vcmplts2 __bankshot_vcmplts2
#define __vcmplts4 __bankshot_vcmplts4
#define __vcmpltu2 __bankshot_vcmpltu2
#define __vcmpltu4 __bankshot_vcmpltu4
#define __vcmples2 __bankshot_vcmples2
#define __vcmples4 __bankshot_vcmples4
#define __vcmpleu2 __bankshot_vcmpleu2
#define __vcmpleu4 __bankshot_vcmpleu4
#define __vcmpgts2 __bankshot_vcmpgts2
#define __vcmpgts4 __bankshot_vcmpgts4
#define __vcmpgtu2 __bankshot_vcmpgtu2
#define __vcmpgtu4 __bankshot_vcmpgtu4
#define __vcmpges2 __bankshot_vcmpges2
#define __vcmpges4 __bankshot_vcmpges4
#define __vcmpgeu2 __bankshot_vcmpgeu2
#define __vcmpgeu4 __bankshot_vcmpgeu4
#define __vseteq2 __bankshot_vseteq2
#define __vseteq4 __bankshot_vseteq4
#define __vsetne2 __bankshot_vsetne2
#define __vsetne4 __bankshot_vsetne4
#define __vsetlts2 __bankshot_vsetlts2
#define __vsetlts4 __bankshot_vsetlts4
#define __vsetltu2 __bankshot_vsetltu2
#define __vsetltu4 __bankshot_vsetltu4
#define __vsetles2 __bankshot_vsetles2
#define __vsetles4 __bankshot_vsetles4
#define __vsetleu2 __bankshot_vsetleu2
#define __vsetleu4 __bankshot_vsetleu4
#define __vsetgts2 __bankshot_vsetgts2
#define __vsetgts4 __bankshot_vsetgts4
#define __vsetgtu2 __bankshot_vsetgtu2
#define __vsetgtu4 __bankshot_vsetgtu4
#define __vsetges2 __bankshot_vsetges2
#define __vsetges4 __bankshot_vsetges4
#define __vsetgeu2 __bankshot_vsetgeu2
#define __vsetgeu4 __bankshot_vsetgeu4

#endif
/* SPDX-License-Identifier: Apache-2.0 */
