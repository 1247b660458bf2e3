/* Who shares what L2 answers: SMs of a TPC, a GPC, a half, by how far one is ahead. `time`: 32 pieces of 32 KB by bulk copies, 16 of 64 KB by
 * loads, of streams that so many SMs share (slowest CTA, mean); which SMs CTAs of a grid go to; the parts of a loop around a bulk copy (1
 * wait, 2 arrive with bytes, 4 copy, 8 arrive). `lag`: two SMs load line after line, the second so many cycles later: latency of both. `count`: the same
 * as `time` under Nsight Compute, which counts sectors that SMs get and that L2 looks up. Which SMs are one GPC, clusters say, and which half
 * they are beside, atomics. `ports`: of `time` the SMs of a
 * GPC alone. Usage: near [time|lag|count|ports] */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>
typedef unsigned long long ull;
enum { SMS = 132, STAGES = 4, PIECE = 32768 };
static constexpr unsigned DATA_B = 16u << 20, ROOM_B = DATA_B + PIECE;
struct part {
    int stream;
    unsigned ahead;
    int delay;
    int pad;
};
__device__ unsigned arrived;
__device__ part table[256];

static __device__ unsigned smid()
{
    unsigned s;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(s));
    return s;
}
static __device__ ull gtime()
{
    ull t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}
static __device__ unsigned shared_of(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

/* All CTAs are here; then an edge of the timer. Thread 0 only. */
static __device__ ull together(unsigned n)
{
    atomicAdd(&arrived, 1);
    while (*(volatile unsigned *)&arrived < n) {
    }
    ull g = gtime() >> 12;
    while (gtime() >> 12 < g + 3) {
    }
    return clock64();
}

static __device__ void set_up(uint64_t *bar, unsigned n)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_of(bar)), "r"(n));
}
static __device__ void set_up_done()
{
    asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async;" ::: "memory");
}
static __device__ void expect(uint64_t *bar, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_of(bar)), "r"(bytes)
                 : "memory");
}
static __device__ void wait(uint64_t *bar, unsigned parity)
{
    asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@p bra "
                 "DONE;\nbra AGAIN;\nDONE:\n}" ::"r"(shared_of(bar)),
                 "r"(parity)
                 : "memory");
}
static __device__ void copy(void *to, const char *from, unsigned bytes, uint64_t *bar)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            shared_of(to)),
        "l"(from), "r"(bytes), "r"(shared_of(bar))
        : "memory");
}

__global__ void __launch_bounds__(512)
    bulk(const char *base, unsigned stream_b, unsigned bytes, int n, ull *took)
{
    extern __shared__ __align__(1024) char room[];
    __shared__ uint64_t full[STAGES];
    if (threadIdx.x)
        return;
    part p = table[smid()];
    for (int s = 0; s < STAGES; s++)
        set_up(&full[s], 1);
    set_up_done();
    ull t = together(gridDim.x);
    if (p.stream < 0) {
        took[blockIdx.x] = 0;
        return;
    }
    while (clock64() < t + p.delay) {
    }
    ull began = clock64();
    unsigned at = p.ahead;
    for (int i = 0; i < n + STAGES; i++) {
        unsigned s = i % STAGES;
        if (i >= STAGES) {
            if (i - STAGES < n)
                wait(&full[s], (i / STAGES - 1) & 1);
        }
        if (i >= n)
            continue;
        expect(&full[s], bytes);
        copy(room + s * bytes, base + ((ull)p.stream * stream_b + (at & (stream_b - 1))) % DATA_B, bytes,
             &full[s]);
        at += bytes;
    }
    took[blockIdx.x] = clock64() - began;
}

