// Kernels with one habit each that costs time, and one without.
#include <cstdio>

__global__ void divides(int *a, const int *b, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = b[i] / m;
}

__global__ void strides(float *a, const float *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = b[i * 16 % (1 << 18)];
}

__global__ void conflicts(float *a)
{
    __shared__ float s[32][32];
    int x = threadIdx.x % 32, y = threadIdx.x / 32;
    float sum = 0;
    for (int k = 0; k < 64; k++) {
        s[x][(y + k) % 32] = k;
        __syncthreads();
        sum += s[y][x];
    }
    a[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void indexed(float *a, int k)
{
    float v[64];
    for (int i = 0; i < 64; i++)
        v[(i * k) & 63] = i;
    a[blockIdx.x * blockDim.x + threadIdx.x] = v[k & 63] + v[threadIdx.x & 63];
}

__global__ void diverges(float *a)
{
    float v = threadIdx.x;
    if (threadIdx.x % 32 == 0)
        for (int i = 0; i < 400; i++)
            v = v * 1.0001f + 0.5f;
    a[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

int main()
{
    int *i, *j;
    float *a, *b;
    cudaMalloc(&i, 4 << 18), cudaMalloc(&j, 4 << 18), cudaMalloc(&a, 4 << 18), cudaMalloc(&b, 4 << 18);
    divides<<<160, 256>>>(i, j, 7);
    strides<<<160, 256>>>(a, b);
    conflicts<<<160, 256>>>(a);
    indexed<<<160, 256>>>(a, 5);
    diverges<<<160, 256>>>(a);
    diverges<<<10, 256>>>(a);
    cudaDeviceSynchronize();
    puts(cudaGetErrorString(cudaGetLastError()));
}
// SPDX-License-Identifier: Apache-2.0
