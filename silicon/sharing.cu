/* Data of L2 that several SMs ask for at about the same time: do slices send it once for each, or once for all? CTAs, one on each SM, go
 * through streams of 64 KB to 1 MB that lie in L2, again and again; so many of them share a stream (`by`), neighbours (`near`) or such as are far
 * apart in the grid (`far`); each further one begins so many bytes ahead (`ahead`). By bulk copies (`bulk`), tensor copies in boxes of 64 rows of 128 bytes
 * (`box`), loads of whole lines (`load`) and scattered sectors (`sector`); `cast`: clusters whose CTAs fetch a part of each piece each, and send
 * it to all of them. Units are pieces that a CTA receives; a row's bytes are units times the piece. Usage: sharing [GROUP [ROW]] */
#include "rows.h"
#include <cstdint>
#include <cuda.h>

enum { STAGES = 4, MOST_PIECE = 32 * 1024, THREADS = 256, BOX_B = 8192 };

static constexpr unsigned DATA_B = 16u << 20, ROOM_B = DATA_B + MOST_PIECE; /* fits each half of L2; a last piece may go beyond the streams */

/* Which stream, and where in it. */
struct plan {
    unsigned stream_b; /* a power of two */
    unsigned by, ahead;
    bool far;
};

static __device__ unsigned stream_of(plan p)
{
    unsigned streams = (gridDim.x + p.by - 1) / p.by;
    return (p.far ? blockIdx.x % streams : blockIdx.x / p.by) % (DATA_B / p.stream_b) * p.stream_b;
}

static __device__ unsigned start_of(plan p)
{
    unsigned streams = (gridDim.x + p.by - 1) / p.by;
    return (p.far ? blockIdx.x / streams : blockIdx.x % p.by) * p.ahead;
}

static __device__ unsigned shared_of(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

static __device__ void set_up(uint64_t *bar, unsigned n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_of(bar)), "r"(n)); }

static __device__ void set_up_done()
{
    asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async;" ::: "memory");
}

static __device__ void expect(uint64_t *bar, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_of(bar)), "r"(bytes) : "memory");
}

static __device__ void wait(uint64_t *bar, unsigned parity)
{
    asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@p bra DONE;\nbra AGAIN;\nDONE:\n}" ::"r"(
                     shared_of(bar)),
                 "r"(parity)
                 : "memory");
}

/* Piece i goes to stage i % STAGES; it has come in phase i / STAGES. */
template <class F> static __device__ void pieces(uint64_t *full, int n, unsigned bytes, F fetch)
{
    for (int i = 0; i < n + STAGES; i++) {
        unsigned s = i % STAGES;
        if (i >= STAGES)
            wait(&full[s], (i / STAGES - 1) & 1);
        if (i >= n)
            continue;
        expect(&full[s], bytes);
        fetch(i, s);
    }
}

__global__ void bulk(const char *base, plan p, unsigned bytes, int n, ull *took)
{
    extern __shared__ __align__(1024) char room[];
    __shared__ uint64_t full[STAGES];
    unsigned stream = stream_of(p), at = start_of(p);
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++)
            set_up(&full[s], 1);
    set_up_done();
    BEGIN_CLOCK
    if (threadIdx.x == 0)
        pieces(full, n, bytes, [&](int, unsigned s) {
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                             shared_of(room + s * bytes)),
                         "l"(base + (stream + (at & (p.stream_b - 1)))), "r"(bytes), "r"(shared_of(&full[s]))
                         : "memory");
            at += bytes;
        });
    END_CLOCK
}

/* Lines of 128 bytes behind each other as a matrix of one column of boxes. */
__global__ void boxes(const __grid_constant__ CUtensorMap map, plan p, int n, ull *took)
{
    extern __shared__ __align__(1024) char room[];
    __shared__ uint64_t full[STAGES];
    unsigned stream = stream_of(p), at = start_of(p);
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++)
            set_up(&full[s], 1);
    set_up_done();
    BEGIN_CLOCK
    if (threadIdx.x == 0)
        pieces(full, n, BOX_B, [&](int, unsigned s) {
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                             shared_of(room + s * BOX_B)),
                         "l"(&map), "r"(0), "r"((stream + (at & (p.stream_b - 1))) / 128), "r"(shared_of(&full[s]))
                         : "memory");
            at += BOX_B;
        });
    END_CLOCK
}

