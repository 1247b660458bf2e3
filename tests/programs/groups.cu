/* cooperative_groups: every group and operation against what a formula says. A wrong answer of any thread counts against the
 * line it was asked on. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>
#include <stdio.h>

namespace cg = cooperative_groups;

#define LINES 400
__device__ int wrong[LINES];
#define EXPECT(is)                                                                                           \
    do {                                                                                                     \
        if (!(is))                                                                                           \
            atomicAdd(&wrong[__LINE__], 1);                                                                  \
    } while (0)

__device__ int value(int i) { return i * i % 31 - 7; }

struct wide {
    double d;
    int i[3];
};

template <int N> __device__ void test_tile(cg::thread_block block)
{
    auto tile = cg::tiled_partition<N>(block);
    int me = (int)block.thread_rank(), rank = me % N, base = me - rank;
    EXPECT((int)tile.size() == N && (int)tile.num_threads() == N);
    EXPECT((int)tile.thread_rank() == rank);
    EXPECT((int)tile.meta_group_rank() == me / N);
    EXPECT(tile.meta_group_size() == (block.size() + N - 1) / N);
    for (int k = 0; k < N; k++)
        EXPECT(tile.shfl(value(me), k) == value(base + k));
    for (int k = 0; k < N; k++) {
        EXPECT(tile.shfl_up(value(me), k) == value(rank >= k ? me - k : me));
        EXPECT(tile.shfl_down(value(me), k) == value(rank + k < N ? me + k : me));
        EXPECT(tile.shfl_xor(value(me), k) == value(base + (rank ^ k)));
        EXPECT(tile.shfl((double)value(me) / 3, k) == (double)value(base + k) / 3);
        EXPECT(tile.shfl_down((unsigned char)me, k) == (unsigned char)(rank + k < N ? me + k : me));
    }
    wide w = {me * 0.5, {me, me + 1, me + 2}}, v = tile.shfl(w, N - 1);
    EXPECT(v.d == (base + N - 1) * 0.5 && v.i[0] == base + N - 1 && v.i[2] == base + N + 1);
    unsigned expect = 0, even = 0;
    int sum = 0, most = -1000, before = 0;
    for (int k = 0; k < N; k++) {
        expect |= (unsigned)((base + k) % 3 == 1) << k;
        even |= (unsigned)((base + k) % 2 == me % 2) << k;
        sum += value(base + k);
        most = max(most, value(base + k));
        before += k < rank ? value(base + k) : 0;
    }
    EXPECT(tile.ballot(me % 3 == 1) == expect);
    EXPECT(!tile.any(me % 3 == 1) == !expect);
    EXPECT(!!tile.all(me % 3 == 1) == (expect == (N == 32 ? ~0u : (1u << N % 32) - 1)));
    EXPECT(tile.match_any(me % 2) == even);
    EXPECT(tile.match_any((long long)(me % 2) << 40) == even);
    int same;
    tile.match_all(me / N, same);
    EXPECT(same);
    tile.match_all(me, same);
    EXPECT(!same == (N > 1));
    EXPECT(cg::reduce(tile, value(me), cg::plus<int>()) == sum);
    EXPECT(cg::reduce(tile, (float)value(me), cg::plus<float>()) == (float)sum);
    EXPECT(cg::reduce(tile, value(me), cg::greater<int>()) == most);
    EXPECT(cg::reduce(tile, -(double)value(me), cg::less<double>()) == -(double)most);
    EXPECT(cg::reduce(tile, 1u << rank, cg::bit_or<unsigned>()) == (N == 32 ? ~0u : (1u << N % 32) - 1));
    EXPECT(cg::inclusive_scan(tile, value(me), cg::plus<int>()) == before + value(me));
    EXPECT(cg::exclusive_scan(tile, value(me)) == before);
    tile.sync();
    cg::sync(tile);
    int told = cg::invoke_one_broadcast(
        tile, [=](int add) { return base + add; }, 3);
    EXPECT(told == base + 3);
    __shared__ int once;
    block.sync();
    if (me == 0)
        once = 0;
    block.sync();
    cg::invoke_one(tile, [&]() { atomicAdd(&once, 1); });
    block.sync();
    EXPECT(once == (int)tile.meta_group_size());
    cg::thread_group any = tile;
    EXPECT((int)any.size() == N && (int)any.thread_rank() == rank);
    any.sync();
}

__device__ int sum_of(cg::thread_group g, int *tmp, int v)
{
    int rank = (int)g.thread_rank();
    for (int i = (int)g.size() / 2; i > 0; i /= 2) {
        tmp[rank] = v;
        g.sync();
        if (rank < i)
            v += tmp[rank + i];
        g.sync();
    }
    return v;
}

template <typename Group> __device__ int ranks_in(Group g)
{
    return cg::reduce(g, (int)g.thread_rank(), cg::plus<int>());
}

/* Groups handed to functions, by name and by template. */
__device__ void pass_groups()
{
    __shared__ int tmp[96];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    EXPECT(ranks_in(tile) == 120);
    EXPECT(ranks_in(cg::tiled_partition<4>(tile)) == 6);
    cg::thread_group part = cg::tiled_partition(block, 16);
    int s = sum_of(part, tmp + block.thread_rank() / 16 * 16, 1);
    EXPECT(part.thread_rank() != 0 || s == 16);
    block.sync();
}

