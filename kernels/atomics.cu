/* Atomics of every kind on global and shared memory, and a compare-and-swap loop. */
extern "C" __global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d, int n)
{
    __shared__ int s[4];
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 4)
        s[threadIdx.x] = 0;
    __syncthreads();
    if (t < n) {
        atomicAdd(&i[0], t);
        atomicSub(&i[1], 2 * t);
        atomicMin(&i[2], -t);
        atomicMax(&i[3], t * 7 % 101);
        atomicInc(&u[0], 16);
        atomicDec(&u[1], 9);
        atomicAnd(&u[2], ~(1u << (t & 15)));
        atomicOr(&u[3], 1u << (t & 31));
        atomicXor(&u[4], (unsigned)t * 2654435761u);
        atomicAdd(&l[0], (unsigned long long)t << 33);
        atomicMax(&l[1], (unsigned long long)(t * 13 % 97) << 40);
        atomicAdd(&f[0], 0.5f);
        atomicAdd(&d[0], 0.25);
        atomicAdd(&s[0], 1);
        atomicMax(&s[1], t);
        atomicOr(&s[2], t);
        atomicExch(&s[3], 77);
    }
    __syncthreads();
    if (threadIdx.x < 4)
        atomicAdd(&i[4 + threadIdx.x], s[threadIdx.x]);
    /* f[1] = product of 1 + 2^-k, by compare and swap. */
    if (t < 8) {
        unsigned *p = (unsigned *)&f[1], seen = *p, old;
        do {
            old = seen;
            seen = atomicCAS(p, old, __float_as_uint(__uint_as_float(old) * (1.0f + 1.0f / (float)(2 << t))));
        } while (seen != old);
    }
}
// SPDX-License-Identifier: Apache-2.0
