/* Root-mean-square normalisation of rows in bfloat16 (--type bf16) or half precision, with the residual stream added first and kept, as
 * layers of language models do: a CTA of 256 threads a row of 4096, 16 bytes an access, the row in registers between the two passes. */
#include "../norm.h"

#define WIDTH 4096
#define BLOCK 256
#define VECS (WIDTH / EIGHT / BLOCK)

static float round_to(float x, __nv_bfloat16 *bits) { return __bfloat162float(*bits = __float2bfloat16(x)); }
static float round_to(float x, __half *bits) { return __half2float(*bits = __float2half(x)); }
static float value(__nv_bfloat16 x) { return __bfloat162float(x); }
static float value(__half x) { return __half2float(x); }

template <typename T> static T *random_numbers(float **values, size_t n, float range, uint32_t *seed)
{
    T *bits = (T *)host_alloc(n * sizeof *bits);
    *values = (float *)host_alloc(n * sizeof **values);
    for (size_t i = 0; i < n; i++)
        (*values)[i] = round_to(range * (2.0f * next_float(seed) - 1.0f), &bits[i]);
    return bits;
}

/* unit: of the type, relative. */
template <typename T>
static long check(const T *x, const T *out, const float *a, const float *b, const float *weight, int rows, double unit)
{
    long wrong = 0;
    for (int r = 0; r < rows; r++) {
        size_t at = (size_t)r * WIDTH;
        double sum = 0.0;
        for (int i = 0; i < WIDTH; i++) {
            double v = (double)a[at + i] + b[at + i];
            wrong += !(fabs(value(x[at + i]) - v) <= unit * fabs(v));
            sum += v * v;
        }
        double scale = 1.0 / sqrt(sum / WIDTH + 1e-5);
        for (int i = 0; i < WIDTH; i++) {
            double want = ((double)a[at + i] + b[at + i]) * scale * weight[i];
            wrong += !(fabs(value(out[at + i]) - want) <= unit * fabs(want) + 1e-7);
        }
    }
    return wrong;
}

template <typename T, typename T2> static long run(int rows, double unit)
{
    size_t n = (size_t)rows * WIDTH, bytes = n * sizeof(T);
    float *a, *b, *w;
    uint32_t seed = 1910;
    T *ta = random_numbers<T>(&a, n, 2.0f, &seed), *tb = random_numbers<T>(&b, n, 1.0f, &seed);
    T *tw = random_numbers<T>(&w, WIDTH, 1.5f, &seed), *out = (T *)host_alloc(bytes);
    eight<T2> *d_x = (eight<T2> *)device_copy(ta, bytes), *d_add = (eight<T2> *)device_copy(tb, bytes);
    eight<T2> *d_w = (eight<T2> *)device_copy(tw, WIDTH * sizeof(T)), *d_out = (eight<T2> *)device_alloc(bytes);
    rms_norm<T2, VECS, true><<<rows, BLOCK>>>(d_x, d_add, d_w, d_out, WIDTH, 1e-5f);
    fetch(ta, d_x, bytes);
    fetch(out, d_out, bytes);

    long wrong = check<T>(ta, out, a, b, w, rows, unit);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_add));
    CHECK(cudaFree(d_w));
    CHECK(cudaFree(d_out));
    free(a), free(b), free(w), free(ta), free(tb), free(tw), free(out);
    return wrong;
}

int main(int argc, char **argv)
{
    static const int rows_of[] = {16, 1024, 32768};
    static const char *const types[] = {"bf16", "fp16", NULL};
    int type = 0;
    const struct choice options[] = {{"type", types, &type}};
    int rows = rows_of[parse_args(argc, argv, options, 1)];
    /* One rounding, and fast square roots. */
    long wrong = type ? run<__half, __half2>(rows, 0x1.1p-11) : run<__nv_bfloat16, __nv_bfloat162>(rows, 0x1.1p-8);
    return verdict("rmsnorm", wrong);
}
// SPDX-License-Identifier: Apache-2.0
