// <cuda/atomic>, <cuda/barrier>, <cuda/pipeline>, <cuda/ptx> and cuda::std: what programs for compute capability 9.0 build on.
// With OLD, what there is before it.
#include "check.h"

#include <cooperative_groups.h>
#include <cstdint>
#include <cuda.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda/std/limits>
#include <cuda/std/utility>
#include <vector>

namespace ptx = cuda::ptx;
#ifndef OLD
namespace cde = cuda::device::experimental;
#endif
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

enum { THREADS = 128, BLOCKS = 4, N = THREADS * BLOCKS };

// ---- atomics ----

struct sums {
    cuda::atomic<int, cuda::thread_scope_device> i;
    cuda::atomic<unsigned long long, cuda::thread_scope_system> u;
    cuda::atomic<float, cuda::thread_scope_device> f;
    cuda::atomic<unsigned short, cuda::thread_scope_device> s[2];
    cuda::atomic<int> least, most;
    int plain;
    cuda::atomic<int, cuda::thread_scope_device> turn;
};

__global__ void add(sums *s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s->i.fetch_add(i, cuda::memory_order_relaxed);
    s->u += 3;
    s->f.fetch_add(0.5f, cuda::std::memory_order_relaxed);
    s->s[i % 2].fetch_add(2);
    s->least.fetch_min(-i);
    s->most.fetch_max(i);
    cuda::atomic_ref<int, cuda::thread_scope_device> r(s->plain);
    int was = r.load();
    while (!r.compare_exchange_weak(was, was + 2, cuda::memory_order_acq_rel))
        ;
    if (threadIdx.x == 0) { // CTAs one after the other
        while (s->turn.load(cuda::memory_order_acquire) != (int)blockIdx.x)
            ;
        s->turn.store((int)blockIdx.x + 1, cuda::memory_order_release);
    }
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
}

static void atomics()
{
    sums *s;
    OK(cudaMallocManaged(&s, sizeof *s));
    new (s) sums{};
    s->u = 5;
    s->plain = 1;
    s->least.store(cuda::std::numeric_limits<int>::max());
    add<<<BLOCKS, THREADS>>>(s);
    RAN();
    CHECK(s->i == N * (N - 1) / 2);
    CHECK(s->u.load() == 5 + 3 * N);
    CHECK(s->f == N / 2);
    CHECK(s->s[0] == N && s->s[1] == N);
    CHECK(s->least == 1 - N && s->most == N - 1);
    CHECK(s->plain == 1 + 2 * N);
    CHECK(s->turn == BLOCKS);
    OK(cudaFree(s));
}

// ---- barriers ----

#pragma nv_diag_suppress static_var_with_dynamic_init

// Sums of neighbours in rounds; half of the threads leave after the second.
__global__ void rounds(int *out)
{
    __shared__ block_barrier b;
    __shared__ int x[THREADS];
    int t = threadIdx.x;
    x[t] = t;
    if (t == 0)
        init(&b, blockDim.x);
    __syncthreads();
    for (int r = 0; r < 4; r++) {
        block_barrier::arrival_token token = b.arrive();
        b.wait(cuda::std::move(token));
        int next = x[(t + 1) % THREADS];
        if (r == 1 && t >= THREADS / 2) {
            b.arrive_and_drop();
            break;
        }
        b.arrive_and_wait();
        x[t] += next;
    }
    __syncthreads();
    out[t] = x[t];
}

// The same with a counter in global memory, across CTAs.
__global__ void across(cuda::barrier<cuda::thread_scope_device> *b, int *x)
{
    if (threadIdx.x)
        return;
    x[blockIdx.x] = (int)blockIdx.x + 1;
    b->arrive_and_wait();
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
        sum += x[i];
    b->arrive_and_wait();
    x[blockIdx.x] = sum;
}

__global__ void start(cuda::barrier<cuda::thread_scope_device> *b, int n) { init(b, n); }

static void barriers()
{
    int *out, h[THREADS], x[THREADS];
    OK(cudaMalloc(&out, sizeof h));
    rounds<<<1, THREADS>>>(out);
    RAN();
    OK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    for (int t = 0; t < THREADS; t++)
        x[t] = t;
    for (int r = 0; r < 4; r++) {
        int old[THREADS];
        std::memcpy(old, x, sizeof x);
        for (int t = 0; t < (r < 1 ? THREADS : THREADS / 2); t++)
            x[t] += old[(t + 1) % THREADS];
    }
    for (int t = 0; t < THREADS; t++)
        CHECK(h[t] == x[t]);

    cuda::barrier<cuda::thread_scope_device> *b;
    OK(cudaMalloc(&b, sizeof *b));
    start<<<1, 1>>>(b, BLOCKS);
    across<<<BLOCKS, 32>>>(b, out);
    RAN();
    OK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < BLOCKS; i++)
        CHECK(h[i] == BLOCKS * (BLOCKS + 1) / 2);
    OK(cudaFree(b));
    OK(cudaFree(out));
}