__global__ void tiles()
{
    cg::thread_block block = cg::this_thread_block();
    pass_groups();
    test_tile<32>(block);
    test_tile<16>(block);
    test_tile<8>(block);
    test_tile<4>(block);
    test_tile<2>(block);
    test_tile<1>(block);
    auto warp = cg::tiled_partition<32>(block);
    auto four = cg::tiled_partition<4>(warp);
    EXPECT(four.meta_group_size() == 8 && four.meta_group_rank() == warp.thread_rank() / 4);
    cg::thread_group eight = cg::tiled_partition(block, 8);
    EXPECT(eight.size() == 8 && eight.thread_rank() == block.thread_rank() % 8);
    eight.sync();
    cg::thread_group two = cg::tiled_partition(eight, 2);
    EXPECT(two.size() == 2 && two.thread_rank() == block.thread_rank() % 2);
    EXPECT(block.group_index().x == blockIdx.x && block.thread_index().y == threadIdx.y);
    EXPECT(block.dim_threads().x == blockDim.x && block.group_dim().y == blockDim.y);
    EXPECT(block.thread_rank() == threadIdx.y * blockDim.x + threadIdx.x &&
           block.size() == blockDim.x * blockDim.y);
    EXPECT(cg::this_thread().size() == 1);
}

/* `lanes`: who is here. Ranks count those with a bit below one's own. */
__device__ void test_coalesced(const cg::coalesced_group &g, unsigned lanes)
{
    int lane = (int)(threadIdx.x % 32), n = __popc(lanes), rank = __popc(lanes & ((1u << lane) - 1)),
        member[32];
    for (int l = 0, r = 0; l < 32; l++)
        if (lanes >> l & 1)
            member[r++] = l;
    EXPECT((int)g.size() == n && (int)g.num_threads() == n && (int)g.thread_rank() == rank);
    unsigned third = 0, alike = 0;
    int sum = 0, before = 0;
    for (int r = 0; r < n; r++) {
        EXPECT(g.shfl(value(lane), r) == value(member[r]));
        EXPECT(g.shfl_up(value(lane), r) == value(member[rank >= r ? rank - r : rank]));
        EXPECT(g.shfl_down((double)lane, r) == (double)member[rank + r < n ? rank + r : rank]);
        third |= (unsigned)(member[r] % 3 == 0) << r;
        alike |= (unsigned)(member[r] % 5 == lane % 5) << r;
        sum += value(member[r]);
        before += r < rank ? value(member[r]) : 0;
    }
    EXPECT(g.ballot(lane % 3 == 0) == third);
    EXPECT(!g.any(lane % 3 == 0) == !third);
    EXPECT(g.all(lane < 32));
    EXPECT(g.match_any(lane % 5) == alike);
    EXPECT(cg::reduce(g, value(lane), cg::plus<int>()) == sum);
    EXPECT(cg::reduce(g, (double)value(lane), cg::plus<double>()) == (double)sum);
    EXPECT(cg::inclusive_scan(g, value(lane), cg::plus<int>()) == before + value(lane));
    EXPECT(cg::exclusive_scan(g, value(lane), cg::plus<int>()) == before);
    g.sync();
}

