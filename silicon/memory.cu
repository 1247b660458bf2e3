/* The memory system by one question at a time: atomics on global and shared memory by type, scope, return and conflict; lanes at strides;
 * what a store does to a line in L1; what L2 keeps from launch to launch; bulk copies by size and number in flight.
 *
 * A row is a kernel launched twice, with one and with three units of work: its figure is the difference of the cycles of the slowest CTA
 * (clock64 on a GPU; the launches' cycles where the program is replayed). Rows of `launches` are single launches after others.
 * Usage: memory [GROUP [ROW]]: only rows whose group and name begin so. Prints group, name, work units between the two launches, cycles. */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <vector>

typedef unsigned long long ull;
enum { SMS = 132, MOST_CTAS = 1024 };

static ull *cycles_of; /* on the GPU, by CTA */
static unsigned *sink;
static const char *want_group = "", *want_row = "";

#define BEGIN_CLOCK                                                                                          \
    __syncthreads();                                                                                         \
    ull began = clock64();
#define END_CLOCK                                                                                            \
    __threadfence();                                                                                         \
    __syncthreads();                                                                                         \
    if (threadIdx.x == 0)                                                                                    \
        took[blockIdx.x] = clock64() - began;

/* ---- atomics on global memory ---- */

enum op {
    RED_U32, RED_F32, RED_U64, RED_F64, RED_MAX, RED_CTA, RED_SYS, RED_F16X2,
    ATOM_U32, ATOM_F32, ATOM_U64, ATOM_CAS, ATOM_CAS64, ATOM_EXCH, OPS
};
static const char *const op_name[] = {"red.u32",  "red.f32",  "red.u64",  "red.f64",  "red.max",    "red.cta",    "red.sys",
                                      "red.f16x2", "atom.u32", "atom.f32", "atom.u64", "atom.cas", "atom.cas64", "atom.exch"};

template <int OP> static __device__ unsigned atom(char *p, unsigned v)
{
    unsigned r = 0;
    ull w = v, s = 0;
    switch (OP) {
    case RED_U32: asm volatile("red.global.add.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); break;
    case RED_F32: asm volatile("red.global.add.f32 [%0], %1;" ::"l"(p), "f"(1.0f) : "memory"); break;
    case RED_U64: asm volatile("red.global.add.u64 [%0], %1;" ::"l"(p), "l"(w) : "memory"); break;
    case RED_F64: asm volatile("red.global.add.f64 [%0], %1;" ::"l"(p), "d"(1.0) : "memory"); break;
    case RED_MAX: asm volatile("red.global.max.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); break;
    case RED_CTA: asm volatile("red.relaxed.cta.global.add.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); break;
    case RED_SYS: asm volatile("red.relaxed.sys.global.add.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); break;
    case RED_F16X2: asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(p), "r"(0x3c003c00u) : "memory"); break;
    case ATOM_U32: asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(v) : "memory"); break;
    case ATOM_F32: {
        float f;
        asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(f) : "l"(p), "f"(1.0f) : "memory");
        r = __float_as_uint(f);
        break;
    }
    case ATOM_U64: asm volatile("atom.global.add.u64 %0, [%1], %2;" : "=l"(s) : "l"(p), "l"(w) : "memory"); break;
    case ATOM_CAS: asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(r) : "l"(p), "r"(v), "r"(v + 1) : "memory"); break;
    case ATOM_CAS64: asm volatile("atom.global.cas.b64 %0, [%1], %2, %3;" : "=l"(s) : "l"(p), "l"(w), "l"(w + 1) : "memory"); break;
    case ATOM_EXCH: asm volatile("atom.global.exch.b32 %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(v) : "memory"); break;
    }
    return r + (unsigned)s;
}

template <int OP>
__global__ void global_atomics(char *base, unsigned lanes, unsigned lane_b, unsigned warp_b, unsigned cta_b, int n, ull *took, unsigned *out)
{
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, x = 0;
    char *p = base + lane * lane_b + warp * warp_b + blockIdx.x * cta_b;
    BEGIN_CLOCK
    if (lane < lanes) {
#pragma unroll 4
        for (int i = 0; i < n; i++)
            x += atom<OP>(p, 1 + i);
    }
    END_CLOCK
    if (x == 0x12345678)
        *out = x;
}

/* ---- atomics on shared memory ---- */

enum shared_op { S_RED_U32, S_ATOM_U32, S_CAS, S_EXCH, S_F32, S_U64, S_F64, S_OPS };
static const char *const shared_name[] = {"red.u32", "atom.u32", "cas", "exch", "add.f32", "add.u64", "add.f64"};

template <int OP>
__global__ void shared_atomics(unsigned per, unsigned step, unsigned mask, int n, ull *took, unsigned *out)
{
    extern __shared__ ull mem[];
    for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x)
        mem[i] = 0;
    unsigned lane = threadIdx.x % 32, at = lane / per * step, x = 0, seed = threadIdx.x * 2654435761u + 12345;
    BEGIN_CLOCK
#pragma unroll 4
    for (int i = 0; i < n; i++) {
        if (mask) { /* anywhere among the words of the mask */
            seed = seed * 1664525u + 1013904223u;
            at = seed >> 16 & mask;
        }
        unsigned *p = (unsigned *)mem + at;
        switch (OP) {
        case S_RED_U32: atomicAdd(p, 1u); break;
        case S_ATOM_U32: x += atomicAdd(p, 1u); break;
        case S_CAS: x += atomicCAS(p, i, i + 1); break;
        case S_EXCH: x += atomicExch(p, i); break;
        case S_F32: atomicAdd((float *)p, 1.0f); break;
        case S_U64: atomicAdd(mem + at, 1ull); break;
        case S_F64: atomicAdd((double *)(mem + at), 1.0); break;
        }
    }
    END_CLOCK
    if (x == 0x12345678)
        *out = x;
}

