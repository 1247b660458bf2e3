/* cooperative_groups::reduce: one value from those of all members, known to each of them afterwards. */
#ifndef BANKSHOT_COOPERATIVE_GROUPS_REDUCE_H
#define BANKSHOT_COOPERATIVE_GROUPS_REDUCE_H

#include <host_defines.h>
__BANKSHOT_LINES_OFF

#include <cooperative_groups.h>

#if defined(__cplusplus) && defined(__CUDA__)

#include <cooperative_groups/functional.h>

namespace cooperative_groups
{
namespace __detail
{

/* Whole words of integers are reduced by one instruction since compute capability 8.0. */
template <typename T, typename Op> struct redux {
    static const bool has = false;
    static __CG_FN T run(unsigned, T v) { return v; }
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define __CG_REDUX(OP, T, SUFFIX)                                                                            \
    template <> struct redux<T, OP<T>> {                                                                     \
        static const bool has = true;                                                                        \
        static __CG_FN T run(unsigned mask, T v)                                                             \
        {                                                                                                    \
            T r;                                                                                             \
            asm volatile("redux.sync." SUFFIX " %0, %1, %2;" : "=r"(r) : "r"(v), "r"(mask));                 \
            return r;                                                                                        \
        }                                                                                                    \
    };
__CG_REDUX(plus, int, "add.s32")
__CG_REDUX(plus, unsigned, "add.u32")
__CG_REDUX(less, int, "min.s32")
__CG_REDUX(less, unsigned, "min.u32")
__CG_REDUX(greater, int, "max.s32")
__CG_REDUX(greater, unsigned, "max.u32")
__CG_REDUX(bit_and, int, "and.b32")
__CG_REDUX(bit_and, unsigned, "and.b32")
__CG_REDUX(bit_or, int, "or.b32")
__CG_REDUX(bit_or, unsigned, "or.b32")
__CG_REDUX(bit_xor, int, "xor.b32")
__CG_REDUX(bit_xor, unsigned, "xor.b32")
#undef __CG_REDUX
#endif

/* A butterfly leaves the result everywhere. */
template <unsigned N, typename P, typename T, typename Op>
static __CG_FN T reduce_tile(const thread_block_tile<N, P> &g, T v, Op op)
{
#pragma unroll
    for (unsigned with = N / 2; with; with /= 2)
        v = op(v, g.shfl_xor(v, (int)with));
    return v;
}

/* Members with gaps between them: halving towards rank 0, then back to all. Each step joins neighbours in rank, so that
 * an operation need not be commutative. */
template <typename T, typename Op> static __CG_FN T reduce_group(const coalesced_group &g, T v, Op op)
{
    for (unsigned by = 1; by < g.size(); by *= 2) {
        T other = g.shfl_down(v, (int)by);
        if (g.thread_rank() % (2 * by) == 0 && g.thread_rank() + by < g.size())
            v = op(v, other);
    }
    return g.shfl(v, 0);
}

} // namespace __detail

template <unsigned N, typename P, typename T, typename Op>
__CG_FN auto reduce(const thread_block_tile<N, P> &g, T v, Op op) -> decltype(op(v, v))
{
    if (__detail::redux<T, Op>::has)
        return __detail::redux<T, Op>::run(g.__lanes(), v);
    return __detail::reduce_tile(g, v, op);
}

template <typename T, typename Op>
__CG_FN auto reduce(const coalesced_group &g, T v, Op op) -> decltype(op(v, v))
{
    if (__detail::redux<T, Op>::has)
        return __detail::redux<T, Op>::run(g.__lanes(), v);
    return __detail::reduce_group(g, v, op);
}

} // namespace cooperative_groups

#endif
__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
