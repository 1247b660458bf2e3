/* Particle filter that follows a disc through a noisy video, in single precision, 512 particles a CTA. For
 * every frame: move the particles at random, weigh each by the pixels under its disc (69 scattered byte
 * loads), sum by tree reduction in shared memory, normalise, accumulate in one thread, and resample with a
 * linear search of the accumulated weights. Random numbers, exponential and disc indices give the first
 * kernel many live registers for a short time; the search is a long loop of loads that all lanes share,
 * the accumulation a single lane. */
#include "../workload.h"

#define BLOCK 512
#define RADIUS 5
#define MAX_DISC ((2 * RADIUS - 1) * (2 * RADIUS - 1))
#define DARK 100
#define BRIGHT 228
/* Keeps the exponential of a likelihood, at most some 310, in range. */
#define SCALE 300.0f

/* Pixels are [x][y][frame], as a video that was stored pixel by pixel. */
struct video {
    int width, height, frames;
    unsigned char *pixels;
};

struct disc {
    int points;
    const int2 *offsets;
};

struct particles {
    int count;
    float *x, *y, *from_x, *from_y, *weights, *likelihood, *partial, *cdf, *first;
    int *seeds, *index;
};

/* A linear congruential generator a particle; in [0, 1]. */
__host__ __device__ static float uniform(int *seed)
{
    *seed = (int)(1103515245u * (unsigned)*seed + 12345u);
    return fabsf((float)*seed / 2147483648.0f);
}

__host__ __device__ static float normal(int *seed)
{
    float u = fmaxf(uniform(seed), 1e-9f), v = uniform(seed);
    return sqrtf(-2 * logf(u)) * cosf(2 * 3.14159265f * v);
}

__host__ __device__ static void move(float *x, float *y, int *seed)
{
    *x += 1 + 5 * normal(seed);
    *y += -2 + 2 * normal(seed);
}

/* Index of the pixel under one point of a disc at (x, y); 0 outside of the video. */
__host__ __device__ static int pixel_index(const struct video *v, float x, float y, int2 offset, int frame)
{
    int px = (int)rintf(x) + offset.x, py = (int)rintf(y) + offset.y;
    int i = (px * v->height + py) * v->frames + frame;
    return i < 0 || i >= v->width * v->height * v->frames ? 0 : i;
}

__device__ static float weigh(const struct video *v, const int *index, int points)
{
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < points; i++) {
        float p = v->pixels[index[i]];
        sum += ((p - DARK) * (p - DARK) - (p - BRIGHT) * (p - BRIGHT)) / 50;
    }
    return sum / points;
}

__global__ void likelihood(struct particles p, struct video v, struct disc d, int frame)
{
    __shared__ float buffer[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    buffer[threadIdx.x] = 0;
    if (i < p.count) {
        float x = p.from_x[i], y = p.from_y[i];
        int seed = p.seeds[i];
        move(&x, &y, &seed);
        p.x[i] = x;
        p.y[i] = y;
        p.seeds[i] = seed;
        int *index = p.index + (size_t)i * d.points;
#pragma unroll 1
        for (int k = 0; k < d.points; k++)
            index[k] = pixel_index(&v, x, y, d.offsets[k], frame);
        float l = weigh(&v, index, d.points);
        p.likelihood[i] = l;
        p.weights[i] = buffer[threadIdx.x] = expf(l - SCALE) / p.count;
    }
    __syncthreads();
#pragma unroll 1
    for (int s = BLOCK / 2; s > 0; s /= 2) {
        if ((int)threadIdx.x < s)
            buffer[threadIdx.x] += buffer[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        p.partial[blockIdx.x] = buffer[0];
}

__global__ void sum_partial(float *partial, int n)
{
    if (blockIdx.x * BLOCK + threadIdx.x != 0)
        return;
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++)
        sum += partial[i];
    partial[0] = sum;
}

__global__ void normalise(struct particles p)
{
    __shared__ float sum;
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (threadIdx.x == 0)
        sum = p.partial[0];
    __syncthreads();
    if (i < p.count)
        p.weights[i] /= sum;
}

/* Serial, as the algorithm has it: also draws where the equally spaced picks of the resampling begin. */
__global__ void accumulate(struct particles p)
{
    if (threadIdx.x != 0)
        return;
    float sum = 0;
#pragma unroll 4
    for (int i = 0; i < p.count; i++)
        p.cdf[i] = sum += p.weights[i];
    p.first[0] = uniform(&p.seeds[0]) / p.count;
}

__global__ void resample(struct particles p)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= p.count)
        return;
    float u = p.first[0] + (float)i / p.count;
    int k = 0;
#pragma unroll 1
    while (k < p.count - 1 && p.cdf[k] < u) {
        k++;
        asm volatile("" : "+r"(k)); /* else one compiler keeps the index in 64 bits, beside the address */
    }
    p.from_x[i] = p.x[k];
    p.from_y[i] = p.y[k];
}

