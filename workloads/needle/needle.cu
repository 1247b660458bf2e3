/* Needleman-Wunsch: the score matrix of a global alignment of two sequences. A launch computes one
 * anti-diagonal of square blocks, one CTA each, a thread for each column; inside the block the CTA sweeps
 * the anti-diagonals again, with a barrier each. The block (--block 16, 32 or 64) and its scores stand in
 * shared memory, about 8 bytes times the square of the block's side for as many threads as the side: few
 * registers, lanes half idle, and shared memory decides how many warps fit. */
#include "../workload.h"

#define PENALTY 10
#define SYMBOLS 24

template <int BLOCK>
__device__ void relax(int (*score)[BLOCK + 1], const int (*similarity)[BLOCK], int x, int y)
{
    int match = score[y - 1][x - 1] + similarity[y - 1][x - 1];
    score[y][x] = max(match, max(score[y][x - 1] - PENALTY, score[y - 1][x] - PENALTY));
}

/* The blocks of anti-diagonal `diagonal`, from block column `first` on, of a matrix of rows of n + 1. */
template <int BLOCK>
__global__ void sweep(int *__restrict__ matrix, const int *__restrict__ reference, int n, int diagonal,
                      int first)
{
    __shared__ int score[BLOCK + 1][BLOCK + 1], similarity[BLOCK][BLOCK];
    int x = threadIdx.x, pitch = n + 1, col = first + blockIdx.x, row = diagonal - col;
    int *corner = matrix + (size_t)row * BLOCK * pitch + col * BLOCK;
    const int *from = reference + (size_t)(row * BLOCK + 1) * pitch + col * BLOCK + 1;
    if (x == 0)
        score[0][0] = corner[0];
#pragma unroll 4
    for (int y = 0; y < BLOCK; y++)
        similarity[y][x] = from[y * pitch + x];
    score[x + 1][0] = corner[(x + 1) * pitch];
    score[0][x + 1] = corner[x + 1];
    __syncthreads();
#pragma unroll 1
    for (int d = 0; d < BLOCK; d++) {
        if (x <= d)
            relax<BLOCK>(score, similarity, x + 1, d - x + 1);
        __syncthreads();
    }
#pragma unroll 1
    for (int d = BLOCK - 2; d >= 0; d--) {
        if (x <= d)
            relax<BLOCK>(score, similarity, x + BLOCK - d, BLOCK - x);
        __syncthreads();
    }
#pragma unroll 4
    for (int y = 0; y < BLOCK; y++)
        corner[(y + 1) * pitch + x + 1] = score[y + 1][x + 1];
}

template <int BLOCK> static void align(int *d_matrix, const int *d_reference, int n)
{
    int blocks = n / BLOCK;
    for (int d = 0; d < 2 * blocks - 1; d++) {
        int first = d < blocks ? 0 : d - blocks + 1, count = d < blocks ? d + 1 : 2 * blocks - 1 - d;
        sweep<BLOCK><<<count, BLOCK>>>(d_matrix, d_reference, n, d, first);
    }
}

/* Symmetric, matches on the diagonal, between -4 and 11 as in the substitution matrices of proteins. */
static void make_substitution(int s[SYMBOLS][SYMBOLS], uint32_t *seed)
{
    for (int i = 0; i < SYMBOLS; i++)
        for (int j = 0; j <= i; j++)
            s[i][j] = s[j][i] = i == j ? 4 + (int)(next_random(seed) % 8) : -4 + (int)(next_random(seed) % 7);
}

static long check(const int *got, const unsigned char *a, const unsigned char *b, int n,
                  int (*substitution)[SYMBOLS])
{
    int *above = (int *)host_alloc((n + 1) * sizeof *above), *row = (int *)host_alloc((n + 1) * sizeof *row);
    long wrong = 0;
    for (int j = 0; j <= n; j++)
        above[j] = -PENALTY * j;
    for (int i = 1; i <= n; i++) {
        row[0] = -PENALTY * i;
        for (int j = 1; j <= n; j++) {
            int best = above[j - 1] + substitution[a[i]][b[j]];
            int gap = (above[j] > row[j - 1] ? above[j] : row[j - 1]) - PENALTY;
            row[j] = best > gap ? best : gap;
            wrong += got[(size_t)i * (n + 1) + j] != row[j];
        }
        int *t = above;
        above = row, row = t;
    }
    free(above), free(row);
    return wrong;
}

int main(int argc, char **argv)
{
    static const int sizes[] = {192, 2048, 6144};
    static const char *const blocks[] = {"16", "32", "64", NULL};
    int block = 1;
    const struct choice options[] = {{"block", blocks, &block}};
    int n = sizes[parse_args(argc, argv, options, 1)];
    size_t bytes = (size_t)(n + 1) * (n + 1) * sizeof(int);
    unsigned char *a = (unsigned char *)host_alloc(n + 1), *b = (unsigned char *)host_alloc(n + 1);
    int substitution[SYMBOLS][SYMBOLS];
    uint32_t seed = 7;
    make_substitution(substitution, &seed);
    for (int i = 1; i <= n; i++) {
        a[i] = (unsigned char)(next_random(&seed) % SYMBOLS);
        b[i] = next_random(&seed) % 4 ? a[i] : (unsigned char)(next_random(&seed) % SYMBOLS);
    }

    /* One buffer serves both copies to the device: the large size has to stay below a gigabyte. */
    int *matrix = (int *)host_alloc(bytes);
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            matrix[(size_t)i * (n + 1) + j] = substitution[a[i]][b[j]];
    int *d_reference = (int *)device_copy(matrix, bytes);
    memset(matrix, 0, bytes);
    for (int i = 0; i <= n; i++)
        matrix[i] = matrix[(size_t)i * (n + 1)] = -PENALTY * i;
    int *d_matrix = (int *)device_copy(matrix, bytes);
    if (block == 0)
        align<16>(d_matrix, d_reference, n);
    else if (block == 1)
        align<32>(d_matrix, d_reference, n);
    else
        align<64>(d_matrix, d_reference, n);
    fetch(matrix, d_matrix, bytes);

    long wrong = check(matrix, a, b, n, substitution);
    CHECK(cudaFree(d_matrix));
    CHECK(cudaFree(d_reference));
    free(matrix), free(a), free(b);
    return verdict("needle", wrong);
}
// SPDX-License-Identifier: Apache-2.0
