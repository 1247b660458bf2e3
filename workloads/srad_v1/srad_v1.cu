/* Speckle reducing anisotropic diffusion of an ultrasound image, six kernels over a flat image in global
 * memory, 512 threads a CTA: to exponentials and back, the two sums of the whole image by repeated tree
 * reduction in shared memory, the diffusion coefficient from four neighbours that index arrays name, and
 * the update. The coefficient kernel is dense arithmetic with divisions on a dozen live values, and takes
 * most of its operands from registers. */
#include "../workload.h"

#define BLOCK 512
#define LAMBDA 0.5f

struct image {
    int rows, cols, count;
};

/* Neighbour indices, the four differences to them and the diffusion coefficient. */
struct fields {
    const int *north, *south, *west, *east;
    float *to_north, *to_south, *to_west, *to_east, *coefficient;
};

__global__ void extract(float *img, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        img[i] = expf(img[i] / 255);
}

__global__ void prepare(const float *__restrict__ img, float *__restrict__ sums, float *__restrict__ squares,
                        int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) {
        sums[i] = img[i];
        squares[i] = img[i] * img[i];
    }
}

/* Element b * BLOCK of each array becomes the sum of the BLOCK values from there on; values lie `stride`
 * apart. */
__global__ void reduce(float *sums, float *squares, int n, int stride)
{
    __shared__ float s[BLOCK], s2[BLOCK];
    int x = threadIdx.x, i = blockIdx.x * BLOCK + x;
    s[x] = i < n ? sums[(size_t)i * stride] : 0;
    s2[x] = i < n ? squares[(size_t)i * stride] : 0;
#pragma unroll 1
    for (int step = 2; step <= BLOCK; step *= 2) {
        __syncthreads();
        if (((x + 1) & (step - 1)) == 0) {
            s[x] += s[x - step / 2];
            s2[x] += s2[x - step / 2];
        }
    }
    if (x == BLOCK - 1) {
        sums[(size_t)blockIdx.x * BLOCK * stride] = s[x];
        squares[(size_t)blockIdx.x * BLOCK * stride] = s2[x];
    }
}

__global__ void diffuse(const float *__restrict__ img, struct fields f, struct image size, float q0)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= size.count)
        return;
    int col = i / size.rows, row = i % size.rows;
    float here = img[i];
    float n = img[f.north[row] + size.rows * col] - here, s = img[f.south[row] + size.rows * col] - here;
    float w = img[row + size.rows * f.west[col]] - here, e = img[row + size.rows * f.east[col]] - here;
    float gradient = (n * n + s * s + w * w + e * e) / (here * here), laplacian = (n + s + w + e) / here;
    float num = 0.5f * gradient - (1.0f / 16) * (laplacian * laplacian), den = 1 + 0.25f * laplacian;
    float q = num / (den * den);
    float c = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
    f.to_north[i] = n;
    f.to_south[i] = s;
    f.to_west[i] = w;
    f.to_east[i] = e;
    f.coefficient[i] = c < 0 ? 0 : c > 1 ? 1 : c;
}

__global__ void update(float *__restrict__ img, struct fields f, struct image size)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= size.count)
        return;
    int col = i / size.rows, row = i % size.rows;
    float c = f.coefficient[i];
    float south = f.coefficient[f.south[row] + size.rows * col],
          east = f.coefficient[row + size.rows * f.east[col]];
    float divergence = c * f.to_north[i] + south * f.to_south[i] + c * f.to_west[i] + east * f.to_east[i];
    img[i] += 0.25f * LAMBDA * divergence;
}

__global__ void compress(float *img, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        img[i] = logf(img[i]) * 255;
}

static int ctas(int n) { return (n + BLOCK - 1) / BLOCK; }

/* Squared speckle scale: variance over squared mean of the image. */
static float speckle(float sum, float square, int n)
{
    float mean = sum / n;
    return (square / n - mean * mean) / (mean * mean);
}

