/* Distributions over cuRAND's generators: uniform in (0, 1], normal and log-normal by Box and Muller's method. */
#ifndef BANKSHOT_CURAND_DIST_H
#define BANKSHOT_CURAND_DIST_H

#include <bankshot/curand_philox.h>
#include <bankshot/curand_xorwow.h>

#define __CURAND_2POW_32 2.3283064365386963e-10f
#define __CURAND_2POW_53 1.1102230246251565e-16
#define __CURAND_2PI 6.2831855f

/* Each integer stands for the middle of its interval. */
__CURAND_FN float __curand_unit(unsigned x) { return x * __CURAND_2POW_32 + __CURAND_2POW_32 / 2.0f; }

/* 53 bits of two draws. */
__CURAND_FN unsigned long long __curand_join(unsigned x, unsigned y)
{
    return x ^ (unsigned long long)y << 21;
}

__CURAND_FN double __curand_unit_double(unsigned x, unsigned y)
{
    return __curand_join(x, y) * __CURAND_2POW_53 + __CURAND_2POW_53 / 2.0;
}

__CURAND_FN float2 __curand_normals(unsigned x, unsigned y)
{
    float2 r;
    float radius = sqrtf(-2.0f * logf(__curand_unit(x)));
    float angle = y * (__CURAND_2POW_32 * __CURAND_2PI) + __CURAND_2POW_32 * __CURAND_2PI / 2.0f;
    __sincosf(angle, &r.x, &r.y);
    r.x *= radius;
    r.y *= radius;
    return r;
}

__CURAND_FN double2 __curand_normals_double(unsigned x0, unsigned x1, unsigned y0, unsigned y1)
{
    double2 r;
    double radius = sqrt(-2.0 * log(__curand_unit_double(x0, x1)));
    double angle = __curand_join(y0, y1) * (__CURAND_2POW_53 * 2.0) + __CURAND_2POW_53; /* in half turns */
    sincospi(angle, &r.x, &r.y);
    r.x *= radius;
    r.y *= radius;
    return r;
}

template <typename State> __CURAND_FN float curand_uniform(State *s) { return __curand_unit(curand(s)); }

__CURAND_FN double curand_uniform_double(curandStateXORWOW_t *s)
{
    unsigned x = curand(s), y = curand(s);
    return __curand_unit_double(x, y);
}

/* Philox's has only the 32 bits of one draw. */
__CURAND_FN double curand_uniform_double(curandStatePhilox4_32_10_t *s)
{
    return curand(s) * 2.3283064365386963e-10 + 2.3283064365386963e-10 / 2.0;
}

template <typename State> __CURAND_FN float2 curand_normal2(State *s)
{
    unsigned x = curand(s), y = curand(s);
    return __curand_normals(x, y);
}

template <typename State> __CURAND_FN double2 curand_normal2_double(State *s)
{
    unsigned x0 = curand(s), x1 = curand(s), y0 = curand(s), y1 = curand(s);
    return __curand_normals_double(x0, x1, y0, y1);
}

/* Normals come in pairs: the second waits in the state, marked by whose it is. */
enum __curand_kept { __CURAND_KEPT_NORMAL = 1, __CURAND_KEPT_LOG_NORMAL = 2 };

template <typename State> __CURAND_FN float curand_normal(State *s)
{
    if (s->boxmuller_flag == __CURAND_KEPT_NORMAL) {
        s->boxmuller_flag = 0;
        return s->boxmuller_extra;
    }
    float2 v = curand_normal2(s);
    s->boxmuller_flag = __CURAND_KEPT_NORMAL;
    s->boxmuller_extra = v.y;
    return v.x;
}

template <typename State> __CURAND_FN double curand_normal_double(State *s)
{
    if (s->boxmuller_flag_double == __CURAND_KEPT_NORMAL) {
        s->boxmuller_flag_double = 0;
        return s->boxmuller_extra_double;
    }
    double2 v = curand_normal2_double(s);
    s->boxmuller_flag_double = __CURAND_KEPT_NORMAL;
    s->boxmuller_extra_double = v.y;
    return v.x;
}

template <typename State> __CURAND_FN float2 curand_log_normal2(State *s, float mean, float stddev)
{
    float2 v = curand_normal2(s);
    return make_float2(expf(mean + stddev * v.x), expf(mean + stddev * v.y));
}

template <typename State> __CURAND_FN double2 curand_log_normal2_double(State *s, double mean, double stddev)
{
    double2 v = curand_normal2_double(s);
    return make_double2(exp(mean + stddev * v.x), exp(mean + stddev * v.y));
}

template <typename State> __CURAND_FN float curand_log_normal(State *s, float mean, float stddev)
{
    if (s->boxmuller_flag == __CURAND_KEPT_LOG_NORMAL) {
        s->boxmuller_flag = 0;
        return expf(mean + stddev * s->boxmuller_extra);
    }
    float2 v = curand_normal2(s);
    s->boxmuller_flag = __CURAND_KEPT_LOG_NORMAL;
    s->boxmuller_extra = v.y;
    return expf(mean + stddev * v.x);
}

template <typename State> __CURAND_FN double curand_log_normal_double(State *s, double mean, double stddev)
{
    if (s->boxmuller_flag_double == __CURAND_KEPT_LOG_NORMAL) {
        s->boxmuller_flag_double = 0;
        return exp(mean + stddev * s->boxmuller_extra_double);
    }
    double2 v = curand_normal2_double(s);
    s->boxmuller_flag_double = __CURAND_KEPT_LOG_NORMAL;
    s->boxmuller_extra_double = v.y;
    return exp(mean + stddev * v.x);
}

__CURAND_FN float4 curand_uniform4(curandStatePhilox4_32_10_t *s)
{
    uint4 x = curand4(s);
    return make_float4(__curand_unit(x.x), __curand_unit(x.y), __curand_unit(x.z), __curand_unit(x.w));
}

__CURAND_FN double2 curand_uniform2_double(curandStatePhilox4_32_10_t *s)
{
    uint4 x = curand4(s);
    return make_double2(__curand_unit_double(x.x, x.y), __curand_unit_double(x.z, x.w));
}

__CURAND_FN float4 curand_normal4(curandStatePhilox4_32_10_t *s)
{
    uint4 x = curand4(s);
    float2 a = __curand_normals(x.x, x.y), b = __curand_normals(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}

__CURAND_FN float4 curand_log_normal4(curandStatePhilox4_32_10_t *s, float mean, float stddev)
{
    float4 v = curand_normal4(s);
    return make_float4(expf(mean + stddev * v.x), expf(mean + stddev * v.y), expf(mean + stddev * v.z),
                       expf(mean + stddev * v.w));
}

#undef __CURAND_2POW_32
#undef __CURAND_2POW_53
#undef __CURAND_2PI

#endif
/* SPDX-License-Identifier: Apache-2.0 */
