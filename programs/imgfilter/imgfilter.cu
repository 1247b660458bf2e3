/* Cleans a noisy picture and finds its edges: median against salt and pepper, a Gaussian blur in two one-dimensional passes,
 * a bilateral filter that smooths but keeps edges, Sobel's operator.
 *
 * Each filter first brings its CTA's tile, with the border that neighbours need, into shared memory, so that every pixel is
 * read from global memory about once. Pixels outside the picture repeat those of its edge. */
#include "../../workloads/workload.h"

#define TILE_W 32
#define TILE_H 8
#define GAUSS_RADIUS 4
#define GAUSS_TAPS (2 * GAUSS_RADIUS + 1)
#define BILATERAL_RADIUS 2

struct image {
    int width, height;
};

__constant__ float gauss[GAUSS_TAPS];

__host__ __device__ inline int clampi(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }

/* The tile of this CTA and R pixels around it. Two rounds each way at most: unrolled loops would only cost more. */
template <typename T, int W, int H, int R>
__device__ inline void load_tile(T (*tile)[W + 2 * R], const T *in, struct image im)
{
    int x0 = blockIdx.x * W - R, y0 = blockIdx.y * H - R;
#pragma unroll 1
    for (int y = threadIdx.y; y < H + 2 * R; y += TILE_H)
#pragma unroll 1
        for (int x = threadIdx.x; x < W + 2 * R; x += TILE_W) {
            int sx = clampi(x0 + x, 0, im.width - 1), sy = clampi(y0 + y, 0, im.height - 1);
            tile[y][x] = in[sy * im.width + sx];
        }
    __syncthreads();
}

__host__ __device__ inline void order(int *a, int *b)
{
    int lo = *a < *b ? *a : *b, hi = *a < *b ? *b : *a;
    *a = lo;
    *b = hi;
}

/* The middle one of nine, by the 19 exchanges of Devillard's network. */
__host__ __device__ inline int median9(int *p)
{
    order(&p[1], &p[2]), order(&p[4], &p[5]), order(&p[7], &p[8]);
    order(&p[0], &p[1]), order(&p[3], &p[4]), order(&p[6], &p[7]);
    order(&p[1], &p[2]), order(&p[4], &p[5]), order(&p[7], &p[8]);
    order(&p[0], &p[3]), order(&p[5], &p[8]), order(&p[4], &p[7]);
    order(&p[3], &p[6]), order(&p[1], &p[4]), order(&p[2], &p[5]);
    order(&p[4], &p[7]), order(&p[4], &p[2]), order(&p[6], &p[4]);
    order(&p[4], &p[2]);
    return p[4];
}

__global__ void median3x3(const uint8_t *in, float *out, struct image im)
{
    __shared__ uint8_t tile[TILE_H + 2][TILE_W + 2];
    load_tile<uint8_t, TILE_W, TILE_H, 1>(tile, in, im);
    int x = blockIdx.x * TILE_W + threadIdx.x, y = blockIdx.y * TILE_H + threadIdx.y;
    if (x >= im.width || y >= im.height)
        return;
    int p[9];
    for (int i = 0; i < 9; i++)
        p[i] = tile[threadIdx.y + i / 3][threadIdx.x + i % 3];
    out[y * im.width + x] = (float)median9(p);
}

__global__ void gauss_rows(const float *in, float *out, struct image im)
{
    __shared__ float tile[TILE_H][TILE_W + 2 * GAUSS_RADIUS];
    int x0 = blockIdx.x * TILE_W, x = x0 + threadIdx.x, y = blockIdx.y * TILE_H + threadIdx.y;
    int row = (y < im.height ? y : im.height - 1) * im.width;
#pragma unroll 1
    for (int i = threadIdx.x; i < TILE_W + 2 * GAUSS_RADIUS; i += TILE_W)
        tile[threadIdx.y][i] = in[row + clampi(x0 + i - GAUSS_RADIUS, 0, im.width - 1)];
    __syncthreads();
    if (x >= im.width || y >= im.height)
        return;
    float sum = 0.0f;
    for (int i = 0; i < GAUSS_TAPS; i++)
        sum += gauss[i] * tile[threadIdx.y][threadIdx.x + i];
    out[row + x] = sum;
}

