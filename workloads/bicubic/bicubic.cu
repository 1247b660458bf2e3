/* Enlarges an image with a cubic B-spline: one pixel a thread (16 x 16 a CTA), sixteen texture fetches
 * each, weighted by polynomials of the position. All fetches of a pixel are independent, so weights,
 * coordinates and texels are live together: register hungry, no shared memory, and the texture's locality
 * is two-dimensional. */
#include "../workload.h"

#define BLOCK 16

static __host__ __device__ void weights(float a, float w[4])
{
    const float sixth = 1.0f / 6.0f;
    w[0] = sixth * (a * (a * (3.0f - a) - 3.0f) + 1.0f);
    w[1] = sixth * (a * a * (3.0f * a - 6.0f) + 4.0f);
    w[2] = sixth * (a * (a * (3.0f - 3.0f * a) + 3.0f) + 1.0f);
    w[3] = sixth * a * a * a;
}

struct view {
    float x, y, centre_x, centre_y, scale;
};

__global__ void render(uchar4 *out, cudaTextureObject_t texture, int width, int height, struct view v)
{
    int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y * BLOCK + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float u = (x - v.centre_x) * v.scale + v.x - 0.5f, t = (y - v.centre_y) * v.scale + v.y - 0.5f;
    float px = floorf(u), py = floorf(t), wx[4], wy[4], sum = 0.0f;
    weights(u - px, wx);
    weights(t - py, wy);
    px += 0.5f;
    py += 0.5f;
#pragma unroll
    for (int j = 0; j < 4; j++) {
        float row = 0.0f;
#pragma unroll
        for (int i = 0; i < 4; i++)
            row += wx[i] * tex2D<float>(texture, px + (i - 1), py + (j - 1));
        sum += wy[j] * row;
    }
    unsigned char c = (unsigned char)(sum * 255.0f);
    out[y * width + x] = make_uchar4(c, c, c, 0);
}

static float texel(const unsigned char *image, int n, int x, int y)
{
    x = x < 0 ? 0 : x >= n ? n - 1 : x;
    y = y < 0 ? 0 : y >= n ? n - 1 : y;
    return image[y * n + x] / 255.0f;
}

static float cpu_pixel(const unsigned char *image, int n, int x, int y, struct view v)
{
    float u = (x - v.centre_x) * v.scale + v.x - 0.5f, t = (y - v.centre_y) * v.scale + v.y - 0.5f;
    int px = (int)floorf(u), py = (int)floorf(t);
    float wx[4], wy[4], sum = 0.0f;
    weights(u - px, wx);
    weights(t - py, wy);
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            sum += wx[i] * wy[j] * texel(image, n, px + i - 1, py + j - 1);
    return sum;
}

static cudaTextureObject_t make_texture(cudaArray_t *array, const unsigned char *image, int n)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
    CHECK(cudaMallocArray(array, &format, n, n));
    CHECK(cudaMemcpy2DToArray(*array, 0, 0, image, n, n, n, cudaMemcpyHostToDevice));
    struct cudaResourceDesc resource;
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = *array;
    struct cudaTextureDesc desc;
    memset(&desc, 0, sizeof(desc));
    desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
    desc.filterMode = cudaFilterModePoint;
    desc.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
    return texture;
}

int main(int argc, char **argv)
{
    static const int sides[] = {64, 512, 1024}, widths[] = {144, 1024, 4096}, heights[] = {112, 768, 3072};
    int size = parse_size(argc, argv), n = sides[size], w = widths[size], h = heights[size];
    unsigned char *image = (unsigned char *)host_alloc((size_t)n * n);
    uchar4 *got = (uchar4 *)host_alloc(sizeof(uchar4) * w * h);
    uchar4 *d_out = (uchar4 *)device_alloc(sizeof(uchar4) * w * h);
    uint32_t seed = 1616;
    for (int i = 0; i < n * n; i++)
        image[i] = (unsigned char)(next_random(&seed) >> 24);
    cudaArray_t array;
    cudaTextureObject_t texture = make_texture(&array, image, n);
    /* Off centre, so that the border is seen too. */
    struct view v = {n * 0.45f, n * 0.5f, w * 0.5f, h * 0.5f, 1.1f * n / w};
    render<<<dim3((w + BLOCK - 1) / BLOCK, (h + BLOCK - 1) / BLOCK), dim3(BLOCK, BLOCK)>>>(d_out, texture, w,
                                                                                           h, v);
    fetch(got, d_out, sizeof(uchar4) * w * h);

    /* The value is cut to a whole number; positions are good to 2^-12 of a texel. */
    long wrong = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float want = cpu_pixel(image, n, x, y, v) * 255.0f, c = got[(size_t)y * w + x].x;
            wrong += !(c <= want + 0.1f && c > want - 1.1f) || got[(size_t)y * w + x].z != c;
        }
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(d_out));
    free(image), free(got);
    return verdict("bicubic", wrong);
}
// SPDX-License-Identifier: Apache-2.0
