// The less travelled functions: device questions, peers, limits, attributes of streams, capture in detail, cubes.
#include "check.h"

#include <cuda_profiler_api.h>

#ifdef __managed__
__managed__ int shared_with_host[4] = {1, 2, 3, 4};
__global__ void triple() { shared_with_host[threadIdx.x] *= 3; }
#endif

__global__ void step(int *a, int add) { *a += add; }

__global__ void sample1d(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex1D<float>(t, 0.25f + 0.5f * threadIdx.x);
}

__global__ void sample_cube(cudaTextureObject_t t, float *out)
{
    out[0] = texCubemap<float>(t, 1, 0, 0);
    out[1] = texCubemap<float>(t, -1, 0, 0);
    out[2] = texCubemap<float>(t, 0, 1, 0);
    out[3] = texCubemap<float>(t, 0, -1, 0);
    out[4] = texCubemap<float>(t, 0, 0, 1);
    out[5] = texCubemap<float>(t, 0, 0, -1);
}

static void device()
{
    cudaDeviceProp prop, wanted = {};
    int value, other, devices[1] = {0};
    OK(cudaGetDeviceProperties(&prop, 0));
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    CHECK(value == prop.multiProcessorCount);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0));
    CHECK(value == prop.major);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerMultiProcessor, 0));
    CHECK(value == prop.maxThreadsPerMultiProcessor);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, 0));
    CHECK(value > 0);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrL2CacheSize, 0));
    CHECK(value == prop.l2CacheSize && value > 0);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrUnifiedAddressing, 0));
    CHECK(value == 1);
    GIVES(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 100), cudaErrorInvalidDevice);
    wanted.major = prop.major;
    OK(cudaChooseDevice(&value, &wanted));
    CHECK(value == 0);
    OK(cudaSetValidDevices(devices, 1));
    char id[32];
    OK(cudaDeviceGetPCIBusId(id, sizeof id, 0));
    OK(cudaDeviceGetByPCIBusId(&value, id));
    CHECK(value == 0 && strlen(id) >= 12);
    OK(cudaRuntimeGetVersion(&value));
    OK(cudaDriverGetVersion(&other));
    CHECK(value >= 11000 && other >= value);
    size_t size = 0;
    OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    OK(cudaDeviceGetLimit(&size, cudaLimitMallocHeapSize));
    CHECK(size >= 16 << 20);
    OK(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
    OK(cudaDeviceGetLimit(&size, cudaLimitStackSize));
    CHECK(size >= 2048);
    OK(cudaDeviceGetLimit(&size, cudaLimitPrintfFifoSize));
    CHECK(size > 0);
    GIVES(cudaDeviceGetLimit(&size, (cudaLimit)99), cudaErrorInvalidValue);
    cudaFuncCache config;
    OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    OK(cudaDeviceGetCacheConfig(&config));
    CHECK(config == cudaFuncCachePreferL1);
    unsigned int flags;
    OK(cudaGetDeviceFlags(&flags));
    OK(cudaProfilerStart());
    OK(cudaProfilerStop());
}

static void peers()
{
    int can = 9, *a, *b, h = 5;
    OK(cudaDeviceCanAccessPeer(&can, 0, 0));
    CHECK(can == 0);
    GIVES(cudaDeviceCanAccessPeer(&can, 0, 100), cudaErrorInvalidDevice);
    GIVES(cudaDeviceDisablePeerAccess(100), cudaErrorInvalidDevice);
    OK(cudaMalloc(&a, 4));
    OK(cudaMalloc(&b, 4));
    OK(cudaMemcpy(a, &h, 4, cudaMemcpyHostToDevice));
    OK(cudaMemcpyPeer(b, 0, a, 0, 4));
    step<<<1, 1>>>(b, 1);
    OK(cudaMemcpyPeerAsync(a, 0, b, 0, 4, 0));
    OK(cudaMemcpy(&h, a, 4, cudaMemcpyDeviceToHost));
    CHECK(h == 6);
    OK(cudaFree(a));
    OK(cudaFree(b));
}

static void stream_attributes()
{
    cudaStream_t s;
    int *d;
    OK(cudaStreamCreate(&s));
    OK(cudaMalloc(&d, 1 << 16));
    cudaStreamAttrValue set = {}, got = {};
    set.accessPolicyWindow.base_ptr = d;
    set.accessPolicyWindow.num_bytes = 1 << 16;
    set.accessPolicyWindow.hitRatio = 0.5f;
    set.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    set.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    OK(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &set));
    OK(cudaStreamGetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &got));
    CHECK(got.accessPolicyWindow.base_ptr == d && got.accessPolicyWindow.hitRatio == 0.5f);
    OK(cudaCtxResetPersistingL2Cache());
    int *m;
    OK(cudaMallocManaged(&m, 4));
    *m = 1;
    OK(cudaStreamAttachMemAsync(s, m));
    OK(cudaStreamSynchronize(s));
    step<<<1, 1, 0, s>>>(m, 4);
    OK(cudaStreamSynchronize(s));
    CHECK(*m == 5);
    OK(cudaFree(m));
    OK(cudaFree(d));
    OK(cudaStreamDestroy(s));
}

