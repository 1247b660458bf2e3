/* What JPEG does to an image: 8 x 8 discrete cosine transforms, quantisation, inverse transforms. A CTA of
 * 8 x 4 x 2 threads has 32 x 16 pixels in shared memory; a thread transforms first one row, then one column
 * of a block, eight values in registers. The unrolled transforms keep some two dozen registers live; every
 * byte of memory is touched once. */
#include "../workload.h"

#define TILE_W 32
#define TILE_H 16
#define PITCH (TILE_W + 1)

/* cos(k pi / 16) / 2 */
#define C1 0.49039264020161522f
#define C2 0.46193976625564337f
#define C3 0.41573480615127262f
#define C4 0.35355339059327376f
#define C5 0.27778511650980111f
#define C6 0.19134171618254489f
#define C7 0.09754516100806413f

/* On eight values a stride apart. Sums carry the even coefficients, differences the odd ones. */
__device__ void forward(float *v, int stride)
{
    float x0 = v[0], x1 = v[stride], x2 = v[2 * stride], x3 = v[3 * stride];
    float x4 = v[4 * stride], x5 = v[5 * stride], x6 = v[6 * stride], x7 = v[7 * stride];
    float s0 = x0 + x7, s1 = x1 + x6, s2 = x2 + x5, s3 = x3 + x4;
    float d0 = x0 - x7, d1 = x1 - x6, d2 = x2 - x5, d3 = x3 - x4;
    float e0 = s0 + s3, e1 = s1 + s2, o0 = s0 - s3, o1 = s1 - s2;
    v[0] = C4 * (e0 + e1);
    v[stride] = C1 * d0 + C3 * d1 + C5 * d2 + C7 * d3;
    v[2 * stride] = C2 * o0 + C6 * o1;
    v[3 * stride] = C3 * d0 - C7 * d1 - C1 * d2 - C5 * d3;
    v[4 * stride] = C4 * (e0 - e1);
    v[5 * stride] = C5 * d0 - C1 * d1 + C7 * d2 + C3 * d3;
    v[6 * stride] = C6 * o0 - C2 * o1;
    v[7 * stride] = C7 * d0 - C5 * d1 + C3 * d2 - C1 * d3;
}

__device__ void inverse(float *v, int stride)
{
    float y0 = v[0], y1 = v[stride], y2 = v[2 * stride], y3 = v[3 * stride];
    float y4 = v[4 * stride], y5 = v[5 * stride], y6 = v[6 * stride], y7 = v[7 * stride];
    float e0 = C4 * (y0 + y4), e1 = C4 * (y0 - y4), o0 = C2 * y2 + C6 * y6, o1 = C6 * y2 - C2 * y6;
    float s0 = e0 + o0, s1 = e1 + o1, s2 = e1 - o1, s3 = e0 - o0;
    float d0 = C1 * y1 + C3 * y3 + C5 * y5 + C7 * y7, d1 = C3 * y1 - C7 * y3 - C1 * y5 - C5 * y7;
    float d2 = C5 * y1 - C1 * y3 + C7 * y5 + C3 * y7, d3 = C7 * y1 - C5 * y3 + C3 * y5 - C1 * y7;
    v[0] = s0 + d0;
    v[stride] = s1 + d1;
    v[2 * stride] = s2 + d2;
    v[3 * stride] = s3 + d3;
    v[4 * stride] = s3 - d3;
    v[5 * stride] = s2 - d2;
    v[6 * stride] = s1 - d1;
    v[7 * stride] = s0 - d0;
}

template <int BACK>
__global__ void transform(float *__restrict__ to, const float *__restrict__ from, int width)
{
    __shared__ float tile[TILE_H * PITCH];
    int x = threadIdx.y * 8, lane = threadIdx.x, y = threadIdx.z * 8;
    int base = (blockIdx.y * TILE_H + y) * width + blockIdx.x * TILE_W + x + lane;
    float *corner = tile + y * PITCH + x;

#pragma unroll
    for (int i = 0; i < 8; i++)
        corner[i * PITCH + lane] = from[base + i * width];
    __syncthreads();
    if (BACK)
        inverse(corner + lane * PITCH, 1);
    else
        forward(corner + lane * PITCH, 1);
    __syncthreads();
    if (BACK)
        inverse(corner + lane, PITCH);
    else
        forward(corner + lane, PITCH);
#pragma unroll
    for (int i = 0; i < 8; i++)
        to[base + i * width] = corner[i * PITCH + lane];
}

