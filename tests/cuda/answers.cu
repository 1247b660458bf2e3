// Calls that are wrong, or odd and yet right: each prints itself and the code it gave. answers.txt has what CUDA 13.0 said on
// an H200; the stand-in must say the same. A handful of lines depend on nothing but the order of calls, so keep it.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

#define ASK(call)                                                                                            \
    do {                                                                                                     \
        cudaError_t code_ = (call);                                                                          \
        std::printf("%s: %s\n", #call, cudaGetErrorName(code_));                                             \
        (void)cudaGetLastError();                                                                            \
    } while (0)
#define ASK_CU(call)                                                                                         \
    do {                                                                                                     \
        const char *name_ = "?";                                                                             \
        cuGetErrorName((call), &name_);                                                                      \
        std::printf("%s: %s\n", #call, name_);                                                               \
    } while (0)
#define SHOW(format, ...) std::printf("    " format "\n", __VA_ARGS__)

__global__ void bump(int *p) { *p += 1; }
__global__ void three(int, double, char) {}
__device__ int sym[4];
__constant__ int csym[4];

static int *d, *d2, h[64], v;
static float *m;
static void *vp;
static size_t size, pitch;
static unsigned int flags;

static void copies()
{
    ASK(cudaMalloc(&vp, 0));
    SHOW("%s", vp ? "something" : "NULL");
    ASK(cudaMemcpy(d, h, 256, cudaMemcpyHostToHost));
    ASK(cudaMemcpy(d, h, 256, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(h, d, 256, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(d, h, 256, cudaMemcpyDefault));
    ASK(cudaMemcpy(d, d2, 256, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(NULL, d, 0, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(h, d, 2000000, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy((char *)d + 990, h, 10, cudaMemcpyHostToDevice));
    ASK(cudaMemset(h, 0, 16));
    ASK(cudaMemset(d, 0, 0));
    ASK(cudaMemset(d, 300, 16));
    cudaMemcpy(&v, d, 4, cudaMemcpyDeviceToHost);
    SHOW("%x", v);
    ASK(cudaMemset2D(d, 16, 0, 32, 4));
    ASK(cudaMemset2D(d, 32, 0, 32, 0));
    ASK(cudaMemcpy2D(d, 16, h, 32, 32, 2, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(d, 64, h, 64, 32, 0, cudaMemcpyHostToDevice));
    ASK(cudaMemcpyToSymbol(sym, h, 16));
    ASK(cudaMemcpyToSymbol(sym, h, 17));
    ASK(cudaMemcpyToSymbol(sym, h, 8, 12));
    ASK(cudaMemcpyToSymbol(csym, h, 16, 0, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpyToSymbol(csym, d, 16, 0, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpyFromSymbol(h, csym, 16));
    ASK(cudaMemcpyFromSymbol(h, sym, 16, 0, cudaMemcpyHostToDevice));
    ASK(cudaMemcpyToSymbol(h, h, 4));
    ASK(cudaGetSymbolAddress(&vp, csym));
    ASK(cudaGetSymbolSize(&size, h));
}

static void allocations()
{
    cudaPitchedPtr p;
    cudaPointerAttributes at;
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0}, nowhere = {cudaMemLocationTypeDevice, 50},
                    host = {cudaMemLocationTypeHost, 0};
    ASK(cudaMallocPitch(&vp, &pitch, 0, 10));
    ASK(cudaMallocPitch(&vp, &pitch, 1, 1));
    SHOW("%zu", pitch);
    ASK(cudaMallocPitch(&vp, &pitch, 513, 3));
    SHOW("%zu", pitch);
    ASK(cudaMalloc3D(&p, make_cudaExtent(100, 4, 2)));
    SHOW("%zu %zu %zu", p.pitch, p.xsize, p.ysize);
    ASK(cudaMallocHost(&vp, 0));
    ASK(cudaHostAlloc(&vp, 64, 0x100));
    ASK(cudaFreeHost(h));
    ASK(cudaFreeHost(NULL));
    ASK(cudaFree(h));
    ASK(cudaHostRegister(h, sizeof h, 0));
    ASK(cudaHostRegister(h, sizeof h, 0));
    ASK(cudaHostGetDevicePointer(&vp, h, 0));
    ASK(cudaHostGetFlags(&flags, h));
    SHOW("%x", flags);
    ASK(cudaHostUnregister(h));
    ASK(cudaHostGetFlags(&flags, h));
    ASK(cudaHostGetDevicePointer(&vp, h, 1));
    ASK(cudaMallocManaged(&vp, 0));
    ASK(cudaMallocManaged(&vp, 64, 0));
    ASK(cudaMallocManaged(&vp, 64, cudaMemAttachHost));
    ASK(cudaMallocManaged(&m, 64));
    ASK(cudaFree(m));
    ASK(cudaFree(m));
    ASK(cudaMallocManaged(&m, 64));
    ASK(cudaMemPrefetchAsync(d, 64, here, 0, 0));
    ASK(cudaMemPrefetchAsync(m, 64, nowhere, 0, 0));
    ASK(cudaMemPrefetchAsync(m, 64, host, 0, 0));
    ASK(cudaMemPrefetchAsync(m, 0, here, 0, 0));
    ASK(cudaMemAdvise(d, 64, cudaMemAdviseSetReadMostly, here));
    ASK(cudaMemAdvise(m, 64, (cudaMemoryAdvise)77, here));
    ASK(cudaMemAdvise(m, 64, cudaMemAdviseSetPreferredLocation, host));
    ASK(cudaPointerGetAttributes(&at, NULL));
    SHOW("%d %d", at.type, at.device);
    ASK(cudaPointerGetAttributes(NULL, d));
    ASK(cudaPointerGetAttributes(&at, m));
    SHOW("%d %d", at.type, at.device);
    ASK(cudaMemGetInfo(NULL, NULL));
}

static void devices()
{
    cudaDeviceProp prop;
    ASK(cudaGetDeviceCount(NULL));
    ASK(cudaGetDevice(NULL));
    ASK(cudaGetDeviceProperties(&prop, 99));
    ASK(cudaGetDeviceProperties(NULL, 0));
    ASK(cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0));
    ASK(cudaDeviceGetAttribute(&v, (cudaDeviceAttr)0, 0));
    ASK(cudaDeviceGetPCIBusId((char *)h, 2, 0));
    ASK(cudaDeviceGetByPCIBusId(&v, "nonsense"));
    ASK(cudaSetDeviceFlags(0x7000));
    ASK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    ASK(cudaDeviceSetLimit((cudaLimit)99, 4));
    ASK(cudaDeviceSetLimit(cudaLimitStackSize, (size_t)1 << 40));
    ASK(cudaDeviceSetCacheConfig((cudaFuncCache)9));
    ASK(cudaDriverGetVersion(NULL));
    ASK(cudaRuntimeGetVersion(NULL));
}

static void functions()
{
    const char *name;
    size_t offset;
    ASK(cudaFuncGetAttributes(NULL, bump));
    ASK(cudaFuncSetAttribute(bump, (cudaFuncAttribute)99, 1));
    ASK(cudaFuncSetAttribute(bump, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    ASK(cudaFuncSetAttribute(bump, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    ASK(cudaFuncSetAttribute(bump, cudaFuncAttributePreferredSharedMemoryCarveout, -1));
    ASK(cudaFuncSetCacheConfig(bump, (cudaFuncCache)9));
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v, bump, 0, 0));
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v, bump, 2000, 0));
    SHOW("%d", v);
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v, bump, 128, 1 << 20));
    SHOW("%d", v);
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v, bump, 33, 0));
    SHOW("%d", v);
    ASK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, bump, 128, 0));
    ASK(cudaFuncGetParamInfo((const void *)three, 1, &offset, &size));
    SHOW("%zu %zu", offset, size);
    ASK(cudaFuncGetParamInfo((const void *)three, 3, &offset, &size));
    ASK(cudaFuncGetName(&name, three));
    SHOW("%s", name);
    ASK(cudaLaunchKernel((const void *)bump, dim3(1), dim3(1), NULL, 0, 0));
}

static void CUDART_CB nothing(cudaStream_t, cudaError_t, void *) {}

static void streams(cudaStream_t s, cudaStream_t *t, cudaEvent_t e)
{
    cudaEvent_t e2;
    float ms;
    ASK(cudaStreamCreate(NULL));
    ASK(cudaStreamCreateWithPriority(t, 0, -1000));
    ASK(cudaStreamGetPriority(*t, &v));
    SHOW("%d", v);
    ASK(cudaStreamCreateWithPriority(t, 0, 1000));
    ASK(cudaStreamGetPriority(*t, &v));
    SHOW("%d", v);
    ASK(cudaStreamGetFlags(0, &flags));
    SHOW("%u", flags);
    ASK(cudaStreamWaitEvent(s, NULL, 0));
    ASK(cudaEventCreate(&e2));
    ASK(cudaStreamWaitEvent(s, e, 0));
    ASK(cudaStreamWaitEvent(s, e, 5));
    ASK(cudaEventRecord(NULL, s));
    ASK(cudaEventElapsedTime(&ms, e, e2));
    ASK(cudaEventRecord(e, s));
    ASK(cudaEventElapsedTime(&ms, e, e2));
    ASK(cudaEventElapsedTime(&ms, e, e));
    ASK(cudaEventElapsedTime(NULL, e, e));
    ASK(cudaEventRecordWithFlags(e, s, 7));
    ASK(cudaEventDestroy(NULL));
    ASK(cudaStreamAddCallback(s, NULL, NULL, 0));
    ASK(cudaLaunchHostFunc(s, NULL, NULL));
    ASK(cudaStreamAddCallback(s, nothing, NULL, 1));
    ASK(cudaStreamQuery(0));
    ASK(cudaStreamDestroy(NULL));
    ASK(cudaStreamAttachMemAsync(s, d, 0, cudaMemAttachGlobal));
    ASK(cudaStreamAttachMemAsync(s, m, 0, 99));
}

static void arrays(cudaArray_t *a)
{
    cudaChannelFormatDesc one = cudaCreateChannelDesc<float>(), odd = {3, 3, 3, 0, cudaChannelFormatKindFloat},
                          three_bytes = {8, 8, 8, 0, cudaChannelFormatKindUnsigned};
    ASK(cudaMallocArray(a, &odd, 4, 4));
    ASK(cudaMallocArray(a, &three_bytes, 4, 4));
    ASK(cudaMallocArray(a, &one, 0, 0));
    ASK(cudaMallocArray(NULL, &one, 4, 4));
    ASK(cudaMallocArray(a, NULL, 4, 4));
    ASK(cudaMallocArray(a, &one, 1 << 20, 1 << 20));
    ASK(cudaMalloc3DArray(a, &one, make_cudaExtent(4, 5, 6), cudaArrayCubemap));
    ASK(cudaFreeArray(NULL));
    ASK(cudaMallocArray(a, &one, 8, 4));
    ASK(cudaMemcpy2DToArray(*a, 0, 0, h, 32, 33, 1, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(*a, 4, 0, h, 32, 32, 1, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(*a, 0, 3, h, 32, 32, 2, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(*a, 0, 0, h, 16, 32, 1, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(*a, 0, 0, h, 32, 32, 2, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy2DFromArray(h, 32, *a, 0, 0, 32, 2, cudaMemcpyDeviceToHost));

    cudaMemcpy3DParms p = {};
    ASK(cudaMemcpy3D(&p));
    ASK(cudaMemcpy3D(NULL));
    p.srcPtr = make_cudaPitchedPtr(h, 16, 4, 2);
    p.dstPtr = make_cudaPitchedPtr(d, 16, 4, 2);
    p.dstArray = *a;
    p.extent = make_cudaExtent(4, 1, 1);
    p.kind = cudaMemcpyHostToDevice;
    ASK(cudaMemcpy3D(&p)); // two destinations
    p.dstPtr = make_cudaPitchedPtr(NULL, 0, 0, 0);
    ASK(cudaMemcpy3D(&p));
    p.extent.width = 9;
    ASK(cudaMemcpy3D(&p)); // past the edge
}

static void textures(cudaArray_t a)
{
    cudaTextureObject_t tex;
    cudaSurfaceObject_t surf;
    cudaArray_t whole;
    cudaResourceDesc res = {};
    cudaTextureDesc desc = {}, got;
    cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
    res.resType = cudaResourceTypeArray;
    ASK(cudaCreateTextureObject(&tex, &res, &desc, NULL)); // no array
    res.res.array.array = a;
    ASK(cudaCreateTextureObject(&tex, &res, NULL, NULL));
    ASK(cudaCreateTextureObject(NULL, &res, &desc, NULL));
    ASK(cudaCreateTextureObject(&tex, &res, &desc, NULL));
    ASK(cudaGetTextureObjectTextureDesc(&got, tex));
    ASK(cudaDestroyTextureObject(tex));
    ASK(cudaDestroyTextureObject(0));
    ASK(cudaCreateSurfaceObject(&surf, &res));
    desc.filterMode = cudaFilterModeLinear;
    ASK(cudaMallocArray(&whole, &ints, 8, 4));
    res.res.array.array = whole;
    ASK(cudaCreateTextureObject(&tex, &res, &desc, NULL)); // linear filtering of integers
    desc.readMode = cudaReadModeNormalizedFloat;
    ASK(cudaCreateTextureObject(&tex, &res, &desc, NULL)); // 32 bits, normalised

    cudaResourceDesc linear = {};
    cudaTextureDesc plain = {};
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear.devPtr = d;
    linear.res.linear.desc = cudaCreateChannelDesc<float>();
    linear.res.linear.sizeInBytes = 400;
    ASK(cudaCreateTextureObject(&tex, &linear, &plain, NULL));
    linear.res.linear.devPtr = d + 1;
    ASK(cudaCreateTextureObject(&tex, &linear, &plain, NULL)); // not aligned
    linear.res.linear.devPtr = NULL;
    ASK(cudaCreateTextureObject(&tex, &linear, &plain, NULL));
    linear.res.linear.devPtr = d;
    plain.filterMode = cudaFilterModeLinear;
    ASK(cudaCreateTextureObject(&tex, &linear, &plain, NULL));
    plain.filterMode = cudaFilterModePoint;
    plain.normalizedCoords = 1;
    ASK(cudaCreateTextureObject(&tex, &linear, &plain, NULL));
    ASK(cudaCreateSurfaceObject(&surf, &linear));
}

static void captures(cudaStream_t s, cudaStream_t t, cudaEvent_t e)
{
    cudaGraph_t g;
    cudaStreamCaptureStatus st;
    ASK(cudaStreamEndCapture(s, &g));
    ASK(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    ASK(cudaStreamBeginCapture(s, (cudaStreamCaptureMode)9));
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ASK(cudaStreamIsCapturing(0, &st));
    ASK(cudaDeviceSynchronize());
    ASK(cudaStreamEndCapture(s, &g));
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ASK(cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice));
    ASK(cudaStreamEndCapture(s, &g));
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ASK(cudaMemcpyAsync(d, h, 4, cudaMemcpyHostToDevice, s));
    ASK(cudaEventRecord(e, s));
    ASK(cudaStreamWaitEvent(t, e, 0));
    ASK(cudaStreamEndCapture(s, &g)); // t was not joined, but did nothing
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ASK(cudaEventRecord(e, s));
    ASK(cudaStreamWaitEvent(t, e, 0));
    bump<<<1, 1, 0, t>>>(d);
    ASK(cudaStreamEndCapture(t, &g)); // not where it began
    ASK(cudaStreamEndCapture(s, &g));
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ASK(cudaMalloc(&vp, 4));
    ASK(cudaStreamEndCapture(s, &g));
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    bump<<<1, 1>>>(d);
    ASK(cudaGetLastError()); // the legacy stream would wait for s
    ASK(cudaStreamEndCapture(s, &g));
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    ASK(cudaMalloc(&vp, 4));
    ASK(cudaStreamEndCapture(s, &g));
    ASK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    ASK(cudaStreamQuery(s));
    ASK(cudaStreamEndCapture(s, &g));
    ASK(cudaEventRecord(e, 0));
    ASK(cudaEventSynchronize(e));
}

static void graphs(cudaStream_t s)
{
    cudaGraph_t g;
    cudaGraphExec_t exec;
    cudaGraphNode_t n1, n2;
    cudaGraphNodeType type;
    cudaKernelNodeParams params = {};
    ASK(cudaGraphLaunch(NULL, s));
    ASK(cudaGraphDestroy(NULL));
    ASK(cudaGraphCreate(&g, 1));
    ASK(cudaGraphCreate(&g, 0));
    ASK(cudaGraphInstantiate(&exec, g, 0)); // empty
    ASK(cudaGraphLaunch(exec, s));
    ASK(cudaGraphInstantiate(&exec, g, 0xff00));
    ASK(cudaGraphInstantiate(NULL, g, 0));
    ASK(cudaGraphAddEmptyNode(&n1, g, NULL, 0));
    ASK(cudaGraphAddEmptyNode(&n2, g, &n1, 1));
    ASK(cudaGraphAddDependencies(g, &n1, &n2, NULL, 1)); // again
    ASK(cudaGraphAddDependencies(g, &n2, &n1, NULL, 1)); // a circle
    ASK(cudaGraphInstantiate(&exec, g, 0));
    ASK(cudaGraphRemoveDependencies(g, &n2, &n1, NULL, 1));
    ASK(cudaGraphAddDependencies(g, &n1, &n1, NULL, 1));
    ASK(cudaGraphAddEmptyNode(&n1, g, NULL, 1));
    ASK(cudaGraphNodeGetType(NULL, &type));
    ASK(cudaGraphAddKernelNode(&n1, g, NULL, 0, &params));
    params.func = (void *)bump;
    ASK(cudaGraphAddKernelNode(&n1, g, NULL, 0, &params)); // no blocks
    ASK(cudaGraphDestroyNode(n2));
    ASK(cudaGraphDestroy(g));
}

static void pools(cudaStream_t s)
{
    cudaMemPool_t pool;
    cudaMemPoolProps props = {};
    ASK(cudaMemPoolCreate(&pool, &props));
    ASK(cudaMallocAsync(&vp, 64, s));
    ASK(cudaFree(vp));
    ASK(cudaMallocAsync(&vp, 0, s));
    ASK(cudaFreeAsync(h, s));
    ASK(cudaFreeAsync(NULL, s));
    ASK(cudaFreeAsync(d2, s)); // of cudaMalloc
    ASK(cudaDeviceGetDefaultMemPool(&pool, 0));
    ASK(cudaMemPoolDestroy(pool));
    ASK(cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)99, h));
    ASK(cudaDeviceGetDefaultMemPool(&pool, 9));
}

static void driver()
{
    CUdevice dev;
    CUcontext ctx;
    CUmodule module;
    CUfunction func;
    CUdeviceptr ptr;
    const char *name;
    ASK_CU(cuInit(1));
    ASK_CU(cuInit(0));
    ASK_CU(cuDeviceGet(&dev, -1));
    ASK_CU(cuDeviceGetAttribute(&v, (CUdevice_attribute)0, 0));
    ASK_CU(cuCtxGetCurrent(&ctx));
    ASK_CU(cuModuleLoadData(&module, NULL));
    ASK_CU(cuModuleLoad(&module, "/nonexistent"));
    ASK_CU(cuModuleLoadData(&module, "hello"));
    ASK_CU(cuModuleGetFunction(&func, NULL, "x"));
    ASK_CU(cuMemAlloc(&ptr, 0));
    ASK_CU(cuMemFree(0));
    ASK_CU(cuMemcpyHtoD(0, h, 4));
    ASK_CU(cuMemcpyHtoD((CUdeviceptr)d, NULL, 4));
    ASK_CU(cuMemsetD32((CUdeviceptr)d + 1, 0, 1));
    ASK_CU(cuMemGetAddressRange(&ptr, &size, (CUdeviceptr)h));
    ASK_CU(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0));
    ASK_CU(cuCtxPopCurrent(&ctx)); // the runtime's
    ASK_CU(cuCtxPopCurrent(&ctx));
    ASK_CU(cuCtxSynchronize());
    ASK_CU(cuCtxSetCurrent(NULL));
    ASK_CU(cuStreamQuery(0));
    ASK_CU(cuGetErrorName((CUresult)12345, &name));
    ASK_CU(cuGetErrorString((CUresult)12345, &name));
}

int main()
{
    cudaStream_t s, t;
    cudaEvent_t e;
    cudaArray_t a;
    std::setvbuf(stdout, NULL, _IOLBF, 0);
    ASK(cudaMalloc(&d, 1000));
    ASK(cudaMalloc(&d2, 1000));
    ASK(cudaStreamCreate(&s));
    ASK(cudaEventCreate(&e));
    copies();
    allocations();
    devices();
    functions();
    streams(s, &t, e);
    arrays(&a);
    textures(a);
    captures(s, t, e);
    graphs(s);
    pools(s);
    driver();
    ASK(cudaDeviceSynchronize());
    ASK(cudaDeviceReset());
    ASK(cudaFree(0));
    ASK(cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost));
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
