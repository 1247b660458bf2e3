/* Two filters against noise in a colour image, one pixel a thread, 8 x 8 a CTA, through a texture. knn: a
 * window of 7 x 7 neighbours, each weighted by how alike its colour is. nlm: weights by how alike their
 * surroundings are, computed once for the centre of each CTA (one weight a thread) and shared. Rows of the
 * window are unrolled, seven texels of four channels in flight: many registers, many texture fetches and
 * exponentials. */
#include "../workload.h"

#define BLOCK 8
#define RADIUS 3
#define SIDE (2 * RADIUS + 1)
#define INV_AREA (1.0f / (SIDE * SIDE))
#define WEIGHT_LIMIT 0.02f /* a neighbour above it counts as alike */
#define COUNT_LIMIT 0.10f  /* with fewer alike than this part, keep more of the pixel */
#define KNN_NOISE (1.0f / (0.32f * 0.32f))
#define NLM_NOISE (1.0f / (1.45f * 1.45f))
#define KEEP 0.2f

static __host__ __device__ float distance2(float4 a, float4 b)
{
    float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return x * x + y * y + z * z;
}

static __host__ __device__ void add_weighted(float4 *sum, float4 c, float weight)
{
    sum->x += c.x * weight;
    sum->y += c.y * weight;
    sum->z += c.z * weight;
    sum->w += weight;
}

/* sum.w is the sum of the weights; count the part of the window that is alike. */
static __host__ __device__ float4 mix(float4 sum, float4 centre, float count)
{
    float keep = count > COUNT_LIMIT ? KEEP : 1.0f - KEEP, f = (1.0f - keep) / sum.w;
    return make_float4(sum.x * f + centre.x * keep, sum.y * f + centre.y * keep, sum.z * f + centre.z * keep,
                       0.0f);
}

static __host__ __device__ uchar4 to_bytes(float4 c)
{
    return make_uchar4((unsigned char)(c.x * 255.0f), (unsigned char)(c.y * 255.0f),
                       (unsigned char)(c.z * 255.0f), 0);
}

__device__ float4 at(cudaTextureObject_t image, int x, int y)
{
    return tex2D<float4>(image, x + 0.5f, y + 0.5f);
}

__global__ void knn(uchar4 *out, cudaTextureObject_t image, int width, int height)
{
    int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y * BLOCK + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float4 centre = at(image, x, y), sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float count = 0.0f;
#pragma unroll 1
    for (int j = -RADIUS; j <= RADIUS; j++)
#pragma unroll
        for (int i = -RADIUS; i <= RADIUS; i++) {
            float4 c = at(image, x + i, y + j);
            float weight = __expf(-(distance2(centre, c) * KNN_NOISE + (i * i + j * j) * INV_AREA));
            add_weighted(&sum, c, weight);
            count += weight > WEIGHT_LIMIT ? INV_AREA : 0.0f;
        }
    out[y * width + x] = to_bytes(mix(sum, centre, count));
}

__global__ void nlm(uchar4 *out, cudaTextureObject_t image, int width, int height)
{
    __shared__ float weights[BLOCK * BLOCK];
    int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * BLOCK, y0 = blockIdx.y * BLOCK;
    int mid_x = x0 + BLOCK / 2, mid_y = y0 + BLOCK / 2, dx = tx - RADIUS, dy = ty - RADIUS;
    float d2 = 0.0f;
#pragma unroll 1
    for (int j = -RADIUS; j <= RADIUS; j++)
#pragma unroll
        for (int i = -RADIUS; i <= RADIUS; i++)
            d2 += distance2(at(image, mid_x + i, mid_y + j), at(image, mid_x + dx + i, mid_y + dy + j));
    weights[ty * BLOCK + tx] = __expf(-(d2 * NLM_NOISE + (dx * dx + dy * dy) * INV_AREA));
    __syncthreads();

    int x = x0 + tx, y = y0 + ty;
    if (x >= width || y >= height)
        return;
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float count = 0.0f;
#pragma unroll 1
    for (int j = 0; j < SIDE; j++)
#pragma unroll
        for (int i = 0; i < SIDE; i++) {
            float weight = weights[j * BLOCK + i];
            add_weighted(&sum, at(image, x + i - RADIUS, y + j - RADIUS), weight);
            count += weight > WEIGHT_LIMIT ? INV_AREA : 0.0f;
        }
    out[y * width + x] = to_bytes(mix(sum, at(image, x, y), count));
}

struct picture {
    const uchar4 *pixels;
    int width, height;
};

static float4 cpu_at(struct picture p, int x, int y)
{
    x = x < 0 ? 0 : x >= p.width ? p.width - 1 : x;
    y = y < 0 ? 0 : y >= p.height ? p.height - 1 : y;
    uchar4 c = p.pixels[(size_t)y * p.width + x];
    return make_float4(c.x / 255.0f, c.y / 255.0f, c.z / 255.0f, 0.0f);
}

