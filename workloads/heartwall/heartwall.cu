/* Tracks 51 points of a heart's wall through the frames of an ultrasound film, after Rodinia's heartwall: one
 * CTA of 512 threads follows one point. For every frame it correlates the point's template with the
 * surroundings (full convolution, local sums by cumulative sums along columns and rows, normalisation), looks
 * for the maximum, moves there and blends the template. Dozens of loops over matrices of different shape with
 * divisions for row and column, a barrier after each, many of them with few busy threads. */
#include "../workload.h"

#define POINTS 51
#define THREADS 512
#define MAX_TEMPLATE 15 /* side */
#define MAX_RESULT 48
#define BLEND 0.9f

/* Matrices are stored by columns. Sides: template 2 reach + 1; surroundings 2 around + 1; result of the
 * convolution, full overlap or not, surroundings + template - 1; surroundings with a template's side of zeros
 * around. */
struct shape {
    int reach, around, height, width;
    int templ, surr, result, padded;
};

/* Where a point's matrices begin in its part of the work space, in floats. */
struct space {
    int surr, result, padded, strips, sums, squares, size;
};

__constant__ struct shape shape;
__constant__ struct space at;

static struct space space_of(const struct shape *s)
{
    struct space p;
    p.surr = s->templ * s->templ;
    p.result = p.surr + s->surr * s->surr;
    p.padded = p.result + s->result * s->result;
    p.strips = p.padded + s->padded * s->padded;
    p.sums = p.strips + s->result * s->padded;
    p.squares = p.sums + s->result * s->result;
    p.size = p.squares + s->result * s->result;
    return p;
}

__device__ static inline void cut(const float *frame, int x, int y, int side, float *to)
{
#pragma unroll 1
    for (int i = threadIdx.x; i < side * side; i += THREADS) {
        int row = i % side, column = i / side;
        to[i] = frame[(x - side / 2 + column) * shape.height + y - side / 2 + row];
    }
}

__device__ static inline void convolve(const float *surr, const float *turned, float *result)
{
    int n = shape.result, t = shape.templ, s = shape.surr;
#pragma unroll 1
    for (int i = threadIdx.x; i < n * n; i += THREADS) {
        int row = i % n, column = i / n;
        int a_first = max(0, row - s + 1), a_end = min(row, t - 1), b_end = min(column, t - 1);
        float sum = 0.0f;
#pragma unroll 1
        for (int b = max(0, column - s + 1); b <= b_end; b++) {
            const float *u = surr + (column - b) * s + row - a_first, *v = turned + b * t + a_first;
#pragma unroll 1
            for (int a = a_first; a <= a_end; a++)
                sum += *u-- * *v++;
        }
        result[i] = sum;
    }
}

/* Sums over each place the template can have: differences of cumulative sums, down the columns, then along
 * the rows. */
__device__ static inline void local_sums(const float *surr, float *padded, float *strips, float *sums,
                                         bool squared)
{
    int tx = threadIdx.x, n = shape.result, t = shape.templ, s = shape.surr, p = shape.padded;
#pragma unroll 1
    for (int i = tx; i < p * p; i += THREADS) {
        int row = i % p - t, column = i / p - t;
        bool inside = row >= 0 && row < s && column >= 0 && column < s;
        float v = inside ? surr[column * s + row] : 0.0f;
        padded[i] = squared ? v * v : v;
    }
    __syncthreads();
    if (tx < p) {
        float sum = 0.0f;
#pragma unroll 1
        for (int row = 0; row < p; row++) {
            sum += padded[tx * p + row];
            padded[tx * p + row] = sum;
        }
    }
    __syncthreads();
#pragma unroll 1
    for (int i = tx; i < n * p; i += THREADS) {
        int row = i % n, column = i / n;
        strips[i] = padded[column * p + row + t] - padded[column * p + row];
    }
    __syncthreads();
    if (tx < n) {
        float sum = 0.0f;
#pragma unroll 1
        for (int column = 0; column < p; column++) {
            sum += strips[column * n + tx];
            strips[column * n + tx] = sum;
        }
    }
    __syncthreads();
#pragma unroll 1
    for (int i = tx; i < n * n; i += THREADS) {
        int row = i % n, column = i / n;
        sums[i] = strips[(column + t) * n + row] - strips[column * n + row];
    }
    __syncthreads();
}

/* Correlation from -1 to 1 where the template lies inside the surroundings, less than that elsewhere. */
__device__ static inline void normalise(float *result, const float *sums, const float *squares, float mean,
                                        float deviation)
{
    int n = shape.result, t = shape.templ, s = shape.surr;
#pragma unroll 1
    for (int i = threadIdx.x; i < n * n; i += THREADS) {
        int row = i % n, column = i / n;
        float variance = squares[i] - sums[i] * sums[i] / (float)(t * t);
        float divisor = sqrtf(fmaxf(variance, 0.0f)) * deviation;
        float r = divisor > 0.0f ? (result[i] - sums[i] * mean) / divisor : 0.0f;
        bool inside = row >= t - 1 && row < s && column >= t - 1 && column < s;
        result[i] = inside ? r : -2.0f;
    }
}