/* ---- lanes at strides ---- */

enum { LOAD, LOAD_CG, STORE };

template <int OP>
__global__ void lanes(char *base, unsigned stride, unsigned words, unsigned mask, int n, ull *took, unsigned *out)
{
    unsigned at = blockIdx.x * 126976u + threadIdx.x * stride, x = 0;
    BEGIN_CLOCK
    for (int i = 0; i < n; i++) {
#pragma unroll 4
        for (unsigned k = 0; k < words; k++) {
            unsigned *p = (unsigned *)(base + ((at + 4 * k) & mask));
            if (OP == LOAD)
                x += *(volatile unsigned *)p;
            if (OP == LOAD_CG)
                x += __ldcg(p);
            if (OP == STORE)
                *(volatile unsigned *)p = i;
        }
        at += blockDim.x * stride;
    }
    END_CLOCK
    if (x == 0x12345678)
        *out = x;
}

/* Plain loads, which L1 may answer (volatile ones may not). */
__global__ void lanes_plain(const char *__restrict__ base, unsigned stride, unsigned words, unsigned mask, int n, ull *took, unsigned *out)
{
    unsigned at = blockIdx.x * 126976u + threadIdx.x * stride, x = 0;
    BEGIN_CLOCK
    for (int i = 0; i < n; i++) {
#pragma unroll 4
        for (unsigned k = 0; k < words; k++) {
            unsigned v;
            asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(base + ((at + 4 * k) & mask)));
            x += v;
        }
        at += blockDim.x * stride;
    }
    END_CLOCK
    if (x == 0x12345678)
        *out = x;
}

/* ---- what a store does to a line in L1: a chain of loads of one thread, with something in between ---- */

enum { NOTHING, STORES, ADDS };

template <int BETWEEN> __global__ void policy(char *base, int offset, unsigned advance, int n, ull *took, unsigned *out)
{
    unsigned v = 0, at = 0;
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(base));
    BEGIN_CLOCK
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        char *p = base + at + (v & 1);
        if (BETWEEN == STORES)
            asm volatile("st.global.u32 [%0], %1;" ::"l"(p + offset), "r"(v) : "memory");
        if (BETWEEN == ADDS)
            asm volatile("red.global.add.u32 [%0], %1;" ::"l"(p + offset), "r"(v) : "memory");
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
        at += advance;
    }
    END_CLOCK
    *out = v;
}

