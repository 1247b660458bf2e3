/* What __half and __nv_bfloat16 have in common, which is nearly all: included by cuda_fp16.h and by cuda_bf16.h with
 *   __F16_T, __F16_T2       the types                      __F16_N, __F16_N2   their names inside function names: half, half2
 *   __F16_PTX, __F16_PTX2   "f16", "f16x2"                 __F16_ADD, ...      PTX of one operation where types differ
 *   __F16_BITS(x)           double to bits, rounded to nearest;  __F16_BITS_R(x, mode): 0 nearest, 1 to zero, 2 down, 3 up
 *   __F16_VALUE(bits)       bits to float
 * On the device a function is one PTX instruction where there is one; on the host float and double arithmetic, which have the digits
 * to round correctly. No include guard: it is a template. */

#define __F16_PASTE_(a, b, c) a##b##c
#define __F16_PASTE(a, b, c) __F16_PASTE_(a, b, c)
#define __F16_FN static __inline__ __host__ __device__ __attribute__((always_inline, unused))
#define __F16_DEV static __inline__ __device__ __attribute__((always_inline, unused))

/* Bits in and out. */
__F16_FN unsigned short __F16_PASTE(__, __F16_N, _as_ushort)(const __F16_T h) { return h.__x; }
__F16_FN short __F16_PASTE(__, __F16_N, _as_short)(const __F16_T h) { return (short)h.__x; }
__F16_FN __F16_T __F16_PASTE(__ushort_as_, __F16_N, )(unsigned short x)
{
    __F16_T h;
    h.__x = x;
    return h;
}
__F16_FN __F16_T __F16_PASTE(__short_as_, __F16_N, )(short x)
{
    __F16_T h;
    h.__x = (unsigned short)x;
    return h;
}
#define __F16_FROM(x) __F16_PASTE(__ushort_as_, __F16_N, )(x)
__F16_FN unsigned __F16_PASTE(__bankshot_, __F16_N2, _word)(const __F16_T2 v)
{
    unsigned w;
    __builtin_memcpy(&w, &v, 4);
    return w;
}
__F16_FN __F16_T2 __F16_PASTE(__bankshot_word_, __F16_N2, )(unsigned w)
{
    __F16_T2 v;
    __builtin_memcpy(&v, &w, 4);
    return v;
}
#define __F16_WORD(v) __F16_PASTE(__bankshot_, __F16_N2, _word)(v)
#define __F16_PAIR(w) __F16_PASTE(__bankshot_word_, __F16_N2, )(w)

/* From and to float and double. */
__F16_FN float __F16_PASTE(__, __F16_N, 2float)(const __F16_T h) { return __F16_VALUE(h.__x); }
#define __F16_FLOAT(h) __F16_PASTE(__, __F16_N, 2float)(h)
__F16_FN __F16_T __F16_PASTE(__float2, __F16_N, _rn)(float x) { return __F16_FROM(__F16_NEAR(x)); }
__F16_FN __F16_T __F16_PASTE(__float2, __F16_N, _rz)(float x)
{
    return __F16_FROM(__F16_DIRECTED(x, 1, "rz"));
}
__F16_FN __F16_T __F16_PASTE(__float2, __F16_N, _rd)(float x)
{
    return __F16_FROM(__F16_DIRECTED(x, 2, "rm"));
}
__F16_FN __F16_T __F16_PASTE(__float2, __F16_N, _ru)(float x)
{
    return __F16_FROM(__F16_DIRECTED(x, 3, "rp"));
}
__F16_FN __F16_T __F16_PASTE(__float2, __F16_N, )(float x) { return __F16_FROM(__F16_NEAR(x)); }
__F16_FN __F16_T __F16_PASTE(__double2, __F16_N, )(double x) { return __F16_FROM(__F16_BITS(x)); }
#define __F16_ROUND(x) __F16_PASTE(__float2, __F16_N, _rn)(x)

/* Integers. What the narrow type cannot hold saturates; NaN gives 0, on the device of 64 bits the top bit. */
#if defined(__CUDA_ARCH__) && defined(__F16_CONVERTS)
#define __F16_CVT_TO(type, ptx, rnd, c, h)                                                                   \
    ({                                                                                                       \
        type __r;                                                                                            \
        __asm__("cvt." rnd "." ptx "." __F16_PTX " %0, %1;" : "=" c(__r) : "h"((h).__x));                    \
        __r;                                                                                                 \
    })