__global__ void gauss_columns(const float *in, float *out, struct image im)
{
    __shared__ float tile[TILE_H + 2 * GAUSS_RADIUS][TILE_W];
    int y0 = blockIdx.y * TILE_H, x = blockIdx.x * TILE_W + threadIdx.x, y = y0 + threadIdx.y;
    int column = x < im.width ? x : im.width - 1;
#pragma unroll 1
    for (int i = threadIdx.y; i < TILE_H + 2 * GAUSS_RADIUS; i += TILE_H)
        tile[i][threadIdx.x] = in[clampi(y0 + i - GAUSS_RADIUS, 0, im.height - 1) * im.width + column];
    __syncthreads();
    if (x >= im.width || y >= im.height)
        return;
    float sum = 0.0f;
    for (int i = 0; i < GAUSS_TAPS; i++)
        sum += gauss[i] * tile[threadIdx.y + i][threadIdx.x];
    out[y * im.width + x] = sum;
}

/* Weights fall with distance and with difference of grey; near and alike are measured in pixels and grey levels. */
#define NEAR 1.5f
#define ALIKE 20.0f

__global__ void bilateral5x5(const float *in, float *out, struct image im)
{
    const int R = BILATERAL_RADIUS;
    __shared__ float tile[TILE_H + 2 * R][TILE_W + 2 * R];
    load_tile<float, TILE_W, TILE_H, R>(tile, in, im);
    int x = blockIdx.x * TILE_W + threadIdx.x, y = blockIdx.y * TILE_H + threadIdx.y;
    if (x >= im.width || y >= im.height)
        return;
    float centre = tile[threadIdx.y + R][threadIdx.x + R], sum = 0.0f, weights = 0.0f;
    for (int dy = -R; dy <= R; dy++)
        for (int dx = -R; dx <= R; dx++) {
            float v = tile[threadIdx.y + R + dy][threadIdx.x + R + dx], d = v - centre;
            float w =
                __expf((dx * dx + dy * dy) * (-0.5f / (NEAR * NEAR)) + d * d * (-0.5f / (ALIKE * ALIKE)));
            sum += w * v;
            weights += w;
        }
    out[y * im.width + x] = __fdividef(sum, weights);
}

__global__ void sobel(const float *in, uint8_t *out, struct image im)
{
    __shared__ float tile[TILE_H + 2][TILE_W + 2];
    load_tile<float, TILE_W, TILE_H, 1>(tile, in, im);
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int x = blockIdx.x * TILE_W + threadIdx.x, y = blockIdx.y * TILE_H + threadIdx.y;
    if (x >= im.width || y >= im.height)
        return;
    float gx = tile[ty - 1][tx + 1] + 2.0f * tile[ty][tx + 1] + tile[ty + 1][tx + 1] -
               (tile[ty - 1][tx - 1] + 2.0f * tile[ty][tx - 1] + tile[ty + 1][tx - 1]);
    float gy = tile[ty + 1][tx - 1] + 2.0f * tile[ty + 1][tx] + tile[ty + 1][tx + 1] -
               (tile[ty - 1][tx - 1] + 2.0f * tile[ty - 1][tx] + tile[ty - 1][tx + 1]);
    out[y * im.width + x] = (uint8_t)fminf(fabsf(gx) + fabsf(gy), 255.0f);
}

/* Discs of different grey on a slope, one pixel in 16 black or white. */
static void draw(uint8_t *pixel, struct image im)
{
    uint32_t random = 20021;
    for (int y = 0; y < im.height; y++)
        for (int x = 0; x < im.width; x++) {
            int cx = x % 64 - 32, cy = y % 64 - 32, inside = cx * cx + cy * cy < 500;
            int grey = inside ? 60 + (x / 64 * 37 + y / 64 * 53) % 120
                              : 200 - (x + y) * 100 / (im.width + im.height);
            uint32_t r = next_random(&random);
            pixel[y * im.width + x] = r % 16 ? (uint8_t)grey : r & 16 ? 255 : 0;
        }
}

#define AT(p, x, y) ((p)[clampi(y, 0, im.height - 1) * im.width + clampi(x, 0, im.width - 1)])

