/* A convolutional network that reads handwritten digits, after the one that GPGPU-Sim's users know as NN: images
 * of 29x29, two layers of 5x5 filters with stride 2 (6 maps of 13x13, 50 maps of 5x5), a hidden layer, ten
 * outputs. A CTA is a map, or a single neuron of the last two layers, of one image; a thread is a neuron. No
 * shared memory and few registers: all neurons of a map read the same weights and overlapping pieces of the
 * maps before, which only a cache keeps from going to memory every time. */
#include "../workload.h"

#define SIDE 29
#define SIDE1 13
#define SIDE2 5
#define FILTER 5
#define MAPS1 6
#define MAPS2 50
#define HIDDEN 100
#define DIGITS 10

static __host__ __device__ float squash(float x) { return 1.7159f * tanhf(0.66666667f * x); }

/* Maps of `side` x `side` from `maps` maps of `side_in` x `side_in`. A neuron's weights: its bias, then the filters. */
static __host__ __device__ float filter(const float *in, const float *w, int maps, int side_in, int x, int y)
{
    float sum = w[0];
#pragma unroll 1
    for (int m = 0; m < maps; m++)
#pragma unroll 1
        for (int r = 0; r < FILTER; r++)
#pragma unroll
            for (int c = 0; c < FILTER; c++)
                sum += w[1 + (m * FILTER + r) * FILTER + c] *
                       in[(m * side_in + 2 * y + r) * side_in + 2 * x + c];
    return squash(sum);
}

static __host__ __device__ float neuron(const float *in, const float *w, int n)
{
    float sum = w[0];
#pragma unroll 1
    for (int i = 0; i < n; i++)
        sum += w[1 + i] * in[i];
    return squash(sum);
}

__global__ void maps_layer(const float *in, const float *w, float *out, int maps, int side_in)
{
    int side = blockDim.x, x = threadIdx.x, y = threadIdx.y, map = blockIdx.x, image = blockIdx.y;
    in += (size_t)image * maps * side_in * side_in;
    w += map * (1 + maps * FILTER * FILTER);
    out[((size_t)image * gridDim.x + map) * side * side + y * side + x] =
        filter(in, w, maps, side_in, x, y);
}

__global__ void full_layer(const float *in, const float *w, float *out, int n)
{
    int to = blockIdx.x, image = blockIdx.y;
    out[(size_t)image * gridDim.x + to] = neuron(in + (size_t)image * n, w + (size_t)to * (1 + n), n);
}

struct net {
    float *w1, *w2, *w3, *w4;
    int hidden;
};

/* One image on the host. */
static void read_digit(const struct net *n, const float *image, float *digits)
{
    static float a[MAPS1 * SIDE1 * SIDE1], b[MAPS2 * SIDE2 * SIDE2], c[HIDDEN];
    for (int m = 0; m < MAPS1; m++)
        for (int y = 0; y < SIDE1; y++)
            for (int x = 0; x < SIDE1; x++)
                a[(m * SIDE1 + y) * SIDE1 + x] =
                    filter(image, n->w1 + m * (1 + FILTER * FILTER), 1, SIDE, x, y);
    for (int m = 0; m < MAPS2; m++)
        for (int y = 0; y < SIDE2; y++)
            for (int x = 0; x < SIDE2; x++)
                b[(m * SIDE2 + y) * SIDE2 + x] =
                    filter(a, n->w2 + m * (1 + MAPS1 * FILTER * FILTER), MAPS1, SIDE1, x, y);
    for (int i = 0; i < n->hidden; i++)
        c[i] = neuron(b, n->w3 + i * (1 + MAPS2 * SIDE2 * SIDE2), MAPS2 * SIDE2 * SIDE2);
    for (int i = 0; i < DIGITS; i++)
        digits[i] = neuron(c, n->w4 + i * (1 + n->hidden), n->hidden);
}

static float *make_weights(int n, float scale, uint32_t *seed)
{
    float *w = (float *)host_alloc(sizeof(float) * n);
    for (int i = 0; i < n; i++)
        w[i] = (next_float(seed) - 0.5f) * scale;
    return w;
}

int main(int argc, char **argv)
{
    static const int images_of[] = {1, 8, 60}, hidden_of[] = {8, HIDDEN, HIDDEN};
    int size = parse_size(argc, argv), images = images_of[size];
    int n1 = MAPS1 * (1 + FILTER * FILTER), n2 = MAPS2 * (1 + MAPS1 * FILTER * FILTER),
        flat = MAPS2 * SIDE2 * SIDE2;
    struct net n = {.hidden = hidden_of[size]};
    int n3 = n.hidden * (1 + flat), n4 = DIGITS * (1 + n.hidden), pixels = images * SIDE * SIDE;
    uint32_t seed = 1998;
    n.w1 = make_weights(n1, 0.8f, &seed);
    n.w2 = make_weights(n2, 0.3f, &seed);
    n.w3 = make_weights(n3, 0.1f, &seed);
    n.w4 = make_weights(n4, 0.4f, &seed);
    float *image = make_weights(pixels, 2.0f, &seed);
    float *d_w1 = (float *)device_copy(n.w1, sizeof(float) * n1), *d_w2 = (float *)device_copy(n.w2, sizeof(float) * n2),
          *d_w3 = (float *)device_copy(n.w3, sizeof(float) * n3), *d_w4 = (float *)device_copy(n.w4, sizeof(float) * n4),
          *d_in = (float *)device_copy(image, sizeof(float) * pixels);
    float *d_1 = (float *)device_alloc(sizeof(float) * images * MAPS1 * SIDE1 * SIDE1),
          *d_2 = (float *)device_alloc(sizeof(float) * images * flat),
          *d_3 = (float *)device_alloc(sizeof(float) * images * n.hidden),
          *d_4 = (float *)device_alloc(sizeof(float) * images * DIGITS);
    maps_layer<<<dim3(MAPS1, images), dim3(SIDE1, SIDE1)>>>(d_in, d_w1, d_1, 1, SIDE);
    maps_layer<<<dim3(MAPS2, images), dim3(SIDE2, SIDE2)>>>(d_1, d_w2, d_2, MAPS1, SIDE1);
    full_layer<<<dim3(n.hidden, images), 1>>>(d_2, d_w3, d_3, flat);
    full_layer<<<dim3(DIGITS, images), 1>>>(d_3, d_w4, d_4, n.hidden);
    float *got = (float *)host_alloc(sizeof(float) * images * DIGITS),
          *want = (float *)host_alloc(sizeof(float) * images * DIGITS);
    fetch(got, d_4, sizeof(float) * images * DIGITS);

    for (int i = 0; i < images; i++)
        read_digit(&n, image + i * SIDE * SIDE, want + i * DIGITS);
    /* Sums of up to 1,250 products, in another order of rounding where the host fuses them. */
    long wrong = count_off(got, want, (size_t)images * DIGITS, 1e-4f);
    float *all[] = {d_w1, d_w2, d_w3, d_w4, d_in, d_1, d_2, d_3, d_4};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        CHECK(cudaFree(all[i]));
    free(n.w1), free(n.w2), free(n.w3), free(n.w4), free(image), free(got), free(want);
    return verdict("nn_digits", wrong);
}
// SPDX-License-Identifier: Apache-2.0