// ---- copies to a barrier ----

#ifdef OLD
enum { WAYS = 2 };
__device__ static void fence() {}
#else
enum { WAYS = 5 };
__device__ static void fence() { cde::fence_proxy_async_shared_cta(); }
#endif

__global__ void copy(const int *in, int *out, int how)
{
    alignas(128) __shared__ int x[THREADS];
    __shared__ block_barrier b;
    auto block = cooperative_groups::this_thread_block();
    int t = threadIdx.x;
    if (t == 0) {
        init(&b, blockDim.x);
        fence();
    }
    __syncthreads();
    block_barrier::arrival_token token = b.arrive();
    b.wait(std::move(token));
    switch (how) {
    case 0: // every thread its word
        cuda::memcpy_async(&x[t], &in[t], sizeof(int), b);
        token = b.arrive();
        break;
    case 1: // all together
        cuda::memcpy_async(block, x, in, sizeof x, b);
        token = b.arrive();
        break;
#ifndef OLD
    case 2: // a bulk copy
        if (t == 0) {
            cuda::memcpy_async(x, in, cuda::aligned_size_t<16>(sizeof x), b);
            token = b.arrive();
        } else {
            token = b.arrive();
        }
        break;
    case 3: // one that is told
        if (t == 0) {
            cde::cp_async_bulk_global_to_shared(x, in, sizeof x, b);
            token = cuda::device::barrier_arrive_tx(b, 1, sizeof x);
        } else {
            token = b.arrive();
        }
        break;
    default: // by instructions
        if (t == 0) {
            std::uint64_t *native = cuda::device::barrier_native_handle(b);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, x, in, sizeof x, native);
            (void)ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, native, sizeof x);
            while (!ptx::mbarrier_try_wait_parity(native, 1))
                ;
        } else {
            b.arrive_and_wait();
        }
#endif
    }
    if (how < 4)
        b.wait(std::move(token));
    x[t] = x[t] * 2 + how;
    fence();
    __syncthreads();
    if (how < 3) {
        out[t] = x[t];
        return;
    }
#ifndef OLD
    if (t == 0) {
        if (how == 3) {
            cde::cp_async_bulk_shared_to_global(out, x, sizeof x);
            cde::cp_async_bulk_commit_group();
            cde::cp_async_bulk_wait_group_read<0>();
        } else {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, x, sizeof x);
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
        }
    }
#endif
}

static void copies()
{
    int *in, *out, h[THREADS];
    OK(cudaMalloc(&in, sizeof h));
    OK(cudaMalloc(&out, sizeof h));
    for (int i = 0; i < THREADS; i++)
        h[i] = i * 7 + 1;
    OK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
    for (int how = 0; how < WAYS; how++) {
        OK(cudaMemset(out, 0, sizeof h));
        copy<<<1, THREADS>>>(in, out, how);
        RAN();
        OK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
        for (int i = 0; i < THREADS; i++)
            CHECK(h[i] == (i * 7 + 1) * 2 + how);
    }
    OK(cudaFree(in));
    OK(cudaFree(out));
}

#ifndef OLD

// ---- tensors: a box is read, negated, and written or added elsewhere ----

enum { SIDE = 64, BOX = 16 };

__global__ void tile(const __grid_constant__ CUtensorMap map, const __grid_constant__ CUtensorMap to, int how)
{
    alignas(128) __shared__ int x[BOX][BOX];
    __shared__ block_barrier b;
    int t = threadIdx.x, at[2] = {(int)blockIdx.x * BOX, (int)blockIdx.y * BOX};
    if (t == 0) {
        init(&b, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    block_barrier::arrival_token token = b.arrive();
    b.wait(std::move(token));
    if (t == 0) {
        if (how == 0)
            cde::cp_async_bulk_tensor_2d_global_to_shared(x, &map, at[0], at[1], b);
        else
            ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, x, &map, at,
                                      cuda::device::barrier_native_handle(b));
        token = cuda::device::barrier_arrive_tx(b, 1, sizeof x);
    } else {
        token = b.arrive();
    }
    b.wait(std::move(token));
    for (int i = t; i < BOX * BOX; i += blockDim.x)
        x[i / BOX][i % BOX] *= -1;
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (t == 0) {
        if (how == 0)
            cde::cp_async_bulk_tensor_2d_shared_to_global(&to, at[0], at[1], x);
        else
            ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, ptx::op_add, &to, at, x);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
    }
}

