/* Sorting of floats by buckets and merging, after Rodinia's hybridsort: a histogram in shared memory gives
 * the borders of 1024 buckets of about equal size (host); elements find their bucket by binary search and
 * count themselves in with shared atomics; a prefix sum over CTAs, then they are scattered; each bucket is
 * merged as vectors of four floats from the bottom up, a thread for a pair of runs, so later passes have
 * fewer and longer threads. Divergent loops, scattered stores, long live ranges across branches. */
#include "../workload.h"

#define BINS 1024
#define BUCKETS 1024
#define HISTOGRAM_BLOCK 96 /* three warps with a histogram each: 12 KB */
#define BUCKET_BLOCK 128
#define BUCKET_BAND 32 /* elements of a thread */
#define MERGE_BLOCK 256
#define PACK_BLOCK 64
#define PAD 3.0e38f /* fills a bucket to a multiple of four; larger than every element */

__constant__ int bucket_first[BUCKETS + 1]; /* in vectors of four */

__global__ void histogram(const float *in, int n, float low, float scale, unsigned *counts)
{
    __shared__ unsigned bins[HISTOGRAM_BLOCK / 32 * BINS];
    int t = threadIdx.x;
    unsigned *own = bins + t / 32 * BINS;
#pragma unroll 1
    for (int i = t; i < BINS * (HISTOGRAM_BLOCK / 32); i += HISTOGRAM_BLOCK)
        bins[i] = 0;
    __syncthreads();
#pragma unroll 1
    for (int i = blockIdx.x * HISTOGRAM_BLOCK + t; i < n; i += HISTOGRAM_BLOCK * gridDim.x)
        atomicAdd(&own[min((int)((in[i] - low) * scale), BINS - 1)], 1u);
    __syncthreads();
#pragma unroll 1
    for (int i = t; i < BINS; i += HISTOGRAM_BLOCK)
        atomicAdd(&counts[i], bins[i] + bins[BINS + i] + bins[2 * BINS + i]);
}

/* place: bucket in the low 10 bits, above them how many of the CTA came into it before. */
__global__ void count_buckets(const float *in, int n, cudaTextureObject_t pivots, int *place, int *counts)
{
    __shared__ int offset[BUCKETS];
    int t = threadIdx.x, first = blockIdx.x * (BUCKET_BLOCK * BUCKET_BAND);
#pragma unroll 1
    for (int i = t; i < BUCKETS; i += BUCKET_BLOCK)
        offset[i] = 0;
    __syncthreads();
#pragma unroll 1
    for (int i = first + t; i < first + BUCKET_BLOCK * BUCKET_BAND && i < n; i += BUCKET_BLOCK) {
        float element = in[i];
        int bucket = BUCKETS / 2 - 1;
        float pivot = tex1Dfetch<float>(pivots, bucket);
#pragma unroll 1
        for (int jump = BUCKETS / 4; jump >= 1; jump /= 2) {
            bucket = element < pivot ? bucket - jump : bucket + jump;
            pivot = tex1Dfetch<float>(pivots, bucket);
        }
        bucket = element < pivot ? bucket : bucket + 1;
        place[i] = atomicAdd(&offset[bucket], 1) * BUCKETS + bucket;
    }
    __syncthreads();
#pragma unroll 1
    for (int i = t; i < BUCKETS; i += BUCKET_BLOCK)
        counts[blockIdx.x * BUCKETS + i] = offset[i];
}

/* Where each CTA's part of a bucket begins; a thread for a bucket. */
__global__ void prefix_offsets(int *counts, int *totals, int blocks)
{
    int bucket = blockIdx.x * BUCKET_BLOCK + threadIdx.x, sum = 0;
#pragma unroll 1
    for (int i = 0; i < blocks; i++) {
        int count = counts[i * BUCKETS + bucket];
        counts[i * BUCKETS + bucket] = sum;
        sum += count;
    }
    totals[bucket] = sum;
}

__global__ void scatter(const float *in, int n, const int *place, const int *counts, float *out)
{
    __shared__ int offset[BUCKETS];
    int t = threadIdx.x, first = blockIdx.x * (BUCKET_BLOCK * BUCKET_BAND);
#pragma unroll 1
    for (int i = t; i < BUCKETS; i += BUCKET_BLOCK)
        offset[i] = 4 * bucket_first[i] + counts[blockIdx.x * BUCKETS + i];
    __syncthreads();
#pragma unroll 1
    for (int i = first + t; i < first + BUCKET_BLOCK * BUCKET_BAND && i < n; i += BUCKET_BLOCK)
        out[offset[place[i] % BUCKETS] + place[i] / BUCKETS] = in[i];
}

