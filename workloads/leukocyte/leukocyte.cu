/* Finding and following white blood cells in a video, after Rodinia's leukocyte. gicov: a thread for a pixel
 * samples the gradient on seven circles around it (textures, positions in constant memory) and keeps the best
 * ratio of squared mean and variance. dilate: the largest score within a disk. flow: one CTA of 320 threads
 * for a cell spreads the edges over its 81x41 pixels in shared memory, eight neighbours through a step
 * function, until little changes. Compute-bound: divisions, selects, long loops with few operands. */
#include "../workload.h"

#define CIRCLES 7
#define SAMPLES 150
#define LARGEST 20 /* radius */
#define MARGIN (LARGEST + 2)
#define DISK 12 /* radius of the structuring element */
#define DISK_SIDE (2 * DISK + 1)
#define DILATE_BLOCK 176
#define FLOW_BLOCK 320
#define CELL_HEIGHT 81
#define CELL_WIDTH 41
#define CELL_PIXELS (CELL_HEIGHT * CELL_WIDTH)
#define MU 0.0625f
#define LAMBDA 0.125f

__constant__ float sines[SAMPLES], cosines[SAMPLES];
__constant__ int sample_x[CIRCLES * SAMPLES], sample_y[CIRCLES * SAMPLES];
__constant__ float disk[DISK_SIDE * DISK_SIDE];

/* Images are stored by columns; a CTA is a column of the part where all circles lie inside. */
__global__ void gicov(cudaTextureObject_t slope_x, cudaTextureObject_t slope_y, float *score, int height)
{
    int x = blockIdx.x + MARGIN, y = threadIdx.x + MARGIN;
    float best = 0.0f;
#pragma unroll 1
    for (int k = 0; k < CIRCLES; k++) {
        float mean = 0.0f, squares = 0.0f;
#pragma unroll 1
        for (int n = 0; n < SAMPLES; n++) {
            int at = (x + sample_x[k * SAMPLES + n]) * height + y + sample_y[k * SAMPLES + n];
            float p = tex1Dfetch<float>(slope_x, at) * cosines[n] + tex1Dfetch<float>(slope_y, at) * sines[n];
            float off = p - mean;
            mean += off / (float)(n + 1);
            squares += off * (p - mean);
        }
        best = fmaxf(best, mean * mean / (squares / (SAMPLES - 1)));
    }
    score[x * height + y] = best;
}

__global__ void dilate(cudaTextureObject_t image, float *out, int height, int width)
{
    int i = blockIdx.x * DILATE_BLOCK + threadIdx.x, rows = height - 2 * MARGIN;
    if (i >= rows * (width - 2 * MARGIN))
        return;
    int x = i / rows + MARGIN, y = i % rows + MARGIN;
    float most = 0.0f;
#pragma unroll 1
    for (int dx = 0; dx < DISK_SIDE; dx++) {
        int from_x = x - DISK + dx;
        if (from_x < 0 || from_x >= width)
            continue;
#pragma unroll 1
        for (int dy = 0; dy < DISK_SIDE; dy++) {
            int from_y = y - DISK + dy;
            if (from_y >= 0 && from_y < height && disk[dx * DISK_SIDE + dy] != 0.0f)
                most = fmaxf(most, tex1Dfetch<float>(image, from_x * height + from_y));
        }
    }
    out[x * height + y] = most;
}

__host__ __device__ static inline float step(float x) { return x > 1e-4f ? 1.0f : x > -1e-4f ? 0.5f : 0.0f; }

/* The new value of a pixel from its old one, its neighbours (left above first, row by row, itself left out)
 * and the edge strength. No product is followed by an addition outside fmaf, so that device and host round
 * alike: the step function would tell them apart. */
__host__ __device__ static inline float diffuse(float here, const float *v, float edge)
{
    /* The flow's direction (1, 1) times that of the neighbour. */
    const float along[8] = {-2.0f, -1.0f, 0.0f, -1.0f, 1.0f, 0.0f, 1.0f, 2.0f};
    float sum = 0.0f;
    for (int i = 0; i < 8; i++) {
        float difference = v[i] - here;
        sum = fmaf(step(difference * along[i]), difference, sum);
    }
    float moved = fmaf(MU, sum, here);
    return fmaf(-LAMBDA * edge, moved - edge, moved);
}

