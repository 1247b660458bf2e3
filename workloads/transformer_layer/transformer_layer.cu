/* A layer of a language model in half precision, as a sequence of kernels: normalisation, a projection to queries, keys and values, rotary
 * embedding, causal attention, projection and residual, normalisation, a gated multilayer perceptron (SwiGLU) and residual. The products
 * are those of gemm_pipelined with smaller tiles, attention is that of attention_mma; their kernels are in ../pipeline.h and ../flash.h. */
#include "../flash.h"
#include "../norm.h"

#define SHARE 2 /* heads of queries for one of keys and values */
#define NORM_BLOCK 64

typedef product<64, 64, 32, 2, 2, 4> tiles;

struct layer {
    int length, sequences, width, heads, inner; /* inner: of the perceptron */
};

static int kv_heads(const struct layer *l) { return l->heads / SHARE; }
static int qkv_width(const struct layer *l) { return (l->heads + 2 * kv_heads(l)) * DIM; }
static int tokens(const struct layer *l) { return l->length * l->sequences; }

/* Rows of gates and then values, `inner` each: out = gate / (1 + exp(-gate)) value. */
__global__ void __launch_bounds__(256) swiglu(const eight<__half2> *in, eight<__half2> *out, int inner)
{
    int per_row = inner / EIGHT;
    for (int at = threadIdx.x; at < per_row; at += blockDim.x) {
        float gate[EIGHT], value[EIGHT];
        unpack(gate, in[(size_t)blockIdx.x * 2 * per_row + at]);
        unpack(value, in[(size_t)blockIdx.x * 2 * per_row + per_row + at]);
#pragma unroll
        for (int e = 0; e < EIGHT; e++)
            value[e] *= __fdividef(gate[e], 1.0f + __expf(-gate[e]));
        out[(size_t)blockIdx.x * per_row + at] = pack<__half2>(value);
    }
}

struct weights { /* matrices by rows of inputs */
    __half *norm1, *qkv, *out, *norm2, *up, *down;
};

struct buffers {
    __half *x, *y, *qkv, *attended, *hidden, *gated;
};

typedef eight<__half2> *vectors;

static void normalise(__half *x, __half *weight, __half *to, const struct layer *l)
{
    int block = l->width / EIGHT < NORM_BLOCK ? l->width / EIGHT : NORM_BLOCK;
    if (l->width == block * EIGHT)
        rms_norm<__half2, 1, false>
            <<<tokens(l), block>>>((vectors)x, NULL, (vectors)weight, (vectors)to, l->width, 1e-5f);
    else
        rms_norm<__half2, 2, false>
            <<<tokens(l), l->width / EIGHT / 2>>>((vectors)x, NULL, (vectors)weight, (vectors)to, l->width, 1e-5f);
}

static void forward(const struct layer *l, const struct weights *w, const struct buffers *b, const float2 *table)
{
    int t = tokens(l), row = qkv_width(l), q = l->heads * DIM, kv = kv_heads(l) * DIM;
    normalise(b->x, w->norm1, b->y, l);
    multiply<tiles, false>(b->y, w->qkv, NULL, b->qkv, t, row, l->width);
    rope<__half2, DIM><<<t, (l->heads + kv_heads(l)) * (DIM / 2 / EIGHT)>>>((__half2 *)b->qkv, table, l->length, row);
    attention_mma<true><<<dim3(l->length / QUERIES, l->heads, l->sequences), WARPS * 32>>>(
        b->qkv, b->qkv + q, b->qkv + q + kv, b->attended, l->length, row, row, q, SHARE, 0.125f * LOG2_E);
    multiply<tiles, true>(b->attended, w->out, b->x, b->x, t, l->width, q);
    normalise(b->x, w->norm2, b->y, l);
    multiply<tiles, false>(b->y, w->up, NULL, b->hidden, t, 2 * l->inner, l->width);
    swiglu<<<t, 256>>>((vectors)b->hidden, (vectors)b->gated, l->inner);
    multiply<tiles, true>(b->gated, w->down, b->x, b->x, t, l->width, l->inner);
}

