/* Escape counts: every lane leaves the loop at its own time. */
extern "C" __global__ void mandelbrot(int *out, int w, int h, float x0, float y0, float step, int limit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= w || py >= h)
        return;
    float cx = x0 + step * (float)px, cy = y0 + step * (float)py, x = 0.0f, y = 0.0f;
    int n = 0;
    while (n < limit && x * x + y * y <= 4.0f) {
        float t = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = t;
        n++;
    }
    out[py * w + px] = n;
}
// SPDX-License-Identifier: Apache-2.0