static void filter(float *d_img, struct fields f, struct image size, int iterations)
{
    float *d_sums = (float *)device_alloc(size.count * sizeof(float));
    float *d_squares = (float *)device_alloc(size.count * sizeof(float));
    int grid = ctas(size.count);
    extract<<<grid, BLOCK>>>(d_img, size.count);
    for (int k = 0; k < iterations; k++) {
        prepare<<<grid, BLOCK>>>(d_img, d_sums, d_squares, size.count);
        for (int n = size.count, stride = 1; n > 1; n = ctas(n), stride *= BLOCK)
            reduce<<<ctas(n), BLOCK>>>(d_sums, d_squares, n, stride);
        float sum, square;
        fetch(&sum, d_sums, sizeof sum);
        fetch(&square, d_squares, sizeof square);
        diffuse<<<grid, BLOCK>>>(d_img, f, size, speckle(sum, square, size.count));
        update<<<grid, BLOCK>>>(d_img, f, size);
    }
    compress<<<grid, BLOCK>>>(d_img, size.count);
    CHECK(cudaFree(d_sums));
    CHECK(cudaFree(d_squares));
}

/* Neighbours outside of the image are the pixel itself: nothing flows through the border. */
static int *neighbours(int n, int offset)
{
    int *index = (int *)host_alloc(n * sizeof *index);
    for (int i = 0; i < n; i++)
        index[i] = i + offset < 0 || i + offset >= n ? i : i + offset;
    int *d_index = (int *)device_copy(index, n * sizeof *index);
    free(index);
    return d_index;
}

static void filter_on_host(double *img, struct image size, int iterations)
{
    int rows = size.rows, n = size.count;
    double *c = (double *)host_alloc(n * sizeof *c);
    for (int i = 0; i < n; i++)
        img[i] = exp(img[i] / 255);
    for (int k = 0; k < iterations; k++) {
        double sum = 0, square = 0;
        for (int i = 0; i < n; i++)
            sum += img[i], square += img[i] * img[i];
        double mean = sum / n, q0 = (square / n - mean * mean) / (mean * mean);
        double *flow = (double *)host_alloc(n * sizeof *flow);
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < n; i++) {
                int to_s = i % rows + 1 < rows ? 1 : 0, to_e = i / rows + 1 < size.cols ? rows : 0;
                double dn = i % rows ? img[i - 1] - img[i] : 0, dw = i >= rows ? img[i - rows] - img[i] : 0;
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
        for (int i = 0; i < n; i++)
            img[i] += 0.25 * LAMBDA * flow[i];
        free(flow);
    }
    for (int i = 0; i < n; i++)
        img[i] = log(img[i]) * 255;
    free(c);
}

int main(int argc, char **argv)
{
    static const struct image images[] = {{88, 80, 0}, {502, 458, 0}, {1004, 916, 0}};
    static const int iterations[] = {1, 2, 10};
    int size = parse_size(argc, argv);
    struct image dim = images[size];
    dim.count = dim.rows * dim.cols;
    size_t bytes = dim.count * sizeof(float);
    float *got = (float *)host_alloc(bytes), *want = (float *)host_alloc(bytes);
    double *exact = (double *)host_alloc(dim.count * sizeof *exact);
    uint32_t seed = 458;
    for (int i = 0; i < dim.count; i++)
        exact[i] = got[i] =
            (i / dim.rows / 32 + i % dim.rows / 32) % 2 * 80 + (float)(next_random(&seed) % 128);
    float *d_img = (float *)device_copy(got, bytes);
    float *d[5];
    for (int i = 0; i < 5; i++)
        d[i] = (float *)device_alloc(bytes);
    int *d_index[4] = {neighbours(dim.rows, -1), neighbours(dim.rows, 1), neighbours(dim.cols, -1),
                       neighbours(dim.cols, 1)};
    struct fields f = {d_index[0], d_index[1], d_index[2], d_index[3], d[0], d[1], d[2], d[3], d[4]};
    filter(d_img, f, dim, iterations[size]);
    fetch(got, d_img, bytes);

    /* Differences of neighbours lose up to three digits where q and q0 cancel; the clamp of the
     * coefficient bounds what that does to a pixel, and an update moves it by at most half of the
     * differences. */
    filter_on_host(exact, dim, iterations[size]);
    for (int i = 0; i < dim.count; i++)
        want[i] = (float)exact[i];
    long wrong = count_off(got, want, dim.count, 1e-3f);
    CHECK(cudaFree(d_img));
    for (int i = 0; i < 5; i++)
        CHECK(cudaFree(d[i]));
    for (int i = 0; i < 4; i++)
        CHECK(cudaFree(d_index[i]));
    free(got), free(want), free(exact);
    return verdict("srad_v1", wrong);
}
// SPDX-License-Identifier: Apache-2.0
