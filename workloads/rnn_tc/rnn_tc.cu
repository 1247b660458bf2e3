/* A layer of LSTM cells over a sequence, after DeepBench's rnn_bench: one product on tensor cores for the
 * inputs of all time steps, then for each step a product with the recurrent weights and an elementwise kernel
 * for the gates. Inputs, weights and outputs are in half precision, sums and cell states in single; with
 * --sums half the sums of a product are in half, too. train has
 * a batch of 128, keeps the gates and goes back through time to the gradients of the gates; infer has a batch
 * of 16. Many launches, narrow products (see ../tensor.h) and, between them, kernels that only stream:
 * registers and tensor cores are idle in turn. */
#include "../tensor.h"

#define GATES 4 /* in, forget, cell, out: blocks of `hidden` columns */
#define BLOCK 256

/* c = a b, or c += a b where the product of the inputs is already there. */
template <bool ADD, int WM, int WN, int MT, int NT>
__global__ void __launch_bounds__(WM *WN * 32)
    product(const __half *a, const __half *b, float *c, int n, int k)
{
    __shared__ __align__(16) tile<WM, WN, MT, NT> s;
    float sum[MT][NT][4] = {};
    int row0 = blockIdx.y * s.m, col0 = blockIdx.x * s.n;
    matrix_rows<tile<WM, WN, MT, NT>> rows(a, row0, k);
    multiply_tile<WM, WN, MT, NT>(sum, &s, &rows, b, n, col0, k);

    c += (size_t)(row0 + sum_row<WM, WN, MT, NT>()) * n + col0 + sum_col<WM, WN, MT, NT>();
#pragma unroll
    for (int i = 0; i < 2 * MT; i++)
#pragma unroll
        for (int j = 0; j < NT; j++) {
            float2 *to = (float2 *)(c + (size_t)(i * 8) * n + j * 8);
            float2 old = ADD ? *to : make_float2(0.0f, 0.0f);
            *to = make_float2(old.x + sum[i / 2][j][i % 2 * 2], old.y + sum[i / 2][j][i % 2 * 2 + 1]);
        }
}

/* The same with sums in half precision. */
template <bool ADD, int WM, int WN, int MT, int NT>
__global__ void __launch_bounds__(WM *WN * 32)
    product_half(const __half *a, const __half *b, float *c, int n, int k)
{
    __shared__ __align__(16) tile<WM, WN, MT, NT> s;
    unsigned sum[MT][NT][2] = {};
    int row0 = blockIdx.y * s.m, col0 = blockIdx.x * s.n;
    matrix_rows<tile<WM, WN, MT, NT>> rows(a, row0, k);
    multiply_tile<WM, WN, MT, NT>(sum, &s, &rows, b, n, col0, k);

    c += (size_t)(row0 + sum_row<WM, WN, MT, NT>()) * n + col0 + sum_col<WM, WN, MT, NT>();
#pragma unroll
    for (int i = 0; i < 2 * MT; i++)
#pragma unroll
        for (int j = 0; j < NT; j++) {
            float2 *to = (float2 *)(c + (size_t)(i * 8) * n + j * 8), v = sum_pair(sum[i / 2][j], i % 2);
            float2 old = ADD ? *to : make_float2(0.0f, 0.0f);
            *to = make_float2(old.x + v.x, old.y + v.y);
        }
}

__device__ __forceinline__ float fast_sigmoid(float x) { return __fdividef(1.0f, 1.0f + __expf(-x)); }
__device__ __forceinline__ float fast_tanh(float x) { return 2.0f * fast_sigmoid(2.0f * x) - 1.0f; }

/* A thread makes one cell's state and output; in training the gates replace what they were made of. */
template <bool KEEP>
__global__ void gates_forward(float *gates, const float *state_before, float *state, __half *output,
                              int hidden)
{
    int i = blockIdx.x * BLOCK + threadIdx.x, row = i / hidden, unit = i % hidden;
    float *g = gates + (size_t)row * GATES * hidden + unit;
    float in = fast_sigmoid(g[0]), forget = fast_sigmoid(g[hidden]);
    float cell = fast_tanh(g[2 * hidden]), out = fast_sigmoid(g[3 * hidden]);
    float c = forget * state_before[i] + in * cell;
    state[i] = c;
    output[i] = __float2half(out * fast_tanh(c));
    if (KEEP) {
        g[0] = in;
        g[hidden] = forget;
        g[2 * hidden] = cell;
        g[3 * hidden] = out;
    }
}

