/* y = A x, A in CSR form: one thread per row, and one warp per row with a shuffle reduction. */
extern "C" __global__ void spmv_scalar(const int *start, const int *col, const float *val, const float *x,
                                       float *y, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    float sum = 0.0f;
    for (int i = start[r]; i < start[r + 1]; i++)
        sum += val[i] * x[col[i]];
    y[r] = sum;
}

extern "C" __global__ void spmv_vector(const int *__restrict__ start, const int *__restrict__ col,
                                       const float *__restrict__ val, const float *__restrict__ x, float *y,
                                       int rows)
{
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows)
        return;
    float sum = 0.0f;
    for (int i = start[r] + lane; i < start[r + 1]; i += 32)
        sum += val[i] * x[col[i]];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0)
        y[r] = sum;
}
// SPDX-License-Identifier: Apache-2.0
