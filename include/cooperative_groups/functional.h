/* The operations that reductions and scans know. */
#ifndef BANKSHOT_COOPERATIVE_GROUPS_FUNCTIONAL_H
#define BANKSHOT_COOPERATIVE_GROUPS_FUNCTIONAL_H

#include <host_defines.h>
__BANKSHOT_LINES_OFF

#include <cooperative_groups/lanes.h>

namespace cooperative_groups
{

#define __CG_OPERATION(NAME, RESULT)                                                                         \
    template <typename T> struct NAME {                                                                      \
        __CG_FN T operator()(T a, T b) const { return RESULT; }                                              \
    };
__CG_OPERATION(plus, a + b)
__CG_OPERATION(less, b < a ? b : a)
__CG_OPERATION(greater, a < b ? b : a)
__CG_OPERATION(bit_and, a &b)
__CG_OPERATION(bit_or, a | b)
__CG_OPERATION(bit_xor, a ^ b)
#undef __CG_OPERATION

} // namespace cooperative_groups

__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
