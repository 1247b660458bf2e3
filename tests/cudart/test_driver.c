/* SPDX-License-Identifier: Apache-2.0 */
/* The driver API: initialisation, contexts, modules, launches, memory, and that it shares handles with the runtime. */
#include "rig.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define cu_ok(call) assert_int_equal(call, CUDA_SUCCESS)
#define cu_fails(code, call) assert_int_equal(call, code)

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .global .align 4 .u32 counter = 7;\n"
                          ".visible .const .align 4 .u32 limit[4] = {1, 2, 3, 4};\n"
                          ".visible .entry bump(.param .u64 p, .param .u32 v)\n"
                          "{ .reg .u64 %rd<3>; .reg .u32 %r<6>;\n"
                          "  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [v]; ld.global.u32 %r2, [%rd1];\n"
                          "  ld.global.u32 %r3, [counter]; add.u32 %r4, %r1, %r2; add.u32 %r5, %r4, %r3;\n"
                          "  st.global.u32 [%rd1], %r5; ret; }\n";

/* Must come first: nothing works before cuInit, and then nothing without a context. */
static void before_initialisation(void **state)
{
    CUdeviceptr p;
    CUdevice d;
    CUcontext c;
    int n = 0;
    (void)state;
    cu_fails(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&n));
    cu_fails(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc(&p, 4));
    cu_ok(cuDriverGetVersion(&n));
    assert_int_equal(n, 13000); /* not older than any runtime that may ask */
    cu_fails(CUDA_ERROR_INVALID_VALUE, cuInit(1));
    cu_ok(cuInit(0));
    cu_ok(cuInit(0));
    cu_ok(cuDeviceGetCount(&n));
    assert_int_equal(n, 1);
    cu_ok(cuDeviceGet(&d, 0));
    cu_fails(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&d, 1));
    cu_fails(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&p, 4));
    cu_ok(cuCtxGetCurrent(&c));
    assert_null(c);
}

static void device(void **state)
{
    char name[64];
    CUuuid uuid;
    CUdevprop prop;
    size_t total;
    int major, minor, v;
    (void)state;
    cu_ok(cuDeviceGetName(name, sizeof name, 0));
    assert_string_equal(name, rt_device_name);
    cu_ok(cuDeviceGetName(name, 3, 0));
    assert_int_equal(strlen(name), 2);
    cu_ok(cuDeviceGetUuid(&uuid, 0));
    cu_ok(cuDeviceTotalMem(&total, 0));
    assert_true(total > 1 << 20);
    cu_ok(cuDeviceComputeCapability(&major, &minor, 0));
    assert_int_equal(major * 10 + minor, 90);
    cu_ok(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
    assert_int_equal(v, major);
    cu_ok(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    assert_int_equal(v, 132);
    cu_fails(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(&v, (CUdevice_attribute)9999, 0));
    cu_fails(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 2));
    cu_ok(cuDeviceGetProperties(&prop, 0));
    assert_int_equal(prop.SIMDWidth, 32);
    assert_int_equal(prop.maxThreadsPerBlock, 1024);
}

static void *other_thread(void *arg)
{
    CUdeviceptr p;
    CUcontext c;
    cu_ok(cuCtxGetCurrent(&c));
    assert_null(c); /* each thread has its own */
    cu_fails(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&p, 4));
    cu_ok(cuCtxSetCurrent(arg));
    cu_ok(cuMemAlloc(&p, 4));
    cu_ok(cuMemFree(p));
    return NULL;
}

