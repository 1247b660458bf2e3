// Bulk copies, barrier objects that count bytes, and tensor maps (sm_90 and later): boxes of every rank against a plain model,
// maps in parameter, constant and global memory, a pipeline, and what cuTensorMapEncodeTiled says to wrong arguments. What the
// manuals leave open is printed, so that outputs can be compared.
#include "check.h"

#include <cstdint>
#include <cstdlib>
#include <cuda.h>
#include <vector>

static CUresult (*encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                          const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave,
                          CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

// ---- the instructions ----

__device__ static uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ static void init(uint64_t *bar, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(bar)), "r"(count) : "memory");
}
__device__ static void expect(uint64_t *bar, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes)
                 : "memory");
}
__device__ static void arrive(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(bar)) : "memory");
}
__device__ static void wait(uint64_t *bar, uint32_t parity)
{
    asm volatile("{\n .reg .pred p;\n"
                 "WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n @p bra.uni DONE;\n bra.uni "
                 "WAIT;\nDONE:\n}" ::"r"(at(bar)),
                 "r"(parity)
                 : "memory");
}
__device__ static void fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ static void drain()
{
    asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;" ::: "memory");
}

template <int rank> __device__ static void load(void *to, const CUtensorMap *m, const int *c, uint64_t *bar)
{
#define LOAD(dim, coords, ...)                                                                               \
    asm volatile("cp.async.bulk.tensor." dim                                                                 \
                 ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" coords             \
                 "}], [%2];" ::"r"(at(to)),                                                                  \
                 "l"(m), "r"(at(bar)), __VA_ARGS__                                                           \
                 : "memory")
    if (rank == 1)
        LOAD("1d", "%3", "r"(c[0]));
    if (rank == 2)
        LOAD("2d", "%3, %4", "r"(c[0]), "r"(c[1]));
    if (rank == 3)
        LOAD("3d", "%3, %4, %5", "r"(c[0]), "r"(c[1]), "r"(c[2]));
    if (rank == 4)
        LOAD("4d", "%3, %4, %5, %6", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    if (rank == 5)
        LOAD("5d", "%3, %4, %5, %6, %7", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]));
}

// ---- boxes ----

enum { SHARED_B = 16384 };
struct coords {
    int c[5];
};

// The box, and then all of shared memory as it lies there.
template <int rank>
static __global__ void boxes(const __grid_constant__ CUtensorMap map, coords c, uint32_t bytes,
                             uint32_t where, unsigned char *out)
{
    extern __shared__ __align__(1024) unsigned char sh[];
    __shared__ uint64_t bar;
    for (int i = threadIdx.x; i < SHARED_B; i += blockDim.x)
        sh[i] = 0xee;
    if (threadIdx.x == 0)
        init(&bar, 1);
    fence();
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(&bar, bytes);
        load<rank>(sh + where, &map, c.c, &bar);
    }
    wait(&bar, 0);
    for (int i = threadIdx.x; i < SHARED_B; i += blockDim.x)
        out[i] = sh[i];
}

// Fills the box with a pattern and stores it (add: adds it).
static __global__ void store2d(const __grid_constant__ CUtensorMap map, int x, int y, uint32_t words,
                               bool add)
{
    __shared__ __align__(1024) uint32_t sh[2048];
    for (uint32_t i = threadIdx.x; i < words; i += blockDim.x)
        sh[i] = 1000 + i;
    fence();
    __syncthreads();
    if (threadIdx.x)
        return;
    if (add)
        asm volatile(
            "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::
                "l"(&map),
            "r"(x), "r"(y), "r"(at(sh))
            : "memory");
    else
        asm volatile(
            "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
            "r"(x), "r"(y), "r"(at(sh))
            : "memory");
    drain();
}

struct tensor {
    CUtensorMapDataType type;
    uint32_t size_b, rank;
    cuuint64_t dim[5], stride[5]; // stride[i]: bytes to the next in dimension i + 1
    cuuint32_t box[5], step[5];
    CUtensorMapSwizzle swizzle;
    CUtensorMapFloatOOBfill fill;
};

static CUtensorMap encoded(const tensor &t, void *base)
{
    CUtensorMap m;
    CUresult r = encode(&m, t.type, t.rank, base, t.dim, t.stride, t.box, t.step,
                        CU_TENSOR_MAP_INTERLEAVE_NONE, t.swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, t.fill);
    CHECK(r == CUDA_SUCCESS);
    return m;
}