__global__ void __launch_bounds__(512)
    loads(const char *base, unsigned stream_b, int n, ull *took, unsigned *out)
{
    __shared__ ull t0;
    part p = table[smid()];
    if (threadIdx.x == 0)
        t0 = together(gridDim.x);
    __syncthreads();
    if (p.stream < 0) {
        if (threadIdx.x == 0)
            took[blockIdx.x] = 0;
        return;
    }
    while (clock64() < t0 + p.delay) {
    }
    ull began = clock64();
    unsigned sum = 0, at = p.ahead;
#pragma unroll 1
    for (int i = 0; i < n; i++, at += 65536) {
        uint4 v[8];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const char *q =
                base +
                ((ull)p.stream * stream_b + ((at + (k * 512 + threadIdx.x) * 16) & (stream_b - 1))) % DATA_B;
            asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(v[k].x), "=r"(v[k].y), "=r"(v[k].z), "=r"(v[k].w)
                         : "l"(q)
                         : "memory");
        }
#pragma unroll
        for (int k = 0; k < 8; k++)
            sum += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        took[blockIdx.x] = clock64() - began;
    if (sum == 0x12345678)
        *out = 1;
}

/* Two SMs: line after line, the second so many cycles after the first. Mean latency of each. */
template <int KIND>
__global__ void lag(const char *base, int a, int b, int d, int lines, unsigned step, float *mean,
                    unsigned *out)
{
    __shared__ __align__(1024) char room[2048];
    __shared__ uint64_t full;
    __shared__ ull t0;
    int me = smid(), which = me == a ? 0 : me == b ? 1 : -1;
    if (threadIdx.x == 0) {
        set_up(&full, 1);
        set_up_done();
        t0 = together(gridDim.x);
    }
    __syncwarp();
    if (which < 0)
        return;
    ull c0 = t0 + 2000, sum = 0;
    unsigned x = 0;
    for (int i = 0; i < lines; i++) {
        const char *q = base + (ull)i * step + (KIND == 1 ? threadIdx.x * 4 : 0);
        ull at = c0 + (ull)i * 5000 + (which ? d : 0) + 1000;
        if (KIND == 2) {
            if (threadIdx.x == 0)
                expect(&full, 2048);
        }
        while (clock64() < at) {
        }
        ull t1 = clock64();
        if (KIND == 2) {
            if (threadIdx.x == 0) {
                copy(room, q, 2048, &full);
                wait(&full, i & 1);
            }
        } else {
            unsigned v;
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(q) : "memory");
            x += v;
            asm volatile("" ::"r"(x) : "memory");
            if (x == 0x1234567)
                *out = 1;
        }
        ull t2 = clock64();
        sum += t2 - t1;
    }
    if (threadIdx.x == 0)
        mean[which] = (float)sum / lines;
}

__global__ void warm(const char *base, unsigned bytes, unsigned *out)
{
    unsigned sum = 0;
    for (unsigned i = threadIdx.x * 16; i < bytes; i += blockDim.x * 16) {
        uint4 v;
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"(base + i)
                     : "memory");
        sum += v.x + v.y + v.z + v.w;
    }
    if (sum == 0x12345678)
        *out = 1;
}

__global__ void who(unsigned *sm)
{
    if (threadIdx.x == 0) {
        sm[blockIdx.x] = smid();
        ull t = clock64();
        while (clock64() < t + 20000) {
        }
    }
}
__global__ void cluster_who(unsigned *sm, int spin)
{
    if (threadIdx.x == 0) {
        sm[blockIdx.x] = smid();
        unsigned c;
        asm("mov.u32 %0, %%clusterid.x;" : "=r"(c));
        ull t = clock64();
        while (clock64() < t + 2000 + (c * 2654435761u >> 20) % spin) {
        }
    }
}
/* One SM after the other: latency of atomics to words in both halves. */
__global__ void reach(unsigned *w, unsigned *turn, float *lat)
{
    if (threadIdx.x)
        return;
    for (int k = 0; k < 16; k++) {
        ull best = ~0ull;
        while (*(volatile unsigned *)turn != blockIdx.x + k * gridDim.x) {
        }
        for (int i = 0; i < 6; i++) {
            ull t = clock64();
            unsigned v = atomicAdd(w + k * 1024, 1);
            asm volatile("" ::"r"(v) : "memory");
            ull x = (v == 0xffffffffu) + clock64() - t;
            best = x < best ? x : best;
        }
        lat[smid() * 16 + k] = (float)best;
        __threadfence();
        atomicAdd(turn, 1);
    }
}

