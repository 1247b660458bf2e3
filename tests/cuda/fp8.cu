/* <cuda_fp8.h>: every code to float and back, values between codes and beyond the largest, on the device and on the host. */
#include "check.h"
#include <cuda_fp8.h>

struct answer {
    float from[2][256];          /* numbers of all codes */
    unsigned char to[2][2][512]; /* by format, saturation: codes of numbers around the codes of 0 ... 255 */
    unsigned pair[2][256];       /* through vectors of two and four */
};

/* Just above or below the middle of code i and the next: the nearest one is known. */
static __host__ __device__ float between(float a, float b, bool above)
{
    float middle = (a + b) / 2, step = (b - a) / 64;
    return above ? middle + step : middle - step;
}

static __host__ __device__ float value(int format, int i)
{
    return format ? (float)*(const __nv_fp8_e5m2 *)&i : (float)*(const __nv_fp8_e4m3 *)&i;
}

static __host__ __device__ void fill(struct answer *a, int i)
{
    for (int f = 0; f < 2; f++) {
        __nv_fp8_interpretation_t kind = f ? __NV_E5M2 : __NV_E4M3;
        float x = value(f, i), y = value(f, (i & 0x7f) == 0x7f ? i : i + 1);
        a->from[f][i] = x;
        for (int sat = 0; sat < 2; sat++) {
            __nv_saturation_t how = sat ? __NV_SATFINITE : __NV_NOSAT;
            a->to[f][sat][i] = __nv_cvt_float_to_fp8(x, how, kind);
            a->to[f][sat][256 + i] = __nv_cvt_float_to_fp8(between(x, y, i & 1), how, kind);
        }
        if (f) {
            __nv_fp8x4_e5m2 v(make_float4(x, 1.0f, -x, 1e6f));
            a->pair[f][i] = v.__x ^ __nv_fp8x2_e5m2(__floats2half2_rn(x, 0.5f)).__x;
        } else {
            __nv_fp8x4_e4m3 v(make_float4(x, 1.0f, -x, 1e6f));
            a->pair[f][i] = v.__x ^ __nv_fp8x2_e4m3(__floats2half2_rn(x, 0.5f)).__x;
        }
    }
}

__global__ void convert(struct answer *a) { fill(a, threadIdx.x); }

static bool same(float a, float b) { return a == b || (a != a && b != b); }

int main()
{
    struct answer *device, got, host;
    OK(cudaMalloc(&device, sizeof *device));
    convert<<<1, 256>>>(device);
    RAN();
    OK(cudaMemcpy(&got, device, sizeof got, cudaMemcpyDeviceToHost));
    OK(cudaFree(device));
    for (int i = 0; i < 256; i++)
        fill(&host, i);
    for (int f = 0; f < 2; f++) {
        int finite = f ? 0x7b : 0x7e;
        for (int i = 0; i < 256; i++) {
            int m = i & 0x7f;
            CHECK(same(got.from[f][i], host.from[f][i]));
            CHECK(got.pair[f][i] == host.pair[f][i]);
            for (int sat = 0; sat < 2; sat++) {
                CHECK(got.to[f][sat][i] == host.to[f][sat][i]);
                CHECK(got.to[f][sat][256 + i] == host.to[f][sat][256 + i]);
                if (m <= finite)
                    CHECK(got.to[f][sat][i] == i);
                if (m < finite)
                    CHECK(got.to[f][sat][256 + i] == i + (i & 1));
            }
        }
        CHECK(got.to[f][1][0x7f] == 0x7f);
    }
    CHECK(host.from[0][0x7e] == 448.0f && host.from[1][0x7b] == 57344.0f && host.from[0][1] == 0x1p-9f);
    CHECK(host.to[1][0][0x7c] == 0x7c && host.to[1][1][0x7c] == 0x7b);
    CHECK(__nv_cvt_float_to_fp8(464.0f, __NV_NOSAT, __NV_E4M3) == 0x7e);
    CHECK(__nv_cvt_float_to_fp8(465.0f, __NV_NOSAT, __NV_E4M3) == 0x7f);
    std::printf("PASS\n");
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
