/* Particle filter that follows a disc through a noisy video, in double precision; only the resampling runs
 * on the GPU, a particle a thread, 128 threads a CTA: a linear search of the accumulated weights for the
 * particle's pick, then two scattered loads. One short loop of 8-byte loads that all lanes share, few
 * registers, lanes that leave it one after another. */
#include "../workload.h"

#define BLOCK 128
#define RADIUS 5
#define MAX_DISC ((2 * RADIUS - 1) * (2 * RADIUS - 1))
#define DARK 100
#define BRIGHT 228

__global__ void resample(const double *__restrict__ x, const double *__restrict__ y,
                         const double *__restrict__ cdf, const double *__restrict__ picks,
                         double *__restrict__ to_x, double *__restrict__ to_y, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    double u = picks[i];
    int k = 0;
#pragma unroll 1
    while (k < n - 1 && cdf[k] < u) {
        k++;
        asm volatile("" : "+r"(k)); /* else one compiler keeps the index in 64 bits, beside the address */
    }
    to_x[i] = x[k];
    to_y[i] = y[k];
}

struct video {
    int width, height, frames;
    unsigned char *pixels; /* [frame][x][y] */
};

struct particles {
    int count;
    double *x, *y, *weights, *cdf, *picks, *to_x, *to_y;
};

static double uniform(uint32_t *seed) { return (next_random(seed) + 0.5) / 4294967296.0; }

static double normal(uint32_t *seed)
{
    double u = uniform(seed), v = uniform(seed);
    return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979 * v);
}

static int make_disc(int (*offsets)[2])
{
    int n = 0;
    for (int x = -RADIUS + 1; x < RADIUS; x++)
        for (int y = -RADIUS + 1; y < RADIUS; y++)
            if (x * x + y * y < RADIUS * RADIUS)
                offsets[n][0] = x, offsets[n++][1] = y;
    return n;
}

static long pixel_index(const struct video *v, double x, double y, const int *offset, int frame)
{
    int px = (int)rint(x) + offset[0], py = (int)rint(y) + offset[1];
    if (px < 0 || px >= v->width || py < 0 || py >= v->height)
        return 0;
    return ((long)frame * v->width + px) * v->height + py;
}

static double true_x(const struct video *v, int frame) { return v->width / 2 + frame; }
static double true_y(const struct video *v, int frame) { return v->height / 2 - 2 * frame; }

static void make_video(struct video *v, const int (*offsets)[2], int points, uint32_t *seed)
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

/* Moves and weighs the particles; leaves the accumulated weights and the equally spaced picks. */
static void weigh(struct particles *p, const struct video *v, const int (*offsets)[2], int points, int frame,
                  uint32_t *seed)
{
    double sum = 0;
    for (int i = 0; i < p->count; i++) {
        p->x[i] += 1 + 5 * normal(seed);
        p->y[i] += -2 + 2 * normal(seed);
        double l = 0;
        for (int k = 0; k < points; k++) {
            double pixel = v->pixels[pixel_index(v, p->x[i], p->y[i], offsets[k], frame)];
            l += ((pixel - DARK) * (pixel - DARK) - (pixel - BRIGHT) * (pixel - BRIGHT)) / 50;
        }
        sum += p->weights[i] = exp(l / points) / p->count;
    }
    double running = 0, first = uniform(seed) / p->count;
    for (int i = 0; i < p->count; i++) {
        p->weights[i] /= sum;
        p->cdf[i] = running += p->weights[i];
        p->picks[i] = first + (double)i / p->count;
    }
}

/* A comparison rounds nothing: the device must take exactly the host's particles. And the filter has to
 * follow the disc. */
static long check_frame(const struct particles *p, const struct video *v, int frame)
{
    long wrong = 0;
    double mean_x = 0, mean_y = 0;
    for (int i = 0, k = 0; i < p->count; i++) {
        while (k < p->count - 1 && p->cdf[k] < p->picks[i])
            k++;
        wrong += p->to_x[i] != p->x[k] || p->to_y[i] != p->y[k];
        mean_x += p->to_x[i] / p->count, mean_y += p->to_y[i] / p->count;
    }
    return wrong + !(fabs(mean_x - true_x(v, frame)) < RADIUS) + !(fabs(mean_y - true_y(v, frame)) < RADIUS);
}

int main(int argc, char **argv)
{
    static const int counts[] = {512, 8192, 16384}, frames[] = {3, 2, 5};
    int n = 0, length = 0;
    const struct choice own[] = {{"particles", NULL, &n}, {"frames", NULL, &length}};
    int size = parse_args(argc, argv, own, 2);
    n = n ? n : counts[size];
    length = length ? length : frames[size];
    size_t bytes = n * sizeof(double);
    int offsets[MAX_DISC][2], points = make_disc(offsets);
    uint32_t seed = 1000;
    struct video v = {128, 128, length, NULL};
    make_video(&v, offsets, points, &seed);
    struct particles p = {};
    p.count = n;
    double **host[] = {&p.x, &p.y, &p.weights, &p.cdf, &p.picks, &p.to_x, &p.to_y}, *d[6];
    for (size_t i = 0; i < sizeof host / sizeof *host; i++)
        *host[i] = (double *)host_alloc(bytes);
    for (int i = 0; i < 6; i++)
        d[i] = (double *)device_alloc(bytes);
    for (int i = 0; i < n; i++) {
        p.x[i] = true_x(&v, 0);
        p.y[i] = true_y(&v, 0);
    }

    long wrong = 0;
    for (int f = 1; f < v.frames; f++) {
        weigh(&p, &v, offsets, points, f, &seed);
        const double *inputs[] = {p.x, p.y, p.cdf, p.picks};
        for (int i = 0; i < 4; i++)
            CHECK(cudaMemcpy(d[i], inputs[i], bytes, cudaMemcpyHostToDevice));
        resample<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d[0], d[1], d[2], d[3], d[4], d[5], n);
        fetch(p.to_x, d[4], bytes);
        fetch(p.to_y, d[5], bytes);
        wrong += check_frame(&p, &v, f);
        memcpy(p.x, p.to_x, bytes);
        memcpy(p.y, p.to_y, bytes);
    }
    for (int i = 0; i < 6; i++)
        CHECK(cudaFree(d[i]));
    for (size_t i = 0; i < sizeof host / sizeof *host; i++)
        free(*host[i]);
    free(v.pixels);
    return verdict("particlefilter_naive", wrong);
}
// SPDX-License-Identifier: Apache-2.0
