/* The transpose of a matrix through a tile of 32 x 32 in shared memory. `pitch` is how far apart the tile's rows lie: with 32, a
 * column lies in one bank, and its 32 elements are read one after the other. */
extern "C" __global__ void transpose(int n, int pitch, const float *in, float *out)
{
    extern __shared__ float tile[];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
    for (int i = threadIdx.y; i < 32; i += 8)
        tile[i * pitch + threadIdx.x] = in[(y + i) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32;
    for (int i = threadIdx.y; i < 32; i += 8)
        out[(y + i) * n + x] = tile[threadIdx.x * pitch + i];
}
// SPDX-License-Identifier: Apache-2.0
