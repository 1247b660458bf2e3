/* Single-source shortest paths, delta-stepping with a near and a far pile: vertices whose distance fell
 * below the limit are relaxed in the next round, the others wait until the limit rises. A thread relaxes a
 * frontier vertex, but a vertex of high degree is given to the whole warp. Divergence, scattered atomic
 * minima, few registers. */
#include "../graph.h"

#define FAR_AWAY 0x7fffffff

struct piles {
    int *near_pile, *far_pile;
    int *counts;    /* [0] near, [1] far */
    int *near_mark; /* the round a vertex was last put on the near pile in */
    int *far_mark;  /* 1 while it is on the far pile */
};

__device__ static inline void relax(int v, int distance, int *dist, const struct piles &p, int round,
                                    int limit)
{
    if (atomicMin(&dist[v], distance) <= distance)
        return;
    if (distance < limit) {
        if (atomicExch(&p.near_mark[v], round) != round)
            p.near_pile[atomicAdd(&p.counts[0], 1)] = v;
    } else if (!atomicExch(&p.far_mark[v], 1)) {
        p.far_pile[atomicAdd(&p.counts[1], 1)] = v;
    }
}

/* A distance may fall while its vertex is being relaxed; then the vertex is on the new pile, and relaxed
 * again. */
__global__ void relax_pile(const int *start, const int *to, const int *weight, const int *pile, int count,
                           int *dist, struct piles p, int round, int limit)
{
    int i = blockIdx.x * GRAPH_BLOCK + threadIdx.x, lane = threadIdx.x % 32;
    int u = i < count ? pile[i] : -1;
    int first = u >= 0 ? start[u] : 0, end = u >= 0 ? start[u + 1] : 0;
    int distance = u >= 0 ? *(volatile int *)&dist[u] : 0;
    unsigned heavy = __ballot_sync(0xffffffffu, end - first >= GRAPH_MID);
    for (unsigned left = heavy; left; left &= left - 1) {
        int owner = __ffs(left) - 1;
        int its_end = __shfl_sync(0xffffffffu, end, owner),
            its_distance = __shfl_sync(0xffffffffu, distance, owner);
        int its_first = __shfl_sync(0xffffffffu, first, owner);
#pragma unroll 1
        for (int e = its_first + lane; e < its_end; e += 32)
            relax(to[e], its_distance + weight[e], dist, p, round, limit);
    }
    if (heavy >> lane & 1)
        return;
#pragma unroll 1
    for (int e = first; e < end; e++)
        relax(to[e], distance + weight[e], dist, p, round, limit);
}

/* The far pile after the limit rose from `from`: to the near pile, to a new far pile, or dropped as
 * settled before. */
__global__ void split_far(const int *pile, int count, const int *dist, struct piles p, int from, int limit)
{
    int i = blockIdx.x * GRAPH_BLOCK + threadIdx.x;
    if (i >= count)
        return;
    int v = pile[i], distance = dist[v];
    if (distance >= limit) {
        p.far_pile[atomicAdd(&p.counts[1], 1)] = v;
        return;
    }
    p.far_mark[v] = 0;
    if (distance >= from)
        p.near_pile[atomicAdd(&p.counts[0], 1)] = v;
}

static void swap(int **a, int **b)
{
    int *t = *a;
    *a = *b, *b = t;
}

static void device_sssp(const struct device_graph *g, int source, int delta, int *d_dist)
{
    size_t bytes = g->n * sizeof(int);
    struct piles p;
    int *d_near = (int *)device_alloc(bytes), *d_far = (int *)device_alloc(bytes);
    int *marks = (int *)host_alloc(bytes), zero = 0;
    p.near_mark = (int *)device_copy(marks, bytes), p.far_mark = (int *)device_copy(marks, bytes);
    p.near_pile = (int *)device_alloc(bytes), p.far_pile = (int *)device_alloc(bytes);
    p.counts = (int *)device_alloc(2 * sizeof(int));
    for (int v = 0; v < g->n; v++)
        marks[v] = FAR_AWAY;
    CHECK(cudaMemcpy(d_dist, marks, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_dist + source, &zero, sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_near, &source, sizeof(int), cudaMemcpyHostToDevice));

    int counts[2] = {1, 0}, limit = delta;
    for (int round = 1; counts[0] || counts[1]; round++) {
        if (counts[0]) {
            CHECK(cudaMemset(p.counts, 0, sizeof(int)));
            relax_pile<<<graph_ctas(counts[0]), GRAPH_BLOCK>>>(g->start, g->to, g->weight, d_near, counts[0],
                                                               d_dist, p, round, limit);
        } else {
            swap(&p.far_pile, &d_far);
            CHECK(cudaMemset(p.counts, 0, 2 * sizeof(int)));
            split_far<<<graph_ctas(counts[1]), GRAPH_BLOCK>>>(d_far, counts[1], d_dist, p, limit,
                                                              limit + delta);
            limit += delta;
        }
        fetch(counts, p.counts, sizeof(counts));
        swap(&p.near_pile, &d_near);
    }
    int *all[] = {d_near, d_far, p.near_mark, p.far_mark, p.near_pile, p.far_pile, p.counts};
    for (int *d : all)
        CHECK(cudaFree(d));
    free(marks);
}

/* Relaxes from a queue that holds a vertex at most once, until nothing improves. */
static void host_sssp(const struct graph *g, int source, int *dist)
{
    int *queue = (int *)host_alloc(g->n * sizeof(int)), *queued = (int *)host_alloc(g->n * sizeof(int));
    int head = 0, waiting = 1;
    for (int v = 0; v < g->n; v++)
        dist[v] = FAR_AWAY;
    dist[source] = 0, queue[0] = source;
    while (waiting) {
        int u = queue[head];
        head = (head + 1) % g->n, waiting--, queued[u] = 0;
        for (int e = g->start[u]; e < g->start[u + 1]; e++) {
            int v = g->to[e], d = dist[u] + g->weight[e];
            if (d >= dist[v])
                continue;
            dist[v] = d;
            if (!queued[v]) {
                queue[(head + waiting) % g->n] = v;
                waiting++, queued[v] = 1;
            }
        }
    }
    free(queue), free(queued);
}

int main(int argc, char **argv)
{
    static const int vertices[] = {1024, 65536, 262144}, sources[] = {1, 1, 5};
    int size = parse_size(argc, argv), n = vertices[size];
    struct edges e = random_edges(n, 16 * n, 0, 0, 20254);
    struct graph g = graph_of(n, &e, 0);
    free_edges(&e);
    size_t bytes = n * sizeof(int);
    int *dist = (int *)host_alloc(bytes), *want = (int *)host_alloc(bytes),
        *d_dist = (int *)device_alloc(bytes);
    struct device_graph d = graph_to_device(&g);
    long wrong = 0;
    for (int s = 0; s < sources[size]; s++) {
        int source = g.order[(size_t)s * n / 7];
        device_sssp(&d, source, 32, d_dist);
        fetch(dist, d_dist, bytes);
        host_sssp(&g, source, want);
        for (int v = 0; v < n; v++)
            wrong += dist[v] != want[v];
    }
    free_device_graph(&d);
    CHECK(cudaFree(d_dist));
    free_graph(&g);
    free(dist), free(want);
    return verdict("sssp", wrong);
}
// SPDX-License-Identifier: Apache-2.0
