/* SPDX-License-Identifier: Apache-2.0 */
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
#include "cudart/map.h"
#include "cudart/progress.h"
#include "cudart/stream/order.h"
#include "exec/exec.h"

#include <pthread.h>

/* On the definition of every function that programs call: all else is hidden. */
#define RT_API __attribute__((visibility("default")))

#define RT_SM 90 /* the compute capability that the device reports */

/* Managed and pinned host memory is placed from here on, so that addresses in a trace do not depend on where the host's
 * system put things. Above the executor's device addresses and heap, below where Linux maps libraries. */
#define RT_HOST_BASE 0x300000000000ull
#define RT_HOST_END 0x500000000000ull

struct rt;
struct rt_stream;
struct rt_graph;
struct ptx_module;
struct tr_recorder;

/* From the environment, read once:
 *   BANKSHOT_RECORD    write a trace to this file
 *   BANKSHOT_MAX_REGS  registers per thread, as --max-regs
 *   BANKSHOT_NO_SCHEDULE  1: instructions stay in the order of the PTX, as --no-schedule
 *   BANKSHOT_SHORT_ADDRESSES  1: global addresses are one register, as --short-addresses
 *   BANKSHOT_CODE      which code of a program runs: sass (NVIDIA's machine code), ptx, auto
 *   BANKSHOT_CUBIN     the program's device code is that of this cubin or fat binary, as --cubin
 *   BANKSHOT_NVTX      NVTX ranges of this name are the region of interest
 *   BANKSHOT_VALUES    write what the recorded launches' values toggle to this file
 *   BANKSHOT_MEMORY    device memory in MiB
 *   BANKSHOT_CHECK_SUM  a file to which their launches are written
 *   BANKSHOT_CHECK     checks as bankshot check has them: some of race,init,sync, or memory alone
 *   BANKSHOT_VERBOSE   1: each launch on stderr
 *   BANKSHOT_PROGRESS  0: none; or the terminal that shows it; default: stderr, if it is one
 *   CUDA_LAUNCH_BLOCKING  1: a failed kernel's launch returns the error; otherwise the call after it does */
enum rt_code { RT_CODE_AUTO, RT_CODE_PTX, RT_CODE_SASS };
struct rt_cfg {
    const char *record, *values;
    const char *nvtx; /* launches in ranges of this name are the region; * for any; NULL: none */
    enum rt_code code;
    const char *cubin; /* machine code in place of the program's own; NULL: none */
    uint32_t max_regs;
    uint64_t mem_b;
    bool no_schedule, short_addr, verbose;
    bool check, check_race, check_init, check_sync;
    bool quiet; /* launches that are refused are not told */
    const char *progress;
    bool blocking; /* CUDA_LAUNCH_BLOCKING: a kernel's failure is told by its launch */
};

/* ---- handles ----
 * Everything the API hands out as an opaque pointer starts with one of these; rt_obj_get finds out whether a pointer that
 * came from the program is alive and of that kind without touching it. */
enum rt_kind {
    RK_STREAM,
    RK_EVENT,
    RK_GRAPH,
    RK_GRAPH_EXEC,
    RK_NODE,
    RK_ARRAY,
    RK_POOL,
    RK_MODULE,
    RK_KERNEL,
    RK_CONTEXT,
    RK_LINK,
    RK_USER_OBJECT
};
struct rt_obj {
    uint8_t kind; /* enum rt_kind */
};
void rt_obj_add(struct rt *rt, struct rt_obj *o, enum rt_kind kind);
void rt_obj_remove(struct rt *rt, struct rt_obj *o);
void *rt_obj_get(struct rt *rt, const void *handle, enum rt_kind kind); /* NULL: no such thing */

/* ---- code: what fat binaries and cuModuleLoadData bring ---- */

struct rt_kernel;
struct rt_var;

struct rt_module {
    /* RK_MODULE: the fat binary's handle (void **) or the CUmodule is the module's address. */
    struct rt_obj obj;
    const void *image;        /* as registered; not owned, read at first use */
    size_t image_b;           /* 0: as much as it says itself */
    VEC(const void *) parts;  /* instead of an image: those of files that were compiled separately */
    const void *owner;        /* parts: the program or library that they are in */
    const char *file;         /* a file whose machine code takes the place of all that; NULL: none */
    char *text;               /* PTX, owned */
    char name[64];            /* of the PTX, for messages */
    struct ptx_module *ptx;   /* parsed at first use; NULL with `failed` set: see why */
    struct cubin *cubin;      /* instead of PTX: machine code of NVIDIA's */
    struct exec_module *exec; /* loaded at first use */
    cudaError_t failed;
    VEC(struct rt_kernel *) kernels; /* those asked for so far */
    VEC(struct rt_var *) vars;       /* those registered or asked for so far */
};

