/* One training step of a neural network with one hidden layer of 16 units, after Rodinia's backprop. A CTA of
 * 16x16 threads takes 16 inputs: the forward kernel multiplies them with their weights in shared memory and
 * adds up along y by halving the number of threads that work (barriers, idle warps); the other kernel moves
 * every weight along the error. Memory-bound, few registers. */
#include "../workload.h"

#define SIDE 16
#define HIDDEN 16
#define ETA 0.3f
#define MOMENTUM 0.3f

/* Weights are rows of HIDDEN + 1: column 0 belongs to the bias unit of the next layer and row 0 to that of
 * this one. */
#define ROW (HIDDEN + 1)

__global__ void layer_forward(const float *input, float *weight, float *partial)
{
    __shared__ float node[SIDE];
    __shared__ float product[SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y;
    int unit = blockIdx.y * SIDE + y + 1;
    size_t at = (size_t)unit * ROW + x + 1;

    if (x == 0)
        node[y] = input[unit];
    __syncthreads();
    product[y][x] = weight[at];
    __syncthreads();
    product[y][x] *= node[y];
    __syncthreads();
#pragma unroll 1
    for (int step = 1; step < SIDE; step *= 2) {
        if ((y & (2 * step - 1)) == 0)
            product[y][x] += product[y + step][x];
        __syncthreads();
    }
    if (y == 0)
        partial[blockIdx.y * HIDDEN + x] = product[0][x];
}

__global__ void adjust_weights(const float *delta, const float *input, float *weight, float *last_change)
{
    int x = threadIdx.x + 1, unit = blockIdx.y * SIDE + threadIdx.y + 1;
    size_t at = (size_t)unit * ROW + x;

    float change = ETA * delta[x] * input[unit] + MOMENTUM * last_change[at];
    weight[at] += change;
    last_change[at] = change;
    if (unit == 1) {
        change = ETA * delta[x] + MOMENTUM * last_change[x];
        weight[x] += change;
        last_change[x] = change;
    }
}

static float squash(double x) { return (float)(1.0 / (1.0 + exp(-x))); }

/* The layer behind is 16 weights to one output: the host's work, as in the original. */
static void hidden_deltas(const float *hidden, const float *weight, float *delta)
{
    double sum = weight[0];
    for (int h = 1; h <= HIDDEN; h++)
        sum += weight[h] * hidden[h];
    float output = squash(sum), error = output * (1.0f - output) * (0.9f - output);
    for (int h = 1; h <= HIDDEN; h++)
        delta[h] = hidden[h] * (1.0f - hidden[h]) * error * weight[h];
}

static long check_sums(const float *input, const float *weight, const float *partial, int n)
{
    static double want[HIDDEN];
    long wrong = 0;
    for (int first = 1; first <= n; first += SIDE) {
        const float *got = partial + (size_t)(first - 1) / SIDE * HIDDEN;
        for (int h = 0; h < HIDDEN; h++) {
            want[h] = 0;
            for (int i = first; i < first + SIDE; i++)
                want[h] += (double)input[i] * weight[(size_t)i * ROW + h + 1];
            wrong += !(fabs(got[h] - want[h]) < 1e-5); /* 16 terms below 1, each rounded a few times */
        }
    }
    return wrong;
}

static void adjust_reference(const float *delta, const float *input, float *weight, float *last_change, int n)
{
    for (int i = 0; i <= n; i++)
        for (int h = 1; h <= HIDDEN; h++) {
            size_t at = (size_t)i * ROW + h;
            last_change[at] = ETA * delta[h] * (i ? input[i] : 1.0f) + MOMENTUM * last_change[at];
            weight[at] += last_change[at];
        }
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1024, 65536, 262144}, steps[] = {1, 1, 5};
    int size = parse_size(argc, argv), n = sizes[size];
    size_t weights = (size_t)(n + 1) * ROW, bytes = weights * sizeof(float);
    size_t partial_bytes = (size_t)n / SIDE * HIDDEN * sizeof(float);
    float *input = (float *)host_alloc((n + 1) * sizeof(float)), *weight = (float *)host_alloc(bytes);
    float *change = (float *)host_alloc(bytes), *got = (float *)host_alloc(bytes);
    float *partial = (float *)host_alloc(partial_bytes);
    float output_weight[ROW], hidden[ROW], delta[ROW] = {0};
    uint32_t seed = 7;
    for (int i = 0; i <= n; i++)
        input[i] = i ? next_float(&seed) : 1.0f;
    for (size_t i = 0; i < weights; i++) {
        weight[i] = next_float(&seed) - 0.5f;
        change[i] = 0.1f * next_float(&seed);
    }
    for (int h = 0; h <= HIDDEN; h++)
        output_weight[h] = 2.0f * next_float(&seed) - 1.0f;
    float *d_input = (float *)device_copy(input, (n + 1) * sizeof(float));
    float *d_weight = (float *)device_copy(weight, bytes), *d_change = (float *)device_copy(change, bytes);
    float *d_partial = (float *)device_alloc(partial_bytes), *d_delta = (float *)device_alloc(sizeof(delta));

    dim3 grid(1, n / SIDE), block(SIDE, SIDE);
    long wrong = 0;
    for (int step = 0; step < steps[size]; step++) {
        layer_forward<<<grid, block>>>(d_input, d_weight, d_partial);
        fetch(partial, d_partial, partial_bytes);
        wrong += check_sums(input, weight, partial, n);
        for (int h = 1; h <= HIDDEN; h++) {
            double sum = weight[h];
            for (int b = 0; b < n / SIDE; b++)
                sum += partial[(size_t)b * HIDDEN + h - 1];
            hidden[h] = squash(
                sum / sqrt((double)n)); /* many inputs: else every unit is saturated and nothing is learnt */
        }
        hidden_deltas(hidden, output_weight, delta);
        CHECK(cudaMemcpy(d_delta, delta, sizeof(delta), cudaMemcpyHostToDevice));
        adjust_weights<<<grid, block>>>(d_delta, d_input, d_weight, d_change);
        adjust_reference(delta, input, weight, change, n);
    }
    fetch(got, d_weight, bytes);
    wrong += count_off(got, weight, weights, 1e-5f);
    fetch(got, d_change, bytes);
    wrong += count_off(got, change, weights, 1e-5f);
    CHECK(cudaFree(d_input));
    CHECK(cudaFree(d_weight));
    CHECK(cudaFree(d_change));
    CHECK(cudaFree(d_partial));
    CHECK(cudaFree(d_delta));
    free(input), free(weight), free(change), free(got), free(partial);
    return verdict("backprop", wrong);
}
// SPDX-License-Identifier: Apache-2.0
