/* C = A B with 4 x 4 results in each thread's registers: 16 multiply-adds for 8 loads from shared memory. Operands decide. */
#define TILE 64
#define DEEP 8

extern "C" __global__ void blocked(int n, const float *a, const float *b, float *c)
{
    __shared__ float as[DEEP][TILE + 4], bs[DEEP][TILE];
    int t = threadIdx.x, tx = t % 16, ty = t / 16;
    int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    float sum[4][4] = {};
    for (int k = 0; k < n; k += DEEP) {
        for (int i = t; i < TILE * DEEP; i += 256) {
            as[i % DEEP][i / DEEP] = a[(row0 + i / DEEP) * n + k + i % DEEP];
            bs[i / TILE][i % TILE] = b[(k + i / TILE) * n + col0 + i % TILE];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEEP; i++) {
            float x[4], y[4];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                x[j] = as[i][ty * 4 + j];
                y[j] = bs[i][tx * 4 + j];
            }
#pragma unroll
            for (int j = 0; j < 4; j++)
#pragma unroll
                for (int l = 0; l < 4; l++)
                    sum[j][l] += x[j] * y[l];
        }
        __syncthreads();
    }
    for (int j = 0; j < 4; j++)
        for (int l = 0; l < 4; l++)
            c[(row0 + ty * 4 + j) * n + col0 + tx * 4 + l] = sum[j][l];
}
// SPDX-License-Identifier: Apache-2.0