/* A kernel by its host stub (runtime) or name (driver). Compiled at its first launch or query. */
struct rt_kernel {
    struct rt_obj obj; /* RK_KERNEL: a cudaKernel_t, cudaFunction_t or CUfunction */
    struct rt_module *module;
    char *name;        /* mangled */
    const void *stub;  /* NULL: only known to the driver API */
    struct code *code; /* NULL: not compiled yet, or its module is gone (then `failed` is set) */
    uint32_t param_b;  /* code->param_b, also after the code */
    cudaError_t failed;
    uint32_t max_dyn_shared_b; /* cudaFuncAttributeMaxDynamicSharedMemorySize */
    int carveout, cache_config, cluster_policy;
    bool non_portable; /* clusters larger than every device has them */
    bool told;         /* that a launch of it was refused */
};

struct rt_var {
    struct rt_module *module; /* NULL: it is gone */
    char *name;
    const void *host; /* shadow variable; managed: pointer to the pointer; NULL: driver API */
    uint64_t size_b;
    bool constant, managed, texture;
    bool normalized_read; /* texture: cudaReadModeNormalizedFloat */
    /* Texture: the executor's handle, 0 while nothing is bound; and what cudaGetTextureAlignmentOffset answers. */
    uint64_t bound, bound_offset;
    void *memory; /* managed: where it lives */
};

/* The kernel of a host stub, or of a handle that __cudaGetKernel gave. Compiled; NULL with *e set. */
struct rt_kernel *rt_kernel_find(struct rt *rt, const void *stub, cudaError_t *e);
/* The kernel of that name, NULL if the module has none (*e: why). Not compiled yet. */
struct rt_kernel *rt_kernel_named(struct rt *rt, struct rt_module *m, const char *name, cudaError_t *e);
cudaError_t rt_kernel_compile(struct rt *rt, struct rt_kernel *k);

/* cudaFuncSetAttribute; the kernel is compiled. */
cudaError_t rt_kernel_set(struct rt *rt, struct rt_kernel *k, int attr, int value);

/* A module of the driver API: PTX text, a fat binary or neither (refused by name). Parsed and loaded. */
cudaError_t rt_module_load(struct rt *rt, const void *image, size_t image_b, struct rt_module **out);
cudaError_t rt_module_ready(struct rt *rt, struct rt_module *m);
uint32_t rt_const_size(const struct rt_module *m); /* bytes of its constants; it is ready */
/* Forgets the module, its kernels and its variables. */
void rt_module_free(struct rt *rt, struct rt_module *m);

/* The variable of a shadow variable's address. NULL: none. */
struct rt_var *rt_var_find(struct rt *rt, const void *host);
struct rt_var *rt_var_named(struct rt *rt, struct rt_module *m, const char *name); /* NULL: none */
bool rt_is_variable(struct rt *rt, uint64_t addr); /* does a managed variable live there? */
/* Where it is for kernels (constants: in the constant window) and for the host. Loads the module. */
cudaError_t rt_var_address(struct rt *rt, struct rt_var *v, uint64_t *addr, uint64_t *size_b, void **host);

/* ---- operations ---- */

/* One end of a copy: linear memory (host or device, pitch 0: dense), a variable or an array. */
struct rt_end {
    struct rt_array *array; /* NULL: linear */
    struct rt_var *var;     /* the variable at addr; it may be a constant, which has no address of its own */
    uint64_t addr;          /* linear: host pointer or device address */
    uint64_t pitch_b, slice_b;
    uint64_t x_b, y, z; /* origin */
};
struct rt_array; /* D: arrays are device allocations with a shape */