/* The same in single precision on the host, rounded to halves where a kernel stores. */
static float half_of(float x) { return __half2float(__float2half(x)); }

static void host_norm(const float *x, const float *weight, float *to, int rows, int width)
{
    for (int r = 0; r < rows; r++, x += width, to += width) {
        float sum = 0.0f;
        for (int i = 0; i < width; i++)
            sum += x[i] * x[i];
        float scale = 1.0f / sqrtf(sum / width + 1e-5f);
        for (int i = 0; i < width; i++)
            to[i] = half_of(x[i] * scale * weight[i]);
    }
}

static void host_multiply(const float *a, const float *b, const float *added, float *c, int m, int n, int k)
{
    float *sum = (float *)host_alloc(n * sizeof *sum);
    for (int i = 0; i < m; i++) {
        memset(sum, 0, n * sizeof *sum);
        for (int j = 0; j < k; j++)
            for (int col = 0; col < n; col++)
                sum[col] += a[(size_t)i * k + j] * b[(size_t)j * n + col];
        for (int col = 0; col < n; col++) {
            float v = half_of(sum[col]);
            c[(size_t)i * n + col] = added ? half_of(v + added[(size_t)i * n + col]) : v;
        }
    }
    free(sum);
}

static void host_rope(float *x, const float2 *table, const struct layer *l)
{
    for (int t = 0; t < tokens(l); t++)
        for (int h = 0; h < l->heads + kv_heads(l); h++)
            for (int i = 0; i < DIM / 2; i++) {
                float *a = x + (size_t)t * qkv_width(l) + h * DIM + i, *b = a + DIM / 2;
                float2 c = table[(size_t)(t % l->length) * (DIM / 2) + i];
                float turned = half_of(*a * c.x - *b * c.y);
                *b = half_of(*b * c.x + *a * c.y);
                *a = turned;
            }
}

static void host_attention(const float *qkv, float *to, const struct layer *l)
{
    int row = qkv_width(l), q = l->heads * DIM, kv = kv_heads(l) * DIM;
    double out[DIM], *weight = (double *)host_alloc(l->length * sizeof *weight);
    for (int t = 0; t < tokens(l); t++)
        for (int h = 0; h < l->heads; h++) {
            const float *k = qkv + (size_t)(t / l->length * l->length) * row + q + h / SHARE * DIM;
            attend(out, weight, qkv + (size_t)t * row + h * DIM, k, k + kv, t % l->length + 1, row, 0.125);
            for (int d = 0; d < DIM; d++)
                to[(size_t)t * q + h * DIM + d] = half_of((float)out[d]);
        }
    free(weight);
}

static void host_swiglu(const float *in, float *out, int rows, int inner)
{
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < inner; i++) {
            float gate = in[(size_t)r * 2 * inner + i], value = in[(size_t)r * 2 * inner + inner + i];
            out[(size_t)r * inner + i] = half_of(value * (gate / (1.0f + expf(-gate))));
        }
}

struct host_weights {
    float *norm1, *qkv, *out, *norm2, *up, *down;
};

static void host_forward(const struct layer *l, const struct host_weights *w, float *x, const float2 *table)
{
    int t = tokens(l), q = l->heads * DIM;
    float *y = (float *)host_alloc((size_t)t * l->width * sizeof(float));
    float *qkv = (float *)host_alloc((size_t)t * qkv_width(l) * sizeof(float));
    float *attended = (float *)host_alloc((size_t)t * q * sizeof(float));
    float *hidden = (float *)host_alloc((size_t)t * 2 * l->inner * sizeof(float));
    float *gated = (float *)host_alloc((size_t)t * l->inner * sizeof(float));
    host_norm(x, w->norm1, y, t, l->width);
    host_multiply(y, w->qkv, NULL, qkv, t, qkv_width(l), l->width);
    host_rope(qkv, table, l);
    host_attention(qkv, attended, l);
    host_multiply(attended, w->out, x, x, t, l->width, q);
    host_norm(x, w->norm2, y, t, l->width);
    host_multiply(y, w->up, NULL, hidden, t, 2 * l->inner, l->width);
    host_swiglu(hidden, gated, t, l->inner);
    host_multiply(gated, w->down, x, x, t, l->width, l->inner);
    free(y), free(qkv), free(attended), free(hidden), free(gated);
}

