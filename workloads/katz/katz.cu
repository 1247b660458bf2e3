/* Katz centrality: x = alpha * A^T x + 1 by repeated pulling over the weighted edges that enter a vertex,
 * until x stands still; alpha is below the reciprocal of the matrix's largest eigenvalue, so it converges.
 * No division and no second array as in PageRank: nothing but scattered loads and multiply-adds on a
 * handful of registers. */
#include "../graph_pull.h"

/* By power iteration: the growth of the sum of a positive vector in the last of a few steps. */
static double largest_eigenvalue(const struct graph *g)
{
    double *x = (double *)host_alloc(g->n * sizeof(double)), *y = (double *)host_alloc(g->n * sizeof(double));
    double before = g->n, growth = 0;
    for (int v = 0; v < g->n; v++)
        x[v] = 1;
    for (int step = 0; step < 8; step++) {
        host_pull(g, 1, x, y, 1, 0);
        double sum = 0;
        for (int v = 0; v < g->n; v++)
            sum += x[v] = y[v];
        growth = sum / before;
        before = sum;
    }
    free(x), free(y);
    return growth;
}

int main(int argc, char **argv)
{
    static const int vertices[] = {1024, 65536, 262144}, most_rounds[] = {3, 2, 12};
    int size = parse_size(argc, argv), n = vertices[size];
    struct edges e = random_edges(n, 16 * n, 0, 0, 20252);
    struct graph in = graph_of(n, &e, 1);
    free_edges(&e);
    float alpha = (float)(0.8 / largest_eigenvalue(&in));

    size_t bytes = n * sizeof(float);
    float *x = (float *)host_alloc(bytes), *want = (float *)host_alloc(bytes);
    struct pull_graph d_in = pull_prepare(&in);
    float *d_x = (float *)device_copy(x, bytes), *d_next = (float *)device_alloc(bytes);
    float *d_total = (float *)device_alloc(sizeof(float));
    int rounds = 0;
    for (float change = (float)n; rounds < most_rounds[size] && change > 1e-7f * n; rounds++) {
        pull<true>(&d_in, d_x, d_next, alpha, 1.0f);
        change = device_change(d_next, d_x, n, d_total);
        float *t = d_x;
        d_x = d_next, d_next = t;
    }
    fetch(x, d_x, bytes);

    /* All terms are positive: the relative error of a float sum stays far below the tolerance. */
    double *exact = (double *)host_alloc(n * sizeof(double)),
           *next = (double *)host_alloc(n * sizeof(double));
    for (int r = 0; r < rounds; r++) {
        host_pull(&in, 1, exact, next, alpha, 1);
        memcpy(exact, next, n * sizeof(double));
    }
    for (int v = 0; v < n; v++)
        want[v] = (float)exact[v];
    long wrong = count_off(x, want, n, 1e-4f);
    pull_free(&d_in);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_next));
    CHECK(cudaFree(d_total));
    free_graph(&in);
    free(x), free(want), free(exact), free(next);
    return verdict("katz", wrong);
}
// SPDX-License-Identifier: Apache-2.0
