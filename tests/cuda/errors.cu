// What goes wrong, and the code it gives. Errors of a kernel end a process's use of the device, so each of those has a process
// of its own, started before the first CUDA call.
#include "check.h"

#include <cassert>
#include <sys/wait.h>
#include <unistd.h>

__global__ void nothing() {}
__global__ void store(int *p) { *p = 1; }
__global__ void fails_assert(int x) { assert(x == 4); }
__global__ void traps() { __trap(); }
__global__ void large(int *p)
{
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    *p = s[0];
}

static void bad_calls()
{
    int *p, device, count, value;
    char *c = NULL;
    OK(cudaGetDeviceCount(&count));
    OK(cudaMalloc(&p, 100));
    GIVES(cudaSetDevice(count), cudaErrorInvalidDevice);
    GIVES(cudaSetDevice(-1), cudaErrorInvalidDevice);
    OK(cudaGetDevice(&device));
    CHECK(device == 0);
    GIVES(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0), cudaErrorInvalidValue);
    GIVES(cudaMalloc((void **)NULL, 4), cudaErrorInvalidValue);
    GIVES(cudaMalloc(&p, (size_t)1 << 50), cudaErrorMemoryAllocation);
    OK(cudaMalloc(&p, 100));
    GIVES(cudaMemcpy(p, &value, 4, (cudaMemcpyKind)7), cudaErrorInvalidMemcpyDirection);
    GIVES(cudaMemcpy(p, NULL, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    GIVES(cudaFree(c + 1000), cudaErrorInvalidValue);
    GIVES(cudaFree(p + 1), cudaErrorInvalidValue);
    OK(cudaFree(p));
    GIVES(cudaFree(p), cudaErrorInvalidValue);
    GIVES(cudaMemset(NULL, 0, 4), cudaErrorInvalidValue);
    GIVES(cudaEventQuery(NULL), cudaErrorInvalidResourceHandle);
    GIVES(cudaEventCreateWithFlags(NULL, 0), cudaErrorInvalidValue);
    cudaEvent_t e;
    GIVES(cudaEventCreateWithFlags(&e, 0x80), cudaErrorInvalidValue);
    cudaStream_t s;
    GIVES(cudaStreamCreateWithFlags(&s, 0x40), cudaErrorInvalidValue);
    GIVES(cudaMallocHost((void **)NULL, 8), cudaErrorInvalidValue);
    cudaFuncAttributes attr;
    cudaError_t e2 = cudaFuncGetAttributes(&attr, (const void *)&count);
    CHECK(e2 == cudaErrorInvalidDeviceFunction || e2 == cudaErrorInvalidResourceHandle); // CUDA 12, 13
    (void)cudaGetLastError();
}

// An error stays until someone asks for it, and only the last one does.
static void last_error()
{
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaSetDevice(1000) == cudaErrorInvalidDevice);
    OK(cudaDeviceSynchronize()); // a call that works leaves the error where it is
    CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
    CHECK(cudaMalloc((void **)NULL, 4) == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(!strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue"));
    CHECK(!strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument"));
    CHECK(!strcmp(cudaGetErrorName(cudaSuccess), "cudaSuccess"));
    CHECK(!strcmp(cudaGetErrorString(cudaSuccess), "no error"));
    CHECK(!strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress"));
    CHECK(!strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory"));
    CHECK(!strcmp(cudaGetErrorString((cudaError_t)77777), "unrecognized error code"));
    CHECK(!strcmp(cudaGetErrorName((cudaError_t)77777), "unrecognized error code"));
}

static void bad_launches()
{
    cudaDeviceProp prop;
    OK(cudaGetDeviceProperties(&prop, 0));
    nothing<<<1, 2048>>>();
    REFUSED();
    nothing<<<0, 32>>>();
    REFUSED();
    nothing<<<1, 0>>>();
    REFUSED();
    nothing<<<dim3(1, 70000), 32>>>();
    REFUSED();
    nothing<<<1, dim3(1, 1, 65)>>>();
    REFUSED();
    nothing<<<1, 32, prop.sharedMemPerBlock + 1>>>();
    REFUSED();
    // More than the default needs to be asked for, and there is a most.
    int *p;
    OK(cudaMalloc(&p, 4));
    CHECK(prop.sharedMemPerBlockOptin > prop.sharedMemPerBlock);
    OK(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)prop.sharedMemPerBlockOptin));
    large<<<1, 32, prop.sharedMemPerBlockOptin>>>(p);
    RAN();
    GIVES(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)prop.sharedMemPerBlockOptin + 1),
          cudaErrorInvalidValue);
    OK(cudaFree(p));
    nothing<<<2, 32>>>();
    RAN();
}

static int on_null()
{
    store<<<1, 1>>>((int *)NULL);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    // It sticks: every later call gives it again.
    void *p;
    CHECK(cudaMalloc(&p, 4) == cudaErrorIllegalAddress);
    CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    return 0;
}

static int misaligned()
{
    char *p;
    OK(cudaMalloc(&p, 64));
    store<<<1, 1>>>((int *)(p + 2));
    CHECK(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
    return 0;
}

static int asserting()
{
    fails_assert<<<1, 1>>>(4);
    OK(cudaDeviceSynchronize());
    fails_assert<<<1, 1>>>(5);
    CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
    return 0;
}

static int trapping()
{
    traps<<<1, 1>>>();
    cudaError_t e = cudaDeviceSynchronize();
    CHECK(e == cudaErrorLaunchFailure || e == cudaErrorIllegalInstruction);
    return 0;
}

static void alone(int (*run)())
{
    fflush(stdout);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(2);
        int status = run();
        fflush(stdout);
        _exit(status);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// A block of 1024 threads has 64 registers for each.
__global__ void wide(volatile float *p)
{
    float v[96];
#pragma unroll
    for (int i = 0; i < 96; i++)
        v[i] = p[i];
#pragma unroll
    for (int i = 0; i < 96; i++)
        p[i] = v[95 - i];
}
static int too_wide()
{
    float *p;
    OK(cudaMalloc((void **)&p, 96 * sizeof *p));
    wide<<<1, 1024>>>(p);
    GIVES(cudaGetLastError(), cudaErrorLaunchOutOfResources);
    wide<<<1, 64>>>(p);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    return 0;
}

int main()
{
    alone(too_wide);
    alone(on_null);
    alone(misaligned);
    alone(asserting);
    alone(trapping);
    bad_calls();
    last_error();
    bad_launches();
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
