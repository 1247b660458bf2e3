/* Lanes, warps and shuffles of values of any type. */
#ifndef BANKSHOT_CUB_UTIL_PTX
#define BANKSHOT_CUB_UTIL_PTX

#include <cub/util_type.cuh>

__BANKSHOT_LINES_OFF
namespace cub
{
__CUB_DEVICE unsigned LaneId() { return __nvvm_read_ptx_sreg_laneid(); }
__CUB_DEVICE unsigned WarpId() { return __nvvm_read_ptx_sreg_warpid(); }
__CUB_DEVICE unsigned LaneMaskLt()
{
    unsigned m;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(m));
    return m;
}
__CUB_DEVICE unsigned LaneMaskLe()
{
    unsigned m;
    asm("mov.u32 %0, %%lanemask_le;" : "=r"(m));
    return m;
}
__CUB_DEVICE unsigned LaneMaskGe() { return ~LaneMaskLt(); }
__CUB_DEVICE void CTA_SYNC() { __syncthreads(); }
__CUB_DEVICE void WARP_SYNC(unsigned mask) { __syncwarp(mask); }

__CUB_DEVICE int RowMajorTid(int dim_x, int dim_y, int dim_z)
{
    return (dim_z == 1 ? 0 : threadIdx.z * dim_x * dim_y) + (dim_y == 1 ? 0 : threadIdx.y * dim_x) + threadIdx.x;
}

/* Lanes of the logical warp of this thread. */
template <int WARP_THREADS> __CUB_DEVICE unsigned WarpMask()
{
    static_assert(WARP_THREADS >= 1 && WARP_THREADS <= 32, "a logical warp has 1 to 32 lanes");
    if (WARP_THREADS == 32)
        return 0xffffffffu;
    return ((1u << (WARP_THREADS % 32)) - 1) << LaneId() / WARP_THREADS * WARP_THREADS;
}

namespace detail
{
/* A value as words, and back. */
template <typename T> struct words_of {
    enum { N = (sizeof(T) + 3) / 4 };
    unsigned at[N];
};

template <typename T, typename Shuffle> __CUB_DEVICE T shuffle(const T &x, Shuffle one)
{
    words_of<T> w = {};
    __builtin_memcpy(&w, &x, sizeof x);
#pragma unroll
    for (int i = 0; i < words_of<T>::N; i++)
        w.at[i] = one(w.at[i]);
    T r = x;
    __builtin_memcpy(&r, &w, sizeof r);
    return r;
}
} // namespace detail

/* Each from the lane `src`, or this many below or above; a lane whose source lies outside keeps its own. */
template <int WARP_THREADS, typename T> __CUB_DEVICE T ShuffleIndex(const T &x, int src, unsigned mask)
{
    return detail::shuffle(x, [=](unsigned w) { return __shfl_sync(mask, w, src, WARP_THREADS); });
}
template <int WARP_THREADS, typename T> __CUB_DEVICE T ShuffleUp(const T &x, int by, int, unsigned mask)
{
    return detail::shuffle(x, [=](unsigned w) { return __shfl_up_sync(mask, w, by, WARP_THREADS); });
}
template <int WARP_THREADS, typename T> __CUB_DEVICE T ShuffleDown(const T &x, int by, int, unsigned mask)
{
    return detail::shuffle(x, [=](unsigned w) { return __shfl_down_sync(mask, w, by, WARP_THREADS); });
}
} // namespace cub
__BANKSHOT_LINES_ON

#endif
// SPDX-License-Identifier: Apache-2.0
