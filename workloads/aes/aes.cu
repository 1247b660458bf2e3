/* AES-128 encryption of independent blocks (ECB), one 32-bit column of a block a thread, so four threads a
 * block and 64 blocks a CTA of 256 threads. Tables that join substitution, mixing and rotation (4 KB) and
 * two copies of the state (2 KB, columns are exchanged every round) lie in shared memory: four
 * data-dependent lookups a round, with bank conflicts, and byte extraction. Ten rounds, unrolled, with a
 * barrier each. */
#include "../workload.h"

#define BLOCK 256
#define ROUNDS 10
#define KEY_WORDS (4 * (ROUNDS + 1))

__constant__ unsigned round_keys[KEY_WORDS];

/* Word c of a state is its column c, row 0 in the low byte. tables: for row r, what a byte there adds to a
 * column. */
__global__ void encrypt(const unsigned *__restrict__ in, unsigned *__restrict__ out,
                        const unsigned *__restrict__ tables)
{
    __shared__ unsigned t0[256], t1[256], t2[256], t3[256], state[2][BLOCK];
    int t = threadIdx.x, c = t & 3, first = t & ~3, at = blockIdx.x * BLOCK + t;
    t0[t] = tables[t];
    t1[t] = tables[256 + t];
    t2[t] = tables[512 + t];
    t3[t] = tables[768 + t];
    int c1 = first + ((c + 1) & 3), c2 = first + ((c + 2) & 3), c3 = first + ((c + 3) & 3);
    state[0][t] = in[at] ^ round_keys[c];
    __syncthreads();

#pragma unroll
    for (int r = 1; r < ROUNDS; r++) {
        const unsigned *s = state[(r - 1) & 1];
        state[r & 1][t] = t0[s[t] & 255] ^ t1[s[c1] >> 8 & 255] ^ t2[s[c2] >> 16 & 255] ^ t3[s[c3] >> 24] ^
                          round_keys[4 * r + c];
        __syncthreads();
    }

    /* The last round does not mix. The plain substitution is byte 1 of t0, 2 of t1, 3 of t2 and 0 of t3. */
    const unsigned *s = state[(ROUNDS - 1) & 1];
    unsigned b0 = t0[s[t] & 255] >> 8 & 255, b1 = t1[s[c1] >> 8 & 255] >> 8 & 0xff00;
    unsigned b2 = t2[s[c2] >> 16 & 255] >> 8 & 0xff0000, b3 = t3[s[c3] >> 24] << 24;
    out[at] = (b0 | b1 | b2 | b3) ^ round_keys[4 * ROUNDS + c];
}

static unsigned twice(unsigned x) { return (x << 1 ^ (x & 128 ? 0x1b : 0)) & 255; }

/* The substitution: the inverse in GF(2^8), found by powers of the generator 3, and an affine map. */
static void make_sbox(unsigned char *sbox)
{
    unsigned char power[256], log[256];
    unsigned x = 1;
    for (int i = 0; i < 255; i++, x ^= twice(x)) {
        power[i] = (unsigned char)x;
        log[x] = (unsigned char)i;
    }
    for (int i = 0; i < 256; i++) {
        unsigned y = i ? power[(255 - log[i]) % 255] : 0, s = 0x63;
        for (int k = 0; k < 5; k++)
            s ^= (y << k | y >> (8 - k)) & 255;
        sbox[i] = (unsigned char)s;
    }
}

static void make_tables(const unsigned char *sbox, unsigned *tables)
{
    for (int i = 0; i < 256; i++) {
        unsigned s = sbox[i], s2 = twice(s), word = s2 | s << 8 | s << 16 | (s2 ^ s) << 24;
        for (int r = 0; r < 4; r++)
            tables[256 * r + i] = r ? word << 8 * r | word >> (32 - 8 * r) : word;
    }
}

