/* Prefixes of a grid's tiles in one pass (Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back",
 * NVIDIA 2016): a tile posts its sum, then adds up what the tiles before it have posted, 32 at a time, back to the first one
 * whose whole prefix is known. */
#ifndef BANKSHOT_CUB_DETAIL_LOOKBACK
#define BANKSHOT_CUB_DETAIL_LOOKBACK

#include <cub/detail/temp.cuh>
#include <cub/util_ptx.cuh>

namespace cub
{
namespace detail
{
enum tile_status { TILE_NOTHING, TILE_PARTIAL, TILE_INCLUSIVE };

template <typename T> struct tile_states {
    unsigned *status;
    Uninitialized<T> *partial, *inclusive;

    tile_states() = default;
    tile_states(temp_space &temp, unsigned tiles)
        : status(temp.take<unsigned>(tiles)), partial(temp.take<Uninitialized<T>>(tiles)),
          inclusive(temp.take<Uninitialized<T>>(tiles))
    {
    }
    __CUB_DEVICE void post(Uninitialized<T> *at, unsigned tile, const T &value, unsigned what)
    {
        at[tile].Alias() = value;
        __threadfence();
        *(volatile unsigned *)&status[tile] = what;
    }
    __CUB_DEVICE void post_partial(unsigned tile, const T &value) { post(partial, tile, value, TILE_PARTIAL); }
    __CUB_DEVICE void post_inclusive(unsigned tile, const T &value) { post(inclusive, tile, value, TILE_INCLUSIVE); }
    __CUB_DEVICE unsigned wait(unsigned tile, T &value)
    {
        unsigned s;
        do
            s = *(volatile unsigned *)&status[tile];
        while (s == TILE_NOTHING);
        __threadfence();
        value = (s == TILE_PARTIAL ? partial : inclusive)[tile].Alias();
        return s;
    }
};

__CUB_KERNEL(128) reset_tiles(unsigned *status, unsigned n)
{
    unsigned i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        status[i] = TILE_NOTHING;
}

/* What comes before a tile, asked by its first warp with the tile's own sum; lane 0 has the answer. Not for the first tile. */
template <typename T, typename Op> struct tile_prefix {
    tile_states<T> states;
    Op op;
    unsigned tile;
    T inclusive; /* afterwards, in lane 0: with the tile's own */

    __CUB_DEVICE tile_prefix(const tile_states<T> &s, Op o, unsigned t) : states(s), op(o), tile(t) {}

    __CUB_DEVICE T operator()(T sum)
    {
        int lane = LaneId();
        T prefix = sum;
        bool has = false;
        if (lane == 0)
            states.post_partial(tile, sum);
        for (int nearest = (int)tile - 1;; nearest -= 32) {
            int t = nearest - lane;
            T v = sum;
            unsigned s = t >= 0 ? states.wait(t, v) : TILE_INCLUSIVE;
            unsigned whole = __ballot_sync(0xffffffffu, s == TILE_INCLUSIVE);
            int last = whole ? __ffs((int)whole) - 1 : 31;
#pragma unroll
            for (int by = 1; by < 32; by *= 2) {
                T older = ShuffleDown<32>(v, by, 0, 0xffffffffu);
                if (lane + by <= last)
                    v = op(older, v);
            }
            prefix = has ? op(v, prefix) : v;
            has = true;
            if (whole)
                break;
        }
        inclusive = op(prefix, sum);
        if (lane == 0)
            states.post_inclusive(tile, inclusive);
        return prefix;
    }
};
} // namespace detail
} // namespace cub

#endif
// SPDX-License-Identifier: Apache-2.0
