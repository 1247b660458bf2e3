/* A matrix product whose result has one rounding, for products in half precision that check themselves: inputs are sixteenths, so that
 * their products and sums are exact in single precision. */
#ifndef EXACT_H
#define EXACT_H

#include "tensor.h"

struct exact_product {
    int m, n, k;
    float *a, *b;
    __half *d_a, *d_b, *d_c; /* on the device */
};

static inline __half *exact_input(float **values, size_t n, uint32_t *seed)
{
    __half *h = (__half *)host_alloc(n * sizeof *h);
    *values = (float *)host_alloc(n * sizeof **values);
    fill_sixteenths(h, *values, n, seed);
    __half *d = (__half *)device_copy(h, n * sizeof *h);
    free(h);
    return d;
}

static inline struct exact_product exact_product(int m, int n, int k, uint32_t seed)
{
    struct exact_product p = {m, n, k};
    p.d_a = exact_input(&p.a, (size_t)m * k, &seed);
    p.d_b = exact_input(&p.b, (size_t)k * n, &seed);
    p.d_c = (__half *)device_alloc((size_t)m * n * 2);
    return p;
}

/* How many of 64 rows' results, spread over C, are wrong. Frees everything. */
static inline long exact_check(struct exact_product *p)
{
    long wrong = 0;
    size_t count = (size_t)p->m * p->n;
    __half *c = (__half *)host_alloc(count * sizeof *c);
    float *sum = (float *)host_alloc(p->n * sizeof *sum);
    fetch(c, p->d_c, count * sizeof *c);
    for (int i = 0; i < 64; i++) {
        int row = p->m / 64 * i + i % (p->m / 64);
        memset(sum, 0, p->n * sizeof *sum);
        for (int j = 0; j < p->k; j++)
            for (int col = 0; col < p->n; col++)
                sum[col] += p->a[(size_t)row * p->k + j] * p->b[(size_t)j * p->n + col];
        for (int col = 0; col < p->n; col++)
            wrong += __half2float(c[(size_t)row * p->n + col]) != __half2float(__float2half(sum[col]));
    }
    CHECK(cudaFree(p->d_a));
    CHECK(cudaFree(p->d_b));
    CHECK(cudaFree(p->d_c));
    free(p->a), free(p->b), free(c), free(sum);
    return wrong;
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
