// The driver interface: contexts, modules from PTX text, launches, memory; alone and next to the runtime.
#include "check.h"

#include <cuda.h>

#define CU(call) CU_GIVES(call, CUDA_SUCCESS)
#define CU_GIVES(call, code)                                                                                 \
    do {                                                                                                     \
        CUresult got_ = (call);                                                                              \
        if (got_ != (code)) {                                                                                \
            const char *name_ = "?";                                                                         \
            cuGetErrorName(got_, &name_);                                                                    \
            std::printf("%s:%d: %s gave %s, not %s\n", __FILE__, __LINE__, #call, name_, #code);             \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)

static const char scale_ptx[] = R"(
.version 6.4
.target sm_70
.address_size 64

.visible .global .align 4 .u32 launches = 100;
.visible .const .align 4 .f32 factor = 0f40000000;

.visible .entry scale(.param .u64 data, .param .u32 n, .param .f32 offset)
{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .f32 %f<6>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [data];
    ld.param.u32 %r1, [n];
    ld.param.f32 %f1, [offset];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra done;
    cvta.to.global.u64 %rd2, %rd1;
    mul.wide.u32 %rd3, %r5, 4;
    add.s64 %rd4, %rd2, %rd3;
    ld.global.f32 %f2, [%rd4];
    ld.const.f32 %f3, [factor];
    fma.rn.f32 %f4, %f2, %f3, %f1;
    st.global.f32 [%rd4], %f4;
    setp.ne.u32 %p1, %r5, 0;
    @%p1 bra done;
    ld.global.u32 %r6, [launches];
    add.s32 %r7, %r6, 1;
    st.global.u32 [launches], %r7;
done:
    ret;
}
)";

static void module()
{
    CUmodule module;
    CUfunction scale;
    CUdeviceptr data, var;
    size_t size;
    const int n = 100;
    float h[n];
    char log[512] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log};
    CU(cuModuleLoadDataEx(&module, scale_ptx, 2, options, values));
    CU_GIVES(cuModuleGetFunction(&scale, module, "no_such_kernel"), CUDA_ERROR_NOT_FOUND);
    CU(cuModuleGetFunction(&scale, module, "scale"));
    CU(cuModuleGetGlobal(&var, &size, module, "launches"));
    CHECK(size == 4);
    CU(cuMemAlloc(&data, sizeof h));
    for (int i = 0; i < n; i++)
        h[i] = (float)i;
    CU(cuMemcpyHtoD(data, h, sizeof h));
    unsigned count = n;
    float offset = 0.5f;
    void *params[] = {&data, &count, &offset};
    CU(cuLaunchKernel(scale, 4, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    CU(cuCtxSynchronize());
    // The parameters once more, packed as in the kernel's own layout.
    struct {
        CUdeviceptr data;
        unsigned n;
        float offset;
    } packed = {data, 10, 1};
    size_t packed_b = sizeof packed;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &packed_b,
                     CU_LAUNCH_PARAM_END};
    CU(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, extra));
    CU(cuMemcpyDtoH(h, data, sizeof h));
    CHECK(h[0] == 2 && h[9] == 38 && h[10] == 20.5f && h[99] == 198.5f);
    unsigned launches;
    CU(cuMemcpyDtoH(&launches, var, 4));
    CHECK(launches == 102);

    int value;
    CU(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale));
    CHECK(value == 1024);
    CU(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, scale));
    CHECK(value > 0);
    CU(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, scale, 128, 0));
    CHECK(value > 0);
    CU_GIVES(cuLaunchKernel(scale, 1, 1, 1, 4096, 1, 1, 0, NULL, params, NULL), CUDA_ERROR_INVALID_VALUE);
    CU(cuMemFree(data));
    CU(cuModuleUnload(module));
    CU_GIVES(cuModuleLoadData(&module, ".version 6.4\n.target sm_70\nnonsense\n"), CUDA_ERROR_INVALID_PTX);
}

