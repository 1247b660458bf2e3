/* Niederreiter's quasi-random sequence of three dimensions in base 2, then Moro's inverse of the normal
 * distribution. The generator multiplies the bits of an index by a matrix that lies in constant memory: 31
 * times test a bit, exclusive-or a column, unrolled, each row of a CTA (128 x 3 threads) another dimension.
 * Integer arithmetic and predicates on few registers; the second kernel branches on its value. */
#include "../workload.h"

#define BLOCK 128
#define DIMENSIONS 3
#define BITS 31

__constant__ unsigned table[DIMENSIONS][BITS];

__global__ void generate(float *__restrict__ out, int n)
{
    int stride = gridDim.x * BLOCK, row = threadIdx.y;
#pragma unroll 1
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += stride) {
        unsigned index = i, x = 0;
#pragma unroll
        for (int bit = 0; bit < BITS; bit++, index >>= 1)
            if (index & 1)
                x ^= table[row][bit];
        out[row * n + i] = (float)(x + 1) * 0x1p-31f;
    }
}

static __host__ __device__ float fast_log(float x)
{
#ifdef __CUDA_ARCH__
    return __logf(x);
#else
    return logf(x);
#endif
}

/* Moro's fit: a quotient of polynomials in the middle, a polynomial of log(-log p) in the tails. */
static __host__ __device__ float inverse_normal(float p)
{
    float y = p - 0.5f, z;
    if (fabsf(y) < 0.42f) {
        z = y * y;
        float over = ((-25.4410604963f * z + 41.3911977353f) * z - 18.6150006252f) * z + 2.50662823884f;
        float under =
            (((3.13082909833f * z - 21.0622410182f) * z + 23.0833674374f) * z - 8.4735109309f) * z + 1.0f;
        return y * over / under;
    }
    z = fast_log(-fast_log(y > 0.0f ? 1.0f - p : p));
    float tail = 0.0000002888167364f + z * 0.0000003960315187f;
    tail = 0.0003951896511919f + z * (0.0000321767881768f + z * tail);
    tail = 0.0276438810333863f + z * (0.0038405729373609f + z * tail);
    tail = 0.9761690190917186f + z * (0.1607979714918209f + z * tail);
    tail = 0.3374754822726147f + z * tail;
    return y > 0.0f ? tail : -tail;
}

__global__ void to_normal(float *__restrict__ out, const float *__restrict__ in, int n)
{
    int stride = gridDim.x * BLOCK;
#pragma unroll 1
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += stride)
        out[i] = inverse_normal(in[i]);
}

/* Row j of a dimension's matrix: the coefficients of 1/x, 1/x^2, ... in the expansion of x^u / p^(q+1),
 * where j = q degree(p) + u; p is x, x + 1, x^2 + x + 1. Column r is kept as one number, row 0 in bit 30.
 * */
static void make_table(unsigned t[DIMENSIONS][BITS])
{
    static const int polys[] = {2, 3, 7}, degrees[] = {1, 1, 2};
    memset(t, 0, sizeof(unsigned) * DIMENSIONS * BITS);
    for (int d = 0; d < DIMENSIONS; d++) {
        uint64_t power = 1;
        for (int j = 0; j < BITS; j++) {
            int u = j % degrees[d], degree = (j / degrees[d] + 1) * degrees[d];
            if (u == 0) {
                uint64_t product = 0;
                for (int b = 0; b <= degrees[d]; b++)
                    if ((polys[d] >> b) & 1)
                        product ^= power << b;
                power = product;
            }
            uint64_t rest = 1ull << u;
            for (int r = 0; r < BITS; r++) {
                rest <<= 1;
                if ((rest >> degree) & 1) {
                    rest ^= power;
                    t[d][r] |= 1u << (BITS - 1 - j);
                }
            }
        }
    }
}

int main(int argc, char **argv)
{
    static const int counts[] = {4096, 1 << 18, 1 << 20}, repeats[] = {1, 1, 4};
    int size = parse_size(argc, argv), n = counts[size], all = n * DIMENSIONS, ctas = size == SMALL ? 8 : 128;
    unsigned t[DIMENSIONS][BITS];
    make_table(t);
    CHECK(cudaMemcpyToSymbol(table, t, sizeof(t)));
    float *d_uniform = (float *)device_alloc(sizeof(float) * all);
    float *d_normal = (float *)device_alloc(sizeof(float) * all);
    float *uniform = (float *)host_alloc(sizeof(float) * all),
          *normal = (float *)host_alloc(sizeof(float) * all);
    float *want = (float *)host_alloc(sizeof(float) * all);
    for (int r = 0; r < repeats[size]; r++) {
        generate<<<ctas, dim3(BLOCK, DIMENSIONS)>>>(d_uniform, n);
        to_normal<<<ctas, BLOCK>>>(d_normal, d_uniform, all);
    }
    fetch(uniform, d_uniform, sizeof(float) * all);
    fetch(normal, d_normal, sizeof(float) * all);

    long wrong = 0;
    for (int d = 0; d < DIMENSIONS; d++)
        for (int i = 0; i < n; i++) {
            unsigned x = 0;
            for (int bit = 0; i >> bit; bit++)
                x ^= -((i >> bit) & 1) & t[d][bit];
            wrong += uniform[d * n + i] != (float)(x + 1) * 0x1p-31f;
            want[d * n + i] = inverse_normal(uniform[d * n + i]);
        }
    /* The first point has p = 2^-31; results reach 6, and the fast logarithm is off by 2^-21 or so, twice.
     * */
    wrong += count_off(normal, want, all, 1e-4f);
    CHECK(cudaFree(d_uniform));
    CHECK(cudaFree(d_normal));
    free(uniform), free(normal), free(want);
    return verdict("quasirandom", wrong);
}
// SPDX-License-Identifier: Apache-2.0