__global__ void __launch_bounds__(THREADS)
    track(const float *first_frame, const float *frame, float *space, int *xs, int *ys)
{
    __shared__ float turned[MAX_TEMPLATE * MAX_TEMPLATE];
    __shared__ float part[MAX_RESULT], part_squares[MAX_RESULT], mean, deviation;
    __shared__ int part_at[MAX_RESULT], new_x, new_y;
    int tx = threadIdx.x, t = shape.templ, n = shape.result;
    float *own = space + (size_t)blockIdx.x * at.size, *surr = own + at.surr, *result = own + at.result;

    if (first_frame) {
        cut(first_frame, xs[blockIdx.x], ys[blockIdx.x], t, own);
        __syncthreads();
    }
#pragma unroll 1
    for (int i = tx; i < t * t; i += THREADS)
        turned[i] = own[t * t - 1 - i];
    cut(frame, xs[blockIdx.x], ys[blockIdx.x], shape.surr, surr);
    __syncthreads();
    convolve(surr, turned, result);
    local_sums(surr, own + at.padded, own + at.strips, own + at.sums, false);
    local_sums(surr, own + at.padded, own + at.strips, own + at.squares, true);

    if (tx < t) {
        float sum = 0.0f, squares = 0.0f;
#pragma unroll 1
        for (int i = 0; i < t; i++) {
            float v = turned[tx * t + i];
            sum += v, squares += v * v;
        }
        part[tx] = sum, part_squares[tx] = squares;
    }
    __syncthreads();
    if (tx == 0) {
        float sum = 0.0f, squares = 0.0f;
#pragma unroll 1
        for (int i = 0; i < t; i++)
            sum += part[i], squares += part_squares[i];
        mean = sum / (float)(t * t);
        deviation = sqrtf(squares - sum * mean);
    }
    __syncthreads();
    normalise(result, own + at.sums, own + at.squares, mean, deviation);
    __syncthreads();

    if (tx < n) {
        float best = -3.0f;
        int where = 0;
#pragma unroll 1
        for (int row = 0; row < n; row++)
            if (result[tx * n + row] > best) {
                best = result[tx * n + row];
                where = row;
            }
        part[tx] = best, part_at[tx] = where;
    }
    __syncthreads();
    if (tx == 0) {
        int best = 0;
#pragma unroll 1
        for (int column = 1; column < n; column++)
            if (part[column] > part[best])
                best = column;
        new_x = xs[blockIdx.x] + best - shape.reach - shape.around;
        new_y = ys[blockIdx.x] + part_at[best] - shape.reach - shape.around;
        xs[blockIdx.x] = new_x, ys[blockIdx.x] = new_y;
    }
    __syncthreads();
#pragma unroll 1
    for (int i = tx; i < t * t; i += THREADS) {
        int row = i % t, column = i / t;
        float fresh = frame[(new_x - shape.reach + column) * shape.height + new_y - shape.reach + row];
        own[i] = BLEND * own[i] + (1.0f - BLEND) * fresh;
    }
}

/* The correlation with the template centred at (x, y), straight from its definition. */
static double correlate(const struct shape *s, const float *templ, const float *frame, int x, int y)
{
    double a = 0, b = 0, aa = 0, bb = 0, ab = 0, count = s->templ * s->templ;
    for (int c = 0; c < s->templ; c++)
        for (int r = 0; r < s->templ; r++) {
            double u = templ[c * s->templ + r], v = frame[(x - s->reach + c) * s->height + y - s->reach + r];
            a += u, b += v, aa += u * u, bb += v * v, ab += u * v;
        }
    return (ab - a * b / count) / sqrt((aa - a * a / count) * (bb - b * b / count));
}

/* Follows one point by one frame and compares the correlation wherever it is defined. The frames are grainy:
 * no second place comes near the best one, so rounding (1e-6 of sums below 2^24, divided by variances of 1e5
 * and more) cannot change where that is. */