/* d_state goes from step to step in place; d_recurrent is what the step after this one sent back. */
__global__ void gates_backward(const float *gates, const float *state_before, const float *state,
                               const float *d_output, const float *d_recurrent, float *d_state,
                               __half *d_gates, int hidden)
{
    int i = blockIdx.x * BLOCK + threadIdx.x, row = i / hidden, unit = i % hidden;
    const float *g = gates + (size_t)row * GATES * hidden + unit;
    __half *dg = d_gates + (size_t)row * GATES * hidden + unit;
    float in = g[0], forget = g[hidden], cell = g[2 * hidden], out = g[3 * hidden];
    float dh = d_output[i] + d_recurrent[i], t = fast_tanh(state[i]);
    float dc = d_state[i] + dh * out * (1.0f - t * t);
    dg[0] = __float2half(dc * cell * in * (1.0f - in));
    dg[hidden] = __float2half(dc * state_before[i] * forget * (1.0f - forget));
    dg[2 * hidden] = __float2half(dc * in * (1.0f - cell * cell));
    dg[3 * hidden] = __float2half(dh * t * out * (1.0f - out));
    d_state[i] = dc * forget;
}

struct shape {
    int steps, batch, hidden;
};

/* Everything on the device; index t of a sequence is batch * hidden or batch * GATES * hidden elements
 * further. */
struct network {
    struct shape s;
    int half; /* sums of products in half precision */
    __half *x, *w_in, *w_rec, *w_back, *h, *d_gates; /* h[0] is the zero before the first step */
    float *gates, *c, *d_out, *d_rec, *d_state;
};

/* The same random numbers on both sides: in [-scale, scale], rounded to half precision. */
static void fill(__half *h, float *f, size_t n, float scale, uint32_t *seed)
{
    for (size_t i = 0; i < n; i++) {
        h[i] = __float2half(scale * (2.0f * next_float(seed) - 1.0f));
        f[i] = __half2float(h[i]);
    }
}

/* c = a b, or c += a b, with m rows; k deep. */
template <bool ADD, int WM, int WN, int MT, int NT>
static void multiply(const struct network *net, const __half *a, const __half *b, float *c, int m, int n,
                     int k)
{
    typedef tile<WM, WN, MT, NT> TILE;
    dim3 grid(n / TILE::n, m / TILE::m);
    if (net->half)
        product_half<ADD, WM, WN, MT, NT><<<grid, TILE::threads>>>(a, b, c, n, k);
    else
        product<ADD, WM, WN, MT, NT><<<grid, TILE::threads>>>(a, b, c, n, k);
}

static void forward(struct network *n, int train)
{
    const struct shape *s = &n->s;
    int cells = s->batch * s->hidden, wide = GATES * s->hidden;
    if (train)
        multiply<false, 2, 2, 2, 4>(n, n->x, n->w_in, n->gates, s->steps * s->batch, wide, s->hidden);
    else
        multiply<false, 1, 2, 1, 4>(n, n->x, n->w_in, n->gates, s->steps * s->batch, wide, s->hidden);
    for (int t = 0; t < s->steps; t++) {
        __half *before = n->h + (size_t)t * cells, *after = before + cells;
        float *gates = n->gates + (size_t)t * cells * GATES, *c = n->c + (size_t)t * cells;
        if (train) {
            multiply<true, 2, 2, 2, 4>(n, before, n->w_rec, gates, s->batch, wide, s->hidden);
            gates_forward<true><<<cells / BLOCK, BLOCK>>>(gates, c, c + cells, after, s->hidden);
        } else {
            multiply<true, 1, 2, 1, 4>(n, before, n->w_rec, gates, s->batch, wide, s->hidden);
            gates_forward<false><<<cells / BLOCK, BLOCK>>>(gates, c, c + cells, after, s->hidden);
        }
    }
}