static void contexts(void **state)
{
    CUcontext a, b, c;
    CUdevice d;
    CUdeviceptr p;
    unsigned v;
    int active;
    pthread_t t;
    (void)state;
    cu_fails(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate(&a, 0, 1));
    cu_fails(CUDA_ERROR_INVALID_VALUE, cuCtxCreate(&a, 0x1000, 0));
    cu_ok(cuCtxCreate(&a, CU_CTX_SCHED_SPIN, 0));
    cu_ok(cuCtxCreate(&b, 0, 0));
    cu_ok(cuCtxGetCurrent(&c));
    assert_ptr_equal(c, b);
    cu_ok(cuCtxPopCurrent(&c));
    assert_ptr_equal(c, b);
    cu_ok(cuCtxGetCurrent(&c));
    assert_ptr_equal(c, a);
    cu_ok(cuCtxGetFlags(&v));
    assert_int_equal(v, CU_CTX_SCHED_SPIN);
    cu_ok(cuCtxGetDevice(&d));
    cu_ok(cuCtxGetApiVersion(a, &v));
    cu_ok(cuCtxPushCurrent(b));
    cu_ok(cuMemAlloc(&p, 4));
    cu_ok(cuCtxSynchronize());
    pthread_create(&t, NULL, other_thread, a);
    pthread_join(t, NULL);
    cu_ok(cuCtxDestroy(a)); /* below b on the stack */
    cu_fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(a));
    cu_fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent(a));
    cu_ok(cuMemFree(p));
    cu_ok(cuCtxDestroy(b)); /* current: popped */
    cu_fails(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemAlloc(&p, 4));
    cu_ok(cuCtxPopCurrent(&c));
    cu_fails(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&p, 4));
    cu_fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&c));
    cu_fails(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
    cu_ok(cuDevicePrimaryCtxRetain(&a, 0));
    cu_ok(cuDevicePrimaryCtxGetState(0, &v, &active));
    assert_int_equal(active, 1);
    cu_ok(cuCtxSetCurrent(a)); /* for the tests that follow */
    cu_fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(a));
}

static void modules_and_launch(void **state)
{
    CUmodule m;
    CUfunction f, g;
    CUdeviceptr p, counter, constant;
    size_t size;
    uint32_t v = 1, back;
    int regs;
    (void)state;
    cu_ok(cuModuleLoadData(&m, ptx));
    cu_ok(cuModuleGetFunction(&f, m, "bump"));
    cu_fails(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&g, m, "nothing"));
    cu_ok(cuModuleGetGlobal(&counter, &size, m, "counter"));
    assert_int_equal(size, 4);
    cu_ok(cuModuleGetGlobal(&constant, &size, m, "limit"));
    assert_int_equal(size, 16);
    cu_fails(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&counter, &size, m, "nothing"));
    cu_ok(cuMemAlloc(&p, 4));
    cu_ok(cuMemsetD32(p, 100, 1));
    void *args[] = {&p, &v};
    cu_ok(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, NULL));
    cu_ok(cuMemcpyDtoH(&back, p, 4));
    assert_int_equal(back, 108);
    struct {
        CUdeviceptr p;
        uint32_t v;
    } pack = {p, 2};
    size = 12;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &pack, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    back = 1000;
    cu_ok(cuMemcpyHtoD(counter, &back, 4));
    cu_ok(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, NULL, extra));
    cu_ok(cuMemcpyDtoH(&back, p, 4));
    assert_int_equal(back, 1110);
    cu_fails(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, extra));
    cu_fails(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(f, 0, 1, 1, 1, 1, 1, 0, 0, args, NULL));
    cu_fails(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel((CUfunction)m, 1, 1, 1, 1, 1, 1, 0, 0, args, NULL));
    cu_ok(cuFuncGetAttribute(&regs, CU_FUNC_ATTRIBUTE_NUM_REGS, f));
    assert_true(regs > 0 && regs < 64);
    const char *name;
    cu_ok(cuFuncGetName(&name, f));
    assert_string_equal(name, "bump");
    int grid, block, n;
    cu_ok(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, NULL, 0, 0));
    assert_int_equal(block, 1024);
    assert_int_equal(grid, 264);
    cu_ok(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, 64, 0));
    assert_int_equal(n, 32);
    cu_ok(cuModuleUnload(m));
    cu_fails(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(m));
    cu_fails(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, NULL));
    cu_ok(cuMemFree(p));
}

