/* SPDX-License-Identifier: Apache-2.0 */
/* Bessel functions of float, by the methods of bessel.c: below 8 with their zeros as factors, which have twice the digits; from 8
 * on an amplitude times a sine. */
#include "device.h"

#define TWO_OVER_PIF 0x1.45f306p-1f
#define RSQRT_PIF 0x1.20dd76p-1f

/* x^2 - z^2, z^2 = hi + lo. */
INLINE float from_zerof(float x, float hi, float lo) { return fmaf_(x, x, -hi) - lo; }

struct wavef {
    float sum, diff, scale, t, u;
};
INLINE struct wavef wave_atf(float x)
{
    float s, c, t = 8.0f * rcpf(x);
    sincos_inlinef(x, &s, &c);
    struct wavef w = {s + c, s - c, RSQRT_PIF * rsqf(x), t, t * t};
    return w;
}

INLINE float j0_nearf(float x)
{
    float d = from_zerof(x, 0x1.721fb8p+2f, 0x1.18aeeep-28f) * from_zerof(x, 0x1.e78a4ap+4f, 0x1.88775cp-22f);
    return d * POLYF(fmaf_(x * x, -0x1p-6f, 1.0f), c_j0f);
}
INLINE float j1_nearf(float x)
{
    float d = from_zerof(x, 0x1.d5d2b4p+3f, 0x1.89822cp-25f) * from_zerof(x, 0x1.89bf66p+5f, 0x1.ca90c8p-25f);
    return d * POLYF(fmaf_(x * x, -0x1p-6f, 1.0f), c_j1f) * x;
}
/* J is scale (P a - Q b) with one of the sum and the difference as a, Y with the other one. */
INLINE float far0f(float x, bool second)
{
    struct wavef w = wave_atf(x);
    float a = second ? w.diff : w.sum, b = second ? -w.sum : w.diff;
    float v = w.scale * fmaf_(POLYF(w.u, c_p0f), a, -POLYF(w.u, c_q0f) * w.t * b);
    return x == INFF ? 0.0f : v;
}
INLINE float far1f(float x, bool second)
{
    struct wavef w = wave_atf(x);
    float a = second ? -w.sum : w.diff, b = second ? w.diff : w.sum;
    float v = w.scale * fmaf_(POLYF(w.u, c_p1f), a, POLYF(w.u, c_q1f) * w.t * b);
    return x == INFF ? 0.0f : v;
}
float __nv_j0f(float x)
{
    float a = absf(x);
    return a < 8.0f ? j0_nearf(a) : far0f(a, false);
}
float __nv_j1f(float x)
{
    float a = absf(x);
    if (a < 8.0f)
        return j1_nearf(x);
    return asf(bitsf(far1f(a, false)) ^ (bitsf(x) & 0x80000000));
}

