/* What the nodes of a graph take on a GPU beside the work in them: kernels that do nothing, copies and sets of memory, each alone and
 * after a kernel. A chain of REPEATS repetitions runs for a second under NVML's energy counter; a line of CSV has a repetition's time
 * and energy. silicon/replay.cpp repeats programs in such chains.
 *   nvcc -O3 -arch=sm_90 nodes.cu -o nodes; ./nodes OUT.csv [NODES]
 * Columns: nodes (k: kernel of one warp, g: of 1,056 CTAs of 256 threads, b: of 64 CTAs of 384 threads with 128 KB of shared memory, p: of
 * one warp with 4,000 bytes of parameters, of which it reads one at the end, w, r: as g, each thread writes or reads a word, l: as w, in
 * 132 CTAs of 1,024; s: set, c: copy), bytes of a set or copy, and those of meter.h, where a launch is one repetition. */
#include "meter.h"

enum { REPEATS = 100, MOST_B = 16 << 20, SHARED_B = 128 << 10 };

struct many {
    unsigned at[1000];
};

__global__ void nothing(void) {}
__global__ void with_shared(void)
{
    extern __shared__ unsigned mem[];
    if (clock64() == 12345)
        mem[threadIdx.x] = 0;
}
__global__ void with_parameters(struct many m, unsigned *to)
{
    if (m.at[999] == 12345)
        *to = m.at[threadIdx.x];
}
__global__ void writes(unsigned *to) { to[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }
__global__ void reads(unsigned *to)
{
    if (to[blockIdx.x * blockDim.x + threadIdx.x] == 12345)
        *to = 1;
}

static struct many parameters;

static void put(char node, char *to, const char *from, size_t bytes, cudaStream_t s)
{
    switch (node) {
    case 'k': nothing<<<1, 32, 0, s>>>(); break;
    case 'g': nothing<<<1056, 256, 0, s>>>(); break;
    case 'b': with_shared<<<64, 384, SHARED_B, s>>>(); break;
    case 'p': with_parameters<<<1, 32, 0, s>>>(parameters, (unsigned *)to); break;
    case 'w': writes<<<1056, 256, 0, s>>>((unsigned *)to); break;
    case 'r': reads<<<1056, 256, 0, s>>>((unsigned *)to); break;
    case 'l': writes<<<132, 1024, 0, s>>>((unsigned *)to); break;
    case 's': CHECK(cudaMemsetAsync(to, 0, bytes, s)); break;
    default: CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, s));
    }
}

static void launch(void *exec, cudaStream_t s) { cudaGraphLaunch((cudaGraphExec_t)exec, s); }

int main(int argc, char **argv)
{
    static const struct {
        const char *nodes;
        size_t bytes;
    } chains[] = {
        {"k", 0},       {"g", 0},        {"gg", 0},        {"s", 4},         {"ks", 4},        {"kss", 4},       {"ks", 65536},
        {"ks", 1 << 20}, {"c", 4},       {"kc", 4},        {"kcc", 4},       {"gc", 4},        {"kc", 65536},    {"kc", 1 << 20},
        {"kc", 4 << 20}, {"c", 65536},   {"c", 1 << 20},   {"c", 4 << 20},   {"kccc", 65536},  {"kc", 16 << 20},
        {"b", 0},        {"kb", 0},      {"p", 0},         {"w", 0},         {"r", 0},         {"wr", 0},        {"l", 0},
        {"bw", 0},
    };
    struct meter m;
    FILE *f = argc > 1 ? fopen(argv[1], "w") : stdout;
    if (!f || !meter_open(&m))
        return fprintf(stderr, f ? "nodes: there is no NVML\n" : "nodes: %s cannot be written\n", argv[argc > 1]), 2;
    const char *only = argc > 2 ? argv[2] : NULL; /* chains with one of these nodes */
    cudaStream_t s;
    char *to, *from;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaMalloc(&to, MOST_B));
    CHECK(cudaMalloc(&from, MOST_B));
    fprintf(f, "nodes,bytes,%s\n", METER_HEAD);
    CHECK(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_B));
    for (const auto &c : chains) {
        if (only && !strpbrk(c.nodes, only))
            continue;
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        struct reading r;
        CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
        for (int i = 0; i < REPEATS; i++)
            for (const char *n = c.nodes; *n; n++)
                put(*n, to, from, c.bytes, s);
        CHECK(cudaStreamEndCapture(s, &graph));
        CHECK(cudaGraphInstantiate(&exec, graph, 0));
        meter_run(&m, launch, exec, s, &r);
        CHECK(cudaGetLastError());
        r.launches *= REPEATS;
        r.launch_s /= REPEATS;
        fprintf(f, "%s,%zu,", c.nodes, c.bytes);
        meter_print(f, &r);
    }
    fclose(f);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
