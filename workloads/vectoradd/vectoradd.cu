/* c = a + b: one element a thread, nothing reused. The plainest memory-bound kernel there is. */
#include "../workload.h"

#define BLOCK 256

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
    static const int sizes[] = {50000, 4000000, 10000000}, repeats[] = {1, 1, 10};
    int size = parse_size(argc, argv), n = sizes[size];
    size_t bytes = n * sizeof(float);
    float *a = (float *)host_alloc(bytes), *b = (float *)host_alloc(bytes), *c = (float *)host_alloc(bytes);
    uint32_t seed = 12345;
    for (int i = 0; i < n; i++) {
        a[i] = next_float(&seed);
        b[i] = next_float(&seed);
    }
    float *d_a = (float *)device_copy(a, bytes), *d_b = (float *)device_copy(b, bytes);
    float *d_c = (float *)device_alloc(bytes);
    for (int i = 0; i < repeats[size]; i++)
        vector_add<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_b, d_c, n);
    fetch(c, d_c, bytes);

    long wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += c[i] != a[i] + b[i];
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    free(a), free(b), free(c);
    return verdict("vectoradd", wrong);
}
// SPDX-License-Identifier: Apache-2.0