static void cpu_nlm_weights(struct picture p, int mid_x, int mid_y, float *weights)
{
    for (int w = 0; w < SIDE * SIDE; w++) {
        int dx = w % SIDE - RADIUS, dy = w / SIDE - RADIUS;
        float d2 = 0.0f;
        for (int j = -RADIUS; j <= RADIUS; j++)
            for (int i = -RADIUS; i <= RADIUS; i++)
                d2 += distance2(cpu_at(p, mid_x + i, mid_y + j), cpu_at(p, mid_x + dx + i, mid_y + dy + j));
        weights[w] = expf(-(d2 * NLM_NOISE + (dx * dx + dy * dy) * INV_AREA));
    }
}

static void cpu_knn_weights(struct picture p, int x, int y, float *weights)
{
    for (int w = 0; w < SIDE * SIDE; w++) {
        int dx = w % SIDE - RADIUS, dy = w / SIDE - RADIUS;
        float d2 = distance2(cpu_at(p, x, y), cpu_at(p, x + dx, y + dy));
        weights[w] = expf(-(d2 * KNN_NOISE + (dx * dx + dy * dy) * INV_AREA));
    }
}

static int is_near(unsigned char got, float want) { return fabsf(got - want * 255.0f + 0.5f) < 0.6f; }

/* The filter has a step in it: a weight that lies at the limit to 1e-5 may be counted or not. */
static int is_right(struct picture p, int x, int y, const float *weights, uchar4 got)
{
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f), centre = cpu_at(p, x, y);
    int surely = 0, maybe = 0;
    for (int w = 0; w < SIDE * SIDE; w++) {
        add_weighted(&sum, cpu_at(p, x + w % SIDE - RADIUS, y + w / SIDE - RADIUS), weights[w]);
        surely += weights[w] > WEIGHT_LIMIT * 1.00001f;
        maybe += weights[w] > WEIGHT_LIMIT * 0.99999f;
    }
    for (int count = surely; count <= maybe; count++) {
        float4 want = mix(sum, centre, count * INV_AREA);
        if (is_near(got.x, want.x) && is_near(got.y, want.y) && is_near(got.z, want.z))
            return 1;
    }
    return 0;
}

static long check(struct picture p, const uchar4 *got, int is_nlm)
{
    float weights[SIDE * SIDE];
    long wrong = 0;
    for (int y0 = 0; y0 < p.height; y0 += BLOCK)
        for (int x0 = 0; x0 < p.width; x0 += BLOCK) {
            if (is_nlm)
                cpu_nlm_weights(p, x0 + BLOCK / 2, y0 + BLOCK / 2, weights);
            for (int y = y0; y < y0 + BLOCK; y++)
                for (int x = x0; x < x0 + BLOCK; x++) {
                    if (!is_nlm)
                        cpu_knn_weights(p, x, y, weights);
                    wrong += !is_right(p, x, y, weights, got[(size_t)y * p.width + x]);
                }
        }
    return wrong;
}

static cudaTextureObject_t make_texture(cudaArray_t *array, struct picture p)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
    size_t row = sizeof(uchar4) * p.width;
    CHECK(cudaMallocArray(array, &format, p.width, p.height));
    CHECK(cudaMemcpy2DToArray(*array, 0, 0, p.pixels, row, row, p.height, cudaMemcpyHostToDevice));
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

static unsigned char noisy(float value, uint32_t *seed)
{
    value += 0.2f * (next_float(seed) + next_float(seed) - 1.0f);
    return (unsigned char)(fminf(fmaxf(value, 0.0f), 1.0f) * 255.0f);
}

int main(int argc, char **argv)
{
    static const int widths[] = {32, 320, 1024}, heights[] = {40, 240, 768};
    int size = parse_size(argc, argv), w = widths[size], h = heights[size];
    size_t bytes = sizeof(uchar4) * w * h;
    uchar4 *pixels = (uchar4 *)host_alloc(bytes), *got = (uchar4 *)host_alloc(bytes);
    uint32_t seed = 2002;
    for (int i = 0; i < w * h; i++) {
        float shade = 0.5f + 0.4f * sinf(0.11f * (i % w)) * cosf(0.07f * (float)(i / w)),
              edge = i % w * 3 > w ? 0.7f : 0.2f;
        pixels[i] = make_uchar4(noisy(shade, &seed), noisy(edge, &seed), noisy(1.0f - shade, &seed), 0);
    }
    struct picture p = {pixels, w, h};
    cudaArray_t array;
    cudaTextureObject_t texture = make_texture(&array, p);
    uchar4 *d_out = (uchar4 *)device_alloc(bytes);
    dim3 grid(w / BLOCK, h / BLOCK), block(BLOCK, BLOCK);
    knn<<<grid, block>>>(d_out, texture, w, h);
    fetch(got, d_out, bytes);
    long wrong = check(p, got, 0);
    nlm<<<grid, block>>>(d_out, texture, w, h);
    fetch(got, d_out, bytes);
    wrong += check(p, got, 1);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(d_out));
    free(pixels), free(got);
    return verdict("imagedenoise", wrong);
}
// SPDX-License-Identifier: Apache-2.0
