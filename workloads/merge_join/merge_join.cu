/* Merge join of two sorted tables, the left one with unique keys: for each right row the payload of its
 * partner, by merge paths. A first kernel finds by binary search where tiles of the merged sequence begin;
 * then each CTA merges a row of tiles: the three helpers fetch the next tile into shared memory and write
 * out the tile before, warp 0 merges, each lane a stretch of the tile that it finds by a binary search of
 * its own. One long, divergent warp in four. */
#include "../workload.h"

#define BLOCK 128  /* threads: one merging warp, three helpers */
#define HELPERS 96 /* threads */
#define TILE 256   /* rows of both tables together */
#define TILES 4    /* of a CTA */
#define NONE (-1)

struct table {
    const int *key, *payload;
    int rows;
};

/* How many left rows are among the first `diagonal` of the merged sequence; a left row goes before equal
 * right rows. */
__device__ static inline int split(const int *left, int lefts, const int *right, int rights, int diagonal)
{
    int low = max(0, diagonal - rights), high = min(diagonal, lefts);
#pragma unroll 1
    while (low < high) {
        int middle = (low + high) / 2;
        if (left[middle] <= right[diagonal - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__global__ void __launch_bounds__(BLOCK)
    find_splits(struct table left, struct table right, int *splits, int tiles)
{
    int t = blockIdx.x * BLOCK + threadIdx.x;
    if (t <= tiles)
        splits[t] = split(left.key, left.rows, right.key, right.rows, min(t * TILE, left.rows + right.rows));
}

/* One tile in shared memory; lefts has the left row before the tile at [0], or a copy of the first. */
struct tile {
    int left_key[TILE + 1], left_payload[TILE + 1], right_key[TILE], result[TILE];
};

struct range {
    int left, lefts, right, rights;
};

__device__ static inline struct range tile_range(const int *splits, int t, int tiles, int all)
{
    struct range r = {0, 0, 0, 0};
    if (t >= tiles)
        return r;
    r.left = splits[t];
    r.lefts = splits[t + 1] - r.left;
    r.right = t * TILE - r.left;
    r.rights = min((t + 1) * TILE, all) - splits[t + 1] - r.right;
    return r;
}

__device__ static inline void fetch_rows(struct tile *s, struct range r, struct table left,
                                         struct table right, int helper)
{
#pragma unroll 1
    for (int i = helper; i <= r.lefts; i += HELPERS) {
        int row = min(max(r.left + i - 1, 0), left.rows - 1);
        s->left_key[i] = left.key[row];
        s->left_payload[i] = left.payload[row];
    }
#pragma unroll 1
    for (int i = helper; i < r.rights; i += HELPERS)
        s->right_key[i] = right.key[r.right + i];
}

/* Warp 0: lane l merges rows [l * TILE / 32, (l + 1) * TILE / 32) of the tile. A left row before the
 * table's first is a copy of the first, so it equals a right row only where the first does, and then that
 * one comes before it anyway. */
__device__ static inline void merge_tile(struct tile *s, struct range r)
{
    int at = (int)(threadIdx.x % 32) * (TILE / 32), end = min(at + TILE / 32, r.lefts + r.rights);
    at = min(at, end);
    int i = split(s->left_key + 1, r.lefts, s->right_key, r.rights, at), j = at - i;
#pragma unroll 1
    for (; at < end; at++) {
        if (j >= r.rights || (i < r.lefts && s->left_key[i + 1] <= s->right_key[j])) {
            i++;
        } else {
            s->result[j] = s->left_key[i] == s->right_key[j] ? s->left_payload[i] : NONE;
            j++;
        }
    }
}

__global__ void __launch_bounds__(BLOCK)
    join_tiles(struct table left, struct table right, const int *splits, int tiles, int *result)
{
    __shared__ struct tile s[3]; /* being fetched, merged, written out */
    int helper = (int)threadIdx.x - 32, all = left.rows + right.rows;
#pragma unroll 1
    for (int step = 0; step < TILES + 2; step++) {
        int t = blockIdx.x * TILES + step;
        if (helper < 0) {
            if (step >= 1 && step <= TILES)
                merge_tile(&s[(step - 1) % 3], tile_range(splits, t - 1, tiles, all));
        } else {
            if (step < TILES)
                fetch_rows(&s[step % 3], tile_range(splits, t, tiles, all), left, right, helper);
            if (step >= 2) {
                struct range r = tile_range(splits, t - 2, tiles, all);
#pragma unroll 1
                for (int i = helper; i < r.rights; i += HELPERS)
                    result[r.right + i] = s[(step - 2) % 3].result[i];
            }
        }
        __syncthreads();
    }
}

int main(int argc, char **argv)
{
    static const int lefts[] = {4000, 240000, 1500000}, repeats[] = {1, 1, 5};
    int size = parse_size(argc, argv), m = lefts[size], n = 0;
    int *key = (int *)host_alloc(m * sizeof(int)), *payload = (int *)host_alloc(m * sizeof(int));
    int *right_key = (int *)host_alloc((size_t)m * 4 * sizeof(int));
    uint32_t seed = 20264;
    for (int i = 0, k = 5; i < m; i++) {
        int step = 1 + (int)(next_random(&seed) >> 30), twins = (int)(next_random(&seed) >> 30);
        k += step;
        if (step > 1 && twins == 3)
            right_key[n++] = k - 1; /* without a partner */
        key[i] = k, payload[i] = (int)(next_random(&seed) >> 1);
        while (twins--)
            right_key[n++] = k;
    }
    int *got = (int *)host_alloc(n * sizeof(int));
    int tiles = (m + n + TILE - 1) / TILE;
    int *d_key = (int *)device_copy(key, m * sizeof(int)),
        *d_payload = (int *)device_copy(payload, m * sizeof(int));
    int *d_right = (int *)device_copy(right_key, n * sizeof(int)),
        *d_result = (int *)device_alloc(n * sizeof(int));
    int *d_splits = (int *)device_alloc((tiles + 1) * sizeof(int));
    struct table left = {d_key, d_payload, m}, right = {d_right, NULL, n};
    for (int r = 0; r < repeats[size]; r++) {
        find_splits<<<(tiles + BLOCK) / BLOCK, BLOCK>>>(left, right, d_splits, tiles);
        join_tiles<<<(tiles + TILES - 1) / TILES, BLOCK>>>(left, right, d_splits, tiles, d_result);
    }
    fetch(got, d_result, n * sizeof(int));

    long wrong = 0;
    for (int i = 0, j = 0; j < n; j++) {
        while (i < m && key[i] < right_key[j])
            i++;
        wrong += got[j] != (i < m && key[i] == right_key[j] ? payload[i] : NONE);
    }
    int *all[] = {d_key, d_payload, d_right, d_result, d_splits};
    for (int *p : all)
        CHECK(cudaFree(p));
    free(key), free(payload), free(right_key), free(got);
    return verdict("merge_join", wrong);
}
// SPDX-License-Identifier: Apache-2.0
