/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs built by hand: nodes of each kind, edges, clones, parameters, updates; replay equals doing it directly. */
#include "prog.h"
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>

static const dim3 one = {1, 1, 1};

/* A node that does *p = *p * a + b. */
static cudaGraphNode_t step_node(cudaGraph_t g, const cudaGraphNode_t *deps, size_t n, uint32_t *p,
                                 uint32_t a, uint32_t b)
{
    cudaGraphNode_t node;
    void *args[] = {&p, &a, &b};
    struct cudaKernelNodeParams k = {
        .func = kernel("step"), .gridDim = one, .blockDim = one, .kernelParams = args};
    ok(cudaGraphAddKernelNode(&node, g, deps, n, &k));
    return node;
}

static void run(cudaGraph_t g)
{
    cudaGraphExec_t x;
    ok(cudaGraphInstantiate(&x, g, 0));
    ok(cudaGraphLaunch(x, 0));
    ok(cudaStreamSynchronize(0));
    ok(cudaGraphExecDestroy(x));
}

static uint32_t *memory(size_t n)
{
    uint32_t *p;
    ok(cudaMalloc((void **)&p, n * 4));
    ok(cudaMemset(p, 0, n * 4));
    return p;
}

static void host_fn(void *arg) { ++*(unsigned *)arg; }

static void every_kind(void **state)
{
    uint32_t *p = memory(4), host[4] = {1, 2, 3, 4}, back[4] = {0};
    unsigned calls = 0;
    cudaGraph_t g, child;
    cudaGraphNode_t up, set, empty, call, nested, down, rec, wait;
    cudaEvent_t e, f;
    (void)state;
    ok(cudaEventCreate(&e));
    ok(cudaEventCreate(&f));
    ok(cudaGraphCreate(&g, 0));
    ok(cudaGraphCreate(&child, 0));
    cudaGraphNode_t first = step_node(child, NULL, 0, p, 2, 1);
    step_node(child, &first, 1, p, 3, 1);
    ok(cudaGraphAddMemcpyNode1D(&up, g, NULL, 0, p, host, 16, cudaMemcpyHostToDevice));
    struct cudaMemsetParams m = {.dst = p + 2, .value = 0xabcd, .elementSize = 2, .width = 2, .height = 1};
    ok(cudaGraphAddMemsetNode(&set, g, &up, 1, &m));
    ok(cudaGraphAddChildGraphNode(&nested, g, &up, 1, child));
    ok(cudaGraphDestroy(child)); /* the node has its own copy */
    cudaGraphNode_t both[2] = {set, nested};
    ok(cudaGraphAddEmptyNode(&empty, g, both, 2));
    struct cudaHostNodeParams h = {host_fn, &calls};
    ok(cudaGraphAddHostNode(&call, g, &empty, 1, &h));
    ok(cudaGraphAddEventRecordNode(&rec, g, &call, 1, e));
    ok(cudaGraphAddEventWaitNode(&wait, g, &rec, 1, f));
    struct cudaMemcpy3DParms c = {.srcPtr = {p, 16, 16, 1},
                                  .dstPtr = {back, 16, 16, 1},
                                  .extent = {16, 1, 1},
                                  .kind = cudaMemcpyDeviceToHost};
    ok(cudaGraphAddMemcpyNode(&down, g, &wait, 1, &c));
    run(g);
    assert_int_equal(back[0], (1 * 2 + 1) * 3 + 1);
    assert_int_equal(back[1], 2);
    assert_int_equal(back[2], 0xabcdabcd);
    assert_int_equal(calls, 1);
    ok(cudaEventSynchronize(e));
    run(g);
    assert_int_equal(calls, 2);
    /* An event that is gone is noticed when the graph runs. */
    ok(cudaEventDestroy(e));
    cudaGraphExec_t x;
    ok(cudaGraphInstantiate(&x, g, 0));
    fails(cudaErrorInvalidResourceHandle, cudaGraphLaunch(x, 0));
    ok(cudaGraphExecDestroy(x));
    ok(cudaEventDestroy(f));
    ok(cudaGraphDestroy(g));
    ok(cudaFree(p));
}