static uint32_t place(CUtensorMapSwizzle s, uint32_t a)
{
    uint32_t line = a / 128 % 8, mask = s == CU_TENSOR_MAP_SWIZZLE_128B  ? 7
                                        : s == CU_TENSOR_MAP_SWIZZLE_64B ? 3
                                                                         : s == CU_TENSOR_MAP_SWIZZLE_32B;
    return a ^ (line & mask) << 4;
}

// What shared memory must hold, and the bytes of the box.
static uint32_t model(const tensor &t, const unsigned char *data, const int *c, uint32_t where,
                      std::vector<unsigned char> &want)
{
    uint32_t n[5], total = 1;
    for (uint32_t d = 0; d < 5; d++) {
        n[d] = d < t.rank ? (t.box[d] + t.step[d] - 1) / t.step[d] : 1;
        total *= n[d];
    }
    for (uint32_t e = 0; e < total; e++) {
        int64_t from = 0;
        bool in = true;
        uint32_t rest = e;
        for (uint32_t d = 0; d < t.rank; d++) {
            int64_t x = c[d] + (int64_t)(rest % n[d]) * t.step[d];
            in = in && x >= 0 && x < (int64_t)t.dim[d];
            from += x * (int64_t)(d ? t.stride[d - 1] : t.size_b);
            rest /= n[d];
        }
        for (uint32_t b = 0; b < t.size_b; b++)
            want[place(t.swizzle, where + e * t.size_b + b)] = in ? data[from + b] : 0;
    }
    return total * t.size_b;
}

static uint32_t hash(const unsigned char *p, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 16777619u;
    return h;
}

static std::vector<unsigned char> run_box(const tensor &t, const std::vector<unsigned char> &data,
                                          const coords &c, uint32_t bytes, uint32_t where)
{
    static void (*const kernels[])(CUtensorMap, coords, uint32_t, uint32_t,
                                   unsigned char *) = {boxes<1>, boxes<2>, boxes<3>, boxes<4>, boxes<5>};
    unsigned char *d, *out;
    std::vector<unsigned char> got(SHARED_B);
    OK(cudaMalloc(&d, data.size()));
    OK(cudaMalloc(&out, SHARED_B));
    OK(cudaMemcpy(d, data.data(), data.size(), cudaMemcpyHostToDevice));
    kernels[t.rank - 1]<<<1, 128, SHARED_B>>>(encoded(t, d), c, bytes, where, out);
    RAN();
    OK(cudaMemcpy(got.data(), out, SHARED_B, cudaMemcpyDeviceToHost));
    OK(cudaFree(d));
    OK(cudaFree(out));
    return got;
}

static void tiles()
{
    static const struct {
        tensor t;
        coords c;
        uint32_t where;
    } rows[] = {
        {{CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, 1, {100}, {}, {64}, {1}}, {{64}}, 128},
        {{CU_TENSOR_MAP_DATA_TYPE_UINT16, 2, 1, {100}, {}, {64}, {1}}, {{-24}}, 0},
        {{CU_TENSOR_MAP_DATA_TYPE_UINT32, 4, 2, {40, 20}, {160}, {16, 8}, {1, 1}}, {{4, 3}}, 0},
        {{CU_TENSOR_MAP_DATA_TYPE_UINT32, 4, 2, {40, 20}, {160}, {8, 12}, {1, 1}, CU_TENSOR_MAP_SWIZZLE_32B},
         {{36, -3}},
         256},
        {{CU_TENSOR_MAP_DATA_TYPE_UINT32, 4, 2, {40, 20}, {192}, {16, 9}, {1, 1}, CU_TENSOR_MAP_SWIZZLE_64B},
         {{28, 15}},
         128},
        {{CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
          2,
          2,
          {128, 64},
          {256},
          {64, 32},
          {1, 1},
          CU_TENSOR_MAP_SWIZZLE_128B},
         {{64, 40}},
         1024},
        {{CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
          2,
          2,
          {128, 64},
          {256},
          {64, 16},
          {1, 1},
          CU_TENSOR_MAP_SWIZZLE_128B},
         {{104, 3}},
         384},
        {{CU_TENSOR_MAP_DATA_TYPE_INT32, 4, 3, {20, 9, 5}, {80, 720}, {8, 4, 3}, {1, 2, 1}}, {{16, 2, 3}}, 0},
        {{CU_TENSOR_MAP_DATA_TYPE_UINT64, 8, 4, {6, 5, 4, 3}, {48, 240, 960}, {4, 3, 2, 3}, {1, 1, 1, 2}},
         {{-2, 3, -1, 1}},
         0},
        {{CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
          2,
          5,
          {16, 3, 3, 3, 3},
          {32, 96, 288, 864},
          {8, 2, 2, 2, 2},
          {1, 1, 1, 1, 1}},
         {{8, 2, -1, 0, 2}},
         0},
        {{CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8, 2, {10, 10}, {80}, {2, 4}, {1, 1}}, {{100, 100}}, 0},
    };
    for (const auto &r : rows) {
        std::vector<unsigned char> data(16384), want(SHARED_B, 0xee);
        for (size_t i = 0; i < data.size(); i++)
            data[i] = (unsigned char)(i * 7 + i / 251 + 1);
        uint32_t bytes = model(r.t, data.data(), r.c.c, r.where, want);
        auto got = run_box(r.t, data, r.c, bytes, r.where);
        std::printf("box of rank %u, %u bytes, swizzle %d: %08x\n", r.t.rank, bytes, (int)r.t.swizzle,
                    hash(got.data(), SHARED_B));
        CHECK(got == want);
    }
}

