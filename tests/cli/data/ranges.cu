// Kernels in NVTX ranges: nested, of a domain with a registered name, one that is started and ended.
#include <cstdio>
#include <nvtx3/nvToolsExt.h>

__global__ void before(float *a) { a[threadIdx.x] += 1; }
__global__ void solve(float *a) { a[threadIdx.x] *= 2; }
__global__ void inner(float *a) { a[threadIdx.x] -= 3; }
__global__ void domain(float *a) { a[threadIdx.x] /= 3; }
__global__ void after(float *a) { a[threadIdx.x] += 7; }

int main()
{
    float *a;
    cudaMalloc(&a, 4096);
    before<<<4, 256>>>(a);
    nvtxRangeId_t whole = nvtxRangeStartA("whole");
    nvtxRangePushA("solve");
    solve<<<4, 256>>>(a);
    nvtxRangePushA("inside");
    inner<<<4, 256>>>(a);
    nvtxRangePop();
    nvtxRangePop();
    nvtxDomainHandle_t mine = nvtxDomainCreateA("mine");
    nvtxEventAttributes_t e = {};
    e.version = 2;
    e.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    e.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    e.message.registered = nvtxDomainRegisterStringA(mine, "domain");
    nvtxDomainRangePushEx(mine, &e);
    domain<<<4, 256>>>(a);
    nvtxDomainRangePop(mine);
    nvtxRangeEnd(whole);
    after<<<4, 256>>>(a);
    cudaDeviceSynchronize();
    puts(cudaGetErrorString(cudaGetLastError()));
}
// SPDX-License-Identifier: Apache-2.0