/* A random order of edges changes nothing: ready nodes run in order of creation. */
static void order_is_that_of_creation(void **state)
{
    uint32_t *p = memory(1);
    cudaGraph_t g;
    cudaGraphNode_t n[4];
    (void)state;
    ok(cudaGraphCreate(&g, 0));
    for (uint32_t i = 0; i < 4; i++) /* no edges: p = ((1 * 10 + 2) * 10 + 3) * 10 + 4 */
        n[i] = step_node(g, NULL, 0, p, 10, i + 1);
    run(g);
    assert_int_equal(read_u32(p), 1234);
    ok(cudaMemset(p, 0, 4));
    cudaGraphNode_t from[2] = {n[3], n[2]}, to[2] = {n[0], n[1]};
    ok(cudaGraphAddDependencies(g, from, to, 2)); /* 4 before 1, 3 before 2 */
    run(g);
    assert_int_equal(read_u32(p), 3241);
    fails(cudaErrorInvalidValue, cudaGraphAddDependencies(g, from, to, 1)); /* there already */
    ok(cudaGraphRemoveDependencies(g, from, to, 1));
    fails(cudaErrorInvalidValue, cudaGraphRemoveDependencies(g, from, to, 1));
    ok(cudaMemset(p, 0, 4));
    run(g);
    assert_int_equal(read_u32(p), 1324);
    cudaGraphNode_t roots[4] = {0};
    size_t count = 4;
    ok(cudaGraphGetRootNodes(g, roots, &count));
    assert_int_equal(count, 3);
    assert_ptr_equal(roots[1], n[2]);
    assert_null(roots[3]);
    /* A cycle is refused when the graph is instantiated. */
    cudaGraphExec_t x;
    ok(cudaGraphAddDependencies(g, &n[1], &n[2], 1));
    fails(cudaErrorInvalidValue, cudaGraphInstantiate(&x, g, 0));
    ok(cudaGraphDestroyNode(n[1]));
    ok(cudaGraphInstantiate(&x, g, 0));
    ok(cudaGraphExecDestroy(x));
    ok(cudaGraphDestroy(g));
    ok(cudaFree(p));
}

static void launches_keep_their_freedom(void **state)
{
    cudaGraph_t g;
    cudaGraphExec_t x;
    uint32_t *p = memory(1);
    (void)state;
    ok(cudaGraphCreate(&g, 0));
    cudaGraphNode_t a = step_node(g, NULL, 0, p, 1, 0), b = step_node(g, NULL, 0, p, 1, 0), mid;
    cudaGraphNode_t both[2] = {a, b};
    ok(cudaGraphAddEmptyNode(&mid, g, both, 2));
    step_node(g, &mid, 1, p, 1, 0);
    step_node(g, &a, 1, p, 1, 0);
    ok(cudaGraphInstantiate(&x, g, 0));
    uint32_t z = barrier();
    ok(cudaGraphLaunch(x, 0));
    after(z + 1, 1, z);
    after(z + 2, 1, z);
    after(z + 3, 2, z + 1, z + 2);
    after(z + 4, 1, z + 1);
    uint32_t l = go(0);
    after(l, 2, z + 3, z + 4);
    ok(cudaGraphExecDestroy(x));
    ok(cudaGraphDestroy(g));
    ok(cudaFree(p));
}

static void clones(void **state)
{
    uint32_t *p = memory(1);
    cudaGraph_t g, c;
    cudaGraphNode_t found;
    (void)state;
    ok(cudaGraphCreate(&g, 0));
    cudaGraphNode_t a = step_node(g, NULL, 0, p, 1, 5);
    ok(cudaGraphClone(&c, g));
    ok(cudaGraphNodeFindInClone(&found, a, c));
    assert_ptr_not_equal(found, a);
    fails(cudaErrorInvalidValue, cudaGraphNodeFindInClone(&found, found, c));
    ok(cudaGraphDestroyNode(a));
    fails(cudaErrorInvalidValue, cudaGraphDestroyNode(a));
    run(g);
    assert_int_equal(read_u32(p), 0);
    run(c);
    assert_int_equal(read_u32(p), 5);
    ok(cudaGraphDestroy(g));
    fails(cudaErrorInvalidValue, cudaGraphDestroy(g));
    ok(cudaGraphDestroy(c));
    ok(cudaFree(p));
}

