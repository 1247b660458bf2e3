/* Attention on tensor cores after FlashAttention 2: O = softmax(Q K' / sqrt(64)) V for a CTA's 64 queries, 16 in each of four warps.
 * Blocks of 64 keys and values come by asynchronous copies one block ahead. Scores stay in registers: the sums of one tensor operation
 * are, rounded to halves, the A fragments of the next. Heads of K and V may serve several heads of Q. */
#ifndef FLASH_H
#define FLASH_H

#include "attend.h"
#include "pipeline.h"

#define QUERIES 64
#define KEYS 64
#define WARPS 4
#define ROW (DIM / CHUNK)          /* chunks */
#define BLOCK_B (KEYS * DIM * 2)   /* bytes of a block of keys or values */

/* Scores of the warp's 16 queries and a block of keys. */
__device__ __forceinline__ void score(float s[KEYS / 8][4], const unsigned q[DIM / KPIECE][4], unsigned keys)
{
    int lane = threadIdx.x % 32, row = lane / 16 * 8 + lane % 8;
#pragma unroll
    for (int d = 0; d < DIM / KPIECE; d++)
#pragma unroll
        for (int j = 0; j < KEYS / 16; j++) {
            unsigned f[4];
            load_fragment(f, keys + swizzled<ROW>(j * 16 + row, d * 2 + lane / 8 % 2) * 16);
            multiply_add(s[2 * j], q[d], f);
            multiply_add(s[2 * j + 1], q[d], f + 2);
        }
}

/* Row i of the thread's two (8 apart): what came before is scaled to the new maximum. s becomes weights. */
__device__ __forceinline__ void soften(float s[KEYS / 8][4], float o[DIM / 8][4], float *top, float *total, int i,
                                       float scale)
{
    float now = *top;
#pragma unroll
    for (int j = 0; j < KEYS / 8; j++)
        now = fmaxf(now, fmaxf(s[j][2 * i], s[j][2 * i + 1]));
    now = quad_max(now);
    float shrink = power_of_two((*top - now) * scale), less = now * scale, sum = 0.0f;
#pragma unroll
    for (int j = 0; j < KEYS / 8; j++) {
        sum += s[j][2 * i] = power_of_two(fmaf(s[j][2 * i], scale, -less));
        sum += s[j][2 * i + 1] = power_of_two(fmaf(s[j][2 * i + 1], scale, -less));
    }
#pragma unroll
    for (int j = 0; j < DIM / 8; j++) {
        o[j][2 * i] *= shrink;
        o[j][2 * i + 1] *= shrink;
    }
    *total = *total * shrink + sum;
    *top = now;
}

__device__ __forceinline__ void add_values(float o[DIM / 8][4], const float s[KEYS / 8][4], unsigned values)
{
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k < KEYS / KPIECE; k++) {
        unsigned p[4] = {pack_halves(s[2 * k][0], s[2 * k][1]), pack_halves(s[2 * k][2], s[2 * k][3]),
                         pack_halves(s[2 * k + 1][0], s[2 * k + 1][1]),
                         pack_halves(s[2 * k + 1][2], s[2 * k + 1][3])};
#pragma unroll
        for (int j = 0; j < DIM / 16; j++) {
            unsigned f[4];
            load_transposed(f, values + swizzled<ROW>(k * KPIECE + lane % 16, j * 2 + lane / 16) * 16);
            multiply_add(o[2 * j], p, f);
            multiply_add(o[2 * j + 1], p, f + 2);
        }
    }
}

/* Keys after a query do not count for it; only the last block has such. */
__device__ __forceinline__ void mask_later(float s[KEYS / 8][4])
{
    int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, col = threadIdx.x % 4 * 2;
#pragma unroll
    for (int j = 0; j < KEYS / 8; j++)
#pragma unroll
        for (int e = 0; e < 4; e++)
            if (j * 8 + col + e % 2 > row + e / 2 * 8)
                s[j][e] = -INFINITY;
}

/* q, k, v and o: tokens in rows of so many halves, heads side by side; the grid is blocks of queries, heads of q, sequences. `share`
 * heads of q have one of k and v. scale: 1 / sqrt(DIM), times log2(e). */
template <bool CAUSAL>
__global__ void __launch_bounds__(WARPS * 32)
    attention_mma(const __half *q, const __half *k, const __half *v, __half *o, int length, int q_row, int kv_row,
                  int o_row, int share, float scale)
{
    __shared__ __align__(128) unsigned char shared[QUERIES * DIM * 2 + 4 * BLOCK_B];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    /* The longest rows of a triangle first. */
    int block = CAUSAL ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
    size_t token = (size_t)blockIdx.z * length, query = token + block * QUERIES;
    q += query * q_row + blockIdx.y * DIM;
    k += token * kv_row + blockIdx.y / share * DIM;
    v += token * kv_row + blockIdx.y / share * DIM;
    o += query * o_row + blockIdx.y * DIM;
    unsigned queries = shared_address(shared), keys = queries + QUERIES * DIM * 2, values = keys + 2 * BLOCK_B;

    copy_tile<QUERIES, ROW, WARPS * 32>(queries, q, q_row);
    copy_tile<KEYS, ROW, WARPS * 32>(keys, k, kv_row);
    copy_tile<KEYS, ROW, WARPS * 32>(values, v, kv_row);
    commit_copies();

    unsigned fq[DIM / KPIECE][4];
    float sum[DIM / 8][4] = {}, top[2] = {-INFINITY, -INFINITY}, total[2] = {};
    int blocks = CAUSAL ? block + 1 : length / KEYS;
#pragma unroll 1
    for (int b = 0; b < blocks; b++) {
        int half = b % 2 * BLOCK_B;
        wait_copies<0>();
        __syncthreads();
        if (b + 1 < blocks) {
            k += (size_t)KEYS * kv_row;
            v += (size_t)KEYS * kv_row;
            copy_tile<KEYS, ROW, WARPS * 32>(keys + (BLOCK_B - half), k, kv_row);
            copy_tile<KEYS, ROW, WARPS * 32>(values + (BLOCK_B - half), v, kv_row);
            commit_copies();
        }
        if (b == 0)
#pragma unroll
            for (int d = 0; d < DIM / KPIECE; d++)
                load_fragment(fq[d],
                              queries + swizzled<ROW>(warp * 16 + lane % 16, d * 2 + lane / 16) * 16);
        float s[KEYS / 8][4] = {};
        score(s, fq, keys + half);
        if (CAUSAL && b + 1 == blocks)
            mask_later(s);
        soften(s, sum, &top[0], &total[0], 0, scale);
        soften(s, sum, &top[1], &total[1], 1, scale);
        add_values(sum, s, values + half);
    }

    /* Each warp has read its queries: their place is free. */
    float over[2] = {__fdividef(1.0f, quad_sum(total[0])), __fdividef(1.0f, quad_sum(total[1]))};
    __syncwarp();
#pragma unroll
    for (int j = 0; j < DIM / 8; j++)
#pragma unroll
        for (int i = 0; i < 2; i++) {
            int at = swizzled<ROW>(warp * 16 + i * 8 + lane / 4, j) * 16 + lane % 4 * 4;
            *(unsigned *)(shared + at) = pack_halves(sum[j][2 * i] * over[i], sum[j][2 * i + 1] * over[i]);
        }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 16 * ROW / 32; i++) {
        int row = warp * 16 + i * (32 / ROW) + lane / ROW, chunk = lane % ROW;
        *(uint4 *)(o + (size_t)row * o_row + chunk * CHUNK) =
            ((const uint4 *)shared)[swizzled<ROW>(row, chunk)];
    }
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
