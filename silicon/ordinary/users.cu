// SPDX-License-Identifier: Apache-2.0
// As users write them: structures with methods, templates, size_t indices, early returns, loops that end when they are done, arrays of a
// lane's own, bytes and shorts, 64-bit hashes.
#include "ordinary.h"

struct vec2 {
    float x, y;
    __device__ vec2 operator+(vec2 o) const { return {x + o.x, y + o.y}; }
    __device__ vec2 operator-(vec2 o) const { return {x - o.x, y - o.y}; }
    __device__ vec2 operator*(float k) const { return {x * k, y * k}; }
    __device__ float dot(vec2 o) const { return x * o.x + y * o.y; }
};

struct boid {
    vec2 at, speed;
    float mass;
    int kind;
};

__global__ void flock(const boid *in, boid *out, int n, int near, float reach, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    boid me = in[i];
    vec2 centre = {0, 0}, away = {0, 0};
    int seen = 0;
    for (int k = 1; k <= near; k++) {
        const boid &o = in[(i + k) % n];
        if (o.kind != me.kind)
            continue;
        vec2 d = o.at - me.at;
        float r2 = d.dot(d);
        if (r2 > reach * reach)
            continue;
        centre = centre + d;
        if (r2 < 0.25f * reach * reach)
            away = away - d;
        seen++;
    }
    if (seen)
        me.speed = me.speed + centre * (0.01f / seen) + away * 0.05f;
    me.at = me.at + me.speed * dt;
    out[i] = me;
}

template <int X, int Y> __device__ int weight(const int (&window)[3][3])
{
    return X * (window[0][2] - window[0][0] + 2 * (window[1][2] - window[1][0]) + window[2][2] - window[2][0]) +
           Y * (window[2][0] - window[0][0] + 2 * (window[2][1] - window[0][1]) + window[2][2] - window[0][2]);
}

__global__ void sobel_bytes(const unsigned char *image, unsigned char *edges, size_t width, size_t height)
{
    size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x, y = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
        edges[y * width + x] = 0;
        return;
    }
    int window[3][3];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            window[j][i] = image[(y + j - 1) * width + (x + i - 1)];
    int gx = weight<1, 0>(window), gy = weight<0, 1>(window), sum = abs(gx) + abs(gy);
    edges[y * width + x] = sum > 255 ? 255 : sum;
}

enum token { SPACE, NUMBER, WORD, STRING, ESCAPE };

__global__ void count_tokens(const char *text, int *counts, int per)
{
    const char *at = text + (size_t)(blockIdx.x * blockDim.x + threadIdx.x) * per, *end = at + per;
    token state = SPACE;
    int found = 0;
    while (at < end) {
        char c = *at++;
        switch (state) {
        case SPACE:
            if (c >= '0' && c <= '9')
                state = NUMBER, found++;
            else if ((c | 32) >= 'a' && (c | 32) <= 'z')
                state = WORD, found++;
            else if (c == '"')
                state = STRING, found++;
            break;
        case NUMBER:
            if (!(c >= '0' && c <= '9') && c != '.')
                state = SPACE;
            break;
        case WORD:
            if (!((c | 32) >= 'a' && (c | 32) <= 'z') && c != '_')
                state = SPACE;
            break;
        case STRING:
            if (c == '\\')
                state = ESCAPE;
            else if (c == '"')
                state = SPACE;
            break;
        case ESCAPE: state = STRING; break;
        }
    }
    counts[blockIdx.x * blockDim.x + threadIdx.x] = found;
}

template <int RADIUS, int WIDE> __global__ void convolve_line(const float *in, const float *kernel, float *out, int n)
{
    __shared__ float tile[WIDE + 2 * RADIUS];
    int first = blockIdx.x * WIDE - RADIUS;
    for (int k = threadIdx.x; k < WIDE + 2 * RADIUS; k += blockDim.x) {
        int at = first + k;
        tile[k] = at >= 0 && at < n ? in[at] : 0.0f;
    }
    __syncthreads();
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++)
        sum += tile[threadIdx.x + RADIUS + k] * kernel[k + RADIUS];
    int to = blockIdx.x * WIDE + threadIdx.x;
    if (to < n)
        out[to] = sum;
}

