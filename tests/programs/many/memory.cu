/* Kinds of memory: constant tables, initialised device variables, symbols, managed lists with pointers, mapped and pinned
 * memory, pitched copies, local arrays, dynamic shared memory cut into several arrays. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

struct coefs {
    float a[4];
    int shift;
};

__constant__ coefs table[3] = {{{1, 2, 3, 4}, 1}, {{5, 6, 7, 8}, 2}, {{9, 10, 11, 12}, 3}};
__constant__ unsigned char sbox[256];
__device__ int counter = 5;
__device__ float matrix[4][4] = {{1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 3, 0}, {0, 0, 0, 4}};
__device__ const char *const words[] = {"alpha", "beta", "gamma"};
__managed__ int shared_with_host[32];

__global__ void constants(float *out, const unsigned char *in)
{
    int i = threadIdx.x;
    const coefs &c = table[i % 3];
    float s = 0;
    for (int k = 0; k < 4; k++)
        s += c.a[k] * matrix[k][k];
    out[i] = s + (sbox[in[i]] >> c.shift) + words[i % 3][i % 5];
    shared_with_host[i] += i;
    atomicAdd(&counter, 1);
}

struct node {
    int value;
    node *next;
    char name[8];
};

__global__ void walk(node *head, int *out)
{
    int sum = 0;
    for (node *n = head; n; n = n->next) {
        sum += n->value * (n->name[0] - 'a' + 1);
        if (threadIdx.x == 0)
            n->value = -n->value;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void pitched(char *base, size_t pitch, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        float *row = (float *)(base + y * pitch);
        row[x] = row[x] * 2 + y;
    }
}

__global__ void carve(const double *in, int n, int *rank)
{
    extern __shared__ __align__(16) unsigned char raw[];
    double *v = (double *)raw;
    int *order = (int *)(v + n);
    unsigned char *seen = (unsigned char *)(order + n);
    int i = threadIdx.x;
    v[i] = in[i];
    seen[i] = 0;
    __syncthreads();
    int r = 0;
    for (int k = 0; k < n; k++)
        r += v[k] < v[i] || (v[k] == v[i] && k < i);
    order[r] = i;
    seen[r] = 1;
    __syncthreads();
    rank[i] = seen[i] ? order[i] : -1;
}

__global__ void local_array(const int *pick, int *out)
{
    int a[16];
    for (int i = 0; i < 16; i++)
        a[i] = i * i + threadIdx.x;
    int s = 0;
    for (int i = 0; i < 8; i++) {
        int k = pick[(threadIdx.x + i) % 32] & 15;
        s += a[k];
        a[(k + 1) & 15] = s;
    }
    out[threadIdx.x] = s;
}

int main(void)
{
    int wrong = 0;
    unsigned char box[256], in[32];
    for (int i = 0; i < 256; i++)
        box[i] = (unsigned char)(i * 167 + 13);
    for (int i = 0; i < 32; i++)
        in[i] = (unsigned char)(i * 8 + 3);
    cudaMemcpyToSymbol(sbox, box, sizeof box);
    float two = 20, *d_out, out[32];
    cudaMemcpyToSymbol(matrix, &two, sizeof two, 5 * sizeof(float));
    unsigned char *d_in;
    cudaMalloc((void **)&d_out, sizeof out);
    cudaMalloc((void **)&d_in, sizeof in);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    for (int i = 0; i < 32; i++)
        shared_with_host[i] = 100;
    constants<<<1, 32>>>(d_out, d_in);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    const char *const w[] = {"alpha", "beta", "gamma"};
    for (int i = 0; i < 32; i++) {
        int t = i % 3;
        float s = (4 * t + 1) + 20.0f * (4 * t + 2) + 3.0f * (4 * t + 3) + 4.0f * (4 * t + 4);
        wrong += out[i] != s + (box[in[i]] >> (t + 1)) + w[t][i % 5];
        wrong += shared_with_host[i] != 100 + i;
    }
    int count;
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    void *where;
    size_t size;
    cudaGetSymbolAddress(&where, counter);
    cudaGetSymbolSize(&size, matrix);
    wrong += count != 37 || !where || size != 64;
    printf("constants %d\n", wrong);

    node *head = NULL;
    int want = 0, *d, h[32];
    for (int i = 0; i < 10; i++) {
        node *n;
        cudaMallocManaged((void **)&n, sizeof *n);
        n->value = i + 1;
        strcpy(n->name, "a");
        n->name[0] = (char)('a' + i % 3);
        n->next = head;
        head = n;
        want += (i + 1) * (i % 3 + 1);
    }
    cudaMalloc((void **)&d, sizeof h);
    walk<<<1, 32>>>(head, d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        wrong += h[i] != want;
    while (head) {
        node *n = head;
        wrong += n->value >= 0;
        head = n->next;
        cudaFree(n);
    }
    printf("list %d\n", wrong);

    const int W = 37, H = 11;
    float a[H][W], b[H][W];
    for (int i = 0; i < W * H; i++)
        a[i / W][i % W] = (float)i;
    char *p;
    size_t pitch;
    cudaMallocPitch((void **)&p, &pitch, W * sizeof(float), H);
    cudaMemcpy2D(p, pitch, a, sizeof a[0], W * sizeof(float), H, cudaMemcpyHostToDevice);
    pitched<<<dim3(3, 3), dim3(16, 4)>>>(p, pitch, W, H);
    cudaMemcpy2D(b, sizeof b[0], p, pitch, W * sizeof(float), H, cudaMemcpyDeviceToHost);
    for (int i = 0; i < W * H; i++)
        wrong += b[i / W][i % W] != 2.0f * i + i / W;
    printf("pitch %d\n", wrong);

    double v[64], *dv;
    int rank[64], *dr;
    for (int i = 0; i < 64; i++)
        v[i] = (i * 29 % 64) / 4;
    cudaMalloc((void **)&dv, sizeof v);
    cudaMalloc((void **)&dr, sizeof rank);
    cudaMemcpy(dv, v, sizeof v, cudaMemcpyHostToDevice);
    carve<<<1, 64, 64 * (sizeof(double) + sizeof(int) + 1)>>>(dv, 64, dr);
    cudaMemcpy(rank, dr, sizeof rank, cudaMemcpyDeviceToHost);
    for (int i = 1; i < 64; i++)
        wrong += rank[i] < 0 || v[rank[i]] < v[rank[i - 1]];
    printf("carve %d\n", wrong);

    int pick[32];
    for (int i = 0; i < 32; i++)
        pick[i] = i * 11 + 3;
    cudaMemcpy(d, pick, sizeof pick, cudaMemcpyHostToDevice);
    local_array<<<1, 32>>>(d, dr);
    cudaMemcpy(h, dr, sizeof h, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 32; t++) {
        int x[16], s = 0;
        for (int i = 0; i < 16; i++)
            x[i] = i * i + t;
        for (int i = 0; i < 8; i++) {
            int k = pick[(t + i) % 32] & 15;
            s += x[k];
            x[(k + 1) & 15] = s;
        }
        wrong += h[t] != s;
    }
    printf("%s\n", wrong || cudaGetLastError() != cudaSuccess ? "FAIL" : "PASS");
    return wrong != 0;
}
// SPDX-License-Identifier: Apache-2.0
