/* Hopper's asynchronous units: rate and latency of products of warp groups, bulk and tensor copies, barrier objects, clusters
 * and the memory that their CTAs share. Prints name, parameter and cycles, of copies for the first CTA, until it had asked, and
 * for the slowest CTA. Needs a real GPU (clock64): nvcc -gencode arch=compute_90a,code=sm_90a async.cu -lcuda. */
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda_fp16.h>
#include <initializer_list>

enum { TURNS = 64, SHARED_B = 200 * 1024 };

#define DO(call)                                                                                             \
    do {                                                                                                     \
        cudaError_t e_ = (call);                                                                             \
        if (e_ != cudaSuccess) {                                                                             \
            printf("# line %d: %s\n", __LINE__, cudaGetErrorString(e_));                                     \
            return;                                                                                          \
        }                                                                                                    \
    } while (0)

static __device__ uint32_t shared_of(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

static __device__ void bar_init(uint64_t *b, uint32_t n)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_of(b)), "r"(n));
    asm volatile("fence.mbarrier_init.release.cluster;");
    asm volatile("fence.proxy.async;");
}

static __device__ void bar_expect(uint64_t *b, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_of(b)), "r"(bytes) : "memory");
}

static __device__ void bar_wait(uint64_t *b, uint32_t parity)
{
    asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@p bra DONE;\nbra AGAIN;\nDONE:\n}" ::"r"(
                     shared_of(b)),
                 "r"(parity)
                 : "memory");
}

static __device__ void copy_in(void *to, const void *from, uint32_t n, uint64_t *b)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_of(to)),
                 "l"(from), "r"(n), "r"(shared_of(b))
                 : "memory");
}

/* ---- matrix products ---- */

#define REGS_8 \
    "{d0, d1, d2, d3}"
#define REGS_16 \
    "{d0, d1, d2, d3, d4, d5, d6, d7}"
#define REGS_32 \
    "{d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15}"
#define REGS_64 \
    "{d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, " \
    "d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29, d30, d31}"
#define REGS_96 \
    "{d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, " \
    "d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29, d30, d31, " \
    "d32, d33, d34, d35, d36, d37, d38, d39, d40, d41, d42, d43, d44, d45, d46, d47}"
#define REGS_128 \
    "{d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, " \
    "d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29, d30, d31, " \
    "d32, d33, d34, d35, d36, d37, d38, d39, d40, d41, d42, d43, d44, d45, d46, d47, " \
    "d48, d49, d50, d51, d52, d53, d54, d55, d56, d57, d58, d59, d60, d61, d62, d63}"
#define REGS_192 \
    "{d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, " \
    "d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29, d30, d31, " \
    "d32, d33, d34, d35, d36, d37, d38, d39, d40, d41, d42, d43, d44, d45, d46, d47, " \
    "d48, d49, d50, d51, d52, d53, d54, d55, d56, d57, d58, d59, d60, d61, d62, d63, " \
    "d64, d65, d66, d67, d68, d69, d70, d71, d72, d73, d74, d75, d76, d77, d78, d79, " \
    "d80, d81, d82, d83, d84, d85, d86, d87, d88, d89, d90, d91, d92, d93, d94, d95}"
#define REGS_256 \
    "{d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, " \
    "d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29, d30, d31, " \
    "d32, d33, d34, d35, d36, d37, d38, d39, d40, d41, d42, d43, d44, d45, d46, d47, " \
    "d48, d49, d50, d51, d52, d53, d54, d55, d56, d57, d58, d59, d60, d61, d62, d63, " \
    "d64, d65, d66, d67, d68, d69, d70, d71, d72, d73, d74, d75, d76, d77, d78, d79, " \
    "d80, d81, d82, d83, d84, d85, d86, d87, d88, d89, d90, d91, d92, d93, d94, d95, " \
    "d96, d97, d98, d99, d100, d101, d102, d103, d104, d105, d106, d107, d108, d109, d110, d111, " \
    "d112, d113, d114, d115, d116, d117, d118, d119, d120, d121, d122, d123, d124, d125, d126, d127}"