static void parameters(void **state)
{
    uint32_t *p = memory(2), a = 0, b = 8, v = 3;
    cudaGraph_t g;
    cudaGraphExec_t x;
    struct cudaKernelNodeParams k;
    (void)state;
    ok(cudaGraphCreate(&g, 0));
    cudaGraphNode_t n = step_node(g, NULL, 0, p, 0, 7), set;
    ok(cudaGraphKernelNodeGetParams(n, &k));
    assert_ptr_equal(k.func, kernel("step"));
    assert_int_equal(*(uint32_t *)k.kernelParams[2], 7);
    ok(cudaGraphInstantiate(&x, g, 0));
    void *args[] = {&p, &a, &b};
    k.kernelParams = args;
    ok(cudaGraphExecKernelNodeSetParams(x, n, &k)); /* this executable graph only */
    ok(cudaGraphLaunch(x, 0));
    assert_int_equal(read_u32(p), 8);
    run(g);
    assert_int_equal(read_u32(p), 7);
    ok(cudaGraphKernelNodeSetParams(n, &k));
    run(g);
    assert_int_equal(read_u32(p), 8);
    ok(cudaGraphNodeSetEnabled(x, n, 0));
    b = 9;
    ok(cudaGraphExecKernelNodeSetParams(x, n, &k));
    ok(cudaGraphLaunch(x, 0));
    assert_int_equal(read_u32(p), 8);
    unsigned on = 1;
    ok(cudaGraphNodeGetEnabled(x, n, &on));
    assert_int_equal(on, 0);
    ok(cudaGraphNodeSetEnabled(x, n, 1));
    ok(cudaGraphLaunch(x, 0));
    assert_int_equal(read_u32(p), 9);
    /* Refused: no such kernel, no such configuration, another kind of node. */
    k.func = &v;
    fails(cudaErrorInvalidDeviceFunction, cudaGraphKernelNodeSetParams(n, &k));
    k.func = kernel("step");
    k.blockDim.x = 2000;
    fails(cudaErrorInvalidConfiguration, cudaGraphKernelNodeSetParams(n, &k));
    struct cudaMemsetParams m = {.dst = p, .value = 1, .elementSize = 4, .width = 1, .height = 1};
    fails(cudaErrorInvalidValue, cudaGraphMemsetNodeSetParams(n, &m));
    m.elementSize = 3;
    fails(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&set, g, &n, 1, &m));
    ok(cudaGraphExecDestroy(x));
    ok(cudaGraphDestroy(g));
    ok(cudaFree(p));
}

