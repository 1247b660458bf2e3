/* Sobol' quasi-random numbers: n points of up to 128 dimensions, one row of CTAs (64 threads) a dimension.
 * A thread starts anywhere in the sequence by the Gray code of its index and goes on in strides of a power
 * of two, where only two bits of the Gray code change: two exclusive-ors a point. The 32 direction numbers
 * lie in shared memory; the rest is integer arithmetic on a handful of registers and one coalesced store.
 * */
#include "../workload.h"

#define BLOCK 64
#define CTAS_X 4 /* with BLOCK the stride: a power of two */
#define BITS 32

__global__ void sobol(float *out, const unsigned *__restrict__ directions, int n)
{
    __shared__ unsigned v[BITS];
    const unsigned *mine = directions + blockIdx.y * BITS;
    if (threadIdx.x < BITS)
        v[threadIdx.x] = mine[threadIdx.x];
    __syncthreads();

    unsigned first = blockIdx.x * BLOCK + threadIdx.x, stride = gridDim.x * BLOCK, row = blockIdx.y * n;
    unsigned gray = first ^ (first >> 1), x = 0;
#pragma unroll 1
    for (int k = 0; k < __ffs(stride) - 1; k++)
        x ^= -((gray >> k) & 1) & v[k];
    unsigned below = v[__ffs(stride) - 2];

#pragma unroll 1
    for (unsigned i = first, next; i < (unsigned)n; i = next) {
        out[row + i] = (float)x * 0x1p-32f;
        /* Adding the stride changes the Gray code right below it, and where the carry ends. */
        next = i + stride;
        x ^= below ^ v[31 - __clz(i ^ next)];
    }
}

/* x^k modulo a polynomial of this degree is 1 for the first time at k = 2^degree - 1. */
static int is_primitive(unsigned poly, int degree)
{
    unsigned r = 1, period = (1u << degree) - 1;
    for (unsigned k = 1; k <= period; k++) {
        r <<= 1;
        if (r >> degree)
            r ^= poly;
        if (r == 1)
            return k == period;
    }
    return 0;
}

/* Dimension 0 is van der Corput's; each other one has a primitive polynomial of its own, and starting
 * values that may be any odd numbers below 2^(k+1). */
static void make_directions(unsigned *v, int dimensions)
{
    uint32_t seed = 1967;
    unsigned poly = 2;
    int degree = 1;
    for (int k = 0; k < BITS; k++)
        v[k] = 1u << (31 - k);
    for (int d = 1; d < dimensions; d++) {
        do {
            poly++;
            degree = 31 - __builtin_clz(poly);
        } while (!is_primitive(poly, degree));
        unsigned *m = v + d * BITS;
        for (int k = 0; k < BITS; k++) {
            if (k < degree) {
                m[k] = ((next_random(&seed) & ((2u << k) - 1)) | 1) << (31 - k);
                continue;
            }
            m[k] = m[k - degree] ^ (m[k - degree] >> degree);
            for (int j = 1; j < degree; j++)
                if ((poly >> (degree - j)) & 1)
                    m[k] ^= m[k - j];
        }
    }
}

int main(int argc, char **argv)
{
    static const int dims[] = {16, 100, 128}, repeats[] = {1, 1, 6};
    int points[] = {2000, 100000, 250000};
    const struct choice options[] = {{"points", NULL, &points[DEFAULT]}};
    int size = parse_args(argc, argv, options, 1), n = points[size], dimensions = dims[size];
    unsigned *v = (unsigned *)host_alloc(sizeof(unsigned) * BITS * dimensions);
    size_t bytes = sizeof(float) * n * dimensions;
    float *got = (float *)host_alloc(bytes), *d_out = (float *)device_alloc(bytes);
    make_directions(v, dimensions);
    unsigned *d_v = (unsigned *)device_copy(v, sizeof(unsigned) * BITS * dimensions);
    for (int r = 0; r < repeats[size]; r++)
        sobol<<<dim3(CTAS_X, dimensions), BLOCK>>>(d_out, d_v, n);
    fetch(got, d_out, bytes);

    long wrong = 0;
    for (int d = 0; d < dimensions; d++) {
        unsigned x = 0;
        for (int i = 0; i < n; i++) {
            wrong += got[(size_t)d * n + i] != (float)x * 0x1p-32f;
            x ^= v[d * BITS + __builtin_ctz(~i)];
        }
    }
    CHECK(cudaFree(d_v));
    CHECK(cudaFree(d_out));
    free(v), free(got);
    return verdict("sobol", wrong);
}
// SPDX-License-Identifier: Apache-2.0