__device__ static inline void order(float *a, float *b)
{
    float low = fminf(*a, *b);
    *b = fmaxf(*a, *b);
    *a = low;
}

__device__ static inline float4 sorted(float4 v)
{
    order(&v.x, &v.y), order(&v.z, &v.w);
    order(&v.x, &v.z), order(&v.y, &v.w);
    order(&v.y, &v.z);
    return v;
}

__global__ void sort_vectors(const float4 *in, float4 *out, int n)
{
    int i = blockIdx.x * MERGE_BLOCK + threadIdx.x;
    if (i < n)
        out[i] = sorted(in[i]);
}

/* Merges runs of `run` vectors in pairs. Of a sorted vector kept and the next one, the four smallest elements
 * are final. */
__global__ void merge_pass(const float4 *__restrict__ in, float4 *__restrict__ out, int run, int pairs)
{
    int thread = blockIdx.x * MERGE_BLOCK + threadIdx.x, bucket = thread / pairs;
    if (bucket >= BUCKETS)
        return;
    int end = bucket_first[bucket + 1];
    int a = bucket_first[bucket] + thread % pairs * 2 * run, b = min(a + run, end), a_end = b,
        b_end = min(b + run, end), to = a;
    if (a >= end)
        return;
    float4 kept = in[a++];
    while (a < a_end || b < b_end) {
        bool from_a = b >= b_end || (a < a_end && in[a].x < in[b].x);
        float4 next = in[from_a ? a : b], low, high;
        a += from_a, b += !from_a;
        low.x = fminf(kept.x, next.w), low.y = fminf(kept.y, next.z);
        low.z = fminf(kept.z, next.y), low.w = fminf(kept.w, next.x);
        high.x = fmaxf(kept.x, next.w), high.y = fmaxf(kept.y, next.z);
        high.z = fmaxf(kept.z, next.y), high.w = fmaxf(kept.w, next.x);
        out[to++] = sorted(low);
        kept = sorted(high);
    }
    out[to] = kept;
}