struct extremes {
    float least, most;
    double sum;
};

template <class T> __device__ T from_lane(T v, int mask) { return __shfl_xor_sync(0xffffffff, v, mask); }

__global__ void warp_extremes(const float *in, extremes *out, int per)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize;
    extremes e = {INFINITY, -INFINITY, 0};
    for (int k = 0; k < per; k++) {
        float v = in[(size_t)k * gridDim.x * blockDim.x + i];
        e.least = fminf(e.least, v);
        e.most = fmaxf(e.most, v);
        e.sum += v;
    }
    for (int d = warpSize / 2; d > 0; d /= 2) {
        e.least = fminf(e.least, from_lane(e.least, d));
        e.most = fmaxf(e.most, from_lane(e.most, d));
        e.sum += from_lane(e.sum, d);
    }
    if (lane == 0)
        out[i / warpSize] = e;
}

__device__ short saturate(int v) { return v > 32767 ? 32767 : v < -32768 ? -32768 : v; }

__global__ void mix_tracks(const short *tracks, const short *gains, short *out, int channels, int frames)
{
    int f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= frames)
        return;
    int left = 0, right = 0;
    for (int c = 0; c < channels; c++) {
        left += tracks[(c * frames + f) * 2] * gains[c * 2] >> 8;
        right += tracks[(c * frames + f) * 2 + 1] * gains[c * 2 + 1] >> 8;
    }
    out[2 * f] = saturate(left);
    out[2 * f + 1] = saturate(right);
}

__global__ void cube_roots(const double *in, double *out, int *rounds, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = in[i], x = a > 1 ? a / 3 : 1;
    int k = 0;
    while (k < 40) {
        double next = (2 * x + a / (x * x)) / 3;
        k++;
        if (fabs(next - x) < 1e-12 * x)
            break;
        x = next;
    }
    out[i] = x;
    rounds[i] = k;
}

__host__ __device__ inline uint64_t mix64(uint64_t h)
{
    h ^= h >> 30;
    h *= 0xbf58476d1ce4e5b9ull;
    h ^= h >> 27;
    h *= 0x94d049bb133111ebull;
    return h ^ h >> 31;
}

__global__ void bloom_probe(const uint64_t *filter, const uint64_t *keys, uint8_t *hit, uint64_t bits, int probes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint64_t h1 = mix64(keys[i]), h2 = mix64(h1 ^ 0x9e3779b97f4a7c15ull) | 1;
    for (int k = 0; k < probes; k++) {
        uint64_t bit = (h1 + k * h2) & (bits - 1);
        if (!(filter[bit / 64] >> bit % 64 & 1)) {
            hit[i] = 0;
            return;
        }
    }
    hit[i] = 1;
}

__global__ void median_shorts(const unsigned short *in, unsigned short *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    unsigned short v[9];
    int n = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            v[n++] = in[(y + j) * width + x + i];
    for (int i = 0; i <= 4; i++) {
        int least = i;
        for (int j = i + 1; j < 9; j++)
            if (v[j] < v[least])
                least = j;
        unsigned short t = v[i];
        v[i] = v[least];
        v[least] = t;
    }
    out[y * width + x] = v[4];
}

__global__ void knight_moves(const uint64_t *own, const uint64_t *knights, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const uint64_t not_a = 0xfefefefefefefefeull, not_h = 0x7f7f7f7f7f7f7f7full, not_ab = 0xfcfcfcfcfcfcfcfcull,
                   not_gh = 0x3f3f3f3f3f3f3f3full;
    uint64_t left = knights[i], mine = own[i];
    int moves = 0;
    while (left) {
        uint64_t b = 1ull << (__ffsll(left) - 1);
        left &= left - 1;
        uint64_t to = (b << 17 & not_a) | (b << 15 & not_h) | (b << 10 & not_ab) | (b << 6 & not_gh) | (b >> 17 & not_h) |
                      (b >> 15 & not_a) | (b >> 10 & not_gh) | (b >> 6 & not_ab);
        moves += __popcll(to & ~mine);
    }
    count[i] = moves;
}

