/* mma.sync and ldmatrix by hand: C (f32) = A (f16, row-major) B (f16, row-major, transposed while loading).
 * One warp per 16 x 16 result tile, staged through shared memory; n and k are multiples of 16. */
#include <cuda_fp16.h>

__device__ unsigned shared_addr(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

extern "C" __global__ void mma_f16(const __half *a, const __half *b, float *c, int n, int k)
{
    __shared__ __align__(16) __half as[16][16], bs[16][16];
    int lane = threadIdx.x, row0 = blockIdx.y * 16, col0 = blockIdx.x * 16;
    float d[2][4] = {{0.0f, 0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 0.0f}};
    for (int k0 = 0; k0 < k; k0 += 16) {
        int r = lane / 2, s = lane % 2 * 8;
        *(uint4 *)&as[r][s] = *(const uint4 *)&a[(row0 + r) * k + k0 + s];
        *(uint4 *)&bs[r][s] = *(const uint4 *)&b[(k0 + r) * n + col0 + s];
        __syncwarp();
        unsigned fa[4], fb[4];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                     : "r"(shared_addr(&as[lane % 16][lane / 16 * 8])));
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3])
                     : "r"(shared_addr(&bs[lane % 16][lane / 16 * 8])));
        for (int h = 0; h < 2; h++)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, "
                         "%7}, {%8, %9}, "
                         "{%0, %1, %2, %3};"
                         : "+f"(d[h][0]), "+f"(d[h][1]), "+f"(d[h][2]), "+f"(d[h][3])
                         : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[2 * h]),
                           "r"(fb[2 * h + 1]));
        __syncwarp();
    }
    for (int h = 0; h < 2; h++) {
        float *to = c + (row0 + lane / 4) * n + col0 + h * 8 + lane % 4 * 2;
        to[0] = d[h][0];
        to[1] = d[h][1];
        to[8 * n] = d[h][2];
        to[8 * n + 1] = d[h][3];
    }
}

/* tf32 inputs, and the 8-bit integer form. One warp, one tile. */
extern "C" __global__ void mma_tf32(const float *a, const float *b, float *c)
{
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    const int arow[4] = {0, 8, 0, 8}, acol[4] = {0, 0, 4, 4};
    unsigned fa[4], fb[2];
    for (int i = 0; i < 4; i++)
        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(fa[i]) : "f"(a[(g + arow[i]) * 8 + t + acol[i]]));
    for (int i = 0; i < 2; i++)
        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(fb[i]) : "f"(b[(t + 4 * i) * 8 + g]));
    float d[4];
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%10, %10, %10, %10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]), "f"(0.0f));
    c[g * 8 + 2 * t] = d[0];
    c[g * 8 + 2 * t + 1] = d[1];
    c[(g + 8) * 8 + 2 * t] = d[2];
    c[(g + 8) * 8 + 2 * t + 1] = d[3];
}

extern "C" __global__ void mma_s8(const unsigned *a, const unsigned *b, int *c)
{
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int d[4] = {0, 0, 0, 0};
    /* A is 16 x 32 bytes by rows (8 words each), B is 8 columns of 32 bytes. */
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
                 "%9}, {%0, %1, %2, %3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(a[g * 8 + t]), "r"(a[(g + 8) * 8 + t]), "r"(a[g * 8 + t + 4]),
                   "r"(a[(g + 8) * 8 + t + 4]), "r"(b[g * 8 + t]), "r"(b[g * 8 + t + 4]));
    c[g * 8 + 2 * t] = d[0];
    c[g * 8 + 2 * t + 1] = d[1];
    c[(g + 8) * 8 + 2 * t] = d[2];
    c[(g + 8) * 8 + 2 * t + 1] = d[3];
}
// SPDX-License-Identifier: Apache-2.0
