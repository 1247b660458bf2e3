// Results of what code for sm_90 does its own way: atomics of a warp on one address, made by one lane; both halves of products; sums of
// many words with carries; dot products of bytes, rotations, divisions whose constants or divisors are known before. Every answer is
// computed by the host as well.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static int failed;
static void check(const char *what, uint64_t got, uint64_t want)
{
    if (got != want) {
        printf("%s: %llu, not %llu\n", what, (unsigned long long)got, (unsigned long long)want);
        failed++;
    }
}

struct counters {
    unsigned ones, threes, sum, seen, any, all, odd;
    int least, most;
    unsigned long long longs;
};

// Lanes leave one by one, so that atomics meet every number of active lanes, also from within a loop and a divergent branch.
__global__ void count(counters *c, unsigned *slot, unsigned *back, const unsigned *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned v = x[i];
    if (v % 3) {
        unsigned at = atomicAdd(&c->ones, 1);
        slot[at] = i;
    }
    for (unsigned k = 0; k < v % 5; k++) {
        atomicAdd(&c->threes, 3);
        atomicAdd(&c->longs, 7ull);
    }
    if (v & 4) {
        atomicAdd(&c->sum, v);
        atomicMin(&c->least, (int)v - 500);
        atomicMax(&c->most, (int)v - 500);
    } else {
        atomicOr(&c->any, v);
        atomicAnd(&c->all, v | 0xff00ff00u);
        atomicXor(&c->odd, v);
        back[i] = atomicSub(&c->seen, 2);
    }
}

__global__ void in_shared(unsigned *got, unsigned *total, const unsigned *x)
{
    __shared__ unsigned s;
    if (threadIdx.x == 0)
        s = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    got[i] = x[i] % 7 < 4 ? atomicAdd(&s, 5) : ~0u;
    __syncthreads();
    if (threadIdx.x == 0)
        total[blockIdx.x] = s;
}

__global__ void products(const uint64_t *a, const uint64_t *b, uint64_t *lo, uint64_t *hi, uint64_t *words)
{
    int i = threadIdx.x;
    uint64_t x = a[i], y = b[i];
    for (int k = 0; k < 3; k++) {
        unsigned __int128 p = (unsigned __int128)x * y;
        lo[3 * i + k] = (uint64_t)p;
        hi[3 * i + k] = (uint64_t)(p >> 64);
        x = (uint64_t)p + k;
    }
    uint32_t u = (uint32_t)x, v = (uint32_t)y;
    words[i] = (uint64_t)(__umulhi(u, v) ^ 0x9f55dd61u ^ v) << 32 | (u * v ^ 9);
}

template <class T> static T *to_device(const std::vector<T> &v)
{
    T *d;
    cudaMalloc(&d, v.size() * sizeof(T));
    cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
    return d;
}

template <class T> static void to_host(std::vector<T> &v, const T *d)
{
    cudaMemcpy(v.data(), d, v.size() * sizeof(T), cudaMemcpyDeviceToHost);
}

enum { DOTS = 7 };

__host__ __device__ inline int dot(char4 x, char4 y) { return x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w; }
__host__ __device__ inline uint64_t turned(uint64_t x, int k) { return x << k | x >> (64 - k); }

__host__ __device__ inline void bytes_of(const uint32_t *a, const uint32_t *b, int i, int n, int *o)
{
    const char4 *ca = (const char4 *)a, *cb = (const char4 *)b;
    const uchar4 *ua = (const uchar4 *)a, *ub = (const uchar4 *)b;
    char4 x = ca[i], y = cb[i];
    uchar4 u = ua[i], v = ub[i];
    o[0] = dot(x, y) + i;
    o[1] = u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w - i;
    o[2] = x.x * v.x + x.y * v.y + x.z * v.z + x.w * v.w;
    o[3] = x.x * y.x + x.y * y.y + x.z * y.y + x.w * y.w;
    o[4] = dot(x, x);
    o[5] = x.x * y.w + x.y * y.z + x.z * y.y + x.w * y.x;
    o[6] = i;
    for (int k = 0; k < 7; k++)
        o[6] += dot(ca[(i + k) % n], cb[(3 * i + k) % n]);
}