static uint64_t *longs(size_t n, uint32_t seed)
{
    std::vector<uint64_t> h(n);
    for (auto &x : h)
        x = (uint64_t)next_random(seed) << 32 | next_random(seed);
    return upload(h);
}

int main()
{
    std::vector<boid> flying(N);
    uint32_t s = 5;
    for (auto &b : flying) {
        b.at = {(next_random(s) >> 8) / 16777216.0f, (next_random(s) >> 8) / 16777216.0f};
        b.speed = {0.1f, 0.2f};
        b.mass = 1;
        b.kind = next_random(s) % 3;
    }
    boid *in = upload(flying), *out = zeros<boid>(N);
    flock<<<CTAS, THREADS>>>(in, out, N, 24, 0.5f, 0.01f);
    tell("flock", (float *)out, 2);
    unsigned char *image = ints<unsigned char>(N, 256), *edges = zeros<unsigned char>(N);
    sobel_bytes<<<dim3(16, 16), dim3(16, 8)>>>(image, edges, 250, 128);
    tell("sobel_bytes", edges, N);
    std::vector<char> text(N * 24);
    for (auto &c : text)
        c = " a0b\"x.1\\_Zz9 "[next_random(s) % 14];
    int *o = zeros<int>(N);
    count_tokens<<<CTAS, THREADS>>>(upload(text), o, 24);
    tell("count_tokens", o, N);
    float *x = reals<float>(N * 8), *y = zeros<float>(N);
    convolve_line<8, THREADS><<<CTAS, THREADS>>>(x, x + 9, y, N - 5);
    tell("convolve_line", y, N);
    extremes *e = zeros<extremes>(N / 32);
    warp_extremes<<<CTAS, THREADS>>>(x, e, 8);
    tell("warp_extremes", (double *)e, N / 16);
    short *tracks = ints<short>(N * 16, 30000), *gains = ints<short>(16, 400), *mixed = zeros<short>(2 * N);
    mix_tracks<<<CTAS, THREADS>>>(tracks, gains, mixed, 7, N);
    tell("mix_tracks", mixed, 2 * N);
    double *dx = reals<double>(N), *dy = zeros<double>(N);
    cube_roots<<<CTAS, THREADS>>>(dx, dy, o, N);
    tell("cube_roots", dy, N);
    tell("cube_roots", o, N);
    std::vector<uint64_t> filter(4096), keys(N);
    for (int i = 0; i < N; i++) {
        keys[i] = i * 77777ull;
        uint64_t h1 = mix64(keys[i]), h2 = mix64(h1 ^ 0x9e3779b97f4a7c15ull) | 1;
        for (int k = 0; k < 6 && i % 3 == 0; k++) {
            uint64_t bit = (h1 + k * h2) & 262143;
            filter[bit / 64] |= 1ull << bit % 64;
        }
    }
    uint8_t *hit = zeros<uint8_t>(N);
    bloom_probe<<<CTAS, THREADS>>>(upload(filter), upload(keys), hit, 262144, 6, N);
    tell("bloom_probe", hit, N);
    unsigned short *u = ints<unsigned short>(N, 60000), *m = zeros<unsigned short>(N);
    median_shorts<<<dim3(16, 16), dim3(16, 8)>>>(u, m, 250, 128);
    tell("median_shorts", m, N);
    std::vector<uint64_t> few(N);
    for (auto &k : few)
        k = 1ull << next_random(s) % 64 | 1ull << next_random(s) % 64 | 1ull << next_random(s) % 64;
    knight_moves<<<CTAS, THREADS>>>(longs(N, 9), upload(few), o, N);
    tell("knight_moves", o, N);
}
