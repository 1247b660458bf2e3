// SPDX-License-Identifier: Apache-2.0
// Written later than the others, a kernel of each kind, before any was compiled, and only measured: sums so far, tables, edges, bits,
// fixed point, text, small matrices, random numbers, doubles, halves, words of 64 bits, a switch, recursion, structures.
#include "ordinary.h"
#include <cuda_fp16.h>

template <int SIZE> __global__ void blelloch_scan(const int *in, int *out, int *sums)
{
    __shared__ int s[2 * SIZE];
    int t = threadIdx.x, base = blockIdx.x * 2 * SIZE, step = 1;
    s[2 * t] = in[base + 2 * t];
    s[2 * t + 1] = in[base + 2 * t + 1];
    for (int d = SIZE; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d)
            s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];
        step *= 2;
    }
    if (t == 0) {
        sums[blockIdx.x] = s[2 * SIZE - 1];
        s[2 * SIZE - 1] = 0;
    }
    for (int d = 1; d < 2 * SIZE; d *= 2) {
        step >>= 1;
        __syncthreads();
        if (t < d) {
            int left = step * (2 * t + 1) - 1, right = step * (2 * t + 2) - 1, v = s[left];
            s[left] = s[right];
            s[right] += v;
        }
    }
    __syncthreads();
    out[base + 2 * t] = s[2 * t];
    out[base + 2 * t + 1] = s[2 * t + 1];
}

struct slot {
    unsigned long long key;
    int value, used;
};

__global__ void table_lookup(const slot *table, unsigned mask, const unsigned long long *keys, int *values, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        unsigned long long k = keys[i], h = k;
        h ^= h >> 31;
        h *= 0x7fb5d329728ea185ull;
        h ^= h >> 27;
        h *= 0x81dadef4bc2dd44dull;
        h ^= h >> 33;
        unsigned at = (unsigned)h & mask;
        int found = -1;
        while (table[at].used) {
            if (table[at].key == k) {
                found = table[at].value;
                break;
            }
            at = (at + 1) & mask;
        }
        values[i] = found;
    }
}

__device__ int clamped(int v, int most) { return v < 0 ? 0 : v >= most ? most - 1 : v; }

__global__ void blur_clamped(const float *in, float *out, const float *weights, int width, int height, int radius)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0, weight = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) {
            float w = weights[abs(dx)] * weights[abs(dy)];
            sum += w * in[clamped(y + dy, height) * width + clamped(x + dx, width)];
            weight += w;
        }
    out[y * width + x] = sum / weight;
}

__global__ void queens(const uint32_t *starts, uint32_t *counts, int size, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint32_t all = (1u << size) - 1, cols[10], left[10], right[10], open[10];
    int row = 0;
    uint32_t first = 1u << (starts[i] % size), found = 0;
    cols[0] = first, left[0] = first << 1, right[0] = first >> 1;
    open[0] = all & ~(cols[0] | left[0] | right[0]);
    while (row >= 0) {
        if (!open[row]) {
            row--;
            continue;
        }
        uint32_t bit = open[row] & -open[row];
        open[row] ^= bit;
        if (row == size - 2) {
            found++;
            continue;
        }
        cols[row + 1] = cols[row] | bit;
        left[row + 1] = (left[row] | bit) << 1;
        right[row + 1] = (right[row] | bit) >> 1;
        row++;
        open[row] = all & ~(cols[row] | left[row] | right[row]);
    }
    counts[i] = found;
}

typedef int fix16;
__device__ fix16 fix_mul(fix16 a, fix16 b) { return (fix16)(((int64_t)a * b + 0x8000) >> 16); }
__device__ fix16 fix_div(fix16 a, fix16 b) { return (fix16)(((int64_t)a << 16) / b); }

__global__ void fixed_filter(const short *in, short *out, const fix16 *gain, int taps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    fix16 y1 = 0, y2 = 0, level = 1 << 16;
    for (int k = 0; k < taps; k++) {
        fix16 x = in[(i + k) % n] << 4;
        fix16 y = fix_mul(gain[0], x) - fix_mul(gain[1], y1) - fix_mul(gain[2], y2);
        y2 = y1, y1 = y;
        level += (abs(y) - level) >> 5;
    }
    fix16 v = fix_div(y1, level + 65536);
    out[i] = (short)min(max(v >> 4, -32768), 32767);
}

__global__ void horspool(const char *text, const int *begin, const char *pattern, const unsigned char *skip, int m, int *hits, int lines)
{
    int l = blockIdx.x * blockDim.x + threadIdx.x;
    if (l >= lines)
        return;
    int from = begin[l], to = begin[l + 1], count = 0;
    while (from + m <= to) {
        int k = m - 1;
        while (k >= 0 && text[from + k] == pattern[k])
            k--;
        if (k < 0)
            count++;
        from += skip[(unsigned char)text[from + m - 1]];
    }
    hits[l] = count;
}

struct mat4 {
    float m[4][4];
    __device__ mat4 operator*(const mat4 &o) const
    {
        mat4 r;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                r.m[i][j] = 0;
                for (int k = 0; k < 4; k++)
                    r.m[i][j] += m[i][k] * o.m[k][j];
            }
        return r;
    }
};

