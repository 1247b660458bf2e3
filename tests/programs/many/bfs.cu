/* Breadth-first search with a flag on the host side, as in Rodinia; structures of two ints, bool arrays. */
#include <cuda.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_THREADS_PER_BLOCK 256

struct Node {
    int starting;
    int no_of_edges;
};

__global__ void Kernel(Node *g_graph_nodes, int *g_graph_edges, bool *g_graph_mask,
                       bool *g_updating_graph_mask, bool *g_graph_visited, int *g_cost, int no_of_nodes)
{
    int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;
    if (tid < no_of_nodes && g_graph_mask[tid]) {
        g_graph_mask[tid] = false;
        for (int i = g_graph_nodes[tid].starting;
             i < (g_graph_nodes[tid].no_of_edges + g_graph_nodes[tid].starting); i++) {
            int id = g_graph_edges[i];
            if (!g_graph_visited[id]) {
                g_cost[id] = g_cost[tid] + 1;
                g_updating_graph_mask[id] = true;
            }
        }
    }
}

__global__ void Kernel2(bool *g_graph_mask, bool *g_updating_graph_mask, bool *g_graph_visited, bool *g_over,
                        int no_of_nodes)
{
    int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;
    if (tid < no_of_nodes && g_updating_graph_mask[tid]) {
        g_graph_mask[tid] = true;
        g_graph_visited[tid] = true;
        *g_over = true;
        g_updating_graph_mask[tid] = false;
    }
}

template <class T> static T *to_device(const T *h, size_t n)
{
    T *d;
    cudaMalloc((void **)&d, n * sizeof(T));
    cudaMemcpy(d, h, n * sizeof(T), cudaMemcpyHostToDevice);
    return d;
}

int main()
{
    const int n = 3000, m = 4;
    Node *nodes = (Node *)malloc(sizeof(Node) * n);
    int *edges = (int *)malloc(sizeof(int) * n * m), *cost = (int *)malloc(sizeof(int) * n);
    bool *mask = (bool *)calloc(n, sizeof(bool)), *none = (bool *)calloc(n, sizeof(bool));
    unsigned seed = 1;
    for (int i = 0; i < n; i++) {
        nodes[i].starting = i * m;
        nodes[i].no_of_edges = i % (m + 1);
        for (int k = 0; k < m; k++) {
            seed = seed * 1103515245u + 12345u;
            edges[i * m + k] = (seed >> 8) % n;
        }
        cost[i] = -1;
    }
    int source = 4;
    cost[source] = 0;
    mask[source] = true;

    Node *d_nodes = to_device(nodes, n);
    int *d_edges = to_device(edges, n * m), *d_cost = to_device(cost, n);
    bool *d_mask = to_device(mask, n), *d_updating = to_device(none, n), *d_visited = to_device(mask, n),
         *d_over;
    cudaMalloc((void **)&d_over, sizeof(bool));
    dim3 grid((int)ceil(n / (double)MAX_THREADS_PER_BLOCK), 1, 1), threads(MAX_THREADS_PER_BLOCK, 1, 1);
    int k = 0;
    bool stop;
    do {
        stop = false;
        cudaMemcpy(d_over, &stop, sizeof(bool), cudaMemcpyHostToDevice);
        Kernel<<<grid, threads, 0>>>(d_nodes, d_edges, d_mask, d_updating, d_visited, d_cost, n);
        Kernel2<<<grid, threads, 0>>>(d_mask, d_updating, d_visited, d_over, n);
        cudaMemcpy(&stop, d_over, sizeof(bool), cudaMemcpyDeviceToHost);
        k++;
    } while (stop);
    int *got = (int *)malloc(sizeof(int) * n), *queue = (int *)malloc(sizeof(int) * n), head = 0, tail = 0,
        wrong = 0;
    cudaMemcpy(got, d_cost, sizeof(int) * n, cudaMemcpyDeviceToHost);
    queue[tail++] = source;
    while (head < tail) {
        int v = queue[head++];
        for (int i = 0; i < nodes[v].no_of_edges; i++) {
            int w = edges[nodes[v].starting + i];
            if (cost[w] < 0) {
                cost[w] = cost[v] + 1;
                queue[tail++] = w;
            }
        }
    }
    wrong = memcmp(got, cost, sizeof(int) * n) != 0;
    printf("%d rounds, %d reached: %s\n", k, tail, wrong ? "FAIL" : "PASS");
    return wrong;
}
// SPDX-License-Identifier: Apache-2.0