// Rows shorter than the swizzle's span, what NaN is filled with, types that change bits.
static void open_questions()
{
    std::vector<unsigned char> data(16384);
    for (size_t i = 0; i < data.size(); i++)
        data[i] = (unsigned char)(i / 16);
    for (int s = 1; s <= 3; s++)
        for (uint32_t row_b = 16; row_b < 16u << s; row_b *= 2) {
            tensor t = {CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, 2, {row_b, 32}, {row_b}, {row_b, 32}, {1, 1},
                        (CUtensorMapSwizzle)s};
            auto got = run_box(t, data, {{0, 0}}, row_b * 32, 0);
            std::printf("rows of %u bytes, swizzle %d:", row_b, s);
            for (int i = 0; i < 40; i++)
                std::printf(" %02x", got[16 * i]);
            std::printf("\n");
        }
    static const struct {
        CUtensorMapDataType type;
        uint32_t size_b;
    } floats[] = {{CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2},     {CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2},
                  {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4},     {CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8},
                  {CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ, 4}, {CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, 4},
                  {CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ, 4}};
    const uint32_t words[] = {0x3f801fff, 0x3f801000, 0x3f803000, 0x00000123,
                              0x80400000, 0x7f800001, 0xffc12345, 0x7f7fffff};
    memcpy(data.data(), words, sizeof words);
    for (const auto &f : floats) {
        tensor t = {f.type, f.size_b, 1, {32 / f.size_b}, {}, {64 / f.size_b}, {1}};
        t.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
        auto got = run_box(t, data, {{0}}, 64, 0);
        std::printf("type %d:", (int)f.type);
        for (int i = 0; i < 10; i++) {
            uint32_t v;
            memcpy(&v, &got[4 * i], 4);
            std::printf(" %08x", v);
        }
        std::printf("\n");
    }
}

// Stores begin inside the tensor, end anywhere, and write the piece of 16 bytes that it ends in.
static void stores()
{
    enum { LINE = 32, ENDS = 32 };
    tensor t = {CU_TENSOR_MAP_DATA_TYPE_UINT32, 4, 2, {30, 10}, {LINE * 4}, {16, 6}, {1, 1}};
    uint32_t *d, got[10 * LINE], want[10 * LINE] = {0};
    OK(cudaMalloc(&d, sizeof got));
    OK(cudaMemset(d, 0, sizeof got));
    CUtensorMap m = encoded(t, d);
    store2d<<<1, 64>>>(m, 20, 7, 16 * 6, false);
    RAN();
    store2d<<<1, 64>>>(m, 16, 4, 16 * 6, true);
    RAN();
    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 16; x++) {
            if (20 + x < ENDS && 7 + y < 10)
                want[(7 + y) * LINE + 20 + x] += 1000 + y * 16 + x;
            if (16 + x < ENDS && 4 + y < 10)
                want[(4 + y) * LINE + 16 + x] += 1000 + y * 16 + x;
        }
    OK(cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(memcmp(got, want, sizeof got) == 0);
    OK(cudaFree(d));
}