__global__ void joint_chain(const mat4 *local, const int *parent, mat4 *world, int joints, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const mat4 *mine = local + (size_t)i * joints;
    mat4 w = mine[joints - 1];
    for (int p = parent[joints - 1]; p >= 0; p = parent[p])
        w = mine[p] * w;
    world[i] = w;
}

struct xoshiro {
    uint64_t s[4];
    __device__ static uint64_t rotl(uint64_t x, int k) { return x << k | x >> (64 - k); }
    __device__ uint64_t next()
    {
        uint64_t r = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
        s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3], s[2] ^= t;
        s[3] = rotl(s[3], 45);
        return r;
    }
    __device__ double uniform() { return (next() >> 11) * 0x1.0p-53; }
};

__global__ void dice(const uint64_t *seeds, int *out, int rolls, int sides, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    xoshiro g = {{seeds[i], seeds[i] ^ 0x9e3779b97f4a7c15ull, ~seeds[i], 1}};
    int best = 0;
    for (int k = 0; k < rolls; k++) {
        int v = 1 + (int)(g.uniform() * sides);
        best = v > best ? v : best;
    }
    out[i] = best;
}

__global__ void kepler(const double *mean, const double *eccentricity, double2 *place, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double m = mean[i], e = eccentricity[i] * 0.5, at = m;
    for (int k = 0; k < 20; k++) {
        double s, c;
        sincos(at, &s, &c);
        double d = (at - e * s - m) / (1 - e * c);
        at -= d;
        if (fabs(d) < 1e-10)
            break;
    }
    place[i] = make_double2(cos(at) - e, sqrt(1 - e * e) * sin(at));
}

__global__ void layer_norm_half(const half *in, const half *gain, half *out, int width)
{
    const half2 *row = (const half2 *)(in + (size_t)blockIdx.x * width);
    __shared__ float parts[2][4];
    float sum = 0, squares = 0;
    for (int k = threadIdx.x; k < width / 2; k += blockDim.x) {
        float2 v = __half22float2(row[k]);
        sum += v.x + v.y;
        squares += v.x * v.x + v.y * v.y;
    }
    for (int d = 16; d; d /= 2) {
        sum += __shfl_xor_sync(~0u, sum, d);
        squares += __shfl_xor_sync(~0u, squares, d);
    }
    if (threadIdx.x % 32 == 0)
        parts[0][threadIdx.x / 32] = sum, parts[1][threadIdx.x / 32] = squares;
    __syncthreads();
    sum = parts[0][0] + parts[0][1] + parts[0][2] + parts[0][3];
    squares = parts[1][0] + parts[1][1] + parts[1][2] + parts[1][3];
    float mean = sum / width, scale = rsqrtf(squares / width - mean * mean + 1e-5f);
    for (int k = threadIdx.x; k < width / 2; k += blockDim.x) {
        float2 v = __half22float2(row[k]), g = __half22float2(((const half2 *)gain)[k]);
        ((half2 *)(out + (size_t)blockIdx.x * width))[k] = __floats2half2_rn((v.x - mean) * scale * g.x, (v.y - mean) * scale * g.y);
    }
}

__global__ void miller_rabin(const uint64_t *numbers, int *prime, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint64_t m = numbers[i] | 1, inverse = m;
    for (int k = 0; k < 5; k++)
        inverse *= 2 - m * inverse;
    uint64_t one = (0 - m) % m, d = m - 1, base = one + one;
    int twos = 0;
    if (base >= m)
        base -= m;
    while ((d & 1) == 0)
        d >>= 1, twos++;
    auto mul = [&](uint64_t a, uint64_t b) {
        uint64_t low = a * b, high = __umul64hi(a, b), q = __umul64hi(low * inverse, m);
        return high < q ? high - q + m : high - q;
    };
    uint64_t x = one, b = base;
    for (; d; d >>= 1) {
        if (d & 1)
            x = mul(x, b);
        b = mul(b, b);
    }
    int yes = x == one || x == m - one;
    for (int k = 1; k < twos && !yes; k++) {
        x = mul(x, x);
        yes = x == m - one;
    }
    prime[i] = yes;
}

enum class op : unsigned char { load, add, sub, mul, neg, abs_, min_, max_, dup, store };

__global__ void run_tape(const op *tape, int length, const float *in, float *out, int columns, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = 0, b = 0, acc = 0;
    int at = 0;
    for (int k = 0; k < length; k++) {
        switch (tape[k]) {
        case op::load: b = a, a = in[(at++ % columns) * n + i]; break;
        case op::add: a = a + b; break;
        case op::sub: a = a - b; break;
        case op::mul: a = a * b; break;
        case op::neg: a = -a; break;
        case op::abs_: a = fabsf(a); break;
        case op::min_: a = fminf(a, b); break;
        case op::max_: a = fmaxf(a, b); break;
        case op::dup: b = a; break;
        case op::store: acc += a; break;
        }
    }
    out[i] = acc;
}