static void packed_arguments(void **state)
{
    uint32_t *p = memory(1);
    struct {
        uint32_t *p;
        uint32_t a, b;
    } pack = {p, 1, 21};
    size_t size = sizeof pack;
    void *extra[] = {(void *)1, &pack, (void *)2, &size, NULL};
    struct cudaKernelNodeParams k = {.func = kernel("step"), .gridDim = one, .blockDim = one, .extra = extra};
    cudaGraph_t g;
    cudaGraphNode_t n;
    (void)state;
    ok(cudaGraphCreate(&g, 0));
    ok(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    run(g);
    assert_int_equal(read_u32(p), 21);
    size = 4;
    fails(cudaErrorInvalidValue, cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    ok(cudaGraphDestroy(g));
    ok(cudaFree(p));
}

static void updates(void **state)
{
    uint32_t *p = memory(1);
    cudaGraph_t g, h, other;
    cudaGraphExec_t x;
    cudaGraphExecUpdateResultInfo info;
    (void)state;
    ok(cudaGraphCreate(&g, 0));
    cudaGraphNode_t n = step_node(g, NULL, 0, p, 1, 1);
    step_node(g, &n, 1, p, 1, 1);
    ok(cudaGraphInstantiate(&x, g, 0));
    ok(cudaGraphCreate(&h, 0));
    n = step_node(h, NULL, 0, p, 1, 100);
    step_node(h, &n, 1, p, 1, 100);
    ok(cudaGraphExecUpdate(x, h, &info));
    assert_int_equal(info.result, cudaGraphExecUpdateSuccess);
    ok(cudaGraphLaunch(x, 0));
    assert_int_equal(read_u32(p), 200);
    ok(cudaGraphCreate(&other, 0));
    step_node(other, NULL, 0, p, 1, 1);
    fails(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(x, other, &info));
    assert_int_equal(info.result, cudaGraphExecUpdateErrorTopologyChanged);
    ok(cudaGraphAddEmptyNode(&n, other, NULL, 0));
    fails(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(x, other, &info));
    assert_int_equal(info.result, cudaGraphExecUpdateErrorNodeTypeChanged);
    ok(cudaGraphLaunch(x, 0));
    assert_int_equal(read_u32(p), 400);
    ok(cudaGraphExecDestroy(x));
    ok(cudaGraphDestroy(g));
    ok(cudaGraphDestroy(h));
    ok(cudaGraphDestroy(other));
    ok(cudaFree(p));
}

static void graph_memory(void **state)
{
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphNode_t alloc, release;
    uint64_t used;
    struct cudaMemAllocNodeParams m = {.bytesize = 4000};
    (void)state;
    m.poolProps.allocType = cudaMemAllocationTypePinned;
    m.poolProps.location.type = cudaMemLocationTypeDevice;
    ok(cudaGraphCreate(&g, 0));
    ok(cudaGraphAddMemAllocNode(&alloc, g, NULL, 0, &m));
    assert_non_null(m.dptr);
    uint32_t *p = m.dptr, *q = memory(1);
    cudaGraphNode_t n = step_node(g, &alloc, 1, p, 0, 42), copy;
    ok(cudaGraphAddMemcpyNode1D(&copy, g, &n, 1, q, p, 4, cudaMemcpyDeviceToDevice));
    ok(cudaGraphInstantiate(&x, g, 0));
    ok(cudaGraphLaunch(x, 0));
    assert_int_equal(read_u32(q), 42);
    ok(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    assert_int_equal(used, 4096);
    fails(cudaErrorInvalidValue, cudaGraphLaunch(x, 0)); /* not freed yet */
    ok(cudaFreeAsync(p, 0));
    ok(cudaGraphLaunch(x, 0));
    ok(cudaFree(p));
    ok(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    assert_int_equal(used, 0);
    ok(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &used));
    assert_int_equal(used, 4096);
    ok(cudaGraphExecDestroy(x));
    ok(cudaGraphAddMemFreeNode(&release, g, &copy, 1, p));
    fails(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&release, g, &copy, 1, q));
    run(g);
    run(g);
    ok(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    ok(cudaGraphLaunch(x, 0));
    ok(cudaGraphExecDestroy(x));
    fails(cudaErrorNotSupported, cudaGraphDestroyNode(alloc));
    ok(cudaGraphDestroy(g));
    fails(cudaErrorInvalidValue, cudaFree(p)); /* gone with the last graph */
    ok(cudaDeviceGraphMemTrim(0));
    ok(cudaFree(q));
}

static void captured_allocation(void **state)
{
    cudaStream_t s;
    cudaGraph_t g;
    uint32_t *p, *q = memory(1);
    (void)state;
    ok(cudaStreamCreate(&s));
    ok(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ok(cudaMallocAsync((void **)&p, 4, s));
    step(s, p, 0, 11);
    ok(cudaMemcpyAsync(q, p, 4, cudaMemcpyDeviceToDevice, s));
    ok(cudaFreeAsync(p, s));
    ok(cudaStreamEndCapture(s, &g));
    run(g);
    run(g);
    assert_int_equal(read_u32(q), 11);
    ok(cudaGraphDestroy(g));
    ok(cudaStreamDestroy(s));
    ok(cudaFree(q));
}

static void misuse(void **state)
{
    cudaGraph_t g, h;
    cudaGraphNode_t a, b;
    cudaGraphExec_t x;
    unsigned calls = 0;
    (void)state;
    fails(cudaErrorInvalidValue, cudaGraphCreate(&g, 1));
    fails(cudaErrorInvalidValue, cudaGraphCreate(NULL, 0));
    ok(cudaGraphCreate(&g, 0));
    ok(cudaGraphCreate(&h, 0));
    ok(cudaGraphAddEmptyNode(&a, g, NULL, 0));
    fails(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&b, h, &a, 1)); /* of another graph */
    fails(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&b, (cudaGraph_t)&calls, NULL, 0));
    fails(cudaErrorInvalidValue, cudaGraphAddDependencies(g, &a, &a, 1));
    fails(cudaErrorInvalidValue, cudaGraphInstantiate(&x, g, 1 << 20));
    fails(cudaErrorNotSupported, cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagDeviceLaunch));
    fails(cudaErrorInvalidValue, cudaGraphInstantiate(NULL, g, 0));
    fails(cudaErrorInvalidValue,
          cudaGraphAddHostNode(&b, g, NULL, 0, &(struct cudaHostNodeParams){NULL, NULL}));
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeConditional};
    fails(cudaErrorNotSupported, cudaGraphAddNode(&b, g, NULL, 0, &p));
    p = (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeHost};
    p.host.fn = host_fn;
    p.host.userData = &calls;
    ok(cudaGraphAddNode(&b, g, &a, 1, &p));
    run(g);
    assert_int_equal(calls, 1);
    cudaGraphConditionalHandle c;
    fails(cudaErrorNotSupported, cudaGraphConditionalHandleCreate(&c, g, 0, 0));
    ok(cudaGraphDestroy(g));
    fails(cudaErrorInvalidValue, cudaGraphDestroyNode(a));
    ok(cudaGraphDestroy(h));
}

