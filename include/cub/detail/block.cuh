/* What the primitives of a block have in common: its threads in one row, its warps, and storage that a program need not name. */
#ifndef BANKSHOT_CUB_DETAIL_BLOCK
#define BANKSHOT_CUB_DETAIL_BLOCK

#include <cub/thread/thread_operators.cuh>
#include <cub/util_ptx.cuh>

__BANKSHOT_LINES_OFF
namespace cub
{
namespace detail
{
template <int X, int Y, int Z, typename Storage> struct block {
    enum { THREADS = X * Y * Z, WARPS = (THREADS + 31) / 32, LAST_WARP = THREADS - (WARPS - 1) * 32 };
    typedef Uninitialized<Storage> TempStorage;

    Storage &temp;
    int tid, lane, warp;

    __CUB_DEVICE block(TempStorage &storage) : temp(storage.Alias()) { place(); }
    __CUB_DEVICE block() : temp(own().Alias()) { place(); }

    /* Lanes that warp w has. */
    static __CUB_DEVICE int lanes(int w) { return w == WARPS - 1 ? (int)LAST_WARP : 32; }
    __CUB_DEVICE unsigned mask() const { return LAST_WARP == 32 || warp < WARPS - 1 ? 0xffffffffu : (1u << LAST_WARP % 32) - 1; }

  private:
    __CUB_DEVICE void place()
    {
        tid = RowMajorTid(X, Y, Z);
        lane = tid % 32;
        warp = tid / 32;
    }
    static __CUB_DEVICE TempStorage &own()
    {
        __shared__ TempStorage storage;
        return storage;
    }
};
} // namespace detail
} // namespace cub
__BANKSHOT_LINES_ON

#endif
// SPDX-License-Identifier: Apache-2.0