static void tensors()
{
    void *entry = NULL;
    cudaDriverEntryPointQueryResult found;
    OK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found));
    auto encode = (decltype(&cuTensorMapEncodeTiled))entry;
    std::vector<int> h(SIDE * SIDE);
    int *in, *out;
    OK(cudaMalloc(&in, h.size() * 4));
    OK(cudaMalloc(&out, h.size() * 4));
    for (int i = 0; i < SIDE * SIDE; i++)
        h[(size_t)i] = i * 13 + 5;
    OK(cudaMemcpy(in, h.data(), h.size() * 4, cudaMemcpyHostToDevice));
    CUtensorMap maps[2];
    for (int i = 0; i < 2; i++) {
        cuuint64_t dims[] = {SIDE, SIDE}, strides[] = {SIDE * 4};
        cuuint32_t box[] = {BOX, BOX}, steps[] = {1, 1};
        CHECK(encode(&maps[i], CU_TENSOR_MAP_DATA_TYPE_INT32, 2, i ? out : in, dims, strides, box, steps,
                     CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                     CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
    }
    for (int how = 0; how < 2; how++) { // the second is added to the first
        tile<<<dim3(SIDE / BOX, SIDE / BOX), 64>>>(maps[0], maps[1], how);
        RAN();
        OK(cudaMemcpy(h.data(), out, h.size() * 4, cudaMemcpyDeviceToHost));
        for (int i = 0; i < SIDE * SIDE; i++)
            CHECK(h[(size_t)i] == -(i * 13 + 5) * (how + 1));
    }
    OK(cudaFree(in));
    OK(cudaFree(out));
}

#endif

// ---- pipelines ----

enum { STEPS = 10 };

// A thread's own, two stages ahead.
__global__ void ahead(const int *in, int *out)
{
    __shared__ int x[3][THREADS];
    int t = threadIdx.x, sum = 0;
    cuda::pipeline<cuda::thread_scope_thread> p = cuda::make_pipeline();
    for (int s = 0, next = 0; s < STEPS; s++) {
        for (; next < STEPS && next < s + 3; next++) {
            p.producer_acquire();
            cuda::memcpy_async(&x[next % 3][t], &in[next * THREADS + t], cuda::aligned_size_t<4>(4), p);
            p.producer_commit();
        }
        p.consumer_wait();
        sum += x[s % 3][t] * (s + 1);
        p.consumer_release();
    }
    out[t] = sum;
}

// A CTA's: all copy and use, or one warp copies for the others.
__global__ void ring(const int *in, int *out, int how)
{
    __shared__ int x[2][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    int t = threadIdx.x, sum = 0;
    bool copies = how == 0 || t < 32, uses = how == 0 || t >= 32;
    cuda::pipeline<cuda::thread_scope_block> p =
        how == 0 ? cuda::make_pipeline(block, &state)
                 : cuda::make_pipeline(block, &state,
                                       copies ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    auto fetch = [&](int s) {
        p.producer_acquire();
        for (int i = t; i < THREADS; i += how ? 32 : THREADS)
            cuda::memcpy_async(&x[s % 2][i], &in[s * THREADS + i], sizeof(int), p);
        p.producer_commit();
    };
    if (how == 0) {
        fetch(0);
        for (int s = 0; s < STEPS; s++) {
            if (s + 1 < STEPS)
                fetch(s + 1);
            p.consumer_wait();
            sum += x[s % 2][THREADS - 1 - t] * (s + 1);
            p.consumer_release();
        }
    } else {
        for (int s = 0; s < STEPS && copies; s++)
            fetch(s);
        for (int s = 0; s < STEPS && uses; s++) {
            p.consumer_wait();
            sum += x[s % 2][THREADS - 1 - t] * (s + 1);
            p.consumer_release();
        }
    }
    out[t] = sum;
}

static void pipelines()
{
    int *in, *out, h[STEPS * THREADS], got[THREADS];
    OK(cudaMalloc(&in, sizeof h));
    OK(cudaMalloc(&out, sizeof got));
    for (int i = 0; i < STEPS * THREADS; i++)
        h[i] = i * 31 % 1009;
    OK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
    for (int how = 0; how < 3; how++) {
        OK(cudaMemset(out, 0, sizeof got));
        if (how == 0)
            ahead<<<1, THREADS>>>(in, out);
        else
            ring<<<1, THREADS>>>(in, out, how - 1);
        RAN();
        OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
        for (int t = 0; t < THREADS; t++) {
            int sum = 0;
            for (int s = 0; s < STEPS; s++)
                sum += h[s * THREADS + (how ? THREADS - 1 - t : t)] * (s + 1);
            CHECK(got[t] == (how == 2 && t < 32 ? 0 : sum));
        }
    }
    OK(cudaFree(in));
    OK(cudaFree(out));
}

int main()
{
    atomics();
    barriers();
    copies();
#ifndef OLD
    tensors();
#endif
    pipelines();
    std::printf("PASS\n");
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
