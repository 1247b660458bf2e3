// SPDX-License-Identifier: Apache-2.0
// Functions of double.
// clang-format off
#define TABLE(ROW) \
    ROW(copy_d, double, double, 0, 1, 0, 1, x) \
    ROW(sqrt_d, double, double, 0.1, 9, 0, 1, sqrt(x)) \
    ROW(rsqrt_d, double, double, 0.1, 9, 0, 1, rsqrt(x)) \
    ROW(cbrt_d, double, double, 0.1, 9, 0, 1, cbrt(x)) \
    ROW(rcbrt_d, double, double, 0.1, 9, 0, 1, rcbrt(x)) \
    ROW(log_d, double, double, 0.1, 9, 0, 1, log(x)) \
    ROW(log2_d, double, double, 0.1, 9, 0, 1, log2(x)) \
    ROW(log10_d, double, double, 0.1, 9, 0, 1, log10(x)) \
    ROW(log1p_d, double, double, 0.1, 9, 0, 1, log1p(x)) \
    ROW(lgamma_d, double, double, 0.1, 9, 0, 1, lgamma(x)) \
    ROW(tgamma_d, double, double, 0.1, 9, 0, 1, tgamma(x)) \
    ROW(acosh_d, double, double, 0.1, 9, 0, 1, acosh(x)) \
    ROW(erfcx_d, double, double, 0.1, 9, 0, 1, erfcx(x)) \
    ROW(reciprocal_d, double, double, 0.1, 9, 0, 1, 1.0 / x) \
    ROW(divide_d, double, double, 0.1, 9, 0.1, 9, x / y) \
    ROW(divide_by_3_d, double, double, 0.1, 9, 0.1, 9, x / 3.0) \
    ROW(exp_d, double, double, -8, 8, 0, 1, exp(x)) \
    ROW(exp2_d, double, double, -8, 8, 0, 1, exp2(x)) \
    ROW(exp10_d, double, double, -8, 8, 0, 1, exp10(x)) \
    ROW(expm1_d, double, double, -8, 8, 0, 1, expm1(x)) \
    ROW(sinh_d, double, double, -8, 8, 0, 1, sinh(x)) \
    ROW(cosh_d, double, double, -8, 8, 0, 1, cosh(x)) \
    ROW(tanh_d, double, double, -8, 8, 0, 1, tanh(x)) \
    ROW(asinh_d, double, double, -8, 8, 0, 1, asinh(x)) \
    ROW(erf_d, double, double, -8, 8, 0, 1, erf(x)) \
    ROW(erfc_d, double, double, -8, 8, 0, 1, erfc(x)) \
    ROW(normcdf_d, double, double, -8, 8, 0, 1, normcdf(x)) \
    ROW(sin_d, double, double, -8, 8, 0, 1, sin(x)) \
    ROW(cos_d, double, double, -8, 8, 0, 1, cos(x)) \
    ROW(tan_d, double, double, -8, 8, 0, 1, tan(x)) \
    ROW(sinpi_d, double, double, -8, 8, 0, 1, sinpi(x)) \
    ROW(cospi_d, double, double, -8, 8, 0, 1, cospi(x)) \
    ROW(atan_d, double, double, -8, 8, 0, 1, atan(x)) \
    ROW(j0_d, double, double, -8, 8, 0, 1, j0(x)) \
    ROW(j1_d, double, double, -8, 8, 0, 1, j1(x)) \
    ROW(cyl_bessel_i0_d, double, double, -8, 8, 0, 1, cyl_bessel_i0(x)) \
    ROW(y0_d, double, double, 0.5, 9, 0, 1, y0(x)) \
    ROW(y1_d, double, double, 0.5, 9, 0, 1, y1(x)) \
    ROW(asin_d, double, double, -0.99, 0.99, 0, 1, asin(x)) \
    ROW(acos_d, double, double, -0.99, 0.99, 0, 1, acos(x)) \
    ROW(atanh_d, double, double, -0.99, 0.99, 0, 1, atanh(x)) \
    ROW(erfinv_d, double, double, -0.99, 0.99, 0, 1, erfinv(x)) \
    ROW(erfcinv_d, double, double, 0.01, 0.99, 0, 1, erfcinv(x)) \
    ROW(normcdfinv_d, double, double, 0.01, 0.99, 0, 1, normcdfinv(x)) \
    ROW(sincos_d, double, double, -8, 8, 0, 1, BOTH(double, sincos(x, &p, &q))) \
    ROW(sincospi_d, double, double, -8, 8, 0, 1, BOTH(double, sincospi(x, &p, &q))) \
    ROW(sin_large_d, double, double, -90000, 90000, 0, 1, sin(x)) \
    ROW(pow_d, double, double, 0.1, 9, 0.1, 9, pow(x, y)) \
    ROW(fmod_d, double, double, 0.1, 9, 0.1, 9, fmod(x, y)) \
    ROW(remainder_d, double, double, 0.1, 9, 0.1, 9, remainder(x, y)) \
    ROW(atan2_d, double, double, 0.1, 9, 0.1, 9, atan2(x, y)) \
    ROW(hypot_d, double, double, 0.1, 9, 0.1, 9, hypot(x, y)) \
    ROW(rhypot_d, double, double, 0.1, 9, 0.1, 9, rhypot(x, y)) \
    ROW(fdim_d, double, double, 0.1, 9, 0.1, 9, fdim(x, y)) \
    ROW(fmin_d, double, double, 0.1, 9, 0.1, 9, fmin(x, y)) \
    ROW(fmax_d, double, double, 0.1, 9, 0.1, 9, fmax(x, y)) \
    ROW(copysign_d, double, double, 0.1, 9, 0.1, 9, copysign(x, y)) \
    ROW(nextafter_d, double, double, 0.1, 9, 0.1, 9, nextafter(x, y)) \
    ROW(pow_int_d, double, double, 0.1, 9, 0, 9, pow(x, (int)y)) \
    ROW(pow_2_d, double, double, 0.1, 9, 0, 9, pow(x, 2.0)) \
    ROW(pow_3_d, double, double, 0.1, 9, 0, 9, pow(x, 3.0)) \
    ROW(pow_half_d, double, double, 0.1, 9, 0, 9, pow(x, 0.5)) \
    ROW(pow_base2_d, double, double, -9, 9, 0, 9, pow(2.0, x)) \
    ROW(norm3d_d, double, double, 0.1, 9, 0.1, 9, norm3d(x, y, z)) \
    ROW(fma_d, double, double, 0.1, 9, 0.1, 9, fma(x, y, z)) \
    ROW(floor_d, double, double, -99, 99, 0, 1, floor(x)) \
    ROW(ceil_d, double, double, -99, 99, 0, 1, ceil(x)) \
    ROW(trunc_d, double, double, -99, 99, 0, 1, trunc(x)) \
    ROW(round_d, double, double, -99, 99, 0, 1, round(x)) \
    ROW(rint_d, double, double, -99, 99, 0, 1, rint(x)) \
    ROW(fabs_d, double, double, -99, 99, 0, 1, fabs(x)) \
    ROW(logb_d, double, double, -99, 99, 0, 1, logb(x)) \
    ROW(isnan_d, double, int, -99, 99, 0, 1, isnan(x)) \
    ROW(isinf_d, double, int, -99, 99, 0, 1, isinf(x)) \
    ROW(isfinite_d, double, int, -99, 99, 0, 1, isfinite(x)) \
    ROW(ilogb_d, double, int, -99, 99, 0, 1, ilogb(x)) \
    ROW(lround_d, double, int, -99, 99, 0, 1, lround(x)) \
    ROW(lrint_d, double, int, -99, 99, 0, 1, lrint(x)) \
    ROW(llround_d, double, ll, -99, 99, 0, 1, llround(x)) \
    ROW(llrint_d, double, ll, -99, 99, 0, 1, llrint(x)) \
    ROW(ldexp_d, double, double, -9, 9, -9, 9, ldexp(x, (int)y)) \
    ROW(frexp_d, double, double, -9, 9, -9, 9, [&] { int e; double m = frexp(x, &e); return m + e; }()) \
    ROW(modf_d, double, double, -9, 9, -9, 9, [&] { double w; double m = modf(x, &w); return m - w; }()) \
    ROW(compare_d, double, int, -9, 9, -9, 9, x < y) \
    ROW(select_d, double, double, -9, 9, -9, 9, x < y ? x * z : x + y) \
    ROW(clamp_d, double, double, -2, 2, -9, 9, fmin(fmax(x, 0.0), 1.0)) \
    ROW(to_int_d, double, int, 0, 99, 0, 1, (int)x) \
    ROW(to_uint_d, double, uint, 0, 99, 0, 1, (uint)x) \
    ROW(to_ll_d, double, ll, 0, 99, 0, 1, (ll)x) \
    ROW(to_ull_d, double, ull, 0, 99, 0, 1, (ull)x) \
    ROW(to_short_d, double, short, 0, 99, 0, 1, (short)x) \
    ROW(to_float_d, double, float, 0, 99, 0, 1, (float)x) \
    ROW(only_drcp_rn_d, double, double, 0.1, 9, 0, 1, __drcp_rn(x)) \
    ROW(only_dsqrt_rn_d, double, double, 0.1, 9, 0, 1, __dsqrt_rn(x)) \
    ROW(only_ddiv_rn_d, double, double, 0.1, 9, 0.1, 9, __ddiv_rn(x, y)) \
    ROW(only_dadd_rz_d, double, double, 0.1, 9, 0.1, 9, __dadd_rz(x, y)) \
    ROW(only_dmul_ru_d, double, double, 0.1, 9, 0.1, 9, __dmul_ru(x, y)) \
    ROW(only_double2int_rn_d, double, int, 0, 99, 0, 1, __double2int_rn(x)) \
    ROW(only_double2int_rd_d, double, int, 0, 99, 0, 1, __double2int_rd(x)) \
    ROW(only_double2hiint_d, double, int, 0, 99, 0, 1, __double2hiint(x)) \
    ROW(only_double2loint_d, double, int, 0, 99, 0, 1, __double2loint(x)) \
    ROW(only_double2ll_rn_d, double, ll, 0, 99, 0, 1, __double2ll_rn(x)) \
    ROW(only_double_as_longlong_d, double, ll, 0, 99, 0, 1, __double_as_longlong(x)) \
    ROW(only_double2float_rd_d, double, float, 0, 99, 0, 1, __double2float_rd(x))
// clang-format on
#include "functions.h"
