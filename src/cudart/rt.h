/* Inside the CUDA stand-in: the state behind the runtime and driver API, shared by the files of cudart/.
 *
 * Every API function is: rt_enter, check arguments, build an operation, rt_submit, rt_leave. Work is done at the call (the
 * device is as fast as its host), so streams are ordered by construction; what remains of them is who waits for whom, which
 * the trace keeps. A stream that is being captured collects its operations in a graph instead; launching a graph
 * submits its operations again. One funnel, so a copy, a launch or a fill is written once.
 *
 * The process has one state object (rt.c); the CUDA API leaves no other place for it. */
#ifndef CUDART_RT_H
#define CUDART_RT_H

#include "cuda_runtime_api.h"

#include "base/vec.h"
#include "cudart/order.h"
#include "exec/exec.h"

#include <pthread.h>

struct rt;
struct rt_stream;
struct rt_graph;
struct ptx_module;
struct tr_recorder;

/* From the environment, read once:
 *   BANKSHOT_RECORD    write a trace to this file
 *   BANKSHOT_MAX_REGS  registers per thread, as --max-regs
 *   BANKSHOT_MEMORY    device memory in MiB
 *   BANKSHOT_VERBOSE   1: each launch on stderr */
struct rt_cfg {
    const char *record;
    uint32_t max_regs;
    uint64_t mem_b;
    bool verbose;
};

/* ---- code: what fat binaries and cuModuleLoadData bring ---- */

struct rt_module {
    struct rt *rt;
    const void *image;           /* as registered */
    const void *handle;          /* what __cudaRegisterFatBinary returned, or the CUmodule */
    char *text;                  /* PTX, owned */
    struct ptx_module *ptx;      /* parsed at first use; NULL with `failed` set: see why */
    struct exec_module *exec;    /* loaded at first use */
    cudaError_t failed;
};

/* A kernel by its host stub (runtime) or CUfunction (driver). Compiled at its first launch or query. */
struct rt_kernel {
    struct rt_module *module;
    const char *name; /* mangled */
    const void *stub;
    struct code *code;
    cudaError_t failed;
    uint32_t max_dyn_shared_b; /* cudaFuncAttributeMaxDynamicSharedMemorySize */
    int carveout, cache_config;
};

struct rt_var {
    struct rt_module *module;
    const char *name;
    const void *host; /* shadow variable; managed: pointer to the pointer */
    uint64_t size_b;
    bool constant, managed;
};

/* NULL with *e set. Compiles if needed. */
struct rt_kernel *rt_kernel_find(struct rt *rt, const void *stub, cudaError_t *e);
struct rt_var *rt_var_find(struct rt *rt, const void *host);
cudaError_t rt_kernel_compile(struct rt *rt, struct rt_kernel *k);
cudaError_t rt_module_ready(struct rt *rt, struct rt_module *m);

/* ---- handles ----
 * Everything the API hands out as an opaque pointer starts with one of these; rt_obj finds out whether a pointer that came
 * from the program is alive and of that kind without touching it. */
enum rt_kind { RK_STREAM, RK_EVENT, RK_GRAPH, RK_GRAPH_EXEC, RK_NODE, RK_ARRAY, RK_POOL, RK_MODULE, RK_KERNEL, RK_CONTEXT };
struct rt_obj {
    uint8_t kind; /* enum rt_kind */
};
void rt_obj_add(struct rt *rt, struct rt_obj *o, enum rt_kind kind);
void rt_obj_remove(struct rt *rt, struct rt_obj *o);
void *rt_obj_get(struct rt *rt, const void *handle, enum rt_kind kind); /* NULL: no such thing */

/* ---- operations ---- */

/* One end of a copy: linear memory (host or device, pitch 0: dense) or an array. */
struct rt_end {
    struct rt_array *array; /* NULL: linear */
    uint64_t addr;          /* linear: host pointer or device address */
    uint64_t pitch_b, slice_b;
    uint64_t x_b, y, z;     /* origin */
};
struct rt_array; /* D: arrays are device allocations with a shape */

