/* Weakly connected components by hooking and pointer jumping: every edge hooks the larger of the two roots
 * at its ends under the smaller one, then every vertex follows its chain to the root, until no edge joins
 * two trees. Each pass reads one array and writes another, so a component ends at its smallest vertex
 * whatever the order. Scattered loads, atomic minima. */
#include "../graph.h"

/* LANES neighbouring threads share a vertex. */
template <int LANES>
__global__ void hook(const int *start, const int *to, const int *order, int first, int count, const int *root,
                     int *parent, int *joined)
{
    int i = (blockIdx.x * GRAPH_BLOCK + threadIdx.x) / LANES;
    if (i >= count)
        return;
    int v = order[first + i], mine = root[v], end = start[v + 1];
#pragma unroll 1
    for (int e = start[v] + (int)(threadIdx.x % LANES); e < end; e += LANES) {
        int other = root[to[e]];
        if (other == mine)
            continue;
        atomicMin(&parent[max(other, mine)], min(other, mine));
        *joined = 1;
    }
}

/* root[v] = the end of v's chain; where nothing was hooked yet, the chain is one step. */
__global__ void jump(const int *parent, int *root, int n)
{
    int v = blockIdx.x * GRAPH_BLOCK + threadIdx.x;
    if (v >= n)
        return;
    int at = v, next = parent[v];
#pragma unroll 1
    while (next != at) {
        at = next;
        next = parent[at];
    }
    root[v] = at;
}

static void device_wcc(const struct device_graph *g, int *d_root, int *d_parent, int *d_joined)
{
    int joined = 1, low = g->n - g->high - g->mid;
    while (joined) {
        CHECK(cudaMemcpy(d_parent, d_root, g->n * sizeof(int), cudaMemcpyDeviceToDevice));
        CHECK(cudaMemset(d_joined, 0, sizeof(int)));
        if (g->high)
            hook<GRAPH_BLOCK>
                <<<g->high, GRAPH_BLOCK>>>(g->start, g->to, g->order, 0, g->high, d_root, d_parent, d_joined);
        if (g->mid)
            hook<32><<<graph_ctas(32 * g->mid), GRAPH_BLOCK>>>(g->start, g->to, g->order, g->high, g->mid,
                                                               d_root, d_parent, d_joined);
        if (low)
            hook<1><<<graph_ctas(low), GRAPH_BLOCK>>>(g->start, g->to, g->order, g->high + g->mid, low,
                                                      d_root, d_parent, d_joined);
        fetch(&joined, d_joined, sizeof(int));
        if (joined)
            jump<<<graph_ctas(g->n), GRAPH_BLOCK>>>(d_parent, d_root, g->n);
    }
}

static int find(int *parent, int v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

static long check(const struct graph *g, const int *root)
{
    int *parent = (int *)host_alloc(g->n * sizeof(int));
    for (int v = 0; v < g->n; v++)
        parent[v] = v;
    for (int v = 0; v < g->n; v++)
        for (int e = g->start[v]; e < g->start[v + 1]; e++) {
            int a = find(parent, v), b = find(parent, g->to[e]);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    long wrong = 0;
    for (int v = 0; v < g->n; v++)
        wrong += root[v] != find(parent, v);
    free(parent);
    return wrong;
}

int main(int argc, char **argv)
{
    static const int vertices[] = {1024, 65536, 262144}, graphs[] = {1, 1, 7};
    int size = parse_size(argc, argv), n = vertices[size];
    size_t bytes = n * sizeof(int);
    int *own = (int *)host_alloc(bytes), *root = (int *)host_alloc(bytes);
    for (int v = 0; v < n; v++)
        own[v] = v;
    int *d_root = (int *)device_alloc(bytes), *d_parent = (int *)device_alloc(bytes);
    int *d_joined = (int *)device_alloc(sizeof(int));
    long wrong = 0;
    for (int i = 0; i < graphs[size]; i++) {
        struct edges e = random_edges(n, 4 * n, 0, 1, 20255 + i);
        struct graph g = graph_of(n, &e, 0);
        struct device_graph d = graph_to_device(&g);
        CHECK(cudaMemcpy(d_root, own, bytes, cudaMemcpyHostToDevice));
        device_wcc(&d, d_root, d_parent, d_joined);
        fetch(root, d_root, bytes);
        wrong += check(&g, root);
        free_device_graph(&d);
        free_graph(&g);
        free_edges(&e);
    }
    CHECK(cudaFree(d_root));
    CHECK(cudaFree(d_parent));
    CHECK(cudaFree(d_joined));
    free(own), free(root);
    return verdict("wcc", wrong);
}
// SPDX-License-Identifier: Apache-2.0
