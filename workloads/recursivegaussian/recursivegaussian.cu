/* Gaussian blur of an RGBA image by Deriche's recursive filter: each thread walks a whole column down and
 * up again, keeping the filter's state of four channels in registers; a transpose through shared memory (16
 * x 16) lets the same kernel do the rows. Few warps (64 threads a CTA), each a long dependent chain with
 * packing and unpacking of bytes: latency bound. */
#include "../workload.h"

#define BLOCK 64
#define TILE 16

struct filter {
    float a0, a1, a2, a3, b1, b2, start_down, start_up;
};

static __host__ __device__ float4 unpack(unsigned p)
{
    const float s = 1.0f / 255.0f;
    return make_float4((p & 255) * s, (p >> 8 & 255) * s, (p >> 16 & 255) * s, (p >> 24) * s);
}

static __host__ __device__ unsigned pack_one(float f)
{
    return (unsigned)(fminf(fmaxf(f, 0.0f), 1.0f) * 255.0f);
}

static __host__ __device__ unsigned pack(float4 c)
{
    return pack_one(c.w) << 24 | pack_one(c.z) << 16 | pack_one(c.y) << 8 | pack_one(c.x);
}

static __host__ __device__ float4 scale(float4 v, float f)
{
    return make_float4(v.x * f, v.y * f, v.z * f, v.w * f);
}

static __host__ __device__ float4 sum(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

/* p x - of this pixel or the next - q of the one after, less the filter's own last two results. */
static __host__ __device__ float4 filtered(float4 x, float4 x_last, float4 y1, float4 y2, float p, float q,
                                           float b1, float b2)
{
    return make_float4(
        p * x.x + q * x_last.x - b1 * y1.x - b2 * y2.x, p * x.y + q * x_last.y - b1 * y1.y - b2 * y2.y,
        p * x.z + q * x_last.z - b1 * y1.z - b2 * y2.z, p * x.w + q * x_last.w - b1 * y1.w - b2 * y2.w);
}

/* One column. The way down leaves its part in `out` as bytes, the way up adds its own. */
static __host__ __device__ void blur_column(const unsigned *in, unsigned *out, int width, int height,
                                            struct filter f)
{
    float4 x1 = unpack(in[0]), y1 = scale(x1, f.start_down), y2 = y1;
#pragma unroll 1
    for (int y = 0; y < height; y++) {
        float4 x = unpack(in[y * width]), now = filtered(x, x1, y1, y2, f.a0, f.a1, f.b1, f.b2);
        out[y * width] = pack(now);
        x1 = x;
        y2 = y1;
        y1 = now;
    }
    x1 = unpack(in[(height - 1) * width]);
    float4 x2 = x1;
    y1 = y2 = scale(x1, f.start_up);
#pragma unroll 1
    for (int y = height - 1; y >= 0; y--) {
        float4 x = unpack(in[y * width]), now = filtered(x1, x2, y1, y2, f.a2, f.a3, f.b1, f.b2);
        x2 = x1;
        x1 = x;
        y2 = y1;
        y1 = now;
        out[y * width] = pack(sum(unpack(out[y * width]), now));
    }
}

__global__ void blur(const unsigned *__restrict__ in, unsigned *__restrict__ out, int width, int height,
                     struct filter f)
{
    int x = blockIdx.x * BLOCK + threadIdx.x;
    if (x < width)
        blur_column(in + x, out + x, width, height, f);
}

__global__ void transpose(const unsigned *__restrict__ in, unsigned *__restrict__ out, int width, int height)
{
    __shared__ unsigned tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
    tile[threadIdx.y][threadIdx.x] = in[(y + threadIdx.y) * width + x + threadIdx.x];
    __syncthreads();
    out[(x + threadIdx.y) * height + y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

/* Deriche's smoothing filter of order 0. */
static struct filter make_filter(float sigma)
{
    float alpha = 1.695f / sigma, e = expf(-alpha), e2 = expf(-2.0f * alpha);
    float k = (1.0f - e) * (1.0f - e) / (1.0f + 2.0f * alpha * e - e2);
    struct filter f = {k, k * (alpha - 1.0f) * e, k * (alpha + 1.0f) * e, -k * e2, -2.0f * e, e2, 0.0f, 0.0f};
    f.start_down = (f.a0 + f.a1) / (1.0f + f.b1 + f.b2);
    f.start_up = (f.a2 + f.a3) / (1.0f + f.b1 + f.b2);
    return f;
}

static void cpu_pass(const unsigned *in, unsigned *scratch, unsigned *out, int width, int height,
                     struct filter f)
{
    for (int x = 0; x < width; x++)
        blur_column(in + x, scratch + x, width, height, f);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            out[x * height + y] = scratch[y * width + x];
}

int main(int argc, char **argv)
{
    static const int widths[] = {64, 1024, 2048}, heights[] = {80, 768, 1536}, repeats[] = {1, 1, 3};
    int size = parse_size(argc, argv), w = widths[size], h = heights[size], n = w * h;
    size_t bytes = sizeof(unsigned) * n;
    unsigned *image = (unsigned *)host_alloc(bytes), *want = (unsigned *)host_alloc(bytes);
    unsigned *scratch = (unsigned *)host_alloc(bytes), *got = (unsigned *)host_alloc(bytes);
    uint32_t seed = 1987;
    for (int i = 0; i < n; i++)
        image[i] = next_random(&seed);
    struct filter f = make_filter(10.0f);
    unsigned *d_image = (unsigned *)device_copy(image, bytes);
    unsigned *d_a = (unsigned *)device_alloc(bytes), *d_b = (unsigned *)device_alloc(bytes);
    dim3 tile(TILE, TILE);
    for (int r = 0; r < repeats[size]; r++) {
        blur<<<(w + BLOCK - 1) / BLOCK, BLOCK>>>(d_image, d_a, w, h, f);
        transpose<<<dim3(w / TILE, h / TILE), tile>>>(d_a, d_b, w, h);
        blur<<<(h + BLOCK - 1) / BLOCK, BLOCK>>>(d_b, d_a, h, w, f);
        transpose<<<dim3(h / TILE, w / TILE), tile>>>(d_a, d_b, h, w);
    }
    fetch(got, d_b, bytes);

    cpu_pass(image, scratch, want, w, h, f);
    memcpy(image, want, bytes);
    cpu_pass(image, scratch, want, h, w, f);
    /* Four times a value near a whole number may be cut to the one or the other; more than 2 apart is
     * wrong. */
    long wrong = 0;
    for (int i = 0; i < n; i++)
        for (int s = 0; s < 32; s += 8)
            wrong += abs((int)(got[i] >> s & 255) - (int)(want[i] >> s & 255)) > 2;
    CHECK(cudaFree(d_image));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    free(image), free(want), free(scratch), free(got);
    return verdict("recursivegaussian", wrong);
}
// SPDX-License-Identifier: Apache-2.0
