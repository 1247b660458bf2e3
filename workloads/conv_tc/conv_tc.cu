/* 3 x 3 convolution as an implicit matrix product on tensor cores (images in NHWC, half precision; sums in
 * single): a row of A is the neighbourhood of one output pixel, gathered from the image while it is copied to
 * shared memory, with zeros beyond the border; B holds the filters. With --sums half sums and output are in half
 * precision and CTAs of training have eight warps and 128 x 128, as the library's. Layers of a residual network, as in
 * DeepBench: train computes the output and, as a convolution with mirrored filters, the gradient of the
 * input; infer the output alone, with bias and ReLU. The product itself is in ../tensor.h: tensor operations
 * and the integer work of the gather share the schedulers. */
#include "../tensor.h"

#define TAPS 3 /* of a filter, both ways */

struct layer {
    int images, side, in, out; /* square images; channels: multiples of 64 */
};

/* A thread's chunks of the gathered matrix. Column tap * channels + c of a pixel's row is channel c of the
 * pixel's neighbour number `tap` of nine; a step of 32 columns stays in one tap. Which neighbours exist is
 * found once, a bit for each; the others are read from a chunk of zeros. Tap and channel are the same for the
 * whole CTA, so that one pointer moves for all. */
template <typename TILE> struct image_rows {
    const __half *zeros, *next;
    int at[TILE::a_each], exists[TILE::a_each];
    int side, channels, tap, c;

    __device__ __forceinline__ image_rows(const __half *image, const __half *zeros_, int row0, int pixels,
                                          int side_, int channels_)
    {
        zeros = zeros_, side = side_, channels = channels_, tap = c = 0;
        next = image - (side + 1) * channels + threadIdx.x % (STEP / CHUNK) * CHUNK;
#pragma unroll
        for (int i = 0; i < TILE::a_each; i++) {
            int pixel = row0 + threadIdx.x / (STEP / CHUNK) + i * (TILE::threads / (STEP / CHUNK));
            int y = pixel / side % side, x = pixel % side;
            at[i] = pixel * channels;
            exists[i] = (y > 0 ? 7 : 0) | 7 << 3 | (y < side - 1 ? 7 << 6 : 0);
            exists[i] &= (x > 0 ? 0111 : 0) | 0222 | (x < side - 1 ? 0444 : 0);
            exists[i] = pixel < pixels ? exists[i] : 0;
        }
    }
    __device__ __forceinline__ uint4 fetch(int i) const
    {
        return __ldg((const uint4 *)(exists[i] & 1 << tap ? next + at[i] : zeros));
    }
    __device__ __forceinline__ void advance()
    {
        next += STEP;
        c += STEP;
        if (c == channels) {
            c = 0;
            tap++;
            next += (tap % TAPS ? 0 : side - TAPS) * channels;
        }
    }
};

template <bool BIAS_RELU, int WM, int WN, int MT, int NT>
__global__ void __launch_bounds__(WM *WN * 32)
    convolve(const __half *image, const __half *zeros, const __half *filter, const float *bias, float *out,
             int pixels, int side, int in, int outs)
{
    __shared__ __align__(16) tile<WM, WN, MT, NT> s;
    float sum[MT][NT][4] = {};
    int row0 = blockIdx.y * s.m, col0 = blockIdx.x * s.n;
    image_rows<tile<WM, WN, MT, NT>> rows(image, zeros, row0, pixels, side, in);
    multiply_tile<WM, WN, MT, NT>(sum, &s, &rows, filter, outs, col0, TAPS * TAPS * in);

    int row = row0 + sum_row<WM, WN, MT, NT>(), col = col0 + sum_col<WM, WN, MT, NT>();
#pragma unroll
    for (int j = 0; j < NT; j++) {
        float2 add = make_float2(0.0f, 0.0f);
        if (BIAS_RELU)
            add = *(const float2 *)&bias[col + j * 8];
#pragma unroll
        for (int i = 0; i < 2 * MT; i++) {
            float2 v = make_float2(sum[i / 2][j][i % 2 * 2], sum[i / 2][j][i % 2 * 2 + 1]);
            if (BIAS_RELU)
                v = make_float2(fmaxf(v.x + add.x, 0.0f), fmaxf(v.y + add.y, 0.0f));
            if (row + i * 8 < pixels)
                *(float2 *)&out[(size_t)(row + i * 8) * outs + col + j * 8] = v;
        }
    }
}