/* A graph may outlive the module of its kernels: it says so, and nothing worse. */
static void module_unloaded(void **state)
{
    static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                              ".visible .entry k(.param .u32 v) { ret; }\n";
    CUmodule m;
    CUfunction f;
    cudaGraph_t g, c;
    cudaGraphExec_t x;
    cudaGraphNode_t n;
    uint32_t v = 1;
    void *args[] = {&v};
    (void)state;
    assert_int_equal(cuModuleLoadData(&m, ptx), CUDA_SUCCESS);
    assert_int_equal(cuModuleGetFunction(&f, m, "k"), CUDA_SUCCESS);
    struct cudaKernelNodeParams k = {.func = f, .gridDim = one, .blockDim = one, .kernelParams = args};
    ok(cudaGraphCreate(&g, 0));
    ok(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    ok(cudaGraphInstantiate(&x, g, 0));
    ok(cudaGraphLaunch(x, 0));
    assert_int_equal(cuModuleUnload(m), CUDA_SUCCESS);
    fails(cudaErrorInvalidDeviceFunction, cudaGraphLaunch(x, 0));
    fails(cudaErrorInvalidDeviceFunction, cudaGraphKernelNodeGetParams(n, &k));
    ok(cudaGraphClone(&c, g));
    ok(cudaGraphDebugDotPrint(c, "/dev/null", 0));
    ok(cudaGraphDestroy(c));
    ok(cudaGraphExecDestroy(x));
    ok(cudaGraphDestroy(g));
}

static void array_freed(void **state)
{
    const struct cudaChannelFormatDesc d = {32, 0, 0, 0, cudaChannelFormatKindUnsigned};
    cudaArray_t a;
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphNode_t n;
    uint32_t v[4] = {1, 2, 3, 4};
    (void)state;
    ok(cudaMallocArray(&a, &d, 4, 0, 0));
    struct cudaMemcpy3DParms p = {.srcPtr = {v, 16, 4, 1},
                                  .dstArray = a,
                                  .extent = {4, 1, 1},
                                  .kind = cudaMemcpyHostToDevice},
                             q;
    ok(cudaGraphCreate(&g, 0));
    ok(cudaGraphAddMemcpyNode(&n, g, NULL, 0, &p));
    ok(cudaGraphMemcpyNodeGetParams(n, &q));
    assert_ptr_equal(q.dstArray, a);
    assert_int_equal(q.extent.width, 4);
    ok(cudaGraphInstantiate(&x, g, 0));
    ok(cudaGraphLaunch(x, 0));
    ok(cudaFreeArray(a));
    fails(cudaErrorInvalidValue, cudaGraphLaunch(x, 0));
    fails(cudaErrorInvalidValue, cudaGraphMemcpyNodeGetParams(n, &q));
    ok(cudaGraphExecDestroy(x));
    ok(cudaGraphDestroy(g));
}

static void user_objects(void **state)
{
    cudaUserObject_t u;
    cudaGraph_t g;
    cudaGraphExec_t x;
    unsigned calls = 0;
    (void)state;
    ok(cudaGraphCreate(&g, 0));
    ok(cudaUserObjectCreate(&u, &calls, host_fn, 1, cudaUserObjectNoDestructorSync));
    ok(cudaGraphRetainUserObject(g, u, 1, cudaGraphUserObjectMove));
    ok(cudaGraphInstantiate(&x, g, 0));
    ok(cudaGraphDestroy(g));
    assert_int_equal(calls, 0);
    ok(cudaGraphExecDestroy(x));
    assert_int_equal(calls, 1);
    fails(cudaErrorInvalidValue, cudaUserObjectRetain(u, 1));
}

static void dot_file(void **state)
{
    char path[] = "/tmp/bankshot-dot-XXXXXX", line[256] = "";
    cudaGraph_t g;
    cudaGraphNode_t a, b;
    int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0);
    ok(cudaGraphCreate(&g, 0));
    ok(cudaGraphAddEmptyNode(&a, g, NULL, 0));
    ok(cudaGraphAddEmptyNode(&b, g, &a, 1));
    ok(cudaGraphDebugDotPrint(g, path, 0));
    FILE *f = fopen(path, "r");
    bool edge = false;
    while (fgets(line, sizeof line, f))
        edge |= strstr(line, "\"/0\" -> \"/1\"") != NULL;
    assert_true(edge);
    fclose(f);
    remove(path);
    ok(cudaGraphDestroy(g));
    fails(cudaErrorInvalidValue, cudaGraphDebugDotPrint(g, path, 0));
}

