// Code for both sides asks the runtime for errors; a kernel never has one. nvcc wants -rdc for it.
#include "check.h"

__host__ __device__ static bool in_order(int *device)
{
    cudaError_t error = cudaGetDevice(device);
    if (error != cudaSuccess)
        printf("%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
    return error == cudaSuccess && cudaPeekAtLastError() == cudaSuccess && cudaGetLastError() == cudaSuccess;
}

__global__ void ask(int *out)
{
    out[1] = 7;
    out[0] = in_order(out + 1);
}

int main()
{
    int device = 7, *out;
    OK(cudaMallocManaged((void **)&out, 2 * sizeof *out));
    ask<<<1, 1>>>(out);
    OK(cudaDeviceSynchronize());
    CHECK(out[0] == 1 && out[1] == 0);
    CHECK(in_order(&device) && device == 0);
    OK(cudaFree(out));
    std::printf("PASS\n");
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
