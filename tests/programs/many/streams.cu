/* Streams with overlapping copies, events, callbacks, default-stream ordering, pinned memory, error codes. */
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void scale(int *p, int n, int by)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        p[i] = p[i] * by + 1;
}

__global__ void sum(const int *a, const int *b, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i] + b[i];
}

static int called;
static void CUDART_CB note(cudaStream_t, cudaError_t status, void *data)
{
    if (status == cudaSuccess)
        called += *(int *)data;
}
static void CUDART_CB host_fn(void *data) { called += *(int *)data; }

int main(void)
{
    const int n = 8192, parts = 4, m = n / parts;
    int *h, *d, wrong = 0;
    cudaMallocHost((void **)&h, n * sizeof *h);
    cudaMalloc((void **)&d, n * sizeof *d);
    for (int i = 0; i < n; i++)
        h[i] = i;
    cudaStream_t s[parts];
    cudaEvent_t begin, end, done[parts];
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    int seven = 7, nine = 9;
    cudaEventRecord(begin, 0);
    for (int i = 0; i < parts; i++) {
        cudaStreamCreateWithFlags(&s[i], i % 2 ? cudaStreamNonBlocking : cudaStreamDefault);
        cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming);
        cudaMemcpyAsync(d + i * m, h + i * m, m * sizeof *h, cudaMemcpyHostToDevice, s[i]);
        scale<<<4, 128, 0, s[i]>>>(d + i * m, m, i + 2);
        cudaEventRecord(done[i], s[i]);
    }
    cudaStreamAddCallback(s[0], note, &seven, 0);
    cudaLaunchHostFunc(s[1], host_fn, &nine);
    for (int i = 0; i < parts; i++) /* the last stream waits for all, then one sum over everything */
        cudaStreamWaitEvent(s[parts - 1], done[i], 0);
    sum<<<(n + 255) / 256, 256, 0, s[parts - 1]>>>(d, d, d, n);
    cudaMemcpyAsync(h, d, n * sizeof *h, cudaMemcpyDeviceToHost, s[parts - 1]);
    cudaStreamSynchronize(s[parts - 1]);
    cudaEventRecord(end, 0);
    cudaEventSynchronize(end);
    float ms = -1;
    wrong += cudaEventElapsedTime(&ms, begin, end) != cudaSuccess || ms < 0;
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        wrong += h[i] != 2 * (i * (i / m + 2) + 1);
    wrong += called != 16;
    for (int i = 0; i < parts; i++) {
        wrong += cudaStreamQuery(s[i]) != cudaSuccess || cudaEventQuery(done[i]) != cudaSuccess;
        cudaStreamDestroy(s[i]);
        cudaEventDestroy(done[i]);
    }
    printf("streams %d\n", wrong);

    scale<<<1, 2000>>>(d, n, 1); /* too many threads */
    cudaError_t e = cudaGetLastError();
    wrong += e == cudaSuccess || cudaGetLastError() != cudaSuccess; /* which error depends on the version */
    wrong += cudaMemcpy(NULL, h, 4, cudaMemcpyHostToDevice) == cudaSuccess;
    cudaGetLastError();
    wrong += cudaSetDevice(1000) == cudaSuccess;
    cudaGetLastError();

    int block, grid, per_sm;
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale, 0, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, scale, 256, 0);
    cudaFuncAttributes attr;
    cudaFuncGetAttributes(&attr, scale);
    wrong += block < 32 || block > 1024 || grid < 1 || per_sm < 1 || attr.numRegs < 4 ||
             attr.maxThreadsPerBlock < block;
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    wrong += prop.warpSize != 32 || prop.multiProcessorCount < 1 || !prop.name[0];
    printf("%s\n", wrong || cudaGetLastError() != cudaSuccess ? "FAIL" : "PASS");
    return wrong != 0;
}
// SPDX-License-Identifier: Apache-2.0
