/* Attention of one head, after FlashAttention: a warp holds 16 queries of 64 halves and goes through the keys and values 16 at a
 * time. Scores and results are products on tensor cores (mma.m16n8k16); the softmax is made on the way. */
#include <cuda_fp16.h>

#define DIM 64
#define KEYS 16

__device__ void mma(float *d, const unsigned *a, unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ unsigned pack(float low, float high)
{
    unsigned r;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
    return r;
}

__device__ float power2(float v)
{
    float r;
    asm("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(v));
    return r;
}

/* Over the four lanes that hold a row. */
__device__ float row_max(float v)
{
    v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, 1));
    return fmaxf(v, __shfl_xor_sync(0xffffffff, v, 2));
}
__device__ float row_sum(float v)
{
    v += __shfl_xor_sync(0xffffffff, v, 1);
    return v + __shfl_xor_sync(0xffffffff, v, 2);
}

extern "C" __global__ void attention(int length, float scale, const __half *q, const __half *k, const __half *v, float *o)
{
    __shared__ __align__(16) __half vs[KEYS][DIM + 8];
    int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4 * 2;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 16;
    unsigned fq[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            fq[i][j] = *(const unsigned *)&q[(row + g + j % 2 * 8) * DIM + i * 16 + t + j / 2 * 8];
    float sum[8][4] = {}, most[2] = {-1e30f, -1e30f}, total[2] = {};
    for (int key = 0; key < length; key += KEYS) {
        __syncthreads();
        for (int i = threadIdx.x; i < KEYS * DIM / 8; i += blockDim.x)
            *(uint4 *)&vs[i / 8][i % 8 * 8] = *(const uint4 *)&v[(key + i / 8) * DIM + i % 8 * 8];
        __syncthreads();
        float s[2][4] = {};
        for (int h = 0; h < 2; h++)
            for (int i = 0; i < 4; i++) {
                const __half *p = &k[(key + h * 8 + g) * DIM + i * 16 + t];
                mma(s[h], fq[i], *(const unsigned *)p, *(const unsigned *)(p + 8));
            }
        unsigned fp[4];
        for (int r = 0; r < 2; r++) {
            float top = fmaxf(fmaxf(s[0][2 * r], s[0][2 * r + 1]), fmaxf(s[1][2 * r], s[1][2 * r + 1]));
            top = fmaxf(most[r], row_max(top) * scale);
            float shrink = power2(most[r] - top), add = 0.0f;
            most[r] = top;
            for (int h = 0; h < 2; h++)
                for (int c = 2 * r; c < 2 * r + 2; c++)
                    add += s[h][c] = power2(s[h][c] * scale - top);
            total[r] = total[r] * shrink + row_sum(add);
            for (int n = 0; n < 8; n++)
                for (int c = 2 * r; c < 2 * r + 2; c++)
                    sum[n][c] *= shrink;
            fp[r] = pack(s[0][2 * r], s[0][2 * r + 1]);
            fp[r + 2] = pack(s[1][2 * r], s[1][2 * r + 1]);
        }
        for (int n = 0; n < 8; n += 2) {
            unsigned b[4], at = (unsigned)__cvta_generic_to_shared(&vs[lane % 16][n * 8 + lane / 16 * 8]);
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                         : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
                         : "r"(at));
            mma(sum[n], fp, b[0], b[1]);
            mma(sum[n + 1], fp, b[2], b[3]);
        }
    }
    for (int n = 0; n < 8; n++)
        for (int c = 0; c < 4; c++)
            o[(row + g + c / 2 * 8) * DIM + n * 8 + t + c % 2] = sum[n][c] / total[c / 2];
}
// SPDX-License-Identifier: Apache-2.0