__global__ void flow(const float *edges, float *out, const int *heights, const int *widths, int most,
                     float cutoff, int *rounds)
{
    __shared__ float pixel[CELL_PIXELS], change[FLOW_BLOCK];
    __shared__ bool converged;
    int t = threadIdx.x, height = heights[blockIdx.x], width = widths[blockIdx.x], n = height * width,
        round = 0;
    const float *edge = edges + blockIdx.x * CELL_PIXELS;

#pragma unroll 1
    for (int i = t; i < n; i += FLOW_BLOCK)
        pixel[i] = edge[i];
    if (t == 0)
        converged = false;
    __syncthreads();

#pragma unroll 1
    for (; round < most && !converged; round++) {
        float total = 0.0f, last = 0.0f;
        /* A part's new values wait until the next has read the old ones: a row is shorter than a part. */
#pragma unroll 1
        for (int first = 0; first < n + FLOW_BLOCK; first += FLOW_BLOCK) {
            int i = first + t;
            float fresh = 0.0f;
            if (i < n) {
                int row = i / width, column = i % width;
                int above = max(row - 1, 0) * width, here = row * width,
                    below = min(row + 1, height - 1) * width;
                int left = max(column - 1, 0), right = min(column + 1, width - 1);
                float v[8] = {pixel[above + left],   pixel[above + column], pixel[above + right],
                              pixel[here + left],    pixel[here + right],   pixel[below + left],
                              pixel[below + column], pixel[below + right]};
                fresh = diffuse(pixel[i], v, edge[i]);
                total += fabsf(fresh - pixel[i]);
            }
            __syncthreads();
            if (first > 0 && i - FLOW_BLOCK < n)
                pixel[i - FLOW_BLOCK] = last;
            last = fresh;
            __syncthreads();
        }
        change[t] = total;
        __syncthreads();
        if (t < FLOW_BLOCK - 256)
            change[t] += change[t + 256];
        __syncthreads();
#pragma unroll 1
        for (int half = 128; half > 0; half /= 2) {
            if (t < half)
                change[t] += change[t + half];
            __syncthreads();
        }
        if (t == 0)
            converged = change[0] / (float)n < cutoff;
        __syncthreads();
    }
#pragma unroll 1
    for (int i = t; i < n; i += FLOW_BLOCK)
        out[blockIdx.x * CELL_PIXELS + i] = pixel[i];
    if (t == 0)
        rounds[blockIdx.x] = round;
}

static cudaTextureObject_t make_texture(float *linear, size_t bytes)
{
    struct cudaResourceDesc resource;
    struct cudaTextureDesc texture;
    cudaTextureObject_t object;
    memset(&resource, 0, sizeof(resource));
    memset(&texture, 0, sizeof(texture));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = linear;
    resource.res.linear.sizeInBytes = bytes;
    resource.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    texture.readMode = cudaReadModeElementType;
    CHECK(cudaCreateTextureObject(&object, &resource, &texture, NULL));
    return object;
}

/* Circles of radius 8 to 20 around a pixel, and a disk. */
struct circles {
    float sines[SAMPLES], cosines[SAMPLES];
    int x[CIRCLES * SAMPLES], y[CIRCLES * SAMPLES];
    float disk[DISK_SIDE * DISK_SIDE];
};

static void make_circles(struct circles *c)
{
    for (int n = 0; n < SAMPLES; n++) {
        double angle = n * 6.283185307179586 / SAMPLES;
        c->sines[n] = (float)sin(angle), c->cosines[n] = (float)cos(angle);
        for (int k = 0; k < CIRCLES; k++) {
            c->x[k * SAMPLES + n] = (int)((8 + 2 * k) * cos(angle) + (cos(angle) < 0 ? -0.5 : 0.5));
            c->y[k * SAMPLES + n] = (int)((8 + 2 * k) * sin(angle) + (sin(angle) < 0 ? -0.5 : 0.5));
        }
    }
    for (int i = 0; i < DISK_SIDE * DISK_SIDE; i++) {
        int dx = i / DISK_SIDE - DISK, dy = i % DISK_SIDE - DISK;
        c->disk[i] = dx * dx + dy * dy <= DISK * DISK;
    }
    CHECK(cudaMemcpyToSymbol(sines, c->sines, sizeof(c->sines)));
    CHECK(cudaMemcpyToSymbol(cosines, c->cosines, sizeof(c->cosines)));
    CHECK(cudaMemcpyToSymbol(sample_x, c->x, sizeof(c->x)));
    CHECK(cudaMemcpyToSymbol(sample_y, c->y, sizeof(c->y)));
    CHECK(cudaMemcpyToSymbol(disk, c->disk, sizeof(c->disk)));
}

