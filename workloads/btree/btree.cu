/* Queries of a B+ tree of order 256, after Rodinia's b+tree: one CTA for a query, one thread for a key of the
 * node. All compare at once, the one that finds its slot names the child, and so on to the leaf; a second
 * kernel looks up both ends of a range. Dependent loads behind barriers, one lane of 256 does something; few
 * registers, no shared memory. */
#include "../workload.h"

#define ORDER 256
#define NONE 0x7fffffff /* past the last key of a node: larger than every key */

/* Child or record i belongs to keys[i] <= key < keys[i + 1]. */
struct node {
    int count;
    int child[ORDER + 1];
    int keys[ORDER + 1];
};

__global__ void find(const struct node *nodes, const int *records, const int *wanted, int *at, int *next,
                     int *answer, int height)
{
    int query = blockIdx.x, t = threadIdx.x;
#pragma unroll 1
    for (int level = 0; level < height; level++) {
        const struct node *node = &nodes[at[query]];
        if (node->keys[t] <= wanted[query] && node->keys[t + 1] > wanted[query])
            next[query] = node->child[t];
        __syncthreads();
        if (t == 0)
            at[query] = next[query];
        __syncthreads();
    }
    const struct node *leaf = &nodes[at[query]];
    if (leaf->keys[t] == wanted[query])
        answer[query] = records[leaf->child[t]];
}

__global__ void find_range(const struct node *nodes, const int *low, const int *high, int *at, int *next,
                           int *at_high, int *next_high, int *first, int *length, int height)
{
    int query = blockIdx.x, t = threadIdx.x;
#pragma unroll 1
    for (int level = 0; level < height; level++) {
        const struct node *node = &nodes[at[query]], *node_high = &nodes[at_high[query]];
        if (node->keys[t] <= low[query] && node->keys[t + 1] > low[query])
            next[query] = node->child[t];
        if (node_high->keys[t] <= high[query] && node_high->keys[t + 1] > high[query])
            next_high[query] = node_high->child[t];
        __syncthreads();
        if (t == 0) {
            at[query] = next[query];
            at_high[query] = next_high[query];
        }
        __syncthreads();
    }
    const struct node *leaf = &nodes[at[query]], *leaf_high = &nodes[at_high[query]];
    if (leaf->keys[t] == low[query])
        first[query] = leaf->child[t];
    __syncthreads();
    if (leaf_high->keys[t] == high[query])
        length[query] = leaf_high->child[t] - first[query] + 1;
}

/* Bottom up over n sorted keys (key i is 3 i + 1), leaves and inner nodes 200 of 256 full. Every query is at
 * least the first key, so it has a slot. Returns the number of nodes; the root is the last one. */
#define FILL 200

static int build(struct node *nodes, int n, int *height)
{
    int made = 0, level_first = 0, items = n;
    *height = 0;
    for (int leaf = 1;; leaf = 0) {
        int first = made;
        for (int i = 0; i < items; i += FILL) {
            struct node *node = &nodes[made++];
            node->count = items - i < FILL ? items - i : FILL;
            for (int k = 0; k <= ORDER; k++)
                node->keys[k] = NONE;
            for (int k = 0; k < node->count; k++) {
                node->child[k] = leaf ? i + k : level_first + i + k;
                node->keys[k] = leaf ? 3 * (i + k) + 1 : nodes[level_first + i + k].keys[0];
            }
        }
        items = made - first;
        level_first = first;
        if (items == 1)
            return made;
        ++*height;
    }
}

int main(int argc, char **argv)
{
    static const int sizes[] = {5000, 500000, 1000000}, query_counts[] = {64, 4000, 60000};
    int size = parse_size(argc, argv), n = sizes[size], q = query_counts[size], height;
    size_t bytes = q * sizeof(int);
    struct node *nodes = (struct node *)host_alloc((n / FILL + n / FILL / FILL + 8) * sizeof(*nodes));
    int used = build(nodes, n, &height), root = used - 1;
    int *records = (int *)host_alloc(n * sizeof(int)), *start = (int *)host_alloc(bytes),
        *got = (int *)host_alloc(bytes);
    int *low = (int *)host_alloc(bytes), *high = (int *)host_alloc(bytes), *first = (int *)host_alloc(bytes);
    uint32_t seed = 41;
    for (int i = 0; i < n; i++)
        records[i] = (int)(next_random(&seed) >> 1);
    for (int i = 0; i < q; i++) {
        int k = (int)(next_random(&seed) % (uint32_t)n), span = (int)(next_random(&seed) % 1000);
        if (i % 16 == 0)
            k -= k % FILL; /* the first key of a leaf, which its parent has too */
        low[i] = 3 * k + 1;
        high[i] = 3 * (k + span < n ? k + span : n - 1) + 1;
        if (i % 8 == 7)
            high[i]++; /* no such key */
        start[i] = root;
    }
    struct node *d_nodes = (struct node *)device_copy(nodes, used * sizeof(*nodes));
    int *d_records = (int *)device_copy(records, n * sizeof(int));
    int *d_low = (int *)device_copy(low, bytes), *d_high = (int *)device_copy(high, bytes);
    int *d_at = (int *)device_copy(start, bytes), *d_next = (int *)device_copy(start, bytes);
    int *d_at_high = (int *)device_copy(start, bytes), *d_next_high = (int *)device_copy(start, bytes);
    int *d_first = (int *)device_alloc(bytes), *d_answer = (int *)device_alloc(bytes);

    CHECK(cudaMemset(d_answer, 0xff, bytes));
    find<<<q, ORDER>>>(d_nodes, d_records, d_high, d_at, d_next, d_answer, height);
    fetch(got, d_answer, bytes);
    long wrong = 0;
    for (int i = 0; i < q; i++)
        wrong += got[i] != (high[i] % 3 == 1 ? records[high[i] / 3] : -1);

    CHECK(cudaMemcpy(d_at, start, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_answer, 0xff, bytes));
    CHECK(cudaMemset(d_first, 0xff, bytes));
    find_range<<<q, ORDER>>>(d_nodes, d_low, d_high, d_at, d_next, d_at_high, d_next_high, d_first, d_answer,
                             height);
    fetch(got, d_answer, bytes);
    fetch(first, d_first, bytes);
    for (int i = 0; i < q; i++) {
        wrong += first[i] != low[i] / 3;
        wrong += got[i] != (high[i] % 3 == 1 ? high[i] / 3 - low[i] / 3 + 1 : -1);
    }
    int *device[] = {d_records, d_low, d_high, d_at, d_next, d_at_high, d_next_high, d_first, d_answer};
    for (size_t i = 0; i < sizeof(device) / sizeof(*device); i++)
        CHECK(cudaFree(device[i]));
    CHECK(cudaFree(d_nodes));
    free(nodes), free(records), free(start), free(got), free(low), free(high), free(first);
    return verdict("btree", wrong);
}
// SPDX-License-Identifier: Apache-2.0
