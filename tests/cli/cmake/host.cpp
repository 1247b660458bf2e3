#include <cstdio>
#ifdef USE_cuda_driver
#include <cuda.h>
int main()
{
    int n = 0;
    cuInit(0);
    cuDeviceGetCount(&n);
    std::printf("devices %d\n", n);
}
#else
#include <cuda_runtime.h>
int main()
{
    int n = 0;
    cudaGetDeviceCount(&n);
    std::printf("devices %d\n", n);
}
#endif
// SPDX-License-Identifier: Apache-2.0