static void jit_log(void **state)
{
    char log[512] = "x", info[64] = "x";
    CUmodule m;
    CUjit_option o[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
                        CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_MAX_REGISTERS};
    void *v[] = {log, (void *)sizeof log, info, (void *)sizeof info, (void *)32};
    (void)state;
    cu_fails(CUDA_ERROR_INVALID_PTX,
             cuModuleLoadDataEx(&m, ".version 7.0\n.target sm_70\n.address_size 64\n.entry x() { bogus; }\n",
                                5, o, v));
    assert_non_null(strstr(log, "bogus"));
    assert_int_equal((uintptr_t)v[1], strlen(log));
    v[1] = (void *)sizeof log;
    v[3] = (void *)sizeof info;
    cu_ok(cuModuleLoadDataEx(&m, ptx, 5, o, v));
    assert_string_equal(log, "");
    assert_string_equal(info, "");
    cu_ok(cuModuleUnload(m));
    v[1] = (void *)8; /* a short buffer ends with a NUL */
    cu_fails(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&m, ".version 7.0\nnonsense\n", 2, o, v));
    assert_int_equal(strlen(log), 7);
    cu_fails(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&m, "/nonexistent/x.ptx"));
}

static void module_from_file(void **state)
{
    char path[] = "/tmp/bankshot-ptx-XXXXXX";
    CUmodule m;
    CUfunction f;
    CUlinkState l;
    void *image;
    size_t size;
    FILE *out = fdopen(mkstemp(path), "w");
    (void)state;
    fputs(ptx, out);
    fclose(out);
    cu_ok(cuModuleLoad(&m, path));
    cu_ok(cuModuleGetFunction(&f, m, "bump"));
    cu_ok(cuModuleUnload(m));
    remove(path);
    cu_ok(cuLinkCreate(0, NULL, NULL, &l));
    cu_ok(cuLinkAddData(l, CU_JIT_INPUT_PTX, (void *)ptx, sizeof ptx, "x", 0, NULL, NULL));
    cu_fails(CUDA_ERROR_NOT_SUPPORTED,
             cuLinkAddData(l, CU_JIT_INPUT_PTX, (void *)ptx, sizeof ptx, "y", 0, NULL, NULL));
    cu_ok(cuLinkComplete(l, &image, &size));
    cu_ok(cuModuleLoadData(&m, image));
    cu_ok(cuLinkDestroy(l));
    cu_fails(CUDA_ERROR_INVALID_HANDLE, cuLinkDestroy(l));
    cu_ok(cuModuleGetFunction(&f, m, "bump"));
    cu_ok(cuModuleUnload(m));
}

static void libraries(void **state)
{
    CUlibrary l, same;
    CUkernel k, all[4] = {0};
    CUfunction f;
    CUmodule m;
    const char *name;
    size_t off, size;
    unsigned n;
    (void)state;
    cu_fails(CUDA_ERROR_INVALID_IMAGE, cuLibraryLoadData(&l, "what", NULL, NULL, 0, NULL, NULL, 0));
    cu_ok(cuLibraryLoadData(&l, ptx, NULL, NULL, 0, NULL, NULL, 0));
    cu_fails(CUDA_ERROR_NOT_FOUND, cuLibraryGetKernel(&k, l, "nobody"));
    cu_ok(cuLibraryGetKernel(&k, l, "bump"));
    cu_ok(cuKernelGetFunction(&f, k));
    cu_ok(cuKernelGetName(&name, k));
    assert_string_equal(name, "bump");
    cu_ok(cuKernelGetParamInfo(k, 0, &off, &size));
    assert_int_equal(off, 0);
    cu_fails(CUDA_ERROR_INVALID_VALUE, cuKernelGetParamInfo(k, 99, &off, &size));
    cu_ok(cuLibraryGetModule(&m, l));
    cu_ok(cuKernelGetLibrary(&same, k));
    assert_ptr_equal(same, l);
    cu_ok(cuLibraryGetKernelCount(&n, l));
    assert_in_range(n, 1, 4);
    cu_ok(cuLibraryEnumerateKernels(all, 4, l));
    assert_non_null(all[n - 1]);
    cu_ok(cuLibraryUnload(l));
    cu_fails(CUDA_ERROR_INVALID_HANDLE, cuLibraryUnload(l));
}

