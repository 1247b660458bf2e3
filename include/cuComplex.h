/* Complex numbers as C structs: cuFloatComplex, cuDoubleComplex and their arithmetic, on host and device. */
#ifndef BANKSHOT_CUCOMPLEX_H
#define BANKSHOT_CUCOMPLEX_H

#include "host_defines.h"
__BANKSHOT_LINES_OFF

#include "vector_functions.h"

#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define __BANKSHOT_HD static __inline__ __host__ __device__ __attribute__((unused))

/* Division scales by the sum of the divisor's parts, and the absolute value by its larger part, so that
 * squares neither overflow nor vanish where the result does not. */
#define __BANKSHOT_COMPLEX(C, T, f, math_abs, math_sqrt)                                                     \
    __BANKSHOT_HD T cuCreal##f(C a) { return a.x; }                                                          \
    __BANKSHOT_HD T cuCimag##f(C a) { return a.y; }                                                          \
    __BANKSHOT_HD C __bankshot_c##f(T re, T im)                                                              \
    {                                                                                                        \
        C c;                                                                                                 \
        c.x = re;                                                                                            \
        c.y = im;                                                                                            \
        return c;                                                                                            \
    }                                                                                                        \
    __BANKSHOT_HD C cuConj##f(C a) { return __bankshot_c##f(a.x, -a.y); }                                    \
    __BANKSHOT_HD C cuCadd##f(C a, C b) { return __bankshot_c##f(a.x + b.x, a.y + b.y); }                    \
    __BANKSHOT_HD C cuCsub##f(C a, C b) { return __bankshot_c##f(a.x - b.x, a.y - b.y); }                    \
    __BANKSHOT_HD C cuCmul##f(C a, C b)                                                                      \
    {                                                                                                        \
        return __bankshot_c##f(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                \
    }                                                                                                        \
    __BANKSHOT_HD C cuCdiv##f(C a, C b)                                                                      \
    {                                                                                                        \
        T scale = 1 / (math_abs(b.x) + math_abs(b.y));                                                       \
        T ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale,                            \
          s = 1 / (bx * bx + by * by);                                                                       \
        return __bankshot_c##f((ax * bx + ay * by) * s, (ay * bx - ax * by) * s);                            \
    }                                                                                                        \
    __BANKSHOT_HD T cuCabs##f(C a)                                                                           \
    {                                                                                                        \
        T x = math_abs(a.x), y = math_abs(a.y), big = x > y ? x : y, small = x > y ? y : x, q = small / big; \
        if (big == 0 || big * 0 != 0 || small * 0 != 0) /* zero, infinite or no number */                    \
            return big + small;                                                                              \
        return big * math_sqrt(1 + q * q);                                                                   \
    }                                                                                                        \
    __BANKSHOT_HD C __bankshot_fma##f(C a, C b, C c)                                                         \
    {                                                                                                        \
        return __bankshot_c##f(a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y);                    \
    }
__BANKSHOT_COMPLEX(cuFloatComplex, float, f, fabsf, sqrtf)
__BANKSHOT_COMPLEX(cuDoubleComplex, double, , fabs, sqrt)
#undef __BANKSHOT_COMPLEX

__BANKSHOT_HD cuFloatComplex make_cuFloatComplex(float re, float im) { return __bankshot_cf(re, im); }
__BANKSHOT_HD cuComplex make_cuComplex(float re, float im) { return __bankshot_cf(re, im); }
__BANKSHOT_HD cuDoubleComplex make_cuDoubleComplex(double re, double im) { return __bankshot_c(re, im); }
__BANKSHOT_HD cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return __bankshot_c(a.x, a.y); }
__BANKSHOT_HD cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{
    return __bankshot_cf((float)a.x, (float)a.y);
}
__BANKSHOT_HD cuComplex cuCfmaf(cuComplex a, cuComplex b, cuComplex c) { return __bankshot_fmaf(a, b, c); }
__BANKSHOT_HD cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c)
{
    return __bankshot_fma(a, b, c);
}
#undef __BANKSHOT_HD

__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
