// Results of what code for sm_90 does its own way: atomics of a warp on one address, made by one lane; both halves of products; sums of
// many words with carries. Every answer is computed by the host as well.
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
    check("no error", cudaDeviceSynchronize(), cudaSuccess);
    puts(failed ? "FAIL" : "PASS");
    return failed != 0;
}
// SPDX-License-Identifier: Apache-2.0
