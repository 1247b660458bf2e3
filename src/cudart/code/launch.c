/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel launches: parameters from the arguments' addresses, limits as CUDA checks them, execution with the recorder, and
 * what a failed kernel means for the program.
 *
 * A kernel is executed when it is launched, but as on a GPU its failure is told by the call after the launch (other than
 * cudaGetLastError) and by every later one; with CUDA_LAUNCH_BLOCKING=1 by the launch itself. */
#include "cudart/code/launch.h"
#include "cudart/code/occupancy.h"
#include "cudart/stream/stream.h"

#include "base/demangle.h"
#include "exec/sanitize/sanitize.h"
#include "trace/write/record.h"

static const uint32_t max_grid[3] = {0x7fffffff, 65535, 65535}, max_block[3] = {1024, 1024, 64};
enum { MAX_THREADS = 1024, REGS_PER_CTA = 65536 };

/* Registers are given to warps in units of 256 (compute capability 7.0 and later). */
static bool registers_fit(const struct code *c, uint64_t threads)
{
    uint64_t per_warp = ((uint64_t)c->regs * 32 + 255) / 256 * 256;
    return per_warp * ((threads + 31) / 32) <= REGS_PER_CTA;
}

/* Up to 2^63: the limits of the grid are checked before. */
static uint64_t grid_ctas(const struct rt_op *op)
{
    return (uint64_t)op->launch.grid[0] * op->launch.grid[1] * op->launch.grid[2];
}

/* Do the clusters make the grid, and are they what the kernel and the device can have? */
static bool clusters_fit(const struct rt_op *op)
{
    const struct rt_kernel *k = op->launch.kernel;
    const struct code *c = k->code;
    const uint32_t *given = op->launch.wish.cluster, *size = given[0] ? given : c->cluster;
    uint32_t n = 1, most = k->non_portable ? CLUSTER_MAX : CLUSTER_PORTABLE;
    if (!size[0])
        return !c->explicit_cluster && !given[1] && !given[2];
    if (c->max_cluster && c->max_cluster < most)
        most = c->max_cluster;
    for (unsigned i = 0; i < 3; i++) {
        if (!size[i] || size[i] > most || (n *= size[i]) > most || op->launch.grid[i] % size[i])
            return false;
        if (c->cluster[0] && size[i] != c->cluster[i])
            return false;
    }
    return true;
}

cudaError_t launch_check(struct rt *rt, const struct rt_op *op)
{
    const struct rt_kernel *k = op->launch.kernel;
    const struct code *c = k->code;
    uint64_t threads = 1;
    (void)rt;
    if (!c)
        return k->failed;
    for (unsigned i = 0; i < 3; i++) {
        if (!op->launch.grid[i] || op->launch.grid[i] > max_grid[i] || !op->launch.block[i] ||
            op->launch.block[i] > max_block[i])
            return cudaErrorInvalidConfiguration;
        threads *= op->launch.block[i];
    }
    if (threads > MAX_THREADS)
        return cudaErrorInvalidConfiguration;
    uint64_t shared = (uint64_t)c->shared_b + op->launch.dyn_shared_b,
             opted = (uint64_t)c->shared_b + k->max_dyn_shared_b;
    if (shared > SHARED_OPTIN_B || (shared > SHARED_DEFAULT_B && shared > opted))
        return cudaErrorInvalidValue;
    if (c->maxntid && threads > c->maxntid)
        return cudaErrorInvalidConfiguration;
    if (!registers_fit(c, threads))
        return cudaErrorLaunchOutOfResources;
    if (!clusters_fit(op))
        return cudaErrorInvalidClusterSize;
    if (op->launch.wish.cooperative &&
        grid_ctas(op) > occupancy_device(c, k->max_dyn_shared_b, (uint32_t)threads, op->launch.dyn_shared_b))
        return cudaErrorCooperativeLaunchTooLarge;
    return cudaSuccess;
}