__device__ __noinline__ int ackermann_like(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann_like(m - 1, 1);
    return ackermann_like(m - 1, ackermann_like(m, n - 1));
}

__global__ void recursion(const int *a, const int *b, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = ackermann_like(a[i], b[i]);
}

struct particle {
    float3 at, speed;
    float mass, charge;
    int kind, alive;
};

__global__ void bounce(particle *all, float3 low, float3 high, float step, float drag, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    particle p = all[i];
    if (!p.alive)
        return;
    float fade = 1 - drag * step / p.mass;
    p.speed.x *= fade, p.speed.y *= fade, p.speed.z = p.speed.z * fade - 9.81f * step;
    p.at.x += p.speed.x * step, p.at.y += p.speed.y * step, p.at.z += p.speed.z * step;
    if (p.at.x < low.x || p.at.x > high.x)
        p.speed.x = -p.speed.x;
    if (p.at.y < low.y || p.at.y > high.y)
        p.speed.y = -p.speed.y;
    if (p.at.z < low.z) {
        p.at.z = low.z;
        p.speed.z *= -0.5f;
        if (fabsf(p.speed.z) < 0.01f)
            p.alive = 0;
    }
    all[i] = p;
}

int main()
{
    int *out = zeros<int>(4 * N);
    blelloch_scan<THREADS><<<CTAS, THREADS>>>(ints<int>(2 * N, 100), out, out + 2 * N);
    tell("blelloch_scan", out, 2 * N);
    std::vector<slot> table(1 << 15);
    std::vector<unsigned long long> keys(N);
    uint32_t seed = 3;
    for (int i = 0; i < N; i++) {
        keys[i] = next_random(seed) * 0x100000001ull;
        unsigned long long h = keys[i];
        h ^= h >> 31, h *= 0x7fb5d329728ea185ull, h ^= h >> 27, h *= 0x81dadef4bc2dd44dull, h ^= h >> 33;
        unsigned at = (unsigned)h & 32767;
        for (; i % 2 && i < N / 2 && table[at].used; at = (at + 1) & 32767)
            ;
        if (i % 2 && i < N / 2)
            table[at] = {keys[i], i, 1};
    }
    table_lookup<<<CTAS / 2, THREADS>>>(upload(table), 32767, upload(keys), out, N);
    tell("table_lookup", out, N);
    float *x = reals<float>(64 * N), *y = zeros<float>(16 * N);
    blur_clamped<<<dim3(16, 32), dim3(16, 8)>>>(x, y, x + 7, 250, 250, 3);
    tell("blur_clamped", y, 250 * 250);
    queens<<<CTAS / 4, THREADS>>>(ints<uint32_t>(N, 7), (uint32_t *)out, 7, N / 4);
    tell("queens", out, N / 4);
    short *shorts = zeros<short>(N);
    fixed_filter<<<CTAS, THREADS>>>(ints<short>(N, 4096), shorts, upload(std::vector<int>{20000, -30000, 12000}), 16, N - 3);
    tell("fixed_filter", shorts, N);
    std::vector<int> begin(N + 1);
    for (int i = 0; i < N; i++)
        begin[i + 1] = begin[i] + 20 + next_random(seed) % 40;
    std::vector<char> pattern = {1, 0, 1, 1};
    std::vector<unsigned char> skip = {2, 1, 4, 4};
    horspool<<<CTAS, THREADS>>>(ints<char>(begin[N], 3), upload(begin), upload(pattern), upload(skip), 4, out, N);
    tell("horspool", out, N);
    joint_chain<<<CTAS / 4, THREADS>>>((mat4 *)x, upload(std::vector<int>{-1, 0, 1, 2, 2, 4}), (mat4 *)y, 6, N / 4);
    tell("joint_chain", y, 4 * N);
    uint64_t *words = ints<uint64_t>(N, 1 << 28);
    dice<<<CTAS, THREADS>>>(words, out, 20, 20, N);
    tell("dice", out, N);
    double *d = reals<double>(2 * N), *place = zeros<double>(2 * N);
    kepler<<<CTAS, THREADS>>>(d, d + N, (double2 *)place, N);
    tell("kepler", place, 2 * N);
    half *h = ints<half>(512 * CTAS, 64), *normal = zeros<half>(512 * CTAS);
    layer_norm_half<<<CTAS, THREADS>>>(h, h, normal, 512);
    tell("layer_norm_half", (short *)normal, 512 * CTAS);
    miller_rabin<<<CTAS, THREADS>>>(words, out, N);
    tell("miller_rabin", out, N);
    run_tape<<<CTAS, THREADS>>>(ints<op>(64, 10, 11), 64, x, y, 8, N);
    tell("run_tape", y, N);
    recursion<<<CTAS / 4, THREADS>>>(ints<int>(N, 3), ints<int>(N, 4, 9), out, N / 4);
    tell("recursion", out, N / 4);
    float *p = reals<float>(10 * N);
    bounce<<<CTAS, THREADS>>>((particle *)p, {0.3f, 0.3f, 0.4f}, {1.1f, 1.2f, 1.0f}, 0.01f, 0.1f, N);
    tell("bounce", p, 10 * N);
}