/* Sums and output in half precision. */
template <bool BIAS_RELU, int WM, int WN, int MT, int NT>
__global__ void __launch_bounds__(WM *WN * 32)
    convolve_half(const __half *image, const __half *zeros, const __half *filter, const float *bias,
                  __half *out, int pixels, int side, int in, int outs)
{
    __shared__ __align__(16) tile<WM, WN, MT, NT> s;
    unsigned sum[MT][NT][2] = {};
    int row0 = blockIdx.y * s.m, col0 = blockIdx.x * s.n;
    image_rows<tile<WM, WN, MT, NT>> rows(image, zeros, row0, pixels, side, in);
    multiply_tile<WM, WN, MT, NT>(sum, &s, &rows, filter, outs, col0, TAPS * TAPS * in);

    int row = row0 + sum_row<WM, WN, MT, NT>(), col = col0 + sum_col<WM, WN, MT, NT>();
#pragma unroll
    for (int j = 0; j < NT; j++) {
        float2 add = make_float2(0.0f, 0.0f);
        if (BIAS_RELU)
            add = *(const float2 *)&bias[col + j * 8];
#pragma unroll
        for (int i = 0; i < 2 * MT; i++) {
            unsigned to = sum[i / 2][j][i % 2];
            if (BIAS_RELU) {
                float2 v = sum_pair(sum[i / 2][j], i % 2);
                to = pack_halves(fmaxf(v.x + add.x, 0.0f), fmaxf(v.y + add.y, 0.0f));
            }
            if (row + i * 8 < pixels)
                *(unsigned *)&out[(size_t)(row + i * 8) * outs + col + j * 8] = to;
        }
    }
}

/* One output pixel, all channels. */
static void convolve_pixel(float *sum, const float *image, const float *filter, int pixel, int side, int in,
                           int outs)
{
    int y = pixel % (side * side) / side, x = pixel % side;
    memset(sum, 0, outs * sizeof *sum);
    for (int tap = 0; tap < TAPS * TAPS; tap++) {
        int dy = tap / TAPS - 1, dx = tap % TAPS - 1;
        if (y + dy < 0 || y + dy >= side || x + dx < 0 || x + dx >= side)
            continue;
        const float *from = image + (size_t)(pixel + dy * side + dx) * in;
        for (int c = 0; c < in; c++)
            for (int k = 0; k < outs; k++)
                sum[k] += from[c] * filter[(size_t)(tap * in + c) * outs + k];
    }
}

/* Pixels spread over the output; corners and borders are among them. */
static long check(const float *image, const float *filter, const float *bias, const float *out, int half,
                  int pixels, int side, int in, int outs)
{
    long wrong = 0;
    float *sum = (float *)host_alloc(outs * sizeof *sum);
    for (int i = 0; i < 97; i++) {
        int pixel = (int)((long)i * (pixels - 1) / 96);
        convolve_pixel(sum, image, filter, pixel, side, in, outs);
        for (int k = 0; k < outs; k++) {
            float want = bias ? fmaxf(sum[k] + bias[k], 0.0f) : sum[k];
            wrong += out[(size_t)pixel * outs + k] != (half ? __half2float(__float2half(want)) : want);
        }
    }
    free(sum);
    return wrong;
}

/* CTAs of 128 x 128, or 128 x 64 where there are fewer channels. */
static void launch_half_training(const struct layer *l, const __half *image, const __half *zeros,
                                 const __half *filter, __half *out, int in, int outs)
{
    int pixels = l->images * l->side * l->side;
    if (outs % 128 == 0) {
        typedef tile<2, 4, 4, 4> TILE;
        convolve_half<false, 2, 4, 4, 4>
            <<<dim3(outs / TILE::n, (pixels + TILE::m - 1) / TILE::m), TILE::threads>>>(
                image, zeros, filter, NULL, out, pixels, l->side, in, outs);
    } else {
        typedef tile<2, 2, 4, 4> TILE;
        convolve_half<false, 2, 2, 4, 4>
            <<<dim3(outs / TILE::n, (pixels + TILE::m - 1) / TILE::m), TILE::threads>>>(
                image, zeros, filter, NULL, out, pixels, l->side, in, outs);
    }
}