static void capture_details()
{
    cudaStream_t s;
    cudaStreamCaptureStatus status;
    unsigned long long id = 0;
    cudaGraph_t graph, inside = NULL, target;
    const cudaGraphNode_t *deps;
    const cudaGraphEdgeData *edges;
    cudaGraphNode_t extra, copied[1];
    size_t count = 9;
    int *d, h = 0;
    OK(cudaMalloc(&d, 4));
    OK(cudaMemset(d, 0, 4));
    OK(cudaStreamCreate(&s));
    OK(cudaStreamGetCaptureInfo(s, &status));
    CHECK(status == cudaStreamCaptureStatusNone);
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    step<<<1, 1, 0, s>>>(d, 1);
    OK(cudaStreamGetCaptureInfo(s, &status, &id, &inside, &deps, &edges, &count));
    CHECK(status == cudaStreamCaptureStatusActive && id != 0 && inside != NULL && count == 1);
    // A node of our own into the graph being captured; what is captured next comes after it.
    cudaKernelNodeParams k = {};
    int add = 10;
    void *args[] = {&d, &add};
    k.func = (void *)step;
    k.gridDim = k.blockDim = dim3(1);
    k.kernelParams = args;
    copied[0] = deps[0];
    OK(cudaGraphAddKernelNode(&extra, inside, copied, 1, &k));
    OK(cudaStreamUpdateCaptureDependencies(s, &extra, NULL, 1, cudaStreamSetCaptureDependencies));
    step<<<1, 1, 0, s>>>(d, 100);
    OK(cudaStreamEndCapture(s, &graph));
    CHECK(graph == inside);
    size_t edge_count = 0;
    OK(cudaGraphGetEdges(graph, NULL, NULL, NULL, &edge_count));
    CHECK(edge_count == 2);
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost));
    CHECK(h == 111);
    OK(cudaGraphExecDestroy(exec));

    // A second capture, into a graph that is there already; then that graph as one node of a third.
    OK(cudaGraphCreate(&target, 0));
    OK(cudaStreamBeginCaptureToGraph(s, target, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    step<<<1, 1, 0, s>>>(d, 1000);
    OK(cudaStreamEndCapture(s, &inside));
    CHECK(inside == target);
    cudaGraph_t outer;
    cudaGraphNode_t child, last;
    OK(cudaGraphCreate(&outer, 0));
    OK(cudaGraphAddChildGraphNode(&child, outer, NULL, 0, target));
    cudaGraphNodeParams any = {};
    any.type = cudaGraphNodeTypeKernel;
    any.kernel.func = (void *)step;
    any.kernel.gridDim = dim3(1);
    any.kernel.blockDim = dim3(1);
    any.kernel.kernelParams = args;
    OK(cudaGraphAddNode(&last, outer, &child, NULL, 1, &any));
    OK(cudaGraphInstantiate(&exec, outer, 0));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost));
    CHECK(h == 1121);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(outer));
    OK(cudaGraphDestroy(target));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(s));
    OK(cudaFree(d));
}

static void pool_access()
{
    cudaMemPool_t pool;
    cudaMemAccessDesc access = {};
    cudaMemAccessFlags flags;
    OK(cudaDeviceGetMemPool(&pool, 0));
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = 0;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    OK(cudaMemPoolSetAccess(pool, &access, 1));
    OK(cudaMemPoolGetAccess(&flags, pool, &access.location));
    CHECK(flags == cudaMemAccessFlagsProtReadWrite);
    unsigned long long used = 1;
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    CHECK(used == 0);
}

static cudaTextureObject_t texture_of(cudaArray_t a, cudaTextureFilterMode filter)
{
    cudaResourceDesc res = {};
    cudaTextureDesc desc = {};
    cudaTextureObject_t t;
    res.resType = cudaResourceTypeArray;
    res.res.array.array = a;
    for (int i = 0; i < 3; i++)
        desc.addressMode[i] = cudaAddressModeClamp;
    desc.filterMode = filter;
    desc.readMode = cudaReadModeElementType;
    OK(cudaCreateTextureObject(&t, &res, &desc, NULL));
    return t;
}

static void lines_and_cubes()
{
    float src[6 * 4], out[6], *d;
    cudaArray_t a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    for (int i = 0; i < 24; i++)
        src[i] = (float)(i / 4); // each face is its own number
    OK(cudaMalloc(&d, sizeof out));
    OK(cudaMalloc3DArray(&a, &desc, make_cudaExtent(2, 2, 6), cudaArrayCubemap));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(src, 2 * sizeof(float), 2, 2);
    p.dstArray = a;
    p.extent = make_cudaExtent(2, 2, 6);
    p.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&p));
    cudaTextureObject_t t = texture_of(a, cudaFilterModePoint);
    sample_cube<<<1, 1>>>(t, d);
    RAN();
    OK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 6; i++)
        CHECK(out[i] == i);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));

    float line[3] = {0, 8, 16};
    OK(cudaMallocArray(&a, &desc, 3, 0));
    OK(cudaMemcpy2DToArray(a, 0, 0, line, sizeof line, sizeof line, 1, cudaMemcpyHostToDevice));
    t = texture_of(a, cudaFilterModeLinear);
    sample1d<<<1, 6>>>(t, d);
    RAN();
    OK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(out[0] == 0 && out[1] == 2 && out[2] == 6 && out[3] == 10 && out[4] == 14 && out[5] == 16);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));
    OK(cudaFree(d));
}

int main()
{
    device();
    peers();
    stream_attributes();
    capture_details();
    pool_access();
    lines_and_cubes();
#ifdef __managed__
    shared_with_host[1] = 10;
    triple<<<1, 4>>>();
    RAN();
    CHECK(shared_with_host[0] == 3 && shared_with_host[1] == 30 && shared_with_host[3] == 12);
#endif
    OK(cudaDeviceReset());
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