// A box that begins between two multiples of 16 bytes, and a store that begins before the tensor, are illegal instructions; the context
// is lost with the first, so each has a process of its own: bulk refused N.
static int refused(int which)
{
    tensor t = {CU_TENSOR_MAP_DATA_TYPE_UINT32, 4, 2, {32, 10}, {128}, {16, 6}, {1, 1}};
    unsigned char *d, *out;
    OK(cudaMalloc(&d, 10 * 128));
    OK(cudaMalloc(&out, SHARED_B));
    CUtensorMap m = encoded(t, d);
    if (which == 0)
        boxes<2><<<1, 128, SHARED_B>>>(m, {{2, 0}}, 16 * 6 * 4, 0, out);
    else
        store2d<<<1, 64>>>(m, which == 1 ? 18 : 0, which == 1 ? 0 : -1, 16 * 6, false);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalInstruction);
    return passed();
}

// ---- maps in other memories ----

__constant__ CUtensorMap const_map;
__device__ CUtensorMap global_map;
static __global__ void elsewhere(int which, uint32_t *out)
{
    __shared__ __align__(128) uint32_t sh[32];
    __shared__ uint64_t bar;
    const CUtensorMap *m = which ? &global_map : &const_map;
    const int c[2] = {8, 1};
    if (threadIdx.x == 0) {
        init(&bar, 1);
        asm volatile("prefetch.tensormap [%0];" ::"l"(m) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(&bar, 128);
        load<2>(sh, m, c, &bar);
    }
    wait(&bar, 0);
    out[threadIdx.x] = sh[threadIdx.x];
}

static void memories()
{
    tensor t = {CU_TENSOR_MAP_DATA_TYPE_UINT32, 4, 2, {16, 8}, {64}, {8, 4}, {1, 1}};
    uint32_t data[128], got[32], *d, *out;
    for (uint32_t i = 0; i < 128; i++)
        data[i] = i;
    OK(cudaMalloc(&d, sizeof data));
    OK(cudaMalloc(&out, sizeof got));
    OK(cudaMemcpy(d, data, sizeof data, cudaMemcpyHostToDevice));
    CUtensorMap m = encoded(t, d);
    OK(cudaMemcpyToSymbol(const_map, &m, sizeof m));
    OK(cudaMemcpyToSymbol(global_map, &m, sizeof m));
    for (int which = 0; which < 2; which++) {
        elsewhere<<<1, 32>>>(which, out);
        RAN();
        OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
        for (uint32_t i = 0; i < 32; i++)
            CHECK(got[i] == (1 + i / 8) * 16 + 8 + i % 8);
    }
    OK(cudaFree(d));
    OK(cudaFree(out));
}

// ---- bytes in a row: a ring of four buffers, one warp that fills it, three that use it ----

enum { STAGES = 4, TILE = 256, TILES = 23 };
static __global__ void ring(const uint32_t *in, uint32_t *sums, uint32_t *copy)
{
    __shared__ __align__(128) uint32_t buf[STAGES][TILE];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++) {
            init(&full[s], 1);
            init(&empty[s], 3);
        }
    fence();
    __syncthreads();
    if (warp == 3) {
        for (int k = 0; lane == 0 && k < TILES; k++) {
            int s = k % STAGES;
            wait(&empty[s], (k / STAGES & 1) ^ 1);
            expect(&full[s], TILE * 4);
            asm volatile(
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
                    "r"(at(buf[s])),
                "l"(in + k * TILE), "r"(TILE * 4), "r"(at(&full[s]))
                : "memory");
        }
        return;
    }
    uint32_t sum = 0;
    for (int k = 0; k < TILES; k++) {
        int s = k % STAGES;
        wait(&full[s], k / STAGES & 1);
        for (int i = warp * 32 + lane; i < TILE; i += 96)
            sum += buf[s][i];
        // One of them also sends the tile on, and gives it back when it has been read.
        if (warp == 0 && lane == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(copy + k * TILE),
                         "r"(at(buf[s])), "r"(TILE * 4)
                         : "memory");
            asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 64;" ::"l"(
                             copy + TILES * TILE),
                         "r"(at(buf[s]))
                         : "memory");
            asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group.read 0;" ::: "memory");
        }
        __syncwarp();
        if (lane == 0)
            arrive(&empty[s]);
    }
    if (warp == 0 && lane == 0)
        drain();
    atomicAdd(&sums[warp], sum);
}