/* The form of the version that is asked for. */
static void addresses_by_version(void **state)
{
    void *older, *newer, *none;
    CUdriverProcAddressQueryResult r;
    (void)state;
    cu_ok(cuGetProcAddress("cuMemAdvise", &older, 8000, 0, NULL));
    cu_ok(cuGetProcAddress("cuMemAdvise", &newer, 12020, 0, NULL));
    assert_ptr_not_equal(older, newer);
    cu_ok(cuGetProcAddress("cuMemAdvise", &none, 13000, 0, NULL));
    assert_ptr_equal(newer, none);
    cu_ok(cuGetProcAddress("cuOfAnotherTime", &none, 13000, 0, &r));
    assert_null(none);
    assert_int_equal(r, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    const void *table = &table;
    const CUuuid id = {{0}};
    cu_fails(CUDA_ERROR_INVALID_VALUE, cuGetExportTable(&table, &id));
    assert_null(table);
}

static void memory(void **state)
{
    CUdeviceptr p, q, base;
    size_t pitch, size;
    uint32_t h[12], v;
    uint16_t s[4];
    CUmemorytype type;
    void *host;
    (void)state;
    cu_fails(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&p, 0));
    cu_ok(cuMemAlloc(&p, 48));
    cu_ok(cuMemsetD32(p, 5, 12));
    cu_ok(cuMemsetD16(p + 4, 0x102, 2));
    cu_ok(cuMemsetD8(p + 8, 0xff, 3));
    cu_fails(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(p + 2, 5, 1)); /* not aligned */
    cu_fails(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(p, 5, 13));
    cu_ok(cuMemcpyDtoH(h, p, 48));
    assert_int_equal(h[0], 5);
    assert_int_equal(h[1], 0x1020102);
    assert_int_equal(h[2], 0x00ffffff);
    cu_ok(cuMemAllocPitch(&q, &pitch, 6, 3, 4));
    cu_ok(cuMemsetD2D16(q, pitch, 7, 3, 3));
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                       .srcDevice = q,
                       .srcPitch = pitch,
                       .srcXInBytes = 2,
                       .srcY = 1,
                       .dstMemoryType = CU_MEMORYTYPE_HOST,
                       .dstHost = s,
                       .dstPitch = 4,
                       .WidthInBytes = 4,
                       .Height = 2};
    cu_ok(cuMemcpy2D(&c));
    assert_int_equal(s[3], 7);
    cu_ok(cuMemGetAddressRange(&base, &size, p + 17));
    assert_int_equal(base, p);
    assert_int_equal(size, 48);
    cu_fails(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &size, 4));
    cu_ok(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    assert_int_equal(type, CU_MEMORYTYPE_DEVICE);
    cu_fails(CUDA_ERROR_INVALID_VALUE,
             cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (uintptr_t)h));
    cu_ok(cuMemHostAlloc(&host, 16, CU_MEMHOSTALLOC_DEVICEMAP));
    cu_ok(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (uintptr_t)host));
    assert_int_equal(type, CU_MEMORYTYPE_HOST);
    cu_ok(cuMemHostGetDevicePointer(&base, host, 0));
    cu_ok(cuMemsetD32(base, 77, 1));
    assert_int_equal(*(uint32_t *)host, 77);
    cu_ok(cuMemFreeHost(host));
    cu_ok(cuMemFree(q));
    cu_ok(cuMemFree(p));
    cu_fails(CUDA_ERROR_INVALID_VALUE, cuMemFree(p));
    cu_ok(cuMemAllocManaged(&p, 4, CU_MEM_ATTACH_GLOBAL));
    *(uint32_t *)(uintptr_t)p = 3;
    cu_ok(cuMemcpyDtoH(&v, p, 4));
    assert_int_equal(v, 3);
    cu_ok(cuMemFree(p));
}

