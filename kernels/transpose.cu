/* out = transpose of the w x h matrix in, through a padded shared tile. Blocks of 32 x 8 threads. */
extern "C" __global__ void transpose(const unsigned *in, unsigned *out, int w, int h)
{
    __shared__ unsigned tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < w && y + j < h)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < h && y + j < w)
            out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
// SPDX-License-Identifier: Apache-2.0
