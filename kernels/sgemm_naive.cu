/* C = alpha A B + beta C, one thread per element, all operands from global memory. */
extern "C" __global__ void sgemm_naive(int m, int n, int k, float alpha, const float *a, const float *b,
                                       float beta, float *c)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float acc = 0.0f;
    for (int i = 0; i < k; i++)
        acc += a[row * k + i] * b[i * n + col];
    c[row * n + col] = alpha * acc + beta * c[row * n + col];
}
// SPDX-License-Identifier: Apache-2.0