static void expand_key(const unsigned char *sbox, const unsigned char *key, unsigned *w)
{
    unsigned round_constant = 1;
    for (int i = 0; i < KEY_WORDS; i++) {
        if (i < 4) {
            w[i] = key[4 * i] | key[4 * i + 1] << 8 | key[4 * i + 2] << 16 | (unsigned)key[4 * i + 3] << 24;
            continue;
        }
        unsigned t = w[i - 1];
        if (i % 4 == 0) {
            t = t >> 8 | t << 24;
            t = sbox[t & 255] | sbox[t >> 8 & 255] << 8 | sbox[t >> 16 & 255] << 16 |
                (unsigned)sbox[t >> 24] << 24;
            t ^= round_constant;
            round_constant = twice(round_constant);
        }
        w[i] = w[i - 4] ^ t;
    }
}

/* As the standard describes it: bytes, without the tables. s[4 * column + row]. */
static void cpu_encrypt(const unsigned char *sbox, const unsigned *keys, const unsigned char *in,
                        unsigned char *out)
{
    unsigned char s[16], m[16];
    for (int i = 0; i < 16; i++)
        s[i] = (unsigned char)(in[i] ^ keys[i / 4] >> 8 * (i % 4));
    for (int r = 1; r <= ROUNDS; r++) {
        for (int i = 0; i < 16; i++)
            m[i] = sbox[s[(i + 4 * (i % 4)) % 16]];
        for (int c = 0; c < 16; c += 4) {
            unsigned all = m[c] ^ m[c + 1] ^ m[c + 2] ^ m[c + 3];
            for (int i = 0; i < 4; i++) {
                unsigned mixed = m[c + i] ^ all ^ twice(m[c + i] ^ m[c + (i + 1) % 4]);
                s[c + i] = (unsigned char)((r < ROUNDS ? mixed : m[c + i]) ^ keys[4 * r + c / 4] >> 8 * i);
            }
        }
    }
    memcpy(out, s, 16);
}

/* The example of FIPS 197, appendix B. */
static long check_standard(const unsigned char *sbox, const unsigned char *key)
{
    static const unsigned char plain[] = {0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d,
                                          0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34};
    static const unsigned char cipher[] = {0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb,
                                           0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a, 0x0b, 0x32};
    unsigned char out[16];
    unsigned keys[KEY_WORDS];
    expand_key(sbox, key, keys);
    cpu_encrypt(sbox, keys, plain, out);
    return memcmp(out, cipher, 16) != 0;
}

int main(int argc, char **argv)
{
    static const int ctas_of[] = {32, 1536, 32768};
    static const unsigned char key[] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                        0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
    int size = parse_size(argc, argv), ctas = ctas_of[size], n = ctas * BLOCK;
    size_t bytes = sizeof(unsigned) * n;
    unsigned *plain = (unsigned *)host_alloc(bytes), *got = (unsigned *)host_alloc(bytes);
    unsigned tables[1024], keys[KEY_WORDS];
    unsigned char sbox[256], want[16];
    uint32_t seed = 197;
    for (int i = 0; i < n; i++)
        plain[i] = next_random(&seed);
    make_sbox(sbox);
    make_tables(sbox, tables);
    expand_key(sbox, key, keys);
    CHECK(cudaMemcpyToSymbol(round_keys, keys, sizeof(keys)));
    unsigned *d_in = (unsigned *)device_copy(plain, bytes), *d_out = (unsigned *)device_alloc(bytes);
    unsigned *d_tables = (unsigned *)device_copy(tables, sizeof(tables));
    encrypt<<<ctas, BLOCK>>>(d_in, d_out, d_tables);
    fetch(got, d_out, bytes);

    long wrong = check_standard(sbox, key);
    for (int i = 0; i < n; i += 4) {
        cpu_encrypt(sbox, keys, (const unsigned char *)(plain + i), want);
        wrong += memcmp(got + i, want, 16) != 0;
    }
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_tables));
    free(plain), free(got);
    return verdict("aes", wrong);
}
// SPDX-License-Identifier: Apache-2.0