/* Eight warps: in each turn 16 bytes a lane of four lines behind each other, four times; 16 KB a piece. */
__global__ void loads(const char *base, plan p, unsigned bytes, int n, ull *took, unsigned *out)
{
    unsigned sum = 0, stream = stream_of(p), at = start_of(p);
    BEGIN_CLOCK
#pragma unroll 1
    for (int i = 0; i < n; i++, at += bytes) {
        uint4 v[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const char *q = base + stream + ((at + (k * THREADS + threadIdx.x) * 16) & (p.stream_b - 1));
            asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[k].x), "=r"(v[k].y), "=r"(v[k].z), "=r"(v[k].w) : "l"(q) : "memory");
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
            sum += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    END_CLOCK
    if (sum == 0x12345678)
        *out = 1;
}

/* A sector a lane, of lines that are far from each other. A piece is 8 sectors a thread. */
__global__ void sectors(const char *base, plan p, int n, ull *took, unsigned *out)
{
    unsigned sum = 0, stream = stream_of(p), seed = start_of(p) + threadIdx.x * 2654435761u;
    BEGIN_CLOCK
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        unsigned v[8];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            seed = seed * 1664525u + 1013904223u;
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[k]) : "l"(base + stream + ((seed >> 7 << 5) & (p.stream_b - 1))) : "memory");
        }
#pragma unroll
        for (int k = 0; k < 8; k++)
            sum += v[k];
    }
    END_CLOCK
    if (sum == 0x12345678)
        *out = 1;
}

/* Clusters of `of` CTAs share streams as CTAs do above; each CTA fetches its part of a piece for all of them. A stage is free when all have
 * what was in it. */
__global__ void cast(const char *base, plan p, unsigned bytes, unsigned of, int n, ull *took)
{
    extern __shared__ __align__(1024) char room[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    unsigned rank, part = bytes / of, cluster = blockIdx.x / of, clusters = gridDim.x / of, streams = (clusters + p.by - 1) / p.by;
    unsigned stream = (p.far ? cluster % streams : cluster / p.by) % (DATA_B / p.stream_b) * p.stream_b;
    unsigned at = (p.far ? cluster / streams : cluster % p.by) * p.ahead;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++) {
            set_up(&full[s], 1);
            set_up(&empty[s], of);
        }
    set_up_done();
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    BEGIN_CLOCK
    if (threadIdx.x == 0)
        for (int i = 0; i < n + STAGES; i++) {
            unsigned s = i % STAGES, turn = i / STAGES;
            if (i >= STAGES) {
                wait(&full[s], (turn - 1) & 1);
                for (unsigned k = 0; k < of; k++)
                    asm volatile("{\n.reg .b32 a;\nmapa.shared::cluster.u32 a, %0, %1;\n"
                                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [a];\n}" ::"r"(shared_of(&empty[s])),
                                 "r"(k)
                                 : "memory");
            }
            if (i >= n)
                continue;
            if (i >= STAGES)
                wait(&empty[s], (turn - 1) & 1);
            expect(&full[s], bytes);
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(
                             shared_of(room + s * bytes + rank * part)),
                         "l"(base + (stream + (at & (p.stream_b - 1)) + rank * part)), "r"(part), "r"(shared_of(&full[s])),
                         "h"((unsigned short)((1u << of) - 1))
                         : "memory");
            at += bytes;
        }
    END_CLOCK
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

static void launch_cast(int ctas, unsigned of, const char *base, plan p, unsigned bytes, int n)
{
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute at[1];
    at[0].id = cudaLaunchAttributeClusterDimension;
    at[0].val.clusterDim.x = of;
    at[0].val.clusterDim.y = at[0].val.clusterDim.z = 1;
    c.gridDim = dim3(ctas);
    c.blockDim = dim3(32);
    c.dynamicSmemBytes = STAGES * MOST_PIECE;
    c.attrs = at;
    c.numAttrs = 1;
    cudaLaunchKernelEx(&c, cast, base, p, bytes, of, n, took_by);
}

