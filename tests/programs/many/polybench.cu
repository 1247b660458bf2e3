/* Loops over matrices as PolyBench has them: 2-d arrays behind typed pointers, doubles, correlation with square roots. */
#include <assert.h>
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 48
#define M 40
typedef double DATA_TYPE;
#define sqrt_of_array_cell(x, j) sqrt(x[j])
#define FLOAT_N 3214212.01
#define EPS 0.005

__global__ void mean_kernel(DATA_TYPE *mean, DATA_TYPE *data)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < M) {
        mean[j] = 0.0;
        for (int i = 0; i < N; i++)
            mean[j] += data[i * M + j];
        mean[j] /= (DATA_TYPE)FLOAT_N;
    }
}

__global__ void std_kernel(DATA_TYPE *mean, DATA_TYPE *std, DATA_TYPE *data)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < M) {
        std[j] = 0.0;
        for (int i = 0; i < N; i++)
            std[j] += (data[i * M + j] - mean[j]) * (data[i * M + j] - mean[j]);
        std[j] /= (FLOAT_N);
        std[j] = sqrt(std[j]);
        if (std[j] <= EPS)
            std[j] = 1.0;
    }
}

__global__ void gemm_kernel(DATA_TYPE (*a)[M], DATA_TYPE (*b)[N], DATA_TYPE (*c)[N], DATA_TYPE alpha,
                            DATA_TYPE beta)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < N) && (j < N)) {
        c[i][j] *= beta;
        for (int k = 0; k < M; k++)
            c[i][j] += alpha * a[i][k] * b[k][j];
    }
}

__global__ __launch_bounds__(256, 2) void jacobi(const DATA_TYPE *__restrict__ in,
                                                 DATA_TYPE *__restrict__ out)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1)
        out[i * N + j] = 0.2 * (in[i * N + j] + in[i * N + j - 1] + in[i * N + 1 + j] + in[(1 + i) * N + j] +
                                __ldg(&in[(i - 1) * N + j]));
}

static int differ(const DATA_TYPE *a, const DATA_TYPE *b, int n)
{
    int bad = 0;
    for (int i = 0; i < n; i++)
        bad += fabs(a[i] - b[i]) > 1e-10 * (1 + fabs(b[i]));
    return bad;
}

int main(int argc, char **argv)
{
    assert(argc >= 1 && argv);
    static DATA_TYPE data[N * M], mean[M], std[M], a[N][M], b[M][N], c[N][N], x[N * N], y[N * N], got[N * N];
    for (int i = 0; i < N * M; i++) {
        data[i] = (DATA_TYPE)(i % 97) / 7 * 1000;
        a[i / M][i % M] = (DATA_TYPE)(i % 13) / 3;
        b[i / N][i % N] = (DATA_TYPE)(i % 17) / 5;
    }
    for (int i = 0; i < N * N; i++) {
        c[i / N][i % N] = i % 5;
        x[i] = y[i] = (DATA_TYPE)(i % 23) / 11;
    }
    DATA_TYPE *d_data, *d_mean, *d_std, *d_a, *d_b, *d_c, *d_x, *d_y;
    cudaMalloc((void **)&d_data, sizeof data);
    cudaMalloc((void **)&d_mean, sizeof mean);
    cudaMalloc((void **)&d_std, sizeof std);
    cudaMalloc((void **)&d_a, sizeof a);
    cudaMalloc((void **)&d_b, sizeof b);
    cudaMalloc((void **)&d_c, sizeof c);
    cudaMalloc((void **)&d_x, sizeof x);
    cudaMalloc((void **)&d_y, sizeof y);
    cudaMemcpy(d_data, data, sizeof data, cudaMemcpyHostToDevice);
    cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice);
    cudaMemcpy(d_c, c, sizeof c, cudaMemcpyHostToDevice);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y, sizeof y, cudaMemcpyHostToDevice);
    int wrong = 0;
    mean_kernel<<<(M + 31) / 32, 32>>>(d_mean, d_data);
    std_kernel<<<(M + 31) / 32, 32>>>(d_mean, d_std, d_data);
    cudaMemcpy(got, d_std, sizeof std, cudaMemcpyDeviceToHost);
    for (int j = 0; j < M; j++) {
        for (int i = 0; i < N; i++)
            mean[j] += data[i * M + j];
        mean[j] /= FLOAT_N;
        for (int i = 0; i < N; i++)
            std[j] += (data[i * M + j] - mean[j]) * (data[i * M + j] - mean[j]);
        std[j] = sqrt(std[j] / FLOAT_N);
        if (std[j] <= EPS)
            std[j] = 1.0;
    }
    wrong += differ(got, std, M);
    dim3 block(16, 8), grid((size_t)ceil((float)N / (float)block.x), (size_t)ceil((float)N / (float)block.y));
    gemm_kernel<<<grid, block>>>((DATA_TYPE(*)[M])d_a, (DATA_TYPE(*)[N])d_b, (DATA_TYPE(*)[N])d_c, 1.5, 1.2);
    cudaMemcpy(got, d_c, sizeof c, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            c[i][j] *= 1.2;
            for (int k = 0; k < M; k++)
                c[i][j] += 1.5 * a[i][k] * b[k][j];
        }
    wrong += differ(got, &c[0][0], N * N);
    for (int t = 0; t < 4; t++) {
        jacobi<<<grid, block>>>(t & 1 ? d_y : d_x, t & 1 ? d_x : d_y);
        DATA_TYPE *in = t & 1 ? y : x, *out = t & 1 ? x : y;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                out[i * N + j] = 0.2 * (in[i * N + j] + in[i * N + j - 1] + in[i * N + 1 + j] +
                                        in[(1 + i) * N + j] + in[(i - 1) * N + j]);
    }
    cudaMemcpy(got, d_x, sizeof x, cudaMemcpyDeviceToHost);
    wrong += differ(got, x, N * N);
    printf("%s\n", wrong || cudaGetLastError() ? "FAIL" : "PASS");
    return wrong != 0;
}
// SPDX-License-Identifier: Apache-2.0
