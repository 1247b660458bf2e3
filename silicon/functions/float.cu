// SPDX-License-Identifier: Apache-2.0
// Functions of float.
// clang-format off
#define TABLE(ROW) \
    ROW(copy_f, float, float, 0, 1, 0, 1, x) \
    ROW(sqrtf_f, float, float, 0.1, 9, 0, 1, sqrtf(x)) \
    ROW(rsqrtf_f, float, float, 0.1, 9, 0, 1, rsqrtf(x)) \
    ROW(cbrtf_f, float, float, 0.1, 9, 0, 1, cbrtf(x)) \
    ROW(rcbrtf_f, float, float, 0.1, 9, 0, 1, rcbrtf(x)) \
    ROW(logf_f, float, float, 0.1, 9, 0, 1, logf(x)) \
    ROW(log2f_f, float, float, 0.1, 9, 0, 1, log2f(x)) \
    ROW(log10f_f, float, float, 0.1, 9, 0, 1, log10f(x)) \
    ROW(log1pf_f, float, float, 0.1, 9, 0, 1, log1pf(x)) \
    ROW(lgammaf_f, float, float, 0.1, 9, 0, 1, lgammaf(x)) \
    ROW(tgammaf_f, float, float, 0.1, 9, 0, 1, tgammaf(x)) \
    ROW(acoshf_f, float, float, 0.1, 9, 0, 1, acoshf(x)) \
    ROW(erfcxf_f, float, float, 0.1, 9, 0, 1, erfcxf(x)) \
    ROW(reciprocal_f, float, float, 0.1, 9, 0, 1, 1.0f / x) \
    ROW(divide_f, float, float, 0.1, 9, 0.1, 9, x / y) \
    ROW(divide_by_3_f, float, float, 0.1, 9, 0.1, 9, x / 3.0f) \
    ROW(expf_f, float, float, -8, 8, 0, 1, expf(x)) \
    ROW(exp2f_f, float, float, -8, 8, 0, 1, exp2f(x)) \
    ROW(exp10f_f, float, float, -8, 8, 0, 1, exp10f(x)) \
    ROW(expm1f_f, float, float, -8, 8, 0, 1, expm1f(x)) \
    ROW(sinhf_f, float, float, -8, 8, 0, 1, sinhf(x)) \
    ROW(coshf_f, float, float, -8, 8, 0, 1, coshf(x)) \
    ROW(tanhf_f, float, float, -8, 8, 0, 1, tanhf(x)) \
    ROW(asinhf_f, float, float, -8, 8, 0, 1, asinhf(x)) \
    ROW(erff_f, float, float, -8, 8, 0, 1, erff(x)) \
    ROW(erfcf_f, float, float, -8, 8, 0, 1, erfcf(x)) \
    ROW(normcdff_f, float, float, -8, 8, 0, 1, normcdff(x)) \
    ROW(sinf_f, float, float, -8, 8, 0, 1, sinf(x)) \
    ROW(cosf_f, float, float, -8, 8, 0, 1, cosf(x)) \
    ROW(tanf_f, float, float, -8, 8, 0, 1, tanf(x)) \
    ROW(sinpif_f, float, float, -8, 8, 0, 1, sinpif(x)) \
    ROW(cospif_f, float, float, -8, 8, 0, 1, cospif(x)) \
    ROW(atanf_f, float, float, -8, 8, 0, 1, atanf(x)) \
    ROW(j0f_f, float, float, -8, 8, 0, 1, j0f(x)) \
    ROW(j1f_f, float, float, -8, 8, 0, 1, j1f(x)) \
    ROW(cyl_bessel_i0f_f, float, float, -8, 8, 0, 1, cyl_bessel_i0f(x)) \
    ROW(cyl_bessel_i1f_f, float, float, -8, 8, 0, 1, cyl_bessel_i1f(x)) \
    ROW(y0f_f, float, float, 0.5, 9, 0, 1, y0f(x)) \
    ROW(y1f_f, float, float, 0.5, 9, 0, 1, y1f(x)) \
    ROW(asinf_f, float, float, -0.99, 0.99, 0, 1, asinf(x)) \
    ROW(acosf_f, float, float, -0.99, 0.99, 0, 1, acosf(x)) \
    ROW(atanhf_f, float, float, -0.99, 0.99, 0, 1, atanhf(x)) \
    ROW(erfinvf_f, float, float, -0.99, 0.99, 0, 1, erfinvf(x)) \
    ROW(erfcinvf_f, float, float, 0.01, 0.99, 0, 1, erfcinvf(x)) \
    ROW(normcdfinvf_f, float, float, 0.01, 0.99, 0, 1, normcdfinvf(x)) \
    ROW(sincosf_f, float, float, -8, 8, 0, 1, BOTH(float, sincosf(x, &p, &q))) \
    ROW(sincospif_f, float, float, -8, 8, 0, 1, BOTH(float, sincospif(x, &p, &q))) \
    ROW(sinf_large_f, float, float, -90000, 90000, 0, 1, sinf(x)) \
    ROW(cosf_huge_f, float, float, 1000000.0, 1000000000.0, 0, 1, cosf(x)) \
    ROW(powf_f, float, float, 0.1, 9, 0.1, 9, powf(x, y)) \
    ROW(fmodf_f, float, float, 0.1, 9, 0.1, 9, fmodf(x, y)) \
    ROW(remainderf_f, float, float, 0.1, 9, 0.1, 9, remainderf(x, y)) \
    ROW(atan2f_f, float, float, 0.1, 9, 0.1, 9, atan2f(x, y)) \
    ROW(hypotf_f, float, float, 0.1, 9, 0.1, 9, hypotf(x, y)) \
    ROW(rhypotf_f, float, float, 0.1, 9, 0.1, 9, rhypotf(x, y)) \
    ROW(fdimf_f, float, float, 0.1, 9, 0.1, 9, fdimf(x, y)) \
    ROW(fminf_f, float, float, 0.1, 9, 0.1, 9, fminf(x, y)) \
    ROW(fmaxf_f, float, float, 0.1, 9, 0.1, 9, fmaxf(x, y)) \
    ROW(copysignf_f, float, float, 0.1, 9, 0.1, 9, copysignf(x, y)) \
    ROW(nextafterf_f, float, float, 0.1, 9, 0.1, 9, nextafterf(x, y)) \
    ROW(powf_int_f, float, float, 0.1, 9, 0, 9, powf(x, (int)y)) \
    ROW(powf_2_f, float, float, 0.1, 9, 0, 9, powf(x, 2.0f)) \
    ROW(powf_3_f, float, float, 0.1, 9, 0, 9, powf(x, 3.0f)) \
    ROW(powf_half_f, float, float, 0.1, 9, 0, 9, powf(x, 0.5f)) \
    ROW(powf_1_5_f, float, float, 0.1, 9, 0, 9, powf(x, 1.5f)) \
    ROW(powf_base2_f, float, float, -9, 9, 0, 9, powf(2.0f, x)) \
    ROW(norm3df_f, float, float, 0.1, 9, 0.1, 9, norm3df(x, y, z)) \
    ROW(rnorm3df_f, float, float, 0.1, 9, 0.1, 9, rnorm3df(x, y, z)) \
    ROW(norm4df_f, float, float, 0.1, 9, 0.1, 9, norm4df(x, y, z, 1.0f)) \
    ROW(fmaf_f, float, float, 0.1, 9, 0.1, 9, fmaf(x, y, z)) \
    ROW(floorf_f, float, float, -99, 99, 0, 1, floorf(x)) \
    ROW(ceilf_f, float, float, -99, 99, 0, 1, ceilf(x)) \
    ROW(truncf_f, float, float, -99, 99, 0, 1, truncf(x)) \
    ROW(roundf_f, float, float, -99, 99, 0, 1, roundf(x)) \
    ROW(rintf_f, float, float, -99, 99, 0, 1, rintf(x)) \
    ROW(nearbyintf_f, float, float, -99, 99, 0, 1, nearbyintf(x)) \
    ROW(fabsf_f, float, float, -99, 99, 0, 1, fabsf(x)) \
    ROW(logbf_f, float, float, -99, 99, 0, 1, logbf(x)) \
    ROW(isnan_f, float, int, -99, 99, 0, 1, isnan(x)) \
    ROW(isinf_f, float, int, -99, 99, 0, 1, isinf(x)) \
    ROW(isfinite_f, float, int, -99, 99, 0, 1, isfinite(x)) \
    ROW(signbit_f, float, int, -99, 99, 0, 1, signbit(x)) \
    ROW(ilogbf_f, float, int, -99, 99, 0, 1, ilogbf(x)) \
    ROW(lroundf_f, float, int, -99, 99, 0, 1, lroundf(x)) \
    ROW(lrintf_f, float, int, -99, 99, 0, 1, lrintf(x)) \
    ROW(llroundf_f, float, ll, -99, 99, 0, 1, llroundf(x)) \
    ROW(llrintf_f, float, ll, -99, 99, 0, 1, llrintf(x)) \
    ROW(ldexpf_f, float, float, -9, 9, -9, 9, ldexpf(x, (int)y)) \
    ROW(scalbnf_f, float, float, -9, 9, -9, 9, scalbnf(x, (int)y)) \
    ROW(frexpf_f, float, float, -9, 9, -9, 9, [&] { int e; float m = frexpf(x, &e); return m + e; }()) \
    ROW(modff_f, float, float, -9, 9, -9, 9, [&] { float w; float m = modff(x, &w); return m - w; }()) \
    ROW(remquof_f, float, float, -9, 9, 1, 9, [&] { int e; float m = remquof(x, y, &e); return m + e; }()) \
    ROW(compare_f, float, int, -9, 9, -9, 9, x < y) \
    ROW(select_f, float, float, -9, 9, -9, 9, x < y ? x * z : x + y) \
    ROW(clamp_f, float, float, -2, 2, -9, 9, fminf(fmaxf(x, 0.0f), 1.0f)) \
    ROW(clamp_y_f, float, float, -2, 2, -9, 9, fminf(fmaxf(x, y), z)) \
    ROW(to_int_f, float, int, 0, 99, 0, 1, (int)x) \
    ROW(to_uint_f, float, uint, 0, 99, 0, 1, (uint)x) \
    ROW(to_ll_f, float, ll, 0, 99, 0, 1, (ll)x) \
    ROW(to_ull_f, float, ull, 0, 99, 0, 1, (ull)x) \
    ROW(to_short_f, float, short, 0, 99, 0, 1, (short)x) \
    ROW(to_uchar_f, float, unsigned char, 0, 99, 0, 1, (unsigned char)x) \
    ROW(to_double_f, float, double, 0, 99, 0, 1, (double)x) \
    ROW(only_sinf_f, float, float, 0.1, 9, 0, 1, __sinf(x)) \
    ROW(only_cosf_f, float, float, 0.1, 9, 0, 1, __cosf(x)) \
    ROW(only_tanf_f, float, float, 0.1, 9, 0, 1, __tanf(x)) \
    ROW(only_expf_f, float, float, 0.1, 9, 0, 1, __expf(x)) \
    ROW(only_exp10f_f, float, float, 0.1, 9, 0, 1, __exp10f(x)) \
    ROW(only_logf_f, float, float, 0.1, 9, 0, 1, __logf(x)) \
    ROW(only_log2f_f, float, float, 0.1, 9, 0, 1, __log2f(x)) \
    ROW(only_log10f_f, float, float, 0.1, 9, 0, 1, __log10f(x)) \
    ROW(only_saturatef_f, float, float, 0.1, 9, 0, 1, __saturatef(x)) \
    ROW(only_frcp_rn_f, float, float, 0.1, 9, 0, 1, __frcp_rn(x)) \
    ROW(only_fsqrt_rn_f, float, float, 0.1, 9, 0, 1, __fsqrt_rn(x)) \
    ROW(only_frsqrt_rn_f, float, float, 0.1, 9, 0, 1, __frsqrt_rn(x)) \
    ROW(only_frcp_rz_f, float, float, 0.1, 9, 0, 1, __frcp_rz(x)) \
    ROW(only_fsqrt_ru_f, float, float, 0.1, 9, 0, 1, __fsqrt_ru(x)) \
    ROW(only_powf_f, float, float, 0.1, 9, 0.1, 9, __powf(x, y)) \
    ROW(only_fdividef_f, float, float, 0.1, 9, 0.1, 9, __fdividef(x, y)) \
    ROW(only_fdiv_rn_f, float, float, 0.1, 9, 0.1, 9, __fdiv_rn(x, y)) \
    ROW(only_fadd_rz_f, float, float, 0.1, 9, 0.1, 9, __fadd_rz(x, y)) \
    ROW(only_fmul_rn_f, float, float, 0.1, 9, 0.1, 9, __fmul_rn(x, y)) \
    ROW(only_fdiv_rd_f, float, float, 0.1, 9, 0.1, 9, __fdiv_rd(x, y)) \
    ROW(only_float2int_rn_f, float, int, 0, 99, 0, 1, __float2int_rn(x)) \
    ROW(only_float2int_rd_f, float, int, 0, 99, 0, 1, __float2int_rd(x)) \
    ROW(only_float2uint_ru_f, float, int, 0, 99, 0, 1, __float2uint_ru(x)) \
    ROW(only_float_as_int_f, float, int, 0, 99, 0, 1, __float_as_int(x)) \
    ROW(only_float2ll_rn_f, float, ll, 0, 99, 0, 1, __float2ll_rn(x))
// clang-format on
#include "functions.h"