typedef CUresult (*encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                           const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

static bool map_of(void *data, CUtensorMap *map)
{
    void *f = nullptr;
    cudaDriverEntryPointQueryResult how;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &f, 12000, cudaEnableDefault, &how);
    cuuint64_t sizes[2] = {64, ROOM_B / 128}, strides[1] = {128};
    cuuint32_t box[2] = {64, BOX_B / 128}, step[2] = {1, 1};
    return f && !((encode)f)(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, data, sizes, strides, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                             CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

static char *data;
static CUtensorMap tiles;

/* One row for each way to fetch. */
static void ways(const char *what, plan p)
{
    char name[80];
    bool mapped = map_of(data, &tiles);
    for (unsigned bytes : {2048u, 8192u, 32768u}) {
        snprintf(name, sizeof name, "%s %u bytes", what, bytes);
        row("bulk", name, SMS, 16, [&](int n) { bulk<<<SMS, 32, STAGES * MOST_PIECE>>>(data, p, bytes, n, took_by); });
    }
    if (mapped)
        row("box", what, SMS, 32, [&](int n) { boxes<<<SMS, 32, STAGES * MOST_PIECE>>>(tiles, p, n, took_by); });
    row("load", what, SMS, 16, [&](int n) { loads<<<SMS, THREADS, STAGES * MOST_PIECE>>>(data, p, 16384, n, took_by, sink); });
    row("sector", what, SMS, 8, [&](int n) { sectors<<<SMS, THREADS, STAGES * MOST_PIECE>>>(data, p, n, took_by, sink); });
}

int main(int argc, char **argv)
{
    char name[80];
    rows_begin(argc, argv);
    if (cudaMalloc(&data, ROOM_B) != cudaSuccess)
        return 1;
    cudaMemset(data, 0, ROOM_B);
    cudaFuncSetAttribute((void *)bulk, cudaFuncAttributeMaxDynamicSharedMemorySize, STAGES * MOST_PIECE);
    cudaFuncSetAttribute((void *)boxes, cudaFuncAttributeMaxDynamicSharedMemorySize, STAGES * MOST_PIECE);
    cudaFuncSetAttribute((void *)loads, cudaFuncAttributeMaxDynamicSharedMemorySize, STAGES * MOST_PIECE);
    cudaFuncSetAttribute((void *)sectors, cudaFuncAttributeMaxDynamicSharedMemorySize, STAGES * MOST_PIECE);
    cudaFuncSetAttribute((void *)cast, cudaFuncAttributeMaxDynamicSharedMemorySize, STAGES * MOST_PIECE);
    for (int i = 0; i < 2; i++) /* neighbours go through the same megabyte, so that both halves get all of it */
        loads<<<SMS, THREADS, STAGES * MOST_PIECE>>>(data, {DATA_B, SMS, 512 * 1024, false}, 16384, 64, took_by, sink);
    for (unsigned by : {1u, 2u, 4u, 8u, 33u, 132u})
        for (bool far : {false, true}) {
            if (far && (by == 1 || by == SMS))
                continue;
            snprintf(name, sizeof name, "by %u %s", by, far ? "far" : "near");
            ways(name, {by <= 8 ? 65536u : 1u << 20, by, 0, far});
        }
    for (unsigned ahead : {128u, 512u, 2048u, 8192u, 32768u}) {
        snprintf(name, sizeof name, "by 8 near ahead %u", ahead);
        ways(name, {1u << 20, 8, ahead, false});
    }
    for (unsigned of : {1u, 2u, 4u})
        for (unsigned by : {1u, 2u, 8u})
            for (unsigned bytes : {8192u, 32768u}) {
                int ctas = of == 4 ? 120 : (int)SMS; /* GPCs have room for 30 clusters of four */
                snprintf(name, sizeof name, "clusters of %u by %u %u bytes", of, by, bytes);
                row("cast", name, ctas, 16, [&](int n) { launch_cast(ctas, of, data, {65536, by, 0, false}, bytes, n); });
            }
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
