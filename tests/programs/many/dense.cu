/* Matrix products and stencils: template tile sizes, 3-d grids, register tiles, LU decomposition, dynamic programming over
 * anti-diagonals, n-body with float4. */
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

template <int BS> __global__ void matmul(float *C, const float *A, const float *B, int wA, int wB)
{
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int aBegin = wA * BS * by, aEnd = aBegin + wA - 1, bStep = BS * wB;
    float Csub = 0;
    for (int a = aBegin, b = BS * bx; a <= aEnd; a += BS, b += bStep) {
        __shared__ float As[BS][BS], Bs[BS][BS];
        As[ty][tx] = A[a + wA * ty + tx];
        Bs[ty][tx] = B[b + wB * ty + tx];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BS; ++k)
            Csub += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[wB * BS * by + BS * bx + wB * ty + tx] = Csub;
}

__global__ void stencil7(const float *in, float *out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
#define AT(x, y, z) in[((z)*ny + (y)) * nx + (x)]
    if (x > 0 && y > 0 && z > 0 && x < nx - 1 && y < ny - 1 && z < nz - 1)
        out[(z * ny + y) * nx + x] = AT(x, y, z) * -6.0f + AT(x - 1, y, z) + AT(x + 1, y, z) +
                                     AT(x, y - 1, z) + AT(x, y + 1, z) + AT(x, y, z - 1) + AT(x, y, z + 1);
}

__global__ void lu_step(double *a, int n, int k)
{
    int i = k + 1 + blockIdx.y * blockDim.y + threadIdx.y, j = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && j < n)
        a[i * n + j] -= a[i * n + k] / a[k * n + k] * a[k * n + j];
}

__global__ void diagonal(int *score, const char *a, const char *b, int n, int d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + (d > n ? d - n : 1), j = d - i;
    if (i <= n && j >= 1 && j <= n) {
        int w = n + 1, m = score[(i - 1) * w + j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1);
        m = max(m, score[(i - 1) * w + j] - 1);
        m = max(m, score[i * w + j - 1] - 1);
        score[i * w + j] = m;
    }
}

__device__ float3 attract(float4 me, float4 other, float3 acc)
{
    float3 r = make_float3(other.x - me.x, other.y - me.y, other.z - me.z);
    float d2 = r.x * r.x + r.y * r.y + r.z * r.z + 0.01f, inv = rsqrtf(d2), s = other.w * inv * inv * inv;
    acc.x += r.x * s;
    acc.y += r.y * s;
    acc.z += r.z * s;
    return acc;
}

__global__ void bodies(const float4 *p, float3 *acc, int n)
{
    extern __shared__ float4 tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = p[i];
    float3 a = {0, 0, 0};
    for (int t = 0; t < n; t += blockDim.x) {
        tile[threadIdx.x] = p[t + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < (int)blockDim.x; k++)
            a = attract(me, tile[k], a);
        __syncthreads();
    }
    acc[i] = a;
}

template <class T> static T *managed(size_t n)
{
    T *p;
    cudaMallocManaged(&p, n * sizeof(T));
    return p;
}

