// SPDX-License-Identifier: Apache-2.0
// Written when the rules that users.cu and later.cu led to were done: none of these was looked at.
#include "ordinary.h"

struct blend {
    float a, b;
    __device__ float operator()(float x, float y) const { return a * x + b * y; }
};

template <class F> __global__ void apply_pairs(const float *x, const float *y, float *out, size_t n, F f)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        out[i] = f(x[i], y[i]);
}

__global__ void colour_histogram(const uchar4 *pixels, unsigned *counts, int n)
{
    __shared__ unsigned bins[3][64];
    for (int k = threadIdx.x; k < 3 * 64; k += blockDim.x)
        bins[k / 64][k % 64] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uchar4 p = pixels[i];
        if (p.w < 16)
            continue;
        atomicAdd(&bins[0][p.x / 4], 1);
        atomicAdd(&bins[1][p.y / 4], 1);
        atomicAdd(&bins[2][p.z / 4], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 3 * 64; k += blockDim.x)
        if (bins[k / 64][k % 64])
            atomicAdd(&counts[k], bins[k / 64][k % 64]);
}

__global__ void tridiagonal(const double *lower, const double *diagonal, const double *upper, double *x, double *scratch, int n, int lines)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= lines)
        return;
    double c = upper[t] / diagonal[t], d = x[t] / diagonal[t];
    scratch[t] = c;
    x[t] = d;
    for (int k = 1; k < n; k++) {
        size_t at = (size_t)k * lines + t;
        double m = 1 / (diagonal[at] - lower[at] * c);
        c = upper[at] * m;
        d = (x[at] - lower[at] * d) * m;
        scratch[at] = c;
        x[at] = d;
    }
    for (int k = n - 2; k >= 0; k--) {
        size_t at = (size_t)k * lines + t;
        d = x[at] - scratch[at] * d;
        x[at] = d;
    }
}

__global__ void gray_scott(const float2 *now, float2 *next, int width, int height, float feed, float kill)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int left = (x + width - 1) % width, right = (x + 1) % width, up = (y + height - 1) % height, down = (y + 1) % height;
    float2 c = now[y * width + x], l = now[y * width + left], r = now[y * width + right], u = now[up * width + x],
           d = now[down * width + x];
    float reaction = c.x * c.y * c.y;
    next[y * width + x] = make_float2(c.x + 0.16f * (l.x + r.x + u.x + d.x - 4 * c.x) - reaction + feed * (1 - c.x),
                                      c.y + 0.08f * (l.y + r.y + u.y + d.y - 4 * c.y) + reaction - (feed + kill) * c.y);
}

__global__ void run_lengths(const uint8_t *bytes, uint8_t *out, int *used, int per, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const uint8_t *from = bytes + i * per;
    uint8_t *to = out + 2 * i * per;
    int k = 0, made = 0;
    while (k < per) {
        uint8_t value = from[k];
        int run = 1;
        while (k + run < per && run < 255 && from[k + run] == value)
            run++;
        to[made++] = run;
        to[made++] = value;
        k += run;
    }
    used[i] = made;
}

