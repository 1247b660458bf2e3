/* The K records nearest to a place: a thread computes the distance of one (latitude, longitude) record
 * from the target, the host picks the smallest. Few instructions and registers a thread and nothing
 * reused: a streaming kernel whose two loads a record have a stride of two words. */
#include "../workload.h"

#define BLOCK 256
#define NEAREST 10
#define MAX_GRID_X 4096

struct place {
    float lat, lng;
};

__global__ void distances(const struct place *__restrict__ records, float *__restrict__ out, int n,
                          struct place target)
{
    int i = (blockIdx.y * gridDim.x + blockIdx.x) * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    float lat = target.lat - records[i].lat, lng = target.lng - records[i].lng;
    out[i] = sqrtf(lat * lat + lng * lng);
}

static float distance_on_host(struct place a, struct place b)
{
    float lat = a.lat - b.lat, lng = a.lng - b.lng;
    return sqrtf(lat * lat + lng * lng);
}

/* The NEAREST smallest values in ascending order: insertion into a short list, as the list is almost never
 * touched. */
static void pick_nearest(const float *d, int n, float *best)
{
    for (int k = 0; k < NEAREST; k++)
        best[k] = INFINITY;
    for (int i = 0; i < n; i++) {
        if (!(d[i] < best[NEAREST - 1]))
            continue;
        int k = NEAREST - 1;
        for (; k > 0 && best[k - 1] > d[i]; k--)
            best[k] = best[k - 1];
        best[k] = d[i];
    }
}

int main(int argc, char **argv)
{
    static const int sizes[] = {42764, 4276400, 8552800}, queries[] = {2, 1, 12};
    int size = parse_size(argc, argv), n = sizes[size];
    struct place *records = (struct place *)host_alloc(n * sizeof *records);
    float *got = (float *)host_alloc(n * sizeof *got), *want = (float *)host_alloc(n * sizeof *want);
    uint32_t seed = 42764;
    for (int i = 0; i < n; i++) {
        records[i].lat = 7 + 56 * next_float(&seed);
        records[i].lng = 358 * next_float(&seed);
    }
    struct place *d_records = (struct place *)device_copy(records, n * sizeof *records);
    float *d_out = (float *)device_alloc(n * sizeof *d_out);
    int ctas = (n + BLOCK - 1) / BLOCK, rows = (ctas + MAX_GRID_X - 1) / MAX_GRID_X;
    dim3 grid((ctas + rows - 1) / rows, rows);

    long wrong = 0;
    for (int q = 0; q < queries[size]; q++) {
        struct place target = {30.0f + 3 * q, 90.0f + 11 * q};
        distances<<<grid, BLOCK>>>(d_records, d_out, n, target);
        fetch(got, d_out, n * sizeof *got);
        for (int i = 0; i < n; i++)
            want[i] = distance_on_host(target, records[i]);
        float nearest[NEAREST], wanted[NEAREST];
        pick_nearest(got, n, nearest);
        pick_nearest(want, n, wanted);
        /* Both round correctly; one fused multiply-add more or less is half an ulp of the sum. */
        wrong += count_off(got, want, n, 1e-6f) + count_off(nearest, wanted, NEAREST, 1e-6f);
    }
    CHECK(cudaFree(d_records));
    CHECK(cudaFree(d_out));
    free(records), free(got), free(want);
    return verdict("nn", wrong);
}
// SPDX-License-Identifier: Apache-2.0
