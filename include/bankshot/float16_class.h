/* The classes of a 16-bit format and of a pair of it; a template like float16.h, which see for the macros. */

#define __F16_MEMBER __inline__ __host__ __device__ __attribute__((always_inline))

struct __attribute__((aligned(2))) __F16_T {
    unsigned short __x;

    __F16_T() = default;
    __F16_MEMBER __F16_T(const __F16_RAW &r) : __x(r.x) {}
    __F16_MEMBER __F16_T(float f) : __x(__F16_NEAR(f)) {}
    __F16_MEMBER __F16_T(double f) : __x(__F16_BITS(f)) {}
#define __F16_INTEGER(type)                                                                                  \
    __F16_MEMBER __F16_T(type v) : __x(__F16_BITS((double)v)) {}                                             \
    __F16_MEMBER operator type() const { return (type)__F16_VALUE(__x); }                                    \
    __F16_MEMBER __F16_T &operator=(type v) { return *this = __F16_T(v); }
    __F16_INTEGER(short)
    __F16_INTEGER(unsigned short)
    __F16_INTEGER(int)
    __F16_INTEGER(unsigned)
    __F16_INTEGER(long)
    __F16_INTEGER(unsigned long)
    __F16_INTEGER(long long)
    __F16_INTEGER(unsigned long long)
#undef __F16_INTEGER
    __F16_MEMBER operator signed char() const { return (signed char)__F16_VALUE(__x); }
    __F16_MEMBER operator unsigned char() const { return (unsigned char)__F16_VALUE(__x); }
    __F16_MEMBER operator char() const { return (char)__F16_VALUE(__x); }
    __F16_MEMBER operator bool() const { return (__x & 0x7fff) != 0; }
    __F16_MEMBER operator float() const { return __F16_VALUE(__x); }
    __F16_MEMBER operator __F16_RAW() const
    {
        __F16_RAW r;
        r.x = __x;
        return r;
    }
    __F16_MEMBER operator __F16_RAW() const volatile
    {
        __F16_RAW r;
        r.x = __x;
        return r;
    }
    __F16_MEMBER __F16_T &operator=(const __F16_RAW &r)
    {
        __x = r.x;
        return *this;
    }
    __F16_MEMBER volatile __F16_T &operator=(const __F16_RAW &r) volatile
    {
        __x = r.x;
        return *this;
    }
    __F16_MEMBER __F16_T &operator=(float f)
    {
        __x = __F16_NEAR(f);
        return *this;
    }
    __F16_MEMBER __F16_T &operator=(double f)
    {
        __x = __F16_BITS(f);
        return *this;
    }
};

/* The vector makes compilers keep a pair in one register: without it they carry two halves, and join them before every use. */
struct __attribute__((aligned(4))) __F16_T2 {
    union {
        struct {
            __F16_T x, y;
        };
        unsigned short __pair __attribute__((vector_size(4)));
    };

    __F16_T2() = default;
    __F16_MEMBER __F16_T2(const __F16_T &a, const __F16_T &b)
    {
        x = a;
        y = b;
    }
    /* Also for assignments: an operator of its own would make `pair = {}` ambiguous. */
    __F16_MEMBER __F16_T2(const __F16_RAW2 &r)
    {
        x.__x = r.x;
        y.__x = r.y;
    }
    __F16_MEMBER operator __F16_RAW2() const
    {
        __F16_RAW2 r;
        r.x = x.__x;
        r.y = y.__x;
        return r;
    }
};

#undef __F16_MEMBER
#undef __F16_RAW
#undef __F16_RAW2
/* SPDX-License-Identifier: Apache-2.0 */
