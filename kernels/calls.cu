/* Device functions: kept calls, recursion, calls through pointers, and a dense switch. */
__device__ __noinline__ int weigh(int a, int b, int c, int d) { return a * 3 + b * 5 - c * 7 + (d ^ a); }

__device__ __noinline__ float2 rotate(float2 v, float s, float c)
{
    return make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
}

extern "C" __global__ void call_plain(const int *in, int *out, float2 *rot, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = in[i], w = weigh(v, i, n, 1);
    if (v & 1)
        w = weigh(w, v, i, 2) + v;
    out[i] = w;
    float2 p = make_float2((float)v, (float)(i - 4));
    rot[i] = rotate(rotate(p, 0.6f, 0.8f), 0.0f, 1.0f);
}

__device__ __noinline__ unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

extern "C" __global__ void call_fib(const unsigned *in, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = fib(in[i]);
}

typedef int (*binop)(int, int);
__device__ __noinline__ int op_add(int a, int b) { return a + b; }
__device__ __noinline__ int op_sub(int a, int b) { return a - b; }
__device__ __noinline__ int op_mul(int a, int b) { return a * b; }
__device__ __noinline__ int op_max(int a, int b) { return a > b ? a : b; }
__device__ binop ops[4] = {op_add, op_sub, op_mul, op_max};

extern "C" __global__ void call_pointer(const int *which, const int *a, const int *b, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = ops[which[i] & 3](a[i], b[i]);
}

extern "C" __global__ void dense_switch(const int *code, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = i;
    for (int k = 0; k < 4; k++) {
        switch (code[i * 4 + k]) {
        case 0: v += 17; break;
        case 1: v ^= 0x55; break;
        case 2: v *= 3; break;
        case 3: v -= i; break;
        case 4: v <<= 2; break;
        case 5: v = -v; /* falls through */
        case 6: v >>= 1; break;
        case 7: v = v * v + 1; break;
        case 8: v |= 8; break;
        case 9: out[i] = -1; return;
        default: v = ~v;
        }
    }
    out[i] = v;
}
// SPDX-License-Identifier: Apache-2.0
