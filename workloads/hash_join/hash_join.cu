/* Hash join of two tables, the left one with unique keys, by partitions: both tables are scattered by some
 * bits of the key's hash, so that a CTA can join a partition with a hash table in shared memory. There the
 * three helpers bring in the left rows and tile after tile of the right ones and write out what was found,
 * warp 0 fills the table and probes it: one long warp in four. The kernels that partition are balanced,
 * with scattered atomics and stores. */
#include "../workload.h"

#define BLOCK 256
#define SCAN_BLOCK 256
#define JOIN_BLOCK 128 /* threads: one probing warp, three helpers */
#define HELPERS 96     /* threads */
#define LEFTS 512      /* of a partition at most; twice the mean */
#define SLOTS 1024     /* of the table, a power of two */
#define TILE 192       /* right rows between two barriers */
#define NONE (-1)

/* Rows with a number beside the key: the left table's payload, the right table's row. */
struct rows {
    int *key, *number;
};

__host__ __device__ static inline unsigned hash_of(int key)
{
    unsigned x = (unsigned)key * 0x9e3779b1u;
    return x ^ x >> 15;
}

/* Slots by the low bits, partitions by others. */
__device__ static inline int partition_of(int key, int partitions)
{
    return (int)((hash_of(key) >> 10) % (unsigned)partitions);
}

__global__ void __launch_bounds__(BLOCK) count_rows(const int *key, int n, int partitions, int *counts)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        atomicAdd(&counts[partition_of(key[i], partitions)], 1);
}

/* next[p] = first[p] = the sum of the counts before p, first[n] = all of them. One CTA; each thread sums a
 * stretch. */
__global__ void __launch_bounds__(SCAN_BLOCK) sum_up(const int *counts, int n, int *first, int *next)
{
    __shared__ int sums[SCAN_BLOCK];
    int each = (n + SCAN_BLOCK - 1) / SCAN_BLOCK, from = threadIdx.x * each, to = min(n, from + each),
        sum = 0;
#pragma unroll 1
    for (int i = from; i < to; i++)
        sum += counts[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
#pragma unroll 1
    for (int step = 1; step < SCAN_BLOCK; step *= 2) {
        int left = threadIdx.x >= (unsigned)step ? sums[threadIdx.x - step] : 0;
        __syncthreads();
        sums[threadIdx.x] += left;
        __syncthreads();
    }
    sum = sums[threadIdx.x] - sum;
#pragma unroll 1
    for (int i = from; i < to; i++) {
        first[i] = next[i] = sum;
        sum += counts[i];
    }
    if (threadIdx.x == SCAN_BLOCK - 1)
        first[n] = sums[SCAN_BLOCK - 1];
}

/* The order within a partition is the atomics'; the result does not depend on it. */
__global__ void __launch_bounds__(BLOCK)
    scatter_rows(const int *key, const int *number, int n, int partitions, int *next, struct rows to)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    int place = atomicAdd(&next[partition_of(key[i], partitions)], 1);
    to.key[place] = key[i];
    to.number[place] = number ? number[i] : i;
}

/* Warp 0. Lanes meet at slots, hence the atomic. */
__device__ static inline void fill_table(const int *key, int count, int *slot_key, short *slot_row)
{
#pragma unroll 1
    for (int i = threadIdx.x; i < count; i += 32) {
        unsigned slot = hash_of(key[i]) & (SLOTS - 1);
#pragma unroll 1
        while (atomicCAS(&slot_key[slot], NONE, key[i]) != NONE)
            slot = (slot + 1) & (SLOTS - 1);
        slot_row[slot] = (short)i;
    }
    __syncwarp();
}

__device__ static inline void probe_tile(const int *key, int count, const int *slot_key,
                                         const short *slot_row, const int *payload, int *result)
{
#pragma unroll 1
    for (int i = threadIdx.x; i < count; i += 32) {
        int mine = key[i], seen, found = NONE;
        unsigned slot = hash_of(mine) & (SLOTS - 1);
#pragma unroll 1
        while ((seen = slot_key[slot]) != NONE && seen != mine)
            slot = (slot + 1) & (SLOTS - 1);
        if (seen == mine)
            found = payload[slot_row[slot]];
        result[i] = found;
    }
}