template <int TILE> __global__ void bit_product(const uint32_t *a, const uint32_t *b, int *c, int words, int n)
{
    __shared__ uint32_t left[TILE][TILE + 1], right[TILE][TILE + 1];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x, agree = 0;
    for (int w = 0; w < words; w += TILE) {
        left[threadIdx.y][threadIdx.x] = a[row * words + w + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(blockIdx.x * TILE + threadIdx.y) * words + w + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            agree += __popc(~(left[threadIdx.y][k] ^ right[threadIdx.x][k]));
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = 2 * agree - 32 * words;
}

__global__ void nth_of_few(const float *in, float *out, int nth, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[12];
    for (int k = 0; k < 12; k++)
        v[k] = in[12 * i + k];
    int low = 0, high = 11;
    while (low < high) {
        float pivot = v[(low + high) / 2];
        int a = low, b = high;
        while (a <= b) {
            while (v[a] < pivot)
                a++;
            while (v[b] > pivot)
                b--;
            if (a <= b) {
                float t = v[a];
                v[a++] = v[b];
                v[b--] = t;
            }
        }
        if (nth <= b)
            high = b;
        else if (nth >= a)
            low = a;
        else
            break;
    }
    out[i] = v[nth];
}

struct point {
    float x, y, z;
};

__device__ float dot(point a, point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ point minus(point a, point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

__device__ float distance2(point p, point a, point b)
{
    point d = minus(b, a), v = minus(p, a);
    float along = dot(v, d), length = dot(d, d);
    if (along <= 0)
        return dot(v, v);
    if (along >= length) {
        point w = minus(p, b);
        return dot(w, w);
    }
    return dot(v, v) - along * along / length;
}

__global__ void nearest_segment(const point *points, const point *line, int *nearest, float *far, int segments, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    point p = points[i];
    float best = 1e30f;
    int which = -1;
    for (int k = 0; k < segments; k++) {
        float d = distance2(p, line[k], line[k + 1]);
        if (d < best) {
            best = d;
            which = k;
        }
    }
    nearest[i] = which;
    far[i] = sqrtf(best);
}

__global__ void group_by_key(const int *keys, const int *values, int *sums, int *sizes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool here = i < n;
    unsigned active = __ballot_sync(0xffffffff, here);
    if (!here)
        return;
    int key = keys[i], value = values[i];
    unsigned same = __match_any_sync(active, key);
    int leader = __ffs(same) - 1, sum = 0;
    for (unsigned left = same; left; left &= left - 1)
        sum += __shfl_sync(same, value, __ffs(left) - 1);
    if (threadIdx.x % 32 == leader) {
        atomicAdd(&sums[key], sum);
        atomicMax(&sizes[key], __popc(same));
    }
}

__global__ void polynomials(const double *x, const int *order, double *out, int kind, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double t = x[i], before = 1, now;
    int last = order[i];
    switch (kind) {
    case 0: now = t; break;
    case 1: now = t; break;
    case 2: now = 2 * t; break;
    case 3: now = 1 - t; break;
    default: return;
    }
    if (last == 0) {
        out[i] = 1;
        return;
    }
    for (int k = 1; k < last; k++) {
        double next;
        if (kind == 0)
            next = ((2 * k + 1) * t * now - k * before) / (k + 1);
        else if (kind == 1)
            next = 2 * t * now - before;
        else if (kind == 2)
            next = 2 * (t * now - k * before);
        else
            next = ((2 * k + 1 - t) * now - k * before) / (k + 1);
        before = now;
        now = next;
    }
    out[i] = now;
}

int main()
{
    float *x = reals<float>(12 * N), *y = zeros<float>(2 * N);
    apply_pairs<<<CTAS, THREADS>>>(x, x + N, y, 2 * N - 3, blend{0.5f, 2.0f});
    tell("apply_pairs", y, 2 * N);
    unsigned *counts = zeros<unsigned>(192);
    colour_histogram<<<CTAS, THREADS>>>((uchar4 *)ints<uint8_t>(16 * N, 256), counts, 4 * N);
    tell("colour_histogram", counts, 192);
    int lines = N / 4;
    double *line = reals<double>(12 * lines), *dx = reals<double>(12 * lines, 7), *scratch = zeros<double>(12 * lines);
    std::vector<double> heavy(12 * lines, 4.0);
    tridiagonal<<<CTAS / 4, THREADS>>>(line, upload(heavy), line, dx, scratch, 12, lines);
    tell("tridiagonal", dx, 12 * lines);
    gray_scott<<<dim3(16, 16), dim3(16, 8)>>>((float2 *)x, (float2 *)y, 250, 128, 0.04f, 0.06f);
    tell("gray_scott", y, 2 * 250 * 128);
    uint8_t *packed = zeros<uint8_t>(N * 32);
    int *o = zeros<int>(N), *sums = zeros<int>(N);
    run_lengths<<<CTAS, THREADS>>>(ints<uint8_t>(N * 16, 2), packed, o, 16, N);
    tell("run_lengths", packed, N * 32);
    int *c = zeros<int>(256 * 256);
    uint32_t *bits = ints<uint32_t>(256 * 32, 1 << 28);
    bit_product<16><<<dim3(16, 16), dim3(16, 16)>>>(bits, bits, c, 32, 250);
    tell("bit_product", c, 256 * 256);
    nth_of_few<<<CTAS, THREADS>>>(x, y, 5, N);
    tell("nth_of_few", y, N);
    nearest_segment<<<CTAS, THREADS>>>((point *)x, (point *)(x + 3 * N), o, y, 20, N);
    tell("nearest_segment", y, N);
    group_by_key<<<CTAS, THREADS>>>(ints<int>(N, 20), ints<int>(N, 100, 3), sums, o, N - 5);
    tell("group_by_key", sums, 20);
    polynomials<<<CTAS, THREADS>>>(dx, ints<int>(N, 12), scratch, 0, N);
    tell("polynomials", scratch, N);
}
