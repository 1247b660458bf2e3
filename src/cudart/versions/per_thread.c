/* SPDX-License-Identifier: Apache-2.0 */
/* The second form of functions, in which the default stream is the calling thread's own. */
#include "cudart/rt.h"

#define FORM(name, suffix, params, args)                                                                     \
    cudaError_t name##suffix params;                                                                         \
    RT_API cudaError_t name##suffix params                                                                   \
    {                                                                                                        \
        struct rt_thread *t = rt_thread();                                                                   \
        bool before = t->own_default;                                                                        \
        t->own_default = true;                                                                               \
        cudaError_t e = name args;                                                                           \
        t->own_default = before;                                                                             \
        return e;                                                                                            \
    }
#define PTDS(name, params, args) FORM(name, _ptds, params, args)
#define PTSZ(name, params, args) FORM(name, _ptsz, params, args)
#include "cudart/versions/per_thread.def"
