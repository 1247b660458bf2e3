/* What the graph programs share: random graphs with a few vertices of high degree, as CSR arrays. The
 * expected degree of vertex v falls as v^-1/2: vertices are numbered by degree, as graph libraries
 * renumber them. These libraries treat vertices in three classes by degree: a CTA each, a warp each, a few
 * threads each; `order` lists them by class, high first. */
#ifndef GRAPH_H
#define GRAPH_H

#include "workload.h"

#define GRAPH_BLOCK 256
#define GRAPH_MID 32    /* edges from which on a vertex gets a warp of its own */
#define GRAPH_HIGH 1024 /* ... a CTA */

struct graph {
    int n, m;
    int *start; /* n + 1 */
    int *to;    /* m */
    int *weight;
    int *order;    /* vertices by class */
    int high, mid; /* how many of them have at least GRAPH_HIGH, and between GRAPH_MID and that */
};

struct device_graph {
    int n, m, high, mid;
    int *start, *to, *weight, *order;
};

struct edges {
    int m;
    int *from, *to, *weight;
};

static inline int graph_class(int degree) { return degree >= GRAPH_HIGH ? 0 : degree >= GRAPH_MID ? 1 : 2; }

/* The degree classes; the order within a class is that of the vertices' numbers. */
static inline void graph_classes(struct graph *g)
{
    int count[3] = {0, 0, 0}, place[3];
    for (int v = 0; v < g->n; v++)
        count[graph_class(g->start[v + 1] - g->start[v])]++;
    place[0] = 0, place[1] = count[0], place[2] = count[0] + count[1];
    for (int v = 0; v < g->n; v++)
        g->order[place[graph_class(g->start[v + 1] - g->start[v])]++] = v;
    g->high = count[0], g->mid = count[1];
}

/* The graph whose row v holds the edges that leave v, or with `reverse` those that enter it. */
static inline struct graph graph_of(int n, const struct edges *e, int reverse)
{
    struct graph g = {n, e->m, NULL, NULL, NULL, NULL, 0, 0};
    const int *row = reverse ? e->to : e->from, *column = reverse ? e->from : e->to;
    g.start = (int *)host_alloc((size_t)(n + 1) * sizeof(int));
    g.to = (int *)host_alloc((size_t)e->m * sizeof(int));
    g.weight = (int *)host_alloc((size_t)e->m * sizeof(int));
    g.order = (int *)host_alloc((size_t)n * sizeof(int));
    int *place = (int *)host_alloc((size_t)(n + 1) * sizeof(int));
    for (int i = 0; i < e->m; i++)
        g.start[row[i] + 1]++;
    for (int v = 0; v < n; v++)
        g.start[v + 1] += g.start[v];
    memcpy(place, g.start, (size_t)n * sizeof(int));
    for (int i = 0; i < e->m; i++) {
        int at = place[row[i]]++;
        g.to[at] = column[i];
        g.weight[at] = e->weight[i];
    }
    free(place);
    graph_classes(&g);
    return g;
}

/* A vertex of a graph of n, low numbers more often. */
static inline int random_vertex(int n, uint32_t *seed)
{
    double r = next_random(seed) * 0x1p-32;
    return (int)(n * r * r);
}

/* `pairs` random edges without loops, weights 1 to 64; `near_percent` of them inside a group of 64
 * vertices; with `both` each edge also the other way round. */
static inline struct edges random_edges(int n, int pairs, int near_percent, int both, uint32_t seed)
{
    struct edges e = {both ? 2 * pairs : pairs, NULL, NULL, NULL};
    e.from = (int *)host_alloc((size_t)e.m * sizeof(int));
    e.to = (int *)host_alloc((size_t)e.m * sizeof(int));
    e.weight = (int *)host_alloc((size_t)e.m * sizeof(int));
    for (int i = 0; i < pairs; i++) {
        int u = random_vertex(n, &seed), v;
        do {
            int near_by = (int)(next_random(&seed) >> 8) % 100 < near_percent;
            v = near_by ? (u & ~63) | (int)(next_random(&seed) >> 26) : random_vertex(n, &seed);
        } while (u == v);
        int w = 1 + (int)(next_random(&seed) >> 26);
        e.from[i] = u, e.to[i] = v, e.weight[i] = w;
        if (both)
            e.from[pairs + i] = v, e.to[pairs + i] = u, e.weight[pairs + i] = w;
    }
    return e;
}

static inline void free_edges(struct edges *e) { free(e->from), free(e->to), free(e->weight); }

static inline void free_graph(struct graph *g)
{
    free(g->start), free(g->to), free(g->weight), free(g->order);
}

static inline struct device_graph graph_to_device(const struct graph *g)
{
    struct device_graph d = {g->n, g->m, g->high, g->mid, NULL, NULL, NULL, NULL};
    d.start = (int *)device_copy(g->start, (size_t)(g->n + 1) * sizeof(int));
    d.to = (int *)device_copy(g->to, (size_t)g->m * sizeof(int));
    d.weight = (int *)device_copy(g->weight, (size_t)g->m * sizeof(int));
    d.order = (int *)device_copy(g->order, (size_t)g->n * sizeof(int));
    return d;
}

static inline void free_device_graph(struct device_graph *d)
{
    CHECK(cudaFree(d->start));
    CHECK(cudaFree(d->to));
    CHECK(cudaFree(d->weight));
    CHECK(cudaFree(d->order));
}

static inline int graph_ctas(int threads) { return (threads + GRAPH_BLOCK - 1) / GRAPH_BLOCK; }

__device__ static inline float warp_sum(float s)
{
#pragma unroll
    for (int step = 16; step; step /= 2)
        s += __shfl_down_sync(0xffffffffu, s, step);
    return s;
}

/* The sum over a CTA of GRAPH_BLOCK threads, in thread 0; `scratch` of one word a warp. */
__device__ static inline float block_sum(float s, float *scratch)
{
    s = warp_sum(s);
    if (threadIdx.x % 32 == 0)
        scratch[threadIdx.x / 32] = s;
    __syncthreads();
    return threadIdx.x < 32 ? warp_sum(threadIdx.x < GRAPH_BLOCK / 32 ? scratch[threadIdx.x] : 0.0f) : 0.0f;
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
