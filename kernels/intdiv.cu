/* Division and remainder by variables, of both widths and signs, and by constants. Divisors are never
 * zero. */
extern "C" __global__ void intdiv(const int *a, const int *b, int *q, int *r, unsigned *uq, unsigned *ur,
                                  unsigned *by_const, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    q[i] = a[i] / b[i];
    r[i] = a[i] % b[i];
    unsigned ua = (unsigned)a[i], ub = (unsigned)b[i];
    uq[i] = ua / ub;
    ur[i] = ua % ub;
    by_const[i] = ua / 10u + ua % 7u + (unsigned)(a[i] / 12345) + (unsigned)(a[i] % 1000);
}

extern "C" __global__ void intdiv64(const long long *a, const long long *b, long long *q, long long *r,
                                    unsigned long long *uq, unsigned long long *ur, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    q[i] = a[i] / b[i];
    r[i] = a[i] % b[i];
    unsigned long long ua = (unsigned long long)a[i], ub = (unsigned long long)b[i];
    uq[i] = ua / ub;
    ur[i] = ua % ub;
}

/* Euclid's algorithm: a data-dependent loop around a remainder. */
extern "C" __global__ void gcd(const unsigned *a, const unsigned *b, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x = a[i], y = b[i];
    while (y) {
        unsigned t = x % y;
        x = y;
        y = t;
    }
    out[i] = x;
}
// SPDX-License-Identifier: Apache-2.0
