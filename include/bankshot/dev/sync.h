/* Barriers, fences and time beyond what clang has as builtins (__syncthreads) or in its headers
 * (__threadfence, __syncthreads_count/and/or, clock, clock64, __trap, __brkpt). */
#ifndef BANKSHOT_DEV_SYNC_H
#define BANKSHOT_DEV_SYNC_H

__BANKSHOT_FN void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
__BANKSHOT_FN void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" : : "r"(ns)); }

__BANKSHOT_FN unsigned long long __globaltimer()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

/* Programmatic dependent launch. Before sm_90 they do nothing, as with nvcc. */
__BANKSHOT_FN void cudaGridDependencySynchronize()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
}
__BANKSHOT_FN void cudaTriggerProgrammaticLaunchCompletion()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
#endif
}

/* nvcc's names for named barriers. */
__BANKSHOT_FN void __barrier_sync(unsigned id) { __nvvm_barrier_sync(id); }
__BANKSHOT_FN void __barrier_sync_count(unsigned id, unsigned threads)
{
    __nvvm_barrier_sync_cnt(id, threads);
}
__BANKSHOT_FN void __nv_bar_sync(unsigned id, unsigned threads) { __nvvm_barrier_sync_cnt(id, threads); }

#endif
/* SPDX-License-Identifier: Apache-2.0 */
