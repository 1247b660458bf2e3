// Every atomic function with every type, on global and shared memory, in the three scopes. An address goes through states:
// the old values that threads got and the last state are the first state and what each thread made of its old value.
#include "check.h"

#include <algorithm>
#include <cstdint>
#include <vector>

enum { BLOCKS = 3, THREADS = 64, N = BLOCKS * THREADS };

enum op { ADD, SUB, EXCH, MIN, MAX, INC, DEC, AND, OR, XOR, CAS, NOPS };

// One atomic of the thread's value; which scope is the template's number.
template <class T, int scope> struct apply;
#define SCOPE(number, suffix)                                                                                \
    template <> struct apply<int, number> {                                                                  \
        static __device__ int run(int op, int *p, int v)                                                     \
        {                                                                                                    \
            switch (op) {                                                                                    \
            case ADD: return atomicAdd##suffix(p, v);                                                        \
            case SUB: return atomicSub##suffix(p, v);                                                        \
            case EXCH: return atomicExch##suffix(p, v);                                                      \
            case MIN: return atomicMin##suffix(p, v);                                                        \
            case MAX: return atomicMax##suffix(p, v);                                                        \
            case AND: return atomicAnd##suffix(p, v);                                                        \
            case OR: return atomicOr##suffix(p, v);                                                          \
            case XOR: return atomicXor##suffix(p, v);                                                        \
            default: return atomicCAS##suffix(p, v - 1, v);                                                  \
            }                                                                                                \
        }                                                                                                    \
    };                                                                                                       \
    template <> struct apply<unsigned, number> {                                                             \
        static __device__ unsigned run(int op, unsigned *p, unsigned v)                                      \
        {                                                                                                    \
            switch (op) {                                                                                    \
            case ADD: return atomicAdd##suffix(p, v);                                                        \
            case SUB: return atomicSub##suffix(p, v);                                                        \
            case EXCH: return atomicExch##suffix(p, v);                                                      \
            case MIN: return atomicMin##suffix(p, v);                                                        \
            case MAX: return atomicMax##suffix(p, v);                                                        \
            case INC: return atomicInc##suffix(p, v);                                                        \
            case DEC: return atomicDec##suffix(p, v);                                                        \
            case AND: return atomicAnd##suffix(p, v);                                                        \
            case OR: return atomicOr##suffix(p, v);                                                          \
            case XOR: return atomicXor##suffix(p, v);                                                        \
            default: return atomicCAS##suffix(p, v - 1, v);                                                  \
            }                                                                                                \
        }                                                                                                    \
    };                                                                                                       \
    template <> struct apply<unsigned long long, number> {                                                   \
        static __device__ unsigned long long run(int op, unsigned long long *p, unsigned long long v)        \
        {                                                                                                    \
            switch (op) {                                                                                    \
            case ADD: return atomicAdd##suffix(p, v);                                                        \
            case EXCH: return atomicExch##suffix(p, v);                                                      \
            case MIN: return atomicMin##suffix(p, v);                                                        \
            case MAX: return atomicMax##suffix(p, v);                                                        \
            case AND: return atomicAnd##suffix(p, v);                                                        \
            case OR: return atomicOr##suffix(p, v);                                                          \
            case XOR: return atomicXor##suffix(p, v);                                                        \
            default: return atomicCAS##suffix(p, v - 1, v);                                                  \
            }                                                                                                \
        }                                                                                                    \
    };                                                                                                       \
    template <> struct apply<long long, number> {                                                            \
        static __device__ long long run(int op, long long *p, long long v)                                   \
        {                                                                                                    \
            return op == MIN ? atomicMin##suffix(p, v) : atomicMax##suffix(p, v);                            \
        }                                                                                                    \
    };                                                                                                       \
    template <> struct apply<float, number> {                                                                \
        static __device__ float run(int op, float *p, float v)                                               \
        {                                                                                                    \
            return op == ADD ? atomicAdd##suffix(p, v) : atomicExch##suffix(p, v);                           \
        }                                                                                                    \
    };                                                                                                       \
    template <> struct apply<double, number> {                                                               \
        static __device__ double run(int, double *p, double v) { return atomicAdd##suffix(p, v); }           \
    };
SCOPE(0, )
SCOPE(1, _block)
SCOPE(2, _system)
template <> struct apply<unsigned short, 0> {
    static __device__ unsigned short run(int, unsigned short *p, unsigned short v)
    {
        return atomicCAS(p, (unsigned short)(v - 1), v);
    }
};

// Threads of one block meet at shared memory, all of them at global memory (one block, if the scope is a block).
template <class T, int scope> __global__ void kernel(int op, T *at, T *old, T *shared_last)
{
    __shared__ T s;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        s = at[1];
    __syncthreads();
    old[i] = apply<T, scope>::run(op, at, (T)(i + 1));
    apply<T, scope>::run(op, &s, (T)(threadIdx.x + 1));
    __syncthreads();
    if (threadIdx.x == 0)
        shared_last[blockIdx.x] = s;
}

template <class T> static T next(int op, T state, T v)
{
    switch (op) {
    case ADD: return state + v;
    case SUB: return state - v;
    case EXCH: return v;
    case MIN: return std::min(state, v);
    case MAX: return std::max(state, v);
    case INC: return state >= v ? 0 : state + 1;
    case DEC: return state == 0 || state > v ? v : state - 1;
    case AND: return (T)((uint64_t)state & (uint64_t)v);
    case OR: return (T)((uint64_t)state | (uint64_t)v);
    case XOR: return (T)((uint64_t)state ^ (uint64_t)v);
    default: return state == (T)(v - 1) ? v : state;
    }
}

template <class T> static bool explains(int op, T first, std::vector<T> old, T last)
{
    std::vector<T> made = {first};
    for (size_t i = 0; i < old.size(); i++)
        made.push_back(next(op, old[i], (T)(i + 1)));
    old.push_back(last);
    std::sort(old.begin(), old.end());
    std::sort(made.begin(), made.end());
    return old == made;
}

template <class T, int scope> static void test(int op, T start)
{
    // Blocks of different scopes may not share an address: then one block runs.
    int blocks = scope == 1 ? 1 : BLOCKS, n = blocks * THREADS;
    T init[2] = {start, start}, *at, *old, *shared_last, got[2], sl[BLOCKS];
    std::vector<T> o((size_t)n);
    OK(cudaMalloc((void **)&at, sizeof init));
    OK(cudaMalloc((void **)&old, N * sizeof(T)));
    OK(cudaMalloc((void **)&shared_last, BLOCKS * sizeof(T)));
    OK(cudaMemcpy(at, init, sizeof init, cudaMemcpyHostToDevice));
    kernel<T, scope><<<blocks, THREADS>>>(op, at, old, shared_last);
    RAN();
    OK(cudaMemcpy(got, at, sizeof got, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(o.data(), old, (size_t)n * sizeof(T), cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(sl, shared_last, sizeof sl, cudaMemcpyDeviceToHost));
    if (!explains(op, start, o, got[0])) {
        printf("operation %d, scope %d, %d bytes: the old values do not fit\n", op, scope, (int)sizeof(T));
        exit(1);
    }
    // Operations whose result does not depend on the order.
    if (op == ADD || op == SUB || op == MIN || op == MAX || op == AND || op == OR || op == XOR) {
        T want = start;
        for (int i = 0; i < THREADS; i++)
            want = next(op, want, (T)(i + 1));
        for (int b = 0; b < blocks; b++)
            CHECK(sl[b] == want);
    }
    OK(cudaFree(at));
    OK(cudaFree(old));
    OK(cudaFree(shared_last));
}

template <int scope> static void all()
{
    for (int op = 0; op < NOPS; op++) {
        if (op != INC && op != DEC)
            test<int, scope>(op, op == MIN ? 1000 : op == AND ? -1 : op == CAS ? 5 : -3);
        test<unsigned, scope>(op, op == MIN ? 0x80000010u : op == AND ? ~0u : op == CAS ? 5u : 7u);
        if (op != INC && op != DEC && op != SUB)
            test<unsigned long long, scope>(op, op == MIN || op == ADD ? 1ull << 40 : op == AND ? ~0ull : 9ull);
    }
    test<long long, scope>(MIN, 1ll << 40);
    test<long long, scope>(MAX, -(1ll << 40));
    test<float, scope>(ADD, 0.5f);
    test<float, scope>(EXCH, -1.0f);
    test<double, scope>(ADD, 0.25);
}

int main()
{
    all<0>();
    all<1>();
    all<2>();
    test<unsigned short, 0>(CAS, 3);
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
