/* Numerical programs: conjugate gradients with a grid-wide barrier, an FFT, k-means, half-precision vectors, Mandelbrot in
 * double precision, a wavefront between CTAs by flags. */
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

namespace cg = cooperative_groups;

__device__ double partial[64];

__device__ double dot(cg::grid_group &grid, const double *a, const double *b, int n)
{
    double s = 0;
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
        s += a[i] * b[i];
    for (int o = 16; o; o /= 2)
        s += __shfl_down_sync(~0u, s, o);
    __shared__ double warps[32];
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        double t = 0;
        for (unsigned w = 0; w < blockDim.x / 32; w++)
            t += warps[w];
        partial[blockIdx.x] = t;
    }
    grid.sync();
    double t = 0;
    for (unsigned k = 0; k < gridDim.x; k++)
        t += partial[k];
    grid.sync();
    return t;
}

/* x of A x = b for the matrix (-1, 2.5, -1) */
__global__ void conjugate(const double *b, double *x, double *r, double *p, double *q, int n, int *rounds)
{
    cg::grid_group grid = cg::this_grid();
    int first = (int)grid.thread_rank(), step = (int)grid.size();
    for (int i = first; i < n; i += step) {
        x[i] = 0;
        r[i] = p[i] = b[i];
    }
    grid.sync();
    double rr = dot(grid, r, r, n);
    int k = 0;
    for (; k < 100 && rr > 1e-20; k++) {
        for (int i = first; i < n; i += step)
            q[i] = 2.5 * p[i] - (i ? p[i - 1] : 0) - (i < n - 1 ? p[i + 1] : 0);
        grid.sync();
        double alpha = rr / dot(grid, p, q, n);
        for (int i = first; i < n; i += step) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        grid.sync();
        double next = dot(grid, r, r, n), beta = next / rr;
        rr = next;
        for (int i = first; i < n; i += step)
            p[i] = r[i] + beta * p[i];
        grid.sync();
    }
    if (first == 0)
        *rounds = k;
}

template <int LOG> __global__ void fft(float2 *data)
{
    const int N = 1 << LOG;
    __shared__ float2 s[N];
    int t = threadIdx.x;
    for (int i = t; i < N; i += N / 2)
        s[__brev(i) >> (32 - LOG)] = data[i];
    __syncthreads();
#pragma unroll
    for (int st = 1; st <= LOG; st++) {
        int half = 1 << (st - 1), k = t & (half - 1), i = (t >> (st - 1) << st) + k;
        float sn, cs;
        sincospif(-(float)k / half, &sn, &cs);
        float2 a = s[i], b = s[i + half], w = make_float2(b.x * cs - b.y * sn, b.x * sn + b.y * cs);
        s[i] = make_float2(a.x + w.x, a.y + w.y);
        s[i + half] = make_float2(a.x - w.x, a.y - w.y);
        __syncthreads();
    }
    for (int i = t; i < N; i += N / 2)
        data[i] = s[i];
}

__global__ void halves(const __half2 *a, const __nv_bfloat16 *b, __half2 *out, float *outf, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        __half2 v = __hfma2(a[i], __float2half2_rn(2.0f), __floats2half2_rn(1.0f, -1.0f));
        out[i] = __hgt2(v, __float2half2_rn(3.0f)).x == __float2half(1.0f) ? v : __hneg2(v);
        outf[i] = __bfloat162float(__hmul(b[i], __float2bfloat16(0.5f))) + __half2float(__low2half(a[i]));
    }
}

__global__ void mandel(unsigned short *out, int w, int h, int most)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    double cr = -2.0 + 3.0 * x / w, ci = -1.0 + 2.0 * y / h, r = 0, i = 0;
    int k = 0;
    while (k < most && r * r + i * i < 4.0) {
        double t = r * r - i * i + cr;
        i = __fma_rn(2 * r, i, ci);
        r = t;
        k++;
    }
    out[y * w + x] = (unsigned short)k;
}

/* Each CTA waits for the one before it. */
__global__ void chain(volatile int *flag, int *order)
{
    if (threadIdx.x == 0) {
        while (blockIdx.x && !flag[blockIdx.x - 1])
            ;
        __threadfence();
        order[blockIdx.x] = blockIdx.x ? order[blockIdx.x - 1] * 3 % 1009 : 5;
        __threadfence();
        flag[blockIdx.x] = 1;
    }
}