__global__ void __launch_bounds__(JOIN_BLOCK)
    join_partitions(struct rows left, const int *left_first, struct rows right, const int *right_first,
                    int *result)
{
    __shared__ int slot_key[SLOTS], left_key[LEFTS], payload[LEFTS];
    __shared__ short slot_row[SLOTS];
    __shared__ int key[2][TILE], found[2][TILE];
    int helper = (int)threadIdx.x - 32, from = left_first[blockIdx.x];
    int lefts = min(LEFTS, left_first[blockIdx.x + 1] - from);
    int right_from = right_first[blockIdx.x], rights = right_first[blockIdx.x + 1] - right_from;
    if (helper >= 0) {
#pragma unroll 1
        for (int i = helper; i < SLOTS; i += HELPERS)
            slot_key[i] = NONE;
#pragma unroll 1
        for (int i = helper; i < lefts; i += HELPERS) {
            left_key[i] = left.key[from + i];
            payload[i] = left.number[from + i];
        }
    }
    __syncthreads();
    if (helper < 0)
        fill_table(left_key, lefts, slot_key, slot_row);
        /* In one step a tile is fetched, the one before probed, the one before that written out. */
#pragma unroll 1
    for (int step = 0; step * TILE < rights + 2 * TILE; step++) {
        if (helper < 0) {
            if (step >= 1)
                probe_tile(key[(step - 1) & 1], min(TILE, rights - (step - 1) * TILE), slot_key, slot_row,
                           payload, found[(step - 1) & 1]);
        } else {
            int end = min(TILE, rights - step * TILE), before = min(TILE, rights - (step - 2) * TILE);
#pragma unroll 1
            for (int i = helper; i < end; i += HELPERS)
                key[step & 1][i] = right.key[right_from + step * TILE + i];
#pragma unroll 1
            for (int i = helper; step >= 2 && i < before; i += HELPERS)
                result[right.number[right_from + (step - 2) * TILE + i]] = found[step & 1][i];
        }
        __syncthreads();
    }
}

/* A table scattered into partitions that begin at first[]. */
static struct rows partition(const int *d_key, const int *d_number, int n, int partitions, int **d_first)
{
    struct rows to = {(int *)device_alloc(n * sizeof(int)), (int *)device_alloc(n * sizeof(int))};
    int *d_counts = (int *)device_alloc(partitions * sizeof(int)),
        *d_next = (int *)device_alloc(partitions * sizeof(int));
    *d_first = (int *)device_alloc((partitions + 1) * sizeof(int));
    CHECK(cudaMemset(d_counts, 0, partitions * sizeof(int)));
    count_rows<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_key, n, partitions, d_counts);
    sum_up<<<1, SCAN_BLOCK>>>(d_counts, partitions, *d_first, d_next);
    scatter_rows<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_key, d_number, n, partitions, d_next, to);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d_counts));
    CHECK(cudaFree(d_next));
    return to;
}

int main(int argc, char **argv)
{
    static const int lefts[] = {3000, 80000, 1200000}, repeats[] = {1, 1, 2};
    int size = parse_size(argc, argv), m = lefts[size], n = 4 * m, partitions = m / (LEFTS / 2);
    int *key = (int *)host_alloc(m * sizeof(int)), *payload = (int *)host_alloc(m * sizeof(int));
    int *right_key = (int *)host_alloc(n * sizeof(int)), *got = (int *)host_alloc(n * sizeof(int));
    uint32_t seed = 20265;
    for (int i = 0; i < m; i++) {
        key[i] = 3 * i + (int)(next_random(&seed) >> 8) % 3;
        payload[i] = (int)(next_random(&seed) >> 1);
    }
    for (int i = 0; i < n; i++) /* one in five is likely to have no partner */
        right_key[i] = key[(next_random(&seed) >> 1) % (unsigned)m] + ((next_random(&seed) >> 8) % 5 == 0);
    int *d_key = (int *)device_copy(key, m * sizeof(int)),
        *d_payload = (int *)device_copy(payload, m * sizeof(int));
    int *d_right = (int *)device_copy(right_key, n * sizeof(int)),
        *d_result = (int *)device_alloc(n * sizeof(int));
    for (int r = 0; r < repeats[size]; r++) {
        int *d_left_first, *d_right_first;
        struct rows left = partition(d_key, d_payload, m, partitions, &d_left_first);
        struct rows right = partition(d_right, NULL, n, partitions, &d_right_first);
        join_partitions<<<partitions, JOIN_BLOCK>>>(left, d_left_first, right, d_right_first, d_result);
        CHECK(cudaDeviceSynchronize());
        int *all[] = {left.key, left.number, right.key, right.number, d_left_first, d_right_first};
        for (int *p : all)
            CHECK(cudaFree(p));
    }
    fetch(got, d_result, n * sizeof(int));

    long wrong = 0;
    for (int i = 0; i < n; i++) { /* key 3 * i + 0 .. 2 is row i's */
        int row = right_key[i] / 3;
        wrong += got[i] != (row < m && key[row] == right_key[i] ? payload[row] : NONE);
    }
    int *all[] = {d_key, d_payload, d_right, d_result};
    for (int *p : all)
        CHECK(cudaFree(p));
    free(key), free(payload), free(right_key), free(got);
    return verdict("hash_join", wrong);
}
// SPDX-License-Identifier: Apache-2.0
