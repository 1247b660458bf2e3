/* Five-point stencil through shared memory with a halo (blocks of 16 x 16), and a seven-point stencil
 * that walks z with the column in registers. Borders are copied. */
extern "C" __global__ void stencil2d(const float *in, float *out, int w, int h)
{
    __shared__ float t[18][18];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
    bool in_range = x < w && y < h;
    if (in_range) {
        t[ly][lx] = in[y * w + x];
        if (threadIdx.x == 0 && x > 0)
            t[ly][0] = in[y * w + x - 1];
        if (threadIdx.x == 15 && x + 1 < w)
            t[ly][17] = in[y * w + x + 1];
        if (threadIdx.y == 0 && y > 0)
            t[0][lx] = in[(y - 1) * w + x];
        if (threadIdx.y == 15 && y + 1 < h)
            t[17][lx] = in[(y + 1) * w + x];
    }
    __syncthreads();
    if (!in_range)
        return;
    float v = t[ly][lx];
    if (x > 0 && y > 0 && x + 1 < w && y + 1 < h)
        v = 0.5f * v + 0.125f * (t[ly][lx - 1] + t[ly][lx + 1] + t[ly - 1][lx] + t[ly + 1][lx]);
    out[y * w + x] = v;
}

extern "C" __global__ void stencil3d(const float *in, float *out, int nx, int ny, int nz, float c0, float c1)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny)
        return;
    int plane = nx * ny, i = y * nx + x;
    bool inner = x > 0 && y > 0 && x < nx - 1 && y < ny - 1;
    float below = in[i], here = below, above = in[i + plane];
    out[i] = here;
    for (int z = 1; z < nz - 1; z++) {
        i += plane;
        below = here;
        here = above;
        above = in[i + plane];
        out[i] =
            inner ? c0 * here + c1 * (below + above + in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx]) : here;
    }
    out[i + plane] = above;
}
// SPDX-License-Identifier: Apache-2.0
