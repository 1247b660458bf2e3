/* threadIdx, blockIdx, blockDim, gridDim, warpSize: reads of special registers. Each is a variable of its
 * own type whose members are properties; nothing is ever stored, so a copy (auto t = threadIdx) reads the
 * registers as well. */
#ifndef BANKSHOT_DEV_VARS_H
#define BANKSHOT_DEV_VARS_H

#define __BANKSHOT_MEMBER(member, sreg)                                                                      \
    __declspec(property(get = __get_##member)) unsigned member;                                              \
    __BANKSHOT_FN unsigned __get_##member() { return __nvvm_read_ptx_sreg_##sreg##_##member(); }

#define __BANKSHOT_VAR(name, sreg)                                                                           \
    struct __bankshot_##name {                                                                               \
        __BANKSHOT_MEMBER(x, sreg)                                                                           \
        __BANKSHOT_MEMBER(y, sreg)                                                                           \
        __BANKSHOT_MEMBER(z, sreg)                                                                           \
        __device__ __inline__ operator dim3() const { return dim3(__get_x(), __get_y(), __get_z()); }        \
        __device__ __inline__ operator uint3() const                                                         \
        {                                                                                                    \
            uint3 __v = {__get_x(), __get_y(), __get_z()};                                                   \
            return __v;                                                                                      \
        }                                                                                                    \
    };                                                                                                       \
    extern const __device__ __attribute__((weak)) __bankshot_##name name

__BANKSHOT_VAR(threadIdx, tid);
__BANKSHOT_VAR(blockIdx, ctaid);
__BANKSHOT_VAR(blockDim, ntid);
__BANKSHOT_VAR(gridDim, nctaid);

#undef __BANKSHOT_VAR
#undef __BANKSHOT_MEMBER

__attribute__((device)) const int warpSize = 32;

#endif
/* SPDX-License-Identifier: Apache-2.0 */
