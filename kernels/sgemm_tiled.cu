/* C = A B with 16 x 16 tiles in shared memory; m, n, k are multiples of 16. */
extern "C" __global__ void sgemm_tiled(int n, int k, const float *a, const float *b, float *c)
{
    __shared__ float as[16][16], bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float acc = 0.0f;
    for (int k0 = 0; k0 < k; k0 += 16) {
        as[ty][tx] = a[row * k + k0 + tx];
        bs[ty][tx] = b[(k0 + ty) * n + col];
        __syncthreads();
        for (int i = 0; i < 16; i++)
            acc += as[ty][i] * bs[i][tx];
        __syncthreads();
    }
    c[row * n + col] = acc;
}
// SPDX-License-Identifier: Apache-2.0
