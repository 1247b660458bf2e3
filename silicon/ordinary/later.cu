// SPDX-License-Identifier: Apache-2.0
// Written together with users.cu and only measured: matches by words, scans of pairs, functors, bit readers, dates, random walks, columns.
#include "ordinary.h"

__global__ void match_length(const uint8_t *text, const uint32_t *from, const uint32_t *to, uint32_t *length, uint32_t most, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const uint64_t *a = (const uint64_t *)(text + 8 * (size_t)from[i]), *b = (const uint64_t *)(text + 8 * (size_t)to[i]);
    uint32_t len = 0;
    while (len < most) {
        uint64_t d = a[len / 8] ^ b[len / 8];
        if (d) {
            len += (__ffsll(d) - 1) / 8;
            break;
        }
        len += 8;
    }
    length[i] = min(len, most);
}

struct affine {
    float scale, shift;
    __device__ affine after(affine o) const { return {scale * o.scale, scale * o.shift + shift}; }
};

template <class T, int SIZE> __global__ void scan_pairs(const T *in, T *out)
{
    __shared__ T line[2][SIZE];
    int t = threadIdx.x, now = 0;
    line[0][t] = in[blockIdx.x * SIZE + t];
    __syncthreads();
    for (int d = 1; d < SIZE; d *= 2) {
        T v = line[now][t];
        if (t >= d)
            v = v.after(line[now][t - d]);
        now ^= 1;
        line[now][t] = v;
        __syncthreads();
    }
    out[blockIdx.x * SIZE + t] = line[now][t];
}

struct keyed {
    uint32_t key;
    uint16_t value, from;
};

template <int SIZE> __global__ void sort_keyed(keyed *all)
{
    __shared__ keyed s[SIZE];
    keyed *mine = all + blockIdx.x * SIZE;
    for (int k = threadIdx.x; k < SIZE; k += blockDim.x)
        s[k] = mine[k];
    __syncthreads();
    for (int size = 2; size <= SIZE; size *= 2)
        for (int stride = size / 2; stride; stride /= 2) {
            for (int k = threadIdx.x; k < SIZE / 2; k += blockDim.x) {
                int a = 2 * k - (k & (stride - 1)), b = a + stride;
                bool up = (a & size) == 0;
                if ((s[a].key > s[b].key) == up) {
                    keyed t = s[a];
                    s[a] = s[b];
                    s[b] = t;
                }
            }
            __syncthreads();
        }
    for (int k = threadIdx.x; k < SIZE; k += blockDim.x)
        mine[k] = s[k];
}

__global__ void layer_bytes(const char4 *x, const char4 *w, const int *bias, signed char *y, int inputs, int outputs, float scale)
{
    int o = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (o >= outputs)
        return;
    int sum = bias[o];
    for (int k = 0; k < inputs; k++) {
        char4 a = x[row * inputs + k], b = w[k * outputs + o];
        sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    float v = rintf(sum * scale);
    y[row * outputs + o] = (signed char)(v > 127 ? 127 : v < -128 ? -128 : v);
}

struct bell {
    double centre, width;
    __device__ double operator()(double x) const
    {
        double t = (x - centre) / width;
        return 1 / (1 + t * t);
    }
};

template <class F> __device__ double simpson(F f, double from, double to, int pieces)
{
    double h = (to - from) / pieces, sum = f(from) + f(to);
    for (int k = 1; k < pieces; k++)
        sum += f(from + k * h) * (k & 1 ? 4 : 2);
    return sum * h / 3;
}

__global__ void integrate_bells(const double *centres, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = simpson(bell{centres[i], 0.5}, 0.0, 2.0, 12);
}

struct field {
    float *data;
    size_t nx, ny, nz;
    __device__ float &at(size_t x, size_t y, size_t z) { return data[(z * ny + y) * nx + x]; }
};

__global__ void advect(field now, field next, float u, float v, float w)
{
    size_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= now.nx || y >= now.ny)
        return;
    for (size_t z = 1; z < now.nz; z++) {
        float c = now.at(x, y, z);
        next.at(x, y, z) = c - u * (c - now.at(x - 1, y, z)) - v * (c - now.at(x, y - 1, z)) - w * (c - now.at(x, y, z - 1));
    }
}

__global__ void read_varints(const uint8_t *bytes, const int *starts, uint64_t *sums, int values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const uint8_t *at = bytes + starts[i];
    uint64_t sum = 0;
    for (int k = 0; k < values; k++) {
        uint64_t v = 0;
        int shift = 0;
        uint8_t b;
        do {
            b = *at++;
            v |= (uint64_t)(b & 127) << shift;
            shift += 7;
        } while (b & 128 && shift < 64);
        sum += v >> 1 ^ -(v & 1);
    }
    sums[i] = sum;
}

__device__ int two(const char *s)
{
    unsigned a = s[0] - '0', b = s[1] - '0';
    return a > 9 || b > 9 ? -1 : a * 10 + b;
}