template <class T> static T *managed(size_t n)
{
    T *p;
    cudaMallocManaged(&p, n * sizeof(T));
    return p;
}

int main(void)
{
    int wrong = 0, n = 1000;
    double *b = managed<double>(n), *x = managed<double>(n), *r = managed<double>(n), *p = managed<double>(n),
           *q = managed<double>(n);
    int *rounds = managed<int>(1);
    for (int i = 0; i < n; i++)
        b[i] = i % 17 - 8;
    void *args[] = {&b, &x, &r, &p, &q, &n, &rounds};
    cudaError_t e = cudaLaunchCooperativeKernel((void *)conjugate, dim3(8), dim3(64), args, 0, 0);
    wrong += e != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < n; i++)
        wrong += fabs(2.5 * x[i] - (i ? x[i - 1] : 0) - (i < n - 1 ? x[i + 1] : 0) - b[i]) > 1e-8;
    printf("cg in %d rounds: %d\n", *rounds, wrong);

    const int N = 256;
    float2 *f = managed<float2>(N);
    for (int i = 0; i < N; i++)
        f[i] = make_float2((float)(i % 7), (float)(i % 3));
    fft<8><<<1, N / 2>>>(f);
    cudaDeviceSynchronize();
    for (int k = 0; k < N; k += 5) {
        double re = 0, im = 0;
        for (int i = 0; i < N; i++) {
            double a = -2 * M_PI * i * k / N;
            re += i % 7 * cos(a) - i % 3 * sin(a);
            im += i % 7 * sin(a) + i % 3 * cos(a);
        }
        wrong += fabs(re - f[k].x) > 2e-3 || fabs(im - f[k].y) > 2e-3;
    }
    printf("fft %d\n", wrong);

    const int H = 100;
    __half2 *ha = managed<__half2>(H), *ho = managed<__half2>(H);
    __nv_bfloat16 *hb = managed<__nv_bfloat16>(H);
    float *hf = managed<float>(H);
    for (int i = 0; i < H; i++) {
        ha[i] = __floats2half2_rn(i * 0.25f, -i * 0.5f);
        hb[i] = __float2bfloat16((float)i);
    }
    halves<<<4, 32>>>(ha, hb, ho, hf, H);
    cudaDeviceSynchronize();
    for (int i = 0; i < H; i++) {
        float lo = i * 0.5f + 1, hi = -i - 1.0f, s = lo > 3 ? 1 : -1;
        wrong +=
            __low2float(ho[i]) != s * lo || __high2float(ho[i]) != s * hi || hf[i] != i * 0.5f + i * 0.25f;
    }
    printf("halves %d\n", wrong);

    const int W = 64, V = 32;
    unsigned short *m = managed<unsigned short>(W * V);
    mandel<<<dim3(W / 16, V / 8), dim3(16, 8)>>>(m, W, V, 300);
    cudaDeviceSynchronize();
    int off = 0;
    for (int y = 0; y < V; y++)
        for (int xx = 0; xx < W; xx++) {
            double cr = -2.0 + 3.0 * xx / W, ci = -1.0 + 2.0 * y / V, a = 0, c = 0;
            int k = 0;
            while (k < 300 && a * a + c * c < 4.0) {
                double t = a * a - c * c + cr;
                c = fma(2 * a, c, ci);
                a = t;
                k++;
            }
            off += k != m[y * W + xx];
        }
    wrong += off > 20; /* fused or not decides a few pixels of the border */
    printf("mandelbrot %d\n", wrong);

    int *flag = managed<int>(50), *order = managed<int>(50), want = 5;
    for (int i = 0; i < 50; i++)
        flag[i] = 0;
    chain<<<50, 32>>>(flag, order);
    cudaDeviceSynchronize();
    for (int i = 0; i < 50; i++, want = want * 3 % 1009)
        wrong += order[i] != want;
    printf("%s\n", wrong || cudaGetLastError() != cudaSuccess ? "FAIL" : "PASS");
    return wrong != 0;
}
// SPDX-License-Identifier: Apache-2.0
