/* MD5 digests of a window that slides over a stream, as content-based chunking of a storage system wants
 * them. A CTA of 128 threads stages its part of the stream in shared memory; each thread hashes the 15
 * windows (48 bytes, a word apart) that begin in its 60 bytes, and keeps the padded message, 16 words, in
 * shared memory as well: 124 bytes a thread. The 64 steps of MD5 are unrolled: long chains of integer
 * arithmetic with a shared load in each step, few threads a SM where shared memory is small. */
#include "../workload.h"

#define BLOCK 128
#define EACH 15   /* windows of a thread; odd, so that neighbours' words lie in different banks */
#define WINDOW 12 /* words */
#define STREAM (BLOCK * EACH)

/* The four rounds' functions, and four steps: words of the message, rotations, constants (RFC 1321). */
#define F(b, c, d) (((b) & (c)) | (~(b) & (d)))
#define G(b, c, d) (((b) & (d)) | ((c) & ~(d)))
#define H(b, c, d) ((b) ^ (c) ^ (d))
#define I(b, c, d) ((c) ^ ((b) | ~(d)))

#define ONE(f, a, b, c, d, word, shift, sine)                                                                \
    a += f(b, c, d) + message[(word)*BLOCK] + sine;                                                          \
    a = b + (a << (shift) | a >> (32 - (shift)));
#define FOUR(f, w0, w1, w2, w3, s0, s1, s2, s3, k0, k1, k2, k3)                                              \
    ONE(f, a, b, c, d, w0, s0, k0)                                                                           \
    ONE(f, d, a, b, c, w1, s1, k1)                                                                           \
    ONE(f, c, d, a, b, w2, s2, k2)                                                                           \
    ONE(f, b, c, d, a, w3, s3, k3)

/* The message's words lie BLOCK apart. */
__device__ uint4 md5(const unsigned *message)
{
    unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    // clang-format off
    FOUR(F, 0, 1, 2, 3, 7, 12, 17, 22, 0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee)
    FOUR(F, 4, 5, 6, 7, 7, 12, 17, 22, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501)
    FOUR(F, 8, 9, 10, 11, 7, 12, 17, 22, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be)
    FOUR(F, 12, 13, 14, 15, 7, 12, 17, 22, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821)
    FOUR(G, 1, 6, 11, 0, 5, 9, 14, 20, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa)
    FOUR(G, 5, 10, 15, 4, 5, 9, 14, 20, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8)
    FOUR(G, 9, 14, 3, 8, 5, 9, 14, 20, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed)
    FOUR(G, 13, 2, 7, 12, 5, 9, 14, 20, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a)
    FOUR(H, 5, 8, 11, 14, 4, 11, 16, 23, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c)
    FOUR(H, 1, 4, 7, 10, 4, 11, 16, 23, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70)
    FOUR(H, 13, 0, 3, 6, 4, 11, 16, 23, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05)
    FOUR(H, 9, 12, 15, 2, 4, 11, 16, 23, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665)
    FOUR(I, 0, 7, 14, 5, 6, 10, 15, 21, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039)
    FOUR(I, 12, 3, 10, 1, 6, 10, 15, 21, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1)
    FOUR(I, 8, 15, 6, 13, 6, 10, 15, 21, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1)
    FOUR(I, 4, 11, 2, 9, 6, 10, 15, 21, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391)
    // clang-format on
    return make_uint4(a + 0x67452301, b + 0xefcdab89, c + 0x98badcfe, d + 0x10325476);
}

__global__ void __launch_bounds__(BLOCK)
    hash_windows(const unsigned *__restrict__ data, uint4 *__restrict__ digests)
{
    __shared__ unsigned stream[STREAM + WINDOW], messages[16 * BLOCK];
    int t = threadIdx.x;
    unsigned *message = messages + t;
    for (int i = t; i < STREAM + WINDOW; i += BLOCK)
        stream[i] = data[blockIdx.x * STREAM + i];
    message[12 * BLOCK] = 0x80;
    message[13 * BLOCK] = 0;
    message[14 * BLOCK] = WINDOW * 32;
    message[15 * BLOCK] = 0;
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < EACH; k++) {
#pragma unroll
        for (int w = 0; w < WINDOW; w++)
            message[w * BLOCK] = stream[t * EACH + k + w];
        __syncthreads();
        digests[(blockIdx.x * EACH + k) * BLOCK + t] = md5(message);
    }
}

/* As the standard has it, step by step. */
static void cpu_md5(const unsigned *window, const unsigned *sines, unsigned out[4])
{
    static const unsigned start[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    static const int shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    static const int factor[] = {1, 5, 3, 7}, offset[] = {0, 1, 5, 0};
    unsigned message[16] = {0}, s[4];
    memcpy(message, window, WINDOW * sizeof(unsigned));
    memcpy(s, start, sizeof(s));
    message[12] = 0x80;
    message[14] = WINDOW * 32;
    for (int i = 0; i < 64; i++) {
        int r = i / 16, shift = shifts[r][i % 4];
        unsigned b = s[1], c = s[2], d = s[3], f;
        f = r == 0 ? F(b, c, d) : r == 1 ? G(b, c, d) : r == 2 ? H(b, c, d) : I(b, c, d);
        f += s[0] + sines[i] + message[(factor[r] * i + offset[r]) % 16];
        s[0] = d;
        s[3] = c;
        s[2] = b;
        s[1] = b + (f << shift | f >> (32 - shift));
    }
    for (int i = 0; i < 4; i++)
        out[i] = s[i] + start[i];
}

int main(int argc, char **argv)
{
    static const int ctas_of[] = {2, 128, 2560};
    int size = parse_size(argc, argv), ctas = ctas_of[size], words = ctas * STREAM + WINDOW;
    unsigned *data = (unsigned *)host_alloc(sizeof(unsigned) * words), sines[64], want[4];
    uint4 *got = (uint4 *)host_alloc(sizeof(uint4) * ctas * STREAM);
    uint32_t seed = 1321;
    for (int i = 0; i < words; i++)
        data[i] = next_random(&seed);
    unsigned *d_data = (unsigned *)device_copy(data, sizeof(unsigned) * words);
    uint4 *d_digests = (uint4 *)device_alloc(sizeof(uint4) * ctas * STREAM);
    hash_windows<<<ctas, BLOCK>>>(d_data, d_digests);
    fetch(got, d_digests, sizeof(uint4) * ctas * STREAM);

    for (int i = 0; i < 64; i++)
        sines[i] = (unsigned)floor(4294967296.0 * fabs(sin(i + 1.0)));
    long wrong = 0;
    for (int i = 0; i < ctas * STREAM; i++) {
        int cta = i / STREAM, k = i % STREAM / BLOCK, t = i % BLOCK;
        cpu_md5(data + cta * STREAM + t * EACH + k, sines, want);
        wrong += memcmp(&got[i], want, sizeof(want)) != 0;
    }
    CHECK(cudaFree(d_data));
    CHECK(cudaFree(d_digests));
    free(data), free(got);
    return verdict("storegpu", wrong);
}
// SPDX-License-Identifier: Apache-2.0