static int make_disc(int2 *offsets)
{
    int n = 0;
    for (int x = -RADIUS + 1; x < RADIUS; x++)
        for (int y = -RADIUS + 1; y < RADIUS; y++)
            if (x * x + y * y < RADIUS * RADIUS)
                offsets[n++] = make_int2(x, y);
    return n;
}

static float true_x(const struct video *v, int frame) { return v->width / 2 + frame; }
static float true_y(const struct video *v, int frame) { return v->height / 2 - 2 * frame; }

static void make_video(struct video *v, const int2 *offsets, int points, uint32_t *seed)
{
    size_t count = (size_t)v->width * v->height * v->frames;
    v->pixels = (unsigned char *)host_alloc(count);
    memset(v->pixels, DARK, count);
    for (int f = 0; f < v->frames; f++)
        for (int k = 0; k < points; k++)
            v->pixels[pixel_index(v, true_x(v, f), true_y(v, f), offsets[k], f)] = BRIGHT;
    for (size_t i = 0; i < count; i++)
        v->pixels[i] += (unsigned char)(next_random(seed) % 21 - 10);
}

/* Arrays of the device that are checked against the host after every frame. */
struct copies {
    float *x, *y, *from_x, *from_y, *weights, *likelihood, *cdf, *now_x, *now_y;
    int *seeds;
};

/* Each stage is checked with the device's own results of the stage before, so that one ulp in a weight,
 * which may resample another particle, does not count as an error of the stages after. */
static long check_frame(const struct particles *p, const struct copies *c, const struct video *v,
                        const int2 *offsets, int points, int frame)
{
    long wrong = 0;
    double sum = 0, mean_x = 0, mean_y = 0;
    for (int i = 0; i < p->count; i++) {
        float x = c->now_x[i], y = c->now_y[i];
        move(&x, &y, &c->seeds[i]);
        /* 5 standard deviations of a few ulp each. */
        wrong += !(fabsf(x - c->x[i]) < 1e-3f) + !(fabsf(y - c->y[i]) < 1e-3f);
        double l = 0;
        for (int k = 0; k < points; k++) {
            double pixel = v->pixels[pixel_index(v, c->x[i], c->y[i], offsets[k], frame)];
            l += (pixel - DARK) * (pixel - DARK) - (pixel - BRIGHT) * (pixel - BRIGHT);
        }
        l /= 50.0 * points;
        /* The sum of up to 69 * 330 rounds 69 times, by up to an ulp of 2^-9 in the worst case; then it is
         * divided by 69. */
        wrong += !(fabs(l - c->likelihood[i]) < 4e-3);
        sum += exp((double)c->likelihood[i] - SCALE) / p->count;
    }
    float running = 0, u = uniform(&c->seeds[0]) / p->count;
    int pick = 0;
    for (int i = 0; i < p->count; i++) {
        double w = exp((double)c->likelihood[i] - SCALE) / p->count / sum;
        wrong += !(fabs(w - c->weights[i]) <= 1e-4 * w + 1e-30);
        wrong += c->cdf[i] != (running += c->weights[i]);
        while (pick < p->count - 1 && c->cdf[pick] < u + (float)i / p->count)
            pick++;
        wrong += c->from_x[i] != c->x[pick] || c->from_y[i] != c->y[pick];
        mean_x += w * c->x[i], mean_y += w * c->y[i];
    }
    return wrong + !(fabs(mean_x - true_x(v, frame)) < RADIUS) + !(fabs(mean_y - true_y(v, frame)) < RADIUS);
}

