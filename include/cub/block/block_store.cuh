/* Stores of a block's items from a blocked or striped arrangement. */
#ifndef BANKSHOT_CUB_BLOCK_STORE
#define BANKSHOT_CUB_BLOCK_STORE

#include <cub/block/block_exchange.cuh>

__BANKSHOT_LINES_OFF
namespace cub
{
template <typename T, int N, typename It> __CUB_DEVICE void StoreDirectBlocked(int tid, It to, T (&items)[N])
{
#pragma unroll
    for (int i = 0; i < N; i++)
        to[tid * N + i] = items[i];
}
template <typename T, int N, typename It> __CUB_DEVICE void StoreDirectBlocked(int tid, It to, T (&items)[N], int valid)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        if (tid * N + i < valid)
            to[tid * N + i] = items[i];
}
template <int THREADS, typename T, int N, typename It> __CUB_DEVICE void StoreDirectStriped(int tid, It to, T (&items)[N])
{
#pragma unroll
    for (int i = 0; i < N; i++)
        to[i * THREADS + tid] = items[i];
}
template <int THREADS, typename T, int N, typename It>
__CUB_DEVICE void StoreDirectStriped(int tid, It to, T (&items)[N], int valid)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        if (i * THREADS + tid < valid)
            to[i * THREADS + tid] = items[i];
}

/* Words of 16 bytes where pointer and size allow it. */
template <typename T, int N> __CUB_DEVICE void StoreDirectBlockedVectorized(int tid, T *to, T (&items)[N])
{
    enum { SIZE = sizeof(T) * N, WIDE = SIZE % 16 == 0 && std::is_trivially_copyable<T>::value };
    if (!WIDE || (std::uintptr_t)to % 16) {
        StoreDirectBlocked(tid, to, items);
        return;
    }
    uint4 v[SIZE / 16 + !WIDE];
    __builtin_memcpy(v, items, SIZE);
#pragma unroll
    for (int i = 0; i < SIZE / 16; i++)
        reinterpret_cast<uint4 *>(to)[tid * (SIZE / 16) + i] = v[i];
}

enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <typename T, int X, int N, BlockStoreAlgorithm HOW = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int ARCH = 0>
class BlockStore
{
    enum { THREADS = X * Y * Z, TRANSPOSES = HOW >= BLOCK_STORE_TRANSPOSE, STRIPED = HOW == BLOCK_STORE_STRIPED || TRANSPOSES };
    typedef BlockExchange<T, X, N, false, Y, Z> exchange;
    struct nothing {};

  public:
    typedef typename std::conditional<(TRANSPOSES != 0), typename exchange::TempStorage, nothing>::type TempStorage;

    __CUB_DEVICE BlockStore(TempStorage &storage) : temp(storage) {}

    template <typename It> __CUB_DEVICE void Store(It to, T (&items)[N])
    {
        int tid = RowMajorTid(X, Y, Z);
        to_striped(items);
        if constexpr (STRIPED)
            StoreDirectStriped<THREADS>(tid, to, items);
        else if constexpr (HOW == BLOCK_STORE_VECTORIZE && std::is_pointer<It>::value)
            StoreDirectBlockedVectorized(tid, to, items);
        else
            StoreDirectBlocked(tid, to, items);
    }
    template <typename It> __CUB_DEVICE void Store(It to, T (&items)[N], int valid)
    {
        int tid = RowMajorTid(X, Y, Z);
        to_striped(items);
        if constexpr (STRIPED)
            StoreDirectStriped<THREADS>(tid, to, items, valid);
        else
            StoreDirectBlocked(tid, to, items, valid);
    }

  private:
    TempStorage &temp;
    __CUB_DEVICE void to_striped(T (&items)[N])
    {
        if constexpr (TRANSPOSES)
            exchange(temp).BlockedToStriped(items);
    }
};
} // namespace cub
__BANKSHOT_LINES_ON

#endif
// SPDX-License-Identifier: Apache-2.0