/* What the parts of a loop around copies take. */
template <int PARTS> __global__ void loop(const char *base, unsigned bytes, int n, ull *took)
{
    extern __shared__ __align__(1024) char room[];
    __shared__ uint64_t full[STAGES];
    for (int s = 0; s < STAGES; s++)
        set_up(&full[s], PARTS & 1 ? 1 : 1000);
    set_up_done();
    ull began = clock64();
    unsigned at = 0;
    for (int i = 0; i < n; i++) {
        unsigned s = i % STAGES;
        if (PARTS & 1 && i >= STAGES)
            wait(&full[s], (i / STAGES - 1) & 1);
        if (PARTS & 2)
            expect(&full[s], bytes);
        if (PARTS & 8)
            asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_of(&full[s])) : "memory");
        if (PARTS & 4)
            copy(room + s * bytes, base + (at & 65535), bytes, &full[s]);
        at += bytes;
    }
    took[blockIdx.x] = clock64() - began;
    for (volatile int k = 0; k < 5000; k++) {
    }
}

static unsigned *sink, *dev;
static char *data;
static ull *took_by;
static int gpc[SMS], half_of[SMS], rank_of[SMS];
static std::vector<std::vector<int>> in_gpc;
static unsigned grid[SMS];

static void check()
{
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) {
        printf("# error %s\n", cudaGetErrorString(e));
        fflush(stdout);
        exit(1);
    }
}
static void reset()
{
    unsigned zero = 0;
    cudaMemcpyToSymbol(arrived, &zero, 4);
}
static void put(const part *t)
{
    cudaMemcpyToSymbol(table, t, SMS * sizeof *t);
    reset();
}
static int find(std::vector<int> &u, int x)
{
    while (u[x] != x)
        x = u[x] = u[u[x]];
    return x;
}