#endif
#define __F16_TO(name, type, mode, dev, host, lo, hi, ptx, rnd, c)                                           \
    __F16_FN type __F16_PASTE(__, __F16_N, 2##name##_##mode)(const __F16_T h)                                \
    {                                                                                                        \
        return __F16_TO_INT(type, h, dev, host, lo, hi, ptx, rnd, c);                                        \
    }
#if defined(__CUDA_ARCH__) && defined(__F16_CONVERTS)
#define __F16_TO_INT(type, h, dev, host, lo, hi, ptx, rnd, c) __F16_CVT_TO(type, ptx, rnd, c, h)
#elif defined(__CUDA_ARCH__)
#define __F16_TO_INT(type, h, dev, host, lo, hi, ptx, rnd, c) ((type)dev(__F16_FLOAT(h)))
#else
#define __F16_TO_INT(type, h, dev, host, lo, hi, ptx, rnd, c) __F16_TO_HOST(type, __F16_FLOAT(h), host, lo, hi)
#define __F16_TO_HOST(type, f, host, lo, hi)                                                                 \
    ((f) != (f) ? (type)0 : host(f) < (double)(lo) ? (lo) : host(f) >= (double)(hi) ? (hi) : (type)host(f))
#endif
#define __F16_TO4(name, type, conv, lo, hi, ptx, c)                                                          \
    __F16_TO(name, type, rn, conv##_rn, ::rint, lo, hi, ptx, "rni", c)                                       \
    __F16_TO(name, type, rz, conv##_rz, ::trunc, lo, hi, ptx, "rzi", c)                                      \
    __F16_TO(name, type, rd, conv##_rd, ::floor, lo, hi, ptx, "rmi", c)                                      \
    __F16_TO(name, type, ru, conv##_ru, ::ceil, lo, hi, ptx, "rpi", c)
#define __F16_INT_MIN (-2147483647 - 1)
#define __F16_LL_MIN (-9223372036854775807LL - 1)
__F16_TO4(int, int, __float2int, __F16_INT_MIN, 2147483647, "s32", "r")
__F16_TO4(uint, unsigned, __float2uint, 0u, 4294967295u, "u32", "r")
__F16_TO4(ll, long long, __float2ll, __F16_LL_MIN, 9223372036854775807LL, "s64", "l")
__F16_TO4(ull, unsigned long long, __float2ull, 0ull, 18446744073709551615ull, "u64", "l")
#define __F16_CLAMP(conv, lo, hi) (conv < (lo) ? (lo) : conv > (hi) ? (hi) : conv)
#define __F16_TO_SMALL(name, type, mode, lo, hi, ptx, rnd)                                                   \
    __F16_FN type __F16_PASTE(__, __F16_N, 2##name##_##mode)(const __F16_T h)                                \
    {                                                                                                        \
        return __F16_TO_NARROW(type, mode, lo, hi, ptx, rnd, h);                                             \
    }
#if defined(__CUDA_ARCH__) && defined(__F16_CONVERTS)
#define __F16_TO_NARROW(type, mode, lo, hi, ptx, rnd, h) __F16_CVT_TO(type, ptx, rnd, "h", h)
#else
#define __F16_TO_NARROW(type, mode, lo, hi, ptx, rnd, h)                                                     \
    ((type)__F16_CLAMP(__F16_PASTE(__, __F16_N, 2int_##mode)(h), lo, hi))
#endif
__F16_TO_SMALL(short, short, rn, -32768, 32767, "s16", "rni")
__F16_TO_SMALL(short, short, rz, -32768, 32767, "s16", "rzi")
__F16_TO_SMALL(short, short, rd, -32768, 32767, "s16", "rmi")
__F16_TO_SMALL(short, short, ru, -32768, 32767, "s16", "rpi")
__F16_TO_SMALL(ushort, unsigned short, rn, 0, 65535, "u16", "rni")
__F16_TO_SMALL(ushort, unsigned short, rz, 0, 65535, "u16", "rzi")
__F16_TO_SMALL(ushort, unsigned short, rd, 0, 65535, "u16", "rmi")
__F16_TO_SMALL(ushort, unsigned short, ru, 0, 65535, "u16", "rpi")
/* PTX has no 8-bit registers: bytes are clamped. */
#define __F16_TO_BYTE(name, type, lo, hi)                                                                    \
    __F16_FN type __F16_PASTE(__, __F16_N, 2##name##_rz)(const __F16_T h)                                    \
    {                                                                                                        \
        const int v = __F16_PASTE(__, __F16_N, 2int_rz)(h);                                                  \
        return (type)__F16_CLAMP(v, lo, hi);                                                                 \
    }
__F16_TO_BYTE(char, signed char, -128, 127)
__F16_TO_BYTE(uchar, unsigned char, 0, 255)
/* Up to 32 bits a double holds them; of 64 bits it keeps a sticky last bit, which is enough to round once. */
__F16_FN double __F16_PASTE(__bankshot_sticky_, __F16_N, )(unsigned long long x)
{
    return (double)(x >> 32 ? (x & ~0xffffull) | ((x & 0xffff) != 0) << 16 : x);
}
#if defined(__CUDA_ARCH__) && defined(__F16_CONVERTS)
#define __F16_FROM_MODE(name, type, mode, ptx, c)                                                            \
    __F16_FN __F16_T __F16_PASTE(__##name##2, __F16_N, _##mode)(type x)                                      \
    {                                                                                                        \
        unsigned short r;                                                                                    \
        __asm__("cvt." ptx " %0, %1;" : "=h"(r) : c(x));                                                     \
        return __F16_FROM(r);                                                                                \
    }
#define __F16_FROM_INT(name, type, ptx, c, value)                                                            \
    __F16_FROM_MODE(name, type, rn, "rn." __F16_PTX "." ptx, c)                                              \
    __F16_FROM_MODE(name, type, rz, "rz." __F16_PTX "." ptx, c)                                              \
    __F16_FROM_MODE(name, type, rd, "rm." __F16_PTX "." ptx, c)                                              \
    __F16_FROM_MODE(name, type, ru, "rp." __F16_PTX "." ptx, c)
#else
#define __F16_FROM_INT(name, type, ptx, c, value)                                                            \
    __F16_FN __F16_T __F16_PASTE(__##name##2, __F16_N, _rn)(type x)                                          \
    {                                                                                                        \
        return __F16_FROM(__F16_BITS_R(value, 0));                                                           \
    }                                                                                                        \
    __F16_FN __F16_T __F16_PASTE(__##name##2, __F16_N, _rz)(type x)                                          \
    {                                                                                                        \
        return __F16_FROM(__F16_BITS_R(value, 1));                                                           \
    }                                                                                                        \
    __F16_FN __F16_T __F16_PASTE(__##name##2, __F16_N, _rd)(type x)                                          \
    {                                                                                                        \
        return __F16_FROM(__F16_BITS_R(value, 2));                                                           \
    }                                                                                                        \
    __F16_FN __F16_T __F16_PASTE(__##name##2, __F16_N, _ru)(type x)                                          \
    {                                                                                                        \
        return __F16_FROM(__F16_BITS_R(value, 3));                                                           \
    }
#endif
#define __F16_STICKY(x) __F16_PASTE(__bankshot_sticky_, __F16_N, )(x)
__F16_FROM_INT(int, int, "s32", "r", (double)x)
__F16_FROM_INT(uint, unsigned, "u32", "r", (double)x)
__F16_FROM_INT(short, short, "s16", "h", (double)x)
__F16_FROM_INT(ushort, unsigned short, "u16", "h", (double)x)
__F16_FROM_INT(ll, long long, "s64", "l",
               (x < 0 ? -__F16_STICKY(0ull - (unsigned long long)x) : __F16_STICKY((unsigned long long)x)))
__F16_FROM_INT(ull, unsigned long long, "u64", "l", __F16_STICKY(x))

/* Pairs. */
__F16_FN __F16_T2 __F16_PASTE(__halves2, __F16_N2, )(const __F16_T a, const __F16_T b)
{
    return __F16_T2(a, b);
}
__F16_FN __F16_T2 __F16_PASTE(make_, __F16_N2, )(const __F16_T a, const __F16_T b) { return __F16_T2(a, b); }
__F16_FN __F16_T2 __F16_PASTE(__, __F16_N, __F16_2N2)(const __F16_T a) { return __F16_T2(a, a); }
__F16_FN __F16_T __F16_PASTE(__low2, __F16_N, )(const __F16_T2 a) { return a.x; }
__F16_FN __F16_T __F16_PASTE(__high2, __F16_N, )(const __F16_T2 a) { return a.y; }
__F16_FN __F16_T2 __F16_PASTE(__low2, __F16_N2, )(const __F16_T2 a) { return __F16_T2(a.x, a.x); }
__F16_FN __F16_T2 __F16_PASTE(__high2, __F16_N2, )(const __F16_T2 a) { return __F16_T2(a.y, a.y); }
__F16_FN __F16_T2 __F16_PASTE(__lows2, __F16_N2, )(const __F16_T2 a, const __F16_T2 b)
{
    return __F16_T2(a.x, b.x);
}
__F16_FN __F16_T2 __F16_PASTE(__highs2, __F16_N2, )(const __F16_T2 a, const __F16_T2 b)
{
    return __F16_T2(a.y, b.y);
}
__F16_FN __F16_T2 __lowhigh2highlow(const __F16_T2 a) { return __F16_T2(a.y, a.x); }
__F16_FN float __low2float(const __F16_T2 a) { return __F16_FLOAT(a.x); }
__F16_FN float __high2float(const __F16_T2 a) { return __F16_FLOAT(a.y); }
__F16_FN __F16_T2 __F16_PASTE(__float2, __F16_N2, _rn)(float a)
{
    const __F16_T h = __F16_ROUND(a);
    return __F16_T2(h, h);
}
__F16_FN __F16_T2 __F16_PASTE(__floats2, __F16_N2, _rn)(float a, float b)
{
    return __F16_PAIR(__F16_NEAR2(a, b));
}
__F16_FN __F16_T2 __F16_PASTE(__float22, __F16_N2, _rn)(const float2 a)
{
    return __F16_PAIR(__F16_NEAR2(a.x, a.y));
}
__F16_FN float2 __F16_PASTE(__, __F16_N2, 2float2)(const __F16_T2 a)
{
    float2 f;
    f.x = __F16_FLOAT(a.x);
    f.y = __F16_FLOAT(a.y);
    return f;
}

/* Arithmetic. A constant is one half for the scalar instruction and the same twice for the pair's. */
#define __F16_HEX(x) "0x" x
#define __F16_HEX2(x) "0x" x x
#if defined(__CUDA_ARCH__)
#define __F16_OP1(name, ptx, host)                                                                           \
    __F16_FN __F16_T name(const __F16_T a)                                                                   \
    {                                                                                                        \
        unsigned short r;                                                                                    \
        __asm__(ptx(__F16_PTX) : "=h"(r) : "h"(a.__x));                                                      \
        return __F16_FROM(r);                                                                                \
    }                                                                                                        \
    __F16_FN __F16_T2 name##2(const __F16_T2 a)                                                              \
    {                                                                                                        \
        unsigned r;                                                                                          \
        __asm__(ptx(__F16_PTX2) : "=r"(r) : "r"(__F16_WORD(a)));                                             \
        return __F16_PAIR(r);                                                                                \
    }
#define __F16_OP2(name, name2, ptx, host)                                                                    \
    __F16_FN __F16_T name(const __F16_T a, const __F16_T b)                                                  \
    {                                                                                                        \
        unsigned short r;                                                                                    \
        __asm__(ptx(__F16_PTX, ".b16", __F16_HEX) : "=h"(r) : "h"(a.__x), "h"(b.__x));                       \
        return __F16_FROM(r);                                                                                \
    }                                                                                                        \
    __F16_FN __F16_T2 name2(const __F16_T2 a, const __F16_T2 b)                                              \
    {                                                                                                        \
        unsigned r;                                                                                          \
        __asm__(ptx(__F16_PTX2, ".b32", __F16_HEX2) : "=r"(r) : "r"(__F16_WORD(a)), "r"(__F16_WORD(b)));     \
        return __F16_PAIR(r);                                                                                \
    }
#define __F16_OP3(name, name2, ptx, host)                                                                    \
    __F16_FN __F16_T name(const __F16_T a, const __F16_T b, const __F16_T c)                                 \
    {                                                                                                        \
        unsigned short r;                                                                                    \
        __asm__(ptx "." __F16_PTX " %0, %1, %2, %3;" : "=h"(r) : "h"(a.__x), "h"(b.__x), "h"(c.__x));        \
        return __F16_FROM(r);                                                                                \
    }                                                                                                        \
    __F16_FN __F16_T2 name2(const __F16_T2 a, const __F16_T2 b, const __F16_T2 c)                            \
    {                                                                                                        \
        unsigned r;                                                                                          \
        __asm__(ptx "." __F16_PTX2 " %0, %1, %2, %3;"                                                        \
                : "=r"(r)                                                                                    \
                : "r"(__F16_WORD(a)), "r"(__F16_WORD(b)), "r"(__F16_WORD(c)));                               \
        return __F16_PAIR(r);                                                                                \
    }
#else
#define __F16_OP1(name, ptx, host)                                                                           \
    __F16_FN __F16_T name(const __F16_T v)                                                                   \
    {                                                                                                        \
        const float a = __F16_FLOAT(v);                                                                      \
        return __F16_ROUND(host);                                                                            \
    }                                                                                                        \
    __F16_FN __F16_T2 name##2(const __F16_T2 v) { return __F16_T2(name(v.x), name(v.y)); }
#define __F16_OP2(name, name2, ptx, host)                                                                    \
    __F16_FN __F16_T name(const __F16_T v, const __F16_T w)                                                  \
    {                                                                                                        \
        const float a = __F16_FLOAT(v), b = __F16_FLOAT(w);                                                  \
        return __F16_ROUND(host);                                                                            \
    }                                                                                                        \
    __F16_FN __F16_T2 name2(const __F16_T2 v, const __F16_T2 w)                                              \
    {                                                                                                        \
        return __F16_T2(name(v.x, w.x), name(v.y, w.y));                                                     \
    }
#define __F16_OP3(name, name2, ptx, host)                                                                    \
    __F16_FN __F16_T name(const __F16_T v, const __F16_T w, const __F16_T u)                                 \
    {                                                                                                        \
        const double a = __F16_FLOAT(v), b = __F16_FLOAT(w), c = __F16_FLOAT(u);                             \
        return __F16_FROM(__F16_BITS(host));                                                                 \
    }                                                                                                        \
    __F16_FN __F16_T2 name2(const __F16_T2 v, const __F16_T2 w, const __F16_T2 u)                            \
    {                                                                                                        \
        return __F16_T2(name(v.x, w.x, u.x), name(v.y, w.y, u.y));                                           \
    }
#endif
#define __F16_UNARY_NEG(t) "neg." t " %0, %1;"
#define __F16_UNARY_ABS(t) "abs." t " %0, %1;"
#define __F16_BINARY_MIN(t, b, hex) "min." t " %0, %1, %2;"
#define __F16_BINARY_MAX(t, b, hex) "max." t " %0, %1, %2;"
#define __F16_BINARY_MIN_NAN(t, b, hex) "min.NaN." t " %0, %1, %2;"
#define __F16_BINARY_MAX_NAN(t, b, hex) "max.NaN." t " %0, %1, %2;"
#define __F16_LESS(a, b) ((a) < (b) || ((a) == (b) && __builtin_signbit(a)))
__F16_OP1(__hneg, __F16_UNARY_NEG, -a)
__F16_OP1(__habs, __F16_UNARY_ABS, ::fabsf(a))
__F16_OP2(__hadd, __hadd2, __F16_ADD, a + b)
__F16_OP2(__hsub, __hsub2, __F16_SUB, a - b)
__F16_OP2(__hmul, __hmul2, __F16_MUL, a *b)
__F16_OP2(__hadd_rn, __hadd2_rn, __F16_ADD, a + b)
__F16_OP2(__hsub_rn, __hsub2_rn, __F16_SUB, a - b)
__F16_OP2(__hmul_rn, __hmul2_rn, __F16_MUL, a *b)
__F16_OP3(__hfma, __hfma2, "fma.rn", __bankshot_fma_odd(a, b, c))
__F16_OP3(__hfma_relu, __hfma2_relu, "fma.rn.relu", (a * b + c < 0 ? 0 : __bankshot_fma_odd(a, b, c)))
__F16_OP2(__hmin, __hmin2, __F16_BINARY_MIN, a != a ? b : b != b ? a : __F16_LESS(a, b) ? a : b)
__F16_OP2(__hmax, __hmax2, __F16_BINARY_MAX, a != a ? b : b != b ? a : __F16_LESS(a, b) ? b : a)
__F16_OP2(__hmin_nan, __hmin2_nan, __F16_BINARY_MIN_NAN, a != a ? a : b != b ? b : __F16_LESS(a, b) ? a : b)
__F16_OP2(__hmax_nan, __hmax2_nan, __F16_BINARY_MAX_NAN, a != a ? a : b != b ? b : __F16_LESS(a, b) ? b : a)
/* Saturated to [0, 1], NaN to 0: rounding and clamping may change places. */
#define __F16_SATURATED(h) __hmin(__hmax(h, __F16_FROM(0)), __F16_FROM(__F16_ONE))
#define __F16_SATURATED2(h) __hmin2(__hmax2(h, __F16_PAIR(0u)), __F16_PAIR(__F16_ONE * 0x10001u))
#define __F16_SAT2(name, name2, plain)                                                                       \
    __F16_FN __F16_T name(const __F16_T a, const __F16_T b) { return __F16_SATURATED(plain(a, b)); }         \
    __F16_FN __F16_T2 name2(const __F16_T2 a, const __F16_T2 b) { return __F16_SATURATED2(plain##2(a, b)); }
#if defined(__CUDA_ARCH__) && defined(__F16_SATURATES)
#define __F16_BINARY_ADD_SAT(t, b, hex) "add.sat." t " %0, %1, %2;"
#define __F16_BINARY_SUB_SAT(t, b, hex) "sub.sat." t " %0, %1, %2;"
#define __F16_BINARY_MUL_SAT(t, b, hex) "mul.sat." t " %0, %1, %2;"
__F16_OP2(__hadd_sat, __hadd2_sat, __F16_BINARY_ADD_SAT, )
__F16_OP2(__hsub_sat, __hsub2_sat, __F16_BINARY_SUB_SAT, )
__F16_OP2(__hmul_sat, __hmul2_sat, __F16_BINARY_MUL_SAT, )
__F16_OP3(__hfma_sat, __hfma2_sat, "fma.rn.sat", )
#else
__F16_SAT2(__hadd_sat, __hadd2_sat, __hadd)
__F16_SAT2(__hsub_sat, __hsub2_sat, __hsub)
__F16_SAT2(__hmul_sat, __hmul2_sat, __hmul)
__F16_FN __F16_T __hfma_sat(const __F16_T a, const __F16_T b, const __F16_T c)
{
    return __F16_SATURATED(__hfma(a, b, c));
}
__F16_FN __F16_T2 __hfma2_sat(const __F16_T2 a, const __F16_T2 b, const __F16_T2 c)
{
    return __F16_SATURATED2(__hfma2(a, b, c));
}
#endif
__F16_FN __F16_T __hdiv(const __F16_T a, const __F16_T b)
{
    return __F16_ROUND(__F16_FLOAT(a) / __F16_FLOAT(b));
}
__F16_FN __F16_T2 __h2div(const __F16_T2 a, const __F16_T2 b)
{
    return __F16_T2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
/* Complex a b + c, real part in x. */
__F16_FN __F16_T2 __hcmadd(const __F16_T2 a, const __F16_T2 b, const __F16_T2 c)
{
    const __F16_T re = __hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x));
    return __F16_T2(re, __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

/* Comparisons. Ordered ones are false for NaN, unordered ones (u) true. */
#if defined(__CUDA_ARCH__)
#define __F16_CMP1(name, op, ptx, uno)                                                                       \
    __F16_FN bool name(const __F16_T a, const __F16_T b)                                                     \
    {                                                                                                        \
        unsigned r;                                                                                          \
        __asm__("{.reg .pred p;\n\tsetp." ptx "." __F16_PTX " p, %1, %2;\n\tselp.u32 %0, 1, 0, p;}"          \
                : "=r"(r)                                                                                    \
                : "h"(a.__x), "h"(b.__x));                                                                   \
        return r != 0;                                                                                       \
    }
#define __F16_CMP2(name, op, ptx, uno)                                                                       \
    __F16_FN __F16_T2 name(const __F16_T2 a, const __F16_T2 b)                                               \
    {                                                                                                        \
        unsigned r;                                                                                          \
        __asm__("set." ptx "." __F16_PTX2 "." __F16_PTX2 " %0, %1, %2;"                                      \
                : "=r"(r)                                                                                    \
                : "r"(__F16_WORD(a)), "r"(__F16_WORD(b)));                                                   \
        return __F16_PAIR(r);                                                                                \
    }                                                                                                        \
    __F16_FN unsigned name##_mask(const __F16_T2 a, const __F16_T2 b)                                        \
    {                                                                                                        \
        unsigned r;                                                                                          \
        __asm__("set." ptx ".u32." __F16_PTX2 " %0, %1, %2;"                                                 \
                : "=r"(r)                                                                                    \
                : "r"(__F16_WORD(a)), "r"(__F16_WORD(b)));                                                   \
        return r;                                                                                            \
    }
#define __F16_BOTH(name, a, b) (name##2_mask(a, b) == 0xffffffffu)
#else
#define __F16_CMP1(name, op, ptx, uno)                                                                       \
    __F16_FN bool name(const __F16_T v, const __F16_T w)                                                     \
    {                                                                                                        \
        const float a = __F16_FLOAT(v), b = __F16_FLOAT(w);                                                  \
        return a != a || b != b ? uno : a op b;                                                              \
    }
#define __F16_CMP2(name, op, ptx, uno)                                                                       \
    __F16_FN __F16_T2 name(const __F16_T2 v, const __F16_T2 w)                                               \
    {                                                                                                        \
        const float a = __F16_FLOAT(v.x), b = __F16_FLOAT(w.x), c = __F16_FLOAT(v.y), d = __F16_FLOAT(w.y);  \
        return __F16_T2(__F16_ROUND((a != a || b != b ? uno : a op b) ? 1.0f : 0.0f),                        \
                        __F16_ROUND((c != c || d != d ? uno : c op d) ? 1.0f : 0.0f));                       \
    }                                                                                                        \
    __F16_FN unsigned name##_mask(const __F16_T2 v, const __F16_T2 w)                                        \
    {                                                                                                        \
        const __F16_T2 r = name(v, w);                                                                       \
        return (r.x.__x ? 0xffffu : 0u) | (r.y.__x ? 0xffff0000u : 0u);                                      \
    }
#define __F16_BOTH(name, a, b) (name(a.x, b.x) && name(a.y, b.y))
#endif
#define __F16_CMP(name, op, ptx, uno)                                                                        \
    __F16_CMP1(__h##name, op, ptx, uno)                                                                      \
    __F16_CMP2(__h##name##2, op, ptx, uno)                                                                   \
    __F16_FN bool __hb##name##2(const __F16_T2 a, const __F16_T2 b)                                          \
    {                                                                                                        \
        return __F16_BOTH(__h##name, a, b);                                                                  \
    }
__F16_CMP(eq, ==, "eq", false)
__F16_CMP(ne, !=, "ne", false)
__F16_CMP(lt, <, "lt", false)
__F16_CMP(le, <=, "le", false)
__F16_CMP(gt, >, "gt", false)
__F16_CMP(ge, >=, "ge", false)
__F16_CMP(equ, ==, "equ", true)
__F16_CMP(neu, !=, "neu", true)
__F16_CMP(ltu, <, "ltu", true)
__F16_CMP(leu, <=, "leu", true)
__F16_CMP(gtu, >, "gtu", true)
__F16_CMP(geu, >=, "geu", true)
__F16_FN bool __hisnan(const __F16_T a) { return (a.__x & 0x7fff) > __F16_INF; }
__F16_FN int __hisinf(const __F16_T a)
{
    return a.__x == __F16_INF ? 1 : a.__x == (__F16_INF | 0x8000) ? -1 : 0;
}
__F16_CMP2(__bankshot_neu2, !=, "neu", true)
__F16_FN __F16_T2 __hisnan2(const __F16_T2 a) { return __bankshot_neu2(a, a); }

#include "bankshot/float16_math.h"

/* Operators. */
#define __F16_OPERATOR(op, f, f2)                                                                            \
    __F16_FN __F16_T operator op(const __F16_T &a, const __F16_T &b) { return f(a, b); }                     \
    __F16_FN __F16_T2 operator op(const __F16_T2 &a, const __F16_T2 &b) { return f2(a, b); }                 \
    __F16_FN __F16_T &operator op##=(__F16_T &a, const __F16_T &b)                                           \
    {                                                                                                        \
        a = f(a, b);                                                                                         \
        return a;                                                                                            \
    }                                                                                                        \
    __F16_FN __F16_T2 &operator op##=(__F16_T2 &a, const __F16_T2 &b)                                        \
    {                                                                                                        \
        a = f2(a, b);                                                                                        \
        return a;                                                                                            \
    }
__F16_OPERATOR(+, __hadd, __hadd2)
__F16_OPERATOR(-, __hsub, __hsub2)
__F16_OPERATOR(*, __hmul, __hmul2)
__F16_OPERATOR(/, __hdiv, __h2div)
__F16_FN __F16_T operator+(const __F16_T &a) { return a; }
__F16_FN __F16_T operator-(const __F16_T &a) { return __hneg(a); }
__F16_FN __F16_T2 operator+(const __F16_T2 &a) { return a; }
__F16_FN __F16_T2 operator-(const __F16_T2 &a) { return __hneg2(a); }
#define __F16_STEP(op, f, f2)                                                                                \
    __F16_FN __F16_T &operator op(__F16_T &a)                                                                \
    {                                                                                                        \
        a = f(a, __F16_ROUND(1.0f));                                                                         \
        return a;                                                                                            \
    }                                                                                                        \
    __F16_FN __F16_T operator op(__F16_T &a, int)                                                            \
    {                                                                                                        \
        const __F16_T old = a;                                                                               \
        a = f(a, __F16_ROUND(1.0f));                                                                         \
        return old;                                                                                          \
    }                                                                                                        \
    __F16_FN __F16_T2 &operator op(__F16_T2 &a)                                                              \
    {                                                                                                        \
        a = f2(a, __F16_PASTE(__float2, __F16_N2, _rn)(1.0f));                                               \
        return a;                                                                                            \
    }                                                                                                        \
    __F16_FN __F16_T2 operator op(__F16_T2 &a, int)                                                          \
    {                                                                                                        \
        const __F16_T2 old = a;                                                                              \
        a = f2(a, __F16_PASTE(__float2, __F16_N2, _rn)(1.0f));                                               \
        return old;                                                                                          \
    }
__F16_STEP(++, __hadd, __hadd2)
__F16_STEP(--, __hsub, __hsub2)
#define __F16_RELATION(op, f, f2)                                                                            \
    __F16_FN bool operator op(const __F16_T &a, const __F16_T &b) { return f(a, b); }                        \
    __F16_FN bool operator op(const __F16_T2 &a, const __F16_T2 &b) { return f2(a, b); }
__F16_RELATION(==, __heq, __hbeq2)
__F16_RELATION(!=, __hneu, __hbneu2)
__F16_RELATION(<, __hlt, __hblt2)
__F16_RELATION(<=, __hle, __hble2)
__F16_RELATION(>, __hgt, __hbgt2)
__F16_RELATION(>=, __hge, __hbge2)

#if defined(__CUDACC__)
/* Memory and warps: as the bits. */
#define __F16_SHUFFLE(name, last)                                                                            \
    __F16_DEV __F16_T name(unsigned mask, const __F16_T v, last lane, int width = 32)                        \
    {                                                                                                        \
        return __F16_FROM((unsigned short)name(mask, (unsigned)v.__x, lane, width));                         \
    }                                                                                                        \
    __F16_DEV __F16_T2 name(unsigned mask, const __F16_T2 v, last lane, int width = 32)                      \
    {                                                                                                        \
        return __F16_PAIR(name(mask, __F16_WORD(v), lane, width));                                           \
    }
__F16_SHUFFLE(__shfl_sync, int)
__F16_SHUFFLE(__shfl_up_sync, unsigned)
__F16_SHUFFLE(__shfl_down_sync, unsigned)
__F16_SHUFFLE(__shfl_xor_sync, int)
#define __F16_LOAD(name, ptx)                                                                                \
    __F16_DEV __F16_T name(const __F16_T *p)                                                                 \
    {                                                                                                        \
        unsigned short r;                                                                                    \
        __asm__ __volatile__(ptx ".b16 %0, [%1];" : "=h"(r) : "l"(p) : "memory");                            \
        return __F16_FROM(r);                                                                                \
    }                                                                                                        \
    __F16_DEV __F16_T2 name(const __F16_T2 *p)                                                               \
    {                                                                                                        \
        unsigned r;                                                                                          \
        __asm__ __volatile__(ptx ".b32 %0, [%1];" : "=r"(r) : "l"(p) : "memory");                            \
        return __F16_PAIR(r);                                                                                \
    }
__F16_LOAD(__ldg, "ld.global.nc")
__F16_LOAD(__ldcg, "ld.global.cg")
__F16_LOAD(__ldca, "ld.global.ca")
__F16_LOAD(__ldcs, "ld.global.cs")
__F16_LOAD(__ldlu, "ld.global.lu")
__F16_LOAD(__ldcv, "ld.global.cv")
#define __F16_STORE(name, ptx)                                                                               \
    __F16_DEV void name(__F16_T *p, const __F16_T v)                                                         \
    {                                                                                                        \
        __asm__ __volatile__(ptx ".b16 [%0], %1;" ::"l"(p), "h"(v.__x) : "memory");                          \
    }                                                                                                        \
    __F16_DEV void name(__F16_T2 *p, const __F16_T2 v)                                                       \
    {                                                                                                        \
        __asm__ __volatile__(ptx ".b32 [%0], %1;" ::"l"(p), "r"(__F16_WORD(v)) : "memory");                  \
    }
__F16_STORE(__stwb, "st.global.wb")
__F16_STORE(__stcg, "st.global.cg")
__F16_STORE(__stcs, "st.global.cs")
__F16_STORE(__stwt, "st.global.wt")
__F16_DEV __F16_T atomicAdd(__F16_T *p, const __F16_T v)
{
    unsigned short r;
    __asm__ __volatile__("atom.add.noftz." __F16_PTX " %0, [%1], %2;"
                         : "=h"(r)
                         : "l"(p), "h"(v.__x)
                         : "memory");
    return __F16_FROM(r);
}
__F16_DEV __F16_T2 atomicAdd(__F16_T2 *p, const __F16_T2 v)
{
    unsigned r;
    __asm__ __volatile__("atom.add.noftz." __F16_PTX2 " %0, [%1], %2;"
                         : "=r"(r)
                         : "l"(p), "r"(__F16_WORD(v))
                         : "memory");
    return __F16_PAIR(r);
}
#endif

#undef __F16_PASTE_
#undef __F16_PASTE
#undef __F16_FN
#undef __F16_DEV
#undef __F16_FROM
#undef __F16_WORD
#undef __F16_PAIR
#undef __F16_FLOAT
#undef __F16_ROUND
#undef __F16_TO
#undef __F16_TO_INT
#undef __F16_TO4
#undef __F16_INT_MIN
#undef __F16_LL_MIN
#undef __F16_CLAMP
#undef __F16_TO_HOST
#undef __F16_CVT_TO
#undef __F16_CONVERTS
#undef __F16_TO_SMALL
#undef __F16_TO_NARROW
#undef __F16_TO_BYTE
#undef __F16_FROM_INT
#undef __F16_FROM_MODE
#undef __F16_STICKY
#undef __F16_HEX
#undef __F16_HEX2
#undef __F16_OP1
#undef __F16_OP2
#undef __F16_OP3
#undef __F16_SATURATED
#undef __F16_SATURATED2
#undef __F16_SAT2
#undef __F16_SATURATES
#undef __F16_BINARY_ADD_SAT
#undef __F16_BINARY_SUB_SAT
#undef __F16_BINARY_MUL_SAT
#undef __F16_UNARY_NEG
#undef __F16_UNARY_ABS
#undef __F16_BINARY_MIN
#undef __F16_BINARY_MAX
#undef __F16_BINARY_MIN_NAN
#undef __F16_BINARY_MAX_NAN
#undef __F16_LESS
#undef __F16_CMP
#undef __F16_CMP1
#undef __F16_CMP2
#undef __F16_BOTH
#undef __F16_OPERATOR
#undef __F16_STEP
#undef __F16_RELATION
#undef __F16_SHUFFLE
#undef __F16_LOAD
#undef __F16_STORE
#undef __F16_T
#undef __F16_T2
#undef __F16_N
#undef __F16_N2
#undef __F16_2N2
#undef __F16_PTX
#undef __F16_PTX2
#undef __F16_INF
#undef __F16_ONE
#undef __F16_ADD
#undef __F16_SUB
#undef __F16_MUL
#undef __F16_BITS
#undef __F16_BITS_R
#undef __F16_VALUE
#undef __F16_NEAR
#undef __F16_NEAR2
#undef __F16_DIRECTED
/* SPDX-License-Identifier: Apache-2.0 */
