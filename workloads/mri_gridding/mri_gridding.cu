/* Image reconstruction for magnetic resonance: scattered samples of k-space are spread onto a regular grid
 * with a Kaiser-Bessel window. Samples are binned by cell and radix-sorted (splits and prefix sums in shared
 * memory), then a CTA of 4 x 4 x 4 grid points walks the rows of cells around it, their samples through
 * shared memory. Many barriers and short loops; whether a sample is near enough diverges; the window is a
 * chain of multiply-adds. */
#include "../workload.h"

#define SORT 256     /* keys a CTA sorts, one a thread */
#define DIGIT_BITS 4 /* of a key, sorted a pass */
#define DIGITS (1 << DIGIT_BITS)
#define SCAN 256    /* threads of a CTA that scans ... */
#define SCAN_EACH 4 /* ... and values of each */
#define CUBE 4      /* grid points a CTA makes along a side */
#define TILE (CUBE * CUBE * CUBE)
#define CUTOFF2 2.25f /* the window ends 1.5 cells away */
#define BEFORE 2      /* cells before a point's own ... */
#define AFTER 1       /* ... and after it that can hold samples so near */
#define BETA2_4 8.0f  /* a quarter of the square of the window's shape parameter */

struct sample {
    float x, y, z, density, real, imaginary;
};

struct point {
    float real, imaginary, density;
};

/* Bessel's I0(sqrt(4 q)), the power series in q; twelve terms leave 1e-7 for q up to 8. */
__host__ __device__ static inline float window(float r2)
{
    float q = BETA2_4 * (1.0f - r2 * (1.0f / CUTOFF2));
    float s = 1.0f;
#pragma unroll
    for (int k = 12; k; k--)
        s = 1.0f + s * q * (1.0f / (float)(k * k));
    return s;
}

__global__ void bin_samples(const struct sample *samples, int side, unsigned *key, unsigned *value,
                            unsigned *count)
{
    int i = blockIdx.x * SORT + threadIdx.x;
    struct sample s = samples[i];
    unsigned cell = ((unsigned)s.z * side + (unsigned)s.y) * side + (unsigned)s.x;
    key[i] = cell;
    value[i] = i;
    atomicAdd(&count[cell], 1);
}

/* The sum of v over the threads before this one; buffer has a word a thread. */
__device__ static unsigned scan_cta(unsigned v, unsigned *buffer, int threads)
{
    int t = threadIdx.x;
    unsigned sum = v;
    buffer[t] = v;
#pragma unroll 1
    for (int distance = 1; distance < threads; distance *= 2) {
        __syncthreads();
        unsigned before = t >= distance ? buffer[t - distance] : 0;
        __syncthreads();
        sum += before;
        buffer[t] = sum;
    }
    __syncthreads();
    return sum - v;
}

/* Every CTA scans its part; the parts' sums go to `sums`. */
__global__ void scan_parts(unsigned *data, int n, unsigned *sums)
{
    __shared__ unsigned buffer[SCAN];
    int first = (blockIdx.x * SCAN + threadIdx.x) * SCAN_EACH;
    unsigned v[SCAN_EACH], total = 0;
#pragma unroll
    for (int k = 0; k < SCAN_EACH; k++) {
        v[k] = first + k < n ? data[first + k] : 0;
        total += v[k];
    }
    unsigned before = scan_cta(total, buffer, SCAN);
    if (threadIdx.x == SCAN - 1)
        sums[blockIdx.x] = before + total;
#pragma unroll
    for (int k = 0; k < SCAN_EACH; k++) {
        if (first + k < n)
            data[first + k] = before;
        before += v[k];
    }
}

__global__ void add_sums(unsigned *data, int n, const unsigned *sums)
{
    int first = blockIdx.x * SCAN * SCAN_EACH + threadIdx.x;
    unsigned sum = sums[blockIdx.x];
#pragma unroll
    for (int k = 0; k < SCAN_EACH; k++)
        if (first + k * SCAN < n)
            data[first + k * SCAN] += sum;
}

/* Sorts a CTA's keys by one digit, a bit at a time; how often each digit occurs, and where it begins in the
 * CTA. */
