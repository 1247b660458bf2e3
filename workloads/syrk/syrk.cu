/* C = beta C + alpha A A^T: a thread an element of C. The lanes of a warp walk 32 different rows of A, one
 * line each (the lines are shared by the warps of a CTA and used again by later steps), the other operand is
 * a broadcast; the sum is kept in global memory. Bound by divergent loads. */
#include "../workload.h"

#define BLOCK_X 32
#define BLOCK_Y 8
#define ALPHA 1.25f
#define BETA 0.5f
#define WHOLE 1024 /* PolyBench has that many rows and columns */

/* A matrix of WIDTH rows and columns, of which a sum takes the first n; 0: of n. */
template <int WIDTH> __global__ void syrk(const float *a, float *c, int n)
{
    const int width = WIDTH ? WIDTH : n;
    int j = blockIdx.x * BLOCK_X + threadIdx.x;
    int i = blockIdx.y * BLOCK_Y + threadIdx.y;
    if (i >= width || j >= width)
        return;
    c[i * width + j] *= BETA;
#pragma unroll 4
    for (int k = 0; k < n; k++)
        c[i * width + j] += ALPHA * a[i * width + k] * a[j * width + k];
}

/* All terms are positive; a step rounds three times, so a sum of n is off by at most n * 2^-23 of itself. */
static long compare(const float *a, const float *from, const float *got, int n, int width,
                    int rows)
{
    long wrong = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < width; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += (double)a[i * width + k] * a[j * width + k];
            double want = (double)BETA * from[i * width + j] + ALPHA * sum;
            wrong += !(fabs(got[i * width + j] - want) <= n * 0x1p-23 * want);
        }
    return wrong;
}

int main(int argc, char **argv)
{
    static const int sizes[] = {64, 256, 704};
    int rows = 0, steps = 0; /* of PolyBench's: a part of it that can be waited for */
    const struct choice options[] = {{"rows", NULL, &rows}, {"steps", NULL, &steps}};
    int size = parse_args(argc, argv, options, 2), part = size == DEFAULT && steps && steps <= WHOLE;
    int width = part ? WHOLE : sizes[size], n = part ? steps : width;
    rows = part && rows && rows < width ? rows : width;
    size_t bytes = (size_t)width * width * sizeof(float);
    float *a = (float *)host_alloc(bytes), *c = (float *)host_alloc(bytes), *got = (float *)host_alloc(bytes);
    uint32_t seed = 10;
    for (int i = 0; i < width * width; i++) {
        a[i] = next_float(&seed);
        c[i] = next_float(&seed);
    }
    float *d_a = (float *)device_copy(a, bytes), *d_c = (float *)device_copy(c, bytes);
    dim3 block(BLOCK_X, BLOCK_Y), grid((width + BLOCK_X - 1) / BLOCK_X, (rows + BLOCK_Y - 1) / BLOCK_Y);
    (part ? syrk<WHOLE> : syrk<0>)<<<grid, block>>>(d_a, d_c, n);
    fetch(got, d_c, bytes);
    long wrong = compare(a, c, got, n, width, rows);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_c));
    free(a), free(c), free(got);
    return verdict("syrk", wrong);
}
// SPDX-License-Identifier: Apache-2.0