static void learn(bool print)
{
    cudaFuncSetAttribute((void *)who, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024);
    cudaFuncSetAttribute((void *)cluster_who, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024);
    cudaFuncSetAttribute((void *)cluster_who, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    for (int turn = 0; turn < 2; turn++) {
        who<<<SMS, 32, 200 * 1024>>>(dev);
        check();
        cudaMemcpy(grid, dev, sizeof grid, cudaMemcpyDeviceToHost);
        if (print) {
            printf("grid");
            for (unsigned s : grid)
                printf(",%u", s);
            printf("\n");
        }
    }
    std::vector<int> u(SMS);
    std::iota(u.begin(), u.end(), 0);
    for (int of : {2, 4, 3, 6, 5, 7, 8, 16, 4, 6, 7}) {
        static unsigned sm[4096];
        int n = of * 60;
        cudaLaunchConfig_t c = {};
        cudaLaunchAttribute at[1];
        at[0].id = cudaLaunchAttributeClusterDimension;
        at[0].val.clusterDim.x = of;
        at[0].val.clusterDim.y = at[0].val.clusterDim.z = 1;
        c.gridDim = dim3(n);
        c.blockDim = dim3(32);
        c.dynamicSmemBytes = 200 * 1024;
        c.attrs = at;
        c.numAttrs = 1;
        if (cudaLaunchKernelEx(&c, cluster_who, dev, 20000) != cudaSuccess) {
            cudaGetLastError();
            continue;
        }
        check();
        cudaMemcpy(sm, dev, n * 4, cudaMemcpyDeviceToHost);
        if (print && (of == 2 || of == 8 || of == 6)) {
            printf("cluster,%d", of);
            for (int i = 0; i < std::min(n, 144); i++)
                printf("%c%u", i % of ? ' ' : ',', sm[i]);
            printf("\n");
        }
        for (int i = 0; i < n; i++)
            if (i % of)
                u[find(u, sm[i])] = find(u, sm[i - 1]);
    }
    std::map<int, int> id;
    for (int s = 0; s < SMS; s++) {
        int r = find(u, s);
        if (!id.count(r)) {
            int k = (int)id.size();
            id[r] = k;
            in_gpc.push_back({});
        }
        gpc[s] = id[r];
        rank_of[s] = (int)in_gpc[gpc[s]].size();
        in_gpc[gpc[s]].push_back(s);
    }
    if (print) {
        printf("gpc");
        for (int s = 0; s < SMS; s++)
            printf(",%d", gpc[s]);
        printf("\n");
    }
    float *lat;
    cudaMalloc(&lat, SMS * 16 * 4);
    cudaMemset(sink, 0, 1 << 20);
    cudaMemset(dev, 0, 4);
    reach<<<SMS, 32>>>(sink, dev, lat);
    check();
    static float host[SMS * 16];
    cudaMemcpy(host, lat, sizeof host, cudaMemcpyDeviceToHost);
    for (int s = 0; s < SMS; s++) {
        float m0 = 0, m = 0, c = 0;
        for (int k = 0; k < 16; k++) {
            m0 += host[k] / 16;
            m += host[s * 16 + k] / 16;
        }
        for (int k = 0; k < 16; k++)
            c += (host[k] - m0) * (host[s * 16 + k] - m);
        half_of[s] = c < 0;
        if (print) {
            printf("reach,%d,%d,%d", s, gpc[s], half_of[s]);
            for (int k = 0; k < 16; k++)
                printf(",%.0f", host[s * 16 + k]);
            printf("\n");
        }
    }
}

struct pattern {
    std::string name;
    part t[SMS];
};
static std::vector<pattern> patterns;
static void add(const std::string &name, std::function<int(int)> group)
{
    pattern p;
    p.name = name;
    std::map<int, int> n, id;
    int k = 0;
    for (int s = 0; s < SMS; s++) {
        int g = group(s);
        if (!id.count(g))
            id[g] = k++;
        p.t[s] = {id[g], (unsigned)n[g]++, 0, 0};
    }
    patterns.push_back(p);
}
static void make_patterns()
{
    static int at[SMS];
    for (int i = 0; i < SMS; i++)
        at[grid[i]] = i;
    add("alone", [](int s) { return s; });
    add("tpc", [](int s) { return s / 2; });
    for (int d : {1, 2, 3, 4, 6})
        add("gpc tpc+" + std::to_string(d), [d](int s) {
            int t = rank_of[s] / 2, lead = t / d % 2 ? t - d : t; /* t pairs with t + d */
            return gpc[s] * 1000 + lead * 10 + rank_of[s] % 2;
        });
    add("gpc 2 tpcs", [](int s) { return gpc[s] * 100 + rank_of[s] / 4; });
    add("gpc 3 tpcs", [](int s) { return gpc[s] * 100 + rank_of[s] / 6; });
    add("gpc 3 tpcs apart", [](int s) { return gpc[s] * 100 + rank_of[s] / 2 % 3; });
    add("gpc all", [](int s) { return gpc[s]; });
    /* pairs of GPCs: in one half, in both */
    std::vector<int> h[2];
    for (int g = 0; g < (int)in_gpc.size(); g++)
        if (in_gpc[g].size() > 8) {
            int c = 0;
            for (int s : in_gpc[g])
                c += half_of[s];
            h[c * 2 > (int)in_gpc[g].size()].push_back(g);
        }
    static int same[64], other[64];
    for (int g = 0; g < 64; g++)
        same[g] = other[g] = g;
    for (auto &v : h)
        for (size_t i = 0; i + 1 < v.size(); i += 2)
            same[v[i + 1]] = v[i];
    for (size_t i = 0; i < std::min(h[0].size(), h[1].size()); i++)
        other[h[1][i]] = h[0][i];
    add("gpcs of a half", [](int s) { return same[gpc[s]] * 100 + rank_of[s]; });
    add("gpcs of both", [](int s) { return other[gpc[s]] * 100 + rank_of[s]; });
    add("rank in all gpcs", [](int s) { return rank_of[s]; });
    for (int by : {2, 4, 8, 33})
        add("grid near " + std::to_string(by), [by](int s) { return at[s] / by; });
    for (int by : {2, 4, 8, 33})
        add("grid far " + std::to_string(by), [by](int s) { return at[s] % ((SMS + by - 1) / by); });
    add("half", [](int s) { return half_of[s]; });
    add("all", [](int) { return 0; });
}
static void stat_of(const char *kind, const char *name, int param)
{
    static ull host[SMS];
    check();
    cudaMemcpy(host, took_by, sizeof host, cudaMemcpyDeviceToHost);
    ull most = 0, sum = 0;
    int n = 0;
    for (ull x : host)
        if (x) {
            most = std::max(most, x);
            sum += x;
            n++;
        }
    printf("%s,%s,%d,%llu,%llu\n", kind, name, param, most, n ? sum / n : 0);
    fflush(stdout);
}
static void run_bulk(const pattern &p, const char *name, unsigned ahead, unsigned bytes, int n,
                     unsigned stream_b)
{
    part t[SMS];
    memcpy(t, p.t, sizeof t);
    for (part &x : t)
        x.ahead *= ahead;
    put(t);
    bulk<<<SMS, 32, STAGES * PIECE>>>(data, stream_b, bytes, n, took_by);
    stat_of("bulk", name, ahead);
}
static void run_loads(const pattern &p, const char *name, unsigned ahead, int n, unsigned stream_b)
{
    part t[SMS];
    memcpy(t, p.t, sizeof t);
    for (part &x : t)
        x.ahead *= ahead;
    put(t);
    loads<<<SMS, 512, STAGES * PIECE>>>(data, stream_b, n, took_by, sink);
    stat_of("load", name, ahead);
}
struct pair {
    const char *what;
    int a, b;
};
static std::vector<pair> pairs()
{
    std::vector<pair> v;
    auto g = in_gpc;
    std::sort(g.begin(), g.end(), [](auto &x, auto &y) { return x.size() > y.size(); });
    auto &x = g[0];
    v.push_back({"tpc", x[0], x[1]});
    v.push_back({"tpc", g[1][4], g[1][5]});
    for (int t : {1, 2, 3, 4, 5, 6, 7})
        v.push_back({"gpc", x[0], x[t * 2]});
    v.push_back({"gpc odd", x[0], x[3]});
    for (size_t k = 1; k < g.size() && k < 7; k++)
        v.push_back({half_of[g[k][0]] == half_of[x[0]] ? "half" : "other half", x[0], g[k][0]});
    return v;
}

int main(int argc, char **argv)
{
    std::string mode = argc > 1 ? argv[1] : "time";
    cudaMalloc(&data, ROOM_B);
    cudaMemset(data, 0, ROOM_B);
    cudaMalloc(&sink, 1 << 20);
    cudaMalloc(&dev, 1 << 16);
    cudaMalloc(&took_by, 4096 * 8);
    cudaFuncSetAttribute((void *)bulk, cudaFuncAttributeMaxDynamicSharedMemorySize, STAGES * PIECE);
    cudaFuncSetAttribute((void *)loads, cudaFuncAttributeMaxDynamicSharedMemorySize, STAGES * PIECE);
    cudaFuncSetAttribute((void *)lag<0>, cudaFuncAttributeMaxDynamicSharedMemorySize, 150 * 1024);
    cudaFuncSetAttribute((void *)lag<1>, cudaFuncAttributeMaxDynamicSharedMemorySize, 150 * 1024);
    cudaFuncSetAttribute((void *)lag<2>, cudaFuncAttributeMaxDynamicSharedMemorySize, 150 * 1024);
    learn(mode == "time");
    make_patterns();
    for (int i = 0; i < 2; i++) {
        warm<<<SMS, 1024>>>(data, DATA_B, sink);
        check();
    }
    if (mode == "time") {
        for (int turn = 0; turn < 2; turn++)
            for (auto &p : patterns) {
                run_bulk(p, p.name.c_str(), 0, PIECE, 32, 65536);
                run_loads(p, p.name.c_str(), 0, 16, 65536);
            }
        for (auto &p : patterns)
            for (unsigned ahead : {128u, 2048u, 32768u, 131072u}) {
                run_bulk(p, p.name.c_str(), ahead, PIECE, 32, 1u << 20);
                run_loads(p, p.name.c_str(), ahead, 16, 1u << 20);
            }
        for (auto &p : patterns)
            if (p.name == "alone") {
                run_bulk(p, "alone streams of 1 MB", 0, PIECE, 32, 1u << 17);
                run_loads(p, "alone streams of 1 MB", 0, 16, 1u << 17);
            }
    }
    if (mode == "time" || mode == "ports")
        for (int n : {1, 2, 4, 6, 8, 12, 16, 18})
            for (int how = 0; how < 2; how++) {
                pattern p;
                auto g = in_gpc;
                std::sort(g.begin(), g.end(), [](auto &x, auto &y) { return x.size() > y.size(); });
                for (int s = 0; s < SMS; s++)
                    p.t[s] = {-1, 0, 0, 0};
                for (int i = 0; i < n; i++) {
                    int s = how ? g[i % 7][i / 7] : g[0][i % g[0].size()];
                    p.t[s].stream = i;
                }
                run_bulk(p, how ? "some of all gpcs" : "some of a gpc", n, PIECE, 32, 65536);
                run_loads(p, how ? "some of all gpcs" : "some of a gpc", n, 16, 65536);
            }
    if (mode == "time")
        for (int n : {4, 68}) {
#define L(parts)                                                                                             \
    loop<parts><<<1, 1, STAGES * 2048>>>(data, 2048, n, took_by);                                            \
    {                                                                                                        \
        ull x;                                                                                               \
        check();                                                                                             \
        cudaMemcpy(&x, took_by, 8, cudaMemcpyDeviceToHost);                                                  \
        printf("loop,%d,%d,%llu,0\n", parts, n, x);                                                          \
    }
            L(0) L(2) L(4) L(6) L(7) L(8) L(9) L(0) L(2) L(4) L(6) L(7) L(8) L(9)
        }
    if (mode == "lag") {
        float *mean;
        cudaMalloc(&mean, 8);
        for (auto &p : pairs())
            for (int kind = 0; kind < 3; kind++)
                for (int d : {-400, -100, -50, -20, 0,   20,  40,  60,  80,  100, 120,  140,  160,  180, 200,
                              220,  240,  260, 280, 300, 350, 400, 500, 600, 800, 1000, 1500, 2000, 3000}) {
                    float h[2];
                    reset();
                    if (kind == 0)
                        lag<0><<<SMS, 32, 150 * 1024>>>(data, p.a, p.b, d, 32, 4096 + 128, mean, sink);
                    if (kind == 1)
                        lag<1><<<SMS, 32, 150 * 1024>>>(data, p.a, p.b, d, 32, 4096 + 128, mean, sink);
                    if (kind == 2)
                        lag<2><<<SMS, 32, 150 * 1024>>>(data, p.a, p.b, d, 32, 4096 + 2048, mean, sink);
                    check();
                    cudaMemcpy(h, mean, 8, cudaMemcpyDeviceToHost);
                    printf("lag,%s,%d,%d,%d,%d,%.1f,%.1f\n", p.what, p.a, p.b, kind, d, h[0], h[1]);
                }
    }
    if (mode == "count") {
        for (auto &p : patterns) {
            run_bulk(p, p.name.c_str(), 0, PIECE, 16, 65536);
            run_loads(p, p.name.c_str(), 0, 8, 65536);
        }
        for (auto &p : patterns)
            if (p.name == "gpc all" || p.name == "grid near 8" || p.name == "tpc" || p.name == "all") {
                run_bulk(p, p.name.c_str(), 32768, PIECE, 16, 1u << 20);
                run_loads(p, p.name.c_str(), 32768, 8, 1u << 20);
            }
        for (auto &q : pairs())
            for (int d : {0, 60, 200, 500, 1500, 5000}) {
                if (!strcmp(q.what, "gpc") && q.b != pairs()[3].b && q.b != pairs()[8].b && d != 60)
                    continue;
                pattern p;
                char name[64];
                for (int s = 0; s < SMS; s++)
                    p.t[s] = {-1, 0, 0, 0};
                p.t[q.a].stream = p.t[q.b].stream = 0;
                p.t[q.b].delay = d;
                snprintf(name, sizeof name, "pair %s %d %d delay %d", q.what, q.a, q.b, d);
                run_bulk(p, name, 0, PIECE, 2, 65536);
                run_loads(p, name, 0, 1, 65536);
            }
    }
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