/* ---- L2 over launches ---- */

enum { READ, WRITE, UPDATE };

template <int OP> __global__ void stream(uint4 *base, size_t n, ull *took, unsigned *out)
{
    uint4 x = {0, 0, 0, 0};
    BEGIN_CLOCK
#pragma unroll 4
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        if (OP != WRITE) {
            uint4 v = base[i];
            x.x ^= v.x;
            x.y += v.y;
        }
        if (OP != READ)
            base[i] = make_uint4((unsigned)i, x.y, 0, 0);
    }
    END_CLOCK
    if (x.x == 0x12345678)
        *out = x.x + x.y;
}

/* ---- bulk copies ---- */

static __device__ unsigned shared_of(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

static __device__ void bar_wait(uint64_t *b, unsigned parity)
{
    asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@p bra DONE;\nbra AGAIN;\nDONE:\n}" ::"r"(
                     shared_of(b)),
                 "r"(parity)
                 : "memory");
}

__global__ void bulk(const char *base, unsigned bytes, unsigned depth, unsigned mask, int n, ull *took)
{
    extern __shared__ __align__(128) char room[];
    __shared__ uint64_t bars[16];
    if (threadIdx.x == 0) {
        for (unsigned i = 0; i < depth; i++)
            asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_of(bars + i)));
        asm volatile("fence.mbarrier_init.release.cluster;");
        asm volatile("fence.proxy.async;");
    }
    BEGIN_CLOCK
    if (threadIdx.x == 0) {
        unsigned from = blockIdx.x * 126976u;
        for (int i = 0; i < n + (int)depth; i++) {
            unsigned slot = i % depth;
            if (i >= (int)depth)
                bar_wait(bars + slot, (i / depth - 1) & 1);
            if (i >= n)
                continue;
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_of(bars + slot)), "r"(bytes) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                             shared_of(room + slot * bytes)),
                         "l"(base + (from & mask)), "r"(bytes), "r"(shared_of(bars + slot))
                         : "memory");
            from += bytes;
        }
    }
    END_CLOCK
}

/* ---- the table ---- */

static void check(const char *what)
{
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) {
        printf("# %s: %s\n", what, cudaGetErrorString(e));
        exit(1);
    }
}

static double slowest(int ctas)
{
    static ull host[MOST_CTAS];
    cudaMemcpy(host, cycles_of, ctas * sizeof *host, cudaMemcpyDeviceToHost);
    return (double)*std::max_element(host, host + ctas);
}

static bool wanted(const char *group, const char *name)
{
    return strncmp(group, want_group, strlen(want_group)) == 0 && strncmp(name, want_row, strlen(want_row)) == 0;
}

/* launch(n) launches n units; `unit` of them, then three times as many. On a GPU the pair is repeated, and the median counts. */
template <class F> static void row(const char *group, const char *name, int ctas, int unit, int turns, F launch)
{
    if (!wanted(group, name))
        return;
    std::vector<double> d;
    for (int i = 0; i < turns; i++) {
        launch(unit);
        double one = slowest(ctas);
        launch(3 * unit);
        d.push_back(slowest(ctas) - one);
    }
    check(name);
    std::sort(d.begin(), d.end());
    printf("%s,%s,%d,%.0f\n", group, name, 2 * unit, d[d.size() / 2]);
    fflush(stdout);
}

static char *memory; /* 128 MiB */
static int turns = 1;