static void fetch_frame(const struct particles *p, struct copies *c)
{
    size_t bytes = p->count * sizeof(float);
    fetch(c->x, p->x, bytes);
    fetch(c->y, p->y, bytes);
    fetch(c->from_x, p->from_x, bytes);
    fetch(c->from_y, p->from_y, bytes);
    fetch(c->weights, p->weights, bytes);
    fetch(c->likelihood, p->likelihood, bytes);
    fetch(c->cdf, p->cdf, bytes);
}

static void make_particles(struct particles *p, struct copies *c, const struct video *v, int points,
                           uint32_t *seed)
{
    size_t bytes = p->count * sizeof(float);
    float **host[] = {&c->x,          &c->y,   &c->from_x, &c->from_y, &c->weights,
                      &c->likelihood, &c->cdf, &c->now_x,  &c->now_y};
    for (size_t i = 0; i < sizeof host / sizeof *host; i++)
        *host[i] = (float *)host_alloc(bytes);
    c->seeds = (int *)host_alloc(bytes);
    for (int i = 0; i < p->count; i++) {
        c->seeds[i] = (int)next_random(seed);
        c->now_x[i] = true_x(v, 0);
        c->now_y[i] = true_y(v, 0);
    }
    p->from_x = (float *)device_copy(c->now_x, bytes);
    p->from_y = (float *)device_copy(c->now_y, bytes);
    p->seeds = (int *)device_copy(c->seeds, bytes);
    float **device[] = {&p->x, &p->y, &p->weights, &p->likelihood, &p->partial, &p->cdf, &p->first};
    for (size_t i = 0; i < sizeof device / sizeof *device; i++)
        *device[i] = (float *)device_alloc(bytes);
    p->index = (int *)device_alloc(bytes * points);
}

int main(int argc, char **argv)
{
    /* Powers of two: the picks of the resampling are then exact. */
    static const int counts[] = {512, 8192, 16384}, frames[] = {2, 2, 5};
    int n = 0, length = 0;
    const struct choice own[] = {{"particles", NULL, &n}, {"frames", NULL, &length}};
    int size = parse_args(argc, argv, own, 2);
    n = n ? n : counts[size];
    length = length ? length : frames[size];
    int2 offsets[MAX_DISC];
    int points = make_disc(offsets);
    uint32_t seed = 1000;
    struct video v = {128, 128, length, NULL};
    make_video(&v, offsets, points, &seed);
    struct video d_v = v;
    d_v.pixels = (unsigned char *)device_copy(v.pixels, (size_t)v.width * v.height * v.frames);
    struct disc d = {points, (const int2 *)device_copy(offsets, points * sizeof *offsets)};
    struct particles p = {};
    struct copies c;
    p.count = n;
    make_particles(&p, &c, &v, points, &seed);

    long wrong = 0;
    int grid = (n + BLOCK - 1) / BLOCK;
    for (int f = 1; f < v.frames; f++) {
        likelihood<<<grid, BLOCK>>>(p, d_v, d, f);
        sum_partial<<<grid, BLOCK>>>(p.partial, grid);
        normalise<<<grid, BLOCK>>>(p);
        accumulate<<<1, BLOCK>>>(p);
        resample<<<grid, BLOCK>>>(p);
        fetch_frame(&p, &c);
        wrong += check_frame(&p, &c, &v, offsets, points, f);
        memcpy(c.now_x, c.from_x, n * sizeof(float));
        memcpy(c.now_y, c.from_y, n * sizeof(float));
    }
    void *of_device[] = {p.x,   p.y,     p.from_x, p.from_y, p.weights,  p.likelihood,     p.partial,
                         p.cdf, p.first, p.seeds,  p.index,  d_v.pixels, (void *)d.offsets};
    for (size_t i = 0; i < sizeof of_device / sizeof *of_device; i++)
        CHECK(cudaFree(of_device[i]));
    void *of_host[] = {c.x,   c.y,     c.from_x, c.from_y, c.weights, c.likelihood,
                       c.cdf, c.now_x, c.now_y,  c.seeds,  v.pixels};
    for (size_t i = 0; i < sizeof of_host / sizeof *of_host; i++)
        free(of_host[i]);
    return verdict("particlefilter_float", wrong);
}
// SPDX-License-Identifier: Apache-2.0