enum rt_op_kind {
    RO_LAUNCH,
    RO_COPY,
    RO_SET,
    RO_HOST,
    RO_RECORD,
    RO_WAIT,
    RO_ALLOC,
    RO_FREE,
    RO_EMPTY,
    RO_CHILD
};
/* What a launch may ask for beside its grid. */
struct rt_wish {
    bool cooperative;
    bool has_priority; /* of its own (cudaLaunchAttributePriority); else the stream's */
    int priority;
    uint32_t cluster[3]; /* 0: not given */
};
struct rt_op {
    uint8_t kind;
    union {
        struct {
            struct rt_kernel *kernel;
            uint32_t grid[3], block[3], dyn_shared_b;
            struct rt_wish wish;
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

/* Does it now, or adds it to the graph that the stream captures (graph capture: rt_capture_add). Takes over what the
 * operation owns, also when it fails. Checks that need no execution are done here, so that a captured mistake is told. */
cudaError_t rt_submit(struct rt *rt, struct rt_stream *s, struct rt_op *op);
/* Does it now (op.c); the operation stays the caller's. A host function runs with the lock released: what the caller
 * holds must not be something that another thread can free meanwhile. */
cudaError_t rt_execute(struct rt *rt, struct rt_stream *s, struct rt_op *op);
/* Are shape, sizes and device addresses such that it can run? Part of rt_submit; for graph nodes. */
cudaError_t rt_op_check(struct rt *rt, const struct rt_op *op);
void rt_op_copy(struct rt_op *dst, const struct rt_op *src); /* with what it owns */
void rt_op_free(struct rt_op *op);
/* capture.c, graph.c */
/* Adds an operation to the graph that the stream captures; takes over what op owns. */
cudaError_t rt_capture_add(struct rt *rt, struct rt_stream *s, struct rt_op *op);
cudaError_t rt_graph_execute(struct rt *rt, struct rt_stream *s, struct rt_graph *g);
/* event.c: RO_RECORD, RO_WAIT. pool.c: RO_ALLOC, RO_FREE. array.c: RO_COPY with an array at either end. */
cudaError_t rt_event_execute(struct rt *rt, struct rt_stream *s, const struct rt_op *op);
cudaError_t rt_pool_execute(struct rt *rt, struct rt_stream *s, const struct rt_op *op);
/* Host pointer to row (y, z) of an array from byte x_b on, width_b bytes; NULL: outside. */
void *rt_array_row(struct rt *rt, struct rt_array *a, uint64_t x_b, uint64_t y, uint64_t z, uint64_t width_b);
uint64_t rt_array_address(const struct rt_array *a); /* of its memory, for the trace */
uint32_t rt_array_elem(const struct rt_array *a);    /* bytes of an element */

/* Builds a launch from the arguments' addresses; op owns the packed parameters. */
cudaError_t rt_launch_op(struct rt *rt, struct rt_op *op, struct rt_kernel *k, const uint32_t grid[3],
                         const uint32_t block[3], void **args, uint64_t dyn_shared_b, struct rt_wish wish);

/* ---- streams: who waits for whom (order.h) ---- */

struct rt_node;
struct rt_stream {
    struct rt_obj obj;
    uint64_t id; /* as in the trace; 0: the legacy default stream */
    unsigned flags;
    int priority;
    bool one_priority; /* a graph's node: what a launch asks for by itself does not count */
    struct rt_front front;
    uint64_t changed, merged;   /* order.tick when front last changed; up to when others' changes are in it */
    struct rt_capture *capture; /* NULL: not capturing */
    VEC(struct rt_node *) heads; /* capturing: what its next node depends on */
    uint32_t busy;               /* operations in progress: host functions run with the lock released */
    bool dead;                   /* destroyed meanwhile; freed after them */
    int sync_policy;
    struct cudaAccessPolicyWindow window; /* kept for who asks; no effect */
};
void rt_streams_init(struct rt *rt); /* makes the legacy stream; at the first call of the API */
/* The stream of a handle (0, cudaStreamLegacy, cudaStreamPerThread and real ones). NULL: invalid. */
struct rt_stream *rt_stream_get(struct rt *rt, cudaStream_t h);
/* stream.c: before an operation runs: what it must come after, with the legacy stream's rules; and after it ran. */
void rt_stream_before(struct rt *rt, struct rt_stream *s, struct rt_front *after);
/* `launch`: number in the trace; UINT32_MAX where nothing is recorded: then the next one. */
void rt_stream_launched(struct rt *rt, struct rt_stream *s, uint32_t launch);
/* The host waited for the stream (NULL: for everything): later launches of any stream come after what it had. */
void rt_stream_joined(struct rt *rt, struct rt_stream *s);

/* ---- memory (memory.c) ---- */

enum rt_mem_kind { RM_DEVICE, RM_MANAGED, RM_HOST, RM_REGISTERED };
struct rt_alloc {
    uint64_t base, size_b; /* managed, host, registered: base is the host address too */
    uint8_t kind;          /* enum rt_mem_kind */
    unsigned flags;        /* as given to cudaHostAlloc, cudaHostRegister, cudaMallocManaged */
    uint64_t mapped_b;     /* managed, host: bytes of address space; 0: not ours */
    uint64_t id;           /* counts up: CU_POINTER_ATTRIBUTE_BUFFER_ID */
    /* Managed: what cudaMemAdvise and cudaMemPrefetchAsync said; places as device number + 3, 0: none. */
    bool read_mostly;
    uint8_t accessed_by; /* bit 0: host, bit 1: device */
    int preferred, prefetched;
};
/* RM_DEVICE, RM_MANAGED or RM_HOST. 0: no room. */
uint64_t rt_alloc(struct rt *rt, uint64_t size_b, enum rt_mem_kind kind, unsigned flags);
/* Memory of the program at its own address. False: overlaps memory that the device has already. */
bool rt_register_host(struct rt *rt, void *host, uint64_t size_b, unsigned flags);
/* A managed variable where the program has it. */
bool rt_managed_in_place(struct rt *rt, void *host, uint64_t size_b);
bool rt_alloc_free(struct rt *rt, uint64_t base); /* false: no such allocation */
/* The allocation that holds addr, NULL: none. Valid until the next change. */
const struct rt_alloc *rt_alloc_at(struct rt *rt, uint64_t addr);
/* Is [addr, addr + size) memory of the device (or managed, mapped, a constant whose address was asked for)? The host
 * pointer to it, or NULL. */
void *rt_device_ptr(struct rt *rt, uint64_t addr, uint64_t size_b);
/* Bytes of device memory: all, and not allocated. */
void rt_memory_info(struct rt *rt, uint64_t *free_b, uint64_t *total_b);

/* ---- the device (device.c) ---- */

/* Value of an attribute (numbers of cudaDeviceAttr and CUdevice_attribute agree). False: unknown. */
bool rt_device_attribute(int attr, int *value);
extern const char rt_device_name[];
void rt_device_properties(struct rt *rt, struct cudaDeviceProp *p);
/* cudaDeviceSetLimit, cudaDeviceGetLimit. */
cudaError_t rt_limit_set(struct rt *rt, int limit, uint64_t value);
cudaError_t rt_limit_get(struct rt *rt, int limit, uint64_t *value);

/* ---- the state ---- */

/* A launch between its two halves: __cudaPushCallConfiguration and __cudaPopCallConfiguration. */
struct rt_call {
    uint32_t grid[3], block[3];
    size_t shared_b;
    void *stream;
};
enum { RT_CALLS = 32 }; /* launches inside the arguments of launches */

/* What belongs to the calling thread; starts as zeroes. */
enum { RT_CONTEXTS = 64 }; /* nested so deep at most */
struct rt_thread {
    struct rt_call calls[RT_CALLS];
    unsigned ncalls;
    cudaError_t last;         /* cudaGetLastError */
    int capture_mode;         /* enum cudaStreamCaptureMode: cudaThreadExchangeStreamCaptureMode */
    struct rt_stream *stream; /* cudaStreamPerThread, made at first use */
    bool own_default;         /* that is the default stream now (per_thread.c) */
    /* Driver API: the stack of contexts, the last is current; a call of it is on its way; without a stack the runtime API
     * has made the primary context current; the last error before the call, which it must not change. */
    struct rt_context *contexts[RT_CONTEXTS];
    unsigned ncontexts;
    bool in_driver, use_primary;
    cudaError_t last_before;
};
struct rt_thread *rt_thread(void);

struct rt_range {
    uint64_t start, stop; /* addresses */
};

/* What the program has set for the device; most of it only to be asked for again. */
struct rt_settings {
    uint64_t limit[cudaLimitPersistingL2CacheSize + 1];
    unsigned flags;
    int cache_config, shared_config;
};

struct rt_textures; /* texture.c */
struct rt_pools;    /* pool.c */

struct rt {
    pthread_mutex_t lock;      /* recursive: a host function may call the API */
    unsigned depth;            /* of entries by the thread that has the lock */
    pthread_mutex_t gone_lock; /* of the next two: modules that are to be freed when nobody is inside */
    VEC(void *) gone;
    _Atomic bool any_gone;
    const char *call; /* the API function, for messages */
    struct rt_cfg cfg;
    struct exec_dev *dev;
    struct tr_recorder *rec; /* NULL: not recording, or failed */
    struct rt_progress progress;
    int exit_status;                   /* of the process; -1: it has not come to its exit */
    uint32_t nfailed, nmissed;         /* launches that failed, and that could not be tried */
    bool region;                       /* the program has switched a profiler on */
    uint32_t nvtx_open;                /* ranges of the name that were started and not ended (nvtx.c) */
    uint64_t nvtx_ranges;              /* started so far */
    bool rec_tried, rec_told;          /* told that it cannot be written any more */
    struct rt_map objs, kernels, vars; /* handles; struct rt_kernel by stub; struct rt_var by shadow */
    VEC(struct rt_module *) modules;
    uint32_t nmodules;               /* made so far, for their names */
    VEC(struct rt_range) managed;    /* where managed variables lie in place: __bankshotManaged */
    VEC(struct rt_kernel *) retired; /* of modules that are gone */
    VEC(struct rt_var *) retired_vars;
    VEC(struct rt_stream *) streams; /* [0] legacy; then all that are alive */
    VEC(struct rt_capture *) captures;
    uint64_t next_stream, next_capture; /* ids; captures start with 1 */
    struct rt_order order;
    VEC(struct rt_alloc) allocs; /* by base */
    uint64_t next_host;          /* address of the next managed or host allocation */
    uint64_t next_alloc_id;
    struct rt_var *const_taken; /* the constant whose address was asked for last */
    /* Functional time: one nanosecond per warp instruction, as %globaltimer; events read it. */
    uint64_t clock_ns;
    struct rt_settings settings;
    cudaError_t fault;  /* a kernel failed in the call before: the next one makes it sticky */
    cudaError_t sticky; /* a kernel failed: the context is lost, every later call says so */
    struct rt_textures *textures;
    struct rt_pools *pools;
    struct rt_driver *driver; /* driver_init.c; NULL before cuInit */
    bool driver_told;
    FILE *log;          /* where diagnostics of device code go; NULL: stderr */
    struct rt_map told; /* hashes of rt_unsupported's messages */
};

/* Enters the runtime: takes the lock, makes the state at the first call. `name` is the API function, for messages. */
struct rt *rt_enter(const char *name);
/* The same for calls from constructors: opens no trace. */
struct rt *rt_enter_early(void);
/* The module of that handle is not used any more. It is freed now, or later if another thread is inside: a process that
 * ends must not wait for a kernel that may never end. */
void rt_module_gone(void *handle);
/* Leaves it; an error becomes the calling thread's last error. Returns e, or the sticky error, where there is one. */
cudaError_t rt_leave(struct rt *rt, cudaError_t e);
/* Leaves it without a result: for calls that set no last error (cuXxx, queries). */
void rt_leave_quiet(struct rt *rt);
/* Lets other threads in while a function of the program runs; rt_resume takes what rt_pause gave. */
unsigned rt_pause(struct rt *rt);
void rt_resume(struct rt *rt, unsigned depth);
/* nvtx.c: is the calling thread in a range of the name? */
bool rt_in_nvtx(const struct rt *rt);
/* checking.c: BANKSHOT_CHECK. rt_end_checks tells the sum; false: there is something. */
void rt_begin_checks(struct rt *rt);
bool rt_end_checks(struct rt *rt);
void rt_read_checks(struct rt_cfg *c);
/* on_exit: what the process ends with, for who asks in the end. */
void rt_note_status(struct rt *rt);
/* recording.c: the trace begins with the first call and ends with the process; nothing is recorded afterwards. */
void rt_begin_trace(struct rt *rt);
void rt_check_trace(struct rt *rt);   /* tells, once, if it cannot be written any more */
bool rt_end_trace(struct rt *rt);     /* false: it told that it is not all there */
void rt_launch_missed(struct rt *rt); /* its code cannot be compiled, or is not there */
/* The thread's last error; `clear` makes it success (until the next call, where a kernel has failed). */
cudaError_t rt_last_error(struct rt *rt, bool clear);
/* An API function or a combination of arguments that does not exist here: its name and `what` (may be NULL) on stderr,
 * once each. Returns cudaErrorNotSupported. */
cudaError_t rt_unsupported(struct rt *rt, const char *name, const char *what);
void rt_message(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* "bankshot: ..." on stderr */
/* cudaDeviceReset: frees memory and forgets failures; handles stay valid. */
void rt_reset(struct rt *rt);

#endif