enum rt_op_kind { RO_LAUNCH, RO_COPY, RO_SET, RO_HOST, RO_RECORD, RO_WAIT, RO_ALLOC, RO_FREE, RO_EMPTY, RO_CHILD };
struct rt_op {
    uint8_t kind;
    union {
        struct {
            struct rt_kernel *kernel;
            uint32_t grid[3], block[3], dyn_shared_b;
            bool cooperative;
            unsigned char *params; /* code->param_b bytes, owned by the operation */
        } launch;
        struct {
            struct rt_end dst, src;
            uint64_t width_b, height, depth;
            enum cudaMemcpyKind dir;
        } copy;
        struct {
            uint64_t addr, pitch_b, slice_b, width, height, depth; /* width in elements */
            uint32_t value, elem_b;                                /* 1, 2, 4 */
        } set;
        struct {
            void (*fn)(void *);
            void *arg;
        } host;
        struct {
            struct rt_obj *event;
        } event; /* RECORD, WAIT */
        struct {
            uint64_t addr, size_b;
            struct rt_obj *pool;
        } mem; /* ALLOC, FREE */
        struct rt_graph *child;
    };
};

/* Does it now, or adds it to the graph that the stream captures. Takes over what the operation owns. */
cudaError_t rt_submit(struct rt *rt, struct rt_stream *s, struct rt_op *op);
/* Does it now (op.c). */
cudaError_t rt_execute(struct rt *rt, struct rt_stream *s, struct rt_op *op);
void rt_op_free(struct rt_op *op);

/* ---- streams: who waits for whom (order.h) ---- */

struct rt_node;
struct rt_stream {
    struct rt_obj obj;
    uint64_t id;     /* as in the trace; 0: the legacy default stream */
    unsigned flags;
    int priority;
    struct rt_front front;
    uint64_t changed, merged;   /* order.tick when front last changed; up to when others' changes are in it */
    struct rt_capture *capture; /* NULL: not capturing */
    VEC(struct rt_node *) heads; /* capturing: what its next node depends on */
};
/* The stream of a handle (0, cudaStreamLegacy, cudaStreamPerThread and real ones). NULL: invalid. */
struct rt_stream *rt_stream_get(struct rt *rt, cudaStream_t h);
/* stream.c: before an operation runs: what it must come after, with the legacy stream's rules; and after it ran. */
void rt_stream_before(struct rt *rt, struct rt_stream *s, struct rt_front *after);
/* `launch`: number in the trace; UINT32_MAX where nothing is recorded: then the next one. */
void rt_stream_launched(struct rt *rt, struct rt_stream *s, uint32_t launch);
/* The host waited for the stream (NULL: for everything): later launches of any stream come after what it had. */
void rt_stream_joined(struct rt *rt, struct rt_stream *s);

/* ---- the state ---- */

struct rt_maps; /* rt.c: registered things by pointer */

/* What belongs to the calling thread; starts as zeroes. */
struct rt_thread {
    cudaError_t last;         /* cudaGetLastError */
    int capture_mode;         /* enum cudaStreamCaptureMode: cudaThreadExchangeStreamCaptureMode */
    struct rt_stream *stream; /* cudaStreamPerThread, made at first use */
    uint64_t epoch;           /* rt.epoch when it was made */
};
struct rt_thread *rt_thread(void);

struct rt {
    pthread_mutex_t lock;
    struct rt_cfg cfg;
    struct exec_dev *dev;
    struct tr_recorder *rec; /* NULL: not recording, or failed */
    struct rt_maps *maps;
    VEC(struct rt_module *) modules;
    VEC(struct rt_stream *) streams; /* [0] legacy; then all that are alive */
    VEC(struct rt_capture *) captures;
    uint64_t next_id;                /* of streams, captures: 1, 2, ... */
    uint64_t epoch;                  /* counts device resets */
    struct rt_order order;
    uint64_t clock_ns; /* functional time: one nanosecond per warp instruction, as %globaltimer; events read it */
    cudaError_t sticky; /* a kernel failed: the context is lost, every later call says so */
};

/* Enters the runtime: takes the lock, makes the state at the first call. `name` is the API function, for messages. */
struct rt *rt_enter(const char *name);
/* Leaves it; an error becomes the calling thread's last error. Returns e (or the sticky error, where e is success). */
cudaError_t rt_leave(struct rt *rt, cudaError_t e);
/* An API function or a combination of arguments that does not exist here: its name and `what` on stderr, once each. */
cudaError_t rt_unsupported(struct rt *rt, const char *name, const char *what);
void rt_message(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* "bankshot: ..." on stderr */

/* Is [addr, addr + size) memory of the device (or managed, mapped)? The host pointer to it, or NULL. */
void *rt_device_ptr(struct rt *rt, uint64_t addr, uint64_t size_b);

#endif