static void backward(struct network *n)
{
    const struct shape *s = &n->s;
    int cells = s->batch * s->hidden;
    for (int t = s->steps - 1; t >= 0; t--) {
        const float *c = n->c + (size_t)t * cells, *gates = n->gates + (size_t)t * cells * GATES;
        __half *d_gates = n->d_gates + (size_t)t * cells * GATES;
        gates_backward<<<cells / BLOCK, BLOCK>>>(gates, c, c + cells, n->d_out + (size_t)t * cells, n->d_rec,
                                                 n->d_state, d_gates, s->hidden);
        multiply<false, 2, 2, 1, 2>(n, d_gates, n->w_back, n->d_rec, s->batch, s->hidden, GATES * s->hidden);
    }
}

/* The host's side: inputs as the device has them, and what the device made. */
struct host {
    struct shape s;
    float *x, *w_in, *w_rec, *d_out;
    __half *h, *d_gates;
};

/* to[n] += from[k] times the k x n matrix. */
static void add_product(float *to, const float *from, const float *matrix, int k, int n)
{
    for (int i = 0; i < k; i++)
        for (int j = 0; j < n; j++)
            to[j] += from[i] * matrix[(size_t)i * n + j];
}

static float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }
static float rounded(float x) { return __half2float(__float2half(x)); }

/* Values in half precision that were rounded the other way, once in a while, are one part in 2048 off, and
 * pass on less than that; a wrong operand is off by tenths. */
static int is_off(__half got, float want)
{
    return !(fabsf(__half2float(got) - want) <= 4e-3f * fmaxf(1.0f, fabsf(want)));
}

static long check_backward(const struct host *m, int row, const float *gates, const float *c)
{
    int H = m->s.hidden, wide = GATES * H;
    long wrong = 0;
    float *dc = (float *)host_alloc(H * sizeof *dc), *dh = (float *)host_alloc(H * sizeof *dh);
    float *dg = (float *)host_alloc(wide * sizeof *dg);
    for (int t = m->s.steps - 1; t >= 0; t--) {
        const float *g = gates + (size_t)t * wide, *before = c + (size_t)t * H, *after = before + H;
        const __half *got = m->d_gates + ((size_t)t * m->s.batch + row) * wide;
        for (int u = 0; u < H; u++) {
            float in = g[u], forget = g[H + u], cell = g[2 * H + u], out = g[3 * H + u], th = tanhf(after[u]);
            float d = dh[u] + m->d_out[((size_t)t * m->s.batch + row) * H + u];
            dc[u] += d * out * (1.0f - th * th);
            dg[u] = rounded(dc[u] * cell * in * (1.0f - in));
            dg[H + u] = rounded(dc[u] * before[u] * forget * (1.0f - forget));
            dg[2 * H + u] = rounded(dc[u] * in * (1.0f - cell * cell));
            dg[3 * H + u] = rounded(d * th * out * (1.0f - out));
            dc[u] *= forget;
        }
        for (int j = 0; j < wide; j++)
            wrong += is_off(got[j], dg[j]);
        for (int u = 0; u < H; u++) {
            float sum = 0.0f;
            for (int j = 0; j < wide; j++)
                sum += dg[j] * m->w_rec[(size_t)u * wide + j];
            dh[u] = sum;
        }
    }
    free(dc), free(dh), free(dg);
    return wrong;
}

/* One sequence of the batch; they do not influence each other. */
static long check_row(const struct host *m, int row, int train)
{
    int H = m->s.hidden, wide = GATES * H, steps = m->s.steps;
    long wrong = 0;
    float *gates = (float *)host_alloc((size_t)steps * wide * sizeof *gates),
          *h = (float *)host_alloc(H * sizeof *h);
    float *c = (float *)host_alloc((size_t)(steps + 1) * H * sizeof *c);
    for (int t = 0; t < steps; t++) {
        float *g = gates + (size_t)t * wide, *before = c + (size_t)t * H, *after = before + H;
        add_product(g, m->x + ((size_t)t * m->s.batch + row) * H, m->w_in, H, wide);
        add_product(g, h, m->w_rec, H, wide);
        for (int u = 0; u < H; u++) {
            g[u] = sigmoid(g[u]);
            g[H + u] = sigmoid(g[H + u]);
            g[2 * H + u] = tanhf(g[2 * H + u]);
            g[3 * H + u] = sigmoid(g[3 * H + u]);
            after[u] = g[H + u] * before[u] + g[u] * g[2 * H + u];
            h[u] = rounded(g[3 * H + u] * tanhf(after[u]));
            wrong += is_off(m->h[((size_t)(t + 1) * m->s.batch + row) * H + u], h[u]);
        }
    }
    if (train)
        wrong += check_backward(m, row, gates, c);
    free(gates), free(h), free(c);
    return wrong;
}

