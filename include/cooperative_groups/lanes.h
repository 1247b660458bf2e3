/* What groups inside a warp are made of: lane masks, ranks in them, and shuffles of values of any size. Not for programs
 * to include. */
#ifndef BANKSHOT_COOPERATIVE_GROUPS_LANES_H
#define BANKSHOT_COOPERATIVE_GROUPS_LANES_H

#include <host_defines.h>
__BANKSHOT_LINES_OFF

#include <cuda_runtime.h>

#define __CG_FN __device__ inline __attribute__((always_inline))

namespace cooperative_groups
{
namespace __detail
{

static __CG_FN unsigned lane_id() { return (unsigned)__nvvm_read_ptx_sreg_laneid(); }

static __CG_FN unsigned lanes_below() { return (unsigned)__nvvm_read_ptx_sreg_lanemask_lt(); }

static __CG_FN unsigned count(unsigned mask) { return (unsigned)__builtin_popcount(mask); }

/* The lane of the member with this rank; 32 where there are not as many. */
static __CG_FN unsigned lane_of(unsigned mask, unsigned rank)
{
    if (mask == 0xffffffffu)
        return rank;
    for (; rank && mask; rank--)
        mask &= mask - 1;
    return mask ? (unsigned)__builtin_ctz(mask) : 32;
}

/* Lane bits as rank bits. */
static __CG_FN unsigned pack(unsigned lanes, unsigned mask)
{
    if (mask == 0xffffffffu)
        return lanes;
    unsigned packed = 0;
    for (unsigned rank = 0; mask; rank++, mask &= mask - 1)
        packed |= (lanes >> __builtin_ctz(mask) & 1) << rank;
    return packed;
}

/* Members whose rank is in [first, first + n). */
static __CG_FN unsigned slice(unsigned mask, unsigned first, unsigned n)
{
    unsigned lanes = 0;
    for (unsigned rank = 0; mask; rank++, mask &= mask - 1)
        if (rank - first < n)
            lanes |= mask & -mask;
    return lanes;
}

enum shuffle { SHFL_IDX, SHFL_UP, SHFL_DOWN, SHFL_XOR };

/* One word. `width` is a power of two; the last operand is PTX's: segment mask in bits 8 to 12, clamp in the low ones. */
template <shuffle How> static __CG_FN int shuffle_word(unsigned mask, int v, int by, unsigned width)
{
    int segment = (int)((32 - width) << 8);
    if (How == SHFL_IDX)
        return __nvvm_shfl_sync_idx_i32(mask, v, by, segment | 31);
    if (How == SHFL_UP)
        return __nvvm_shfl_sync_up_i32(mask, v, by, segment);
    if (How == SHFL_DOWN)
        return __nvvm_shfl_sync_down_i32(mask, v, by, segment | 31);
    return __nvvm_shfl_sync_bfly_i32(mask, v, by, segment | 31);
}

template <shuffle How, typename T>
static __CG_FN T shuffle_any(unsigned mask, const T &v, int by, unsigned width)
{
    static_assert(__is_trivially_copyable(T), "only trivially copyable values can be shuffled");
    static_assert(sizeof(T) <= 32, "only values of at most 32 bytes can be shuffled");
    enum { WORDS = (sizeof(T) + 3) / 4 };
    int w[WORDS] = {};
    __builtin_memcpy(w, &v, sizeof v);
#pragma unroll
    for (int i = 0; i < WORDS; i++)
        w[i] = shuffle_word<How>(mask, w[i], by, width);
    T r = v; /* needs no default constructor */
    __builtin_memcpy(&r, w, sizeof r);
    return r;
}

template <typename T> static __CG_FN unsigned match_any_lanes(unsigned mask, const T &v)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "match works on values of 4 or 8 bytes");
    long long bits = 0;
    __builtin_memcpy(&bits, &v, sizeof v);
    return sizeof(T) == 8 ? (unsigned)__nvvm_match_any_sync_i64(mask, bits)
                          : (unsigned)__nvvm_match_any_sync_i32(mask, (int)bits);
}

template <typename T> static __CG_FN unsigned match_all_lanes(unsigned mask, const T &v, int &same)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "match works on values of 4 or 8 bytes");
    long long bits = 0;
    __builtin_memcpy(&bits, &v, sizeof v);
    return sizeof(T) == 8 ? (unsigned)__nvvm_match_all_sync_i64p(mask, bits, &same)
                          : (unsigned)__nvvm_match_all_sync_i32p(mask, (int)bits, &same);
}

} // namespace __detail
} // namespace cooperative_groups

__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
