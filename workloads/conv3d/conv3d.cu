/* A filter of 15 points over a volume: six neighbours of the plane before, three of the own, six of the plane
 * after along the fastest axis. One launch a slice, a thread an output point, every input from global memory:
 * many independent loads and long-lived addresses, and small grids one after another. */
#include "../workload.h"

#define BLOCK_X 32
#define BLOCK_Y 8

__global__ void convolve(const float *a, float *b, int nj, int nk, int i)
{
    int k = blockIdx.x * BLOCK_X + threadIdx.x;
    int j = blockIdx.y * BLOCK_Y + threadIdx.y;
    const float c11 = 2.0f, c12 = -3.0f, c13 = 4.0f;
    const float c21 = 5.0f, c22 = 6.0f, c23 = 7.0f;
    const float c31 = -8.0f, c32 = -9.0f, c33 = 10.0f;
    if (j < 1 || j >= nj - 1 || k < 1 || k >= nk - 1)
        return;
    int plane = nj * nk;
    const float *p = a + i * plane + j * nk + k;
    b[i * plane + j * nk + k] = c11 * p[-plane - nk - 1] + c13 * p[plane - nk - 1] + c21 * p[-plane - 1] +
                                c23 * p[plane - 1] + c31 * p[-plane + nk - 1] + c33 * p[plane + nk - 1] +
                                c12 * p[-nk] + c22 * p[0] + c32 * p[nk] + c11 * p[-plane - nk + 1] +
                                c13 * p[plane - nk + 1] + c21 * p[-plane + 1] + c23 * p[plane + 1] +
                                c31 * p[-plane + nk + 1] + c33 * p[plane + nk + 1];
}

static float reference(const float *p, int nk, int plane)
{
    static const float filter[3][3] = {{2, -3, 4}, {5, 6, 7}, {-8, -9, 10}};
    float sum = 0;
    for (int k = -1; k <= 1; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++)
                if ((i == 0) == (k == 0))
                    sum += filter[j + 1][i + 1] * p[i * plane + j * nk + k];
    return sum;
}

int main(int argc, char **argv)
{
    static const int planes[] = {16, 100, 320}, sides[] = {64, 160, 320};
    int size = parse_size(argc, argv), ni = planes[size], nj = sides[size], nk = sides[size], plane = nj * nk;
    size_t bytes = (size_t)ni * plane * sizeof(float);
    float *a = (float *)host_alloc(bytes), *b = (float *)host_alloc(bytes);
    uint32_t seed = 3;
    for (int i = 0; i < ni * plane; i++)
        a[i] = next_float(&seed);
    float *d_a = (float *)device_copy(a, bytes), *d_b = (float *)device_copy(b, bytes);
    dim3 block(BLOCK_X, BLOCK_Y), grid((nk + BLOCK_X - 1) / BLOCK_X, (nj + BLOCK_Y - 1) / BLOCK_Y);
    for (int i = 1; i < ni - 1; i++)
        convolve<<<grid, block>>>(d_a, d_b, nj, nk, i);
    fetch(b, d_b, bytes);

    /* Magnitudes add up to at most 90, each of 15 steps rounds by 2^-24 of that at most. */
    long wrong = 0;
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++)
            for (int k = 0; k < nk; k++) {
                int at = i * plane + j * nk + k;
                bool edge = i == 0 || j == 0 || k == 0 || i == ni - 1 || j == nj - 1 || k == nk - 1;
                float want = edge ? 0.0f : reference(a + at, nk, plane);
                wrong += !(fabsf(b[at] - want) <= 3e-4f);
            }
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    free(a), free(b);
    return verdict("conv3d", wrong);
}
// SPDX-License-Identifier: Apache-2.0
