/* PageRank by pulling over the edges that enter a vertex: rank = (1 - d) + d * (sum of weight * rank /
 * weight out, and an equal share of what dangling vertices hold), until the ranks stand still. Ranks are
 * scaled so that their mean is 1. Scattered single-word loads and few registers that are read over and
 * over. */
#include "../graph_pull.h"

#define DAMPING 0.85f

/* What each vertex hands to one unit of weight of its edges; dangling += the rank of vertices without
 * edges. */
__global__ void share_out(const float *rank, const int *weight_out, float *share, float *dangling, int n)
{
    __shared__ float scratch[GRAPH_BLOCK / 32];
    int v = blockIdx.x * GRAPH_BLOCK + threadIdx.x;
    float lost = 0;
    if (v < n) {
        int w = weight_out[v];
        share[v] = w ? rank[v] / (float)w : 0.0f;
        lost = w ? 0.0f : rank[v];
    }
    lost = block_sum(lost, scratch);
    if (threadIdx.x == 0)
        atomicAdd(dangling, lost);
}

static void host_pagerank(const struct graph *in, const int *weight_out, int rounds, double *rank)
{
    int n = in->n;
    double *share = (double *)host_alloc(n * sizeof(double));
    for (int v = 0; v < n; v++)
        rank[v] = 1;
    for (int r = 0; r < rounds; r++) {
        double dangling = 0;
        for (int v = 0; v < n; v++) {
            share[v] = weight_out[v] ? rank[v] / weight_out[v] : 0;
            dangling += weight_out[v] ? 0 : rank[v];
        }
        host_pull(in, 1, share, rank, DAMPING, 1 - DAMPING + DAMPING * dangling / n);
    }
    free(share);
}

int main(int argc, char **argv)
{
    static const int vertices[] = {1024, 65536, 262144}, most_rounds[] = {3, 2, 30};
    int size = parse_size(argc, argv), n = vertices[size];
    struct edges e = random_edges(n, 16 * n, 0, 0, 20251);
    struct graph in = graph_of(n, &e, 1);
    int *weight_out = (int *)host_alloc(n * sizeof(int));
    for (int i = 0; i < e.m; i++)
        weight_out[e.from[i]] += e.weight[i];
    free_edges(&e);

    size_t bytes = n * sizeof(float);
    float *rank = (float *)host_alloc(bytes), *want = (float *)host_alloc(bytes);
    for (int v = 0; v < n; v++)
        rank[v] = 1;
    struct pull_graph d_in = pull_prepare(&in);
    int *d_weight_out = (int *)device_copy(weight_out, n * sizeof(int));
    float *d_rank = (float *)device_copy(rank, bytes), *d_next = (float *)device_alloc(bytes);
    float *d_share = (float *)device_alloc(bytes), *d_total = (float *)device_alloc(sizeof(float));
    int rounds = 0;
    for (float change = (float)n; rounds < most_rounds[size] && change > 1e-6f * n; rounds++) {
        float dangling;
        CHECK(cudaMemset(d_total, 0, sizeof(float)));
        share_out<<<graph_ctas(n), GRAPH_BLOCK>>>(d_rank, d_weight_out, d_share, d_total, n);
        fetch(&dangling, d_total, sizeof(float));
        pull<true>(&d_in, d_share, d_next, DAMPING, 1 - DAMPING + DAMPING * dangling / n);
        change = device_change(d_next, d_rank, n, d_total);
        float *t = d_rank;
        d_rank = d_next, d_next = t;
    }
    fetch(rank, d_rank, bytes);

    /* Sums of at most a few thousand positive terms: their relative error stays far below the tolerance. */
    double *exact = (double *)host_alloc(n * sizeof(double));
    host_pagerank(&in, weight_out, rounds, exact);
    for (int v = 0; v < n; v++)
        want[v] = (float)exact[v];
    long wrong = count_off(rank, want, n, 1e-4f);
    pull_free(&d_in);
    CHECK(cudaFree(d_weight_out));
    CHECK(cudaFree(d_rank));
    CHECK(cudaFree(d_next));
    CHECK(cudaFree(d_share));
    CHECK(cudaFree(d_total));
    free_graph(&in);
    free(weight_out), free(rank), free(want), free(exact);
    return verdict("pagerank", wrong);
}
// SPDX-License-Identifier: Apache-2.0
