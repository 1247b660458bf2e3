/* C = A B on tensor cores (mma.sync): A and B in half precision, C in single, with --sums half in half. Two shapes from DeepBench's
 * lists: train has 128 columns or more and CTAs of 128 x 64 with 64 x 32 in each warp, which takes 64
 * registers of sums; infer has a batch of 16 columns and CTAs of 64 x 16, where an element of A is used once.
 * train2048 and train1760 are two training shapes of Accel-Sim's list of applications (1760 rows are 1792 here),
 * in CTAs of eight warps and 128 x 128, as the library's kernels for tensor cores have them.
 * The product itself is in ../tensor.h. */
#include "../tensor.h"

template <int WM, int WN, int MT, int NT>
__global__ void __launch_bounds__(WM *WN * 32) gemm(const __half *a, const __half *b, float *c, int n, int k)
{
    __shared__ __align__(16) tile<WM, WN, MT, NT> s;
    float sum[MT][NT][4] = {};
    int row0 = blockIdx.y * s.m, col0 = blockIdx.x * s.n;
    matrix_rows<tile<WM, WN, MT, NT>> rows(a, row0, k);
    multiply_tile<WM, WN, MT, NT>(sum, &s, &rows, b, n, col0, k);

    int row = row0 + sum_row<WM, WN, MT, NT>(), col = col0 + sum_col<WM, WN, MT, NT>();
#pragma unroll
    for (int i = 0; i < MT; i++)
#pragma unroll
        for (int j = 0; j < NT; j++) {
            float *to = c + (size_t)(row + i * 16) * n + col + j * 8;
            *(float2 *)to = make_float2(sum[i][j][0], sum[i][j][1]);
            *(float2 *)(to + (size_t)8 * n) = make_float2(sum[i][j][2], sum[i][j][3]);
        }
}

/* Sums and C in half precision. */
template <int WM, int WN, int MT, int NT>
__global__ void __launch_bounds__(WM *WN * 32)
    gemm_half(const __half *a, const __half *b, __half *c, int n, int k)
{
    __shared__ __align__(16) tile<WM, WN, MT, NT> s;
    unsigned sum[MT][NT][2] = {};
    int row0 = blockIdx.y * s.m, col0 = blockIdx.x * s.n;
    matrix_rows<tile<WM, WN, MT, NT>> rows(a, row0, k);
    multiply_tile<WM, WN, MT, NT>(sum, &s, &rows, b, n, col0, k);

    int row = row0 + sum_row<WM, WN, MT, NT>(), col = col0 + sum_col<WM, WN, MT, NT>();
#pragma unroll
    for (int i = 0; i < 2 * MT; i++)
#pragma unroll
        for (int j = 0; j < NT; j++)
            *(unsigned *)(c + (size_t)(row + i * 8) * n + col + j * 8) = sum[i / 2][j][i % 2];
}

template <int WM, int WN, int MT, int NT>
static void launch_half(const __half *a, const __half *b, __half *c, int m, int n, int k)
{
    typedef tile<WM, WN, MT, NT> TILE;
    gemm_half<WM, WN, MT, NT><<<dim3(n / TILE::n, m / TILE::m), TILE::threads>>>(a, b, c, n, k);
}

template <int WM, int WN, int MT, int NT>
static void launch(const __half *a, const __half *b, float *c, int m, int n, int k)
{
    typedef tile<WM, WN, MT, NT> TILE;
    gemm<WM, WN, MT, NT><<<dim3(n / TILE::n, m / TILE::m), TILE::threads>>>(a, b, c, n, k);
}

/* 256 rows, spread over C, see every piece of a tile. */
static long check(const float *a, const float *b, const float *c, int m, int n, int k)
{
    long wrong = 0;
    float *sum = (float *)host_alloc(n * sizeof *sum);
    for (int i = 0; i < 256; i++) {
        int row = m / 256 * i + i % (m / 256);
        memset(sum, 0, n * sizeof *sum);
        for (int j = 0; j < k; j++)
            for (int col = 0; col < n; col++)
                sum[col] += a[(size_t)row * k + j] * b[(size_t)j * n + col];
        for (int col = 0; col < n; col++)
            wrong += c[(size_t)row * n + col] != sum[col];
    }
    free(sum);
    return wrong;
}

int main(int argc, char **argv)
{
    static const struct {
        int m, n, k, repeats;
    } sizes[4][3] = {{{256, 128, 256, 1}, {7680, 128, 2560, 1}, {7680, 1536, 2560, 1}},
                     {{512, 16, 512, 1}, {7680, 16, 2560, 1}, {10752, 16, 3584, 24}},
                     {{256, 128, 256, 1}, {2048, 128, 2048, 1}, {2048, 128, 2048, 8}},
                     {{256, 128, 352, 1}, {1792, 512, 1760, 1}, {1792, 512, 1760, 8}}};
    static const char *const shapes[] = {"train", "infer", "train2048", "train1760", NULL};
    static const char *const sums[] = {"single", "half", NULL};
    int shape = 0, half = 0;
    const struct choice options[] = {{"shape", shapes, &shape}, {"sums", sums, &half}};
    int size = parse_args(argc, argv, options, 2);
    int m = sizes[shape][size].m, n = sizes[shape][size].n, k = sizes[shape][size].k;
    size_t na = (size_t)m * k, nb = (size_t)k * n, nc = (size_t)m * n;

    float *a = (float *)host_alloc(na * sizeof *a), *b = (float *)host_alloc(nb * sizeof *b);
    float *c = (float *)host_alloc(nc * sizeof *c);
    __half *half_a = (__half *)host_alloc(na * sizeof *half_a),
           *half_b = (__half *)host_alloc(nb * sizeof *half_b);
    uint32_t seed = 1729;
    (half ? fill_signs : fill_sixteenths)(half_a, a, na, &seed);
    (half ? fill_signs : fill_sixteenths)(half_b, b, nb, &seed);
    __half *d_a = (__half *)device_copy(half_a, na * sizeof *half_a);
    __half *d_b = (__half *)device_copy(half_b, nb * sizeof *half_b);
    float *d_c = (float *)device_alloc(nc * sizeof *c);
    __half *half_c = (__half *)d_c; /* with sums in half precision */
    for (int i = 0; i < sizes[shape][size].repeats; i++) {
        if (half && shape == 0)
            launch_half<2, 2, 4, 4>(d_a, d_b, half_c, m, n, k);
        else if (half && shape == 1)
            launch_half<2, 1, 2, 2>(d_a, d_b, half_c, m, n, k);
        else if (half)
            launch_half<2, 4, 4, 4>(d_a, d_b, half_c, m, n, k);
        else if (shape == 0)
            launch<2, 2, 4, 4>(d_a, d_b, d_c, m, n, k);
        else if (shape == 1)
            launch<2, 1, 2, 2>(d_a, d_b, d_c, m, n, k);
        else
            launch<2, 4, 4, 4>(d_a, d_b, d_c, m, n, k);
    }
    if (half) {
        fetch_halves(c, half_c, nc);
    } else {
        fetch(c, d_c, nc * sizeof *c);
    }

    long wrong = check(a, b, c, m, n, k);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    free(a), free(b), free(c), free(half_a), free(half_b);
    return verdict("gemm_tc", wrong);
}
// SPDX-License-Identifier: Apache-2.0