/* A CTA for a bucket: without its padding to where it belongs. */
__global__ void pack(const float *in, float *out, const int *begin)
{
    int bucket = blockIdx.x, count = begin[bucket + 1] - begin[bucket];
    const float *from = in + 4 * bucket_first[bucket];
#pragma unroll 1
    for (int i = threadIdx.x; i < count; i += PACK_BLOCK)
        out[begin[bucket] + i] = from[i];
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

/* Pivot i is where i + 1 of BUCKETS parts of the elements lie below, if a bin is evenly filled. */
static void find_pivots(const unsigned *counts, int n, float low, float bin_width, float *pivots)
{
    double below = 0;
    int bin = 0;
    for (int i = 0; i < BUCKETS; i++) {
        double wanted = (double)n * (i + 1) / BUCKETS;
        while (bin < BINS - 1 && below + counts[bin] < wanted)
            below += counts[bin++];
        double part = counts[bin] ? fmin((wanted - below) / counts[bin], 1.0) : 0.0;
        pivots[i] = low + bin_width * (float)(bin + part);
    }
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

struct sorter {
    int n, blocks;
    float *in, *out;
    int *place, *counts, *totals, *begin;
};

/* Steps until every element has a bucket; fills in where buckets begin, padded (in vectors) and not. */
static void make_buckets(const struct sorter *s, float low, float high, int *first, int *begin)
{
    unsigned counts[BINS];
    float pivots[BUCKETS];
    int totals[BUCKETS];
    unsigned *d_counts = (unsigned *)device_alloc(sizeof(counts));
    CHECK(cudaMemset(d_counts, 0, sizeof(counts)));
    int grid = s->n < 65536 ? 4 : 64;
    histogram<<<grid, HISTOGRAM_BLOCK>>>(s->in, s->n, low, BINS / (high - low), d_counts);
    fetch(counts, d_counts, sizeof(counts));
    CHECK(cudaFree(d_counts));
    find_pivots(counts, s->n, low, (high - low) / BINS, pivots);

    float *d_pivots = (float *)device_copy(pivots, sizeof(pivots));
    cudaTextureObject_t texture = make_texture(d_pivots, sizeof(pivots));
    count_buckets<<<s->blocks, BUCKET_BLOCK>>>(s->in, s->n, texture, s->place, s->counts);
    prefix_offsets<<<BUCKETS / BUCKET_BLOCK, BUCKET_BLOCK>>>(s->counts, s->totals, s->blocks);
    fetch(totals, s->totals, sizeof(totals));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(d_pivots));
    for (int i = 0; i < BUCKETS; i++) {
        first[i + 1] = first[i] + (totals[i] + 3) / 4;
        begin[i + 1] = begin[i] + totals[i];
    }
}

static void sort_on_device(const struct sorter *s, float low, float high)
{
    int first[BUCKETS + 1] = {0}, begin[BUCKETS + 1] = {0}, longest = 1;
    make_buckets(s, low, high, first, begin);
    CHECK(cudaMemcpyToSymbol(bucket_first, first, sizeof(first)));
    CHECK(cudaMemcpy(s->begin, begin, sizeof(begin), cudaMemcpyHostToDevice));
    size_t bytes = first[BUCKETS] * sizeof(float4);
    float *padded = (float *)host_alloc(bytes);
    for (size_t i = 0; i < bytes / sizeof(float); i++)
        padded[i] = PAD;
    float4 *d_from = (float4 *)device_copy(padded, bytes), *d_to = (float4 *)device_alloc(bytes);
    free(padded);

    scatter<<<s->blocks, BUCKET_BLOCK>>>(s->in, s->n, s->place, s->counts, (float *)d_from);
    sort_vectors<<<(first[BUCKETS] + MERGE_BLOCK - 1) / MERGE_BLOCK, MERGE_BLOCK>>>(d_from, d_to,
                                                                                    first[BUCKETS]);
    for (int i = 0; i < BUCKETS; i++)
        longest = first[i + 1] - first[i] > longest ? first[i + 1] - first[i] : longest;
    for (int run = 1; run < longest; run *= 2) {
        int pairs = (longest + 2 * run - 1) / (2 * run);
        float4 *swap = d_from;
        d_from = d_to, d_to = swap;
        merge_pass<<<(BUCKETS * pairs + MERGE_BLOCK - 1) / MERGE_BLOCK, MERGE_BLOCK>>>(d_from, d_to, run,
                                                                                       pairs);
    }
    pack<<<BUCKETS, PACK_BLOCK>>>((float *)d_to, s->out, s->begin);
    CHECK(cudaFree(d_from));
    CHECK(cudaFree(d_to));
}

int main(int argc, char **argv)
{
    static const int sizes[] = {8192, 524288, 6000000};
    int size = parse_size(argc, argv), n = sizes[size];
    int blocks = (n + BUCKET_BLOCK * BUCKET_BAND - 1) / (BUCKET_BLOCK * BUCKET_BAND);
    size_t bytes = n * sizeof(float);
    float *want = (float *)host_alloc(bytes), *got = (float *)host_alloc(bytes), low = 3e38f, high = -3e38f;
    uint32_t seed = 1024;
    for (int i = 0; i < n; i++) { /* more small ones than large ones */
        float r = next_float(&seed);
        want[i] = 1000.0f * r * (0.5f + 0.5f * r);
        low = fminf(low, want[i]), high = fmaxf(high, want[i]);
    }
    struct sorter s = {n,
                       blocks,
                       (float *)device_copy(want, bytes),
                       (float *)device_alloc(bytes),
                       (int *)device_alloc(bytes),
                       (int *)device_alloc(blocks * BUCKETS * sizeof(int)),
                       (int *)device_alloc(BUCKETS * sizeof(int)),
                       (int *)device_alloc((BUCKETS + 1) * sizeof(int))};
    CHECK(cudaMemset(s.out, 0, bytes));
    sort_on_device(&s, low, high);
    fetch(got, s.out, bytes);

    qsort(want, n, sizeof(float), compare_floats);
    long wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += got[i] != want[i];
    CHECK(cudaFree(s.in));
    CHECK(cudaFree(s.out));
    CHECK(cudaFree(s.place));
    CHECK(cudaFree(s.counts));
    CHECK(cudaFree(s.totals));
    CHECK(cudaFree(s.begin));
    free(want), free(got);
    return verdict("hybridsort", wrong);
}
// SPDX-License-Identifier: Apache-2.0
