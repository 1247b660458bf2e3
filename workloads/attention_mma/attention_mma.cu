/* Causal attention in half precision on tensor cores after FlashAttention 2: many heads of 64, four of which share their keys and values.
 * The kernel is in ../flash.h. */
#include "../flash.h"

#define SHARE 4

/* Every 61st query, in all heads. Weights and results are rounded to halves. */
static long check(const float *q, const float *k, const float *v, const __half *o, int sequences, int heads, int length)
{
    long wrong = 0;
    int q_row = heads * DIM, kv_row = heads / SHARE * DIM;
    double out[DIM], *weight = (double *)host_alloc(length * sizeof *weight);
    for (int i = 0; i < sequences * length; i += 61)
        for (int h = 0; h < heads; h++) {
            size_t first = (size_t)(i / length * length) * kv_row + h / SHARE * DIM;
            size_t at = (size_t)i * q_row + h * DIM;
            attend(out, weight, q + at, k + first, v + first, i % length + 1, kv_row, 0.125);
            for (int d = 0; d < DIM; d++)
                wrong += !(fabs(__half2float(o[at + d]) - out[d]) <= 2e-3);
        }
    free(weight);
    return wrong;
}

static __half *random_halves(float **values, size_t n, float range, uint32_t *seed)
{
    float *f = *values = (float *)host_alloc(n * sizeof *f);
    __half *h = (__half *)host_alloc(n * sizeof *h);
    for (size_t i = 0; i < n; i++) {
        h[i] = __float2half(range * (2.0f * next_float(seed) - 1.0f));
        f[i] = __half2float(h[i]);
    }
    return h;
}

int main(int argc, char **argv)
{
    static const int sequences_of[] = {1, 2, 4}, heads_of[] = {4, 16, 32}, length_of[] = {128, 1024, 2048};
    int size = parse_size(argc, argv), n = sequences_of[size], heads = heads_of[size], length = length_of[size];
    size_t nq = (size_t)n * length * heads * DIM, nk = nq / SHARE;
    float *q, *k, *v;
    uint32_t seed = 271828;
    __half *half_q = random_halves(&q, nq, 2.0f, &seed), *half_k = random_halves(&k, nk, 2.0f, &seed);
    __half *half_v = random_halves(&v, nk, 1.0f, &seed), *o = (__half *)host_alloc(nq * 2);
    __half *d_q = (__half *)device_copy(half_q, nq * 2), *d_k = (__half *)device_copy(half_k, nk * 2);
    __half *d_v = (__half *)device_copy(half_v, nk * 2), *d_o = (__half *)device_alloc(nq * 2);
    attention_mma<true><<<dim3(length / QUERIES, heads, n), WARPS * 32>>>(
        d_q, d_k, d_v, d_o, length, heads * DIM, heads / SHARE * DIM, heads * DIM, SHARE, 0.125f * LOG2_E);
    fetch(o, d_o, nq * 2);

    long wrong = check(q, k, v, o, n, heads, length);
    CHECK(cudaFree(d_q));
    CHECK(cudaFree(d_k));
    CHECK(cudaFree(d_v));
    CHECK(cudaFree(d_o));
    free(q), free(k), free(v), free(o), free(half_q), free(half_k), free(half_v);
    return verdict("attention_mma", wrong);
}
