/* Poisson numbers over cuRAND's generators. Small means by Knuth's product of uniforms (The Art of Computer Programming 2,
 * 3.4.1), large ones by Hoermann's transformed rejection (PTRS, Insurance: Mathematics and Economics 12, 1993), where NVIDIA's
 * library has another method: there the distribution is the same, the numbers are not. */
#ifndef BANKSHOT_CURAND_POISSON_H
#define BANKSHOT_CURAND_POISSON_H

#include <bankshot/curand_dist.h>

template <typename State> static __device__ inline unsigned curand_poisson(State *s, double lambda)
{
    if (lambda < 64.0) {
        float p = expf((float)lambda);
        unsigned k = 0;
        do {
            k++;
            p *= curand_uniform(s);
        } while (p > 1.0f);
        return k - 1;
    }
    double root = sqrt(lambda), logarithm = log(lambda);
    double b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
    double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), limit = 0.9277 - 3.6224 / (b - 2.0);
    while (true) {
        double u = curand_uniform_double(s) - 0.5, v = curand_uniform_double(s), us = 0.5 - fabs(u);
        double k = floor((2.0 * a / us + b) * u + lambda + 0.43);
        if (us >= 0.07 && v <= limit)
            return (unsigned)k;
        if (k < 0.0 || (us < 0.013 && v > us))
            continue;
        if (log(v) + log(inverse_alpha) - log(a / (us * us) + b) <= -lambda + k * logarithm - lgamma(k + 1.0))
            return (unsigned)k;
    }
}

__CURAND_FN uint4 curand_poisson4(curandStatePhilox4_32_10_t *s, double lambda)
{
    unsigned x = curand_poisson(s, lambda), y = curand_poisson(s, lambda);
    unsigned z = curand_poisson(s, lambda), w = curand_poisson(s, lambda);
    return make_uint4(x, y, z, w);
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
