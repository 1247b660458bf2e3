// SPDX-License-Identifier: Apache-2.0
// Run by tests/cudart/test_cubin.c. nvcc 13.0 -O3 -arch=sm_90a -cubin made cast_90a.cubin.
/* Each CTA of a cluster of four brings a quarter of a line and sends it to those of the mask. */
extern "C" __global__ void __cluster_dims__(4) cast(const unsigned long long *in, unsigned long long *out, unsigned mask)
{
    __shared__ __align__(128) unsigned long long line[64];
    __shared__ __align__(8) unsigned long long bar;
    unsigned rank, t = threadIdx.x, at = (unsigned)__cvta_generic_to_shared(line), b = (unsigned)__cvta_generic_to_shared(&bar);
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    line[t] = 0;
    if (t == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;" ::"r"(b) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(b), "r"((mask >> rank & 1) * 512) : "memory");
    }
    asm volatile("fence.proxy.async;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    if (t == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(at + rank * 128),
                     "l"(in + (blockIdx.x / 4 * 4 + rank) * 16), "r"(128), "r"(b), "h"((unsigned short)mask)
                     : "memory");
    asm volatile("{\n.reg .pred p;\nW:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n@p bra D;\nbra W;\nD:\n}" ::"r"(b) : "memory");
    out[blockIdx.x * 64 + t] = line[t];
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
}

/* Each CTA of a cluster of four reads what the next one has, by a shared and by a generic address, and counts itself at that of rank 0. */
extern "C" __global__ void __cluster_dims__(4) ring(unsigned *out)
{
    __shared__ unsigned own[32], count;
    unsigned rank, t = threadIdx.x, next, first, far, v;
    unsigned long long window;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    own[t] = blockIdx.x * 100 + t;
    if (t == 0)
        count = 0;
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(next) : "r"((unsigned)__cvta_generic_to_shared(&own[31 - t])), "r"((rank + 1) % 4));
    asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(first) : "r"((unsigned)__cvta_generic_to_shared(&count)));
    asm("mapa.u64 %0, %1, %2;" : "=l"(window) : "l"(&own[t]), "r"((rank + 3) % 4));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(far) : "r"(next) : "memory");
    asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(first), "r"(t + 1) : "memory");
    v = *(volatile unsigned *)window;
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    out[(blockIdx.x * 32 + t) * 3] = far;
    out[(blockIdx.x * 32 + t) * 3 + 1] = v;
    out[(blockIdx.x * 32 + t) * 3 + 2] = count;
}

/* Maxima of 64 bits by a generic address, at home and at the next CTA: shared memory has no such operation, and code goes another way there.
 * Besides what a CTA knows of its cluster. */
extern "C" __global__ void __cluster_dims__(4) most(unsigned long long *out)
{
    __shared__ unsigned long long top[2];
    unsigned rank, ranks, cluster, clusters, given, t = threadIdx.x;
    unsigned long long to;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(ranks));
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(cluster));
    asm("mov.u32 %0, %%nclusterid.x;" : "=r"(clusters));
    asm("{\n.reg .pred p;\nmov.pred p, %%is_explicit_cluster;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(given));
    if (t < 2)
        top[t] = 0;
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    asm("mapa.u64 %0, %1, %2;" : "=l"(to) : "l"(&top[t & 1]), "r"((rank + (t & 1)) % ranks));
    asm volatile("{\n.reg .u64 old;\natom.max.u64 old, [%0], %1;\n}" ::"l"(to), "l"(((unsigned long long)(blockIdx.x + 1) << 40) + t) : "memory");
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    if (t < 2)
        out[blockIdx.x * 4 + t] = top[t];
    else if (t == 2)
        out[blockIdx.x * 4 + 2] = cluster * 1000 + clusters * 100 + ranks * 10 + given;
}
