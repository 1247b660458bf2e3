/* Digests and ciphers: rotations, byte order, tables, loops unrolled by hand and by pragma, one source for host and device. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define HD __host__ __device__

__constant__ uint32_t k_device[64];
static uint32_t k_host[64];

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes, by integer arithmetic. */
static void make_k(void)
{
    int n = 0;
    for (int p = 2; n < 64; p++) {
        bool prime = true;
        for (int d = 2; d * d <= p; d++)
            prime &= p % d != 0;
        if (!prime)
            continue;
        unsigned __int128 lo = 0, hi = (unsigned __int128)1 << 36; /* root * 2^32 */
        while (hi - lo > 1) {
            unsigned __int128 mid = (lo + hi) / 2, cube = mid * mid * mid;
            if (cube >> 96 < (unsigned)p)
                lo = mid;
            else
                hi = mid;
        }
        k_host[n++] = (uint32_t)lo;
    }
}

HD static uint32_t rotr(uint32_t x, int n) { return x >> n | x << (32 - n); }

HD static void sha256_block(uint32_t *h, const uint8_t *m, const uint32_t *k)
{
    uint32_t w[64], s[8];
#pragma unroll
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)m[4 * i] << 24 | m[4 * i + 1] << 16 | m[4 * i + 2] << 8 | m[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotr(a, 7) ^ rotr(a, 18) ^ a >> 3) + w[i - 7] +
               (rotr(b, 17) ^ rotr(b, 19) ^ b >> 10);
    }
    for (int i = 0; i < 8; i++)
        s[i] = h[i];
#pragma unroll 8
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = s[7] + (rotr(s[4], 6) ^ rotr(s[4], 11) ^ rotr(s[4], 25)) +
                      ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
        uint32_t t2 = (rotr(s[0], 2) ^ rotr(s[0], 13) ^ rotr(s[0], 22)) +
                      ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int j = 7; j > 0; j--)
            s[j] = s[j - 1];
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        h[i] += s[i];
}

HD static void sha256(const uint8_t *text, uint32_t n, uint32_t *h, const uint32_t *k)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    for (int i = 0; i < 8; i++)
        h[i] = start[i];
    uint8_t last[128] = {0};
    uint32_t at = 0;
    for (; at + 64 <= n; at += 64)
        sha256_block(h, text + at, k);
    uint32_t left = n - at, end = left < 56 ? 64 : 128;
    for (uint32_t i = 0; i < left; i++)
        last[i] = text[at + i];
    last[left] = 0x80;
    for (int i = 0; i < 8; i++)
        last[end - 1 - i] = (uint8_t)((uint64_t)n * 8 >> 8 * i);
    sha256_block(h, last, k);
    if (end == 128)
        sha256_block(h, last + 64, k);
}

HD static void xtea(uint32_t v[2], const uint32_t key[4], bool decipher)
{
    uint32_t v0 = v[0], v1 = v[1], delta = 0x9E3779B9, sum = decipher ? delta * 32 : 0;
    for (int i = 0; i < 32; i++) {
        if (decipher) {
            v1 -= ((v0 << 4 ^ v0 >> 5) + v0) ^ (sum + key[sum >> 11 & 3]);
            sum -= delta;
            v0 -= ((v1 << 4 ^ v1 >> 5) + v1) ^ (sum + key[sum & 3]);
        } else {
            v0 += ((v1 << 4 ^ v1 >> 5) + v1) ^ (sum + key[sum & 3]);
            sum += delta;
            v1 += ((v0 << 4 ^ v0 >> 5) + v0) ^ (sum + key[sum >> 11 & 3]);
        }
    }
    v[0] = v0;
    v[1] = v1;
}

HD static uint64_t siphash_round(uint64_t *v)
{
#define ROTL(x, b) ((x) << (b) | (x) >> (64 - (b)))
    v[0] += v[1], v[1] = ROTL(v[1], 13), v[1] ^= v[0], v[0] = ROTL(v[0], 32);
    v[2] += v[3], v[3] = ROTL(v[3], 16), v[3] ^= v[2];
    v[0] += v[3], v[3] = ROTL(v[3], 21), v[3] ^= v[0];
    v[2] += v[1], v[1] = ROTL(v[1], 17), v[1] ^= v[2], v[2] = ROTL(v[2], 32);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

struct digest {
    uint32_t sha[8];
    uint32_t tea[2], back[2];
    uint64_t sip;
};

HD static void one(int i, const uint8_t *text, digest *d, const uint32_t *k)
{
    sha256(text + i, (uint32_t)i * 3, d->sha, k);
    uint32_t key[4] = {1u, 2u, 3u, (uint32_t)i};
    d->tea[0] = d->sha[0];
    d->tea[1] = d->sha[1];
    xtea(d->tea, key, false);
    d->back[0] = d->tea[0];
    d->back[1] = d->tea[1];
    xtea(d->back, key, true);
    uint64_t v[4] = {(uint64_t)i, 0x0123456789abcdefull, ~(uint64_t)i, (uint64_t)d->sha[2] << 32 | d->sha[3]};
    for (int r = 0; r < 6; r++)
        d->sip = siphash_round(v);
}

__global__ void digests(const uint8_t *text, digest *d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    one(i, text, &d[i], k_device);
}

int main(void)
{
    const int n = 64;
    make_k();
    cudaMemcpyToSymbol(k_device, k_host, sizeof k_host);
    uint8_t *text;
    digest *d, want;
    cudaMallocManaged((void **)&text, 512);
    cudaMallocManaged((void **)&d, n * sizeof *d);
    for (int i = 0; i < 512; i++)
        text[i] = (uint8_t)(i * 31 + 7);
    digests<<<2, n / 2>>>(text, d);
    int wrong = cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < n; i++) {
        memset(&want, 0, sizeof want);
        one(i, text, &want, k_host);
        wrong += memcmp(&want, &d[i], sizeof want) != 0 || memcmp(d[i].back, d[i].sha, 8) != 0;
    }
    /* of the empty text */
    wrong += d[0].sha[0] != 0xe3b0c442 || d[0].sha[7] != 0x7852b855;
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
// SPDX-License-Identifier: Apache-2.0
