/* Textures and surfaces through objects: bilinear resampling, a linear-memory gather, and an image
 * written by surface stores. */
extern "C" __global__ void tex_scale(cudaTextureObject_t tex, float *out, int w, int h, float sx, float sy)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[y * w + x] = tex2D<float>(tex, ((float)x + 0.5f) * sx, ((float)y + 0.5f) * sy);
}

extern "C" __global__ void tex_gather(cudaTextureObject_t tex, const int *index, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1Dfetch<float>(tex, index[i]);
}

extern "C" __global__ void tex_rgba(cudaTextureObject_t tex, uchar4 *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    uchar4 p = tex2D<uchar4>(tex, (float)x, (float)y);
    out[y * w + x] = make_uchar4(p.w, p.z, p.y, p.x);
}

extern "C" __global__ void surf_fill(cudaSurfaceObject_t surf, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        surf2Dwrite((unsigned)(y * 1000 + x), surf, x * 4, y);
}

extern "C" __global__ void surf_invert(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        unsigned v = surf2Dread<unsigned>(in, x * 4, y);
        surf2Dwrite(~v, out, x * 4, y);
    }
}
// SPDX-License-Identifier: Apache-2.0
