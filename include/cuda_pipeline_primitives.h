/* Copies from global to shared memory that run beside the thread: cp.async and its groups. */
#ifndef BANKSHOT_CUDA_PIPELINE_PRIMITIVES_H
#define BANKSHOT_CUDA_PIPELINE_PRIMITIVES_H

#include "host_defines.h"
__BANKSHOT_LINES_OFF

#include "cuda_runtime.h"

#if defined(__CUDACC__)

typedef unsigned long long __mbarrier_t;

/* size_b: 4, 8 or 16; the last zfill_b of them become zero and are not read. */
__BANKSHOT_FN void __pipeline_memcpy_async(void *__restrict__ to, const void *__restrict__ from,
                                           size_t size_b, size_t zfill_b = 0)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(to), read_b = (unsigned)(size_b - zfill_b);
    size_t source = __cvta_generic_to_global(from);
    if (size_b == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                     :
                     : "r"(at), "l"(source), "r"(read_b)
                     : "memory");
    else if (size_b == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;"
                     :
                     : "r"(at), "l"(source), "r"(read_b)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                     :
                     : "r"(at), "l"(source), "r"(read_b)
                     : "memory");
}

__BANKSHOT_FN void __pipeline_commit() { asm volatile("cp.async.commit_group;" : : : "memory"); }

/* Waits until at most that many of the newest groups are under way. */
#define __BANKSHOT_WAIT(n)                                                                                   \
    case n: asm volatile("cp.async.wait_group " #n ";" : : : "memory"); break
__BANKSHOT_FN void __pipeline_wait_prior(size_t groups)
{
    switch (groups) {
        __BANKSHOT_WAIT(1);
        __BANKSHOT_WAIT(2);
        __BANKSHOT_WAIT(3);
        __BANKSHOT_WAIT(4);
        __BANKSHOT_WAIT(5);
        __BANKSHOT_WAIT(6);
        __BANKSHOT_WAIT(7);
    default: asm volatile("cp.async.wait_group 0;" : : : "memory"); /* waiting for more is always right */
    }
}
#undef __BANKSHOT_WAIT

__BANKSHOT_FN void __pipeline_arrive_on(__mbarrier_t *barrier)
{
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];"
                 :
                 : "r"((unsigned)__cvta_generic_to_shared(barrier))
                 : "memory");
}

#endif
__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
