/* 64-bit integer work: a multiply-rotate hash, a bitwise CRC-32, and modular powers through 128-bit
 * products. */
__device__ unsigned long long rotl(unsigned long long v, int s) { return v << s | v >> (64 - s); }

extern "C" __global__ void hash64(const unsigned long long *in, unsigned long long *out, int words, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long h = 0x27d4eb2f165667c5ull + (unsigned long long)i;
    for (int w = 0; w < words; w++) {
        unsigned long long v = in[(long long)w * n + i] * 0xc2b2ae3d27d4eb4full;
        h ^= rotl(v, 31) * 0x9e3779b185ebca87ull;
        h = rotl(h, 27) * 0x9e3779b185ebca87ull + 0x85ebca77c2b2ae63ull;
    }
    h ^= h >> 33;
    h *= 0xc2b2ae3d27d4eb4full;
    h ^= h >> 29;
    out[i] = h;
}

extern "C" __global__ void crc32(const unsigned char *data, unsigned *out, int len, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned c = 0xffffffffu;
    for (int j = 0; j < len; j++) {
        c ^= data[i * len + j];
        for (int b = 0; b < 8; b++)
            c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    }
    out[i] = ~c;
}

/* x * y mod 2^61 - 1. */
__device__ unsigned long long mulmod61(unsigned long long x, unsigned long long y)
{
    unsigned long long lo = x * y, hi = __umul64hi(x, y), p = (1ull << 61) - 1;
    unsigned long long r = (lo & p) + (lo >> 61 | hi << 3);
    return r >= p ? r - p : r;
}

extern "C" __global__ void powmod(const unsigned long long *base, const unsigned *exp,
                                  unsigned long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long b = base[i], r = 1;
    for (unsigned e = exp[i]; e; e >>= 1) {
        if (e & 1)
            r = mulmod61(r, b);
        b = mulmod61(b, b);
    }
    out[i] = r;
}
// SPDX-License-Identifier: Apache-2.0
