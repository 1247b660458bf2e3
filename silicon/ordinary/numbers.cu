// SPDX-License-Identifier: Apache-2.0
// Integers: division, 64 bits, bit tricks, hashes, random numbers, checksums, dates, greatest common divisors.
#include "ordinary.h"

__global__ void index_4d(const float *in, float *out, int a, int b, int c, int d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= a * b * c * d)
        return;
    int w = i % d, z = i / d % c, y = i / (d * c) % b, x = i / (d * c * b);
    out[((w * c + z) * b + y) * a + x] = in[i];
}

__global__ void mod_pow(const uint64_t *base, uint64_t *out, uint32_t e, uint32_t m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint64_t b = base[i] % m, r = 1;
    while (e) {
        if (e & 1)
            r = r * b % m;
        b = b * b % m;
        e >>= 1;
    }
    out[i] = r;
}

__global__ void gcd_pairs(const uint32_t *a, const uint32_t *b, uint32_t *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint32_t x = a[i], y = b[i];
    while (y) {
        uint32_t t = x % y;
        x = y;
        y = t;
    }
    o[i] = x;
}

__device__ uint64_t mix64(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdull;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ull;
    return x ^ x >> 33;
}

__global__ void murmur_keys(const uint64_t *k, uint32_t *slot, uint32_t slots, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        slot[i] = mix64(k[i]) % slots;
}

__global__ void fnv_lines(const char *text, const int *start, uint32_t *hash, int lines)
{
    int l = blockIdx.x * blockDim.x + threadIdx.x;
    if (l >= lines)
        return;
    uint32_t h = 2166136261u;
    for (int i = start[l]; i < start[l + 1]; i++)
        h = (h ^ (unsigned char)text[i]) * 16777619u;
    hash[l] = h;
}

__global__ void morton3(const uint32_t *x, const uint32_t *y, const uint32_t *z, uint64_t *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    auto spread = [](uint64_t v) {
        v &= 0x1fffff;
        v = (v | v << 32) & 0x1f00000000ffffull;
        v = (v | v << 16) & 0x1f0000ff0000ffull;
        v = (v | v << 8) & 0x100f00f00f00f00full;
        v = (v | v << 4) & 0x10c30c30c30c30c3ull;
        return (v | v << 2) & 0x1249249249249249ull;
    };
    o[i] = spread(x[i]) | spread(y[i]) << 1 | spread(z[i]) << 2;
}

__global__ void bit_reverse_gray(const uint32_t *in, uint32_t *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint32_t v = in[i], g = v ^ v >> 1;
    uint32_t r = __brev(g), lz = __clz(v), p = __popc(g), f = __ffs(v);
    uint32_t s = (v & 0x0f0f0f0f) << 4 | (v & 0xf0f0f0f0) >> 4;
    out[i] = r + (s << (lz & 7)) + p * 3 + __funnelshift_l(v, g, f);
}

__global__ void pcg_pi(uint32_t *inside, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint64_t state = i * 6364136223846793005ull + 1442695040888963407ull;
    uint32_t hits = 0;
    for (int k = 0; k < rounds; k++) {
        float p[2];
        for (int j = 0; j < 2; j++) {
            uint64_t old = state;
            state = old * 6364136223846793005ull + 1442695040888963407ull;
            uint32_t x = ((old >> 18) ^ old) >> 27, rot = old >> 59;
            p[j] = (x >> rot | x << (-rot & 31)) * 2.3283064e-10f;
        }
        hits += p[0] * p[0] + p[1] * p[1] <= 1;
    }
    inside[i] = hits;
}

__global__ void civil_date(const int *days, int *ymd, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int z = days[i] + 719468;
    int era = (z >= 0 ? z : z - 146096) / 146097;
    unsigned doe = z - era * 146097;
    unsigned yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    unsigned d = doy - (153 * mp + 2) / 5 + 1, m = mp < 10 ? mp + 3 : mp - 9;
    ymd[i] = ((int)yoe + era * 400 + (m <= 2)) * 10000 + m * 100 + d;
}

__global__ void fletcher(const uint8_t *data, uint32_t *sums, int bytes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const uint8_t *p = data + (size_t)i * bytes;
    uint32_t a = 0, b = 0;
    for (int k = 0; k < bytes; k++) {
        a = (a + p[k]) % 65535;
        b = (b + a) % 65535;
    }
    sums[i] = b << 16 | a;
}

__global__ void primes(const uint32_t *v, uint8_t *is, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint32_t x = v[i];
    bool prime = x > 1 && (x == 2 || x % 2);
    for (uint32_t d = 3; prime && d * d <= x; d += 2)
        if (x % d == 0)
            prime = false;
    is[i] = prime;
}

int main()
{
    float *x = reals<float>(N), *y = zeros<float>(N);
    index_4d<<<CTAS, THREADS>>>(x, y, 11, 8, 24, 16);
    tell("index_4d", y, N);
    uint64_t *k = ints<uint64_t>(4 * N, 1u << 31), *o = zeros<uint64_t>(N);
    mod_pow<<<CTAS, THREADS>>>(k, o, 65537, 1000000007, N);
    tell("mod_pow", o, N);
    uint32_t *a = ints<uint32_t>(N * 16, 1 << 20), *b = ints<uint32_t>(N, 1 << 18, 5), *h = zeros<uint32_t>(4 * N);
    gcd_pairs<<<CTAS, THREADS>>>(a, b, h, N);
    tell("gcd_pairs", h, N);
    murmur_keys<<<CTAS / 2, THREADS>>>(k, h, 10007, 4 * N);
    tell("murmur_keys", h, 4 * N);
    std::vector<int> starts(N + 1);
    for (int i = 0, at = 0; i <= N; i++, at += 8 + i % 17)
        starts[i] = at;
    fnv_lines<<<CTAS, THREADS>>>((const char *)a, upload(starts), h, N);
    tell("fnv_lines", h, N);
    morton3<<<CTAS, THREADS>>>(a, a + N, a + 2 * N, o, N);
    tell("morton3", o, N);
    bit_reverse_gray<<<CTAS, THREADS>>>(a, h, N);
    tell("bit_reverse_gray", h, N);
    pcg_pi<<<CTAS, THREADS>>>(h, 20);
    tell("pcg_pi", h, N);
    civil_date<<<CTAS, THREADS>>>((int *)a, (int *)h, N);
    tell("civil_date", h, N);
    fletcher<<<CTAS, THREADS>>>((uint8_t *)a, h, 64);
    tell("fletcher", h, N);
    uint8_t *is = zeros<uint8_t>(N);
    primes<<<CTAS, THREADS>>>(ints<uint32_t>(N, 10000), is, N);
    tell("primes", is, N);
}
