/* Loads of a block's items into a blocked or striped arrangement. */
#ifndef BANKSHOT_CUB_BLOCK_LOAD
#define BANKSHOT_CUB_BLOCK_LOAD

#include <cub/block/block_exchange.cuh>

__BANKSHOT_LINES_OFF
namespace cub
{
template <typename T, int N, typename It> __CUB_DEVICE void LoadDirectBlocked(int tid, It from, T (&items)[N])
{
#pragma unroll
    for (int i = 0; i < N; i++)
        items[i] = from[tid * N + i];
}
template <typename T, int N, typename It> __CUB_DEVICE void LoadDirectBlocked(int tid, It from, T (&items)[N], int valid)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        if (tid * N + i < valid)
            items[i] = from[tid * N + i];
}
template <typename T, typename D, int N, typename It>
__CUB_DEVICE void LoadDirectBlocked(int tid, It from, T (&items)[N], int valid, D otherwise)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        items[i] = otherwise;
    LoadDirectBlocked(tid, from, items, valid);
}
template <int THREADS, typename T, int N, typename It> __CUB_DEVICE void LoadDirectStriped(int tid, It from, T (&items)[N])
{
#pragma unroll
    for (int i = 0; i < N; i++)
        items[i] = from[i * THREADS + tid];
}
template <int THREADS, typename T, int N, typename It>
__CUB_DEVICE void LoadDirectStriped(int tid, It from, T (&items)[N], int valid)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        if (i * THREADS + tid < valid)
            items[i] = from[i * THREADS + tid];
}
template <int THREADS, typename T, typename D, int N, typename It>
__CUB_DEVICE void LoadDirectStriped(int tid, It from, T (&items)[N], int valid, D otherwise)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        items[i] = otherwise;
    LoadDirectStriped<THREADS>(tid, from, items, valid);
}

/* Words of 16 bytes where pointer and size allow it. */
template <typename T, int N> __CUB_DEVICE void LoadDirectBlockedVectorized(int tid, const T *from, T (&items)[N])
{
    enum { SIZE = sizeof(T) * N, WIDE = SIZE % 16 == 0 && std::is_trivially_copyable<T>::value };
    if (!WIDE || (std::uintptr_t)from % 16) {
        LoadDirectBlocked(tid, from, items);
        return;
    }
    uint4 v[SIZE / 16 + !WIDE];
#pragma unroll
    for (int i = 0; i < SIZE / 16; i++)
        v[i] = reinterpret_cast<const uint4 *>(from)[tid * (SIZE / 16) + i];
    __builtin_memcpy(items, v, SIZE);
}

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

template <typename T, int X, int N, BlockLoadAlgorithm HOW = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int ARCH = 0>
class BlockLoad
{
    enum { THREADS = X * Y * Z, TRANSPOSES = HOW >= BLOCK_LOAD_TRANSPOSE, STRIPED = HOW == BLOCK_LOAD_STRIPED || TRANSPOSES };
    typedef BlockExchange<T, X, N, false, Y, Z> exchange;
    struct nothing {};

  public:
    typedef typename std::conditional<(TRANSPOSES != 0), typename exchange::TempStorage, nothing>::type TempStorage;

    __CUB_DEVICE BlockLoad(TempStorage &storage) : temp(storage) {}

    template <typename It> __CUB_DEVICE void Load(It from, T (&items)[N])
    {
        int tid = RowMajorTid(X, Y, Z);
        if constexpr (STRIPED)
            LoadDirectStriped<THREADS>(tid, from, items);
        else if constexpr (HOW == BLOCK_LOAD_VECTORIZE && std::is_pointer<It>::value)
            LoadDirectBlockedVectorized(tid, from, items);
        else
            LoadDirectBlocked(tid, from, items);
        to_blocked(items);
    }
    template <typename It> __CUB_DEVICE void Load(It from, T (&items)[N], int valid)
    {
        int tid = RowMajorTid(X, Y, Z);
        if constexpr (STRIPED)
            LoadDirectStriped<THREADS>(tid, from, items, valid);
        else
            LoadDirectBlocked(tid, from, items, valid);
        to_blocked(items);
    }
    template <typename It, typename D> __CUB_DEVICE void Load(It from, T (&items)[N], int valid, D otherwise)
    {
        int tid = RowMajorTid(X, Y, Z);
        if constexpr (STRIPED)
            LoadDirectStriped<THREADS>(tid, from, items, valid, otherwise);
        else
            LoadDirectBlocked(tid, from, items, valid, otherwise);
        to_blocked(items);
    }

  private:
    TempStorage &temp;
    __CUB_DEVICE void to_blocked(T (&items)[N])
    {
        if constexpr (TRANSPOSES)
            exchange(temp).StripedToBlocked(items);
    }
};
} // namespace cub
__BANKSHOT_LINES_ON

#endif
// SPDX-License-Identifier: Apache-2.0
