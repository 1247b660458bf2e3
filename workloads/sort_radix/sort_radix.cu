/* Radix sort of keys with payloads, four bits a pass: count digits per tile, sum the counts up, move each
 * pair to its place. Counting and moving are warp-specialised: the three helpers bring a tile of 1024
 * pairs into shared memory and carry it to its places; warp 0 ranks it, 32 keys at a time in their order,
 * by ballots on the digit's bits, so the sort is stable. One long warp in four. */
#include "../workload.h"

#define BLOCK 128  /* threads: one ranking warp, three helpers */
#define HELPERS 96 /* threads */
#define TILE 1024
#define BITS 4
#define DIGITS (1 << BITS)
#define SCAN_BLOCK 256

struct pairs {
    unsigned *key, *payload;
};

/* The helpers fetch a tile's words; a barrier must follow. */
__device__ static inline void fetch_tile(const unsigned *from, int count, unsigned *to)
{
    if (threadIdx.x < 32)
        return;
#pragma unroll 1
    for (int i = (int)threadIdx.x - 32; i < count; i += HELPERS)
        to[i] = from[i];
}

/* For the lanes that have one: which lanes have the same digit. */
__device__ static inline unsigned same_digit(unsigned digit, bool has)
{
    unsigned same = __ballot_sync(0xffffffffu, has);
#pragma unroll
    for (int b = 0; b < BITS; b++) {
        unsigned ones = __ballot_sync(0xffffffffu, digit >> b & 1);
        same &= digit >> b & 1 ? ones : ~ones;
    }
    return same;
}

/* counts[digit][tile], so that summing up in this order gives the places. */
__global__ void __launch_bounds__(BLOCK) count_digits(struct pairs from, int n, int shift, unsigned *counts)
{
    __shared__ unsigned key[TILE], count[DIGITS];
    int first = blockIdx.x * TILE, here = min(TILE, n - first), lane = threadIdx.x % 32;
    if (threadIdx.x < DIGITS)
        count[threadIdx.x] = 0;
    fetch_tile(from.key + first, here, key);
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
#pragma unroll 1
    for (int i = lane; i - lane < here; i += 32) {
        unsigned digit = i < here ? key[i] >> shift & (DIGITS - 1) : 0, same = same_digit(digit, i < here);
        if (i < here && lane == __ffs(same) - 1)
            count[digit] += __popc(same);
        __syncwarp();
    }
    if (lane < DIGITS)
        counts[lane * gridDim.x + blockIdx.x] = count[lane];
}

/* counts[i] = the sum of those before it, one CTA. */
__global__ void __launch_bounds__(SCAN_BLOCK) sum_up(unsigned *counts, int n)
{
    __shared__ unsigned warp_sums[SCAN_BLOCK / 32];
    unsigned before = 0, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll 1
    for (int first = 0; first < n; first += SCAN_BLOCK) {
        int i = first + (int)threadIdx.x;
        unsigned mine = i < n ? counts[i] : 0, sum = mine;
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            unsigned left = __shfl_up_sync(0xffffffffu, sum, step);
            sum += lane >= (unsigned)step ? left : 0;
        }
        if (lane == 31)
            warp_sums[warp] = sum;
        __syncthreads();
        unsigned all = 0, earlier = 0;
#pragma unroll
        for (unsigned w = 0; w < SCAN_BLOCK / 32; w++) {
            earlier += w < warp ? warp_sums[w] : 0;
            all += warp_sums[w];
        }
        if (i < n)
            counts[i] = before + earlier + sum - mine;
        before += all;
        __syncthreads();
    }
}

__global__ void __launch_bounds__(BLOCK)
    move_pairs(struct pairs from, struct pairs to, int n, int shift, const unsigned *places)
{
    __shared__ unsigned key[TILE], payload[TILE], place[TILE], next[DIGITS];
    int first = blockIdx.x * TILE, here = min(TILE, n - first), lane = threadIdx.x % 32;
    if (threadIdx.x < DIGITS)
        next[threadIdx.x] = places[threadIdx.x * gridDim.x + blockIdx.x];
    fetch_tile(from.key + first, here, key);
    __syncthreads();
    if (threadIdx.x < 32) {
#pragma unroll 1
        for (int i = lane; i - lane < here; i += 32) {
            unsigned digit = i < here ? key[i] >> shift & (DIGITS - 1) : 0,
                     same = same_digit(digit, i < here);
            unsigned base = next[digit];
            __syncwarp();
            if (i < here) {
                place[i] = base + __popc(same & ((1u << lane) - 1));
                if (lane == __ffs(same) - 1)
                    next[digit] = base + __popc(same);
            }
            __syncwarp();
        }
    } else {
        fetch_tile(from.payload + first, here, payload);
    }
    __syncthreads();
    if (threadIdx.x < 32)
        return;
#pragma unroll 1
    for (int i = (int)threadIdx.x - 32; i < here; i += HELPERS) {
        to.key[place[i]] = key[i];
        to.payload[place[i]] = payload[i];
    }
}

int main(int argc, char **argv)
{
    static const int counts[] = {4000, 150000, 1000000}, bits[] = {16, 24, 32}, repeats[] = {1, 1, 2};
    int size = parse_size(argc, argv), n = counts[size], tiles = (n + TILE - 1) / TILE;
    size_t bytes = n * sizeof(unsigned);
    unsigned *key = (unsigned *)host_alloc(bytes), *payload = (unsigned *)host_alloc(bytes);
    unsigned *got_key = (unsigned *)host_alloc(bytes), *got_payload = (unsigned *)host_alloc(bytes);
    char *seen = (char *)host_alloc(n);
    uint32_t seed = 20263;
    for (int i = 0; i < n; i++) {
        key[i] = next_random(&seed) >> (32 - bits[size]);
        payload[i] = (unsigned)i;
    }
    struct pairs a = {(unsigned *)device_alloc(bytes), (unsigned *)device_alloc(bytes)};
    struct pairs b = {(unsigned *)device_alloc(bytes), (unsigned *)device_alloc(bytes)};
    unsigned *d_counts = (unsigned *)device_alloc((size_t)tiles * DIGITS * sizeof(unsigned));
    for (int r = 0; r < repeats[size]; r++) {
        CHECK(cudaMemcpy(a.key, key, bytes, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(a.payload, payload, bytes, cudaMemcpyHostToDevice));
        for (int shift = 0; shift < bits[size]; shift += BITS) {
            count_digits<<<tiles, BLOCK>>>(a, n, shift, d_counts);
            sum_up<<<1, SCAN_BLOCK>>>(d_counts, tiles * DIGITS);
            move_pairs<<<tiles, BLOCK>>>(a, b, n, shift, d_counts);
            struct pairs t = a;
            a = b, b = t;
        }
    }
    fetch(got_key, a.key, bytes);
    fetch(got_payload, a.payload, bytes);

    /* Sorted, stable, and each pair once. */
    long wrong = 0;
    for (int i = 0; i < n; i++) {
        unsigned from = got_payload[i];
        if (from >= (unsigned)n || seen[from]++ || key[from] != got_key[i])
            wrong++;
        else if (i &&
                 (got_key[i - 1] > got_key[i] || (got_key[i - 1] == got_key[i] && got_payload[i - 1] > from)))
            wrong++;
    }
    unsigned *all[] = {a.key, a.payload, b.key, b.payload, d_counts};
    for (unsigned *p : all)
        CHECK(cudaFree(p));
    free(key), free(payload), free(got_key), free(got_payload), free(seen);
    return verdict("sort_radix", wrong);
}
// SPDX-License-Identifier: Apache-2.0
