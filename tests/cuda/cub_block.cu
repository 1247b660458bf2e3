// CUB's warp and block primitives against plain loops.
#include "check.h"

#include <algorithm>
#include <cub/cub.cuh>
#include <vector>

struct odd_op { // associative, but the order matters: keeps the first operand's low byte and the second's high bytes
    __host__ __device__ unsigned operator()(unsigned a, unsigned b) const { return (a & 0xff) | (b & 0xffffff00u); }
};
struct vec3 {
    float x, y, z;
};
struct vec3_sum {
    __host__ __device__ vec3 operator()(const vec3 &a, const vec3 &b) const { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
};

static unsigned mix(unsigned i) { return i * 2654435761u ^ i >> 7; }

template <int LANES> __global__ void warps(const int *in, int *out)
{
    typedef cub::WarpReduce<int, LANES> reduce;
    typedef cub::WarpScan<int, LANES> scan;
    __shared__ typename reduce::TempStorage rt[64];
    __shared__ typename scan::TempStorage st[64];
    int t = threadIdx.x, w = t / LANES, total;
    out[t] = reduce(rt[w]).Sum(in[t]);
    out[t + 64] = reduce(rt[w]).Reduce(in[t], cub::Max(), LANES / 2 + 1);
    scan(st[w]).InclusiveSum(in[t], out[t + 128]);
    scan(st[w]).ExclusiveSum(in[t], out[t + 192], total);
    out[t + 256] = total;
    scan(st[w]).ExclusiveScan(in[t], out[t + 320], -5, cub::Max());
    out[t + 384] = reduce(rt[w]).HeadSegmentedSum(in[t], in[t] % 3 == 0);
}

template <int LANES> static void test_warps()
{
    int *d, h[64], got[448];
    for (int i = 0; i < 64; i++)
        h[i] = (int)(mix(i + LANES) % 100);
    OK(cudaMallocManaged((void **)&d, 512 * 4));
    memcpy(d, h, sizeof h);
    warps<LANES><<<1, 64>>>(d, d + 64);
    RAN();
    memcpy(got, d + 64, sizeof got);
    for (int b = 0; b < 64; b += LANES) {
        int sum = 0, most = h[b], segment = h[b];
        bool open = true;
        for (int i = 0; i < LANES; i++) {
            int before = -5;
            for (int j = 0; j < i; j++)
                before = std::max(before, h[b + j]);
            CHECK(got[192 + b + i] == sum && got[320 + b + i] == before);
            sum += h[b + i];
            CHECK(got[128 + b + i] == sum);
            if (i <= LANES / 2)
                most = std::max(most, h[b + i]);
            if (i && h[b + i] % 3 == 0)
                open = false;
            if (i && open)
                segment += h[b + i];
        }
        CHECK(got[b] == sum && got[64 + b] == most && got[256 + b + LANES - 1] == sum && got[384 + b] == segment);
    }
    OK(cudaFree(d));
}

template <int X, int Y, int N> __global__ void blocks(const unsigned *in, unsigned *sum, unsigned *ordered, unsigned *scanned,
        unsigned *striped, vec3 *v)
{
    typedef cub::BlockLoad<unsigned, X, N, cub::BLOCK_LOAD_WARP_TRANSPOSE, Y> load;
    typedef cub::BlockStore<unsigned, X, N, cub::BLOCK_STORE_TRANSPOSE, Y> store;
    typedef cub::BlockReduce<unsigned, X, cub::BLOCK_REDUCE_RAKING, Y> reduce;
    typedef cub::BlockReduce<vec3, X, cub::BLOCK_REDUCE_WARP_REDUCTIONS, Y> reduce3;
    typedef cub::BlockScan<unsigned, X, cub::BLOCK_SCAN_RAKING, Y> scan;
    typedef cub::BlockExchange<unsigned, X, N, false, Y> exchange;
    __shared__ union {
        typename load::TempStorage load_temp;
        typename store::TempStorage store_temp;
        typename reduce::TempStorage reduce_temp;
        typename reduce3::TempStorage reduce3_temp;
        typename scan::TempStorage scan_temp;
        typename exchange::TempStorage exchange_temp;
    } temp;
    int t = threadIdx.y * X + threadIdx.x;
    unsigned x[N], y[N], total;
    load(temp.load_temp).Load(in, x);
    __syncthreads();
    unsigned s = reduce(temp.reduce_temp).Sum(x);
    __syncthreads();
    unsigned o = reduce(temp.reduce_temp).Reduce(x[0], odd_op(), X * Y - 3);
    __syncthreads();
    vec3 one = reduce3(temp.reduce3_temp).Reduce(vec3{1.0f, (float)t, 2.0f * t}, vec3_sum());
    __syncthreads();
    if (t == 0) {
        *sum = s;
        *ordered = o;
        *v = one;
    }
    scan(temp.scan_temp).ExclusiveSum(x, y, total);
    __syncthreads();
    store(temp.store_temp).Store(scanned, y, X * Y * N - 2);
    __syncthreads();
    exchange(temp.exchange_temp).BlockedToStriped(x, y);
    for (int i = 0; i < N; i++)
        striped[t * N + i] = y[i];
    __syncthreads();
    unsigned z = 0;
    scan(temp.scan_temp).ExclusiveScan(x[0], z, 7u, cub::Max());
    scanned[X * Y * N + t] = z;
    if (t == X * Y - 1)
        scanned[X * Y * N - 1] = total;
}

template <int X, int Y, int N> static void test_blocks()
{
    enum { T = X * Y, ALL = T * N };
    unsigned *d, h[ALL];
    vec3 *v;
    for (int i = 0; i < ALL; i++)
        h[i] = mix(i + 17);
    OK(cudaMallocManaged((void **)&d, (2 + 3 * ALL + T) * 4));
    OK(cudaMallocManaged((void **)&v, sizeof *v));
    memcpy(d, h, sizeof h);
    unsigned *scanned = d + ALL + 2, *striped = scanned + ALL + T;
    blocks<X, Y, N><<<1, dim3(X, Y)>>>(d, d + ALL, d + ALL + 1, scanned, striped, v);
    RAN();
    unsigned sum = 0, most = 7;
    for (int i = 0; i < ALL; i++) {
        if (i < ALL - 2)
            CHECK(scanned[i] == sum);
        sum += h[i];
        CHECK(striped[i % T * N + i / T] == h[i]);
    }
    for (int i = 0; i < T; i++) {
        CHECK(scanned[ALL + i] == most);
        most = std::max(most, h[i * N]);
    }
    CHECK(d[ALL] == sum && scanned[ALL - 1] == sum);
    CHECK(d[ALL + 1] == ((h[0] & 0xff) | (h[(T - 4) * N] & 0xffffff00u)));
    CHECK(v->x == T && v->y == T * (T - 1) / 2 && v->z == T * (T - 1));
    OK(cudaFree(d));
    OK(cudaFree(v));
}

template <typename K, int X, int N, int BITS> __global__ void sorts(K *keys, int *values)
{
    typedef cub::BlockRadixSort<K, X, N, int, BITS> sort;
    typedef cub::BlockRadixSort<K, X, N> sort_keys;
    __shared__ union {
        typename sort::TempStorage pairs;
        typename sort_keys::TempStorage keys;
    } temp;
    K k[N];
    int v[N];
    cub::LoadDirectBlocked(threadIdx.x, keys, k);
    cub::LoadDirectBlocked(threadIdx.x, values, v);
    sort(temp.pairs).Sort(k, v);
    __syncthreads();
    cub::StoreDirectBlocked(threadIdx.x, keys + X * N, k);
    cub::StoreDirectBlocked(threadIdx.x, values + X * N, v);
    cub::LoadDirectBlocked(threadIdx.x, keys, k);
    sort_keys(temp.keys).SortDescendingBlockedToStriped(k);
    cub::StoreDirectStriped<X>(threadIdx.x, keys + 2 * X * N, k);
}

template <typename K, int X, int N, int BITS> static void test_sorts()
{
    enum { ALL = X * N };
    K *k;
    int *v;
    OK(cudaMallocManaged((void **)&k, 3 * ALL * sizeof(K)));
    OK(cudaMallocManaged((void **)&v, 2 * ALL * sizeof(int)));
    for (int i = 0; i < ALL; i++) {
        k[i] = (K)((int)(mix(i) % 2001) - 1000) * (K)3;
        v[i] = i;
    }
    std::vector<std::pair<K, int>> want(ALL);
    for (int i = 0; i < ALL; i++)
        want[i] = {k[i], i};
    std::sort(want.begin(), want.end());
    sorts<K, X, N, BITS><<<1, X>>>(k, v);
    RAN();
    for (int i = 0; i < ALL; i++) {
        CHECK(k[ALL + i] == want[i].first && v[ALL + i] == want[i].second);
        CHECK(k[2 * ALL + i] == want[ALL - 1 - i].first);
    }
    OK(cudaFree(k));
    OK(cudaFree(v));
}

__global__ void histogram(const unsigned char *in, unsigned *out)
{
    typedef cub::BlockHistogram<unsigned char, 64, 4, 16, cub::BLOCK_HISTO_ATOMIC> histo;
    __shared__ typename histo::TempStorage temp;
    __shared__ unsigned bins[16];
    unsigned char x[4];
    cub::LoadDirectBlocked(threadIdx.x, in, x);
    histo(temp).Histogram(x, bins);
    __syncthreads();
    if (threadIdx.x < 16)
        out[threadIdx.x] = bins[threadIdx.x];
    typedef cub::BlockDiscontinuity<unsigned char, 64> flags;
    __shared__ typename flags::TempStorage flag_temp;
    int f[4];
    flags(flag_temp).FlagHeads(f, x, cub::Inequality());
    atomicAdd(out + 16, f[0] + f[1] + f[2] + f[3]);
}

static void test_histogram()
{
    unsigned char *in;
    unsigned *out, want[17] = {0};
    OK(cudaMallocManaged((void **)&in, 256));
    OK(cudaMallocManaged((void **)&out, sizeof want));
    out[16] = 0;
    for (int i = 0; i < 256; i++) {
        in[i] = mix(i) % 16;
        want[in[i]]++;
        want[16] += i == 0 || in[i] != in[i - 1];
    }
    histogram<<<1, 64>>>(in, out);
    RAN();
    CHECK(memcmp(out, want, sizeof want) == 0);
    OK(cudaFree(in));
    OK(cudaFree(out));
}

int main()
{
    test_warps<32>();
    test_warps<16>();
    test_warps<4>();
    test_blocks<128, 1, 4>();
    test_blocks<256, 1, 8>();
    test_blocks<32, 6, 1>();
    test_blocks<20, 5, 3>();
    test_sorts<int, 128, 4, 4>();
    test_sorts<unsigned, 64, 9, 6>();
    test_sorts<float, 128, 7, 4>();
    test_sorts<double, 96, 3, 5>();
    test_sorts<short, 256, 4, 4>();
    test_histogram();
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