/* All five filters, plainly; a and b are what lies between them. */
static void reference(const uint8_t *in, float *a, float *b, float *smooth, float *edge, const float *weight,
                      struct image im)
{
    for (int y = 0; y < im.height; y++)
        for (int x = 0; x < im.width; x++) {
            int p[9];
            for (int i = 0; i < 9; i++)
                p[i] = AT(in, x + i % 3 - 1, y + i / 3 - 1);
            a[y * im.width + x] = (float)median9(p);
        }
    for (int y = 0; y < im.height; y++)
        for (int x = 0; x < im.width; x++) {
            float sum = 0.0f;
            for (int i = 0; i < GAUSS_TAPS; i++)
                sum += weight[i] * AT(a, x + i - GAUSS_RADIUS, y);
            b[y * im.width + x] = sum;
        }
    for (int y = 0; y < im.height; y++)
        for (int x = 0; x < im.width; x++) {
            float sum = 0.0f;
            for (int i = 0; i < GAUSS_TAPS; i++)
                sum += weight[i] * AT(b, x, y + i - GAUSS_RADIUS);
            a[y * im.width + x] = sum;
        }
    const int R = BILATERAL_RADIUS;
    for (int y = 0; y < im.height; y++)
        for (int x = 0; x < im.width; x++) {
            float sum = 0.0f, weights = 0.0f;
            for (int dy = -R; dy <= R; dy++)
                for (int dx = -R; dx <= R; dx++) {
                    float v = AT(a, x + dx, y + dy), d = v - AT(a, x, y);
                    float w = expf(-0.5f * ((dx * dx + dy * dy) / (NEAR * NEAR) + d * d / (ALIKE * ALIKE)));
                    sum += w * v;
                    weights += w;
                }
            smooth[y * im.width + x] = sum / weights;
        }
    for (int y = 0; y < im.height; y++)
        for (int x = 0; x < im.width; x++) {
            float gx = 0.0f, gy = 0.0f;
            for (int i = -1; i <= 1; i++) {
                float w = i ? 1.0f : 2.0f;
                gx += w * (AT(smooth, x + 1, y + i) - AT(smooth, x - 1, y + i));
                gy += w * (AT(smooth, x + i, y + 1) - AT(smooth, x + i, y - 1));
            }
            edge[y * im.width + x] = fminf(fabsf(gx) + fabsf(gy), 255.0f);
        }
}

int main(int argc, char **argv)
{
    static const struct image sizes[] = {{100, 75}, {512, 384}, {2048, 1800}};
    struct image im = sizes[parse_size(argc, argv)];
    size_t n = (size_t)im.width * im.height;

    float weight[GAUSS_TAPS], total = 0.0f;
    for (int i = 0; i < GAUSS_TAPS; i++)
        total += weight[i] = expf(-0.5f * (i - GAUSS_RADIUS) * (i - GAUSS_RADIUS) / (1.2f * 1.2f));
    for (int i = 0; i < GAUSS_TAPS; i++)
        weight[i] /= total;

    uint8_t *picture = (uint8_t *)malloc(n), *edges = (uint8_t *)malloc(n);
    float *smooth = (float *)malloc(n * sizeof *smooth);
    draw(picture, im);

    uint8_t *d_picture, *d_edges;
    float *d_a, *d_b;
    CHECK(cudaMalloc((void **)&d_picture, n));
    CHECK(cudaMalloc((void **)&d_edges, n));
    CHECK(cudaMalloc((void **)&d_a, n * sizeof *d_a));
    CHECK(cudaMalloc((void **)&d_b, n * sizeof *d_b));
    CHECK(cudaMemcpy(d_picture, picture, n, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(gauss, weight, sizeof weight));

    dim3 block(TILE_W, TILE_H), grid((im.width + TILE_W - 1) / TILE_W, (im.height + TILE_H - 1) / TILE_H);
    median3x3<<<grid, block>>>(d_picture, d_a, im);
    gauss_rows<<<grid, block>>>(d_a, d_b, im);
    gauss_columns<<<grid, block>>>(d_b, d_a, im);
    bilateral5x5<<<grid, block>>>(d_a, d_b, im);
    sobel<<<grid, block>>>(d_b, d_edges, im);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(smooth, d_b, n * sizeof *smooth, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(edges, d_edges, n, cudaMemcpyDeviceToHost));

    float *tmp = (float *)malloc(4 * n * sizeof *tmp);
    float *want_smooth = tmp + 2 * n, *want_edge = tmp + 3 * n;
    reference(picture, tmp, tmp + n, want_smooth, want_edge, weight, im);
    long wrong = 0;
    for (size_t i = 0; i < n; i++)
        wrong += fabsf(smooth[i] - want_smooth[i]) > 0.01f || fabsf(edges[i] - want_edge[i]) > 1.05f;

    CHECK(cudaFree(d_picture));
    CHECK(cudaFree(d_edges));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    free(picture), free(edges), free(smooth), free(tmp);
    return verdict("imgfilter", wrong);
}
// SPDX-License-Identifier: Apache-2.0
