/* Clusters of CTAs (compute capability 9.0): where a thread is in its cluster, the cluster's barrier, and the shared memory of its
 * other CTAs. */
#ifndef BANKSHOT_DEV_CLUSTER_H
#define BANKSHOT_DEV_CLUSTER_H

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

#define __BANKSHOT_SREG(name)                                                                                \
    ({                                                                                                       \
        unsigned v;                                                                                          \
        asm("mov.u32 %0, %%" name ";" : "=r"(v));                                                            \
        v;                                                                                                   \
    })
#define __BANKSHOT_SREG3(name)                                                                               \
    dim3(__BANKSHOT_SREG(name ".x"), __BANKSHOT_SREG(name ".y"), __BANKSHOT_SREG(name ".z"))

__BANKSHOT_FN unsigned __clusterDimIsSpecified()
{
    unsigned v;
    asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(v));
    return v;
}
__BANKSHOT_FN dim3 __clusterDim() { return __BANKSHOT_SREG3("cluster_nctaid"); }
__BANKSHOT_FN dim3 __clusterRelativeBlockIdx() { return __BANKSHOT_SREG3("cluster_ctaid"); }
__BANKSHOT_FN dim3 __clusterGridDimInClusters() { return __BANKSHOT_SREG3("nclusterid"); }
__BANKSHOT_FN dim3 __clusterIdx() { return __BANKSHOT_SREG3("clusterid"); }
__BANKSHOT_FN unsigned __clusterRelativeBlockRank() { return __BANKSHOT_SREG("cluster_ctarank"); }
__BANKSHOT_FN unsigned __clusterSizeInBlocks() { return __BANKSHOT_SREG("cluster_nctarank"); }

#undef __BANKSHOT_SREG3
#undef __BANKSHOT_SREG

__BANKSHOT_FN void __cluster_barrier_arrive() { asm volatile("barrier.cluster.arrive;" ::: "memory"); }
__BANKSHOT_FN void __cluster_barrier_arrive_relaxed() { asm volatile("barrier.cluster.arrive.relaxed;"); }
__BANKSHOT_FN void __cluster_barrier_wait() { asm volatile("barrier.cluster.wait;" ::: "memory"); }
__BANKSHOT_FN void __threadfence_cluster() { asm volatile("fence.acq_rel.cluster;" ::: "memory"); }

/* The place in the CTA of that rank that p is in its own. */
__BANKSHOT_FN void *__cluster_map_shared_rank(const void *p, unsigned rank)
{
    unsigned long long d;
    asm("mapa.u64 %0, %1, %2;" : "=l"(d) : "l"((unsigned long long)p), "r"(rank));
    return (void *)d;
}
__BANKSHOT_FN unsigned __cluster_query_shared_rank(const void *p)
{
    unsigned rank;
    asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"((unsigned long long)p));
    return rank;
}
__BANKSHOT_FN unsigned __isClusterShared(const void *p)
{
    unsigned is;
    asm("{ .reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p; }"
        : "=r"(is)
        : "l"((unsigned long long)p));
    return is;
}

#endif

#endif
/* SPDX-License-Identifier: Apache-2.0 */
