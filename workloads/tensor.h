/* A tile of a matrix product on tensor cores, for gemm_tc, conv_tc and rnn_tc: A and B in half precision,
 * sums in single, or in half as DeepBench asks its libraries for.
 *
 * WM x WN warps of a CTA each make MT x NT pieces of 16 x 8. The CTA walks along K in steps of 32: global
 * memory to registers for the next step while the tensor cores work on this one, then registers to the other
 * half of a double buffer in shared memory, one barrier a step. Fragments come with ldmatrix. Most registers
 * hold sums and fragments; a sum is read again only after all other pieces had their turn, which makes reuse
 * distances long. */
#ifndef TENSOR_H
#define TENSOR_H

#include "workload.h"
#include <cuda_fp16.h>

#define STEP 32   /* along K */
#define CHUNK 8   /* halves in one access of 16 bytes */
#define SKEW 1    /* chunks added to rows in shared memory: eight rows then lie in different banks */
#define KPIECE 16 /* along K, of one tensor operation */

template <int WM, int WN, int MT, int NT> struct tile {
    static const int threads = WM * WN * 32, m = WM * MT * 16, n = WN * NT * 8;
    static const int a_chunks = m * (STEP / CHUNK), b_chunks = STEP * (n / CHUNK);
    static const int a_each = (a_chunks + threads - 1) / threads, b_each = (b_chunks + threads - 1) / threads;
    static const int a_half = m * (STEP / CHUNK + SKEW), b_half = STEP * (n / CHUNK + SKEW); /* chunks */
    uint4 a[2][m][STEP / CHUNK + SKEW];
    uint4 b[2][STEP][n / CHUNK + SKEW];
};

/* Addresses in shared memory are numbers of bytes here: what ldmatrix takes, and cheaper to add to than
 * pointers. */
__device__ __forceinline__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ __forceinline__ void load_fragment(unsigned f[4], unsigned address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(f[0]), "=r"(f[1]), "=r"(f[2]), "=r"(f[3])
                 : "r"(address)
                 : "memory");
}

__device__ __forceinline__ void load_transposed(unsigned f[4], unsigned address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(f[0]), "=r"(f[1]), "=r"(f[2]), "=r"(f[3])
                 : "r"(address)
                 : "memory");
}

/* The product of Turing's tensor cores: 16 x 8 sums, 8 deep. */
__device__ __forceinline__ void multiply_add_8(float sum[4], unsigned a0, unsigned a1, unsigned b)
{
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
        "{%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a0), "r"(a1), "r"(b));
}

/* 16 x 8 sums, 16 deep. */
__device__ __forceinline__ void multiply_add(float sum[4], const unsigned a[4], const unsigned b[2])
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    multiply_add_8(sum, a[0], a[1], b[0]);
    multiply_add_8(sum, a[2], a[3], b[1]);
#else
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/* The same with sums in half precision: sum[0] has the pair of a row, sum[1] that of the row eight below. */
__device__ __forceinline__ void multiply_add_8(unsigned sum[2], unsigned a0, unsigned a1, unsigned b)
{
    asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
        : "+r"(sum[0]), "+r"(sum[1])
        : "r"(a0), "r"(a1), "r"(b));
}

__device__ __forceinline__ void multiply_add(unsigned sum[2], const unsigned a[4], const unsigned b[2])
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    multiply_add_8(sum, a[0], a[1], b[0]);
    multiply_add_8(sum, a[2], a[3], b[1]);
#else
    asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
        : "+r"(sum[0]), "+r"(sum[1])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

__device__ __forceinline__ float2 sum_pair(const unsigned sum[2], int lower)
{
    return __half22float2(*(const __half2 *)&sum[lower]);
}

__device__ __forceinline__ unsigned pack_halves(float low, float high)
{
    __half2 h = __floats2half2_rn(low, high);
    return *(unsigned *)&h;
}

/* Where a thread's chunks of A's next step come from. This one is a matrix in rows; conv_tc has one that
 * reads an image. */
template <typename TILE> struct matrix_rows {
    const __half *next;
    int stride;

    __device__ __forceinline__ matrix_rows(const __half *a, int row0, int stride_)
    {
        int row = threadIdx.x / (STEP / CHUNK), col = threadIdx.x % (STEP / CHUNK) * CHUNK;
        next = a + (size_t)(row0 + row) * stride_ + col;
        stride = stride_;
    }
    __device__ __forceinline__ uint4 fetch(int i) const
    {
        return __ldg((const uint4 *)(next + i * (TILE::threads / (STEP / CHUNK)) * stride));
    }
    __device__ __forceinline__ void advance() { next += STEP; }
};

/* Of a tile's chunks, number i of this thread may be one too many. */
template <int THREADS, int CHUNKS> __device__ __forceinline__ bool has_chunk(int i)
{
    return (i + 1) * THREADS <= CHUNKS || i * THREADS + (int)threadIdx.x < CHUNKS;
}

