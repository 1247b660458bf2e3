/* HITS: hubs point to authorities. Each round pulls authority scores over the edges that enter a vertex
 * and hub scores over those that leave it, and scales both to a mean of 1. Two graphs are walked in turn,
 * so neither settles in a cache. */
#include "../graph_pull.h"

__global__ void scale(float *x, float factor, int n)
{
    int i = blockIdx.x * GRAPH_BLOCK + threadIdx.x;
    if (i < n)
        x[i] *= factor;
}

/* y = A x, then scaled to a mean of 1. */
static void half_round(const struct pull_graph *p, const float *d_x, float *d_y, float *d_total)
{
    int n = p->g.n;
    pull<false>(p, d_x, d_y, 1.0f, 0.0f);
    float total = device_change(d_y, NULL, n, d_total);
    scale<<<graph_ctas(n), GRAPH_BLOCK>>>(d_y, n / total, n);
}

static void host_half_round(const struct graph *g, const double *x, double *y)
{
    double total = 0;
    host_pull(g, 0, x, y, 1, 0);
    for (int v = 0; v < g->n; v++)
        total += y[v];
    for (int v = 0; v < g->n; v++)
        y[v] *= g->n / total;
}

int main(int argc, char **argv)
{
    static const int vertices[] = {1024, 65536, 262144}, most_rounds[] = {2, 1, 7};
    int size = parse_size(argc, argv), n = vertices[size];
    struct edges e = random_edges(n, 16 * n, 0, 0, 20253);
    struct graph in = graph_of(n, &e, 1), out = graph_of(n, &e, 0);
    free_edges(&e);

    size_t bytes = n * sizeof(float);
    float *hub = (float *)host_alloc(bytes), *authority = (float *)host_alloc(bytes),
          *want = (float *)host_alloc(bytes);
    for (int v = 0; v < n; v++)
        hub[v] = 1;
    struct pull_graph d_in = pull_prepare(&in), d_out = pull_prepare(&out);
    float *d_hub = (float *)device_copy(hub, bytes), *d_next = (float *)device_alloc(bytes);
    float *d_authority = (float *)device_alloc(bytes), *d_total = (float *)device_alloc(sizeof(float));
    int rounds = 0;
    for (float change = (float)n; rounds < most_rounds[size] && change > 1e-6f * n; rounds++) {
        half_round(&d_in, d_hub, d_authority, d_total);
        half_round(&d_out, d_authority, d_next, d_total);
        change = device_change(d_next, d_hub, n, d_total);
        float *t = d_hub;
        d_hub = d_next, d_next = t;
    }
    fetch(hub, d_hub, bytes);
    fetch(authority, d_authority, bytes);

    /* All terms are positive: the relative error of a float sum stays far below the tolerance. */
    double *h = (double *)host_alloc(n * sizeof(double)), *a = (double *)host_alloc(n * sizeof(double));
    for (int v = 0; v < n; v++)
        h[v] = 1;
    for (int r = 0; r < rounds; r++) {
        host_half_round(&in, h, a);
        host_half_round(&out, a, h);
    }
    for (int v = 0; v < n; v++)
        want[v] = (float)h[v];
    long wrong = count_off(hub, want, n, 1e-4f);
    for (int v = 0; v < n; v++)
        want[v] = (float)a[v];
    wrong += count_off(authority, want, n, 1e-4f);
    pull_free(&d_in), pull_free(&d_out);
    CHECK(cudaFree(d_hub));
    CHECK(cudaFree(d_next));
    CHECK(cudaFree(d_authority));
    CHECK(cudaFree(d_total));
    free_graph(&in), free_graph(&out);
    free(hub), free(authority), free(want), free(h), free(a);
    return verdict("hits", wrong);
}
// SPDX-License-Identifier: Apache-2.0