static void *device_zeros(size_t bytes)
{
    void *p = device_alloc(bytes);
    CHECK(cudaMemset(p, 0, bytes));
    return p;
}

/* n elements in half precision on the device, and in single on the host. */
static __half *make_input(float **f, size_t n, float scale, uint32_t *seed)
{
    __half *h = (__half *)host_alloc(n * sizeof *h);
    *f = (float *)host_alloc(n * sizeof **f);
    fill(h, *f, n, scale, seed);
    __half *d = (__half *)device_copy(h, n * sizeof *h);
    free(h);
    return d;
}

static __half *make_transposed(const float *w, int rows, int cols)
{
    __half *h = (__half *)host_alloc((size_t)rows * cols * sizeof *h);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            h[(size_t)j * rows + i] = __float2half(w[(size_t)i * cols + j]);
    __half *d = (__half *)device_copy(h, (size_t)rows * cols * sizeof *h);
    free(h);
    return d;
}

int main(int argc, char **argv)
{
    static const struct shape sizes[2][3] = {{{2, 64, 64}, {4, 128, 512}, {16, 128, 1024}},
                                             {{2, 16, 64}, {8, 16, 768}, {50, 16, 1536}}};
    static const char *const names[] = {"train", "infer", NULL};
    static const char *const sums[] = {"single", "half", NULL};
    int which = 0, half = 0;
    const struct choice options[] = {{"shape", names, &which}, {"sums", sums, &half}};
    struct shape s = (&sizes[0][parse_args(argc, argv, options, 2)])[3 * which];
    int train = which == 0, wide = GATES * s.hidden;
    size_t cells = (size_t)s.batch * s.hidden, all = cells * s.steps, weights = (size_t)s.hidden * wide;

    struct network n = {s, half, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    struct host m = {s, 0, 0, 0, 0, 0, 0};
    uint32_t seed = 137035;
    float scale = 2.0f / sqrtf(2.0f * s.hidden);
    n.x = make_input(&m.x, all, 1.0f, &seed);
    n.w_in = make_input(&m.w_in, weights, scale, &seed);
    n.w_rec = make_input(&m.w_rec, weights, scale, &seed);
    n.h = (__half *)device_zeros((all + cells) * sizeof *n.h);
    n.c = (float *)device_zeros((all + cells) * sizeof *n.c);
    n.gates = (float *)device_alloc(all * GATES * sizeof *n.gates);
    m.h = (__half *)host_alloc((all + cells) * sizeof *m.h);
    forward(&n, train);
    fetch(m.h, n.h, (all + cells) * sizeof *m.h);
    if (train) {
        m.d_out = (float *)host_alloc(all * sizeof *m.d_out);
        for (size_t i = 0; i < all; i++)
            m.d_out[i] = 2.0f * next_float(&seed) - 1.0f;
        n.w_back = make_transposed(m.w_rec, s.hidden, wide);
        n.d_out = (float *)device_copy(m.d_out, all * sizeof *m.d_out);
        n.d_rec = (float *)device_zeros(cells * sizeof *n.d_rec);
        n.d_state = (float *)device_zeros(cells * sizeof *n.d_state);
        n.d_gates = (__half *)device_alloc(all * GATES * sizeof *n.d_gates);
        m.d_gates = (__half *)host_alloc(all * GATES * sizeof *m.d_gates);
        backward(&n);
        fetch(m.d_gates, n.d_gates, all * GATES * sizeof *m.d_gates);
    }

    long wrong = 0;
    for (int i = 0; i < 4; i++)
        wrong += check_row(&m, (i * 37 + 5) % s.batch, train);
    void *on_device[] = {n.x,     n.w_in, n.w_rec, n.w_back, n.h,      n.d_gates,
                         n.gates, n.c,    n.d_out, n.d_rec,  n.d_state};
    for (size_t i = 0; i < sizeof on_device / sizeof *on_device; i++)
        CHECK(cudaFree(on_device[i]));
    free(m.x), free(m.w_in), free(m.w_rec), free(m.d_out), free(m.h), free(m.d_gates);
    return verdict("rnn_tc", wrong);
}
// SPDX-License-Identifier: Apache-2.0