static double gicov_reference(const struct circles *c, const float *slope_x, const float *slope_y, int x,
                              int y, int height)
{
    double best = 0;
    for (int k = 0; k < CIRCLES; k++) {
        double sum = 0, squares = 0;
        for (int n = 0; n < SAMPLES; n++) {
            int at = (x + c->x[k * SAMPLES + n]) * height + y + c->y[k * SAMPLES + n];
            double p = (double)slope_x[at] * c->cosines[n] + (double)slope_y[at] * c->sines[n];
            sum += p, squares += p * p;
        }
        double mean = sum / SAMPLES;
        best = fmax(best, mean * mean / ((squares - sum * mean) / (SAMPLES - 1)));
    }
    return best;
}

/* Bright disks on noise; what the kernels see are central differences. */
static void make_slopes(float *slope_x, float *slope_y, int height, int width)
{
    float *image = (float *)host_alloc((size_t)height * width * sizeof(float));
    uint32_t seed = 640;
    for (int x = 0; x < width; x++)
        for (int y = 0; y < height; y++) {
            int dx = x % 50 - 25, dy = y % 44 - 22;
            image[x * height + y] = (dx * dx + dy * dy < 144 ? 1.0f : 0.0f) + next_float(&seed);
        }
    for (int x = 1; x < width - 1; x++)
        for (int y = 1; y < height - 1; y++) {
            slope_x[x * height + y] = 0.5f * (image[(x + 1) * height + y] - image[(x - 1) * height + y]);
            slope_y[x * height + y] = 0.5f * (image[x * height + y + 1] - image[x * height + y - 1]);
        }
    free(image);
}

static long detect(const struct circles *c, int height, int width)
{
    int inner = (height - 2 * MARGIN) * (width - 2 * MARGIN);
    size_t bytes = (size_t)height * width * sizeof(float);
    float *slope_x = (float *)host_alloc(bytes), *slope_y = (float *)host_alloc(bytes);
    float *score = (float *)host_alloc(bytes), *widened = (float *)host_alloc(bytes);
    make_slopes(slope_x, slope_y, height, width);
    float *d_x = (float *)device_copy(slope_x, bytes), *d_y = (float *)device_copy(slope_y, bytes);
    float *d_score = (float *)device_copy(score, bytes), *d_widened = (float *)device_alloc(bytes);
    cudaTextureObject_t texture_x = make_texture(d_x, bytes), texture_y = make_texture(d_y, bytes);
    cudaTextureObject_t texture_score = make_texture(d_score, bytes);
    gicov<<<width - 2 * MARGIN, height - 2 * MARGIN>>>(texture_x, texture_y, d_score, height);
    dilate<<<(inner + DILATE_BLOCK - 1) / DILATE_BLOCK, DILATE_BLOCK>>>(texture_score, d_widened, height,
                                                                        width);
    fetch(score, d_score, bytes);
    fetch(widened, d_widened, bytes);

    long wrong = 0;
    for (int i = 0; i < inner; i++) {
        int x = i / (height - 2 * MARGIN) + MARGIN, y = i % (height - 2 * MARGIN) + MARGIN,
            at = x * height + y;
        double want = gicov_reference(c, slope_x, slope_y, x, y, height);
        wrong += !(fabs(score[at] - want) <=
                   1e-4 * want + 1e-6); /* 150 terms, and a mean that may nearly vanish */
        float most = 0;
        for (int k = 0; k < DISK_SIDE * DISK_SIDE; k++) {
            int at_x = x - DISK + k / DISK_SIDE, at_y = y - DISK + k % DISK_SIDE;
            if (c->disk[k] && at_x >= 0 && at_x < width && at_y >= 0 && at_y < height)
                most = fmaxf(most, score[at_x * height + at_y]);
        }
        wrong += widened[at] != most;
    }
    CHECK(cudaDestroyTextureObject(texture_x));
    CHECK(cudaDestroyTextureObject(texture_y));
    CHECK(cudaDestroyTextureObject(texture_score));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_score));
    CHECK(cudaFree(d_widened));
    free(slope_x), free(slope_y), free(score), free(widened);
    return wrong;
}