static void arrays_and_textures(void **state)
{
    CUarray a;
    CUDA_ARRAY3D_DESCRIPTOR d = {.Width = 4, .Format = CU_AD_FORMAT_UNSIGNED_INT32, .NumChannels = 1}, got;
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUDA_TEXTURE_DESC t = {.flags = CU_TRSF_READ_AS_INTEGER};
    CUtexObject x;
    CUdeviceptr out;
    uint32_t in[4] = {4, 3, 2, 1}, back[4] = {0};
    (void)state;
    cu_ok(cuArray3DCreate(&a, &d));
    cu_ok(cuArray3DGetDescriptor(&got, a));
    assert_int_equal(got.Width, 4);
    assert_int_equal(got.Format, CU_AD_FORMAT_UNSIGNED_INT32);
    cu_ok(cuMemcpyHtoA(a, 0, in, 16));
    r.res.array.hArray = a;
    cu_ok(cuTexObjectCreate(&x, &r, &t, NULL));
    cu_ok(cuMemAlloc(&out, 16));
    void *args[] = {&x, &out};
    cu_ok(cuLaunchKernel(kernel("tex1"), 1, 1, 1, 4, 1, 1, 0, 0, args, NULL));
    cu_ok(cuMemcpyDtoH(back, out, 16));
    assert_memory_equal(in, back, 16);
    cu_ok(cuTexObjectDestroy(x));
    cu_ok(cuArrayDestroy(a));
    cu_ok(cuMemFree(out));
    d.Format = CU_AD_FORMAT_BC7_UNORM;
    cu_fails(CUDA_ERROR_NOT_SUPPORTED, cuArray3DCreate(&a, &d));
}

/* What CUDA refuses, what only the stand-in does, and a map that is taken up again. */
static void tensor_maps(void **state)
{
    CUtensorMap m;
    CUdeviceptr p;
    cuuint64_t dim[] = {64, 32}, stride[] = {256};
    cuuint32_t box[] = {32, 8}, step[] = {1, 1};
    int lower = 0, upper = 0;
    (void)state;
    cu_ok(cuMemAlloc(&p, 8192));
#define ENCODE(interleave, swizzle, fill)                                                                    \
    cuTensorMapEncodeTiled(&m, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void *)(uintptr_t)p, dim, stride, box,   \
                           step, (CUtensorMapInterleave)(interleave), (CUtensorMapSwizzle)(swizzle),         \
                           CU_TENSOR_MAP_L2_PROMOTION_NONE, (CUtensorMapFloatOOBfill)(fill))
    cu_ok(ENCODE(0, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA));
    cu_ok(cuTensorMapReplaceAddress(&m, (void *)(uintptr_t)(p + 4096)));
    cu_fails(CUDA_ERROR_INVALID_VALUE, cuTensorMapReplaceAddress(&m, (void *)(uintptr_t)(p + 4)));
    memset(&m, 0, sizeof m);
    cu_fails(CUDA_ERROR_INVALID_VALUE, cuTensorMapReplaceAddress(&m, (void *)(uintptr_t)p));
    cu_fails(CUDA_ERROR_INVALID_VALUE, ENCODE(0, CU_TENSOR_MAP_SWIZZLE_64B, 0)); /* rows of 128 bytes */
    cu_fails(CUDA_ERROR_NOT_SUPPORTED, ENCODE(CU_TENSOR_MAP_INTERLEAVE_32B, CU_TENSOR_MAP_SWIZZLE_32B, 0));
    cu_fails(CUDA_ERROR_NOT_SUPPORTED, ENCODE(0, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B, 0));
    stride[0] = 260;
    cu_fails(CUDA_ERROR_INVALID_VALUE, ENCODE(0, 0, 0));
    cu_fails(CUDA_ERROR_NOT_SUPPORTED,
             cuTensorMapEncodeIm2col(&m, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, (void *)(uintptr_t)p, dim,
                                     stride, &lower, &upper, 8, 8, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                     CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                     CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    cu_ok(cuMemFree(p));
}

static void shared_with_the_runtime(void **state)
{
    CUstream s;
    CUevent e, f;
    CUdeviceptr p;
    float ms;
    (void)state;
    cu_ok(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    cu_ok(cuEventCreate(&e, CU_EVENT_DEFAULT));
    cu_ok(cuEventCreate(&f, CU_EVENT_DEFAULT));
    cu_ok(cuMemAlloc(&p, 4));
    cu_ok(cuEventRecord(e, s));
    step(s, (uint32_t *)(uintptr_t)p, 0, 12); /* the runtime's launch, the driver's stream and memory */
    ok(cudaEventRecord(f, s));
    cu_ok(cuStreamSynchronize(s));
    cu_ok(cuEventElapsedTime(&ms, e, f));
    assert_true(ms > 0);
    assert_int_equal(read_u32((void *)(uintptr_t)p), 12);
    ok(cudaFree((void *)(uintptr_t)p));
    ok(cudaStreamDestroy(s));
    cu_fails(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(s));
    /* Errors of the driver API are not the runtime's last error. */
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    cu_ok(cuEventDestroy(e));
    cu_ok(cuEventDestroy(f));
    /* With no context of its own, a thread that uses the runtime has the primary one. */
    CUcontext c, primary;
    cu_ok(cuDevicePrimaryCtxRetain(&primary, 0));
    cu_ok(cuCtxSetCurrent(NULL));
    cu_fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
    ok(cudaFree(0));
    cu_ok(cuCtxGetCurrent(&c));
    assert_ptr_equal(c, primary);
    cu_ok(cuCtxPopCurrent(&c));
    assert_ptr_equal(c, primary);
    cu_fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&c));
    cu_fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
}

