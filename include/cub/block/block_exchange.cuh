/* Items of a block from one arrangement to another, through shared memory. Blocked: thread t has items t * N to t * N + N - 1;
 * striped: item i of thread t is number i * threads + t. */
#ifndef BANKSHOT_CUB_BLOCK_EXCHANGE
#define BANKSHOT_CUB_BLOCK_EXCHANGE

#include <cub/detail/block.cuh>

__BANKSHOT_LINES_OFF
namespace cub
{
namespace detail
{
/* With a gap after 32 items where a thread's items would all lie in the same banks. */
template <typename T, int ITEMS, int N> struct block_exchange_storage {
    enum { PAD = !(N & (N - 1)) && N > 4 };
    Uninitialized<T> item[ITEMS + (PAD ? ITEMS / 32 : 0)];
    __CUB_DEVICE T &at(int i) { return item[PAD ? i + i / 32 : i].Alias(); }
};
} // namespace detail

template <typename T, int X, int N, bool WARP_TIME_SLICING = false, int Y = 1, int Z = 1, int ARCH = 0>
class BlockExchange : detail::block<X, Y, Z, detail::block_exchange_storage<T, X * Y * Z * N, N>>
{
    typedef detail::block<X, Y, Z, detail::block_exchange_storage<T, X * Y * Z * N, N>> base;
    using base::lane;
    using base::temp;
    using base::tid;
    using base::warp;
    enum { THREADS = base::THREADS };

    __CUB_DEVICE int blocked(int i) const { return tid * N + i; }
    __CUB_DEVICE int striped(int i) const { return i * THREADS + tid; }
    __CUB_DEVICE int warp_striped(int i) const { return warp * 32 * N + i * base::lanes(warp) + lane; }

    template <typename U, typename From, typename To> __CUB_DEVICE void move(const T (&in)[N], U (&out)[N], From from, To to)
    {
#pragma unroll
        for (int i = 0; i < N; i++)
            temp.at(from(i)) = in[i];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < N; i++)
            out[i] = temp.at(to(i));
    }

  public:
    typedef typename base::TempStorage TempStorage;
    __CUB_DEVICE BlockExchange(TempStorage &storage) : base(storage) {}
    __CUB_DEVICE BlockExchange() : base() {}

    template <typename U> __CUB_DEVICE void StripedToBlocked(const T (&in)[N], U (&out)[N])
    {
        move(in, out, [this](int i) { return striped(i); }, [this](int i) { return blocked(i); });
    }
    template <typename U> __CUB_DEVICE void BlockedToStriped(const T (&in)[N], U (&out)[N])
    {
        move(in, out, [this](int i) { return blocked(i); }, [this](int i) { return striped(i); });
    }
    template <typename U> __CUB_DEVICE void WarpStripedToBlocked(const T (&in)[N], U (&out)[N])
    {
        move(in, out, [this](int i) { return warp_striped(i); }, [this](int i) { return blocked(i); });
    }
    template <typename U> __CUB_DEVICE void BlockedToWarpStriped(const T (&in)[N], U (&out)[N])
    {
        move(in, out, [this](int i) { return blocked(i); }, [this](int i) { return warp_striped(i); });
    }
    template <typename U, typename Rank> __CUB_DEVICE void ScatterToBlocked(const T (&in)[N], U (&out)[N], const Rank (&rank)[N])
    {
        move(in, out, [&](int i) { return (int)rank[i]; }, [this](int i) { return blocked(i); });
    }
    template <typename U, typename Rank> __CUB_DEVICE void ScatterToStriped(const T (&in)[N], U (&out)[N], const Rank (&rank)[N])
    {
        move(in, out, [&](int i) { return (int)rank[i]; }, [this](int i) { return striped(i); });
    }
    __CUB_DEVICE void StripedToBlocked(T (&x)[N]) { StripedToBlocked(x, x); }
    __CUB_DEVICE void BlockedToStriped(T (&x)[N]) { BlockedToStriped(x, x); }
    __CUB_DEVICE void WarpStripedToBlocked(T (&x)[N]) { WarpStripedToBlocked(x, x); }
    __CUB_DEVICE void BlockedToWarpStriped(T (&x)[N]) { BlockedToWarpStriped(x, x); }
    template <typename Rank> __CUB_DEVICE void ScatterToBlocked(T (&x)[N], const Rank (&rank)[N]) { ScatterToBlocked(x, x, rank); }
    template <typename Rank> __CUB_DEVICE void ScatterToStriped(T (&x)[N], const Rank (&rank)[N]) { ScatterToStriped(x, x, rank); }
};
} // namespace cub
__BANKSHOT_LINES_ON

#endif
// SPDX-License-Identifier: Apache-2.0
