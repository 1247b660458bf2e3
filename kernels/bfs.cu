/* One breadth-first step: expand the frontier, append newly found nodes to the next one. */
extern "C" __global__ void bfs_step(const int *start, const int *edge, int *level, const int *frontier,
                                    int nfrontier, int *next, int *nnext, int depth)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nfrontier)
        return;
    int node = frontier[i];
    for (int e = start[node]; e < start[node + 1]; e++) {
        int to = edge[e];
        if (atomicCAS(&level[to], -1, depth) == -1)
            next[atomicAdd(nnext, 1)] = to;
    }
}
// SPDX-License-Identifier: Apache-2.0