/* Swizzle of 128 bytes, rows of 128 bytes, groups of 8 rows 1,024 bytes apart. */
static __device__ uint64_t desc(const void *p)
{
    return (uint64_t)(shared_of(p) >> 4 & 0x3fff) | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

/* LOOP products in a row, each with a k of 16, then one wait. */
#define PRODUCT(N)                                                                                           \
    __global__ void __launch_bounds__(N > 128 ? 256 : 512) product_##N(long long *took, int turns, int loop, float *sink) \
    {                                                                                                        \
        extern __shared__ __align__(1024) char mem[];                                                        \
        for (int i = threadIdx.x; i < 96 * 1024 / 4; i += blockDim.x)                                        \
            ((uint32_t *)mem)[i] = 0;                                                                        \
        asm volatile("fence.proxy.async;");                                                                  \
        uint64_t a = desc(mem + threadIdx.x / 128 * 8192), b = desc(mem + 32768);                            \
        __syncthreads();                                                                                     \
        long long begin = clock64();                                                                         \
        asm volatile("{\n.reg .f32 d<" #N ">;\n.reg .pred p, q;\n.reg .b32 t, l;\n"                          \
                     "setp.ne.b32 p, %2, 0;\nmov.b32 t, 0;\n"                                                \
                     "TURN:\nwgmma.fence.sync.aligned;\nmov.b32 l, 0;\n"                                     \
                     "LOOP:\n"                                                                               \
                     "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.f16.f16 " REGS_##N ", %0, %1, p, 1, 1, 0, 0;\n" \
                     "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.f16.f16 " REGS_##N ", %0, %1, p, 1, 1, 0, 0;\n" \
                     "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.f16.f16 " REGS_##N ", %0, %1, p, 1, 1, 0, 0;\n" \
                     "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.f16.f16 " REGS_##N ", %0, %1, p, 1, 1, 0, 0;\n" \
                     "add.u32 l, l, 4;\nsetp.lt.u32 q, l, %4;\n@q bra LOOP;\n"                               \
                     "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"                  \
                     "add.u32 t, t, 1;\nsetp.lt.u32 q, t, %3;\n@q bra TURN;\n@q st.global.f32 [%5], d0;\n}" ::"l"(a),                    \
                     "l"(b), "r"(turns), "r"(turns), "r"(loop), "l"(sink)                                               \
                     : "memory");                                                                            \
        __syncthreads();                                                                                     \
        if (threadIdx.x == 0)                                                                                \
            *took = clock64() - begin;                                                                       \
    }                                                                                                        \
    __global__ void __launch_bounds__(N > 128 ? 256 : 512) from_regs_##N(long long *took, int turns, int loop, float *sink) \
    {                                                                                                        \
        extern __shared__ __align__(1024) char mem[];                                                        \
        for (int i = threadIdx.x; i < 96 * 1024 / 4; i += blockDim.x)                                        \
            ((uint32_t *)mem)[i] = 0;                                                                        \
        asm volatile("fence.proxy.async;");                                                                  \
        uint64_t b = desc(mem + 32768);                                                                      \
        uint32_t a = 0;                                                                                      \
        __syncthreads();                                                                                     \
        long long begin = clock64();                                                                         \
        asm volatile("{\n.reg .f32 d<" #N ">;\n.reg .pred p, q;\n.reg .b32 t, l;\n"                          \
                     "setp.ne.b32 p, %2, 0;\nmov.b32 t, 0;\n"                                                \
                     "TURN:\nwgmma.fence.sync.aligned;\nmov.b32 l, 0;\n"                                     \
                     "LOOP:\n"                                                                               \
                     "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.f16.f16 " REGS_##N ", {%0, %0, %0, %0}, %1, p, 1, 1, 0;\n" \
                     "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.f16.f16 " REGS_##N ", {%0, %0, %0, %0}, %1, p, 1, 1, 0;\n" \
                     "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.f16.f16 " REGS_##N ", {%0, %0, %0, %0}, %1, p, 1, 1, 0;\n" \
                     "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.f16.f16 " REGS_##N ", {%0, %0, %0, %0}, %1, p, 1, 1, 0;\n" \
                     "add.u32 l, l, 4;\nsetp.lt.u32 q, l, %4;\n@q bra LOOP;\n"                               \
                     "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"                  \
                     "add.u32 t, t, 1;\nsetp.lt.u32 q, t, %3;\n@q bra TURN;\n@q st.global.f32 [%5], d0;\n}" ::"r"(a),                    \
                     "l"(b), "r"(turns), "r"(turns), "r"(loop), "l"(sink)                                               \
                     : "memory");                                                                            \
        __syncthreads();                                                                                     \
        if (threadIdx.x == 0)                                                                                \
            *took = clock64() - begin;                                                                       \
    }

PRODUCT(8)
PRODUCT(16)
PRODUCT(32)
PRODUCT(64)
PRODUCT(96)
PRODUCT(128)
PRODUCT(192)
PRODUCT(256)

typedef void kernel(long long *, int, int, float *);

static void measure_product(const char *what, int n, kernel *k, long long *took)
{
    DO(cudaFuncSetAttribute((void *)k, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_B));
    for (int groups : {1, 2, 4}) {
        if (n > 128 && groups == 4)
            continue;
        for (int loop : {4, 8, 32}) {
            long long got[3];
            for (int t = 1; t < 3; t++) {
                k<<<1, groups * 128, SHARED_B>>>(took, t * TURNS, loop, (float *)took + 512);
                DO(cudaMemcpy(&got[t], took, 8, cudaMemcpyDeviceToHost));
            }
            printf("%s,n%d groups %d in a row %d,%.2f\n", what, n, groups, loop, (double)(got[2] - got[1]) / TURNS);
        }
    }
}

/* ---- copies ---- */

/* n copies of `bytes` each, all behind one barrier; from L2 the second time. */
__global__ void copies(long long *took, const char *from, uint32_t bytes, uint32_t n)
{
    extern __shared__ __align__(1024) char mem[];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) {
        bar_init(&bar, 1);
        from += (size_t)blockIdx.x * (1 << 18);
        for (uint32_t turn = 0; turn < 3; turn++) {
            long long begin = clock64();
            bar_expect(&bar, n * bytes);
            for (uint32_t k = 0; k < n; k++)
                copy_in(mem + (k * bytes & 131071), from + (k * bytes & 262143), bytes, &bar);
            long long sent = clock64();
            bar_wait(&bar, turn & 1);
            if (turn == 2) {
                took[2 * blockIdx.x] = clock64() - begin;
                took[2 * blockIdx.x + 1] = sent - begin;
            }
        }
    }
}

