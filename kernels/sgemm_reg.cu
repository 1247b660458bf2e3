/* C = A B with 64 x 64 tiles in shared memory and 8 x 8 results per thread in registers.
 * Blocks of 8 x 8 threads; m and n are multiples of 64, k of 8. */
extern "C" __global__ void sgemm_reg(int n, int k, const float *a, const float *b, float *c)
{
    __shared__ float as[8][64], bs[8][64];
    int tid = threadIdx.y * 8 + threadIdx.x;
    int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
    float acc[8][8];
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++)
            acc[i][j] = 0.0f;
    for (int k0 = 0; k0 < k; k0 += 8) {
#pragma unroll
        for (int i = 0; i < 8; i++) {
            as[i][tid] = a[(row0 + tid) * k + k0 + i];
            bs[i][tid] = b[(k0 + i) * n + col0 + tid];
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < 8; p++) {
            float ra[8], rb[8];
#pragma unroll
            for (int i = 0; i < 8; i++) {
                ra[i] = as[p][threadIdx.y * 8 + i];
                rb[i] = bs[p][threadIdx.x * 8 + i];
            }
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++)
                    acc[i][j] += ra[i] * rb[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++)
            c[(row0 + threadIdx.y * 8 + i) * n + col0 + threadIdx.x * 8 + j] = acc[i][j];
}
// SPDX-License-Identifier: Apache-2.0
