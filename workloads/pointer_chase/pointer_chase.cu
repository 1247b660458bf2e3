/* Each thread follows pointers through a ring of 128-byte nodes in random order: every load needs the one
 * before it, so that the time of a hop is the latency of the level that holds the ring. A CTA is one warp
 * with --lanes threads in it (1: a plain chase; 32: a gather of unrelated lines); --kb is the footprint. No
 * reuse of registers, one load in flight for each warp. */
#include "../workload.h"

#define UNROLL 16

struct node {
    struct node *next;
    char rest[120]; /* a line of its own */
};

__global__ void chase(struct node *const *start, struct node **end, int hops)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    struct node *p = start[i];
#pragma unroll 1
    for (int done = 0; done < hops; done += UNROLL) {
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            p = p->next;
    }
    end[i] = p;
}

/* Fisher and Yates. */
static void shuffle(int *order, int n)
{
    uint32_t seed = 577215;
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int k = next_random(&seed) % (i + 1), t = order[i];
        order[i] = order[k];
        order[k] = t;
    }
}

int main(int argc, char **argv)
{
    static const int ctas_of[] = {16, 128, 2560}, hops_of[] = {1024, 8192, 20480};
    int kb = 512, lanes = 1;
    const struct choice options[] = {{"kb", NULL, &kb}, {"lanes", NULL, &lanes}};
    int size = parse_args(argc, argv, options, 2), ctas = ctas_of[size], hops = hops_of[size];
    if (kb < 4 || kb > 256 * 1024 || lanes > 32) {
        fprintf(stderr, "pointer_chase: --kb is 4 to 262144, --lanes 1 to 32\n");
        return 2;
    }

    int nodes = kb * 8, threads = ctas * lanes;
    int *order = (int *)host_alloc(nodes * sizeof *order);
    struct node *ring = (struct node *)host_alloc((size_t)nodes * sizeof *ring);
    struct node *d_ring = (struct node *)device_alloc((size_t)nodes * sizeof *ring);
    shuffle(order, nodes);
    for (int i = 0; i < nodes; i++)
        ring[order[i]].next = &d_ring[order[(i + 1) % nodes]];
    CHECK(cudaMemcpy(d_ring, ring, (size_t)nodes * sizeof *ring, cudaMemcpyHostToDevice));

    /* Starts are spread evenly around the ring. */
    struct node **start = (struct node **)host_alloc(threads * sizeof *start);
    struct node **end = (struct node **)host_alloc(threads * sizeof *end);
    for (int i = 0; i < threads; i++)
        start[i] = &d_ring[order[(size_t)i * nodes / threads]];
    struct node **d_start = (struct node **)device_copy(start, threads * sizeof *start);
    struct node **d_end = (struct node **)device_alloc(threads * sizeof *end);
    chase<<<ctas, lanes>>>(d_start, d_end, hops);
    fetch(end, d_end, threads * sizeof *end);

    long wrong = 0;
    for (int i = 0; i < threads; i++)
        wrong += end[i] != &d_ring[order[((size_t)i * nodes / threads + hops) % nodes]];
    CHECK(cudaFree(d_ring));
    CHECK(cudaFree(d_start));
    CHECK(cudaFree(d_end));
    free(order), free(ring), free(start), free(end);
    return verdict("pointer_chase", wrong);
}
// SPDX-License-Identifier: Apache-2.0
