/* The two-point angular correlation function: for a set of observed points on the sky and sets of random
 * ones, histograms of the angle between all pairs, data with data, data with random, random with random. A
 * CTA makes one histogram: points in tiles through shared memory, a dot product, a binary search of the bin
 * in constant memory (divergent), and a histogram of its own for every thread in shared memory, added up at
 * the end. */
#include "../workload.h"

#define BLOCK 256
#define BINS 20
#define EDGES (BINS + 1)

__constant__ float edges[EDGES]; /* cosines, falling */

struct point {
    float x, y, z;
};

/* The last edge that is not below the cosine; every cosine lies in a bin, the edges at the ends see to it. */
__host__ __device__ static inline int find_bin(const float *edge, float cosine)
{
    int low = 0, high = BINS;
    while (high > low + 1) {
        int middle = (low + high) / 2;
        if (cosine >= edge[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* Set 0 is the data. CTA 0: data with itself; then for each random set r (from 1): data with r; then r with
 * itself. */
__global__ void histograms(const struct point *points, int n, int sets, unsigned *out)
{
    __shared__ struct point tile[BLOCK];
    __shared__ unsigned mine[BINS][BLOCK];
    int t = threadIdx.x, b = blockIdx.x;
    bool self = b == 0 || b > sets;
    const struct point *first = points + (size_t)(b > sets ? b - sets : 0) * n;
    const struct point *second = points + (size_t)(b > sets ? b - sets : b) * n;
    for (int bin = 0; bin < BINS; bin++)
        mine[bin][t] = 0;

#pragma unroll 1
    for (int base = 0; base < n; base += BLOCK) {
        __syncthreads();
        if (base + t < n)
            tile[t] = second[base + t];
        __syncthreads();
        int count = n - base < BLOCK ? n - base : BLOCK;
#pragma unroll 1
        for (int i = t; i < n; i += BLOCK) {
            struct point p = first[i];
            int from = !self || i < base ? 0 : i + 1 - base;
#pragma unroll 1
            for (int k = from; k < count; k++) {
                float cosine = fmaf(p.z, tile[k].z, fmaf(p.y, tile[k].y, p.x * tile[k].x));
                mine[find_bin(edges, cosine)][t]++;
            }
        }
    }
#pragma unroll 1
    for (int half = BLOCK / 2; half; half /= 2) {
        __syncthreads();
        for (int i = t; i < half * BINS; i += BLOCK)
            mine[i / half][i % half] += mine[i / half][i % half + half];
    }
    __syncthreads();
    if (t < BINS)
        out[b * BINS + t] = mine[t][0];
}

static void host_histogram(const struct point *a, const struct point *b, int n, const float *edge,
                           unsigned *out)
{
    for (int i = 0; i < n; i++)
        for (int k = a == b ? i + 1 : 0; k < n; k++)
            out[find_bin(edge, fmaf(a[i].z, b[k].z, fmaf(a[i].y, b[k].y, a[i].x * b[k].x)))]++;
}

/* A part of the sky around the pole; the angles between its points fill all bins. */
static void make_points(struct point *p, int n, uint32_t *seed)
{
    for (int i = 0; i < n; i++) {
        float polar = 0.6f * sqrtf(next_float(seed)), around = 6.2831853f * next_float(seed);
        p[i].x = sinf(polar) * cosf(around);
        p[i].y = sinf(polar) * sinf(around);
        p[i].z = cosf(polar);
    }
}

/* Logarithmic in the angle; the first and last bin are open, so that rounding of a cosine to above 1 has its
 * place. */
static void make_edges(float *edge)
{
    edge[0] = -2, edge[BINS] = 2;
    for (int i = 1; i < BINS; i++)
        edge[i] = (float)cos(1.2 * pow(10, -2.0 * (i - 1) / (BINS - 1)));
}

int main(int argc, char **argv)
{
    static const int counts[] = {128, 256, 512}, set_counts[] = {1, 24, 70};
    int size = parse_size(argc, argv), n = counts[size], sets = set_counts[size], ctas = 1 + 2 * sets;
    size_t bytes = (size_t)(sets + 1) * n * sizeof(struct point), out_bytes = ctas * BINS * sizeof(unsigned);
    struct point *points = (struct point *)host_alloc(bytes);
    unsigned *got = (unsigned *)host_alloc(out_bytes), *want = (unsigned *)host_alloc(out_bytes);
    float edge[EDGES];
    uint32_t seed = 18;
    make_points(points, (sets + 1) * n, &seed);
    make_edges(edge);
    CHECK(cudaMemcpyToSymbol(edges, edge, sizeof(edge)));
    struct point *d_points = (struct point *)device_copy(points, bytes);
    unsigned *d_out = (unsigned *)device_alloc(out_bytes);
    histograms<<<ctas, BLOCK>>>(d_points, n, sets, d_out);
    fetch(got, d_out, out_bytes);

    host_histogram(points, points, n, edge, want);
    for (int r = 1; r <= sets; r++) {
        host_histogram(points, points + r * n, n, edge, want + r * BINS);
        host_histogram(points + r * n, points + r * n, n, edge, want + (sets + r) * BINS);
    }
    long wrong = 0;
    for (int i = 0; i < ctas * BINS; i++)
        wrong += got[i] != want[i];
    CHECK(cudaFree(d_points));
    CHECK(cudaFree(d_out));
    free(points), free(got), free(want);
    return verdict("tpacf", wrong);
}
// SPDX-License-Identifier: Apache-2.0
