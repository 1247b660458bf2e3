/* Online clustering (k-median): for a candidate point the kernel computes, a point a thread, what each
 * point would save if the candidate became a centre; the host adds up, opens it where that pays, and
 * closes centres that it makes needless. Points lie dimension by dimension, the candidate in shared
 * memory, savings in one row of centres a point: long streams of loads that all CTAs repeat launch after
 * launch, hardly any arithmetic, scattered stores. With --loop rolled the walk along the dimensions is written
 * as in Rodinia, without asking the compiler to unroll it. */
#include "../workload.h"

#define BLOCK 512
#define MAX_DIMS 64
#define MAX_CENTRES 24

/* What is known of a point: its centre, what it pays for the way there. */
struct point {
    float weight, cost;
    int centre;
};

struct cloud {
    int points, dims;
    float *coords; /* [dims][points] */
};

/* A point that comes cheaper with the candidate switches; one that does not says, in the column of its
 * centre, what it would cost more if that centre were closed. `column` numbers the centres, `columns`
 * includes one last for the candidate. */
template <int UNROLL>
__device__ __forceinline__ void save(const struct point *__restrict__ points, struct cloud c, int candidate,
                                     const int *__restrict__ column, int columns, float *__restrict__ saved,
                                     unsigned char *__restrict__ switches)
{
    __shared__ float at[MAX_DIMS];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (threadIdx.x == 0) {
#pragma unroll 1
        for (int d = 0; d < c.dims; d++)
            at[d] = c.coords[d * c.points + candidate];
    }
    __syncthreads();
    if (i >= c.points)
        return;
    float distance = 0;
#pragma unroll UNROLL
    for (int d = 0; d < c.dims; d++) {
        float t = c.coords[d * c.points + i] - at[d];
        distance += t * t;
    }
    float cost = distance * points[i].weight, now = points[i].cost;
    float *row = saved + (size_t)i * columns;
    if (cost < now) {
        switches[i] = 1;
        row[columns - 1] += cost - now;
    } else {
        row[column[points[i].centre]] += now - cost;
    }
}

__global__ void savings(const struct point *__restrict__ points, struct cloud c, int candidate,
                        const int *__restrict__ column, int columns, float *__restrict__ saved,
                        unsigned char *__restrict__ switches)
{
    save<4>(points, c, candidate, column, columns, saved, switches);
}

__global__ void savings_rolled(const struct point *__restrict__ points, struct cloud c, int candidate,
                               const int *__restrict__ column, int columns, float *__restrict__ saved,
                               unsigned char *__restrict__ switches)
{
    save<1>(points, c, candidate, column, columns, saved, switches);
}

/* The state of the search on the host, and its copies on the device. */
struct search {
    struct cloud cloud, d_cloud;
    struct point *points, *d_points;
    int *column, *d_column;
    float *saved, *d_saved;
    unsigned char *switches, *d_switches;
    int centres, rolled;
    double open_cost;
};

static float distance_on_host(const struct cloud *c, int a, int b)
{
    float sum = 0;
    for (int d = 0; d < c->dims; d++) {
        float t = c->coords[(size_t)d * c->points + a] - c->coords[(size_t)d * c->points + b];
        sum += t * t;
    }
    return sum;
}

/* Coordinates and weights are small integers: every distance and cost is exact in a float, whatever is
 * fused, so that host and device take the same decisions. At most 64 * 127^2 * 4 < 2^24. */
static void make_points(struct search *s, int points, int dims)
{
    uint32_t seed = 65536;
    s->cloud.points = points;
    s->cloud.dims = dims;
    s->cloud.coords = (float *)host_alloc((size_t)points * dims * sizeof(float));
    s->points = (struct point *)host_alloc(points * sizeof *s->points);
    for (int i = 0; i < points; i++) {
        uint32_t group = 1 + next_random(&seed) % 16;
        for (int d = 0; d < dims; d++) {
            uint32_t middle = (group * 2654435761u + d * 40503u) >> 7 & 63;
            s->cloud.coords[(size_t)d * points + i] = (float)(middle + next_random(&seed) % 64);
        }
        s->points[i].weight = (float)(1 + next_random(&seed) % 4);
    }
}

/* Begins with a few centres and everyone at the nearest of them. */
static void open_first(struct search *s, int centres)
{
    s->column = (int *)host_alloc(s->cloud.points * sizeof *s->column);
    for (int i = 0; i < s->cloud.points; i++) {
        s->points[i].cost = INFINITY;
        for (int k = 0; k < centres; k++) {
            int at = (int)((long)k * s->cloud.points / centres);
            float cost = distance_on_host(&s->cloud, i, at) * s->points[i].weight;
            if (cost < s->points[i].cost)
                s->points[i].cost = cost, s->points[i].centre = at;
        }
    }
}

