/* Breadth-first search of a random graph level by level, after Rodinia's bfs: a thread for every vertex looks
 * whether it is on the frontier and if so marks its neighbours; a second kernel makes the marks the next
 * frontier. Divergent loops of different length, scattered loads and byte-sized flags; very few registers, no
 * shared memory. Two threads may mark a vertex at the same time, but both write the same values. */
#include "../workload.h"

#define BLOCK 512

struct vertex {
    int first, edges;
};

__global__ void expand(const struct vertex *vertices, const int *edges, unsigned char *frontier,
                       unsigned char *next, const unsigned char *visited, int *cost, int n)
{
    int v = blockIdx.x * BLOCK + threadIdx.x;
    if (v >= n || !frontier[v])
        return;
    frontier[v] = 0;
    int end = vertices[v].first + vertices[v].edges;
#pragma unroll 1
    for (int e = vertices[v].first; e < end; e++) {
        int to = edges[e];
        if (!visited[to]) {
            cost[to] = cost[v] + 1;
            next[to] = 1;
        }
    }
}

__global__ void advance(unsigned char *frontier, unsigned char *next, unsigned char *visited,
                        unsigned char *more, int n)
{
    int v = blockIdx.x * BLOCK + threadIdx.x;
    if (v < n && next[v]) {
        frontier[v] = 1;
        visited[v] = 1;
        *more = 1;
        next[v] = 0;
    }
}

/* Degrees 1 to 11, ends anywhere: about what Rodinia's generator makes. */
static int make_graph(struct vertex *vertices, int **edges, int n)
{
    uint32_t seed = 99;
    int count = 0;
    for (int v = 0; v < n; v++) {
        vertices[v].first = count;
        vertices[v].edges = 1 + (int)(next_random(&seed) % 11);
        count += vertices[v].edges;
    }
    *edges = (int *)host_alloc(count * sizeof(int));
    for (int e = 0; e < count; e++)
        (*edges)[e] = (int)(next_random(&seed) % (uint32_t)n);
    return count;
}

static void search_reference(const struct vertex *vertices, const int *edges, int *cost, int n, int source)
{
    int *queue = (int *)host_alloc(n * sizeof(int)), head = 0, tail = 0;
    for (int v = 0; v < n; v++)
        cost[v] = -1;
    cost[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        int v = queue[head++];
        for (int e = vertices[v].first; e < vertices[v].first + vertices[v].edges; e++)
            if (cost[edges[e]] < 0) {
                cost[edges[e]] = cost[v] + 1;
                queue[tail++] = edges[e];
            }
    }
    free(queue);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {2048, 131072, 1048576}, searches[] = {1, 1, 2};
    int size = parse_size(argc, argv), n = sizes[size], *edges;
    struct vertex *vertices = (struct vertex *)host_alloc(n * sizeof(*vertices));
    int count = make_graph(vertices, &edges, n);
    int *cost = (int *)host_alloc(n * sizeof(int)), *want = (int *)host_alloc(n * sizeof(int));
    struct vertex *d_vertices = (struct vertex *)device_copy(vertices, n * sizeof(*vertices));
    int *d_edges = (int *)device_copy(edges, count * sizeof(int)),
        *d_cost = (int *)device_alloc(n * sizeof(int));
    unsigned char *d_flags = (unsigned char *)device_alloc(3 * (size_t)n + 1), more, one = 1;
    unsigned char *d_frontier = d_flags, *d_next = d_flags + n, *d_visited = d_flags + 2 * (size_t)n;
    unsigned char *d_more = d_flags + 3 * (size_t)n;

    long wrong = 0;
    int grid = (n + BLOCK - 1) / BLOCK, zero = 0;
    for (int s = 0; s < searches[size]; s++) {
        int source = (int)((long)s * n / searches[size]);
        CHECK(cudaMemset(d_flags, 0, 3 * (size_t)n + 1));
        CHECK(cudaMemset(d_cost, 0xff, n * sizeof(int)));
        CHECK(cudaMemcpy(d_frontier + source, &one, 1, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(d_visited + source, &one, 1, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(d_cost + source, &zero, sizeof(int), cudaMemcpyHostToDevice));
        do {
            CHECK(cudaMemset(d_more, 0, 1));
            expand<<<grid, BLOCK>>>(d_vertices, d_edges, d_frontier, d_next, d_visited, d_cost, n);
            advance<<<grid, BLOCK>>>(d_frontier, d_next, d_visited, d_more, n);
            fetch(&more, d_more, 1);
        } while (more);
        fetch(cost, d_cost, n * sizeof(int));
        search_reference(vertices, edges, want, n, source);
        for (int v = 0; v < n; v++)
            wrong += cost[v] != want[v];
    }
    CHECK(cudaFree(d_vertices));
    CHECK(cudaFree(d_edges));
    CHECK(cudaFree(d_cost));
    CHECK(cudaFree(d_flags));
    free(vertices), free(edges), free(cost), free(want);
    return verdict("bfs", wrong);
}
// SPDX-License-Identifier: Apache-2.0