__host__ __device__ inline void divided(int a, int d, int n, uint64_t word, int *o, uint64_t *turns)
{
    o[0] = 5 / d + -7 % d;
    o[1] = 100u / (unsigned)d + 0x80000001u % (unsigned)d;
    unsigned sum = 0;
    for (int k = 0; k < n; k++) {
        sum += (unsigned)((a + k) % d) + (unsigned)((a * k) / d);
        for (int m = 1; m < 4; m++)
            sum ^= (unsigned)((a + m) % (k + 1));
    }
    o[2] = (int)sum;
    switch (word >> 62) {
    case 0: o[3] = a + 1; break;
    case 1: o[3] = a ^ 5; break;
    case 2: o[3] = a * 3; break;
    default: o[3] = ~a;
    }
    turns[0] = turned(word, 1);
    turns[1] = turned(word, 31) ^ turned(word, 32);
    turns[2] = turned(word * 5, 45) + turned(word, 63);
}

__global__ void bytes(const uint32_t *a, const uint32_t *b, int *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        bytes_of(a, b, i, n, o + DOTS * i);
}

__global__ void divisions(const int *a, const int *d, const uint64_t *words, int *o, uint64_t *turns, int rounds)
{
    int i = threadIdx.x;
    divided(a[i], d[i], rounds, words[i], o + 4 * i, turns + 3 * i);
}

static void of_bytes(const std::vector<uint32_t> &a, const std::vector<uint32_t> &b)
{
    int n = (int)a.size(), want[DOTS];
    std::vector<int> got(DOTS * n);
    int *o = to_device(got);
    bytes<<<(n + 127) / 128, 128>>>(to_device(a), to_device(b), o, n);
    to_host(got, o);
    for (int i = 0; i < n; i++) {
        bytes_of(a.data(), b.data(), i, n, want);
        for (int k = 0; k < DOTS; k++)
            check("a sum of products of bytes", (uint32_t)got[DOTS * i + k], (uint32_t)want[k]);
    }
}

static void of_divisions(const std::vector<uint32_t> &x)
{
    enum { LANES = 256, ROUNDS = 9 };
    std::vector<int> a(LANES), d(LANES), got(4 * LANES);
    std::vector<uint64_t> words(LANES), turns(3 * LANES);
    for (int i = 0; i < LANES; i++) {
        a[i] = (int)(x[i] >> 5);
        d[i] = i % 3 ? (int)x[i + 1] >> (i % 24) | 1 : i - 127 + (i == 127);
        words[i] = (uint64_t)x[i] << 32 | x[i + 2];
    }
    int *o = to_device(got), want[4];
    uint64_t *t = to_device(turns), turn[3];
    divisions<<<1, LANES>>>(to_device(a), to_device(d), to_device(words), o, t, ROUNDS);
    to_host(got, o);
    to_host(turns, t);
    for (int i = 0; i < LANES; i++) {
        divided(a[i], d[i], ROUNDS, words[i], want, turn);
        for (int k = 0; k < 4; k++)
            check("a quotient", (uint32_t)got[4 * i + k], (uint32_t)want[k]);
        for (int k = 0; k < 3; k++)
            check("a rotation", turns[3 * i + k], turn[k]);
    }
}

