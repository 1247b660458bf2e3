/* cooperative_groups::inclusive_scan and exclusive_scan: each member gets the values of those before it, combined in the
 * order of ranks. */
#ifndef BANKSHOT_COOPERATIVE_GROUPS_SCAN_H
#define BANKSHOT_COOPERATIVE_GROUPS_SCAN_H

#include <host_defines.h>
__BANKSHOT_LINES_OFF

#include <cooperative_groups.h>

#if defined(__cplusplus) && defined(__CUDA__)

#include <cooperative_groups/functional.h>

namespace cooperative_groups
{

template <typename Group, typename T, typename Op>
__CG_FN auto inclusive_scan(const Group &g, T v, Op op) -> decltype(op(v, v))
{
    for (unsigned by = 1; by < g.size(); by *= 2) {
        T before = g.shfl_up(v, (int)by);
        if (g.thread_rank() >= by)
            v = op(before, v);
    }
    return v;
}

template <typename Group, typename T> __CG_FN T inclusive_scan(const Group &g, T v)
{
    return inclusive_scan(g, v, plus<T>());
}

/* The first member gets T(), which is what comes before a sum. */
template <typename Group, typename T, typename Op>
__CG_FN auto exclusive_scan(const Group &g, T v, Op op) -> decltype(op(v, v))
{
    T before = g.shfl_up(inclusive_scan(g, v, op), 1);
    return g.thread_rank() ? before : T();
}

template <typename Group, typename T> __CG_FN T exclusive_scan(const Group &g, T v)
{
    return exclusive_scan(g, v, plus<T>());
}

} // namespace cooperative_groups

#endif
__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
