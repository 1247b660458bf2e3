/* A library to be preloaded (LD_PRELOAD) into a CUDA program that is linked with the shared runtime. It keeps what the program
 * launches, and copies and sets between launches, and at the program's end does all of it again and again, back to back in one graph,
 * under NVML's energy counter: the program in steady state. Without NVML it does it once more, so that a trace holds a second pass with
 * warm caches.
 *   g++ -O2 -shared -fPIC -I CUDA/include replay.cpp -o replay.so -ldl
 *   REPLAY_NAME=bfs REPLAY_OUT=FILE.csv LD_PRELOAD=./replay.so ./bfs      (one at a time: what another launches is measured, too)
 * A program that works in place may take another way the second time. So the device's memory at the first launch is kept, and where a
 * pass takes another time (5%) if memory is put back before it, L2 emptied in both cases, memory is put back before every pass: then
 * there is a row for both (part = all), one for putting back alone (part = restore), and one with the time of a pass between two events
 * after memory was put back (part = within; without energy). What putting back takes among passes is all less within, not restore: a
 * pass replaces what the copies would find in L2. Otherwise one row, part = pass.
 * REPLAY_EACH: every launch alone instead, part = its number from 0 on.
 * Columns: name, part, kernels, copies, sets among these, their bytes in a pass, passes of a launch, and those of meter.h. */
#include "meter.h"

enum { MOST = 4096, NODES_OF_LAUNCH = 3000 };

static struct {
    bool began, ending, failed;
    cudaStream_t stream;
    cudaGraph_t pass, restore;
    cudaGraphNode_t last, last_restore;
    cudaGraph_t each[MOST]; /* launches */
    struct {
        void *at;
        size_t bytes;
    } memory[MOST];
    int blocks;
    long kernels, copies, sets; /* sets: of the copies */
    double bytes;
} replay;

template <class F> static F *next_of(F *, const char *name) { return (F *)dlsym(RTLD_NEXT, name); }
#define NEXT(f) static auto *real = next_of(&f, #f)

extern "C" cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void **, size_t, cudaStream_t);

static void bad(const char *what, cudaError_t e)
{
    if (!replay.failed)
        fprintf(stderr, "replay: %s: %s\n", what, cudaGetErrorString(e));
    replay.failed = true;
}
#define DO(call)                                                                                             \
    do {                                                                                                     \
        cudaError_t e_ = (call);                                                                             \
        if (e_ != cudaSuccess)                                                                               \
            bad(#call, e_);                                                                                  \
    } while (0)

/* What `put` puts into a stream becomes the next step of a graph. */
template <class F> static cudaGraph_t step(cudaGraph_t graph, cudaGraphNode_t *last, F put)
{
    cudaGraph_t g = NULL;
    cudaGraphNode_t node;
    DO(cudaStreamBeginCapture(replay.stream, cudaStreamCaptureModeRelaxed));
    put(replay.stream);
    cudaError_t e = cudaStreamEndCapture(replay.stream, &g);
    if (e != cudaSuccess) {
        bad("a step cannot be kept", e);
        return NULL;
    }
    DO(cudaGraphAddChildGraphNode(&node, graph, *last ? last : NULL, *last ? 1 : 0, g));
    *last = node;
    return g;
}

static void kept(cudaGraph_t g)
{
    if (replay.kernels < MOST)
        replay.each[replay.kernels] = g;
    replay.kernels++;
}

static void at_end(void);

static cudaError_t memcpy_real(void *to, const void *from, size_t n, cudaMemcpyKind kind)
{
    NEXT(cudaMemcpy);
    return real(to, from, n, kind);
}

static cudaError_t malloc_real(void **p, size_t n)
{
    static auto *real = (cudaError_t(*)(void **, size_t))dlsym(RTLD_NEXT, "cudaMalloc");
    return real(p, n);
}

/* The first launch: memory is as the program's input. */
static void begin(void)
{
    if (replay.began)
        return;
    replay.began = true;
    DO(cudaStreamCreateWithFlags(&replay.stream, cudaStreamNonBlocking));
    DO(cudaGraphCreate(&replay.pass, 0));
    DO(cudaGraphCreate(&replay.restore, 0));
    for (int i = 0; i < replay.blocks; i++) {
        void *copy, *at = replay.memory[i].at;
        size_t n = replay.memory[i].bytes;
        DO(malloc_real(&copy, n));
        DO(memcpy_real(copy, at, n, cudaMemcpyDeviceToDevice));
        step(replay.restore, &replay.last_restore,
             [&](cudaStream_t s) { DO(cudaMemcpyAsync(at, copy, n, cudaMemcpyDeviceToDevice, s)); });
    }
    DO(cudaDeviceSynchronize());
    atexit(at_end);
}

/* Bytes that the program put on the device between launches: kept there, copied from there in every pass. */
static void keep_copy(void *to, const void *from, size_t n, cudaMemcpyKind kind)
{
    const void *source = from;
    if (kind == cudaMemcpyHostToDevice) {
        void *copy;
        DO(malloc_real(&copy, n));
        DO(memcpy_real(copy, from, n, kind));
        source = copy;
    }
    step(replay.pass, &replay.last, [&](cudaStream_t s) { DO(cudaMemcpyAsync(to, source, n, cudaMemcpyDeviceToDevice, s)); });
    replay.copies++;
    replay.bytes += (double)n;
}

extern "C" cudaError_t cudaMalloc(void **p, size_t n)
{
    cudaError_t e = malloc_real(p, n);
    if (e == cudaSuccess && replay.blocks < MOST) {
        replay.memory[replay.blocks].at = *p;
        replay.memory[replay.blocks++].bytes = n;
    }
    return e;
}

/* Memory stays: passes need it. */
extern "C" cudaError_t cudaFree(void *) { return cudaSuccess; }
extern "C" cudaError_t cudaFreeArray(cudaArray_t) { return cudaSuccess; }
extern "C" cudaError_t cudaDestroyTextureObject(cudaTextureObject_t) { return cudaSuccess; }

extern "C" cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind kind)
{
    if (replay.began && !replay.ending && n && (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice))
        keep_copy(to, from, n, kind);
    return memcpy_real(to, from, n, kind);
}