/* What follows a kernel that fails is not done; the call after the launch says so, and all later ones. */
static void failing_kernel(void **state)
{
    static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                              ".visible .entry bad() { trap; ret; }\n";
    CUmodule m;
    CUfunction f;
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphNode_t n, call;
    unsigned calls = 0;
    struct quiet q;
    (void)state;
    assert_int_equal(cuModuleLoadData(&m, ptx), CUDA_SUCCESS);
    assert_int_equal(cuModuleGetFunction(&f, m, "bad"), CUDA_SUCCESS);
    struct cudaKernelNodeParams k = {.func = f, .gridDim = one, .blockDim = one};
    struct cudaHostNodeParams h = {host_fn, &calls};
    ok(cudaGraphCreate(&g, 0));
    ok(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    ok(cudaGraphAddHostNode(&call, g, &n, 1, &h));
    ok(cudaGraphInstantiate(&x, g, 0));
    quiet_begin(&q);
    cudaError_t e = cudaGraphLaunch(x, 0);
    quiet_end(&q, NULL, 0);
    assert_int_equal(e, cudaSuccess);
    assert_int_equal(calls, 0);
    assert_int_equal(cudaStreamSynchronize(0), cudaErrorLaunchFailure);
    assert_int_equal(cudaGraphLaunch(x, 0), cudaErrorLaunchFailure);
    ok(cudaDeviceReset());
    cudaGetLastError();
    ok(cudaGraphDestroyNode(n));
    run(g);
    assert_int_equal(calls, 1);
    ok(cudaGraphExecDestroy(x));
    ok(cudaGraphDestroy(g));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),
        cmocka_unit_test(order_is_that_of_creation),
        cmocka_unit_test(launches_keep_their_freedom),
        cmocka_unit_test(clones),
        cmocka_unit_test(parameters),
        cmocka_unit_test(packed_arguments),
        cmocka_unit_test(updates),
        cmocka_unit_test(graph_memory),
        cmocka_unit_test(captured_allocation),
        cmocka_unit_test(misuse),
        cmocka_unit_test(module_unloaded),
        cmocka_unit_test(array_freed),
        cmocka_unit_test(user_objects),
        cmocka_unit_test(dot_file),
        cmocka_unit_test(failing_kernel),
    };
    return cmocka_run_group_tests(tests, rig_setup, NULL);
}