static int is_centre(const struct search *s, int i) { return s->points[i].centre == i; }

static void number_centres(struct search *s)
{
    s->centres = 0;
    for (int i = 0; i < s->cloud.points; i++)
        if (is_centre(s, i))
            s->column[i] = s->centres++;
}

/* Runs the kernel for one candidate; counts what differs from the same on the host. */
static long ask(struct search *s, int candidate)
{
    int n = s->cloud.points, columns = s->centres + 1;
    size_t bytes = (size_t)n * columns * sizeof(float);
    CHECK(cudaMemcpy(s->d_points, s->points, n * sizeof *s->points, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(s->d_column, s->column, n * sizeof *s->column, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(s->d_saved, 0, bytes));
    CHECK(cudaMemset(s->d_switches, 0, n));
    (s->rolled ? savings_rolled : savings)<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(
        s->d_points, s->d_cloud, candidate, s->d_column, columns, s->d_saved, s->d_switches);
    fetch(s->saved, s->d_saved, bytes);
    fetch(s->switches, s->d_switches, n);

    long wrong = 0;
    for (int i = 0; i < n; i++) {
        float cost = distance_on_host(&s->cloud, i, candidate) * s->points[i].weight, now = s->points[i].cost;
        int to = cost < now ? columns - 1 : s->column[s->points[i].centre];
        wrong += s->switches[i] != (cost < now);
        for (int k = 0; k < columns; k++)
            wrong += s->saved[(size_t)i * columns + k] != (k != to      ? 0
                                                           : cost < now ? cost - now
                                                                        : now - cost);
    }
    return wrong;
}

/* Opens the candidate if the whole gets cheaper: it costs open_cost, points switch to it, and centres
 * whose other points can move to it for less than open_cost close. */
static void decide(struct search *s, int candidate)
{
    int n = s->cloud.points, columns = s->centres + 1;
    double sum[MAX_CENTRES + 1] = {0}, change = s->open_cost;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < columns; k++)
            sum[k] += s->saved[(size_t)i * columns + k];
    change += sum[columns - 1];
    for (int k = 0; k < s->centres; k++)
        if (sum[k] + s->open_cost > 0)
            change -= sum[k] + s->open_cost;
    if (change >= 0 || s->centres == MAX_CENTRES)
        return;
    for (int i = 0; i < n; i++)
        if (s->switches[i] || sum[s->column[s->points[i].centre]] + s->open_cost > 0) {
            s->points[i].cost = distance_on_host(&s->cloud, i, candidate) * s->points[i].weight;
            s->points[i].centre = candidate;
        }
    number_centres(s);
}

int main(int argc, char **argv)
{
    static const int points[] = {2048, 65536, 131072}, dims[] = {32, 64, 64}, candidates[] = {4, 6, 40};
    static const char *const loops[] = {"unrolled", "rolled", NULL};
    int rolled = 0;
    const struct choice options[] = {{"loop", loops, &rolled}};
    int size = parse_args(argc, argv, options, 1), n = points[size];
    struct search s = {};
    s.rolled = rolled;
    make_points(&s, n, dims[size]);
    open_first(&s, 5);
    number_centres(&s);
    s.open_cost = 900.0 * dims[size] * n / 16;
    s.d_cloud = s.cloud;
    s.d_cloud.coords = (float *)device_copy(s.cloud.coords, (size_t)n * dims[size] * sizeof(float));
    s.d_points = (struct point *)device_alloc(n * sizeof *s.points);
    s.d_column = (int *)device_alloc(n * sizeof *s.column);
    s.saved = (float *)host_alloc((size_t)n * (MAX_CENTRES + 1) * sizeof(float));
    s.d_saved = (float *)device_alloc((size_t)n * (MAX_CENTRES + 1) * sizeof(float));
    s.switches = (unsigned char *)host_alloc(n);
    s.d_switches = (unsigned char *)device_alloc(n);

    long wrong = 0;
    uint32_t seed = 20;
    for (int k = 0; k < candidates[size]; k++) {
        int candidate = (int)(next_random(&seed) % n);
        if (is_centre(&s, candidate))
            continue;
        wrong += ask(&s, candidate);
        decide(&s, candidate);
    }
    CHECK(cudaFree(s.d_cloud.coords));
    CHECK(cudaFree(s.d_points));
    CHECK(cudaFree(s.d_column));
    CHECK(cudaFree(s.d_saved));
    CHECK(cudaFree(s.d_switches));
    free(s.cloud.coords), free(s.points), free(s.column), free(s.saved), free(s.switches);
    return verdict("streamcluster", wrong);
}
// SPDX-License-Identifier: Apache-2.0
