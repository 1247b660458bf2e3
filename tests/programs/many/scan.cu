/* Scan over many CTAs (work-efficient tree with padding, sums scanned in turn), stream compaction and a radix sort on top. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define BANK(n) ((n) >> 5)
const int B = 256;

__global__ void scan_block(const int *in, int *out, int *sums, int n)
{
    __shared__ int s[2 * B + BANK(2 * B)];
    int t = threadIdx.x, base = blockIdx.x * 2 * B;
    int a = t, b = t + B;
    s[a + BANK(a)] = base + a < n ? in[base + a] : 0;
    s[b + BANK(b)] = base + b < n ? in[base + b] : 0;
    int offset = 1;
    for (int d = B; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int i = offset * (2 * t + 1) - 1, j = offset * (2 * t + 2) - 1;
            s[j + BANK(j)] += s[i + BANK(i)];
        }
        offset *= 2;
    }
    if (t == 0) {
        int last = 2 * B - 1;
        if (sums)
            sums[blockIdx.x] = s[last + BANK(last)];
        s[last + BANK(last)] = 0;
    }
    for (int d = 1; d < 2 * B; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int i = offset * (2 * t + 1) - 1, j = offset * (2 * t + 2) - 1;
            i += BANK(i);
            j += BANK(j);
            int x = s[i];
            s[i] = s[j];
            s[j] += x;
        }
    }
    __syncthreads();
    if (base + a < n)
        out[base + a] = s[a + BANK(a)];
    if (base + b < n)
        out[base + b] = s[b + BANK(b)];
}

__global__ void add_sums(int *out, const int *sums, int n)
{
    int i = blockIdx.x * 2 * B + threadIdx.x, add = sums[blockIdx.x];
    if (i < n)
        out[i] += add;
    if (i + B < n)
        out[i + B] += add;
}

static void scan(const int *in, int *out, int n)
{
    int blocks = (n + 2 * B - 1) / (2 * B);
    int *sums = NULL;
    if (blocks > 1)
        cudaMalloc((void **)&sums, blocks * sizeof(int));
    scan_block<<<blocks, B>>>(in, out, sums, n);
    if (blocks > 1) {
        scan(sums, sums, blocks);
        add_sums<<<blocks, B>>>(out, sums, n);
        cudaFree(sums);
    }
}

__global__ void flag_bit(const unsigned *key, int *zero, int bit, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        zero[i] = !(key[i] >> bit & 1);
}

__global__ void scatter(const unsigned *key, unsigned *to, const int *zero, const int *before, int bit, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int zeros = before[n - 1] + zero[n - 1];
    to[zero[i] ? before[i] : i - before[i] + zeros] = key[i];
}

static int by_value(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return x < y ? -1 : x > y;
}

int main(void)
{
    const int n = 5003, bits = 12;
    unsigned *h = (unsigned *)malloc(n * sizeof *h), *got = (unsigned *)malloc(n * sizeof *got);
    srand(5);
    for (int i = 0; i < n; i++)
        h[i] = (unsigned)rand() & ((1u << bits) - 1);
    unsigned *d[2];
    int *zero, *before, g = (n + 127) / 128;
    for (int i = 0; i < 2; i++)
        cudaMalloc((void **)&d[i], n * sizeof *h);
    cudaMalloc((void **)&zero, n * sizeof *zero);
    cudaMalloc((void **)&before, n * sizeof *before);
    cudaMemcpy(d[0], h, n * sizeof *h, cudaMemcpyHostToDevice);
    for (int b = 0; b < bits; b++) {
        flag_bit<<<g, 128>>>(d[b & 1], zero, b, n);
        scan(zero, before, n);
        scatter<<<g, 128>>>(d[b & 1], d[!(b & 1)], zero, before, b, n);
    }
    cudaMemcpy(got, d[bits & 1], n * sizeof *h, cudaMemcpyDeviceToHost);
    qsort(h, n, sizeof *h, by_value);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += h[i] != got[i];
    printf("%s\n", wrong || cudaDeviceSynchronize() ? "FAIL" : "PASS");
    return wrong != 0;
}
// SPDX-License-Identifier: Apache-2.0