static long track_reference(const struct shape *s, const float *frame, float *templ, const float *result,
                            int *x, int *y)
{
    long wrong = 0;
    double best = -2;
    int best_x = 0, best_y = 0, free_way = s->around - s->reach;
    for (int dx = -free_way; dx <= free_way; dx++)
        for (int dy = -free_way; dy <= free_way; dy++) {
            double r = correlate(s, templ, frame, *x + dx, *y + dy);
            int at = (dx + s->reach + s->around) * s->result + dy + s->reach + s->around;
            wrong += !(fabs(result[at] - r) <= 1e-3);
            if (r > best)
                best = r, best_x = *x + dx, best_y = *y + dy;
        }
    *x = best_x, *y = best_y;
    for (int c = 0; c < s->templ; c++)
        for (int r = 0; r < s->templ; r++) {
            float fresh = frame[(best_x - s->reach + c) * s->height + best_y - s->reach + r];
            templ[c * s->templ + r] = BLEND * templ[c * s->templ + r] + (1.0f - BLEND) * fresh;
        }
    return wrong;
}

/* Grain that moves with the frames (by at most 3 pixels each), and noise that does not. */
static void make_frame(const struct shape *s, float *frame, int number)
{
    int shift_x = (number * 5 + 2) % 7 - 3, shift_y = (number * 3 + 1) % 5 - 2;
    uint32_t noise = 1000 + number;
    for (int x = 0; x < s->width; x++)
        for (int y = 0; y < s->height; y++) {
            uint32_t grain =
                (uint32_t)(x + shift_x + 16) * 2654435761u ^ (uint32_t)(y + shift_y + 16) * 2246822519u;
            next_random(&grain);
            next_random(&grain);
            frame[x * s->height + y] = (float)(grain % 112 + next_random(&noise) % 16);
        }
}

static struct shape make_shape(int reach, int around)
{
    struct shape s = {reach, around, 200, 200, 2 * reach + 1, 2 * around + 1, 0, 0};
    s.result = s.surr + s.templ - 1;
    s.padded = s.surr + 2 * s.templ;
    return s;
}

int main(int argc, char **argv)
{
    static const int reaches[] = {2, 5, 7}, arounds[] = {5, 9, 14}, all_points[] = {5, POINTS, POINTS};
    int all_frames[] = {1, 2, 12};
    const struct choice options[] = {{"frames", NULL, &all_frames[DEFAULT]}};
    int size = parse_args(argc, argv, options, 1), frames = all_frames[size], points = all_points[size];
    struct shape s = make_shape(reaches[size], arounds[size]);
    struct space a = space_of(&s);
    size_t frame_bytes = (size_t)s.height * s.width * sizeof(float),
           bytes = (size_t)points * a.size * sizeof(float);
    float *frame = (float *)host_alloc(frame_bytes), *got = (float *)host_alloc(bytes);
    float *templates = (float *)host_alloc((size_t)points * a.surr * sizeof(float));
    int x[POINTS] = {0}, y[POINTS] = {0}, got_x[POINTS], got_y[POINTS];
    make_frame(&s, frame, 0);
    for (int p = 0; p < points; p++) { /* on an ellipse, as the wall in a section */
        x[p] = 100 + (int)(60 * cos(p * 6.2831853 / points)),
        y[p] = 100 + (int)(45 * sin(p * 6.2831853 / points));
        for (int i = 0; i < a.surr; i++)
            templates[(size_t)p * a.surr + i] =
                frame[(x[p] - s.reach + i / s.templ) * s.height + y[p] - s.reach + i % s.templ];
    }
    float *d_first = (float *)device_copy(frame, frame_bytes), *d_frame = (float *)device_alloc(frame_bytes);
    float *d_space = (float *)device_alloc(bytes);
    int *d_x = (int *)device_copy(x, sizeof(x)), *d_y = (int *)device_copy(y, sizeof(y));
    CHECK(cudaMemcpyToSymbol(shape, &s, sizeof(s)));
    CHECK(cudaMemcpyToSymbol(at, &a, sizeof(a)));

    long wrong = 0;
    for (int f = 1; f <= frames; f++) {
        make_frame(&s, frame, f);
        CHECK(cudaMemcpy(d_frame, frame, frame_bytes, cudaMemcpyHostToDevice));
        track<<<points, THREADS>>>(f == 1 ? d_first : NULL, d_frame, d_space, d_x, d_y);
        fetch(got, d_space, bytes);
        fetch(got_x, d_x, sizeof(got_x));
        fetch(got_y, d_y, sizeof(got_y));
        for (int p = 0; p < points; p++) {
            float *own = got + (size_t)p * a.size, *templ = templates + (size_t)p * a.surr;
            wrong += track_reference(&s, frame, templ, own + a.result, &x[p], &y[p]);
            wrong += got_x[p] != x[p] || got_y[p] != y[p];
            wrong += count_off(own, templ, a.surr, 1e-4f);
        }
    }
    CHECK(cudaFree(d_first));
    CHECK(cudaFree(d_frame));
    CHECK(cudaFree(d_space));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free(frame), free(got), free(templates);
    return verdict("heartwall", wrong);
}
// SPDX-License-Identifier: Apache-2.0
