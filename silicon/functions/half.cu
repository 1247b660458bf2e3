// SPDX-License-Identifier: Apache-2.0
// Half and bfloat16, alone and in pairs.
// clang-format off
#define TABLE(ROW) \
    ROW(copy_h, __half, __half, 0.5, 2, 0.5, 2, x) \
    ROW(hadd_h, __half, __half, 0.5, 2, 0.5, 2, __hadd(x, y)) \
    ROW(hsub_h, __half, __half, 0.5, 2, 0.5, 2, __hsub(x, y)) \
    ROW(hmul_h, __half, __half, 0.5, 2, 0.5, 2, __hmul(x, y)) \
    ROW(hmin_h, __half, __half, 0.5, 2, 0.5, 2, __hmin(x, y)) \
    ROW(hmax_h, __half, __half, 0.5, 2, 0.5, 2, __hmax(x, y)) \
    ROW(hadd_sat_h, __half, __half, 0.5, 2, 0.5, 2, __hadd_sat(x, y)) \
    ROW(hmul_sat_h, __half, __half, 0.5, 2, 0.5, 2, __hmul_sat(x, y)) \
    ROW(hfma_h, __half, __half, 0.5, 2, 0.5, 2, __hfma(x, y, z)) \
    ROW(hfma_relu_h, __half, __half, 0.5, 2, 0.5, 2, __hfma_relu(x, y, z)) \
    ROW(hneg_h, __half, __half, 0.5, 2, 0.5, 2, __hneg(x)) \
    ROW(habs_h, __half, __half, 0.5, 2, 0.5, 2, __habs(x)) \
    ROW(hdiv_h, __half, __half, 0.5, 2, 0.5, 2, __hdiv(x, y)) \
    ROW(exp_h, __half, __half, 0.5, 2, 0.5, 2, hexp(x)) \
    ROW(exp2_h, __half, __half, 0.5, 2, 0.5, 2, hexp2(x)) \
    ROW(exp10_h, __half, __half, 0.5, 2, 0.5, 2, hexp10(x)) \
    ROW(log_h, __half, __half, 0.5, 2, 0.5, 2, hlog(x)) \
    ROW(log2_h, __half, __half, 0.5, 2, 0.5, 2, hlog2(x)) \
    ROW(sqrt_h, __half, __half, 0.5, 2, 0.5, 2, hsqrt(x)) \
    ROW(rsqrt_h, __half, __half, 0.5, 2, 0.5, 2, hrsqrt(x)) \
    ROW(rcp_h, __half, __half, 0.5, 2, 0.5, 2, hrcp(x)) \
    ROW(sin_h, __half, __half, 0.5, 2, 0.5, 2, hsin(x)) \
    ROW(cos_h, __half, __half, 0.5, 2, 0.5, 2, hcos(x)) \
    ROW(floor_h, __half, __half, 0.5, 2, 0.5, 2, hfloor(x)) \
    ROW(ceil_h, __half, __half, 0.5, 2, 0.5, 2, hceil(x)) \
    ROW(rint_h, __half, __half, 0.5, 2, 0.5, 2, hrint(x)) \
    ROW(operators_h, __half, __half, 0.5, 2, 0.5, 2, x * y + z) \
    ROW(hlt_h, __half, int, 0.5, 2, 0.5, 2, __hlt(x, y)) \
    ROW(hisnan_h, __half, int, 0.5, 2, 0.5, 2, __hisnan(x)) \
    ROW(to_float_h, __half, float, 0.5, 2, 0.5, 2, (float)x) \
    ROW(select_h, __half, __half, 0.5, 2, 0.5, 2, __hgt(x, y) ? x : z) \
    ROW(to_int_h, __half, int, 0.5, 2, 0.5, 2, (int)(float)x) \
    ROW(axpy_float_h, __half, __half, 0.5, 2, 0.5, 2, __float2half((float)x * (float)y + (float)z)) \
    ROW(copy_h2, __half2, __half2, 0.5, 2, 0.5, 2, x) \
    ROW(hadd_h2, __half2, __half2, 0.5, 2, 0.5, 2, __hadd2(x, y)) \
    ROW(hsub_h2, __half2, __half2, 0.5, 2, 0.5, 2, __hsub2(x, y)) \
    ROW(hmul_h2, __half2, __half2, 0.5, 2, 0.5, 2, __hmul2(x, y)) \
    ROW(hmin_h2, __half2, __half2, 0.5, 2, 0.5, 2, __hmin2(x, y)) \
    ROW(hmax_h2, __half2, __half2, 0.5, 2, 0.5, 2, __hmax2(x, y)) \
    ROW(hadd_sat_h2, __half2, __half2, 0.5, 2, 0.5, 2, __hadd2_sat(x, y)) \
    ROW(hmul_sat_h2, __half2, __half2, 0.5, 2, 0.5, 2, __hmul2_sat(x, y)) \
    ROW(hfma_h2, __half2, __half2, 0.5, 2, 0.5, 2, __hfma2(x, y, z)) \
    ROW(hfma_relu_h2, __half2, __half2, 0.5, 2, 0.5, 2, __hfma2_relu(x, y, z)) \
    ROW(hneg_h2, __half2, __half2, 0.5, 2, 0.5, 2, __hneg2(x)) \
    ROW(habs_h2, __half2, __half2, 0.5, 2, 0.5, 2, __habs2(x)) \
    ROW(hdiv_h2, __half2, __half2, 0.5, 2, 0.5, 2, __h2div(x, y)) \
    ROW(exp_h2, __half2, __half2, 0.5, 2, 0.5, 2, h2exp(x)) \
    ROW(exp2_h2, __half2, __half2, 0.5, 2, 0.5, 2, h2exp2(x)) \
    ROW(exp10_h2, __half2, __half2, 0.5, 2, 0.5, 2, h2exp10(x)) \
    ROW(log_h2, __half2, __half2, 0.5, 2, 0.5, 2, h2log(x)) \
    ROW(log2_h2, __half2, __half2, 0.5, 2, 0.5, 2, h2log2(x)) \
    ROW(sqrt_h2, __half2, __half2, 0.5, 2, 0.5, 2, h2sqrt(x)) \
    ROW(rsqrt_h2, __half2, __half2, 0.5, 2, 0.5, 2, h2rsqrt(x)) \
    ROW(rcp_h2, __half2, __half2, 0.5, 2, 0.5, 2, h2rcp(x)) \
    ROW(sin_h2, __half2, __half2, 0.5, 2, 0.5, 2, h2sin(x)) \
    ROW(cos_h2, __half2, __half2, 0.5, 2, 0.5, 2, h2cos(x)) \
    ROW(operators_h2, __half2, __half2, 0.5, 2, 0.5, 2, x * y + z) \
    ROW(heq2_h2, __half2, __half2, 0.5, 2, 0.5, 2, __heq2(x, y)) \
    ROW(low_float_h2, __half2, float, 0.5, 2, 0.5, 2, __low2float(x)) \
    ROW(swap_h2, __half2, __half2, 0.5, 2, 0.5, 2, __lowhigh2highlow(x)) \
    ROW(sum_h2, __half2, float, 0.5, 2, 0.5, 2, __low2float(x) + __high2float(x)) \
    ROW(lows_h2, __half2, __half2, 0.5, 2, 0.5, 2, __lows2half2(x, y)) \
    ROW(copy_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, x) \
    ROW(hadd_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, __hadd(x, y)) \
    ROW(hsub_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, __hsub(x, y)) \
    ROW(hmul_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, __hmul(x, y)) \
    ROW(hmin_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, __hmin(x, y)) \
    ROW(hmax_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, __hmax(x, y)) \
    ROW(hadd_sat_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, __hadd_sat(x, y)) \
    ROW(hmul_sat_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, __hmul_sat(x, y)) \
    ROW(hfma_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, __hfma(x, y, z)) \
    ROW(hfma_relu_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, __hfma_relu(x, y, z)) \
    ROW(hneg_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, __hneg(x)) \
    ROW(habs_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, __habs(x)) \
    ROW(hdiv_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, __hdiv(x, y)) \
    ROW(exp_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, hexp(x)) \
    ROW(exp2_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, hexp2(x)) \
    ROW(exp10_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, hexp10(x)) \
    ROW(log_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, hlog(x)) \
    ROW(log2_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, hlog2(x)) \
    ROW(sqrt_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, hsqrt(x)) \
    ROW(rsqrt_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, hrsqrt(x)) \
    ROW(rcp_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, hrcp(x)) \
    ROW(sin_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, hsin(x)) \
    ROW(cos_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, hcos(x)) \
    ROW(operators_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, x * y + z) \
    ROW(hlt_b, __nv_bfloat16, int, 0.5, 2, 0.5, 2, __hlt(x, y)) \
    ROW(hisnan_b, __nv_bfloat16, int, 0.5, 2, 0.5, 2, __hisnan(x)) \
    ROW(to_float_b, __nv_bfloat16, float, 0.5, 2, 0.5, 2, (float)x) \
    ROW(select_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, __hgt(x, y) ? x : z) \
    ROW(to_int_b, __nv_bfloat16, int, 0.5, 2, 0.5, 2, (int)(float)x) \
    ROW(axpy_float_b, __nv_bfloat16, __nv_bfloat16, 0.5, 2, 0.5, 2, __float2bfloat16((float)x * (float)y + (float)z)) \
    ROW(copy_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, x) \
    ROW(hadd_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, __hadd2(x, y)) \
    ROW(hsub_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, __hsub2(x, y)) \
    ROW(hmul_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, __hmul2(x, y)) \
    ROW(hmin_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, __hmin2(x, y)) \
    ROW(hmax_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, __hmax2(x, y)) \
    ROW(hadd_sat_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, __hadd2_sat(x, y)) \
    ROW(hmul_sat_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, __hmul2_sat(x, y)) \
    ROW(hfma_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, __hfma2(x, y, z)) \
    ROW(hfma_relu_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, __hfma2_relu(x, y, z)) \
    ROW(hneg_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, __hneg2(x)) \
    ROW(habs_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, __habs2(x)) \
    ROW(hdiv_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, __h2div(x, y)) \
    ROW(exp_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, h2exp(x)) \
    ROW(exp2_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, h2exp2(x)) \
    ROW(exp10_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, h2exp10(x)) \
    ROW(log_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, h2log(x)) \
    ROW(log2_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, h2log2(x)) \
    ROW(sqrt_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, h2sqrt(x)) \
    ROW(rsqrt_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, h2rsqrt(x)) \
    ROW(rcp_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, h2rcp(x)) \
    ROW(sin_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, h2sin(x)) \
    ROW(cos_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, h2cos(x)) \
    ROW(operators_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, x * y + z) \
    ROW(heq2_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, __heq2(x, y)) \
    ROW(low_float_b2, __nv_bfloat162, float, 0.5, 2, 0.5, 2, __low2float(x)) \
    ROW(swap_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, __lowhigh2highlow(x)) \
    ROW(sum_b2, __nv_bfloat162, float, 0.5, 2, 0.5, 2, __low2float(x) + __high2float(x)) \
    ROW(lows_b2, __nv_bfloat162, __nv_bfloat162, 0.5, 2, 0.5, 2, __lows2bfloat162(x, y)) \
    ROW(from_float_h, float, __half, 0.5, 2, 0.5, 2, __float2half_rn(x)) \
    ROW(from_floats_h2, float, __half2, 0.5, 2, 0.5, 2, __floats2half2_rn(x, y)) \
    ROW(from_float_b, float, __nv_bfloat16, 0.5, 2, 0.5, 2, __float2bfloat16(x)) \
    ROW(from_floats_b2, float, __nv_bfloat162, 0.5, 2, 0.5, 2, __floats2bfloat162_rn(x, y)) \
    ROW(from_int_h, int, __half, 0, 99, 0, 2, __int2half_rn(x))
// clang-format on
#include "functions.h"
