// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp, atomics, barriers.
// clang-format off
#define TABLE(ROW) \
    ROW(copy_s, int, int, -99, 99, 0, 31, x) \
    ROW(shfl_s, int, int, -99, 99, 0, 31, __shfl_sync(0xffffffffu, x, (int)y)) \
    ROW(shfl_0_s, int, int, -99, 99, 0, 31, __shfl_sync(0xffffffffu, x, 0)) \
    ROW(shfl_xor_s, int, int, -99, 99, 0, 31, __shfl_xor_sync(0xffffffffu, x, 16)) \
    ROW(shfl_up_s, int, int, -99, 99, 0, 31, __shfl_up_sync(0xffffffffu, x, 1)) \
    ROW(shfl_down_8_s, int, int, -99, 99, 0, 31, __shfl_down_sync(0xffffffffu, x, 2, 8)) \
    ROW(warp_sum_s, int, int, -99, 99, 0, 31, [&] { for (int d = 16; d; d /= 2) x += __shfl_xor_sync(0xffffffffu, x, d); return x; }()) \
    ROW(atomic_add_s, int, int, 0, 99, 0, 31, atomicAdd(&o[(int)y], x)) \
    ROW(atomic_sum_s, int, int, 0, 99, 0, 31, (atomicAdd(&o[(int)y], x), x)) \
    ROW(atomic_one_s, int, int, 0, 99, 0, 31, (atomicAdd(o, x), x)) \
    ROW(match_any_s, int, uint, -99, 99, 0, 31, __match_any_sync(0xffffffffu, x)) \
    ROW(copy_f, float, float, 0, 9, 0, 31, x) \
    ROW(shfl_f, float, float, 0, 9, 0, 31, __shfl_sync(0xffffffffu, x, (int)y)) \
    ROW(shfl_0_f, float, float, 0, 9, 0, 31, __shfl_sync(0xffffffffu, x, 0)) \
    ROW(shfl_xor_f, float, float, 0, 9, 0, 31, __shfl_xor_sync(0xffffffffu, x, 16)) \
    ROW(shfl_up_f, float, float, 0, 9, 0, 31, __shfl_up_sync(0xffffffffu, x, 1)) \
    ROW(shfl_down_8_f, float, float, 0, 9, 0, 31, __shfl_down_sync(0xffffffffu, x, 2, 8)) \
    ROW(warp_sum_f, float, float, 0, 9, 0, 31, [&] { for (int d = 16; d; d /= 2) x += __shfl_xor_sync(0xffffffffu, x, d); return x; }()) \
    ROW(atomic_add_f, float, float, 0, 9, 0, 31, atomicAdd(&o[(int)y], x)) \
    ROW(atomic_sum_f, float, float, 0, 9, 0, 31, (atomicAdd(&o[(int)y], x), x)) \
    ROW(atomic_one_f, float, float, 0, 9, 0, 31, (atomicAdd(o, x), x)) \
    ROW(match_any_f, float, uint, 0, 9, 0, 31, __match_any_sync(0xffffffffu, x)) \
    ROW(copy_d, double, double, 0, 9, 0, 31, x) \
    ROW(shfl_d, double, double, 0, 9, 0, 31, __shfl_sync(0xffffffffu, x, (int)y)) \
    ROW(shfl_0_d, double, double, 0, 9, 0, 31, __shfl_sync(0xffffffffu, x, 0)) \
    ROW(shfl_xor_d, double, double, 0, 9, 0, 31, __shfl_xor_sync(0xffffffffu, x, 16)) \
    ROW(shfl_up_d, double, double, 0, 9, 0, 31, __shfl_up_sync(0xffffffffu, x, 1)) \
    ROW(shfl_down_8_d, double, double, 0, 9, 0, 31, __shfl_down_sync(0xffffffffu, x, 2, 8)) \
    ROW(warp_sum_d, double, double, 0, 9, 0, 31, [&] { for (int d = 16; d; d /= 2) x += __shfl_xor_sync(0xffffffffu, x, d); return x; }()) \
    ROW(atomic_add_d, double, double, 0, 9, 0, 31, atomicAdd(&o[(int)y], x)) \
    ROW(atomic_sum_d, double, double, 0, 9, 0, 31, (atomicAdd(&o[(int)y], x), x)) \
    ROW(atomic_one_d, double, double, 0, 9, 0, 31, (atomicAdd(o, x), x)) \
    ROW(match_any_d, double, uint, 0, 9, 0, 31, __match_any_sync(0xffffffffu, x)) \
    ROW(copy_sl, ll, ll, -99, 99, 0, 31, x) \
    ROW(shfl_sl, ll, ll, -99, 99, 0, 31, __shfl_sync(0xffffffffu, x, (int)y)) \
    ROW(shfl_0_sl, ll, ll, -99, 99, 0, 31, __shfl_sync(0xffffffffu, x, 0)) \
    ROW(shfl_xor_sl, ll, ll, -99, 99, 0, 31, __shfl_xor_sync(0xffffffffu, x, 16)) \
    ROW(shfl_up_sl, ll, ll, -99, 99, 0, 31, __shfl_up_sync(0xffffffffu, x, 1)) \
    ROW(shfl_down_8_sl, ll, ll, -99, 99, 0, 31, __shfl_down_sync(0xffffffffu, x, 2, 8)) \
    ROW(warp_sum_sl, ll, ll, -99, 99, 0, 31, [&] { for (int d = 16; d; d /= 2) x += __shfl_xor_sync(0xffffffffu, x, d); return x; }()) \
    ROW(atomic_add_sl, ull, ull, 0, 99, 0, 31, atomicAdd(&o[(int)y], x)) \
    ROW(atomic_sum_sl, ull, ull, 0, 99, 0, 31, (atomicAdd(&o[(int)y], x), x)) \
    ROW(atomic_one_sl, ull, ull, 0, 99, 0, 31, (atomicAdd(o, x), x)) \
    ROW(match_any_sl, ll, uint, -99, 99, 0, 31, __match_any_sync(0xffffffffu, x)) \
    ROW(atomic_max_s, int, int, -99, 99, 0, 31, atomicMax(&o[y], x)) \
    ROW(atomic_min_s, int, int, -99, 99, 0, 31, atomicMin(&o[y], x)) \
    ROW(atomic_exch_s, int, int, -99, 99, 0, 31, atomicExch(&o[y], x)) \
    ROW(atomic_and_s, int, int, -99, 99, 0, 31, atomicAnd(&o[y], x)) \
    ROW(atomic_or_s, int, int, -99, 99, 0, 31, atomicOr(&o[y], x)) \
    ROW(atomic_xor_s, int, int, -99, 99, 0, 31, atomicXor(&o[y], x)) \
    ROW(atomic_sub_s, int, int, -99, 99, 0, 31, atomicSub(&o[y], x)) \
    ROW(atomic_max_ul, ull, ull, 0, 99, 0, 31, atomicMax(&o[(int)y], x)) \
    ROW(atomic_min_ul, ull, ull, 0, 99, 0, 31, atomicMin(&o[(int)y], x)) \
    ROW(atomic_exch_ul, ull, ull, 0, 99, 0, 31, atomicExch(&o[(int)y], x)) \
    ROW(atomic_and_ul, ull, ull, 0, 99, 0, 31, atomicAnd(&o[(int)y], x)) \
    ROW(atomic_max_sl, ll, ll, -99, 99, 0, 31, atomicMax(&o[(int)y], x)) \
    ROW(atomic_inc_u, uint, uint, 0, 99, 0, 31, atomicInc(&o[y], x)) \
    ROW(atomic_dec_u, uint, uint, 0, 99, 0, 31, atomicDec(&o[y], x)) \
    ROW(atomic_cas_s, int, int, -99, 99, 0, 31, atomicCAS(&o[y], z, x)) \
    ROW(atomic_cas_ul, ull, ull, 0, 99, 0, 31, atomicCAS(&o[y], z, x)) \
    ROW(atomic_exch_f, float, float, 0, 99, 0, 31, atomicExch(&o[(int)y], x)) \
    ROW(atomic_counter_s, int, int, 0, 99, 0, 31, atomicAdd(o, 1)) \
    ROW(atomic_if_s, int, int, 0, 99, 0, 31, x > 50 ? atomicAdd(o, 1) : 0) \
    ROW(atomic_max_cas_f, float, float, 0, 99, 0, 31, [&] { int *p = (int *)&o[(int)y], old = *p, seen; do { seen = old; old = atomicCAS(p, seen, __float_as_int(fmaxf(x, __int_as_float(seen)))); } while (seen != old); return x; }()) \
    ROW(atomic_add_h, __half, __half, 0, 1, 0, 31, atomicAdd(&o[(int)(float)y], x)) \
    ROW(atomic_add_h2, __half2, __half2, 0, 1, 0, 9, atomicAdd(&o[0], x)) \
    ROW(atomic_add_block_s, int, int, 0, 99, 0, 31, atomicAdd_block(&o[y], x)) \
    ROW(atomic_cas_h, unsigned short, unsigned short, 0, 99, 0, 31, atomicCAS(&o[y], z, x)) \
    ROW(any_s, int, int, -9, 99, 0, 31, __any_sync(0xffffffffu, x > 0)) \
    ROW(all_s, int, int, -9, 99, 0, 31, __all_sync(0xffffffffu, x > 0)) \
    ROW(ballot_s, int, uint, -9, 99, 0, 31, __ballot_sync(0xffffffffu, x > 0)) \
    ROW(rank_s, int, int, -9, 99, 0, 31, [&] { uint v = __ballot_sync(0xffffffffu, x > 0); return __popc(v & ((1u << (threadIdx.x & 31)) - 1)); }()) \
    ROW(activemask_s, int, uint, -9, 99, 0, 31, x > 0 ? __activemask() : 0) \
    ROW(match_all_s, int, uint, -9, 99, 0, 31, [&] { int p; uint m = __match_all_sync(0xffffffffu, x, &p); return m + p; }()) \
    ROW(reduce_add_s, int, int, -9, 99, 0, 31, __reduce_add_sync(0xffffffffu, x)) \
    ROW(reduce_min_s, int, int, -9, 99, 0, 31, __reduce_min_sync(0xffffffffu, x)) \
    ROW(reduce_max_s, int, int, -9, 99, 0, 31, __reduce_max_sync(0xffffffffu, x)) \
    ROW(reduce_and_u, uint, uint, 0, 99, 0, 31, __reduce_and_sync(0xffffffffu, x)) \
    ROW(reduce_or_u, uint, uint, 0, 99, 0, 31, __reduce_or_sync(0xffffffffu, x)) \
    ROW(reduce_xor_u, uint, uint, 0, 99, 0, 31, __reduce_xor_sync(0xffffffffu, x)) \
    ROW(count_barrier_s, int, int, -9, 99, 0, 31, __syncthreads_count(x > 0)) \
    ROW(or_barrier_s, int, int, -9, 99, 0, 31, __syncthreads_or(x > 0)) \
    ROW(barrier_s, int, int, -9, 99, 0, 31, (__syncthreads(), x)) \
    ROW(syncwarp_s, int, int, -9, 99, 0, 31, (__syncwarp(), x)) \
    ROW(fence_s, int, int, -9, 99, 0, 31, (o[i] = y, __threadfence(), x)) \
    ROW(fence_block_s, int, int, -9, 99, 0, 31, (o[i] = y, __threadfence_block(), x)) \
    ROW(clock_s, int, int, -9, 99, 0, 31, x + (int)clock()) \
    ROW(clock64_sl, ll, ll, -9, 99, 0, 31, x + clock64()) \
    ROW(ldg_s, int, int, -9, 99, 0, 31, __ldg(a + y)) \
    ROW(ldcg_s, int, int, -9, 99, 0, 31, __ldcg(a + y)) \
    ROW(printf_never_s, int, int, 1, 99, 0, 31, x < 0 ? printf("%d\n", x) : x) \
    ROW(assert_sl, ll, ll, 1, 99, 0, 31, x == 0 ? (__trap(), x) : x)
// clang-format on
#include "functions.h"