/* The chunks that a thread has in flight from global to shared memory. */
template <typename TILE> struct flight {
    uint4 a[TILE::a_each], b[TILE::b_each];

    template <typename ROWS>
    __device__ __forceinline__ void fetch(ROWS *rows, const __half *b_next, int b_stride)
    {
#pragma unroll
        for (int i = 0; i < TILE::a_each; i++)
            if (has_chunk<TILE::threads, TILE::a_chunks>(i))
                a[i] = rows->fetch(i);
#pragma unroll
        for (int i = 0; i < TILE::b_each; i++)
            if (has_chunk<TILE::threads, TILE::b_chunks>(i))
                b[i] = __ldg((const uint4 *)(b_next + i * (TILE::threads / (TILE::n / CHUNK)) * b_stride));
        rows->advance();
    }

    __device__ __forceinline__ void put(TILE *s, int half) const
    {
        const int a_row = STEP / CHUNK, b_row = TILE::n / CHUNK; /* chunks */
        uint4 *to_a = &s->a[0][threadIdx.x / a_row][threadIdx.x % a_row] + half * TILE::a_half;
        uint4 *to_b = &s->b[0][threadIdx.x / b_row][threadIdx.x % b_row] + half * TILE::b_half;
#pragma unroll
        for (int i = 0; i < TILE::a_each; i++)
            if (has_chunk<TILE::threads, TILE::a_chunks>(i))
                to_a[i * (TILE::threads / a_row) * (a_row + SKEW)] = a[i];
#pragma unroll
        for (int i = 0; i < TILE::b_each; i++)
            if (has_chunk<TILE::threads, TILE::b_chunks>(i))
                to_b[i * (TILE::threads / b_row) * (b_row + SKEW)] = b[i];
    }
};

/* One step from shared memory; a and b are where this lane's first rows lie. */
template <int WM, int WN, int MT, int NT, typename SUM, int SUMS>
__device__ __forceinline__ void multiply_step(SUM (*sum)[NT][SUMS], unsigned a, unsigned b)
{
    const int a_row = (STEP / CHUNK + SKEW) * CHUNK * 2, b_row = (WN * NT + SKEW) * CHUNK * 2; /* bytes */
#pragma unroll
    for (int k = 0; k < STEP; k += KPIECE) {
        unsigned fa[MT][4], fb[NT / 2][4];
#pragma unroll
        for (int i = 0; i < MT; i++)
            load_fragment(fa[i], a + i * 16 * a_row + k * 2);
#pragma unroll
        for (int j = 0; j < NT / 2; j++)
            load_transposed(fb[j], b + k * b_row + j * 16 * 2);
#pragma unroll
        for (int i = 0; i < MT; i++)
#pragma unroll
            for (int j = 0; j < NT; j++)
                multiply_add(sum[i][j], fa[i], &fb[j / 2][j % 2 * 2]);
    }
}

/* sum += the CTA's rows of A times columns col0... of B; k is a multiple of 32, b_stride of 8. */
template <int WM, int WN, int MT, int NT, typename SUM, int SUMS, typename ROWS>
__device__ __forceinline__ void multiply_tile(SUM (*sum)[NT][SUMS], tile<WM, WN, MT, NT> *s, ROWS *rows,
                                              const __half *b, int b_stride, int col0, int k)
{
    typedef tile<WM, WN, MT, NT> TILE;
    const int per_row = TILE::n / CHUNK;
    const __half *b_next =
        b + (size_t)(threadIdx.x / per_row) * b_stride + col0 + threadIdx.x % per_row * CHUNK;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned a_at = (unsigned)__cvta_generic_to_shared(&s->a[0][warp / WN * MT * 16 + lane % 16][lane / 16]);
    unsigned b_at = (unsigned)__cvta_generic_to_shared(&s->b[0][lane % 16][warp % WN * NT + lane / 16]);
    flight<TILE> f;
    f.fetch(rows, b_next, b_stride);
    f.put(s, 0);
    __syncthreads();
    int a_move = TILE::a_half * CHUNK * 2, b_move = TILE::b_half * CHUNK * 2, half = 0;
#pragma unroll 1
    for (k -= STEP; k > 0; k -= STEP) {
        b_next += (size_t)STEP * b_stride;
        f.fetch(rows, b_next, b_stride);
        multiply_step<WM, WN, MT, NT>(sum, a_at, b_at);
        half ^= 1;
        f.put(s, half);
        a_at += a_move, a_move = -a_move;
        b_at += b_move, b_move = -b_move;
        __syncthreads();
    }
    multiply_step<WM, WN, MT, NT>(sum, a_at, b_at);
}

/* Where in the CTA's tile the first of a thread's pairs of sums lies: sum[i][j][0] and [1] are 16 i rows and
 * 8 j columns further, [2] and [3] eight rows below them. */
template <int WM, int WN, int MT, int NT> __device__ __forceinline__ int sum_row()
{
    return threadIdx.x / 32 / WN * MT * 16 + threadIdx.x % 32 / 4;
}

template <int WM, int WN, int MT, int NT> __device__ __forceinline__ int sum_col()
{
    return threadIdx.x / 32 % WN * NT * 8 + threadIdx.x % 4 * 2;
}

/* Multiples of 1/16 in [-1, 1]: products are multiples of 1/256, and sums of up to 65536 of them are exact in
 * single precision, so that a check may ask for equality. */
static inline void fill_sixteenths(__half *h, float *f, size_t n, uint32_t *seed)
{
    for (size_t i = 0; i < n; i++)
        h[i] = __float2half(f[i] = (float)((int)(next_random(seed) % 33) - 16) / 16.0f);
}

/* n halves of the device, as floats. */
static inline void fetch_halves(float *to, const __half *from, size_t n)
{
    __half *h = (__half *)host_alloc(n * sizeof *h);
    fetch(h, from, n * sizeof *h);
    for (size_t i = 0; i < n; i++)
        to[i] = __half2float(h[i]);
    free(h);
}

/* -1, 0 and 1: sums of up to 2048 in magnitude are exact in half precision, too. */
static inline void fill_signs(__half *h, float *f, size_t n, uint32_t *seed)
{
    for (size_t i = 0; i < n; i++)
        h[i] = __float2half(f[i] = (float)((int)(next_random(seed) % 3) - 1));
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
