// The atomic functions that take memory order and scope: every function with every type, and with every order and scope that it may
// have, on global and shared memory.
#include "check.h"

#include <algorithm>
#include <vector>

enum { BLOCKS = 3, THREADS = 64, N = BLOCKS * THREADS };

// What N threads do to one address, with its start and the value of thread i.
enum op { ADD, SUB, AND, OR, XOR, MIN, MAX, NOPS };

template <class T> __host__ __device__ T start_of(int op)
{
    return op == AND || op == MIN || op == SUB ? (T)100000 : (T)7;
}

template <class T> static T next(int op, T state, T v)
{
    switch (op) {
    case ADD: return state + v;
    case SUB: return state - v;
    case AND: return (T)((long long)state & (long long)v);
    case OR: return (T)((long long)state | (long long)v);
    case XOR: return (T)((long long)state ^ (long long)v);
    case MIN: return std::min(state, v);
    default: return std::max(state, v);
    }
}

template <class T, int order, int scope> struct sum {
    static __device__ T run(int op, T *p, T v)
    {
        return op == ADD ? __nv_atomic_fetch_add(p, v, order, scope) : __nv_atomic_fetch_sub(p, v, order, scope);
    }
    static __device__ void plain(int op, T *p, T v)
    {
        op == ADD ? __nv_atomic_add(p, v, order, scope) : __nv_atomic_sub(p, v, order, scope);
    }
    static bool has(int op) { return op <= SUB; }
};

template <class T, int order, int scope> struct bits {
    static __device__ T run(int op, T *p, T v)
    {
        switch (op) {
        case AND: return __nv_atomic_fetch_and(p, v, order, scope);
        case OR: return __nv_atomic_fetch_or(p, v, order, scope);
        case XOR: return __nv_atomic_fetch_xor(p, v, order, scope);
        case MIN: return __nv_atomic_fetch_min(p, v, order, scope);
        default: return __nv_atomic_fetch_max(p, v, order, scope);
        }
    }
    static __device__ void plain(int op, T *p, T v)
    {
        switch (op) {
        case AND: __nv_atomic_and(p, v, order, scope); break;
        case OR: __nv_atomic_or(p, v, order, scope); break;
        case XOR: __nv_atomic_xor(p, v, order, scope); break;
        case MIN: __nv_atomic_min(p, v, order, scope); break;
        default: __nv_atomic_max(p, v, order, scope);
        }
    }
    static bool has(int op) { return op > SUB; }
};

template <class T, class F> __global__ void operate(int op, T *at, T *old, T *shared_last)
{
    __shared__ T s;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        s = start_of<T>(op);
    __syncthreads();
    old[i] = F::run(op, at, (T)(i + 1));
    F::plain(op, &s, (T)(threadIdx.x + 1));
    __syncthreads();
    if (threadIdx.x == 0)
        shared_last[blockIdx.x] = s;
}

// The states of an address: the old values and the last are the first and what each thread made of its old value.
template <class T, class F> static void test_operations(int blocks)
{
    T *m, last;
    OK(cudaMallocManaged((void **)&m, (1 + N + BLOCKS) * sizeof(T)));
    for (int op = 0; op < NOPS; op++) {
        if (!F::has(op))
            continue;
        m[0] = start_of<T>(op);
        operate<T, F><<<blocks, THREADS>>>(op, m, m + 1, m + 1 + N);
        RAN();
        std::vector<T> old(m + 1, m + 1 + blocks * THREADS), made(1, start_of<T>(op));
        for (size_t i = 0; i < old.size(); i++)
            made.push_back(next(op, old[i], (T)(i + 1)));
        old.push_back(m[0]);
        std::sort(old.begin(), old.end());
        std::sort(made.begin(), made.end());
        CHECK(old == made);
        last = start_of<T>(op);
        for (int i = 0; i < THREADS; i++)
            last = next(op, last, (T)(i + 1));
        for (int b = 0; b < blocks; b++)
            CHECK(m[1 + N + b] == last);
    }
    OK(cudaFree(m));
}

