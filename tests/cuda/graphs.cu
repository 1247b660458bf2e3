// Graphs from captured streams and built node by node; memory pools.
#include "check.h"

__global__ void step(int *a, int mul, int add) { a[threadIdx.x] = a[threadIdx.x] * mul + add; }
__global__ void sum(const int *a, const int *b, int *c) { c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; }

static int read(const int *d)
{
    int value;
    OK(cudaMemcpy(&value, d, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

static void capture()
{
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *a, *b, *c;
    OK(cudaMalloc(&a, 32 * sizeof(int)));
    OK(cudaMalloc(&b, 32 * sizeof(int)));
    OK(cudaMalloc(&c, 32 * sizeof(int)));
    OK(cudaMemset(a, 0, 32 * sizeof(int)));
    OK(cudaMemset(c, 0, 32 * sizeof(int)));
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&t));
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));

    cudaStreamCaptureStatus status;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaStreamIsCapturing(s, &status));
    CHECK(status == cudaStreamCaptureStatusActive);
    OK(cudaMemsetAsync(b, 0, 32 * sizeof(int), s));
    OK(cudaEventRecord(fork, s));
    OK(cudaStreamWaitEvent(t, fork, 0));
    step<<<1, 32, 0, s>>>(a, 2, 1);
    step<<<1, 32, 0, t>>>(b, 1, 5);
    OK(cudaEventRecord(join, t));
    OK(cudaStreamWaitEvent(s, join, 0));
    sum<<<1, 32, 0, s>>>(a, b, c);
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaStreamIsCapturing(t, &status));
    CHECK(status == cudaStreamCaptureStatusNone);
    CHECK(read(c) == 0); // captured, not run

    size_t nodes = 0;
    OK(cudaGraphGetNodes(graph, NULL, &nodes));
    CHECK(nodes == 4);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphUpload(exec, s));
    for (int i = 0; i < 3; i++)
        OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    CHECK(read(a) == 7 && read(b) == 5 && read(c) == 12);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));

    // What does not go into a graph makes the capture invalid.
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    GIVES(cudaStreamSynchronize(s), cudaErrorStreamCaptureUnsupported);
    OK(cudaStreamIsCapturing(s, &status));
    CHECK(status == cudaStreamCaptureStatusInvalidated);
    GIVES(cudaStreamEndCapture(s, &graph), cudaErrorStreamCaptureInvalidated);
    CHECK(graph == NULL);
    GIVES(cudaStreamEndCapture(s, &graph), cudaErrorIllegalState);
    OK(cudaEventDestroy(fork));
    OK(cudaEventDestroy(join));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(t));
    OK(cudaFree(a));
    OK(cudaFree(b));
    OK(cudaFree(c));
}

static void CUDART_CB count(void *data) { ++*(int *)data; }

static void built()
{
    int *d, result = 0, calls = 0, mul = 3, add = 1;
    OK(cudaMalloc(&d, 4 * sizeof(int)));
    cudaGraph_t graph;
    OK(cudaGraphCreate(&graph, 0));

    cudaGraphNode_t fill, kernel, copy, host;
    cudaMemsetParams set = {};
    set.dst = d;
    set.value = 7;
    set.elementSize = 4;
    set.width = 4;
    set.height = 1;
    OK(cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &set));
    void *args[] = {&d, &mul, &add};
    cudaKernelNodeParams k = {};
    k.func = (void *)step;
    k.gridDim = dim3(1);
    k.blockDim = dim3(4);
    k.kernelParams = args;
    OK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &k));
    OK(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, &result, d + 2, sizeof(int), cudaMemcpyDeviceToHost));
    cudaHostNodeParams h = {};
    h.fn = count;
    h.userData = &calls;
    OK(cudaGraphAddHostNode(&host, graph, &copy, 1, &h));

    cudaGraphNodeType type;
    OK(cudaGraphNodeGetType(kernel, &type));
    CHECK(type == cudaGraphNodeTypeKernel);
    size_t roots = 0;
    OK(cudaGraphGetRootNodes(graph, NULL, &roots));
    CHECK(roots == 1);

    cudaGraph_t clone;
    OK(cudaGraphClone(&clone, graph));
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    mul = 100; // the node has a copy of the arguments
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaStreamSynchronize(0));
    CHECK(result == 22 && calls == 1);

    // Other arguments for the kernel of the executable graph.
    OK(cudaGraphExecKernelNodeSetParams(exec, kernel, &k));
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaStreamSynchronize(0));
    CHECK(result == 701 && calls == 2);

    // The clone still has the first ones; an update brings them back.
    cudaGraphExecUpdateResultInfo info;
    OK(cudaGraphExecUpdate(exec, clone, &info));
    CHECK(info.result == cudaGraphExecUpdateSuccess);
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaStreamSynchronize(0));
    CHECK(result == 22 && calls == 3);

    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(clone));
    OK(cudaGraphDestroy(graph));
    OK(cudaFree(d));
}

static void memory_nodes()
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t alloc, fill, copy, release;
    int result = 0;
    OK(cudaGraphCreate(&graph, 0));
    cudaMemAllocNodeParams a = {};
    a.bytesize = 1024;
    a.poolProps.allocType = cudaMemAllocationTypePinned;
    a.poolProps.location.type = cudaMemLocationTypeDevice;
    OK(cudaGraphAddMemAllocNode(&alloc, graph, NULL, 0, &a));
    CHECK(a.dptr != NULL);
    cudaMemsetParams set = {};
    set.dst = a.dptr;
    set.value = 0x11223344;
    set.elementSize = 4;
    set.width = 256;
    set.height = 1;
    OK(cudaGraphAddMemsetNode(&fill, graph, &alloc, 1, &set));
    OK(cudaGraphAddMemcpyNode1D(&copy, graph, &fill, 1, &result, (char *)a.dptr + 1020, 4, cudaMemcpyDeviceToHost));
    OK(cudaGraphAddMemFreeNode(&release, graph, &copy, 1, a.dptr));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; i++) {
        result = 0;
        OK(cudaGraphLaunch(exec, 0));
        OK(cudaDeviceSynchronize());
        CHECK(result == 0x11223344);
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaDeviceGraphMemTrim(0));
}

static void pools()
{
    cudaStream_t s;
    cudaMemPool_t pool, own;
    int *a, *b, h[4];
    OK(cudaStreamCreate(&s));
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    unsigned long long threshold = 1 << 20, asked = 0;
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &asked));
    CHECK(asked == threshold);
    OK(cudaMallocAsync(&a, 4 * sizeof(int), s));
    OK(cudaMemsetAsync(a, 0, 4 * sizeof(int), s));
    step<<<1, 4, 0, s>>>(a, 1, 17);
    OK(cudaMemcpyAsync(h, a, sizeof h, cudaMemcpyDeviceToHost, s));
    OK(cudaFreeAsync(a, s));
    OK(cudaStreamSynchronize(s));
    CHECK(h[0] == 17 && h[3] == 17);

    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 0;
    OK(cudaMemPoolCreate(&own, &props));
    OK(cudaMallocFromPoolAsync(&b, 1 << 16, own, s));
    OK(cudaStreamSynchronize(s));
    unsigned long long used = 0;
    OK(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used));
    CHECK(used >= 1 << 16);
    OK(cudaFreeAsync(b, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used));
    CHECK(used == 0);
    OK(cudaMemPoolTrimTo(own, 0));
    OK(cudaMemPoolDestroy(own));
    OK(cudaStreamDestroy(s));
}

int main()
{
    capture();
    built();
    memory_nodes();
    pools();
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