/* On the device, and as floats here. */
static __half *random_matrix(float **values, size_t n, float middle, float range, uint32_t *seed)
{
    float *f = *values = (float *)host_alloc(n * sizeof *f);
    __half *h = (__half *)host_alloc(n * sizeof *h);
    for (size_t i = 0; i < n; i++)
        f[i] = __half2float(h[i] = __float2half(middle + range * (2.0f * next_float(seed) - 1.0f)));
    __half *d = (__half *)device_copy(h, n * sizeof *h);
    free(h);
    return d;
}

static __half *halves(size_t n) { return (__half *)device_alloc(n * sizeof(__half)); }

int main(int argc, char **argv)
{
    static const struct layer layers[] = {
        {64, 1, 256, 4, 256}, {256, 2, 512, 8, 1536}, {1024, 2, 1024, 16, 2816}};
    const struct layer *l = &layers[parse_size(argc, argv)];
    size_t t = tokens(l), width = l->width, row = qkv_width(l), q = l->heads * DIM, inner = l->inner;
    uint32_t seed = 2017;
    struct weights w;
    struct host_weights h;
    struct buffers b;
    float *x, of_width = sqrtf(3.0f / width), of_inner = sqrtf(3.0f / inner);
    w.norm1 = random_matrix(&h.norm1, width, 1.0f, 0.25f, &seed);
    w.qkv = random_matrix(&h.qkv, width * row, 0.0f, of_width, &seed);
    w.out = random_matrix(&h.out, q * width, 0.0f, of_width, &seed);
    w.norm2 = random_matrix(&h.norm2, width, 1.0f, 0.25f, &seed);
    w.up = random_matrix(&h.up, width * 2 * inner, 0.0f, of_width, &seed);
    w.down = random_matrix(&h.down, inner * width, 0.0f, of_inner, &seed);
    b.x = random_matrix(&x, t * width, 0.0f, 1.0f, &seed);
    b.y = halves(t * width), b.qkv = halves(t * row), b.attended = halves(t * q);
    b.hidden = halves(t * 2 * inner), b.gated = halves(t * inner);
    float2 *table = angles(l->length, DIM);
    float2 *d_table = (float2 *)device_copy(table, (size_t)l->length * (DIM / 2) * sizeof *table);
    forward(l, &w, &b, d_table);
    __half *result = (__half *)host_alloc(t * width * sizeof *result);
    fetch(result, b.x, t * width * sizeof *result);

    /* Sums in another order round differently, which the kernels after it carry on: some units of a half. */
    long wrong = 0;
    host_forward(l, &h, x, table);
    for (size_t i = 0; i < t * width; i++)
        wrong += !(fabsf(__half2float(result[i]) - x[i]) <= 0.01f * fmaxf(1.0f, fabsf(x[i])));
    __half *device[] = {w.norm1, w.qkv, w.out, w.norm2, w.up, w.down, b.x, b.y, b.qkv, b.attended, b.hidden, b.gated};
    for (size_t i = 0; i < sizeof device / sizeof *device; i++)
        CHECK(cudaFree(device[i]));
    CHECK(cudaFree(d_table));
    free(h.norm1), free(h.qkv), free(h.out), free(h.norm2), free(h.up), free(h.down);
    free(x), free(table), free(result);
    return verdict("transformer_layer", wrong);
}
// SPDX-License-Identifier: Apache-2.0