int main()
{
    const int n = 1000, blocks = 8, block = 128;
    std::vector<unsigned> x(blocks * block), slot(n, ~0u), back(n), got(blocks * block), total(blocks);
    uint32_t seed = 12345;
    for (auto &v : x)
        v = (seed = seed * 1664525u + 1013904223u) >> 20;
    counters start = {0, 0, 0, 100000, 0, ~0u, 0, 1 << 30, -(1 << 30), 0}, want = start, c;
    std::vector<counters> one(1, start);
    unsigned backs = 0;
    for (int i = 0; i < n; i++) {
        unsigned v = x[i];
        want.ones += v % 3 != 0;
        want.threes += 3 * (v % 5);
        want.longs += 7ull * (v % 5);
        if (v & 4) {
            want.sum += v;
            want.least = std::min(want.least, (int)v - 500);
            want.most = std::max(want.most, (int)v - 500);
        } else {
            want.any |= v;
            want.all &= v | 0xff00ff00u;
            want.odd ^= v;
            want.seen -= 2;
            backs++;
        }
    }
    counters *dc = to_device(one);
    unsigned *ds = to_device(slot), *db = to_device(back), *dx = to_device(x), *dg = to_device(got), *dt = to_device(total);
    count<<<blocks, block>>>(dc, ds, db, dx, n);
    to_host(one, dc);
    to_host(slot, ds);
    to_host(back, db);
    c = one[0];
    check("ones", c.ones, want.ones);
    check("threes", c.threes, want.threes);
    check("longs", c.longs, want.longs);
    check("sum", c.sum, want.sum);
    check("least", (unsigned)c.least, (unsigned)want.least);
    check("most", (unsigned)c.most, (unsigned)want.most);
    check("any", c.any, want.any);
    check("all", c.all, want.all);
    check("odd", c.odd, want.odd);
    check("seen", c.seen, want.seen);
    std::vector<bool> taken(n), handed(backs);
    for (unsigned k = 0; k < want.ones; k++) { // every lane has a place of its own
        check("a slot is a thread that counted", slot[k] < (unsigned)n && x[slot[k]] % 3 && !taken[slot[k]], 1);
        if (slot[k] < (unsigned)n)
            taken[slot[k]] = true;
    }
    for (int i = 0; i < n; i++)
        if (!(x[i] & 4)) { // the old values go down by two, none twice
            unsigned k = (100000 - back[i]) / 2;
            check("an old value is handed out once", back[i] % 2 == 0 && k < backs && !handed[k], 1);
            if (k < backs)
                handed[k] = true;
        }
    in_shared<<<blocks, block>>>(dg, dt, dx);
    to_host(got, dg);
    to_host(total, dt);
    for (int b = 0; b < blocks; b++) {
        std::vector<bool> mine(block);
        unsigned some = 0;
        for (int t = 0; t < block; t++)
            some += x[b * block + t] % 7 < 4;
        check("a block's sum", total[b], 5 * some);
        for (int t = 0; t < block; t++)
            if (x[b * block + t] % 7 < 4) {
                unsigned k = got[b * block + t] / 5;
                check("a place in shared memory", got[b * block + t] % 5 == 0 && k < some && !mine[k], 1);
                if (k < some)
                    mine[k] = true;
            }
    }
    std::vector<uint64_t> a(64), bb(64), lo(192), hi(192), words(64);
    uint64_t s = 88172645463325252ull;
    for (int i = 0; i < 64; i++) {
        s ^= s << 13, s ^= s >> 7, s ^= s << 17;
        a[i] = i == 1 ? ~0ull : i == 2 ? 0 : s;
        s ^= s << 13, s ^= s >> 7, s ^= s << 17;
        bb[i] = i == 1 ? ~0ull : i == 3 ? 1ull << 32 : s;
    }
    uint64_t *da = to_device(a), *dbb = to_device(bb), *dl = to_device(lo), *dh = to_device(hi), *dw = to_device(words);
    products<<<1, 64>>>(da, dbb, dl, dh, dw);
    to_host(lo, dl);
    to_host(hi, dh);
    to_host(words, dw);
    for (int i = 0; i < 64; i++) {
        uint64_t p = a[i], y = bb[i];
        for (int k = 0; k < 3; k++) {
            unsigned __int128 q = (unsigned __int128)p * y;
            check("low half", lo[3 * i + k], (uint64_t)q);
            check("high half", hi[3 * i + k], (uint64_t)(q >> 64));
            p = (uint64_t)q + k;
        }
        uint32_t u = (uint32_t)p, v = (uint32_t)y;
        check("words", words[i], (uint64_t)((uint32_t)((uint64_t)u * v >> 32) ^ 0x9f55dd61u ^ v) << 32 | (u * v ^ 9));
    }
    std::vector<uint32_t> left(500), right(500);
    for (int i = 0; i < 500; i++) {
        s ^= s << 13, s ^= s >> 7, s ^= s << 17;
        left[i] = (uint32_t)s;
        right[i] = (uint32_t)(s >> 32);
    }
    of_bytes(left, right);
    of_divisions(left);
    check("no error", cudaDeviceSynchronize(), cudaSuccess);
    puts(failed ? "FAIL" : "PASS");
    return failed != 0;
}
// SPDX-License-Identifier: Apache-2.0