/* A zero of Y: itself, its inverse, its logarithm and its square, in two parts where it takes two. */
struct zerof {
    float hi, lo, inverse, log, square_hi, square_lo;
};
/* 2/pi log(x / z): near z from the distance, which is exact (log1p_posf), else as log x - log z. One polynomial for both. */
INLINE float log_ratiof(float x, const struct zerof *z)
{
    bool far = x < 0.5f * z->hi;
    float k, f = log_splitf(x, &k), d = ((x - z->hi) - z->lo) * z->inverse;
    u32 i = (bitsf(add_rnf(d, 1.0f)) - 0x3f400000) & 0xff800000;
    float s = asf(0x40800000 - i), d4 = d * 0.25f, s1 = fmaf_(s, 0.25f, -1.0f), g = fmaf_(d4, s, s1);
    float rest = far ? -z->log : fmaf_(d4, s, s1 - g);
    k = far ? k : (float)(i32)i * 0x1p-23f;
    return fmaf_(k, LN2F, log_near1f(far ? f : g) + rest) * TWO_OVER_PIF;
}
INLINE float y0_nearf(float x)
{
    struct zerof z;
    float p;
    if (x < 2.5f) {
        z = (struct zerof){0x1.c982ecp-1f,  -0x1.cafa06p-27f, 0x1.1e7d32p+0f,
                           -0x1.cce4b8p-4f, 0x1.98d258p-1f,   -0x1.b2fed6p-31f};
        p = POLYF(x * x, c_y0_1f);
    } else if (x < 5.5f) {
        z = (struct zerof){0x1.fa9534p+1f, 0x1.b30ad4p-24f, 0x1.02bcd0p-2f,
                           0x1.602b18p+0f, 0x1.f53916p+3f,  -0x1.d8c7bap-26f};
        p = POLYF((x - 4.25f) * (x + 4.25f) * (1.0f / 12.25f), c_y0_2f);
    } else {
        z = (struct zerof){0x1.c581dcp+2f, 0x1.39c840p-24f, 0x1.2104bep-3f,
                           0x1.f547e4p+0f, 0x1.91b26cp+5f,  -0x1.ca6eb4p-22f};
        p = POLYF((x - 6.875f) * (x + 6.875f) * (1.0f / 17.0625f), c_y0_3f);
    }
    return fmaf_(log_ratiof(x, &z), j0_nearf(x), from_zerof(x, z.square_hi, z.square_lo) * p);
}
INLINE float y1_nearf(float x)
{
    struct zerof z;
    float p;
    if (x < 3.75f) {
        z = (struct zerof){0x1.193beep+1f, -0x1.6401b8p-24f, 0x1.d20f66p-2f,
                           0x1.930642p-1f, 0x1.34f49cp+2f,   0x1.f8f016p-23f};
        p = x < 1.0f ? POLYF(x * x, c_y1_0f) : POLYF((x - 2.75f) * (x + 2.75f) * (1.0f / 6.5625f), c_y1_1f);
    } else {
        z = (struct zerof){0x1.5b7fe4p+2f, 0x1.d0f606p-23f, 0x1.792fa2p-3f,
                           0x1.b11f12p+0f, 0x1.d7b3f6p+4f,  0x1.cca34cp-22f};
        p = x < 6.25f ? POLYF((x - 5.125f) * (x + 5.125f) * (1.0f / 12.8125f), c_y1_2f)
                      : POLYF((x - 7.1875f) * (x + 7.1875f) * (1.0f / 12.75f), c_y1_3f);
    }
    /* 1/x in two steps: that of a subnormal x may be out of range where the result is not. */
    float rest = from_zerof(x, z.square_hi, z.square_lo) * p * rcpf(x * 0x1p30f) * 0x1p30f;
    return fmaf_(log_ratiof(x, &z), j1_nearf(x), rest);
}
float __nv_y0f(float x)
{
    float v = x < 8.0f ? y0_nearf(x) : far0f(x, true);
    v = x == 0.0f ? -INFF : v;
    return x >= 0.0f ? v : NANF;
}
float __nv_y1f(float x)
{
    float v = x < 8.0f ? y1_nearf(x) : far1f(x, true);
    v = x == 0.0f ? -INFF : v;
    return x >= 0.0f ? v : NANF;
}

/* What the square of x lacks counts up to x times as much in I: its slope is about 1 / (1 + 2x) of it. Far out e^x overflows before I
 * does. */
INLINE float bessel_if(float x, const float *near, int n_near, const float *far, int n_far)
{
    float s = x * x, p = polyf(s, near, n_near);
    float v = fmaf_(fmaf_(x, x, -s) * rcpf(fmaf_(2.0f, x, 1.0f)), p, p);
    if (x > 10.0f) {
        float e = exp_base(x, L2EF, L2EF_LO, -16);
        v = e * (polyf(10.0f * rcpf(x), far, n_far) * rsqf(x)) * 0x1p16f;
        v = x > 100.0f ? INFF : v;
    }
    return v;
}
float __nv_cyl_bessel_i0f(float x)
{
    return bessel_if(absf(x), c_i0f, COUNT(c_i0f), c_i0_farf, COUNT(c_i0_farf));
}
float __nv_cyl_bessel_i1f(float x)
{
    float a = absf(x), v = bessel_if(a, c_i1f, COUNT(c_i1f), c_i1_farf, COUNT(c_i1_farf));
    return signf_of(a > 10.0f ? v : v * a, x);
}