// Exchanges: what was written comes out once. Comparisons: a counter of that type reaches N.
template <class T, int order, int scope> __global__ void exchange(T *at, T *old)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T v = (T)(i + 1);
    if (i & 1)
        __nv_atomic_exchange(at, &v, &old[i], order, scope);
    else
        old[i] = __nv_atomic_exchange_n(at, v, order, scope);
}

template <class T, int order, int scope> __global__ void count(T *at)
{
    T seen = *at, more;
    bool done = false;
    while (!done) {
        more = (T)(seen + 1);
        done = threadIdx.x & 1 ? __nv_atomic_compare_exchange(at, &seen, &more, true, order, __NV_ATOMIC_RELAXED, scope)
                               : __nv_atomic_compare_exchange_n(at, &seen, more, false, __NV_ATOMIC_RELAXED, order, scope);
    }
}

template <class T, int order, int scope> static void test_exchange(int blocks)
{
    T *m;
    OK(cudaMallocManaged((void **)&m, (1 + N) * sizeof(T)));
    m[0] = 0;
    exchange<T, order, scope><<<blocks, THREADS>>>(m, m + 1);
    RAN();
    std::sort(m, m + 1 + blocks * THREADS);
    for (int i = 0; i <= blocks * THREADS; i++)
        CHECK(m[i] == (T)i);
    OK(cudaFree(m));
}

template <class T, int order, int scope> static void test_count(int blocks)
{
    T *m;
    OK(cudaMallocManaged((void **)&m, sizeof(T)));
    m[0] = 0;
    count<T, order, scope><<<blocks, THREADS>>>(m);
    RAN();
    CHECK(m[0] == (T)(blocks * THREADS));
    OK(cudaFree(m));
}

// nvcc wants to see numbers where no type depends on the template.
template <int scope> struct fences;
#define FENCES(scope)                                                                                        \
    template <> struct fences<scope> {                                                                       \
        static __device__ void acq_rel() { __nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL, scope); }           \
        static __device__ void seq_cst() { __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, scope); }           \
    };
FENCES(__NV_THREAD_SCOPE_BLOCK)
FENCES(__NV_THREAD_SCOPE_CLUSTER)
FENCES(__NV_THREAD_SCOPE_DEVICE)
FENCES(__NV_THREAD_SCOPE_SYSTEM)

// The second warp waits for the flag, then reads what the first wrote before it.
template <class T, class I, int release, int acquire, int scope> __global__ void pass(T *data, T *out, I *flag)
{
    __shared__ I shared_flag;
    int lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        shared_flag = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        T v = (T)(lane + 1);
        __nv_atomic_store(&data[lane], &v, __NV_ATOMIC_RELAXED, scope);
        if (lane & 1)
            __nv_atomic_store_n(&data[lane], (T)(lane + 1), __NV_ATOMIC_RELAXED, scope);
        __syncwarp();
        fences<scope>::acq_rel();
        if (lane == 0) {
            __nv_atomic_store_n(flag, 1, release, scope);
            __nv_atomic_store_n(&shared_flag, 1, release, scope);
        }
    } else {
        while (__nv_atomic_load_n(flag, acquire, scope) == 0 || __nv_atomic_load_n(&shared_flag, acquire, scope) == 0)
            ;
        fences<scope>::seq_cst();
        if (lane & 1)
            out[lane] = __nv_atomic_load_n(&data[lane], __NV_ATOMIC_RELAXED, scope);
        else
            __nv_atomic_load(&data[lane], &out[lane], acquire, scope);
    }
}

template <class T, int release, int acquire, int scope> static void test_pass()
{
    T *m;
    int *flag;
    OK(cudaMallocManaged((void **)&m, 64 * sizeof(T)));
    OK(cudaMallocManaged((void **)&flag, sizeof *flag));
    *flag = 0;
    pass<T, int, release, acquire, scope><<<1, 64>>>(m, m + 32, flag);
    RAN();
    for (int i = 0; i < 32; i++)
        CHECK(m[32 + i] == (T)(i + 1));
    OK(cudaFree(m));
    OK(cudaFree(flag));
}