/* A convolution from `in` to `outs` channels, checked. Without bias it is one of training. */
static long run(const struct layer *l, int half, int in, int outs, const float *image,
                const __half *half_image, const float *filter, const __half *half_filter, const float *bias)
{
    int pixels = l->images * l->side * l->side;
    size_t n_image = (size_t)pixels * in, n_filter = (size_t)TAPS * TAPS * in * outs,
           n_out = (size_t)pixels * outs;
    __half *d_image = (__half *)device_copy(half_image, n_image * sizeof *half_image);
    __half *d_filter = (__half *)device_copy(half_filter, n_filter * sizeof *half_filter);
    __half *d_zeros = (__half *)device_alloc(CHUNK * sizeof *d_zeros);
    CHECK(cudaMemset(d_zeros, 0, CHUNK * sizeof *d_zeros));
    float *d_out = (float *)device_alloc(n_out * sizeof(float)), *d_bias = NULL;
    if (bias)
        d_bias = (float *)device_copy(bias, outs * sizeof *bias);
    if (half && bias) {
        typedef tile<2, 2, 2, 2> TILE;
        convolve_half<true, 2, 2, 2, 2>
            <<<dim3(outs / TILE::n, (pixels + TILE::m - 1) / TILE::m), TILE::threads>>>(
                d_image, d_zeros, d_filter, d_bias, (__half *)d_out, pixels, l->side, in, outs);
    } else if (half) {
        launch_half_training(l, d_image, d_zeros, d_filter, (__half *)d_out, in, outs);
    } else if (bias) {
        typedef tile<2, 2, 2, 2> TILE;
        convolve<true, 2, 2, 2, 2><<<dim3(outs / TILE::n, (pixels + TILE::m - 1) / TILE::m), TILE::threads>>>(
            d_image, d_zeros, d_filter, d_bias, d_out, pixels, l->side, in, outs);
    } else {
        typedef tile<2, 2, 4, 4> TILE;
        convolve<false, 2, 2, 4, 4>
            <<<dim3(outs / TILE::n, (pixels + TILE::m - 1) / TILE::m), TILE::threads>>>(
                d_image, d_zeros, d_filter, d_bias, d_out, pixels, l->side, in, outs);
    }
    float *out = (float *)host_alloc(n_out * sizeof *out);
    if (half)
        fetch_halves(out, (__half *)d_out, n_out);
    else
        fetch(out, d_out, n_out * sizeof *out);
    long wrong = check(image, filter, bias, out, half, pixels, l->side, in, outs);
    CHECK(cudaFree(d_image));
    CHECK(cudaFree(d_zeros));
    CHECK(cudaFree(d_filter));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_bias));
    free(out);
    return wrong;
}

/* Filters for the gradient: taps mirrored, channels exchanged. */
static void mirror(__half *to, float *to_f, const float *filter, int in, int outs)
{
    for (int tap = 0; tap < TAPS * TAPS; tap++)
        for (int c = 0; c < in; c++)
            for (int k = 0; k < outs; k++) {
                size_t i = (size_t)((TAPS * TAPS - 1 - tap) * outs + k) * in + c;
                to[i] = __float2half(to_f[i] = filter[(size_t)(tap * in + c) * outs + k]);
            }
}

struct tensor {
    __half *h;
    float *f;
};

static struct tensor new_tensor(size_t n)
{
    struct tensor t = {(__half *)host_alloc(n * sizeof *t.h), (float *)host_alloc(n * sizeof *t.f)};
    return t;
}

int main(int argc, char **argv)
{
    static const struct layer layers[2][3] = {{{1, 8, 64, 64}, {16, 14, 128, 256}, {16, 28, 256, 512}},
                                              {{1, 8, 64, 64}, {1, 28, 256, 256}, {16, 56, 128, 256}}};
    static const char *const shapes[] = {"train", "infer", NULL};
    static const char *const sums[] = {"single", "half", NULL};
    int shape = 0, half = 0;
    const struct choice options[] = {{"shape", shapes, &shape}, {"sums", sums, &half}};
    const struct layer *l = &layers[0][parse_args(argc, argv, options, 2)] + 3 * shape;
    void (*fill)(__half *, float *, size_t, uint32_t *) = half ? fill_signs : fill_sixteenths;
    size_t n_image = (size_t)l->images * l->side * l->side * l->in,
           n_filter = (size_t)TAPS * TAPS * l->in * l->out;
    size_t n_gradient = n_image / l->in * l->out;

    struct tensor image = new_tensor(n_image), filter = new_tensor(n_filter);
    uint32_t seed = 299792;
    fill(image.h, image.f, n_image, &seed);
    fill(filter.h, filter.f, n_filter, &seed);
    long wrong;
    if (shape == 0) {
        struct tensor gradient = new_tensor(n_gradient), mirrored = new_tensor(n_filter);
        fill(gradient.h, gradient.f, n_gradient, &seed);
        mirror(mirrored.h, mirrored.f, filter.f, l->in, l->out);
        wrong = run(l, half, l->in, l->out, image.f, image.h, filter.f, filter.h, NULL);
        wrong += run(l, half, l->out, l->in, gradient.f, gradient.h, mirrored.f, mirrored.h, NULL);
        free(gradient.h), free(gradient.f), free(mirrored.h), free(mirrored.f);
    } else {
        struct tensor bias = new_tensor(l->out);
        fill(bias.h, bias.f, l->out, &seed);
        wrong = run(l, half, l->in, l->out, image.f, image.h, filter.f, filter.h, bias.f);
        free(bias.h), free(bias.f);
    }
    free(image.h), free(image.f), free(filter.h), free(filter.f);
    return verdict("conv_tc", wrong);
}
// SPDX-License-Identifier: Apache-2.0