template <int OP> static void atomics_of()
{
    struct {
        const char *what;
        unsigned lanes, words, warp_words, cta_words; /* how far lanes, warps and CTAs are apart */
    } ways[] = {{"one lane", 1, 0, 0, 0},        {"one word", 32, 0, 0, 0},      {"eight words", 8, 1, 0, 0},
                {"one line", 32, 1, 0, 0},       {"own lines", 32, 1, 32, 256},  {"own lane's line", 32, 32, 1024, 8192},
                {"every fourth word", 32, 4, 128, 1024}};
    char name[64];
    unsigned b = OP == RED_U64 || OP == RED_F64 || OP == ATOM_U64 || OP == ATOM_CAS64 ? 8 : 4;
    for (int ctas : {1, (int)SMS})
        for (auto &w : ways) {
            snprintf(name, sizeof name, "%s %s %d", op_name[OP], w.what, ctas);
            row("atom", name, ctas, 8, turns, [&](int n) {
                global_atomics<OP><<<ctas, 256>>>(memory, w.lanes, w.words * b, w.warp_words * b, w.cta_words * b, n, cycles_of, sink);
            });
        }
}

template <int OP> static void shared_of_op()
{
    char name[64];
    cudaFuncSetAttribute(shared_atomics<OP>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    for (int warps : {1, 8, 32}) {
        for (unsigned per : {1u, 2u, 4u, 8u, 16u, 32u}) {
            snprintf(name, sizeof name, "%s same %u warps %d", shared_name[OP], per, warps);
            row("shared", name, 1, 16, turns, [&](int n) { shared_atomics<OP><<<1, warps * 32, 65536>>>(per, 1, 0, n, cycles_of, sink); });
        }
        for (unsigned step : {2u, 8u, 32u}) {
            snprintf(name, sizeof name, "%s step %u warps %d", shared_name[OP], step, warps);
            row("shared", name, 1, 16, turns, [&](int n) { shared_atomics<OP><<<1, warps * 32, 65536>>>(1, step, 0, n, cycles_of, sink); });
        }
        for (unsigned of : {16u, 64u, 256u, 2048u}) {
            snprintf(name, sizeof name, "%s any of %u warps %d", shared_name[OP], of, warps);
            row("shared", name, 1, 16, turns, [&](int n) { shared_atomics<OP><<<1, warps * 32, 65536>>>(1, 1, of - 1, n, cycles_of, sink); });
        }
    }
}

static void strides()
{
    char name[64];
    const unsigned mask = (16u << 20) - 1;
    for (int ctas : {1, (int)SMS})
        for (int threads : {256, 1024}) {
            for (unsigned s : {4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u})
                for (int op = 0; op < 2; op++) {
                    snprintf(name, sizeof name, "%s %u %d x %d", op ? "store" : "load", s, ctas, threads);
                    row("stride", name, ctas, 8, turns, [&](int n) {
                        if (op)
                            lanes<STORE><<<ctas, threads>>>(memory, s, 1, mask, n, cycles_of, sink);
                        else
                            lanes_plain<<<ctas, threads>>>(memory, s, 1, mask, n, cycles_of, sink);
                    });
                }
            for (unsigned s : {32u, 64u, 128u, 512u, 4096u, 4224u})
                for (int op = 0; op < 2; op++) {
                    unsigned words = s > 64 ? 32 : s / 4;
                    snprintf(name, sizeof name, "%s %u words %u %d x %d", op ? "store" : "load", s, words, ctas, threads);
                    row("stride", name, ctas, s > 512 ? 1 : 4, turns, [&](int n) {
                        if (op)
                            lanes<STORE><<<ctas, threads>>>(memory, s, words, mask, n, cycles_of, sink);
                        else
                            lanes_plain<<<ctas, threads>>>(memory, s, words, mask, n, cycles_of, sink);
                    });
                }
        }
}

static void policies()
{
    struct {
        const char *what;
        int between, offset;
        unsigned advance;
    } ways[] = {{"load", NOTHING, 0, 0},
                {"store word load", STORES, 0, 0},
                {"store sector load", STORES, 4, 0},
                {"store line load", STORES, 64, 0},
                {"store elsewhere load", STORES, 4096, 0},
                {"add word load", ADDS, 0, 0},
                {"add sector load", ADDS, 4, 0},
                {"add line load", ADDS, 64, 0},
                {"fresh load", NOTHING, 0, 256},
                {"fresh store word load", STORES, 0, 256},
                {"fresh store sector load", STORES, 4, 256},
                {"fresh store line load", STORES, 64, 256}};
    cudaMemset(memory, 0, 16 << 20);
    for (auto &w : ways)
        row("policy", w.what, 1, 256, turns, [&](int n) {
            if (w.between == STORES)
                policy<STORES><<<1, 1>>>(memory, w.offset, w.advance, n, cycles_of, sink);
            else if (w.between == ADDS)
                policy<ADDS><<<1, 1>>>(memory, w.offset, w.advance, n, cycles_of, sink);
            else
                policy<NOTHING><<<1, 1>>>(memory, w.offset, w.advance, n, cycles_of, sink);
        });
}

static void one_stream(int op, char *at, size_t mb)
{
    size_t n = (mb << 20) / 16;
    if (op == READ)
        stream<READ><<<4 * SMS, 512>>>((uint4 *)at, n, cycles_of, sink);
    else if (op == WRITE)
        stream<WRITE><<<4 * SMS, 512>>>((uint4 *)at, n, cycles_of, sink);
    else
        stream<UPDATE><<<4 * SMS, 512>>>((uint4 *)at, n, cycles_of, sink);
}

/* Every size: L2 is filled with other lines (read, so that they are clean), the first stream, the second and the third. */
static void launches(char *other)
{
    static const char *const names[] = {"read", "write", "update"};
    char name[64];
    for (int first = 0; first < 3; first++)
        for (int then = 0; then < 3; then++)
            for (int mb : {4, 8, 16, 24, 32, 40, 48, 64, 96}) {
                snprintf(name, sizeof name, "%s %s %d", names[first], names[then], mb);
                if (!wanted("launches", name))
                    continue;
                double d[3];
                one_stream(READ, other, 128);
                one_stream(first, memory, mb);
                d[0] = slowest(4 * SMS);
                one_stream(then, memory, mb);
                d[1] = slowest(4 * SMS);
                one_stream(then, memory, mb);
                d[2] = slowest(4 * SMS);
                check(name);
                for (int i = 0; i < 3; i++)
                    printf("launches,%s launch %d,%d,%.0f\n", name, i, mb, d[i]);
            }
}

static void bulks()
{
    char name[64];
    cudaFuncSetAttribute(bulk, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024);
    for (int ctas : {1, (int)SMS})
        for (unsigned bytes : {256u, 1024u, 4096u, 8192u, 16384u, 32768u})
            for (unsigned depth : {1u, 2u, 4u, 8u}) {
                if (bytes * depth > 196 * 1024)
                    continue;
                snprintf(name, sizeof name, "%u bytes %u deep %d", bytes, depth, ctas);
                row("bulk", name, ctas, 16, turns, [&](int n) {
                    bulk<<<ctas, 32, bytes * depth>>>(memory, bytes, depth, (16u << 20) - 1, n, cycles_of);
                });
            }
}

template <int OP> struct each {
    static void atomics()
    {
        each<OP - 1>::atomics();
        atomics_of<OP - 1>();
    }
    static void shared()
    {
        each<OP - 1>::shared();
        shared_of_op<OP - 1>();
    }
};
template <> struct each<0> {
    static void atomics() {}
    static void shared() {}
};

int main(int argc, char **argv)
{
    char *other;
    if (argc > 1)
        want_group = argv[1];
    if (argc > 2)
        want_row = argv[2];
    if (getenv("TURNS"))
        turns = atoi(getenv("TURNS"));
    cudaMalloc(&memory, (128 << 20) + 65536);
    cudaMalloc(&other, 128 << 20);
    cudaMalloc(&cycles_of, MOST_CTAS * sizeof *cycles_of);
    cudaMalloc(&sink, 4096);
    cudaMemset(memory, 0, 128 << 20);
    cudaMemset(other, 0, 128 << 20);
    check("memory");
    printf("group,row,units,cycles\n");
    each<OPS>::atomics();
    each<S_OPS>::shared();
    strides();
    policies();
    bulks();
    launches(other);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
