/* C = alpha A B + beta C in double precision, all by columns. A CTA of 16 x 16 threads makes 64 x 64
 * elements of C, each thread 4 x 4 of them in registers (32 registers), from tiles of A (16 x 65) and B (64
 * x 17) in shared memory, 17 KB. With eight operands in flight some 60 registers are needed: below that the
 * sums themselves are spilled in the inner loop. */
#include "../workload.h"

#define TILE 64
#define STEP 16
#define SIDE 16
#define EACH (TILE / SIDE)

__global__ void __launch_bounds__(SIDE *SIDE)
    dgemm(const double *__restrict__ a, const double *__restrict__ b, double *c, int m, int k_all,
          double alpha, double beta)
{
    __shared__ double as[STEP][TILE + 1], bs[TILE][STEP + 1];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * SIDE + tx;
    int row0 = blockIdx.x * TILE, col0 = blockIdx.y * TILE;
    const double *from_a = a + (row0 + t % TILE + t / TILE * m), *from_b = b + (tx + (col0 + ty) * k_all);
    double sum[EACH][EACH];
#pragma unroll
    for (int j = 0; j < EACH; j++)
#pragma unroll
        for (int i = 0; i < EACH; i++)
            sum[j][i] = 0.0;

#pragma unroll 1
    for (int k0 = 0; k0 < k_all; k0 += STEP) {
        const double *column = from_b;
        double next_a[EACH], next_b[EACH];
#pragma unroll
        for (int i = 0; i < EACH; i++, from_a += EACH * m, column += SIDE * k_all) {
            next_a[i] = *from_a;
            next_b[i] = *column;
        }
        from_b += STEP;
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            as[t / TILE + i * EACH][t % TILE] = next_a[i];
            bs[ty + i * SIDE][tx] = next_b[i];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < STEP; k++) {
            double ra[EACH], rb[EACH];
#pragma unroll
            for (int i = 0; i < EACH; i++) {
                ra[i] = as[k][tx + i * SIDE];
                rb[i] = bs[ty + i * SIDE][k];
            }
#pragma unroll
            for (int j = 0; j < EACH; j++)
#pragma unroll
                for (int i = 0; i < EACH; i++)
                    sum[j][i] += ra[i] * rb[j];
        }
        __syncthreads();
    }

    double *to = c + (row0 + tx + (col0 + ty) * m);
#pragma unroll
    for (int j = 0; j < EACH; j++)
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            double *one = to + (i * SIDE + j * SIDE * m);
            *one = alpha * sum[j][i] + beta * *one;
        }
}

static double *random_matrix(size_t n, uint32_t *seed)
{
    double *a = (double *)host_alloc(sizeof(double) * n);
    for (size_t i = 0; i < n; i++)
        a[i] = next_float(seed) - 0.5f;
    return a;
}

static void cpu_dgemm(const double *a, const double *b, double *c, int m, int n, int k_all, double alpha,
                      double beta)
{
    for (int j = 0; j < n; j++) {
        double *to = c + (size_t)j * m;
        for (int i = 0; i < m; i++)
            to[i] *= beta;
        for (int k = 0; k < k_all; k++) {
            double f = alpha * b[(size_t)j * k_all + k];
            for (int i = 0; i < m; i++)
                to[i] += a[(size_t)k * m + i] * f;
        }
    }
}

int main(int argc, char **argv)
{
    static const int ms[] = {128, 640, 1280}, ns[] = {128, 640, 1280}, ks[] = {64, 256, 1024};
    int size = parse_size(argc, argv), m = ms[size], n = ns[size], k = ks[size];
    const double alpha = 1.5, beta = -0.5;
    uint32_t seed = 64;
    double *a = random_matrix((size_t)m * k, &seed), *b = random_matrix((size_t)k * n, &seed);
    double *want = random_matrix((size_t)m * n, &seed), *got = (double *)host_alloc(sizeof(double) * m * n);
    double *d_a = (double *)device_copy(a, sizeof(double) * m * k),
           *d_b = (double *)device_copy(b, sizeof(double) * k * n);
    double *d_c = (double *)device_copy(want, sizeof(double) * m * n);
    dgemm<<<dim3(m / TILE, n / TILE), dim3(SIDE, SIDE)>>>(d_a, d_b, d_c, m, k, alpha, beta);
    fetch(got, d_c, sizeof(double) * m * n);

    cpu_dgemm(a, b, want, m, n, k, alpha, beta);
    /* Sums of up to 1024 terms below 0.4: a thousand roundings of 2^-53 of at most 400. */
    long wrong = 0;
    for (int i = 0; i < m * n; i++)
        wrong += !(fabs(got[i] - want[i]) <= 1e-10);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    free(a), free(b), free(want), free(got);
    return verdict("dgemm", wrong);
}
// SPDX-License-Identifier: Apache-2.0