__global__ void out(long long *took, char *to, uint32_t bytes, uint32_t n)
{
    extern __shared__ __align__(1024) char mem[];
    to += (size_t)blockIdx.x * (1 << 18);
    if (threadIdx.x == 0)
        for (uint32_t turn = 0; turn < 3; turn++) {
            long long begin = clock64();
            for (uint32_t k = 0; k < n; k++)
                asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to + k * bytes),
                             "r"(shared_of(mem + (k * bytes & 131071))), "r"(bytes)
                             : "memory");
            asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
            took[2 * blockIdx.x] = clock64() - begin;
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
            took[2 * blockIdx.x + 1] = clock64() - begin;
        }
}

/* Boxes of 64 halves (128 bytes, swizzled) by `rows`. */
__global__ void boxes(long long *took, const __grid_constant__ CUtensorMap map, uint32_t rows, uint32_t n)
{
    extern __shared__ __align__(1024) char mem[];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) {
        bar_init(&bar, 1);
        for (uint32_t turn = 0; turn < 3; turn++) {
            long long begin = clock64();
            bar_expect(&bar, n * rows * 128);
            for (uint32_t k = 0; k < n; k++)
                asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                                 shared_of(mem + (k * rows * 128 & 131071))),
                             "l"(&map), "r"(k * 64 & 1023), "r"(blockIdx.x * 64 & 8191), "r"(shared_of(&bar))
                             : "memory");
            long long sent = clock64();
            bar_wait(&bar, turn & 1);
            took[2 * blockIdx.x] = clock64() - begin;
            took[2 * blockIdx.x + 1] = sent - begin;
        }
    }
}