template <int order, int scope> static void in_scope()
{
    // Blocks may not meet at an address in a scope smaller than the device; and a thread alone is not tested.
    int blocks = scope >= __NV_THREAD_SCOPE_DEVICE ? BLOCKS : 1;
    test_operations<int, sum<int, order, scope>>(blocks);
    test_operations<unsigned, sum<unsigned, order, scope>>(blocks);
    test_operations<unsigned long long, sum<unsigned long long, order, scope>>(blocks);
    test_operations<float, sum<float, order, scope>>(blocks);
    test_operations<double, sum<double, order, scope>>(blocks);
    test_operations<int, bits<int, order, scope>>(blocks);
    test_operations<unsigned, bits<unsigned, order, scope>>(blocks);
    test_operations<long long, bits<long long, order, scope>>(blocks);
    test_operations<unsigned long long, bits<unsigned long long, order, scope>>(blocks);
    test_exchange<int, order, scope>(blocks);
    test_exchange<unsigned long long, order, scope>(blocks);
    test_count<unsigned short, order, scope>(blocks);
    test_count<int, order, scope>(blocks);
    test_count<long long, order, scope>(blocks);
}

template <int scope> static void passes()
{
    test_pass<unsigned char, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQUIRE, scope>();
    test_pass<short, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_SEQ_CST, scope>();
    test_pass<int, __NV_ATOMIC_RELEASE, __NV_ATOMIC_CONSUME, scope>();
    test_pass<unsigned long long, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED, scope>();
}

// Types that are no integers, with the scope that is meant when none is named.
__global__ void others(float *f, double2 *wide, float2 *pair, int *result)
{
    float one = 1.0f, was = 0.0f, expected = 1.0f, two = 2.0f;
    __nv_atomic_exchange(f, &one, &was, __NV_ATOMIC_ACQ_REL);
    bool first = __nv_atomic_compare_exchange(f, &expected, &two, false, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_ACQUIRE);
    bool second = __nv_atomic_compare_exchange(f, &expected, &two, false, __NV_ATOMIC_RELEASE, __NV_ATOMIC_RELAXED);
    float now;
    __nv_atomic_load(f, &now, __NV_ATOMIC_SEQ_CST);
    float2 p = {3.0f, 4.0f}, q;
    __nv_atomic_store(pair, &p, __NV_ATOMIC_RELEASE);
    __nv_atomic_load(pair, &q, __NV_ATOMIC_ACQUIRE);
    double2 w = {5.0, 6.0}, v;
    __nv_atomic_store(wide, &w, __NV_ATOMIC_SEQ_CST);
    __nv_atomic_load(wide, &v, __NV_ATOMIC_ACQUIRE);
    *result = was == 9.0f && first && !second && expected == 2.0f && now == 2.0f && q.x == 3.0f && q.y == 4.0f &&
              v.x == 5.0 && v.y == 6.0 && wide->y == 6.0;
}

int main()
{
    in_scope<__NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK>();
    in_scope<__NV_ATOMIC_CONSUME, __NV_THREAD_SCOPE_CLUSTER>();
    in_scope<__NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE>();
    in_scope<__NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM>();
    in_scope<__NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE>();
    in_scope<__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_SYSTEM>();
    passes<__NV_THREAD_SCOPE_BLOCK>();
    passes<__NV_THREAD_SCOPE_CLUSTER>();
    passes<__NV_THREAD_SCOPE_DEVICE>();
    passes<__NV_THREAD_SCOPE_SYSTEM>();
    char *m;
    OK(cudaMallocManaged((void **)&m, 64));
    *(float *)m = 9.0f;
    others<<<1, 1>>>((float *)m, (double2 *)(m + 16), (float2 *)(m + 32), (int *)(m + 48));
    RAN();
    CHECK(*(int *)(m + 48));
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
