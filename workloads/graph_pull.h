/* y = alpha * A x + beta over a graph's rows, the step that pagerank, katz and hits repeat: each vertex
 * gathers from its neighbours, in the three classes of graph.h. Scattered loads, few registers, long loops
 * of multiply-adds in the high class. */
#ifndef GRAPH_PULL_H
#define GRAPH_PULL_H

#include "graph.h"

struct pull_args {
    const int *start, *to, *weight, *order; /* weight NULL: all edges weigh 1 */
    const float *x;
    float *y;
    float alpha, beta;
};

template <bool WEIGHTED>
__device__ static inline float pull_edges(const struct pull_args &a, int vertex, int first, int step)
{
    float sum = 0;
    int end = a.start[vertex + 1];
#pragma unroll 1
    for (int e = a.start[vertex] + first; e < end; e += step)
        sum += WEIGHTED ? (float)a.weight[e] * a.x[a.to[e]] : a.x[a.to[e]];
    return sum;
}

template <bool WEIGHTED> __global__ void pull_high(struct pull_args a)
{
    __shared__ float scratch[GRAPH_BLOCK / 32];
    int vertex = a.order[blockIdx.x];
    float sum = block_sum(pull_edges<WEIGHTED>(a, vertex, threadIdx.x, GRAPH_BLOCK), scratch);
    if (threadIdx.x == 0)
        a.y[vertex] = a.alpha * sum + a.beta;
}

template <bool WEIGHTED> __global__ void pull_mid(struct pull_args a, int first, int count)
{
    int warp = (blockIdx.x * GRAPH_BLOCK + threadIdx.x) / 32;
    if (warp >= count)
        return;
    int vertex = a.order[first + warp];
    float sum = warp_sum(pull_edges<WEIGHTED>(a, vertex, threadIdx.x % 32, 32));
    if (threadIdx.x % 32 == 0)
        a.y[vertex] = a.alpha * sum + a.beta;
}

template <bool WEIGHTED> __global__ void pull_low(struct pull_args a, int first, int count)
{
    int i = blockIdx.x * GRAPH_BLOCK + threadIdx.x;
    if (i >= count)
        return;
    int vertex = a.order[first + i];
    a.y[vertex] = a.alpha * pull_edges<WEIGHTED>(a, vertex, 0, 1) + a.beta;
}

template <bool WEIGHTED>
static inline void pull(const struct device_graph *g, const float *x, float *y, float alpha, float beta)
{
    struct pull_args a = {g->start, g->to, WEIGHTED ? g->weight : NULL, g->order, x, y, alpha, beta};
    int low = g->n - g->high - g->mid;
    if (g->high)
        pull_high<WEIGHTED><<<g->high, GRAPH_BLOCK>>>(a);
    if (g->mid)
        pull_mid<WEIGHTED><<<graph_ctas(32 * g->mid), GRAPH_BLOCK>>>(a, g->high, g->mid);
    if (low)
        pull_low<WEIGHTED><<<graph_ctas(low), GRAPH_BLOCK>>>(a, g->high + g->mid, low);
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
