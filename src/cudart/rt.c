/* SPDX-License-Identifier: Apache-2.0 */
/* The process's one state: made at the first call, entered and left by every API function, closed with the process.
 *
 * Calls from many threads take turns: the lock is held for the whole of a call, a kernel's execution included. The trace is
 * ended by a destructor rather than atexit, so that what the program's own destructors launch is still recorded. */
#include "cudart/rt.h"
#include "cudart/memory/pool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <unistd.h>

/* ---- the process-wide state ---- */

static struct rt the_rt = {.lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                           .gone_lock = PTHREAD_MUTEX_INITIALIZER};
enum { STATUS_FOUND = 1, STATUS_NO_TRACE = 2 }; /* as bankshot check and bankshot record */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local struct rt_thread the_thread;

struct rt_thread *rt_thread(void) { return &the_thread; }

void rt_message(const char *fmt, ...)
{
    char text[4096];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    progress_hide(&the_rt.progress);
    fprintf(stderr, "bankshot: %s\n", text); /* one call: lines of threads do not mix */
}

/* A number from the environment; anything else than a number in range is told and ignored. */
static uint64_t env_number(const char *name, uint64_t lo, uint64_t hi, uint64_t otherwise)
{
    const char *s = getenv(name);
    if (!s || !*s)
        return otherwise;
    char *end;
    errno = 0;
    unsigned long long v = strtoull(s, &end, 10);
    if (errno || *end || *s == '-' || v < lo || v > hi) {
        rt_message("%s=%s: a number from %llu to %llu is possible; using the default", name, s,
                   (unsigned long long)lo, (unsigned long long)hi);
        return otherwise;
    }
    return v;
}

static enum rt_code env_code(void)
{
    const char *s = getenv("BANKSHOT_CODE");
    if (!s || !*s || strcmp(s, "auto") == 0)
        return RT_CODE_AUTO;
    if (strcmp(s, "sass") == 0)
        return RT_CODE_SASS;
    if (strcmp(s, "ptx") != 0)
        rt_message("BANKSHOT_CODE=%s: sass, ptx or auto is possible; using auto", s);
    return strcmp(s, "ptx") == 0 ? RT_CODE_PTX : RT_CODE_AUTO;
}

static void read_environment(struct rt_cfg *c)
{
    const char *record = getenv("BANKSHOT_RECORD");
    c->record = record && *record ? xstrdup(record) : NULL;
    const char *values = getenv("BANKSHOT_VALUES");
    c->values = record && *record && values && *values ? xstrdup(values) : NULL;
    unsetenv("BANKSHOT_RECORD"); /* programs that this one starts must not write over its trace */
    unsetenv("BANKSHOT_VALUES");
    c->max_regs = (uint32_t)env_number("BANKSHOT_MAX_REGS", 16, 255, 0);
    c->no_schedule = env_number("BANKSHOT_NO_SCHEDULE", 0, 1, 0);
    c->short_addr = env_number("BANKSHOT_SHORT_ADDRESSES", 0, 1, 0);
    c->code = env_code();
    const char *cubin = getenv("BANKSHOT_CUBIN");
    c->cubin = cubin && *cubin ? xstrdup(cubin) : NULL;
    unsetenv("BANKSHOT_CUBIN"); /* programs that this one starts have code of their own */
    c->mem_b = env_number("BANKSHOT_MEMORY", 1, 1 << 24, 16384) << 20;
    const char *nvtx = getenv("BANKSHOT_NVTX");
    c->nvtx = nvtx && *nvtx ? xstrdup(nvtx) : NULL;
    rt_read_checks(c);
    c->verbose = env_number("BANKSHOT_VERBOSE", 0, 1, 0);
    c->quiet = env_number("BANKSHOT_QUIET", 0, 1, 0);
    const char *progress = getenv("BANKSHOT_PROGRESS");
    c->progress = progress && *progress ? xstrdup(progress) : NULL;
    const char *blocking = getenv("CUDA_LAUNCH_BLOCKING");
    c->blocking = blocking && strcmp(blocking, "1") == 0;
}

/* A child of fork has one thread, and the lock may have belonged to another. */
static void forked(void)
{
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&the_rt.lock, &a);
    pthread_mutexattr_destroy(&a);
    pthread_mutex_init(&the_rt.gone_lock, NULL);
    the_rt.depth = 0;
    the_rt.progress.fd = -1; /* the line is the parent's */
    the_rt.progress.shown = false;
}

static void init(void)
{
    struct rt *rt = &the_rt;
    read_environment(&rt->cfg);
    const struct exec_cfg cfg = {.mem_limit_b = rt->cfg.mem_b, .short_addr = rt->cfg.short_addr};
    rt->dev = exec_dev_new(&cfg);
    if (rt->cfg.values)
        exec_values_start(rt->dev);
    rt_begin_checks(rt);
    rt->next_host = RT_HOST_BASE;
    progress_init(&rt->progress, rt->cfg.progress);
    rt_streams_init(rt);
    pthread_atfork(NULL, NULL, forked);
}

