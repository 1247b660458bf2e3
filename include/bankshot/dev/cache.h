/* Loads and stores that name a cache policy. __ldg promises that nobody writes the data while the kernel
 * runs: it is a builtin, which the optimiser may move and fold addresses into; the others are instructions
 * in the given order. */
#ifndef BANKSHOT_DEV_CACHE_H
#define BANKSHOT_DEV_CACHE_H

#define __BANKSHOT_LDG(T, letter)                                                                            \
    __BANKSHOT_FN T __ldg(const T *p) { return __nvvm_ldg_##letter(p); }
__BANKSHOT_LDG(char, c)
__BANKSHOT_LDG(short, s)
__BANKSHOT_LDG(int, i)
__BANKSHOT_LDG(long, l)
__BANKSHOT_LDG(long long, ll)
__BANKSHOT_LDG(unsigned char, uc)
__BANKSHOT_LDG(unsigned short, us)
__BANKSHOT_LDG(unsigned, ui)
__BANKSHOT_LDG(unsigned long, ul)
__BANKSHOT_LDG(unsigned long long, ull)
__BANKSHOT_LDG(float, f)
__BANKSHOT_LDG(double, d)
#undef __BANKSHOT_LDG
__BANKSHOT_FN signed char __ldg(const signed char *p)
{
    return (signed char)__nvvm_ldg_uc((const unsigned char *)p);
}

/* CUDA's vectors are structs, the builtin's are vectors; their bits are the same. */
#define __BANKSHOT_LDG_VEC(V, T, n, letter)                                                                  \
    __BANKSHOT_FN V __ldg(const V *p)                                                                        \
    {                                                                                                        \
        typedef T __vec __attribute__((ext_vector_type(n)));                                                 \
        __vec v = __nvvm_ldg_##letter##n((const __vec *)p);                                                  \
        V r;                                                                                                 \
        __builtin_memcpy(&r, &v, sizeof r);                                                                  \
        return r;                                                                                            \
    }
#define __BANKSHOT_LDG_24(V, T, letter)                                                                      \
    __BANKSHOT_LDG_VEC(V##2, T, 2, letter)                                                                   \
    __BANKSHOT_LDG_VEC(V##4, T, 4, letter)
__BANKSHOT_LDG_24(char, char, c)
__BANKSHOT_LDG_24(uchar, unsigned char, uc)
__BANKSHOT_LDG_24(short, short, s)
__BANKSHOT_LDG_24(ushort, unsigned short, us)
__BANKSHOT_LDG_24(int, int, i)
__BANKSHOT_LDG_24(uint, unsigned, ui)
__BANKSHOT_LDG_24(float, float, f)
__BANKSHOT_LDG_VEC(longlong2, long long, 2, ll)
__BANKSHOT_LDG_VEC(ulonglong2, unsigned long long, 2, ull)
__BANKSHOT_LDG_VEC(double2, double, 2, d)
#undef __BANKSHOT_LDG_24
#undef __BANKSHOT_LDG_VEC

/* T: the type; R: the register's; t: PTX's; c: the asm constraint. A byte travels in a 32-bit register. */
#define __BANKSHOT_EACH_SCALAR(X, name, how)                                                                 \
    X(name, how, char, int, "s8", "r")                                                                       \
    X(name, how, signed char, int, "s8", "r")                                                                \
    X(name, how, unsigned char, unsigned, "u8", "r")                                                         \
    X(name, how, short, short, "s16", "h")                                                                   \
    X(name, how, unsigned short, unsigned short, "u16", "h")                                                 \
    X(name, how, int, int, "s32", "r")                                                                       \
    X(name, how, unsigned, unsigned, "u32", "r")                                                             \
    X(name, how, long, long, "s64", "l")                                                                     \
    X(name, how, unsigned long, unsigned long, "u64", "l")                                                   \
    X(name, how, long long, long long, "s64", "l")                                                           \
    X(name, how, unsigned long long, unsigned long long, "u64", "l")                                         \
    X(name, how, float, float, "f32", "f")                                                                   \
    X(name, how, double, double, "f64", "d")
#define __BANKSHOT_EACH_VEC2(X, name, how)                                                                   \
    X(name, how, char2, int, "s8", "r")                                                                      \
    X(name, how, uchar2, unsigned, "u8", "r")                                                                \
    X(name, how, short2, short, "s16", "h")                                                                  \
    X(name, how, ushort2, unsigned short, "u16", "h")                                                        \
    X(name, how, int2, int, "s32", "r")                                                                      \
    X(name, how, uint2, unsigned, "u32", "r")                                                                \
    X(name, how, longlong2, long long, "s64", "l")                                                           \
    X(name, how, ulonglong2, unsigned long long, "u64", "l")                                                 \
    X(name, how, float2, float, "f32", "f")                                                                  \
    X(name, how, double2, double, "f64", "d")
#define __BANKSHOT_EACH_VEC4(X, name, how)                                                                   \
    X(name, how, char4, int, "s8", "r")                                                                      \
    X(name, how, uchar4, unsigned, "u8", "r")                                                                \
    X(name, how, short4, short, "s16", "h")                                                                  \
    X(name, how, ushort4, unsigned short, "u16", "h")                                                        \
    X(name, how, int4, int, "s32", "r")                                                                      \
    X(name, how, uint4, unsigned, "u32", "r")                                                                \
    X(name, how, float4, float, "f32", "f")

#define __BANKSHOT_LOAD1(name, how, T, R, t, c)                                                              \
    __BANKSHOT_FN T name(const T *p)                                                                         \
    {                                                                                                        \
        R r;                                                                                                 \
        asm volatile("ld.global." how "." t " %0, [%1];" : "=" c(r) : "l"(p) : "memory");                    \
        return (T)r;                                                                                         \
    }
#define __BANKSHOT_LOAD2(name, how, T, R, t, c)                                                              \
    __BANKSHOT_FN T name(const T *p)                                                                         \
    {                                                                                                        \
        R a, b;                                                                                              \
        asm volatile("ld.global." how ".v2." t " {%0, %1}, [%2];" : "=" c(a), "=" c(b) : "l"(p) : "memory"); \
        T v;                                                                                                 \
        v.x = a, v.y = b;                                                                                    \
        return v;                                                                                            \
    }
#define __BANKSHOT_LOAD4(name, how, T, R, t, c)                                                              \
    __BANKSHOT_FN T name(const T *p)                                                                         \
    {                                                                                                        \
        R a, b, d, e;                                                                                        \
        asm volatile("ld.global." how ".v4." t " {%0, %1, %2, %3}, [%4];"                                    \
                     : "=" c(a), "=" c(b), "=" c(d), "=" c(e)                                                \
                     : "l"(p)                                                                                \
                     : "memory");                                                                            \
        T v;                                                                                                 \
        v.x = a, v.y = b, v.z = d, v.w = e;                                                                  \
        return v;                                                                                            \
    }
#define __BANKSHOT_LOADS(name, how)                                                                          \
    __BANKSHOT_EACH_SCALAR(__BANKSHOT_LOAD1, name, how)                                                      \
    __BANKSHOT_EACH_VEC2(__BANKSHOT_LOAD2, name, how)                                                        \
    __BANKSHOT_EACH_VEC4(__BANKSHOT_LOAD4, name, how)
__BANKSHOT_LOADS(__ldca, "ca")
__BANKSHOT_LOADS(__ldcg, "cg")
__BANKSHOT_LOADS(__ldcs, "cs")
__BANKSHOT_LOADS(__ldlu, "lu")
__BANKSHOT_LOADS(__ldcv, "cv")

#define __BANKSHOT_STORE1(name, how, T, R, t, c)                                                             \
    __BANKSHOT_FN void name(T *p, T v)                                                                       \
    {                                                                                                        \
        asm volatile("st.global." how "." t " [%0], %1;" : : "l"(p), c((R)v) : "memory");                    \
    }
#define __BANKSHOT_STORE2(name, how, T, R, t, c)                                                             \
    __BANKSHOT_FN void name(T *p, T v)                                                                       \
    {                                                                                                        \
        asm volatile("st.global." how ".v2." t " [%0], {%1, %2};"                                            \
                     :                                                                                       \
                     : "l"(p), c((R)v.x), c((R)v.y)                                                          \
                     : "memory");                                                                            \
    }
#define __BANKSHOT_STORE4(name, how, T, R, t, c)                                                             \
    __BANKSHOT_FN void name(T *p, T v)                                                                       \
    {                                                                                                        \
        asm volatile("st.global." how ".v4." t " [%0], {%1, %2, %3, %4};"                                    \
                     :                                                                                       \
                     : "l"(p), c((R)v.x), c((R)v.y), c((R)v.z), c((R)v.w)                                    \
                     : "memory");                                                                            \
    }
#define __BANKSHOT_STORES(name, how)                                                                         \
    __BANKSHOT_EACH_SCALAR(__BANKSHOT_STORE1, name, how)                                                     \
    __BANKSHOT_EACH_VEC2(__BANKSHOT_STORE2, name, how)                                                       \
    __BANKSHOT_EACH_VEC4(__BANKSHOT_STORE4, name, how)
__BANKSHOT_STORES(__stwb, "wb")
__BANKSHOT_STORES(__stcg, "cg")
__BANKSHOT_STORES(__stcs, "cs")
__BANKSHOT_STORES(__stwt, "wt")

#undef __BANKSHOT_STORES
#undef __BANKSHOT_STORE4
#undef __BANKSHOT_STORE2
#undef __BANKSHOT_STORE1
#undef __BANKSHOT_LOADS
#undef __BANKSHOT_LOAD4
#undef __BANKSHOT_LOAD2
#undef __BANKSHOT_LOAD1
#undef __BANKSHOT_EACH_VEC4
#undef __BANKSHOT_EACH_VEC2
#undef __BANKSHOT_EACH_SCALAR

#endif
/* SPDX-License-Identifier: Apache-2.0 */
