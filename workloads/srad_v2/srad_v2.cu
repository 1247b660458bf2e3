/* Speckle reducing anisotropic diffusion in tiles of 16 x 16 pixels: the first kernel takes the tile and
 * its four borders into shared memory and computes differences and the diffusion coefficient, the second
 * one reads them back the same way and updates the image. 24 bytes of shared memory a thread; every pixel
 * is fetched by up to three tiles and both kernels, which a cache can filter. The speckle scale comes from
 * a corner of the image, on the host, before each iteration. */
#include "../workload.h"

#define TILE 16
#define REGION 64
#define LAMBDA 0.5f

/* Differences to the four neighbours and the diffusion coefficient, each as large as the image. */
struct fields {
    float *north, *south, *west, *east, *coefficient;
};

__global__ void diffuse(const float *__restrict__ img, struct fields f, int n, float q0)
{
    __shared__ float tile[TILE][TILE], result[TILE][TILE];
    __shared__ float north[TILE][TILE], south[TILE][TILE], west[TILE][TILE], east[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    int i = (top + y) * n + left + x;
    /* Beyond the image stands its own edge: nothing flows through it. */
    north[y][x] = img[max(top - 1, 0) * n + left + x];
    south[y][x] = img[min(top + TILE, n - 1) * n + left + x];
    west[y][x] = img[(top + y) * n + max(left - 1, 0)];
    east[y][x] = img[(top + y) * n + min(left + TILE, n - 1)];
    tile[y][x] = img[i];
    __syncthreads();
    float here = tile[y][x];
    float dn = (y == 0 ? north[y][x] : tile[y - 1][x]) - here;
    float ds = (y == TILE - 1 ? south[y][x] : tile[y + 1][x]) - here;
    float dw = (x == 0 ? west[y][x] : tile[y][x - 1]) - here;
    float de = (x == TILE - 1 ? east[y][x] : tile[y][x + 1]) - here;
    float gradient = (dn * dn + ds * ds + dw * dw + de * de) / (here * here);
    float laplacian = (dn + ds + dw + de) / here;
    float num = 0.5f * gradient - (1.0f / 16) * (laplacian * laplacian), den = 1 + 0.25f * laplacian;
    float q = num / (den * den);
    float c = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
    result[y][x] = c < 0 ? 0 : c > 1 ? 1 : c;
    __syncthreads();
    f.coefficient[i] = result[y][x];
    f.north[i] = dn;
    f.south[i] = ds;
    f.west[i] = dw;
    f.east[i] = de;
}

__global__ void update(float *__restrict__ img, struct fields f, int n)
{
    __shared__ float c[TILE][TILE], south[TILE][TILE], east[TILE][TILE], tile[TILE][TILE], result[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    int i = (top + y) * n + left + x;
    tile[y][x] = img[i];
    south[y][x] = f.coefficient[min(top + TILE, n - 1) * n + left + x];
    east[y][x] = f.coefficient[(top + y) * n + min(left + TILE, n - 1)];
    c[y][x] = f.coefficient[i];
    __syncthreads();
    float here = c[y][x];
    float below = y == TILE - 1 ? south[y][x] : c[y + 1][x];
    float right = x == TILE - 1 ? east[y][x] : c[y][x + 1];
    float divergence = here * f.north[i] + below * f.south[i] + here * f.west[i] + right * f.east[i];
    result[y][x] = tile[y][x] + 0.25f * LAMBDA * divergence;
    __syncthreads();
    img[i] = result[y][x];
}

/* Squared speckle scale of the region: variance over squared mean. */
template <typename T> static T speckle(const T *img, int n)
{
    T sum = 0, square = 0;
    for (int y = 0; y < REGION; y++)
        for (int x = 0; x < REGION; x++) {
            T v = img[(size_t)y * n + x];
            sum += v, square += v * v;
        }
    T mean = sum / (REGION * REGION);
    return (square / (REGION * REGION) - mean * mean) / (mean * mean);
}

static void filter_on_host(double *img, int n, int iterations)
{
    size_t count = (size_t)n * n;
    double *c = (double *)host_alloc(count * sizeof *c), *flow = (double *)host_alloc(count * sizeof *flow);
    for (int k = 0; k < iterations; k++) {
        double q0 = speckle(img, n);
        for (int pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < count; i++) {
                int x = (int)(i % n), y = (int)(i / n), to_s = y + 1 < n ? n : 0, to_e = x + 1 < n;
                double dn = y ? img[i - n] - img[i] : 0, dw = x ? img[i - 1] - img[i] : 0;
                double ds = img[i + to_s] - img[i], de = img[i + to_e] - img[i];
                if (pass) {
                    flow[i] = c[i] * dn + c[i + to_s] * ds + c[i] * dw + c[i + to_e] * de;
                    continue;
                }
                double g = (dn * dn + ds * ds + dw * dw + de * de) / (img[i] * img[i]);
                double l = (dn + ds + dw + de) / img[i], den = 1 + 0.25 * l;
                double q = (0.5 * g - l * l / 16) / (den * den);
                c[i] = fmin(1, fmax(0, 1 / (1 + (q - q0) / (q0 * (1 + q0)))));
            }
        for (size_t i = 0; i < count; i++)
            img[i] += 0.25 * LAMBDA * flow[i];
    }
    free(c), free(flow);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {80, 512, 2048}, iterations[] = {2, 2, 2};
    int size = parse_size(argc, argv), n = sizes[size];
    size_t count = (size_t)n * n, bytes = count * sizeof(float);
    float *img = (float *)host_alloc(bytes), *want = (float *)host_alloc(bytes);
    double *exact = (double *)host_alloc(count * sizeof *exact);
    uint32_t seed = 7;
    for (size_t i = 0; i < count; i++)
        exact[i] = img[i] = expf(next_float(&seed));
    float *d_img = (float *)device_copy(img, bytes);
    float *d[5];
    for (int i = 0; i < 5; i++)
        d[i] = (float *)device_alloc(bytes);
    struct fields f = {d[0], d[1], d[2], d[3], d[4]};
    dim3 grid(n / TILE, n / TILE), block(TILE, TILE);
    for (int k = 0; k < iterations[size]; k++) {
        fetch(img, d_img, bytes);
        diffuse<<<grid, block>>>(d_img, f, n, speckle(img, n));
        update<<<grid, block>>>(d_img, f, n);
    }
    fetch(img, d_img, bytes);

    /* Differences of neighbours lose up to three digits where q and q0 cancel; the clamp of the
     * coefficient bounds what that does to a pixel, and an update moves it by at most half of the
     * differences. */
    filter_on_host(exact, n, iterations[size]);
    for (size_t i = 0; i < count; i++)
        want[i] = (float)exact[i];
    long wrong = count_off(img, want, count, 1e-3f);
    CHECK(cudaFree(d_img));
    for (int i = 0; i < 5; i++)
        CHECK(cudaFree(d[i]));
    free(img), free(want), free(exact);
    return verdict("srad_v2", wrong);
}
// SPDX-License-Identifier: Apache-2.0