/* Frees the modules that rt_module_gone could not. */
static void reap(struct rt *rt)
{
    pthread_mutex_lock(&rt->gone_lock);
    while (rt->gone.n) {
        struct rt_module *m = rt_obj_get(rt, rt->gone.at[--rt->gone.n], RK_MODULE);
        if (m)
            rt_module_free(rt, m);
    }
    atomic_store(&rt->any_gone, false);
    pthread_mutex_unlock(&rt->gone_lock);
}

struct rt *rt_enter_early(void)
{
    pthread_once(&once, init);
    pthread_mutex_lock(&the_rt.lock);
    if (the_rt.depth++ == 0 && atomic_load(&the_rt.any_gone))
        reap(&the_rt);
    return &the_rt;
}

void rt_module_gone(void *handle)
{
    pthread_once(&once, init);
    struct rt *rt = &the_rt;
    pthread_mutex_lock(&rt->gone_lock);
    vec_push(&rt->gone, handle);
    atomic_store(&rt->any_gone, true);
    pthread_mutex_unlock(&rt->gone_lock);
    if (pthread_mutex_trylock(&rt->lock) == 0) {
        if (rt->depth == 0)
            reap(rt);
        pthread_mutex_unlock(&rt->lock);
    }
}

struct rt *rt_enter(const char *name)
{
    struct rt *rt = rt_enter_early();
    rt->call = name;
    if (rt->fault && !rt->sticky)
        rt->sticky = rt->fault;
    if (!rt->rec_tried)
        rt_begin_trace(rt);
    if (!the_thread.in_driver && !the_thread.ncontexts)
        the_thread.use_primary = true;
    return rt;
}

void rt_leave_quiet(struct rt *rt)
{
    if (--rt->depth == 0) {
        if (!rt->progress.keep)
            progress_hide(&rt->progress);
        rt->progress.keep = false;
    }
    pthread_mutex_unlock(&rt->lock);
}

cudaError_t rt_leave(struct rt *rt, cudaError_t e)
{
    if (rt->sticky)
        e = rt->sticky;
    if (e)
        the_thread.last = e;
    rt_leave_quiet(rt);
    return e;
}

cudaError_t rt_last_error(struct rt *rt, bool clear)
{
    cudaError_t e = the_thread.last;
    (void)rt;
    if (clear)
        the_thread.last = cudaSuccess;
    return e;
}

unsigned rt_pause(struct rt *rt)
{
    unsigned depth = rt->depth;
    rt->depth = 0;
    for (unsigned i = 0; i < depth; i++)
        pthread_mutex_unlock(&rt->lock);
    return depth;
}

void rt_resume(struct rt *rt, unsigned depth)
{
    for (unsigned i = 0; i < depth; i++)
        pthread_mutex_lock(&rt->lock);
    rt->depth = depth;
}

/* ---- messages ---- */

static uint64_t hash_text(const char *s, uint64_t h)
{
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 0x100000001b3ull;
    return h;
}

cudaError_t rt_unsupported(struct rt *rt, const char *name, const char *what)
{
    uint64_t h = hash_text(what ? what : "", hash_text(name, 0xcbf29ce484222325ull)) | 1;
    if (!rt_map_get(&rt->told, h)) {
        rt_map_put(&rt->told, h, rt);
        rt_message("%s%s%s: not supported", name, what ? ": " : "", what ? what : "");
    }
    return cudaErrorNotSupported;
}

/* ---- handles ---- */

void rt_obj_add(struct rt *rt, struct rt_obj *o, enum rt_kind kind)
{
    o->kind = (uint8_t)kind;
    rt_map_put(&rt->objs, (uint64_t)(uintptr_t)o, o);
}

void rt_obj_remove(struct rt *rt, struct rt_obj *o) { rt_map_remove(&rt->objs, (uint64_t)(uintptr_t)o); }

void *rt_obj_get(struct rt *rt, const void *handle, enum rt_kind kind)
{
    struct rt_obj *o = rt_map_get(&rt->objs, (uint64_t)(uintptr_t)handle);
    return o && o->kind == kind ? o : NULL;
}

/* ---- the end ---- */

/* Memory that the program allocated is gone, variables keep their values, and a failed kernel is forgotten. */
void rt_reset(struct rt *rt)
{
    for (uint32_t i = rt->allocs.n; i-- > 0;) {
        if (!rt_is_variable(rt, rt->allocs.at[i].base))
            rt_alloc_free(rt, rt->allocs.at[i].base);
    }
    memset(&rt->settings, 0, sizeof rt->settings);
    rt->fault = rt->sticky = cudaSuccess;
}

/* A thread that is still in the middle of a kernel keeps the lock: then the trace stays partial, as after a kill. A program that
 * has done its work but whose trace could not be written must not look like success; nothing of its own comes after this. */
__attribute__((destructor)) static void close_state(void)
{
    if (pthread_mutex_trylock(&the_rt.lock))
        return;
    progress_hide(&the_rt.progress);
    bool ok = rt_end_trace(&the_rt), clean = rt_end_checks(&the_rt);
    pthread_mutex_unlock(&the_rt.lock);
    if (!(ok && clean) && the_rt.exit_status == 0) {
        fflush(NULL);
        _exit(ok ? STATUS_FOUND : STATUS_NO_TRACE);
    }
}
