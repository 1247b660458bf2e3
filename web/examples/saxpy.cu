/* y = a x + y: two loads, one multiply-add and one store for each element. Memory decides. */
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
// SPDX-License-Identifier: Apache-2.0
