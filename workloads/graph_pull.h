/* y = alpha * A x + beta over a graph's rows, the step that pagerank, katz and hits repeat. The rows are
 * cut into blocks of PULL_EDGES edges, a CTA each: all threads fetch edges side by side and leave the
 * products in shared memory, then one or a few threads add up a row. A row that is longer than a block is
 * added up by its CTA as a whole. Gathers from all over x, between them short chains of multiply-adds and
 * shared loads on few registers. */
#ifndef GRAPH_PULL_H
#define GRAPH_PULL_H

#include "graph.h"

#define PULL_EDGES 1024

/* A graph's rows in blocks: block b is rows [block[b], block[b + 1]). */
struct pull_graph {
    struct device_graph g;
    int *block, blocks;
};

static inline struct pull_graph pull_prepare(const struct graph *g)
{
    struct pull_graph p = {graph_to_device(g), NULL, 0};
    int *block = (int *)host_alloc((size_t)(g->n + 1) * sizeof(int));
    for (int v = 0; v < g->n; p.blocks++) {
        block[p.blocks] = v;
        int first = g->start[v++];
        while (v < g->n && v - block[p.blocks] < GRAPH_BLOCK && g->start[v + 1] - first <= PULL_EDGES)
            v++;
    }
    block[p.blocks] = g->n;
    p.block = (int *)device_copy(block, (size_t)(p.blocks + 1) * sizeof(int));
    free(block);
    return p;
}

static inline void pull_free(struct pull_graph *p)
{
    free_device_graph(&p->g);
    CHECK(cudaFree(p->block));
}

struct pull_args {
    const int *start, *to, *weight, *block;
    const float *x;
    float *y;
    float alpha, beta;
};

template <bool WEIGHTED> __device__ static inline float pull_edge(const struct pull_args &a, int e)
{
    return WEIGHTED ? (float)a.weight[e] * a.x[a.to[e]] : a.x[a.to[e]];
}

template <bool WEIGHTED> __global__ void __launch_bounds__(GRAPH_BLOCK) pull_rows(struct pull_args a)
{
    __shared__ float product[PULL_EDGES];
    int row = a.block[blockIdx.x], rows = a.block[blockIdx.x + 1] - row;
    int first = a.start[row], edges = a.start[row + rows] - first;
    if (edges > PULL_EDGES) { /* one long row */
        float sum = 0;
#pragma unroll 4
        for (int e = threadIdx.x; e < edges; e += GRAPH_BLOCK)
            sum += pull_edge<WEIGHTED>(a, first + e);
        sum = block_sum(sum, product);
        if (threadIdx.x == 0)
            a.y[row] = a.alpha * sum + a.beta;
        return;
    }
#pragma unroll
    for (int e = threadIdx.x; e < PULL_EDGES; e += GRAPH_BLOCK)
        if (e < edges)
            product[e] = pull_edge<WEIGHTED>(a, first + e);
    __syncthreads();
    /* 1 << shift lanes a row: as many as there are, at most a warp. */
    int shift = 5;
#pragma unroll 1
    while (rows << shift > GRAPH_BLOCK)
        shift--;
    int r = (int)threadIdx.x >> shift, lane = (int)threadIdx.x & ((1 << shift) - 1), e = 0, end = 0;
    float sum = 0;
    if (r < rows) {
        e = a.start[row + r] - first + lane;
        end = a.start[row + r + 1] - first;
    }
#pragma unroll 1
    for (; e < end; e += 1 << shift)
        sum += product[e];
#pragma unroll 1
    for (int step = 1 << shift >> 1; step; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (r < rows && lane == 0)
        a.y[row + r] = a.alpha * sum + a.beta;
}

template <bool WEIGHTED>
static inline void pull(const struct pull_graph *p, const float *x, float *y, float alpha, float beta)
{
    const struct device_graph *g = &p->g;
    struct pull_args a = {g->start, g->to, g->weight, p->block, x, y, alpha, beta};
    pull_rows<WEIGHTED><<<p->blocks, GRAPH_BLOCK>>>(a);
}

/* The same in double precision on the host. */
static inline void host_pull(const struct graph *g, int weighted, const double *x, double *y, double alpha,
                             double beta)
{
    for (int v = 0; v < g->n; v++) {
        double sum = 0;
        for (int e = g->start[v]; e < g->start[v + 1]; e++)
            sum += weighted ? g->weight[e] * x[g->to[e]] : x[g->to[e]];
        y[v] = alpha * sum + beta;
    }
}

/* *total += the sum of |a - b|, or of |a| where b is NULL. */
__global__ void sum_of_changes(const float *a, const float *b, int n, float *total)
{
    __shared__ float scratch[GRAPH_BLOCK / 32];
    int i = blockIdx.x * GRAPH_BLOCK + threadIdx.x;
    float change = i < n ? fabsf(b ? a[i] - b[i] : a[i]) : 0.0f;
    change = block_sum(change, scratch);
    if (threadIdx.x == 0)
        atomicAdd(total, change);
}

static inline float device_change(const float *a, const float *b, int n, float *d_total)
{
    float total = 0;
    CHECK(cudaMemset(d_total, 0, sizeof(float)));
    sum_of_changes<<<graph_ctas(n), GRAPH_BLOCK>>>(a, b, n, d_total);
    fetch(&total, d_total, sizeof(float));
    return total;
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