int main(void)
{
    int wrong = 0;
    const int hA = 64, wA = 96, wB = 32;
    float *A = managed<float>(hA * wA), *B = managed<float>(wA * wB), *C = managed<float>(hA * wB);
    for (int i = 0; i < hA * wA; i++)
        A[i] = (float)(i % 7 - 3);
    for (int i = 0; i < wA * wB; i++)
        B[i] = (float)(i % 5 - 2);
    for (int bs = 16; bs <= 32; bs *= 2) {
        dim3 threads(bs, bs), grid(wB / threads.x, hA / threads.y);
        if (bs == 16)
            matmul<16><<<grid, threads>>>(C, A, B, wA, wB);
        else
            matmul<32><<<grid, threads>>>(C, A, B, wA, wB);
        cudaDeviceSynchronize();
        for (int i = 0; i < hA; i++)
            for (int j = 0; j < wB; j++) {
                float s = 0;
                for (int k = 0; k < wA; k++)
                    s += A[i * wA + k] * B[k * wB + j];
                wrong += s != C[i * wB + j];
            }
    }
    printf("matmul %d\n", wrong);

    const int X = 20, Y = 18, Z = 10;
    float *in = managed<float>(X * Y * Z), *out = managed<float>(X * Y * Z);
    for (int i = 0; i < X * Y * Z; i++)
        in[i] = (float)(i * 37 % 101), out[i] = 0;
    stencil7<<<dim3(3, 5, 3), dim3(8, 4, 4)>>>(in, out, X, Y, Z);
    cudaDeviceSynchronize();
    for (int z = 1; z < Z - 1; z++)
        for (int y = 1; y < Y - 1; y++)
            for (int x = 1; x < X - 1; x++)
                wrong += out[(z * Y + y) * X + x] !=
                         in[(z * Y + y) * X + x] * -6.0f + in[(z * Y + y) * X + x - 1] +
                             in[(z * Y + y) * X + x + 1] + in[(z * Y + y - 1) * X + x] +
                             in[(z * Y + y + 1) * X + x] + in[((z - 1) * Y + y) * X + x] +
                             in[((z + 1) * Y + y) * X + x];
    printf("stencil %d\n", wrong);

    const int n = 24;
    double *a = managed<double>(n * n), ref[n * n];
    for (int i = 0; i < n * n; i++)
        ref[i] = a[i] = i % (n + 1) == 0 ? 50.0 : (i * 13 % 17) / 4.0;
    for (int k = 0; k < n - 1; k++) {
        lu_step<<<dim3(3, 3), dim3(8, 8)>>>(a, n, k);
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                ref[i * n + j] -= ref[i * n + k] / ref[k * n + k] * ref[k * n + j];
    }
    cudaDeviceSynchronize();
    for (int i = 0; i < n * n; i++)
        wrong += fabs(a[i] - ref[i]) > 1e-9;
    printf("lu %d\n", wrong);

    const int L = 100, w = L + 1;
    char *s = managed<char>(L), *t = managed<char>(L);
    int *score = managed<int>(w * w), *want = (int *)calloc(w * w, sizeof(int));
    for (int i = 0; i < L; i++)
        s[i] = "ACGT"[i * 7 % 11 % 4], t[i] = "ACGT"[i * 5 % 13 % 4];
    for (int i = 0; i <= L; i++)
        score[i] = score[i * w] = want[i] = want[i * w] = -i;
    for (int d = 2; d <= 2 * L; d++)
        diagonal<<<(L + 31) / 32, 32>>>(score, s, t, L, d);
    cudaDeviceSynchronize();
    for (int i = 1; i <= L; i++)
        for (int j = 1; j <= L; j++) {
            int m = want[(i - 1) * w + j - 1] + (s[i - 1] == t[j - 1] ? 2 : -1);
            m = m > want[(i - 1) * w + j] - 1 ? m : want[(i - 1) * w + j] - 1;
            want[i * w + j] = m > want[i * w + j - 1] - 1 ? m : want[i * w + j - 1] - 1;
        }
    for (int i = 0; i < w * w; i++)
        wrong += score[i] != want[i];
    printf("align %d\n", wrong);

    const int N = 256;
    float4 *p = managed<float4>(N);
    float3 *acc = managed<float3>(N);
    for (int i = 0; i < N; i++)
        p[i] = make_float4(i % 7 * 0.3f, i % 11 * 0.2f, i % 13 * 0.1f, 1.0f + i % 3);
    bodies<<<N / 64, 64, 64 * sizeof(float4)>>>(p, acc, N);
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++) {
        double x = 0;
        for (int k = 0; k < N; k++) {
            double dx = p[k].x - p[i].x, dy = p[k].y - p[i].y, dz = p[k].z - p[i].z;
            double d2 = dx * dx + dy * dy + dz * dz + 0.01;
            x += dx * p[k].w / (d2 * sqrt(d2));
        }
        wrong += fabs(acc[i].x - x) > 1e-3 * (1 + fabs(x));
    }
    printf("%s\n", wrong || cudaGetLastError() != cudaSuccess ? "FAIL" : "PASS");
    return wrong != 0;
}
// SPDX-License-Identifier: Apache-2.0
