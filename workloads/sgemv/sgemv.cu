/* y = A x in single precision, A by columns, one row a thread. The CTA (128 threads) stages 128 elements of
 * x in shared memory and every thread walks along its row, coalesced with its neighbours. One multiply-add
 * for four bytes that are never used again: limited by memory bandwidth, few registers. */
#include "../workload.h"

#define BLOCK 128

__global__ void sgemv(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y,
                      int rows, int cols)
{
    __shared__ float xs[BLOCK];
    int row = blockIdx.x * BLOCK + threadIdx.x;
    const float *mine = a + row;
    float sum = 0.0f;
#pragma unroll 1
    for (int col = 0; col < cols; col += BLOCK) {
        xs[threadIdx.x] = x[col + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < BLOCK; k++, mine += rows)
            sum += *mine * xs[k];
        __syncthreads();
    }
    y[row] = sum;
}

int main(int argc, char **argv)
{
    static const int heights[] = {1024, 12800, 12800}, widths[] = {256, 1536, 2048}, repeats[] = {1, 1, 20};
    int size = parse_size(argc, argv), rows = heights[size], cols = widths[size];
    size_t bytes = sizeof(float) * rows * cols;
    float *a = (float *)host_alloc(bytes), *x = (float *)host_alloc(sizeof(float) * cols);
    float *got = (float *)host_alloc(sizeof(float) * rows), *want = (float *)host_alloc(sizeof(float) * rows);
    uint32_t seed = 31;
    for (size_t i = 0; i < (size_t)rows * cols; i++)
        a[i] = next_float(&seed);
    for (int i = 0; i < cols; i++)
        x[i] = next_float(&seed);
    float *d_a = (float *)device_copy(a, bytes), *d_x = (float *)device_copy(x, sizeof(float) * cols);
    float *d_y = (float *)device_alloc(sizeof(float) * rows);
    for (int r = 0; r < repeats[size]; r++)
        sgemv<<<rows / BLOCK, BLOCK>>>(d_a, d_x, d_y, rows, cols);
    fetch(got, d_y, sizeof(float) * rows);

    for (int k = 0; k < cols; k++)
        for (int i = 0; i < rows; i++)
            want[i] += a[(size_t)k * rows + i] * x[k];
    /* Positive terms, at most 2 x 2048 roundings of 2^-24 of the sum on either side. */
    long wrong = count_off(got, want, rows, 5e-4f);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free(a), free(x), free(got), free(want);
    return verdict("sgemv", wrong);
}
// SPDX-License-Identifier: Apache-2.0
