/* Merging by many threads: each finds where its part of the output begins in both inputs ("merge path", Odeh et al., 2012), then
 * merges a few items by itself. Of equals, those of the first input come first. */
#ifndef BANKSHOT_CUB_DETAIL_MERGE
#define BANKSHOT_CUB_DETAIL_MERGE

#include <cub/util_ptx.cuh>

namespace cub
{
namespace detail
{
enum { MERGE_THREADS = 256 };

template <typename K, typename V> struct merge_tile {
    enum { ITEMS = sizeof(K) <= 8 ? 8 : sizeof(K) <= 16 ? 4 : 1, TILE = ITEMS * MERGE_THREADS };
    static_assert(sizeof(K) * TILE <= 48 * 1024, "keys of this size do not fit into shared memory");
};

/* How many of the first `diagonal` items of the output are a's. */
template <typename A, typename B, typename Less>
__CUB_DEVICE long long merge_path(A a, long long na, B b, long long nb, long long diagonal, Less less)
{
    long long from = diagonal > nb ? diagonal - nb : 0, to = diagonal < na ? diagonal : na;
    while (from < to) {
        long long middle = (from + to) / 2;
        if (less(b[diagonal - 1 - middle], a[middle]))
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

/* Shared memory as an array of keys. */
template <typename K> struct shared_keys {
    Uninitialized<K> *at;
    __CUB_DEVICE K &operator[](long long i) const { return at[i].Alias(); }
};

/* The next ITEMS of the merged [a, a_end) and [b, b_end) of shared memory, and where each was. */
template <int ITEMS, typename K, typename Less>
__CUB_DEVICE void merge_serial(shared_keys<K> keys, int a, int a_end, int b, int b_end, K (&out)[ITEMS], int (&from)[ITEMS],
                               Less less)
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        bool some = a < a_end || b < b_end;
        bool take_b = b < b_end && (a >= a_end || less(keys[b], keys[a]));
        from[i] = take_b ? b : a;
        if (some)
            out[i] = keys[from[i]];
        b += take_b;
        a += !take_b;
    }
}

template <bool PAIRS, typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Less>
__CUB_KERNEL(MERGE_THREADS) merge_block_kernel(Keys keys_in, Values values_in, KeysOut keys_out, ValuesOut values_out, long long n,
        Less less)
{
    typedef value_of<Keys> K;
    typedef value_of<Values> V;
    enum { ITEMS = merge_tile<K, V>::ITEMS, TILE = merge_tile<K, V>::TILE };
    __shared__ Uninitialized<K> storage[TILE];
    __shared__ unsigned short places[PAIRS ? TILE : 1];
    shared_keys<K> keys = {storage};
    long long base = (long long)blockIdx.x * TILE;
    int valid = n - base < TILE ? (int)(n - base) : (int)TILE, mine = threadIdx.x * ITEMS;
    K k[ITEMS];
    int from[ITEMS], place[ITEMS];
    for (int i = threadIdx.x; i < valid; i += MERGE_THREADS)
        keys[i] = keys_in[base + i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        place[i] = mine + i;
        if (mine + i < valid)
            k[i] = keys[mine + i];
    }
    /* A thread's own items: neighbours change places until none is left to. */
#pragma unroll
    for (int round = 0; round < ITEMS; round++)
#pragma unroll
        for (int i = round & 1; i < ITEMS - 1; i += 2)
            if (mine + i + 1 < valid && less(k[i + 1], k[i])) {
                K t = k[i];
                k[i] = k[i + 1];
                k[i + 1] = t;
                int p = place[i];
                place[i] = place[i + 1];
                place[i + 1] = p;
            }
    for (int width = ITEMS; width < TILE; width *= 2) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (mine + i < valid) {
                keys[mine + i] = k[i];
                if (PAIRS)
                    places[mine + i] = place[i];
            }
        __syncthreads();
        int a = mine & -2 * width, a_end = CUB_MIN(a + width, valid), b_end = CUB_MIN(a + 2 * width, valid);
        a = CUB_MIN(a, valid);
        int diagonal = CUB_MIN(mine, valid) - a;
        int taken = (int)merge_path(shared_keys<K>{storage + a}, a_end - a, shared_keys<K>{storage + a_end}, b_end - a_end, diagonal,
                                    less);
        merge_serial(keys, a + taken, a_end, a_end + diagonal - taken, b_end, k, from, less);
        if (PAIRS)
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                if (mine + i < valid)
                    place[i] = places[from[i]];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (mine + i < valid) {
            keys[mine + i] = k[i];
            if (PAIRS)
                places[mine + i] = place[i];
        }
    __syncthreads();
    for (int i = threadIdx.x; i < valid; i += MERGE_THREADS)
        keys_out[base + i] = keys[i];
    if constexpr (PAIRS) {
        V v[ITEMS]; /* read before any is written: it may be in place */
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (i * MERGE_THREADS + threadIdx.x < valid)
                v[i] = values_in[base + places[i * MERGE_THREADS + threadIdx.x]];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (i * MERGE_THREADS + threadIdx.x < valid)
                values_out[base + i * MERGE_THREADS + threadIdx.x] = v[i];
    }
}

/* Sorted pieces of `width` items, two by two. */
template <bool PAIRS, typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Less>
__CUB_KERNEL(MERGE_THREADS) merge_pass_kernel(Keys keys_in, Values values_in, KeysOut keys_out, ValuesOut values_out, long long n,
        long long width, Less less)
{
    typedef value_of<Keys> K;
    typedef value_of<Values> V;
    enum { ITEMS = merge_tile<K, V>::ITEMS, TILE = merge_tile<K, V>::TILE };
    __shared__ Uninitialized<K> storage[TILE];
    __shared__ long long split[2];
    shared_keys<K> keys = {storage};
    long long base = (long long)blockIdx.x * TILE, end = CUB_MIN(base + TILE, n);
    long long a = base / (2 * width) * (2 * width), b = CUB_MIN(a + width, n), b_end = CUB_MIN(b + width, n);
    if (threadIdx.x < 2)
        split[threadIdx.x] = merge_path(keys_in + a, b - a, keys_in + b, b_end - b, (threadIdx.x ? end : base) - a, less);
    __syncthreads();
    long long a0 = a + split[0], b0 = b + base - a - split[0];
    int na = (int)(split[1] - split[0]), all = (int)(end - base);
    for (int i = threadIdx.x; i < all; i += MERGE_THREADS)
        keys[i] = i < na ? keys_in[a0 + i] : keys_in[b0 + i - na];
    __syncthreads();
    K k[ITEMS];
    int from[ITEMS], mine = CUB_MIN((int)threadIdx.x * ITEMS, all);
    int taken = (int)merge_path(keys, na, shared_keys<K>{storage + na}, all - na, mine, less);
    merge_serial(keys, taken, na, na + mine - taken, all, k, from, less);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (mine + i < all) {
            keys[mine + i] = k[i];
            if constexpr (PAIRS)
                values_out[base + mine + i] = values_in[from[i] < na ? a0 + from[i] : b0 + from[i] - na];
        }
    __syncthreads();
    for (int i = threadIdx.x; i < all; i += MERGE_THREADS)
        keys_out[base + i] = keys[i];
}
} // namespace detail
} // namespace cub

#endif
// SPDX-License-Identifier: Apache-2.0