__global__ void split_sort(unsigned *key, unsigned *value, int shift, unsigned *counts, unsigned *starts)
{
    __shared__ unsigned keys[SORT], values[SORT], buffer[SORT], digit_count[DIGITS];
    int t = threadIdx.x, at = blockIdx.x * SORT + t;
    unsigned k = key[at], v = value[at];
    if (t < DIGITS)
        digit_count[t] = 0;
#pragma unroll 1
    for (int bit = shift; bit < shift + DIGIT_BITS; bit++) {
        unsigned zero = ~(k >> bit) & 1;
        unsigned zeros_before = scan_cta(zero, buffer, SORT);
        unsigned zeros = buffer[SORT - 1];
        unsigned to = zero ? zeros_before : zeros + t - zeros_before;
        keys[to] = k;
        values[to] = v;
        __syncthreads();
        k = keys[t];
        v = values[t];
    }
    key[at] = k;
    value[at] = v;
    atomicAdd(&digit_count[k >> shift & (DIGITS - 1)], 1);
    __syncthreads();
    if (t < DIGITS) {
        unsigned before = 0;
        for (int d = 0; d < t; d++)
            before += digit_count[d];
        starts[blockIdx.x * DIGITS + t] = before;
        counts[t * gridDim.x + blockIdx.x] = digit_count[t];
    }
}

__global__ void split_rearrange(const unsigned *key, const unsigned *value, int shift,
                                const unsigned *offsets, const unsigned *starts, unsigned *key_out,
                                unsigned *value_out)
{
    int t = threadIdx.x, at = blockIdx.x * SORT + t;
    unsigned k = key[at], digit = k >> shift & (DIGITS - 1);
    unsigned to = offsets[digit * gridDim.x + blockIdx.x] + t - starts[blockIdx.x * DIGITS + digit];
    key_out[to] = k;
    value_out[to] = value[at];
}

__global__ void reorder(const struct sample *samples, const unsigned *value, struct sample *sorted)
{
    int i = blockIdx.x * SORT + threadIdx.x;
    sorted[i] = samples[value[i]];
}

__device__ static inline void add_sample(struct point *sum, const struct sample *s, int x, int y, int z)
{
    float dx = s->x - x, dy = s->y - y, dz = s->z - z;
    float r2 = fmaf(dz, dz, fmaf(dy, dy, dx * dx));
    if (r2 < CUTOFF2) {
        float w = window(r2) * s->density;
        sum->real += w * s->real;
        sum->imaginary += w * s->imaginary;
        sum->density += w;
    }
}

/* start[c] is the first sample of cell c; there is one more than there are cells. */
__global__ void gridding(const struct sample *sorted, const unsigned *start, int side, struct point *grid)
{
    __shared__ struct sample tile[TILE];
    int t = (threadIdx.z * CUBE + threadIdx.y) * CUBE + threadIdx.x;
    int x0 = blockIdx.x * CUBE, y0 = blockIdx.y * CUBE, z0 = blockIdx.z * CUBE;
    int x = x0 + threadIdx.x, y = y0 + threadIdx.y, z = z0 + threadIdx.z;
    int x_low = max(x0 - BEFORE, 0), x_end = min(x0 + CUBE + AFTER, side);
    int y_low = max(y0 - BEFORE, 0), y_end = min(y0 + CUBE + AFTER, side);
    int z_low = max(z0 - BEFORE, 0), z_end = min(z0 + CUBE + AFTER, side);
    struct point sum = {0, 0, 0};
#pragma unroll 1
    for (int cz = z_low; cz < z_end; cz++)
#pragma unroll 1
        for (int cy = y_low; cy < y_end; cy++) {
            int row = (cz * side + cy) * side, end = start[row + x_end];
#pragma unroll 1
            for (int from = start[row + x_low]; from < end; from += TILE) {
                int count = min(end - from, TILE);
                __syncthreads();
                if (t < count)
                    tile[t] = sorted[from + t];
                __syncthreads();
#pragma unroll 1
                for (int k = 0; k < count; k++)
                    add_sample(&sum, &tile[k], x, y, z);
            }
        }
    grid[(z * side + y) * side + x] = sum;
}

static void scan(unsigned *data, int n, unsigned *sums, unsigned *unused)
{
    int parts = (n + SCAN * SCAN_EACH - 1) / (SCAN * SCAN_EACH);
    scan_parts<<<parts, SCAN>>>(data, n, sums);
    if (parts == 1)
        return;
    scan_parts<<<1, SCAN>>>(sums, parts, unused);
    add_sums<<<parts, SCAN>>>(data, n, sums);
}

static struct sample *make_samples(int n, int side, uint32_t *seed)
{
    struct sample *s = (struct sample *)host_alloc(n * sizeof(*s));
    for (int i = 0; i < n; i++) {
        s[i].x = next_float(seed) * side;
        s[i].y = next_float(seed) * side;
        s[i].z = next_float(seed) * side;
        s[i].density = 0.5f + next_float(seed);
        s[i].real = next_float(seed);
        s[i].imaginary = next_float(seed);
    }
    return s;
}