/* Why launch_check has answered e. */
static void reason(const struct rt_op *op, cudaError_t e, char *out, size_t n)
{
    const uint32_t *g = op->launch.grid, *b = op->launch.block;
    const struct code *c = op->launch.kernel->code;
    uint64_t threads = (uint64_t)b[0] * b[1] * b[2];
    if (e == cudaErrorLaunchOutOfResources)
        snprintf(out, n,
                 "%llu threads of %u registers are more than the %u of an SM; with BANKSHOT_MAX_REGS=%u (or "
                 "-maxrregcount) "
                 "they fit",
                 (unsigned long long)threads, c->regs, REGS_PER_CTA,
                 (unsigned)(REGS_PER_CTA / ((threads + 31) / 32 * 32) / 8 * 8));
    else if (e == cudaErrorInvalidValue)
        snprintf(out, n,
                 "it asks for %u bytes of shared memory and has %u of its own; there are %u for a CTA, and "
                 "more than %u only "
                 "after cudaFuncSetAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize)",
                 op->launch.dyn_shared_b, c->shared_b, SHARED_OPTIN_B, SHARED_DEFAULT_B);
    else if (e == cudaErrorInvalidClusterSize)
        snprintf(out, n, "its clusters do not make the grid %u,%u,%u, or are larger than the device has them",
                 g[0], g[1], g[2]);
    else if (e == cudaErrorCooperativeLaunchTooLarge)
        snprintf(out, n, "%llu CTAs of a cooperative launch do not fit the device at the same time",
                 (unsigned long long)grid_ctas(op));
    else if (!g[0] || !g[1] || !g[2])
        snprintf(out, n, "its grid %u,%u,%u is empty", g[0], g[1], g[2]);
    else if (!threads)
        snprintf(out, n, "its block %u,%u,%u is empty", b[0], b[1], b[2]);
    else if (threads > MAX_THREADS || b[0] > max_block[0] || b[1] > max_block[1] || b[2] > max_block[2])
        snprintf(out, n, "its block %u,%u,%u has %llu threads; there may be %u, and %u,%u,%u along the axes",
                 b[0], b[1], b[2], (unsigned long long)threads, MAX_THREADS, max_block[0], max_block[1],
                 max_block[2]);
    else if (c->maxntid && threads > c->maxntid)
        snprintf(out, n, "its block has %llu threads, and its __launch_bounds__ are %u",
                 (unsigned long long)threads, c->maxntid);
    else
        snprintf(out, n, "its grid %u,%u,%u is larger than %u,%u,%u", g[0], g[1], g[2], max_grid[0],
                 max_grid[1], max_grid[2]);
}

/* Programs that do not ask for errors go on without the kernel, and the results look as if it had been launched. Once for each
 * kernel. */
static void tell_refusal(struct rt *rt, const struct rt_op *op, cudaError_t e)
{
    struct rt_kernel *k = op->launch.kernel;
    char why[512], name[256];
    if (k->told || rt->cfg.quiet || !k->code)
        return;
    k->told = true;
    reason(op, e, why, sizeof why);
    demangle(k->name, name, sizeof name);
    rt_message("kernel '%s' is not launched: %s", name, why);
}

cudaError_t rt_launch_op(struct rt *rt, struct rt_op *op, struct rt_kernel *k, const uint32_t grid[3],
                         const uint32_t block[3], void **args, uint64_t dyn_shared_b, struct rt_wish wish)
{
    cudaError_t e = rt_kernel_compile(rt, k);
    if (e)
        return e;
    const struct code *c = k->code;
    *op = (struct rt_op){
        .kind = RO_LAUNCH,
        .launch = {.kernel = k,
                   .grid = {grid[0], grid[1], grid[2]},
                   .block = {block[0], block[1], block[2]},
                   .dyn_shared_b = dyn_shared_b > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)dyn_shared_b,
                   .wish = wish}};
    if (c->nparams && !args)
        return cudaErrorInvalidValue;
    e = launch_check(rt, op);
    if (e) {
        tell_refusal(rt, op, e);
        return e;
    }
    op->launch.params = xcalloc(1, c->param_b ? c->param_b : 1);
    for (uint32_t i = 0; i < c->nparams; i++) {
        if (!args[i]) {
            rt_op_free(op);
            return cudaErrorInvalidValue;
        }
        memcpy(op->launch.params + c->params[i].off_b, args[i], c->params[i].size_b);
    }
    return cudaSuccess;
}

