/* 16-bit floats: paired half arithmetic, scalar half with conversions, and bfloat16. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void haxpy2(const __half2 *x, __half2 *y, float a, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n2)
        y[i] = __hfma2(__float2half2_rn(a), x[i], y[i]);
}

extern "C" __global__ void hclamp(const __half *x, __half *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __half v = __hmul(x[i], __float2half(0.5f));
    if (__hgt(v, __float2half(100.0f)))
        v = __float2half(100.0f);
    y[i] = __hsub(__hmax(v, __float2half(-100.0f)), __float2half(1.0f));
}

extern "C" __global__ void bfaxpy(const __nv_bfloat16 *x, const __nv_bfloat16 *y, __nv_bfloat16 *z,
                                  float *wide, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    z[i] = __hfma(x[i], __float2bfloat16(1.5f), y[i]);
    wide[i] = __bfloat162float(x[i]) * __bfloat162float(y[i]);
}
// SPDX-License-Identifier: Apache-2.0