extern "C" cudaError_t cudaMemset(void *to, int value, size_t n)
{
    NEXT(cudaMemset);
    if (replay.began && !replay.ending && n) {
        step(replay.pass, &replay.last, [&](cudaStream_t s) { DO(cudaMemsetAsync(to, value, n, s)); });
        replay.copies++;
        replay.sets++;
        replay.bytes += (double)n;
    }
    return real(to, value, n);
}

extern "C" cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t n, size_t offset, cudaMemcpyKind kind)
{
    static auto *real =
        (cudaError_t(*)(const void *, const void *, size_t, size_t, cudaMemcpyKind))dlsym(RTLD_NEXT, "cudaMemcpyToSymbol");
    void *at;
    static auto *address = (cudaError_t(*)(void **, const void *))dlsym(RTLD_NEXT, "cudaGetSymbolAddress");
    if (replay.began && !replay.ending && n && address(&at, symbol) == cudaSuccess)
        keep_copy((char *)at + offset, from, n, cudaMemcpyHostToDevice);
    return real(symbol, from, n, offset, kind);
}

extern "C" cudaError_t __cudaLaunchKernel(cudaKernel_t k, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    NEXT(__cudaLaunchKernel);
    begin();
    kept(step(replay.pass, &replay.last, [&](cudaStream_t s) { DO(real(k, grid, block, args, shared, s)); }));
    return real(k, grid, block, args, shared, stream);
}

extern "C" cudaError_t cudaLaunchKernel(const void *f, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    static auto *real =
        (cudaError_t(*)(const void *, dim3, dim3, void **, size_t, cudaStream_t))dlsym(RTLD_NEXT, "cudaLaunchKernel");
    begin();
    kept(step(replay.pass, &replay.last, [&](cudaStream_t s) { DO(real(f, grid, block, args, shared, s)); }));
    return real(f, grid, block, args, shared, stream);
}

static void launch(void *exec, cudaStream_t s) { cudaGraphLaunch((cudaGraphExec_t)exec, s); }

/* A graph of `passes` of the parts that are given, one after the other. */
static cudaGraphExec_t passes_of(int passes, cudaGraph_t first, cudaGraph_t second)
{
    cudaGraph_t all;
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t last = NULL, node;
    DO(cudaGraphCreate(&all, 0));
    for (int i = 0; i < passes; i++)
        for (cudaGraph_t g : {first, second})
            if (g) {
                DO(cudaGraphAddChildGraphNode(&node, all, last ? &last : NULL, last ? 1 : 0, g));
                last = node;
            }
    DO(cudaGraphInstantiate(&exec, all, 0));
    return exec;
}

static double seconds_of(cudaGraphExec_t exec)
{
    double t = meter_now();
    DO(cudaGraphLaunch(exec, replay.stream));
    DO(cudaStreamSynchronize(replay.stream));
    return meter_now() - t;
}

/* Passes enough for some milliseconds in one launch. */
struct many {
    cudaGraphExec_t exec;
    long passes;
    double pass_s;
};

static struct many many_of(cudaGraph_t first, cudaGraph_t second)
{
    struct many m = {passes_of(1, first, second), 1, 0};
    if (replay.failed)
        return m;
    seconds_of(m.exec);
    double t = seconds_of(m.exec);
    long nodes = replay.kernels + replay.copies + (first ? replay.blocks : 0) + 1;
    m.passes = t > 2e-3 ? 1 : (long)(4e-3 / t) + 1;
    if (m.passes * nodes > NODES_OF_LAUNCH)
        m.passes = NODES_OF_LAUNCH / nodes > 1 ? NODES_OF_LAUNCH / nodes : 1;
    m.exec = passes_of((int)m.passes, first, second);
    if (replay.failed)
        return m;
    seconds_of(m.exec);
    m.pass_s = 1e9;
    for (int i = 0; i < 5; i++) {
        t = seconds_of(m.exec) / (double)m.passes;
        m.pass_s = t < m.pass_s ? t : m.pass_s;
    }
    return m;
}

