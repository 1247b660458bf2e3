/* C = A B in single precision, one element of C a thread. A CTA of 16 x 16 threads stages one tile of A and
 * one of B in shared memory, and every thread reads a row and a column of them. Two shared loads for one
 * multiply-add: limited by shared memory and, where the caches are small, by the tiles that neighbouring
 * CTAs load again. */
#include "../workload.h"

#define TILE 16

__global__ void matrix_mul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                           int width_a, int width_b)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

#pragma unroll 1
    for (int k0 = 0; k0 < width_a; k0 += TILE) {
        as[ty][tx] = a[row * width_a + k0 + tx];
        bs[ty][tx] = b[(k0 + ty) * width_b + col];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[row * width_b + col] = sum;
}

static void multiply(const float *a, const float *b, float *c, int height, int width_a, int width_b)
{
    for (int i = 0; i < height; i++)
        for (int k = 0; k < width_a; k++)
            for (int j = 0; j < width_b; j++)
                c[(size_t)i * width_b + j] += a[(size_t)i * width_a + k] * b[(size_t)k * width_b + j];
}

int main(int argc, char **argv)
{
    static const int heights[] = {64, 320, 640}, widths_a[] = {64, 320, 640}, widths_b[] = {64, 320, 1280};
    int size = parse_size(argc, argv), h = heights[size], wa = widths_a[size], wb = widths_b[size];
    size_t bytes_a = sizeof(float) * h * wa, bytes_b = sizeof(float) * wa * wb,
           bytes_c = sizeof(float) * h * wb;
    float *a = (float *)host_alloc(bytes_a), *b = (float *)host_alloc(bytes_b);
    float *c = (float *)host_alloc(bytes_c), *want = (float *)host_alloc(bytes_c);
    uint32_t seed = 2020;
    for (int i = 0; i < h * wa; i++)
        a[i] = next_float(&seed);
    for (int i = 0; i < wa * wb; i++)
        b[i] = next_float(&seed);

    float *d_a = (float *)device_copy(a, bytes_a), *d_b = (float *)device_copy(b, bytes_b);
    float *d_c = (float *)device_alloc(bytes_c);
    matrix_mul<<<dim3(wb / TILE, h / TILE), dim3(TILE, TILE)>>>(d_a, d_b, d_c, wa, wb);
    fetch(c, d_c, bytes_c);

    multiply(a, b, want, h, wa, wb);
    /* Positive terms: each rounding adds at most 2^-24 of the sum, and there are at most 2 x 640 of them on
     * either side. */
    long wrong = count_off(c, want, (size_t)h * wb, 1e-4f);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    free(a), free(b), free(c), free(want);
    return verdict("matrixmul", wrong);
}
// SPDX-License-Identifier: Apache-2.0