static void rows()
{
    static uint32_t data[TILES * TILE], got[TILES * TILE + 16];
    uint32_t *in, *out, *sums, sum[3], want = 0, first[16] = {0};
    for (uint32_t i = 0; i < TILES * TILE; i++) {
        want += data[i] = i * 2654435761u;
        if (i % TILE < 16)
            first[i % TILE] += data[i];
    }
    OK(cudaMalloc(&in, sizeof data));
    OK(cudaMalloc(&out, sizeof got));
    OK(cudaMalloc(&sums, sizeof sum));
    OK(cudaMemset(sums, 0, sizeof sum));
    OK(cudaMemset(out, 0, sizeof got));
    OK(cudaMemcpy(in, data, sizeof data, cudaMemcpyHostToDevice));
    ring<<<1, 128>>>(in, sums, out);
    RAN();
    OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(sum, sums, sizeof sum, cudaMemcpyDeviceToHost));
    CHECK(sum[0] + sum[1] + sum[2] == want);
    CHECK(memcmp(got, data, sizeof data) == 0);
    CHECK(memcmp(got + TILES * TILE, first, sizeof first) == 0);
    OK(cudaFree(in));
    OK(cudaFree(out));
    OK(cudaFree(sums));
}

// ---- what the driver says to wrong arguments ----

static void arguments()
{
    alignas(64) static unsigned char bytes[256];
    void *d;
    OK(cudaMalloc(&d, 1 << 20));
    const char *name;
#define ASK(field, ...)                                                                                      \
    do {                                                                                                     \
        struct {                                                                                             \
            CUtensorMap *map;                                                                                \
            int type;                                                                                        \
            uint32_t rank;                                                                                   \
            void *base;                                                                                      \
            cuuint64_t dim[5], stride[4];                                                                    \
            cuuint32_t box[5], step[5];                                                                      \
            int interleave, swizzle, promotion, fill;                                                        \
        } a = {(CUtensorMap *)bytes,                                                                         \
               CU_TENSOR_MAP_DATA_TYPE_FLOAT32,                                                              \
               2,                                                                                            \
               d,                                                                                            \
               {64, 64, 4, 4, 4},                                                                            \
               {256, 16384, 65536, 262144},                                                                  \
               {16, 8, 1, 1, 1},                                                                             \
               {1, 1, 1, 1, 1},                                                                              \
               0,                                                                                            \
               0,                                                                                            \
               0,                                                                                            \
               0};                                                                                           \
        a.field __VA_ARGS__;                                                                                 \
        name = "?";                                                                                          \
        cuGetErrorName(encode(a.map, (CUtensorMapDataType)a.type, a.rank, a.base, a.dim, a.stride, a.box,    \
                              a.step, (CUtensorMapInterleave)a.interleave, (CUtensorMapSwizzle)a.swizzle,    \
                              (CUtensorMapL2promotion)a.promotion, (CUtensorMapFloatOOBfill)a.fill),         \
                       &name);                                                                               \
        std::printf("%s: %s\n", #field " " #__VA_ARGS__, name);                                              \
    } while (0)
    ASK(rank, = 2);
    ASK(rank, = 0);
    ASK(rank, = 5);
    ASK(rank, = 6);
    ASK(map, = (CUtensorMap *)(bytes + 32));
    ASK(map, = nullptr);
    ASK(type, = 12);
    ASK(type, = 99);
    ASK(base, = nullptr);
    ASK(base, = (char *)d + 8);
    ASK(base, = (char *)d + 16);
    ASK(dim[0], = 0);
    ASK(dim[1], = 1ull << 32);
    ASK(dim[1], = (1ull << 32) + 1);
    ASK(stride[0], = 8);
    ASK(stride[0], = 264);
    ASK(stride[0], = 16);
    ASK(stride[0], = 0);
    ASK(stride[0], = (1ull << 40) - 16);
    ASK(stride[0], = 1ull << 40);
    ASK(box[0], = 0);
    ASK(box[0], = 2);
    ASK(box[0], = 256);
    ASK(box[0], = 260);
    ASK(box[1], = 256);
    ASK(box[1], = 257);
    ASK(step[0], = 0);
    ASK(step[0], = 3);
    ASK(step[1], = 0);
    ASK(step[1], = 8);
    ASK(step[1], = 9);
    ASK(swizzle, = 1);
    ASK(swizzle, = 2);
    ASK(swizzle, = 3);
    ASK(swizzle, = 99);
    ASK(interleave, = 99);
    ASK(promotion, = 3);
    ASK(promotion, = 4);
    ASK(fill, = 1);
    ASK(fill, = 2);
    ASK(type, = 2, a.fill = 1);
    OK(cudaFree(d));
}

int main(int argc, char **argv)
{
    cudaDriverEntryPointQueryResult found;
    OK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault,
                                        &found));
    CHECK(found == cudaDriverEntryPointSuccess);
    if (argc > 2)
        return refused(std::atoi(argv[2]));
    tiles();
    stores();
    memories();
    rows();
    arguments();
    open_questions();
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