static void show(const char *name, const char *param, long long *took, int ctas)
{
    long long got[2 * 132], most = 0;
    DO(cudaMemcpy(got, took, 16 * ctas, cudaMemcpyDeviceToHost));
    for (int k = 0; k < ctas; k++)
        most = got[2 * k] > most ? got[2 * k] : most;
    printf("%s,%s ctas %d,%lld,%lld,%lld\n", name, param, ctas, got[0], got[1], most);
}

static void measure_copies(long long *took, char *data)
{
    char param[64];
    DO(cudaFuncSetAttribute((void *)copies, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_B));
    DO(cudaFuncSetAttribute((void *)out, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_B));
    DO(cudaFuncSetAttribute((void *)boxes, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_B));
    for (int ctas : {1, 132}) {
        for (uint32_t bytes : {16u, 128u, 512u, 1024u, 2048u, 4096u, 8192u, 16384u, 32768u})
            for (uint32_t n : {1u, 4u, 16u, 64u}) {
                if (n * bytes >= 1 << 20)
                    continue;
                copies<<<ctas, 32, SHARED_B>>>(took, data, bytes, n);
                DO(cudaDeviceSynchronize());
                snprintf(param, sizeof param, "bytes %u copies %u", bytes, n);
                show("bulk in", param, took, ctas);
            }
        for (uint32_t bytes : {128u, 2048u, 16384u})
            for (uint32_t n : {1u, 4u, 8u}) {
                out<<<ctas, 32, SHARED_B>>>(took, data, bytes, n);
                DO(cudaDeviceSynchronize());
                snprintf(param, sizeof param, "bytes %u copies %u", bytes, n);
                show("bulk out (read; done)", param, took, ctas);
            }
    }
    void *entry = NULL;
    cudaDriverEntryPointQueryResult found;
    DO(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found));
    auto encode = (CUresult(*)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                               const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                               CUtensorMapFloatOOBfill))entry;
    for (uint32_t rows : {8u, 64u, 128u, 256u}) {
        CUtensorMap map;
        cuuint64_t dims[2] = {1024, 8192}, strides[1] = {2048};
        cuuint32_t box[2] = {64, rows}, steps[2] = {1, 1};
        if (encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, data, dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                   CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)) {
            printf("# tensor map\n");
            return;
        }
        for (int ctas : {1, 132})
            for (uint32_t n : {1u, 2u, 4u, 16u}) {
                boxes<<<ctas, 32, SHARED_B>>>(took, map, rows, n);
                DO(cudaDeviceSynchronize());
                snprintf(param, sizeof param, "rows %u copies %u", rows, n);
                show("box", param, took, ctas);
            }
    }
}

/* ---- barriers ---- */

/* Two warps of a CTA, or two CTAs of a cluster, hand a token to and fro. */
__global__ void ping(long long *took, int turns, bool remote)
{
    __shared__ uint64_t bar[2];
    uint32_t rank, me = threadIdx.x / 32, other;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (remote)
        me = rank;
    if (threadIdx.x == 0) {
        bar_init(&bar[0], 1);
        bar_init(&bar[1], 1);
    }
    __syncthreads();
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(shared_of(&bar[me ^ 1])), "r"(remote ? rank ^ 1 : rank));
    long long begin = clock64();
    if (threadIdx.x % 32 == 0)
        for (int i = 0; i < turns; i++) {
            if (me)
                bar_wait(&bar[me], i & 1);
            asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(other) : "memory");
            if (!me)
                bar_wait(&bar[me], i & 1);
        }
    if (rank == 0 && threadIdx.x == 0)
        *took = clock64() - begin;
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

__global__ void meet(long long *took, int turns)
{
    long long begin = clock64();
    for (int i = 0; i < turns; i++)
        asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *took = clock64() - begin;
}