static void measure(const struct meter *m, FILE *f, const char *part, const struct many *of)
{
    struct reading r;
    meter_run(m, launch, of->exec, replay.stream, &r);
    DO(cudaGetLastError());
    r.launches *= of->passes;
    r.launch_s /= (double)of->passes;
    if (replay.failed)
        return;
    fprintf(f, "%s,%s,%ld,%ld,%ld,%.0f,%ld,", getenv("REPLAY_NAME") ? getenv("REPLAY_NAME") : "", part, replay.kernels, replay.copies,
            replay.sets, replay.bytes, of->passes);
    meter_print(f, &r);
}

static void measure_each(const struct meter *m, FILE *f)
{
    for (long i = 0; i < replay.kernels && i < MOST && !replay.failed; i++) {
        char part[32];
        snprintf(part, sizeof part, "%ld", i);
        struct many one = many_of(NULL, replay.each[i]);
        if (!replay.failed)
            measure(m, f, part, &one);
    }
}

/* The median time of five passes between events, L2 emptied first, or emptied and then memory put back. The long set before it hides
 * that the host launches one thing after the other. */
static double pass_between(cudaGraphExec_t before, cudaGraphExec_t pass, bool empty_last)
{
    enum { TIMES = 5, EMPTY_B = 512 << 20 };
    static void *other;
    cudaEvent_t from, to;
    double took[TIMES];
    if (!other)
        DO(malloc_real(&other, EMPTY_B));
    DO(cudaEventCreate(&from));
    DO(cudaEventCreate(&to));
    for (int i = 0; i < TIMES && !replay.failed; i++) {
        float ms = 0;
        if (before && empty_last)
            DO(cudaGraphLaunch(before, replay.stream));
        DO(cudaMemsetAsync(other, i, EMPTY_B, replay.stream));
        if (before && !empty_last)
            DO(cudaGraphLaunch(before, replay.stream));
        DO(cudaEventRecord(from, replay.stream));
        DO(cudaGraphLaunch(pass, replay.stream));
        DO(cudaEventRecord(to, replay.stream));
        DO(cudaStreamSynchronize(replay.stream));
        DO(cudaEventElapsedTime(&ms, from, to));
        int at = i;
        for (; at > 0 && took[at - 1] > 1e-3 * ms; at--)
            took[at] = took[at - 1];
        took[at] = 1e-3 * ms;
    }
    return replay.failed ? 0 : took[TIMES / 2];
}

static void measure_all(const struct meter *m, FILE *f)
{
    /* Memory is put back first: a pass that leaves its way must not be timed from where the program ended. */
    cudaGraphExec_t back = passes_of(1, replay.restore, NULL), pass = passes_of(1, NULL, replay.pass);
    if (replay.failed)
        return;
    double fresh = pass_between(back, pass, true), again = pass_between(NULL, pass, true), within = pass_between(back, pass, false);
    if (replay.failed)
        return;
    fprintf(stderr, "replay: %s: L2 empty: %.2f us, with memory put back %.2f us; after putting back %.2f us\n", getenv("REPLAY_NAME"),
            1e6 * again, 1e6 * fresh, 1e6 * within);
    if (again > 0.95 * fresh && again < 1.05 * fresh) {
        struct many plain = many_of(NULL, replay.pass);
        measure(m, f, "pass", &plain);
        return;
    }
    struct many both = many_of(replay.restore, replay.pass), alone = many_of(replay.restore, NULL);
    measure(m, f, "all", &both);
    measure(m, f, "restore", &alone);
    struct reading r;
    memset(&r, 0, sizeof r);
    r.launch_s = within;
    if (replay.failed)
        return;
    fprintf(f, "%s,within,%ld,%ld,%ld,%.0f,1,", getenv("REPLAY_NAME"), replay.kernels, replay.copies, replay.sets, replay.bytes);
    meter_print(f, &r);
}

static void at_end(void)
{
    struct meter m;
    replay.ending = true;
    if (replay.failed)
        return;
    if (!meter_open(&m)) {
        cudaGraphExec_t again = passes_of(1, replay.restore, replay.pass);
        if (!replay.failed)
            seconds_of(again);
        return;
    }
    FILE *f = getenv("REPLAY_OUT") ? fopen(getenv("REPLAY_OUT"), "a") : stdout;
    if (f) {
        if (getenv("REPLAY_EACH"))
            measure_each(&m, f);
        else
            measure_all(&m, f);
        fflush(f);
    }
}
// SPDX-License-Identifier: Apache-2.0
