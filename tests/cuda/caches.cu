// Loads and stores with cache policies, and copies beside the thread, for every type: data must arrive unchanged.
#include "check.h"

#include <cuda_pipeline.h>
#include <vector>

enum { N = 32 };

template <class T> __global__ void copies(T *to, const T *from)
{
    int i = threadIdx.x;
    to[i] = __ldg(from + i);
    to[N + i] = __ldca(from + i);
    to[2 * N + i] = __ldcg(from + i);
    to[3 * N + i] = __ldcs(from + i);
    to[4 * N + i] = __ldlu(from + i);
    to[5 * N + i] = __ldcv(from + i);
    __stwb(to + 6 * N + i, from[i]);
    __stcg(to + 7 * N + i, from[i]);
    __stcs(to + 8 * N + i, from[i]);
    __stwt(to + 9 * N + i, from[i]);
}

template <class T> static void test(const char *name)
{
    enum { WAYS = 10 };
    std::vector<unsigned char> in(N * sizeof(T)), out(WAYS * N * sizeof(T));
    for (size_t i = 0; i < in.size(); i++)
        in[i] = (unsigned char)(i * 37 + 11) & 0x7f; // no NaN, whose bits may change
    T *from, *to;
    OK(cudaMalloc((void **)&from, in.size()));
    OK(cudaMalloc((void **)&to, out.size()));
    OK(cudaMemcpy(from, in.data(), in.size(), cudaMemcpyHostToDevice));
    OK(cudaMemset(to, 0xee, out.size()));
    copies<<<1, N>>>(to, from);
    RAN();
    OK(cudaMemcpy(out.data(), to, out.size(), cudaMemcpyDeviceToHost));
    for (int w = 0; w < WAYS; w++)
        if (memcmp(&out[w * in.size()], in.data(), in.size()) != 0) {
            printf("%s: way %d changed the data\n", name, w);
            exit(1);
        }
    OK(cudaFree(from));
    OK(cudaFree(to));
}
#define TEST(T) test<T>(#T)

// 4, 8 and 16 bytes; half of the lanes fill the rest with zeros; two groups, the older one awaited first.
__global__ void async(int *out, const int *in)
{
    __shared__ __align__(16) int s[3][4 * N];
    int i = threadIdx.x;
    for (int k = 0; k < 3 * 4 * N; k += N)
        s[0][k + i] = -1;
    __syncthreads();
    __pipeline_memcpy_async(&s[0][i], &in[i], 4);
    __pipeline_memcpy_async(&s[1][2 * i], &in[2 * i], 8, i % 2 ? 4 : 0);
    __pipeline_commit();
    __pipeline_memcpy_async(&s[2][4 * i], &in[4 * i], 16, i % 2 ? 8 : 0);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[i] = s[0][i];
    out[N + 2 * i] = s[1][2 * i];
    out[N + 2 * i + 1] = s[1][2 * i + 1];
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 4; k++)
        out[3 * N + 4 * i + k] = s[2][4 * i + k];
}

static void async_copies()
{
    int h[4 * N], got[7 * N], *in, *out;
    for (int i = 0; i < 4 * N; i++)
        h[i] = i + 1000;
    OK(cudaMalloc((void **)&in, sizeof h));
    OK(cudaMalloc((void **)&out, sizeof got));
    OK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
    async<<<1, N>>>(out, in);
    RAN();
    OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        CHECK(got[i] == h[i]);
        CHECK(got[N + 2 * i] == h[2 * i] && got[N + 2 * i + 1] == (i % 2 ? 0 : h[2 * i + 1]));
        for (int k = 0; k < 4; k++)
            CHECK(got[3 * N + 4 * i + k] == (i % 2 && k >= 2 ? 0 : h[4 * i + k]));
    }
    OK(cudaFree(in));
    OK(cudaFree(out));
}

int main()
{
    TEST(char), TEST(signed char), TEST(unsigned char), TEST(short), TEST(unsigned short), TEST(int), TEST(unsigned);
    TEST(long), TEST(unsigned long), TEST(long long), TEST(unsigned long long), TEST(float), TEST(double);
    TEST(char2), TEST(uchar2), TEST(short2), TEST(ushort2), TEST(int2), TEST(uint2), TEST(longlong2);
    TEST(ulonglong2), TEST(float2), TEST(double2);
    TEST(char4), TEST(uchar4), TEST(short4), TEST(ushort4), TEST(int4), TEST(uint4), TEST(float4);
    async_copies();
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
