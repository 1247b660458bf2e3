/* Sorts of arrays by digits of 8 bits from the lowest, stable, each digit in one pass over the keys (Adinets and Merrill, "Onesweep:
 * A faster least significant digit radix sort for GPUs", 2022): the digits of all passes are counted first; in a pass, each tile
 * ranks its keys and learns from the tiles before it how many of each digit they have. */
#ifndef BANKSHOT_CUB_DEVICE_RADIX_SORT
#define BANKSHOT_CUB_DEVICE_RADIX_SORT

#include <cub/block/block_scan.cuh>
#include <cub/detail/radix.cuh>
#include <cub/detail/temp.cuh>

namespace cub
{
namespace detail
{
enum { SORT_THREADS = 256, SORT_WARPS = SORT_THREADS / 32, SORT_BITS = 8, SORT_DIGITS = 1 << SORT_BITS };
/* A tile's word for a digit: how many keys, and of which tiles that is. */
enum : unsigned { SORT_OWN = 1u << 30, SORT_ALL = 2u << 30, SORT_COUNT = (1u << 30) - 1 };

template <typename K, typename V> struct sort_tile {
    enum { ITEMS = items_of(16, sizeof(K) > sizeof(V) ? sizeof(K) : sizeof(V)), TILE = ITEMS * SORT_THREADS };
};

__CUB_KERNEL(SORT_THREADS) sort_clear_kernel(unsigned *words, unsigned n)
{
    for (unsigned i = blockIdx.x * SORT_THREADS + threadIdx.x; i < n; i += gridDim.x * SORT_THREADS)
        words[i] = 0;
}

template <bool DESCENDING, typename K>
__CUB_KERNEL(SORT_THREADS) sort_count_kernel(const K *keys, unsigned n, unsigned *counts, int begin, int end)
{
    typedef radix_key<K> key;
    enum { PASSES = (key::BITS + SORT_BITS - 1) / SORT_BITS };
    __shared__ unsigned count[PASSES][SORT_DIGITS];
    for (int i = threadIdx.x; i < PASSES * SORT_DIGITS; i += SORT_THREADS)
        (&count[0][0])[i] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * SORT_THREADS + threadIdx.x; i < n; i += gridDim.x * SORT_THREADS) {
        typename key::bits b = key::template in<DESCENDING>(keys[i]);
#pragma unroll
        for (int p = 0; p < PASSES; p++) {
            int shift = begin + p * SORT_BITS, width = end - shift < SORT_BITS ? end - shift : SORT_BITS;
            if (width > 0)
                atomicAdd(&count[p][key::template digit<DESCENDING>(b, shift, (1u << width) - 1)], 1u);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < PASSES * SORT_DIGITS; i += SORT_THREADS)
        if ((&count[0][0])[i])
            atomicAdd(&counts[i], (&count[0][0])[i]);
}

/* Counts of a pass to where its digits begin; a block for each pass. */
__CUB_KERNEL(SORT_DIGITS) sort_begin_kernel(unsigned *counts)
{
    typedef BlockScan<unsigned, SORT_DIGITS> scan;
    __shared__ typename scan::TempStorage temp;
    unsigned *mine = counts + blockIdx.x * SORT_DIGITS + threadIdx.x, sum;
    scan(temp).ExclusiveSum(*mine, sum);
    *mine = sum;
}

template <typename K, typename V> struct sort_storage {
    enum { TILE = sort_tile<K, V>::TILE };
    typedef BlockScan<unsigned, SORT_THREADS> scan;
    unsigned begin[SORT_DIGITS]; /* of a digit: its place in the output less its place in the tile */
    union {
        struct {
            unsigned count[SORT_WARPS][SORT_DIGITS];
            typename scan::TempStorage scan_temp;
        } rank;
        Uninitialized<typename radix_key<K>::bits> keys[TILE];
        Uninitialized<V> values[TILE];
    };
};

/* Lanes with the same digit; `bits` of it count. */
__CUB_DEVICE unsigned sort_peers(unsigned digit)
{
    unsigned peers = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < SORT_BITS; b++) {
        unsigned set = digit >> b & 1, with = __ballot_sync(0xffffffffu, set);
        peers &= set ? with : ~with;
    }
    return peers;
}

/* How many keys with digit d the tiles before this one have; this one has `own`. Thread d asks for its digit. */
__CUB_DEVICE unsigned sort_before(unsigned *states, unsigned own)
{
    unsigned before = 0;
    volatile unsigned *mine = states + blockIdx.x * SORT_DIGITS + threadIdx.x;
    *mine = own | (blockIdx.x == 0 ? SORT_ALL : SORT_OWN);
    if (blockIdx.x == 0)
        return 0;
    for (int t = (int)blockIdx.x - 1;; t--) {
        unsigned word;
        do
            word = ((volatile unsigned *)states)[t * SORT_DIGITS + threadIdx.x];
        while (word == 0);
        before += word & SORT_COUNT;
        if (word & SORT_ALL)
            break;
    }
    *mine = (before + own) | SORT_ALL;
    return before;
}

template <bool DESCENDING, bool PAIRS, typename K, typename V>
__CUB_KERNEL(SORT_THREADS) sort_pass_kernel(const K *keys, K *keys_out, const V *values, V *values_out, unsigned n, int shift,
        int width, const unsigned *begins, unsigned *states)
{
    typedef radix_key<K> key;
    typedef typename key::bits bits;
    enum { ITEMS = sort_tile<K, V>::ITEMS, TILE = sort_tile<K, V>::TILE };
    __shared__ sort_storage<K, V> temp;
    const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32, mask = (1u << width) - 1;
    const unsigned base = blockIdx.x * TILE, valid = n - base < TILE ? n - base : TILE;
    const unsigned first = warp * 32 * ITEMS + lane; /* items of a warp lie side by side */
    bits b[ITEMS];
    unsigned rank[ITEMS];
#pragma unroll
    for (int w = 0; w < SORT_WARPS; w++)
        temp.rank.count[w][tid] = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) /* what is not there sorts to the end */
        b[i] = first + i * 32 < valid ? key::template in<DESCENDING>(keys[base + first + i * 32]) : (bits) ~(bits)0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        unsigned digit = key::template digit<DESCENDING>(b[i], shift, mask), peers = sort_peers(digit);
        unsigned *count = &temp.rank.count[warp][digit], before = *count;
        rank[i] = before + __popc(peers & LaneMaskLt());
        __syncwarp();
        if ((peers & LaneMaskLt()) == 0)
            *count = before + __popc(peers);
        __syncwarp();
    }
    __syncthreads();
    /* Thread d: its digit over the warps, then over the tile. */
    unsigned own = 0, place;
