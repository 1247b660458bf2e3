/* European call options by a binomial tree, one option a CTA. The 256 threads walk the tree backwards from
 * its leaves: 32 steps of it on a stretch of 256 nodes in two shared buffers, with a barrier after every
 * step, then the stretch goes back to global memory. Barriers every few instructions, neighbours' values
 * from shared memory, few registers. */
#include "../workload.h"

#define BLOCK 256
#define STRETCH 256 /* nodes in shared memory */
#define DEPTH 32    /* steps between two visits of global memory; even */
#define BORDER 16   /* room for reads behind the last node, whose results are not used */

struct option {
    float price, strike, years;
};

/* One step multiplies the upper neighbour by up and the lower by down, discount included. */
struct tree {
    float price, strike, drift, up, down;
};

__global__ void binomial(float *result, float *buffer, const struct tree *trees, int steps)
{
    __shared__ float a[STRETCH + BORDER], b[STRETCH + BORDER];
    const struct tree tree = trees[blockIdx.x];
    float *nodes = buffer + (size_t)blockIdx.x * (steps + BORDER);
    int t = threadIdx.x;

    if (t < BORDER)
        a[STRETCH + t] = b[STRETCH + t] = 0.0f;
#pragma unroll 1
    for (int i = t; i <= steps; i += BLOCK)
        nodes[i] = fmaxf(tree.price * expf(tree.drift * (2.0f * i - steps)) - tree.strike, 0.0f);

#pragma unroll 1
    for (int level = steps; level > 0; level -= DEPTH)
#pragma unroll 1
        for (int base = 0; base < level; base += STRETCH - DEPTH) {
            int last = min(STRETCH - 1, level - base), end = last - DEPTH;
            __syncthreads();
            if (t <= last)
                a[t] = nodes[base + t];
#pragma unroll 1
            for (int k = last - 1; k >= end; k -= 2) {
                __syncthreads();
                b[t] = tree.up * a[t + 1] + tree.down * a[t];
                __syncthreads();
                a[t] = tree.up * b[t + 1] + tree.down * b[t];
            }
            __syncthreads();
            if (t <= end)
                nodes[base + t] = a[t];
        }
    if (t == 0)
        result[blockIdx.x] = a[0];
}

static struct tree plan(struct option o, int steps)
{
    const double rate = 0.06, volatility = 0.10;
    double dt = o.years / steps, drift = volatility * sqrt(dt), discount = exp(-rate * dt);
    double up = (exp(rate * dt) - exp(-drift)) / (exp(drift) - exp(-drift));
    struct tree t = {o.price, o.strike, (float)drift, (float)(up * discount), (float)((1.0 - up) * discount)};
    return t;
}

static float cpu_price(const struct tree *t, double *nodes, int steps)
{
    for (int i = 0; i <= steps; i++)
        nodes[i] = fmax(t->price * exp((double)t->drift * (2.0 * i - steps)) - t->strike, 0.0);
    for (int level = steps; level > 0; level--)
        for (int i = 0; i < level; i++)
            nodes[i] = t->up * nodes[i + 1] + t->down * nodes[i];
    return (float)nodes[0];
}

int main(int argc, char **argv)
{
    static const int counts[] = {4, 96, 96}, depths[] = {256, 512, 2048};
    int size = parse_size(argc, argv), n = counts[size], steps = depths[size];
    struct tree *trees = (struct tree *)host_alloc(sizeof(*trees) * n);
    float *got = (float *)host_alloc(sizeof(float) * n), *want = (float *)host_alloc(sizeof(float) * n);
    double *nodes = (double *)host_alloc(sizeof(double) * (steps + 1));
    uint32_t seed = 123;
    for (int i = 0; i < n; i++) {
        struct option o = {5.0f + 25.0f * next_float(&seed), 1.0f + 29.0f * next_float(&seed),
                           0.25f + 9.75f * next_float(&seed)};
        trees[i] = plan(o, steps);
        want[i] = cpu_price(&trees[i], nodes, steps);
    }
    struct tree *d_trees = (struct tree *)device_copy(trees, sizeof(*trees) * n);
    float *d_result = (float *)device_alloc(sizeof(float) * n);
    float *d_buffer = (float *)device_alloc(sizeof(float) * n * (steps + BORDER));
    binomial<<<n, BLOCK>>>(d_result, d_buffer, d_trees, steps);
    fetch(got, d_result, sizeof(float) * n);

    /* Each step rounds once, all terms are positive: 2048 x 2^-24 of the price, and the leaves'
     * exponentials. */
    long wrong = count_off(got, want, n, 5e-4f);
    CHECK(cudaFree(d_trees));
    CHECK(cudaFree(d_result));
    CHECK(cudaFree(d_buffer));
    free(trees), free(got), free(want), free(nodes);
    return verdict("binomial", wrong);
}
// SPDX-License-Identifier: Apache-2.0