/* Coarser with the frequency, as JPEG's tables are. */
__host__ __device__ float quantum(int x, int y) { return 6.0f + 3.0f * (x + y); }

__global__ void quantize(float *image, int width)
{
    int x = threadIdx.x, y = threadIdx.y;
    size_t i = (size_t)(blockIdx.y * 8 + y) * width + blockIdx.x * 8 + x;
    float q = quantum(x, y);
    image[i] = rintf(image[i] / q) * q;
}

/* One-dimensional along x or y, by the definition; back is the transpose. */
static void cpu_pass(float *to, const float *from, int width, int height, int along_x, int back)
{
    double c[8][8];
    for (int u = 0; u < 8; u++)
        for (int k = 0; k < 8; k++)
            c[u][k] = (u ? 0.5 : sqrt(0.125)) * cos(M_PI / 16 * u * (2 * k + 1));
    int step = along_x ? 1 : width;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int u = (along_x ? x : y) % 8;
            const float *first = from + (size_t)y * width + x - u * step;
            double sum = 0.0;
            for (int k = 0; k < 8; k++)
                sum += (back ? c[k][u] : c[u][k]) * first[k * step];
            to[(size_t)y * width + x] = (float)sum;
        }
}

static void cpu_transform(float *to, float *scratch, const float *from, int width, int height, int back)
{
    cpu_pass(scratch, from, width, height, 1, back);
    cpu_pass(to, scratch, width, height, 0, back);
}

int main(int argc, char **argv)
{
    static const int widths[] = {128, 1024, 2048}, heights[] = {128, 1024, 2048}, repeats[] = {1, 1, 8};
    int size = parse_size(argc, argv), w = widths[size], h = heights[size], n = w * h;
    size_t bytes = sizeof(float) * n;
    float *image = (float *)host_alloc(bytes), *got = (float *)host_alloc(bytes),
          *want = (float *)host_alloc(bytes);
    float *scratch = (float *)host_alloc(bytes), *coefficients = (float *)host_alloc(bytes);
    uint32_t seed = 88;
    for (int i = 0; i < n; i++)
        image[i] = 100.0f * sinf(0.05f * (i % w)) * cosf(0.03f * (float)(i / w)) + 20.0f * next_float(&seed);
    float *d_image = (float *)device_copy(image, bytes);
    float *d_freq = (float *)device_alloc(bytes), *d_back = (float *)device_alloc(bytes);
    dim3 tiles(w / TILE_W, h / TILE_H), threads(8, TILE_W / 8, TILE_H / 8);
    for (int r = 0; r < repeats[size]; r++) {
        transform<0><<<tiles, threads>>>(d_freq, d_image, w);
        fetch(coefficients, d_freq, bytes);
        quantize<<<dim3(w / 8, h / 8), dim3(8, 8)>>>(d_freq, w);
        transform<1><<<tiles, threads>>>(d_back, d_freq, w);
    }

    /* Each stage is checked by itself, since quantisation magnifies a last bit. Sums of 64 terms up to 120.
     * */
    cpu_transform(want, scratch, image, w, h, 0);
    long wrong = count_off(coefficients, want, n, 1e-3f);
    fetch(got, d_freq, bytes);
    for (int i = 0; i < n; i++) {
        float q = quantum(i % w % 8, i / w % 8);
        wrong += got[i] != rintf(coefficients[i] / q) * q;
    }
    cpu_transform(want, scratch, got, w, h, 1);
    fetch(got, d_back, bytes);
    wrong += count_off(got, want, n, 1e-3f);
    CHECK(cudaFree(d_image));
    CHECK(cudaFree(d_freq));
    CHECK(cudaFree(d_back));
    free(image), free(got), free(want), free(scratch), free(coefficients);
    return verdict("dct8x8", wrong);
}
// SPDX-License-Identifier: Apache-2.0