/* A ring of pointers in another CTA's shared memory. */
__global__ void chase(long long *took, int turns, uint32_t *sink)
{
    __shared__ uint32_t ring[64];
    uint32_t rank, at;
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        asm volatile("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(ring[i]) : "r"(shared_of(&ring[(i + 1) % 64])));
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(at) : "r"(shared_of(ring)));
    if (rank == 0) {
        long long begin = clock64();
        for (int i = 0; i < turns; i++)
            asm volatile("ld.shared::cluster.u32 %0, [%0];" : "+r"(at));
        if (threadIdx.x == 0) {
            *took = clock64() - begin;
            *sink = at;
        }
    }
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

__global__ void places(uint32_t *sm)
{
    uint32_t id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    if (threadIdx.x == 0)
        sm[blockIdx.x] = id;
    for (long long begin = clock64(); clock64() - begin < 200000;)
        ;
}

template <class... A> static bool launch(int ctas, int threads, int cluster, size_t shared, void (*k)(A...), A... args)
{
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute at[1];
    at[0].id = cudaLaunchAttributeClusterDimension;
    at[0].val.clusterDim.x = cluster;
    at[0].val.clusterDim.y = at[0].val.clusterDim.z = 1;
    c.gridDim = dim3(ctas);
    c.blockDim = dim3(threads);
    c.dynamicSmemBytes = shared;
    c.attrs = at;
    c.numAttrs = 1;
    if (cluster > 8)
        cudaFuncSetAttribute((void *)k, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (shared)
        cudaFuncSetAttribute((void *)k, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
    cudaError_t e = cudaLaunchKernelEx(&c, k, args...);
    if (e == cudaSuccess)
        e = cudaDeviceSynchronize();
    if (e != cudaSuccess)
        printf("# cluster %d: %s\n", cluster, cudaGetErrorString(e));
    return e == cudaSuccess;
}

static void measure_clusters(long long *took, uint32_t *words)
{
    long long got[3];
    for (int remote = 0; remote < 2; remote++) {
        for (int t = 1; t < 3; t++) {
            launch(remote ? 2 : 1, remote ? 32 : 64, remote ? 2 : 1, 0, ping, took, t * TURNS, (bool)remote);
            DO(cudaMemcpy(&got[t], took, 8, cudaMemcpyDeviceToHost));
        }
        printf("token to and fro,%s,%.2f\n", remote ? "two CTAs" : "two warps", (double)(got[2] - got[1]) / TURNS);
    }
    for (int threads : {32, 256})
        for (int n : {1, 2, 4, 8, 16}) {
            for (int t = 1; t < 3; t++) {
                launch(n, threads, n, 0, meet, took, t * TURNS);
                DO(cudaMemcpy(&got[t], took, 8, cudaMemcpyDeviceToHost));
            }
            printf("cluster barrier,%d CTAs of %d,%.2f\n", n, threads, (double)(got[2] - got[1]) / TURNS);
        }
    for (int t = 1; t < 3; t++) {
        launch(2, 32, 2, 0, chase, took, t * TURNS, words);
        DO(cudaMemcpy(&got[t], took, 8, cudaMemcpyDeviceToHost));
    }
    printf("load from another CTA,,%.2f\n", (double)(got[2] - got[1]) / TURNS);
    uint32_t sm[264];
    for (int n : {1, 2, 4, 8, 16}) {
        int ctas = 128;
        if (!launch(ctas, 1024, n, 100000, places, words))
            continue;
        DO(cudaMemcpy(sm, words, 4 * ctas, cudaMemcpyDeviceToHost));
        printf("places,%d", n);
        for (int k = 0; k < ctas; k++)
            printf("%c%u", k % n ? ' ' : ',', sm[k]);
        printf("\n");
    }
}

int main()
{
    long long *took;
    char *data;
    cudaMalloc(&took, 4096);
    cudaMalloc(&data, 64 << 20);
    cudaMemset(data, 0, 64 << 20);
    printf("what,parameter,cycles,issued,last_cta\n");
#define BOTH(N)                                                                                              \
    measure_product("wgmma", N, product_##N, took);                                                   \
    measure_product("wgmma from registers", N, from_regs_##N, took);
    BOTH(8)
    BOTH(16)
    BOTH(32)
    BOTH(64)
    BOTH(96)
    BOTH(128)
    BOTH(192)
    BOTH(256)
    measure_copies(took, data);
    measure_clusters(took, (uint32_t *)data);
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess)
        printf("# %s\n", cudaGetErrorString(e));
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
