/* A histogram of an image whose counters saturate at 255. Four kernels a round: the range of the values
 * (reduction), their translation to a counter's place, the counting (a CTA counts the bins of its swath in 24
 * KB of shared memory with atomics, two 16-bit counters a word; values crowd around the middle and collide),
 * and the saturated sum in bytes. */
#include "../workload.h"

#define BLOCK_RANGE 512
#define BLOCK 768
#define SWATH_WORDS 6144 /* 24 KB */
#define SWATH (2 * SWATH_WORDS)
#define LIMIT 255u

__global__ void range(const unsigned *image, int n, unsigned *low_high)
{
    __shared__ unsigned low[BLOCK_RANGE], high[BLOCK_RANGE];
    int t = threadIdx.x;
    unsigned l = ~0u, h = 0;
#pragma unroll 1
    for (int i = blockIdx.x * BLOCK_RANGE + t; i < n; i += gridDim.x * BLOCK_RANGE) {
        unsigned v = image[i];
        l = min(l, v);
        h = max(h, v);
    }
    low[t] = l;
    high[t] = h;
#pragma unroll 1
    for (int half = BLOCK_RANGE / 2; half; half /= 2) {
        __syncthreads();
        if (t < half) {
            low[t] = min(low[t], low[t + half]);
            high[t] = max(high[t], high[t + half]);
        }
    }
    if (t == 0) {
        atomicMin(&low_high[0], low[0]);
        atomicMax(&low_high[1], high[0]);
    }
}

/* A pixel is a pair of 16-bit coordinates, row and column of the 2-D histogram. Its place: the word, and
 * which half of it in the lowest bit. */
__global__ void translate(const unsigned *image, unsigned *place, int n, int width)
{
    int i = blockIdx.x * BLOCK_RANGE + threadIdx.x;
    if (i >= n)
        return;
    unsigned v = image[i];
    place[i] = (v >> 16) * width + (v & 0xffff);
}

/* blockIdx.y is the swath of bins, counted from the first one used, blockIdx.x the slice of the image. A
 * slice has fewer than 65536 pixels, so a half word cannot overflow. */
__global__ void count(const unsigned *place, int n, unsigned first_bin, unsigned *total)
{
    __shared__ unsigned counter[SWATH_WORDS];
#pragma unroll 1
    for (int i = threadIdx.x; i < SWATH_WORDS; i += BLOCK)
        counter[i] = 0;
    __syncthreads();
    unsigned start = first_bin + blockIdx.y * SWATH;
#pragma unroll 2
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
        unsigned bin = place[i] - start;
        if (bin < SWATH)
            atomicAdd(&counter[bin / 2], bin % 2 ? 0x10000u : 1u);
    }
    __syncthreads();
    unsigned *out = total + start;
#pragma unroll 1
    for (int i = threadIdx.x; i < SWATH_WORDS; i += BLOCK) {
        unsigned c = counter[i];
        if (c & 0xffff)
            atomicAdd(&out[2 * i], c & 0xffff);
        if (c >> 16)
            atomicAdd(&out[2 * i + 1], c >> 16);
    }
}

/* Four counters become four bytes, and are cleared for the next round. */
__global__ void saturate(uint4 *total, uchar4 *histogram, int quads)
{
    int i = blockIdx.x * BLOCK_RANGE + threadIdx.x;
    if (i >= quads)
        return;
    uint4 c = total[i];
    histogram[i] = make_uchar4(min(c.x, LIMIT), min(c.y, LIMIT), min(c.z, LIMIT), min(c.w, LIMIT));
    total[i] = make_uint4(0, 0, 0, 0);
}

/* Rows and columns around the middle, the sum of 16 uniform numbers each. */
static unsigned crowded(unsigned side, uint32_t *seed)
{
    unsigned sum = 0;
    for (int k = 0; k < 16; k++)
        sum += next_random(seed) >> 16;
    return sum * (uint64_t)side >> 20;
}

struct device {
    unsigned *image, *place, *total, *low_high;
    uchar4 *histogram;
};

static void round_of(const struct device *d, int n, int side, int slices)
{
    unsigned low_high[2] = {~0u, 0};
    int bins = side * side;
    CHECK(cudaMemcpy(d->low_high, low_high, sizeof(low_high), cudaMemcpyHostToDevice));
    range<<<32, BLOCK_RANGE>>>(d->image, n, d->low_high);
    fetch(low_high, d->low_high, sizeof(low_high));
    translate<<<(n + BLOCK_RANGE - 1) / BLOCK_RANGE, BLOCK_RANGE>>>(d->image, d->place, n, side);
    unsigned first = (low_high[0] >> 16) * side, last = (low_high[1] >> 16) * side + side - 1;
    count<<<dim3(slices, (last - first) / SWATH + 1), BLOCK>>>(d->place, n, first, d->total);
    saturate<<<(bins / 4 + BLOCK_RANGE - 1) / BLOCK_RANGE, BLOCK_RANGE>>>((uint4 *)d->total, d->histogram,
                                                                          bins / 4);
}

int main(int argc, char **argv)
{
    static const int counts[] = {24000, 700000, 1400000}, sides[] = {48, 256, 256}, rounds[] = {1, 2, 12};
    static const int slice_counts[] = {4, 32, 32};
    int size = parse_size(argc, argv), n = counts[size], side = sides[size], bins = side * side;
    unsigned *image = (unsigned *)host_alloc(n * sizeof(unsigned));
    unsigned *want = (unsigned *)host_alloc(bins * sizeof(unsigned));
    unsigned char *got = (unsigned char *)host_alloc(bins);
    uint32_t seed = 20;
    for (int i = 0; i < n; i++) {
        unsigned row = crowded(side, &seed), column = crowded(side, &seed);
        image[i] = row << 16 | column;
        want[row * side + column]++;
    }
    /* A CTA's last swath may reach past the bins. */
    size_t total_bytes = (size_t)(bins + SWATH) * sizeof(unsigned);
    struct device d;
    d.image = (unsigned *)device_copy(image, n * sizeof(unsigned));
    d.place = (unsigned *)device_alloc(n * sizeof(unsigned));
    d.total = (unsigned *)device_alloc(total_bytes);
    d.low_high = (unsigned *)device_alloc(2 * sizeof(unsigned));
    d.histogram = (uchar4 *)device_alloc(bins);
    CHECK(cudaMemset(d.total, 0, total_bytes));
    for (int i = 0; i < rounds[size]; i++)
        round_of(&d, n, side, slice_counts[size]);
    fetch(got, d.histogram, bins);
    long wrong = 0, saturated = 0;
    for (int i = 0; i < bins; i++) {
        wrong += got[i] != (want[i] < LIMIT ? want[i] : LIMIT);
        saturated += want[i] > LIMIT;
    }
    /* The input must reach the limit, or saturation is not tested. */
    wrong += saturated == 0;
    CHECK(cudaFree(d.image));
    CHECK(cudaFree(d.place));
    CHECK(cudaFree(d.total));
    CHECK(cudaFree(d.low_high));
    CHECK(cudaFree(d.histogram));
    free(image), free(want), free(got);
    return verdict("histo", wrong);
}
// SPDX-License-Identifier: Apache-2.0
