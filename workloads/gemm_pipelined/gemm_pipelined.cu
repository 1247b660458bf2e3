/* C = A B in half precision on tensor cores, as Triton's compiler makes a matrix product: CTAs of 128 x 128 with 64 x 64 sums in each of
 * four warps, a pipeline of three stages between global and shared memory. The product itself is in ../pipeline.h. */
#include "../pipeline.h"

typedef product<128, 128, 32, 2, 2, 3> large_tiles;

/* 64 rows, spread over C. Products of sixteenths and their sums are exact in single precision, so that a result has one rounding. */
static long check(const float *a, const float *b, const __half *c, int m, int n, int k)
{
    long wrong = 0;
    float *sum = (float *)host_alloc(n * sizeof *sum);
    for (int i = 0; i < 64; i++) {
        int row = m / 64 * i + i % (m / 64);
        memset(sum, 0, n * sizeof *sum);
        for (int j = 0; j < k; j++)
            for (int col = 0; col < n; col++)
                sum[col] += a[(size_t)row * k + j] * b[(size_t)j * n + col];
        for (int col = 0; col < n; col++)
            wrong += __half2float(c[(size_t)row * n + col]) != __half2float(__float2half(sum[col]));
    }
    free(sum);
    return wrong;
}

int main(int argc, char **argv)
{
    static const int m_of[] = {256, 2048, 4096}, n_of[] = {256, 2048, 4096}, k_of[] = {256, 1024, 4096};
    int size = parse_size(argc, argv), m = m_of[size], n = n_of[size], k = k_of[size];
    size_t na = (size_t)m * k, nb = (size_t)k * n, nc = (size_t)m * n;
    float *a = (float *)host_alloc(na * sizeof *a), *b = (float *)host_alloc(nb * sizeof *b);
    __half *half_a = (__half *)host_alloc(na * 2), *half_b = (__half *)host_alloc(nb * 2),
           *c = (__half *)host_alloc(nc * 2);
    uint32_t seed = 20260;
    fill_sixteenths(half_a, a, na, &seed);
    fill_sixteenths(half_b, b, nb, &seed);
    __half *d_a = (__half *)device_copy(half_a, na * 2), *d_b = (__half *)device_copy(half_b, nb * 2);
    __half *d_c = (__half *)device_alloc(nc * 2);
    multiply<large_tiles, false>(d_a, d_b, NULL, d_c, m, n, k);
    fetch(c, d_c, nc * 2);

    long wrong = check(a, b, c, m, n, k);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    free(a), free(b), free(c), free(half_a), free(half_b);
    return verdict("gemm_pipelined", wrong);
}