#pragma unroll
    for (int w = 0; w < SORT_WARPS; w++) {
        unsigned c = temp.rank.count[w][tid];
        temp.rank.count[w][tid] = own;
        own += c;
    }
    typename sort_storage<K, V>::scan(temp.rank.scan_temp).ExclusiveSum(own, place);
#pragma unroll
    for (int w = 0; w < SORT_WARPS; w++)
        temp.rank.count[w][tid] += place;
    unsigned absent = tid == mask ? TILE - valid : 0; /* all bits set: they have the last digit */
    temp.begin[tid] = begins[tid] + sort_before(states, own - absent) - place;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        rank[i] += temp.rank.count[warp][key::template digit<DESCENDING>(b[i], shift, mask)];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        temp.keys[rank[i]].Alias() = b[i];
    __syncthreads();
    unsigned to[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        unsigned at = i * SORT_THREADS + tid;
        bits k = temp.keys[at].Alias();
        to[i] = temp.begin[key::template digit<DESCENDING>(k, shift, mask)] + at;
        if (at < valid)
            keys_out[to[i]] = key::template out<DESCENDING>(k);
    }
    if constexpr (PAIRS) {
        V v[ITEMS];
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (first + i * 32 < valid)
                v[i] = values[base + first + i * 32];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            temp.values[rank[i]].Alias() = v[i];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (i * SORT_THREADS + tid < valid)
                values_out[to[i]] = temp.values[i * SORT_THREADS + tid].Alias();
    }
}

template <bool DESCENDING, bool PAIRS, typename K, typename V>
cudaError_t sort_passes(DoubleBuffer<K> &keys, DoubleBuffer<V> &values, const K *keys_in, const V *values_in, unsigned n, int begin,
                        int end, unsigned *counts, unsigned *states, cudaStream_t stream)
{
    enum { TILE = sort_tile<K, V>::TILE };
    int passes = (end - begin + SORT_BITS - 1) / SORT_BITS;
    unsigned tiles = tiles_of(n, TILE), words = tiles * SORT_DIGITS, blocks = (unsigned)multiprocessors() * 4;
    sort_clear_kernel<<<tiles_of(passes * SORT_DIGITS, SORT_THREADS), SORT_THREADS, 0, stream>>>(counts, passes * SORT_DIGITS);
    sort_count_kernel<DESCENDING><<<tiles < blocks ? tiles : blocks, SORT_THREADS, 0, stream>>>(keys_in, n, counts, begin, end);
    sort_begin_kernel<<<passes, SORT_DIGITS, 0, stream>>>(counts);
    for (int p = 0; p < passes; p++) {
        int shift = begin + p * SORT_BITS, width = end - shift < SORT_BITS ? end - shift : (int)SORT_BITS;
        sort_clear_kernel<<<tiles_of(words, SORT_THREADS * 8), SORT_THREADS, 0, stream>>>(states, words);
        sort_pass_kernel<DESCENDING, PAIRS><<<tiles, SORT_THREADS, 0, stream>>>(p ? keys.Current() : keys_in, keys.Alternate(),
                p ? values.Current() : values_in, values.Alternate(), n, shift, width, counts + p * SORT_DIGITS, states);
        keys.selector ^= 1;
        values.selector ^= 1;
    }
    return cudaPeekAtLastError();
}

