/* cuRAND's default generator: Marsaglia's xorwow (Journal of Statistical Software 8(14), 2003), seeded, cut into
 * subsequences and stepped exactly as NVIDIA's library does it. */
#ifndef BANKSHOT_CURAND_XORWOW_H
#define BANKSHOT_CURAND_XORWOW_H

#include <bankshot/curand_jump.h>
#include <cuda_runtime.h>

#define __CURAND_FN static __device__ inline __attribute__((always_inline, unused))

struct curandStateXORWOW {
    unsigned d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

#define __CURAND_WEYL 362437u /* what d grows by with each step */

__CURAND_FN void __curand_step(unsigned v[5])
{
    unsigned t = v[0] ^ v[0] >> 2;
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}

__CURAND_FN unsigned curand(curandStateXORWOW_t *s)
{
    __curand_step(s->v);
    s->d += __CURAND_WEYL;
    return s->v[4] + s->d;
}

/* v := q(step) v, summed coefficient by coefficient. */
__CURAND_FN void __curand_apply(unsigned v[5], const unsigned q[5])
{
    unsigned sum[5] = {0, 0, 0, 0, 0};
#pragma unroll 1
    for (int w = 0; w < 5; w++) {
        unsigned bits = q[w];
#pragma unroll 1
        for (int j = 0; j < 32; j++) {
            unsigned take = 0u - (bits >> j & 1);
#pragma unroll
            for (int i = 0; i < 5; i++)
                sum[i] ^= v[i] & take;
            __curand_step(v);
        }
    }
#pragma unroll
    for (int i = 0; i < 5; i++)
        v[i] = sum[i];
}

__CURAND_FN void __curand_jump(unsigned v[5], unsigned long long n, const unsigned powers[64][5])
{
    unsigned here[5] = {v[0], v[1], v[2], v[3], v[4]};
#pragma unroll 1
    for (int i = 0; n; i++, n >>= 1)
        if (n & 1)
            __curand_apply(here, powers[i]);
#pragma unroll
    for (int i = 0; i < 5; i++)
        v[i] = here[i];
}

__CURAND_FN void skipahead(unsigned long long n, curandStateXORWOW_t *s)
{
    __curand_jump(s->v, n, __curand_jump_steps);
    s->d += __CURAND_WEYL * (unsigned)n;
}

/* d comes round after 2^32 steps, so whole subsequences leave it alone. */
__CURAND_FN void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *s)
{
    __curand_jump(s->v, n, __curand_jump_sequences);
}

/* The seed is scrambled into Marsaglia's initial values; the constants are cuRAND's. */
__CURAND_FN void curand_init(unsigned long long seed, unsigned long long subsequence,
                             unsigned long long offset, curandStateXORWOW_t *s)
{
    unsigned t0 = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
    unsigned t1 = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
    s->d = 6615241u + t1 + t0;
    s->v[0] = 123456789u + t0;
    s->v[1] = 362436069u ^ t0;
    s->v[2] = 521288629u + t1;
    s->v[3] = 88675123u ^ t1;
    s->v[4] = 5783321u + t0;
    skipahead_sequence(subsequence, s);
    skipahead(offset, s);
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0.0f;
    s->boxmuller_extra_double = 0.0;
}

#undef __CURAND_WEYL

#endif
/* SPDX-License-Identifier: Apache-2.0 */