static cudaError_t error_of(enum exec_status s)
{
    switch (s) {
    case EXEC_OK: return cudaSuccess;
    case EXEC_BAD_LAUNCH: return cudaErrorInvalidConfiguration;
    case EXEC_BAD_ADDRESS: return cudaErrorIllegalAddress;
    case EXEC_MISALIGNED: return cudaErrorMisalignedAddress;
    case EXEC_TRAP: return cudaErrorLaunchFailure;
    case EXEC_ASSERT: return cudaErrorAssert;
    case EXEC_DEADLOCK:
    case EXEC_LIMIT: return cudaErrorLaunchTimeout;
    case EXEC_ILLEGAL: return cudaErrorIllegalInstruction;
    case EXEC_BAD_CODE: return cudaErrorLaunchFailure;
    }
    return cudaErrorUnknown;
}

/* A launch that was refused leaves the context as it was; a kernel that failed has lost it. */
static cudaError_t failed(struct rt *rt, const struct rt_op *op, enum exec_status s,
                          const struct exec_error *err)
{
    rt_message("%s", err->text);
    rt->nfailed++;
    if (s == EXEC_BAD_LAUNCH)
        return op->launch.wish.cooperative ? cudaErrorCooperativeLaunchTooLarge
                                           : cudaErrorInvalidConfiguration;
    rt->fault = error_of(s);
    if (rt->cfg.blocking)
        rt->sticky = rt->fault;
    return rt->sticky;
}

static void tell(const struct rt_op *op, const struct exec_counts *n)
{
    const uint32_t *g = op->launch.grid, *b = op->launch.block;
    rt_message("launch %s  grid %u,%u,%u  block %u,%u,%u  shared %u  %u registers  %llu warp instructions",
               op->launch.kernel->name, g[0], g[1], g[2], b[0], b[1], b[2], op->launch.dyn_shared_b,
               op->launch.kernel->code->regs, (unsigned long long)n->warp_insts);
}

cudaError_t launch_execute(struct rt *rt, struct rt_stream *s, const struct rt_op *op)
{
    struct rt_kernel *k = op->launch.kernel;
    struct rt_front after = {0};
    struct exec_counts counts = {0};
    struct exec_error err = {0};
    uint32_t number = TR_NO_LAUNCH;
    if (!k->code)
        return k->failed;
    struct exec_launch l = {.code = k->code,
                            .module = k->module->exec,
                            .dyn_shared_b = op->launch.dyn_shared_b,
                            .stack_b = (uint32_t)rt->settings.limit[cudaLimitStackSize],
                            .params = op->launch.params,
                            .params_b = k->code->param_b,
                            .cooperative = op->launch.wish.cooperative};
    memcpy(l.grid, op->launch.grid, sizeof l.grid);
    memcpy(l.block, op->launch.block, sizeof l.block);
    memcpy(l.cluster, op->launch.wish.cluster, sizeof l.cluster);
    rt_stream_before(rt, s, &after);
    const struct rt_wish *w = &op->launch.wish;
    int priority = w->has_priority && !s->one_priority ? w->priority : s->priority;
    const struct tr_order order = {.stream = s->id,
                                   .priority = (uint32_t)(STREAM_PRIORITY_LEAST - priority),
                                   .region = rt->region || rt_in_nvtx(rt),
                                   .after = after.launches.at,
                                   .nafter = after.launches.n};
    if (k->code->uses_printf) { /* what it prints may come at any moment */
        progress_hide(&rt->progress);
    } else {
        l.tick = progress_begin(&rt->progress, k->name);
        l.tick_ctx = &rt->progress;
    }
    if (rt->cfg.check)
        exec_check_order(rt->dev, rt->order.first.n ? rt->order.first.n - 1 : 0, after.launches.at,
                         after.launches.n);
    enum exec_status st = tr_record_launch(rt->rec, rt->dev, &l, &order, &number, &counts, &err);
    progress_end(&rt->progress, &counts);
    vec_free(&after.launches);
    rt_check_trace(rt);
    rt->clock_ns += counts.warp_insts;
    if (k->code->uses_printf || st != EXEC_OK)
        fflush(stdout);
    if (st != EXEC_BAD_LAUNCH)
        rt_stream_launched(rt, s, number);
    if (rt->cfg.verbose)
        tell(op, &counts);
    return st == EXEC_OK ? cudaSuccess : failed(rt, op, st, &err);
}
