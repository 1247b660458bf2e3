extern "C" __global__ void fill(int *p, int n, int v) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = v + i; }
// SPDX-License-Identifier: Apache-2.0