static void host_grid(const struct sample *s, int n, int side, double (*grid)[3])
{
    for (int i = 0; i < n; i++)
        for (int z = max((int)s[i].z - 1, 0); z <= min((int)s[i].z + 2, side - 1); z++)
            for (int y = max((int)s[i].y - 1, 0); y <= min((int)s[i].y + 2, side - 1); y++)
                for (int x = max((int)s[i].x - 1, 0); x <= min((int)s[i].x + 2, side - 1); x++) {
                    /* The same roundings as on the device: the window is 1 at its edge, not 0. */
                    float dx = s[i].x - x, dy = s[i].y - y, dz = s[i].z - z;
                    float r2 = fmaf(dz, dz, fmaf(dy, dy, dx * dx));
                    if (!(r2 < CUTOFF2))
                        continue;
                    double *to = grid[(z * side + y) * side + x], w = (double)window(r2) * s[i].density;
                    to[0] += w * s[i].real;
                    to[1] += w * s[i].imaginary;
                    to[2] += w;
                }
}

/* All terms are positive; the window's twelve steps and below a hundred additions round by 2^-24 each. */
static long compare(const struct sample *s, int n, int side, const struct point *got)
{
    int points = side * side * side;
    double(*want)[3] = (double(*)[3])host_alloc(points * sizeof(*want));
    host_grid(s, n, side, want);
    long wrong = 0;
    for (int i = 0; i < points; i++) {
        wrong += !(fabs(got[i].real - want[i][0]) <= 1e-5 * want[i][0]);
        wrong += !(fabs(got[i].imaginary - want[i][1]) <= 1e-5 * want[i][1]);
        wrong += !(fabs(got[i].density - want[i][2]) <= 1e-5 * want[i][2]);
    }
    free(want);
    return wrong;
}

int main(int argc, char **argv)
{
    static const int sides[] = {8, 24, 56}, counts[] = {256, 10240, 175616}, bits[] = {12, 16, 20};
    int size = parse_size(argc, argv), side = sides[size], n = counts[size], cells = side * side * side;
    int ctas = n / SORT;
    uint32_t seed = 22;
    struct sample *s = make_samples(n, side, &seed);
    size_t words = n * sizeof(unsigned), digit_words = ctas * DIGITS * sizeof(unsigned);
    struct sample *d_samples = (struct sample *)device_copy(s, n * sizeof(*s));
    struct sample *d_sorted = (struct sample *)device_alloc(n * sizeof(*s));
    unsigned *d_key[2] = {(unsigned *)device_alloc(words), (unsigned *)device_alloc(words)};
    unsigned *d_value[2] = {(unsigned *)device_alloc(words), (unsigned *)device_alloc(words)};
    unsigned *d_counts = (unsigned *)device_alloc(digit_words),
             *d_starts = (unsigned *)device_alloc(digit_words);
    unsigned *d_cells = (unsigned *)device_alloc((cells + 1) * sizeof(unsigned));
    unsigned *d_sums = (unsigned *)device_alloc((SCAN * SCAN_EACH + 1) * sizeof(unsigned));
    struct point *d_grid = (struct point *)device_alloc(cells * sizeof(*d_grid));
    CHECK(cudaMemset(d_cells, 0, (cells + 1) * sizeof(unsigned)));

    bin_samples<<<ctas, SORT>>>(d_samples, side, d_key[0], d_value[0], d_cells);
    scan(d_cells, cells + 1, d_sums, d_sums + SCAN * SCAN_EACH);
    int now = 0;
    for (int shift = 0; shift < bits[size]; shift += DIGIT_BITS, now = !now) {
        split_sort<<<ctas, SORT>>>(d_key[now], d_value[now], shift, d_counts, d_starts);
        scan(d_counts, ctas * DIGITS, d_sums, d_sums + SCAN * SCAN_EACH);
        split_rearrange<<<ctas, SORT>>>(d_key[now], d_value[now], shift, d_counts, d_starts, d_key[!now],
                                        d_value[!now]);
    }
    reorder<<<ctas, SORT>>>(d_samples, d_value[now], d_sorted);
    dim3 block(CUBE, CUBE, CUBE), grid(side / CUBE, side / CUBE, side / CUBE);
    gridding<<<grid, block>>>(d_sorted, d_cells, side, d_grid);
    struct point *got = (struct point *)host_alloc(cells * sizeof(*got));
    fetch(got, d_grid, cells * sizeof(*got));
    long wrong = compare(s, n, side, got);
    for (int k = 0; k < 2; k++) {
        CHECK(cudaFree(d_key[k]));
        CHECK(cudaFree(d_value[k]));
    }
    CHECK(cudaFree(d_samples));
    CHECK(cudaFree(d_sorted));
    CHECK(cudaFree(d_counts));
    CHECK(cudaFree(d_starts));
    CHECK(cudaFree(d_cells));
    CHECK(cudaFree(d_sums));
    CHECK(cudaFree(d_grid));
    free(s), free(got);
    return verdict("mri_gridding", wrong);
}
// SPDX-License-Identifier: Apache-2.0