__global__ void parse_dates(const char *text, int *days, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const char *s = text + 10 * i;
    days[i] = -1;
    int century = two(s), year = two(s + 2), month = two(s + 5), day = two(s + 8);
    if (century < 0 || year < 0 || s[4] != '-' || s[7] != '-' || month < 1 || month > 12 || day < 1)
        return;
    year += 100 * century;
    int last = 31;
    switch (month) {
    case 2: last = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28; break;
    case 4:
    case 6:
    case 9:
    case 11: last = 30; break;
    }
    if (day > last)
        return;
    int y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;
    days[i] = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1;
}

__device__ uint64_t turn(uint64_t x, int k) { return x << k | x >> (64 - k); }

__global__ void random_walk(const uint64_t *seeds, int2 *ends, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint64_t s[4];
    for (int k = 0; k < 4; k++)
        s[k] = seeds[4 * i + k];
    int2 at = {0, 0};
    for (int n = 0; n < steps; n++) {
        uint64_t r = turn(s[1] * 5, 7) * 9, t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = turn(s[3], 45);
        switch (r >> 62) {
        case 0: at.x++; break;
        case 1: at.x--; break;
        case 2: at.y++; break;
        default: at.y--;
        }
    }
    ends[i] = at;
}

struct columns {
    const short *quantity;
    const char *flag;
    const double *price, *discount;
    const int *date;
};

__global__ void sum_rows(columns c, double *sums, int *rows, int n, int from, int to)
{
    double sum = 0;
    int found = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        if (c.date[i] < from || c.date[i] >= to || c.flag[i] == 'R' || c.quantity[i] >= 24)
            continue;
        sum += c.price[i] * (1 - c.discount[i]);
        found++;
    }
    for (int d = 16; d; d >>= 1) {
        sum += __shfl_down_sync(~0u, sum, d);
        found += __shfl_down_sync(~0u, found, d);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(sums, sum);
        atomicAdd(rows, found);
    }
}

int main()
{
    uint8_t *bytes = ints<uint8_t>(N * 8, 2);
    uint32_t *length = zeros<uint32_t>(N);
    match_length<<<CTAS, THREADS>>>(bytes, ints<uint32_t>(N, N / 2), ints<uint32_t>(N, N / 2, 3), length, 64, N);
    tell("match_length", length, N);
    float *x = reals<float>(2 * N), *y = zeros<float>(2 * N);
    scan_pairs<affine, THREADS><<<CTAS, THREADS>>>((affine *)x, (affine *)y);
    tell("scan_pairs", y, 2 * N);
    uint32_t *keys = ints<uint32_t>(4 * N, 1 << 28);
    sort_keyed<2 * THREADS><<<CTAS / 2, THREADS>>>((keyed *)keys);
    tell("sort_keyed", keys, 2 * N);
    signed char *w = ints<signed char>(N * 4, 120), *q = zeros<signed char>(N);
    int *bias = ints<int>(N, 1000), *o = zeros<int>(2 * N);
    layer_bytes<<<dim3(8, 33), THREADS>>>((char4 *)w, (char4 *)w + 7, bias, q, 16, 1000, 0.0001f);
    tell("layer_bytes", q, N);
    double *dx = reals<double>(N), *dy = zeros<double>(N);
    integrate_bells<<<CTAS, THREADS>>>(dx, dy, N);
    tell("integrate_bells", dy, N);
    field now = {reals<float>(130 * 66 * 8), 130, 66, 8}, next = {zeros<float>(130 * 66 * 8), 130, 66, 8};
    advect<<<dim3(5, 17), dim3(32, 4)>>>(now, next, 0.1f, 0.2f, 0.3f);
    tell("advect", next.data, 130 * 66 * 8);
    uint64_t *sums = zeros<uint64_t>(N);
    read_varints<<<CTAS, THREADS>>>(ints<uint8_t>(N * 8, 256), ints<int>(N, N * 7), sums, 6, N);
    tell("read_varints", (uint16_t *)sums, 4 * N);
    std::vector<char> text(10 * N);
    uint32_t s = 3;
    for (int i = 0; i < N; i++) {
        char line[64];
        unsigned year = next_random(s) % 3000, month = next_random(s) % 14, day = next_random(s) % 33;
        snprintf(line, sizeof line, "%04u-%02u-%02u", year, month, day);
        for (int k = 0; k < 10; k++)
            text[10 * i + k] = line[k];
    }
    parse_dates<<<CTAS, THREADS>>>(upload(text), o, N);
    tell("parse_dates", o, N);
    random_walk<<<CTAS, THREADS>>>((uint64_t *)ints<uint32_t>(8 * N, 1 << 28), (int2 *)o, 30);
    tell("random_walk", o, 2 * N);
    columns c = {ints<short>(4 * N, 50), ints<char>(4 * N, 100), reals<double>(4 * N), reals<double>(4 * N, 7), ints<int>(4 * N, 3000)};
    double *total = zeros<double>(2);
    sum_rows<<<CTAS, THREADS>>>(c, total, o, 4 * N - 3, 500, 2500);
    tell("sum_rows", total, 1);
    tell("sum_rows", o, 1);
}
