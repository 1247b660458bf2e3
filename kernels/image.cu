/* Pixels: four bytes at a time to grey, a 3 x 3 median of bytes, 16-bit gain with saturation. */
extern "C" __global__ void grey(const uchar4 *in, unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uchar4 p = in[i];
    out[i] = (unsigned char)((77 * p.x + 150 * p.y + 29 * p.z + 128) >> 8);
}

__device__ void order(unsigned char &a, unsigned char &b)
{
    unsigned char lo = a < b ? a : b, hi = a < b ? b : a;
    a = lo;
    b = hi;
}

extern "C" __global__ void median3x3(const unsigned char *in, unsigned char *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    unsigned char v[9];
#pragma unroll
    for (int j = 0; j < 9; j++) {
        int sx = x + j % 3 - 1, sy = y + j / 3 - 1;
        sx = sx < 0 ? 0 : sx >= w ? w - 1 : sx;
        sy = sy < 0 ? 0 : sy >= h ? h - 1 : sy;
        v[j] = in[sy * w + sx];
    }
#pragma unroll
    for (int i = 0; i < 5; i++)
#pragma unroll
        for (int j = 8; j > i; j--)
            order(v[j - 1], v[j]);
    out[y * w + x] = v[4];
}

extern "C" __global__ void gain16(const short *in, short *out, short gain, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = in[i] * gain >> 4;
    out[i] = (short)(v > 32767 ? 32767 : v < -32768 ? -32768 : v);
}
// SPDX-License-Identifier: Apache-2.0