static void errors_and_entry_points(void **state)
{
    const char *text;
    void *fn;
    CUdriverProcAddressQueryResult found;
    enum cudaDriverEntryPointQueryResult q;
    (void)state;
    cu_ok(cuGetErrorName(CUDA_ERROR_INVALID_PTX, &text));
    assert_string_equal(text, "CUDA_ERROR_INVALID_PTX");
    cu_ok(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
    cu_fails(CUDA_ERROR_INVALID_VALUE, cuGetErrorName((CUresult)12345, &text));
    assert_null(text);
    cu_ok(cuGetProcAddress("cuMemAlloc", &fn, 12000, 0, &found));
    assert_ptr_equal(fn, cuMemAlloc);
    cu_ok(cuGetProcAddress("cuMemAlloc_v2", &fn, 12000, 0, NULL));
    assert_ptr_equal(fn, cuMemAlloc);
    cu_ok(cuGetProcAddress("cuNoSuchThing", &fn, 12000, 0, &found));
    assert_int_equal(found, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    assert_null(fn);
    cu_fails(CUDA_ERROR_NOT_FOUND, cuGetProcAddress("cuNoSuchThing", &fn, 12000, 0, NULL));
    ok(cudaGetDriverEntryPoint("cuInit", &fn, cudaEnableDefault, &q));
    assert_ptr_equal(fn, cuInit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_initialisation),
        cmocka_unit_test(device),
        cmocka_unit_test(contexts),
        cmocka_unit_test(modules_and_launch),
        cmocka_unit_test(jit_log),
        cmocka_unit_test(module_from_file),
        cmocka_unit_test(libraries),
        cmocka_unit_test(addresses_by_version),
        cmocka_unit_test(memory),
        cmocka_unit_test(arrays_and_textures),
        cmocka_unit_test(tensor_maps),
        cmocka_unit_test(errors_and_entry_points),
        cmocka_unit_test(shared_with_the_runtime),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
