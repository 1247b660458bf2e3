// Streams, events, callbacks: who waits for whom, and what may be asked about it.
#include "check.h"

#include <thread>

__global__ void step(int *a, int mul, int add) { *a = *a * mul + add; }

static void order()
{
    cudaStream_t s, t;
    cudaEvent_t done;
    int *d, *pinned;
    OK(cudaMalloc(&d, 4));
    OK(cudaMallocHost(&pinned, 4));
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    *pinned = 3;
    OK(cudaMemcpyAsync(d, pinned, 4, cudaMemcpyHostToDevice, s));
    step<<<1, 1, 0, s>>>(d, 2, 1); // 7
    OK(cudaEventRecord(done, s));
    OK(cudaStreamWaitEvent(t, done, 0));
    step<<<1, 1, 0, t>>>(d, 10, 4); // 74
    OK(cudaEventRecord(done, t));
    OK(cudaStreamWaitEvent(s, done));
    step<<<1, 1, 0, s>>>(d, 2, 0); // 148
    OK(cudaMemcpyAsync(pinned, d, 4, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    CHECK(*pinned == 148);
    OK(cudaStreamQuery(s));
    OK(cudaStreamQuery(t));
    OK(cudaEventQuery(done));
    OK(cudaEventSynchronize(done));
    // The legacy stream waits for s and s for it.
    step<<<1, 1, 0, s>>>(d, 1, 1);
    step<<<1, 1>>>(d, 2, 0);
    step<<<1, 1, 0, s>>>(d, 1, 5);
    OK(cudaMemcpyAsync(pinned, d, 4, cudaMemcpyDeviceToHost, s));
    OK(cudaDeviceSynchronize());
    CHECK(*pinned == 303);
    OK(cudaMemsetAsync(d, 0, 4, t));
    step<<<1, 1, 0, cudaStreamPerThread>>>(d, 0, 8);
    OK(cudaStreamSynchronize(cudaStreamPerThread));
    step<<<1, 1, 0, cudaStreamLegacy>>>(d, 1, 1);
    OK(cudaDeviceSynchronize());
    OK(cudaEventDestroy(done));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(t));
    OK(cudaFreeHost(pinned));
    OK(cudaFree(d));
}

static void questions()
{
    cudaStream_t s;
    int least, greatest, priority;
    unsigned int flags;
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(least >= greatest);
    OK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest));
    OK(cudaStreamGetPriority(s, &priority));
    CHECK(priority == greatest);
    OK(cudaStreamGetFlags(s, &flags));
    CHECK(flags == cudaStreamNonBlocking);
    unsigned long long id, other;
    OK(cudaStreamGetId(s, &id));
    OK(cudaStreamGetId(0, &other));
    CHECK(id != other);
    OK(cudaStreamDestroy(s));
}

static void timing()
{
    cudaEvent_t start, stop, never;
    float ms = -1;
    int *d;
    OK(cudaMalloc(&d, 4));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&stop));
    OK(cudaEventCreateWithFlags(&never, cudaEventDisableTiming | cudaEventBlockingSync));
    OK(cudaEventRecord(start));
    for (int i = 0; i < 3; i++)
        step<<<1, 1>>>(d, 1, 1);
    OK(cudaEventRecord(stop, 0));
    OK(cudaEventSynchronize(stop));
    OK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(ms >= 0 && ms < 10000);
    OK(cudaEventRecord(never));
    OK(cudaDeviceSynchronize());
    GIVES(cudaEventElapsedTime(&ms, start, never), cudaErrorInvalidResourceHandle);
    cudaEvent_t fresh;
    OK(cudaEventCreate(&fresh));
    OK(cudaEventQuery(fresh)); // never recorded: nothing to wait for
    GIVES(cudaEventElapsedTime(&ms, start, fresh), cudaErrorInvalidResourceHandle);
    OK(cudaEventDestroy(fresh));
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(stop));
    OK(cudaEventDestroy(never));
    OK(cudaFree(d));
}

struct seen {
    int *pinned, value, calls;
};

static void CUDART_CB on_host(void *data)
{
    seen *s = (seen *)data;
    s->value = *s->pinned;
    s->calls++;
}

static void CUDART_CB on_stream(cudaStream_t, cudaError_t status, void *data)
{
    if (status == cudaSuccess)
        on_host(data);
}

static void callbacks()
{
    cudaStream_t s;
    int *d;
    seen now = {};
    OK(cudaStreamCreate(&s));
    OK(cudaMalloc(&d, 4));
    OK(cudaMallocHost(&now.pinned, 4));
    *now.pinned = 20;
    OK(cudaMemcpyAsync(d, now.pinned, 4, cudaMemcpyHostToDevice, s));
    step<<<1, 1, 0, s>>>(d, 2, 2);
    OK(cudaMemcpyAsync(now.pinned, d, 4, cudaMemcpyDeviceToHost, s));
    OK(cudaLaunchHostFunc(s, on_host, &now));
    OK(cudaStreamSynchronize(s));
    CHECK(now.value == 42 && now.calls == 1);
    step<<<1, 1, 0, s>>>(d, 2, 0);
    OK(cudaMemcpyAsync(now.pinned, d, 4, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamAddCallback(s, on_stream, &now, 0));
    OK(cudaStreamSynchronize(s));
    CHECK(now.value == 84 && now.calls == 2);
    OK(cudaFreeHost(now.pinned));
    OK(cudaFree(d));
    OK(cudaStreamDestroy(s));
}

// The last error belongs to a thread; memory and device belong to all.
static void threads()
{
    int *d, value;
    OK(cudaMalloc(&d, 4));
    OK(cudaMemset(d, 0, 4));
    CHECK(cudaSetDevice(99) == cudaErrorInvalidDevice);
    std::thread other([&] {
        CHECK(cudaGetLastError() == cudaSuccess);
        for (int i = 0; i < 10; i++)
            step<<<1, 1>>>(d, 1, 1);
        OK(cudaDeviceSynchronize());
        CHECK(cudaSetDevice(98) == cudaErrorInvalidDevice);
    });
    other.join();
    CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
    CHECK(cudaGetLastError() == cudaSuccess);
    OK(cudaMemcpy(&value, d, 4, cudaMemcpyDeviceToHost));
    CHECK(value == 10);
    OK(cudaFree(d));
}

int main()
{
    order();
    questions();
    timing();
    callbacks();
    threads();
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
