/* Philox4x32-10, a counter-based generator: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011. The 128-bit
 * counter is the place in the sequence (low half) and the subsequence (high half), the key is the seed. */
#ifndef BANKSHOT_CURAND_PHILOX_H
#define BANKSHOT_CURAND_PHILOX_H

#include <cuda_runtime.h>

#ifndef __CURAND_FN
#define __CURAND_FN static __device__ inline __attribute__((always_inline, unused))
#endif

struct curandStatePhilox4_32_10 {
    uint4 ctr, output; /* output: of ctr */
    uint2 key;
    unsigned STATE; /* words of output already given out */
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

__CURAND_FN uint4 __curand_philox(uint4 c, uint2 k)
{
#pragma unroll
    for (int round = 0; round < 10; round++) {
        unsigned long long a = 0xD2511F53ull * c.x, b = 0xCD9E8D57ull * c.z;
        c = make_uint4((unsigned)(b >> 32) ^ c.y ^ k.x, (unsigned)b, (unsigned)(a >> 32) ^ c.w ^ k.y,
                       (unsigned)a);
        k.x += 0x9E3779B9u;
        k.y += 0xBB67AE85u;
    }
    return c;
}

/* The 128-bit counter plus n, or n 2^64 more. */
__CURAND_FN void __curand_advance(curandStatePhilox4_32_10_t *s, unsigned long long n, bool high)
{
    unsigned long long lo = (unsigned long long)s->ctr.y << 32 | s->ctr.x;
    unsigned long long hi = (unsigned long long)s->ctr.w << 32 | s->ctr.z;
    if (high) {
        hi += n;
    } else {
        lo += n;
        hi += lo < n;
    }
    s->ctr = make_uint4((unsigned)lo, (unsigned)(lo >> 32), (unsigned)hi, (unsigned)(hi >> 32));
}

__CURAND_FN void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *s)
{
    unsigned at = s->STATE + (unsigned)(n & 3);
    s->STATE = at & 3;
    __curand_advance(s, n / 4 + at / 4, false);
    s->output = __curand_philox(s->ctr, s->key);
}

__CURAND_FN void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *s)
{
    __curand_advance(s, n, true);
    s->output = __curand_philox(s->ctr, s->key);
}

__CURAND_FN void curand_init(unsigned long long seed, unsigned long long subsequence,
                             unsigned long long offset, curandStatePhilox4_32_10_t *s)
{
    s->ctr = make_uint4(0, 0, 0, 0);
    s->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
    s->STATE = 0;
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0.0f;
    s->boxmuller_extra_double = 0.0;
    skipahead_sequence(subsequence, s);
    skipahead(offset, s);
}

__CURAND_FN unsigned __curand_word(const uint4 &v, unsigned i)
{
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

__CURAND_FN unsigned curand(curandStatePhilox4_32_10_t *s)
{
    unsigned r = __curand_word(s->output, s->STATE);
    if (++s->STATE == 4) {
        s->STATE = 0;
        __curand_advance(s, 1, false);
        s->output = __curand_philox(s->ctr, s->key);
    }
    return r;
}

/* The next four words, from wherever the state is. */
__CURAND_FN uint4 curand4(curandStatePhilox4_32_10_t *s)
{
    uint4 old = s->output, r = old;
    __curand_advance(s, 1, false);
    s->output = __curand_philox(s->ctr, s->key);
    switch (s->STATE) {
    case 1: r = make_uint4(old.y, old.z, old.w, s->output.x); break;
    case 2: r = make_uint4(old.z, old.w, s->output.x, s->output.y); break;
    case 3: r = make_uint4(old.w, s->output.x, s->output.y, s->output.z); break;
    default: break;
    }
    return r;
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