__global__ void coalesced(unsigned seed, int *appended, int *count)
{
    unsigned lane = threadIdx.x % 32, lanes = (threadIdx.x / 32 + 1) * seed;
    if (lanes >> lane & 1) {
        cg::coalesced_group g = cg::coalesced_threads();
        test_coalesced(g, lanes);
        cg::coalesced_group part = cg::tiled_partition(g, 4);
        EXPECT(part.thread_rank() == g.thread_rank() % 4);
        EXPECT(part.meta_group_rank() == g.thread_rank() / 4);
        /* one atomic for all: the classic use */
        int first = 0;
        if (g.thread_rank() == 0)
            first = atomicAdd(count, (int)g.size());
        appended[g.shfl(first, 0) + g.thread_rank()] = (int)threadIdx.x;
    }
    __syncwarp();
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    cg::coalesced_group half = cg::binary_partition(warp, lanes >> lane & 1);
    test_coalesced(half, lanes >> lane & 1 ? lanes : ~lanes);
    __syncwarp();
    cg::coalesced_group alike = cg::labeled_partition(warp, (int)(lane % 3));
    test_coalesced(alike, 0x49249249u << lane % 3);
}

/* Sums by halves over the whole grid: only right if everybody waits for everybody. */
__global__ void whole_grid(int *data, int n)
{
    cg::grid_group grid = cg::this_grid();
    EXPECT(grid.is_valid());
    EXPECT(grid.size() == gridDim.x * blockDim.x &&
           grid.thread_rank() == blockIdx.x * blockDim.x + threadIdx.x);
    EXPECT(grid.num_blocks() == gridDim.x && grid.block_rank() == blockIdx.x &&
           grid.group_dim().x == gridDim.x);
    int i = (int)grid.thread_rank();
    for (int half = n / 2; half; half /= 2) {
        if (i < half)
            data[i] += data[i + half];
        if (half & 1)
            cg::sync(grid);
        else
            grid.sync();
    }
}

__global__ void copies(const int *in, int *out, int n)
{
    extern __shared__ int tile[];
    cg::thread_block block = cg::this_thread_block();
    for (int at = 0; at < n; at += 96) {
        int m = n - at < 96 ? n - at : 96;
        cg::memcpy_async(block, tile, in + at, sizeof(int) * m);
        cg::wait(block);
        for (int i = (int)block.thread_rank(); i < m; i += (int)block.size())
            out[at + i] = 2 * tile[m - 1 - i];
        block.sync();
    }
}

static int failed;

static void report(const char *what, int bad)
{
    cudaError_t e = cudaDeviceSynchronize();
    static int lines[LINES], zero[LINES];
    cudaMemcpyFromSymbol(lines, wrong, sizeof lines);
    cudaMemcpyToSymbol(wrong, zero, sizeof zero);
    for (int i = 0; i < LINES; i++)
        if (lines[i])
            printf("%s: line %d, %d threads\n", what, i, lines[i]), bad++;
    if (bad || e != cudaSuccess) {
        printf("%s: FAIL, %s\n", what, cudaGetErrorString(e));
        failed++;
    }
}

int main(void)
{
    int *data, *count, bad = 0;
    cudaMallocManaged((void **)&data, 4096 * sizeof *data);
    cudaMallocManaged((void **)&count, sizeof *count);

    tiles<<<2, dim3(16, 6)>>>();
    report("tiles", 0);

    for (unsigned seed = 1; seed < 0x80000000u; seed = seed * 7 + 3) {
        *count = 0;
        coalesced<<<1, 96>>>(seed, data, count);
        int who = __builtin_popcount(seed) + __builtin_popcount(2 * seed) + __builtin_popcount(3 * seed);
        cudaDeviceSynchronize();
        report("coalesced", *count != who);
        if (seed > 0x80000000u / 8)
            break;
    }

    int n = 1024;
    for (int i = 0; i < n; i++)
        data[i] = i;
    void *args[] = {&data, &n};
    cudaError_t e = cudaLaunchCooperativeKernel((const void *)whole_grid, dim3(16), dim3(64), args, 0, 0);
    cudaDeviceSynchronize();
    report("whole_grid", e != cudaSuccess || data[0] != n * (n - 1) / 2);

    n = 1000;
    for (int i = 0; i < n; i++)
        data[i] = i * 3;
    copies<<<1, 64, 96 * sizeof(int)>>>(data, data + 2048, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        int at = i / 96 * 96, m = n - at < 96 ? n - at : 96;
        bad += data[2048 + i] != 6 * (at + m - 1 - (i - at));
    }
    report("copies", bad);
    printf("%s\n", failed ? "FAIL" : "PASS");
    return failed != 0;
}
// SPDX-License-Identifier: Apache-2.0