/* OVERWRITE: both buffers may be written, and either may have the result; else the input stays and the result is in Alternate(). */
template <bool DESCENDING, bool PAIRS, bool OVERWRITE, typename K, typename V>
cudaError_t sort(void *temp, std::size_t &bytes, DoubleBuffer<K> &keys, DoubleBuffer<V> &values, long long n, int begin, int end,
                 cudaStream_t stream)
{
    int passes = end > begin ? (end - begin + SORT_BITS - 1) / SORT_BITS : 0;
    unsigned tiles = tiles_of(n, sort_tile<K, V>::TILE);
    temp_space space(temp);
    unsigned *counts = space.take<unsigned>((std::size_t)passes * SORT_DIGITS);
    unsigned *states = space.take<unsigned>((std::size_t)tiles * SORT_DIGITS);
    K *spare_keys = OVERWRITE || passes < 2 ? nullptr : space.take<K>(n);
    V *spare_values = OVERWRITE || passes < 2 || !PAIRS ? nullptr : space.take<V>(n);
    cudaError_t status;
    if (space.ends(bytes, status))
        return status;
    if (begin < 0 || end > (int)sizeof(K) * 8 || n < 0 || n > SORT_COUNT)
        return cudaErrorInvalidValue;
    const K *keys_in = keys.Current();
    const V *values_in = values.Current();
    if (n == 0 || passes == 0) {
        if (!OVERWRITE && n && keys.Current() != keys.Alternate()) {
            cudaMemcpyAsync(keys.Alternate(), keys_in, n * sizeof(K), cudaMemcpyDeviceToDevice, stream);
            if (PAIRS)
                cudaMemcpyAsync(values.Alternate(), values_in, n * sizeof(V), cudaMemcpyDeviceToDevice, stream);
        }
        return cudaPeekAtLastError();
    }
    if (OVERWRITE)
        return sort_passes<DESCENDING, PAIRS>(keys, values, keys_in, values_in, (unsigned)n, begin, end, counts, states, stream);
    /* From the input to the output or the spare buffer, such that the last pass writes the output. */
    K *out = keys.Alternate();
    V *values_out = values.Alternate();
    bool odd = passes % 2;
    DoubleBuffer<K> k(odd ? spare_keys : out, odd ? out : spare_keys);
    DoubleBuffer<V> v(odd ? spare_values : values_out, odd ? values_out : spare_values);
    return sort_passes<DESCENDING, PAIRS>(k, v, keys_in, values_in, (unsigned)n, begin, end, counts, states, stream);
}
} // namespace detail

struct DeviceRadixSort {
#define __CUB_SORTS(NAME, PAIRS_NAME, DESCENDING)                                                                                    \
    template <typename K, typename N>                                                                                                \
    static cudaError_t NAME(void *temp, std::size_t &bytes, const K *in, K *out, N n, int begin = 0, int end = sizeof(K) * 8,        \
                            cudaStream_t stream = 0, bool = false)                                                                   \
    {                                                                                                                                \
        DoubleBuffer<K> keys(const_cast<K *>(in), out);                                                                              \
        DoubleBuffer<NullType> none;                                                                                                 \
        return detail::sort<DESCENDING, false, false>(temp, bytes, keys, none, n, begin, end, stream);                               \
    }                                                                                                                                \
    template <typename K, typename N>                                                                                                \
    static cudaError_t NAME(void *temp, std::size_t &bytes, DoubleBuffer<K> &keys, N n, int begin = 0, int end = sizeof(K) * 8,      \
                            cudaStream_t stream = 0, bool = false)                                                                   \
    {                                                                                                                                \
        DoubleBuffer<NullType> none;                                                                                                 \
        return detail::sort<DESCENDING, false, true>(temp, bytes, keys, none, n, begin, end, stream);                                \
    }                                                                                                                                \
    template <typename K, typename V, typename N>                                                                                    \
    static cudaError_t PAIRS_NAME(void *temp, std::size_t &bytes, const K *in, K *out, const V *values_in, V *values_out, N n,       \
                                  int begin = 0, int end = sizeof(K) * 8, cudaStream_t stream = 0, bool = false)                     \
    {                                                                                                                                \
        DoubleBuffer<K> keys(const_cast<K *>(in), out);                                                                              \
        DoubleBuffer<V> values(const_cast<V *>(values_in), values_out);                                                              \
        return detail::sort<DESCENDING, true, false>(temp, bytes, keys, values, n, begin, end, stream);                              \
    }                                                                                                                                \
    template <typename K, typename V, typename N>                                                                                    \
    static cudaError_t PAIRS_NAME(void *temp, std::size_t &bytes, DoubleBuffer<K> &keys, DoubleBuffer<V> &values, N n, int begin = 0, \
                                  int end = sizeof(K) * 8, cudaStream_t stream = 0, bool = false)                                    \
    {                                                                                                                                \
        return detail::sort<DESCENDING, true, true>(temp, bytes, keys, values, n, begin, end, stream);                               \
    }
    __CUB_SORTS(SortKeys, SortPairs, false)
    __CUB_SORTS(SortKeysDescending, SortPairsDescending, true)
#undef __CUB_SORTS
};
} // namespace cub

#endif
// SPDX-License-Identifier: Apache-2.0
