/* The programs of some SASS traces, written again for bankshot cc: what they do is read off the traces (grids, strides of the
 * accesses, which loops are unrolled how often), so that our code and NVIDIA's of the same program can run on one model.
 * tools/silicon-pairs compares them. Checks itself. */
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>

enum { ROWS = 256, ROW = 784 };                      /* softmax: a thread takes a row */
enum { BLOCK = 256, RADIUS = 7, CELLS = 256 * 256 }; /* stencil */
enum { N = 256 };                                    /* matrices */

__global__ void softmax(int rows, int n, const float *from, float *to)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float top = from[row * n], sum = 0;
#pragma unroll 16
    for (int k = 0; k < n; k++)
        top = fmaxf(top, from[row * n + k]);
#pragma unroll 4
    for (int k = 0; k < n; k++)
        sum += expf(from[row * n + k] - top);
#pragma unroll 4
    for (int k = 0; k < n; k++)
        to[row * n + k] = expf(from[row * n + k] - top) / sum;
}

__global__ void stencil(const int *__restrict__ from, int *__restrict__ to)
{
    __shared__ int near[BLOCK + 2 * RADIUS];
    int at = blockIdx.x * blockDim.x + threadIdx.x, own = threadIdx.x + RADIUS, sum = 0;
    near[own] = from[at];
    if (threadIdx.x < RADIUS) {
        near[own - RADIUS] = at < RADIUS ? 0 : from[at - RADIUS];
        near[own + BLOCK] = from[at + BLOCK];
    }
    __syncthreads();
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; k++)
        sum += near[own + k];
    to[at] = sum;
}

__global__ void gemm(int n, float alpha, float beta, float *a, float *b, float *c)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    c[i * N + j] *= beta;
#pragma unroll 16
    for (int k = 0; k < n; k++)
        c[i * N + j] += alpha * a[i * N + k] * b[k * N + j];
}

/* Eight rows of threads do the same work: so do those of the traces. */
__global__ void rows_times(int n, float *a, float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = 0;
#pragma unroll 16
    for (int j = 0; j < n; j++)
        y[i] += a[i * N + j] * x[j];
}

__global__ void columns_times(int n, float *a, float *x, float *y)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n)
        return;
    y[j] = 0;
#pragma unroll 16
    for (int i = 0; i < n; i++)
        y[j] += a[i * N + j] * x[i];
}

static int wrong;

static void expect(const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-4 * (fabs(want) + 1e-3)) && wrong++ < 5)
        printf("%s: %g, not %g\n", what, got, want);
}

template <typename T> static T *on_device(const std::vector<T> &v)
{
    void *p = nullptr;
    if (cudaMalloc(&p, v.size() * sizeof(T)) != cudaSuccess ||
        cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice) != cudaSuccess) {
        fprintf(stderr, "no device memory\n");
        exit(1);
    }
    return (T *)p;
}

template <typename T> static void back(std::vector<T> &v, const T *p)
{
    cudaMemcpy(v.data(), p, v.size() * sizeof(T), cudaMemcpyDeviceToHost);
}

static std::vector<float> numbers(size_t n)
{
    std::vector<float> v(n);
    unsigned seed = 1;
    for (float &x : v) {
        seed = seed * 1664525u + 1013904223u;
        x = (float)(seed >> 8) / (1 << 24);
    }
    return v;
}

static void run_softmax()
{
    std::vector<float> in = numbers((size_t)ROWS * ROW), out(in.size());
    float *from = on_device(in), *to = on_device(out);
    softmax<<<1, ROWS>>>(ROWS, ROW, from, to);
    back(out, to);
    for (int r = 0; r < ROWS; r += 17) {
        double sum = 0;
        for (int k = 0; k < ROW; k++)
            sum += exp((double)in[r * ROW + k]);
        expect("softmax", out[r * ROW + r], exp((double)in[r * ROW + r]) / sum);
    }
}

static void run_stencil()
{
    std::vector<int> in(CELLS + RADIUS), out(CELLS);
    for (int k = 0; k < CELLS + RADIUS; k++)
        in[k] = k % 1000;
    int *from = on_device(in), *to = on_device(out);
    for (int round = 0; round < 2; round++)
        stencil<<<CELLS / BLOCK, BLOCK>>>(from, to);
    back(out, to);
    for (int k = 0; k < CELLS; k += 511) {
        int sum = 0;
        for (int j = k - RADIUS; j <= k + RADIUS; j++)
            sum += j < 0 ? 0 : in[j];
        expect("stencil", out[k], sum);
    }
}

static void run_matrices()
{
    std::vector<float> a = numbers(N * N), b = numbers(N * N), c = numbers(N * N), x = numbers(N), y(N), z(N);
    float *da = on_device(a), *db = on_device(b), *dc = on_device(c), *dx = on_device(x);
    float *dy = on_device(y), *dz = on_device(z);
    dim3 block(32, 8);
    gemm<<<dim3(N / 32, N / 8), block>>>(N, 1.5f, 0.75f, da, db, dc);
    rows_times<<<N / 32, block>>>(N, da, dx, dy);
    columns_times<<<N / 32, block>>>(N, da, dy, dz);
    std::vector<float> got(N * N);
    back(got, dc);
    back(y, dy);
    back(z, dz);
    for (int i = 0; i < N; i += 7) {
        int j = i * 31 % N;
        double sum = 0.75 * c[i * N + j], row = 0, column = 0;
        for (int k = 0; k < N; k++) {
            sum += 1.5 * a[i * N + k] * b[k * N + j];
            row += (double)a[i * N + k] * x[k];
            column += (double)a[k * N + i] * y[k];
        }
        expect("gemm", got[i * N + j], sum);
        expect("rows", y[i], row);
        expect("columns", z[i], column);
    }
}

int main()
{
    run_softmax();
    run_stencil();
    run_matrices();
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess)
        printf("%s\n", cudaGetErrorString(e));
    printf("pairs: %s\n", wrong || e != cudaSuccess ? "FAIL" : "PASS");
    return wrong || e != cudaSuccess;
}
// SPDX-License-Identifier: Apache-2.0