static int clamp(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

/* Sums are in another order here, so as many rounds are made as the device made, and its decision must be
 * right within rounding. */
static long flow_reference(const float *edge, const float *got, int height, int width, int rounds, int most,
                           double cutoff)
{
    static float old[CELL_PIXELS], fresh[CELL_PIXELS];
    int n = height * width;
    long wrong = rounds < 1 || rounds > most;
    memcpy(fresh, edge, n * sizeof(float));
    for (int round = 1; round <= rounds && !wrong; round++) {
        double change = 0;
        memcpy(old, fresh, sizeof(old));
        for (int i = 0; i < n; i++) {
            int row = i / width, column = i % width, k = 0;
            float v[8];
            for (int r = row - 1; r <= row + 1; r++)
                for (int c = column - 1; c <= column + 1; c++)
                    if (r != row || c != column)
                        v[k++] = old[clamp(r, height) * width + clamp(c, width)];
            fresh[i] = diffuse(old[i], v, edge[i]);
            change += fabsf(fresh[i] - old[i]);
        }
        change /= n;
        wrong += round < rounds ? change < cutoff * 0.9999 : round < most && change > cutoff * 1.0001;
    }
    for (int i = 0; i < n; i++)
        wrong += got[i] != fresh[i];
    return wrong;
}

static long follow(int cells, int most, float cutoff)
{
    size_t bytes = (size_t)cells * CELL_PIXELS * sizeof(float);
    float *edges = (float *)host_alloc(bytes), *got = (float *)host_alloc(bytes);
    int *heights = (int *)host_alloc(cells * sizeof(int)), *widths = (int *)host_alloc(cells * sizeof(int));
    int *rounds = (int *)host_alloc(cells * sizeof(int));
    uint32_t seed = 41;
    for (int c = 0; c < cells; c++) {
        heights[c] = CELL_HEIGHT - c % 3, widths[c] = CELL_WIDTH - c % 2;
        for (int i = 0; i < heights[c] * widths[c]; i++) { /* a ring, and more or less noise */
            float dx = (float)(i % widths[c] - 20), dy = (float)(i / widths[c] - 40);
            edges[c * CELL_PIXELS + i] = (0.3f + 0.05f * (float)(c % 9)) * next_float(&seed) +
                                         (fabsf(sqrtf(dx * dx + dy * dy) - 12.0f) < 2.0f ? 0.5f : 0.0f);
        }
    }
    float *d_edges = (float *)device_copy(edges, bytes), *d_out = (float *)device_alloc(bytes);
    int *d_heights = (int *)device_copy(heights, cells * sizeof(int)),
        *d_rounds = (int *)device_alloc(cells * sizeof(int));
    int *d_widths = (int *)device_copy(widths, cells * sizeof(int));
    CHECK(cudaMemset(d_out, 0, bytes));
    flow<<<cells, FLOW_BLOCK>>>(d_edges, d_out, d_heights, d_widths, most, cutoff, d_rounds);
    fetch(got, d_out, bytes);
    fetch(rounds, d_rounds, cells * sizeof(int));
    long wrong = 0;
    for (int c = 0; c < cells; c++)
        wrong += flow_reference(edges + c * CELL_PIXELS, got + c * CELL_PIXELS, heights[c], widths[c],
                                rounds[c], most, cutoff);
    CHECK(cudaFree(d_edges));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_heights));
    CHECK(cudaFree(d_widths));
    CHECK(cudaFree(d_rounds));
    free(edges), free(got), free(heights), free(widths), free(rounds);
    return wrong;
}

int main(int argc, char **argv)
{
    static const int rows[] = {4, 32, 120}, columns[] = {1, 80, 320}, cells[] = {1, 36, 72},
                     most[] = {5, 10, 50};
    static const float cutoff[] = {0.02f, 0.01f, 0.002f}; /* mean change of a pixel */
    int size = parse_size(argc, argv);
    static struct circles circles;
    make_circles(&circles);
    long wrong = detect(&circles, rows[size] + 2 * MARGIN, columns[size] + 2 * MARGIN);
    wrong += follow(cells[size], most[size], cutoff[size]);
    return verdict("leukocyte", wrong);
}
// SPDX-License-Identifier: Apache-2.0