static void memory()
{
    CUdeviceptr a, b, base;
    size_t pitch, size;
    unsigned h[64];
    CU(cuMemAlloc(&a, 256));
    CU(cuMemAllocPitch(&b, &pitch, 100, 4, 4));
    CHECK(pitch >= 100);
    CU(cuMemsetD32(a, 0x01020304, 64));
    CU(cuMemsetD8(a + 4, 9, 4));
    CU(cuMemsetD16(a + 8, 0xabcd, 2));
    CU(cuMemcpyDtoH(h, a, sizeof h));
    CHECK(h[0] == 0x01020304 && h[1] == 0x09090909 && h[2] == 0xabcdabcd && h[63] == 0x01020304);
    CU(cuMemGetAddressRange(&base, &size, a + 100));
    CHECK(base == a && size == 256);
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = h;
    copy.srcPitch = 16;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = b;
    copy.dstPitch = pitch;
    copy.WidthInBytes = 16;
    copy.Height = 4;
    CU(cuMemcpy2D(&copy));
    CU(cuMemcpyDtoD(a, b + pitch, 16));
    CU(cuMemcpyDtoH(h, a, 4));
    CHECK(h[0] == 0x01020304);
    size_t free_b, total_b;
    CU(cuMemGetInfo(&free_b, &total_b));
    CHECK(free_b > 0 && free_b <= total_b);
    CU(cuMemFree(a));
    CU(cuMemFree(b));
    CU_GIVES(cuMemFree(a), CUDA_ERROR_INVALID_VALUE);
}

static void streams()
{
    CUstream s;
    CUevent e, f;
    CUdeviceptr d;
    float ms = -1;
    unsigned *h;
    CU(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    CU(cuEventCreate(&e, CU_EVENT_DEFAULT));
    CU(cuEventCreate(&f, CU_EVENT_DEFAULT));
    CU(cuMemAlloc(&d, 16));
    CU(cuMemAllocHost((void **)&h, 16));
    CU(cuEventRecord(e, s));
    CU(cuMemsetD32Async(d, 5, 4, s));
    CU(cuMemcpyDtoHAsync(h, d, 16, s));
    CU(cuEventRecord(f, s));
    CU(cuStreamWaitEvent(s, f, 0));
    CU(cuStreamSynchronize(s));
    CU(cuStreamQuery(s));
    CHECK(h[3] == 5);
    CU(cuEventElapsedTime(&ms, e, f));
    CHECK(ms >= 0);
    CU(cuEventDestroy(e));
    CU(cuEventDestroy(f));
    CU(cuStreamDestroy(s));
    CU(cuMemFreeHost(h));
    CU(cuMemFree(d));
}

__device__ int runtime_value = 4;
__global__ void bump(int *p) { *p += runtime_value; }

int main()
{
    CUdevice device;
    CUcontext primary, own, current;
    int count, major, value;
    char name[64];
    size_t total;
    const char *text;
    CU_GIVES(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
    CU(cuInit(0));
    CU(cuDeviceGetCount(&count));
    CHECK(count >= 1);
    CU(cuDeviceGet(&device, 0));
    CU_GIVES(cuDeviceGet(&device, count), CUDA_ERROR_INVALID_DEVICE);
    CU(cuDeviceGetName(name, sizeof name, 0));
    CHECK(name[0]);
    CU(cuDeviceTotalMem(&total, 0));
    CU(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
    CU(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    CHECK(total > 0 && major >= 7 && value == 32);
    CU(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
    CHECK(!strcmp(text, "invalid argument"));
    CU(cuDriverGetVersion(&value));
    CHECK(value >= 12000);

    CU_GIVES(cuMemGetInfo(&total, &total), CUDA_ERROR_INVALID_CONTEXT);
#if CUDA_VERSION >= 13000
    CU(cuCtxCreate(&own, NULL, 0, 0));
#else
    CU(cuCtxCreate(&own, 0, 0));
#endif
    CU(cuCtxGetCurrent(&current));
    CHECK(current == own);
    CU(cuCtxGetDevice(&device));
    CHECK(device == 0);
    module();
    memory();
    streams();
    CU(cuCtxDestroy(own));

    // The primary context is the runtime's: pointers go both ways.
    CU(cuDevicePrimaryCtxRetain(&primary, 0));
    CU(cuCtxSetCurrent(primary));
    module();
    CUdeviceptr d;
    int h = 38;
    CU(cuMemAlloc(&d, 4));
    OK(cudaMemcpy((void *)d, &h, 4, cudaMemcpyHostToDevice));
    bump<<<1, 1>>>((int *)d);
    RAN();
    CU(cuMemcpyDtoH(&h, d, 4));
    CHECK(h == 42);
    OK(cudaFree((void *)d));
    CU(cuDevicePrimaryCtxRelease(0));
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
