/* SPDX-License-Identifier: Apache-2.0 */
// What the two files share: variables, functions, and a template that both instantiate.
extern __device__ int counter;
extern __constant__ int table[4];
extern __device__ int twice(int x);
extern __device__ int (*chosen)(int);

template <typename T> __device__ __noinline__ T weighted(T x) { return x * 10 + table[1]; }
template <typename T> __global__ void add(T *to, T by) { *to += weighted(by); }

void fill(int *at);
