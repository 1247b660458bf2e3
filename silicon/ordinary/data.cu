// SPDX-License-Identifier: Apache-2.0
// Text, tables, graphs and dynamic programming: branches, bytes, gathers, small arrays, atomics, textures, half precision.
#include "ordinary.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void csr_scalar(const int *row, const int *col, const float *val, const float *x, float *y, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    float s = 0;
    for (int k = row[r]; k < row[r + 1]; k++)
        s += val[k] * x[col[k]];
    y[r] = s;
}

__global__ void relax_edges(const int *from, const int *to, const int *weight, int *dist, int *changed, int edges)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges)
        return;
    int d = dist[from[e]] + weight[e];
    if (d < dist[to[e]]) {
        atomicMin(&dist[to[e]], d);
        *changed = 1;
    }
}

__global__ void triangles(const int *row, const int *col, int *count, int nodes)
{
    int u = blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= nodes)
        return;
    int found = 0;
    for (int a = row[u]; a < row[u + 1]; a++) {
        int v = col[a], i = row[u], j = row[v];
        while (i < row[u + 1] && j < row[v + 1]) {
            int p = col[i], q = col[j];
            if (p == q)
                found++;
            i += p <= q;
            j += q <= p;
        }
    }
    count[u] = found;
}

__global__ void edit_distance(const char *a, const char *b, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int line[17];
    for (int k = 0; k <= 16; k++)
        line[k] = k;
    for (int r = 1; r <= 16; r++) {
        int diagonal = line[0];
        line[0] = r;
        char c = a[i * 16 + r - 1];
        for (int k = 1; k <= 16; k++) {
            int up = line[k], cost = diagonal + (b[i * 16 + k - 1] != c);
            line[k] = min(min(up, line[k - 1]) + 1, cost);
            diagonal = up;
        }
    }
    out[i] = line[16];
}

__global__ void upper_words(char *text, int *words, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    char c = text[i], before = i ? text[i - 1] : ' ';
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    bool start = letter && !((before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z'));
    if (start)
        atomicAdd(&words[blockIdx.x], 1);
    if (c >= 'a' && c <= 'z')
        text[i] = c - 32;
}

__global__ void parse_numbers(const char *text, int *value, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const char *p = text + i * width;
    int v = 0, sign = 1;
    for (int k = 0; k < width; k++) {
        char c = p[k];
        if (c == '-')
            sign = -1;
        else if (c >= '0' && c <= '9')
            v = v * 10 + (c - '0');
        else if (c == 0)
            break;
    }
    value[i] = v * sign;
}

__global__ void stack_machine(const uint8_t *code, const float *in, float *out, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = in[i], b = 1;
    for (int pc = 0; pc < length; pc++)
        switch (code[pc]) {
        case 0: a += b; break;
        case 1: a -= b; break;
        case 2: a *= b; break;
        case 3: b = a; break;
        case 4: a = fabsf(a); break;
        case 5: a = sqrtf(fabsf(a)); break;
        case 6: { float t = a; a = b; b = t; break; }
        case 7: a = fmaxf(a, b); break;
        case 8: b = b * 0.5f; break;
        default: a = -a;
        }
    out[i] = a;
}

__global__ void top3(const float *in, float *out, int per)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    float best[3] = {-1, -1, -1};
    for (int k = 0; k < per; k++) {
        float v = in[k * stride + i];
        for (int j = 0; j < 3; j++)
            if (v > best[j]) {
                float t = best[j];
                best[j] = v;
                v = t;
            }
    }
    for (int j = 0; j < 3; j++)
        out[j * stride + i] = best[j];
}

__global__ void lower_bound(const int *sorted, const int *key, int *at, int n, int keys)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= keys)
        return;
    int lo = 0, hi = n, k = key[i];
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (sorted[mid] < k)
            lo = mid + 1;
        else
            hi = mid;
    }
    at[i] = lo;
}

__global__ void hash_insert(uint32_t *table, const uint32_t *key, int slots, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint32_t k = key[i] + 1, h = k * 2654435761u % slots;
    while (true) {
        uint32_t old = atomicCAS(&table[h], 0u, k);
        if (old == 0 || old == k)
            break;
        h = (h + 1) % slots;
    }
}

__global__ void half_gelu(const half2 *x, half2 *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float2 v = __half22float2(x[i]);
    v.x = 0.5f * v.x * (1 + tanhf(0.79788456f * (v.x + 0.044715f * v.x * v.x * v.x)));
    v.y = 0.5f * v.y * (1 + tanhf(0.79788456f * (v.y + 0.044715f * v.y * v.y * v.y)));
    y[i] = __float22half2_rn(v);
}

__global__ void bf16_dot(const __nv_bfloat162 *a, const __nv_bfloat162 *b, float *out, int per)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    float s = 0;
    for (int k = 0; k < per; k++) {
        float2 p = __bfloat1622float2(a[k * stride + i]), q = __bfloat1622float2(b[k * stride + i]);
        s += p.x * q.x + p.y * q.y;
    }
    out[i] = s;
}

__global__ void warp_image(cudaTextureObject_t image, float *out, int width, int height, float angle)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = x - width / 2.0f, v = y - height / 2.0f, c = cosf(angle), s = sinf(angle);
    out[y * width + x] = tex2D<float>(image, u * c - v * s + width / 2.0f + 0.5f, u * s + v * c + height / 2.0f + 0.5f);
}

__global__ void game_of_life(const uint8_t *in, uint8_t *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                alive += in[(y + dy + h) % h * w + (x + dx + w) % w];
    out[y * w + x] = alive == 3 || (alive == 2 && in[y * w + x]);
}

__global__ void knapsack(const int *weight, const int *worth, const int *before, int *after, int item, int capacity)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c > capacity)
        return;
    int w = weight[item], best = before[c];
    if (c >= w)
        best = max(best, before[c - w] + worth[item]);
    after[c] = best;
}

__global__ void transpose_double(const double *in, double *out, int n)
{
    __shared__ double tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int j = 0; j < 16; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    for (int j = 0; j < 16; j += 8)
        out[(size_t)(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main()
{
    std::vector<int> rows(N + 1);
    for (int i = 0, at = 0; i <= N; i++, at += 3 + i * 7 % 6)
        rows[i] = at;
    int *row = upload(rows), *o = zeros<int>(N * 4);
    std::vector<int> cols(rows[N]);
    for (int r = 0; r < N; r++)
        for (int k = rows[r]; k < rows[r + 1]; k++)
            cols[k] = (r + (k - rows[r]) + 1) % N;
    int *col = upload(cols);
    float *x = reals<float>(N * 16), *y = zeros<float>(N * 16);
    csr_scalar<<<CTAS, THREADS>>>(row, col, x, x + N, y, N);
    tell("csr_scalar", y, N);
    int *dist = ints<int>(N, 1000), *changed = zeros<int>(1);
    relax_edges<<<CTAS, THREADS>>>(col, col + N, row, dist, changed, N);
    tell("relax_edges", changed, 1);
    triangles<<<CTAS, THREADS>>>(row, col, o, N);
    tell("triangles", o, N);
    char *text = ints<char>(N * 16 + 64, 4);
    edit_distance<<<CTAS, THREADS>>>(text, text + 64, o);
    tell("edit_distance", o, N - 8);
    char *words = ints<char>(N * 8, 128);
    upper_words<<<CTAS, THREADS>>>(words, dist, N);
    tell("upper_words", words, 1);
    std::vector<char> digits(N * 8);
    for (int i = 0; i < N * 8; i++)
        digits[i] = i % 8 == 0 ? '-' : i % 8 < 3 + i / 8 % 5 ? '0' + i % 10 : 0;
    parse_numbers<<<CTAS, THREADS>>>(upload(digits), o, 8);
    tell("parse_numbers", o, N);
    stack_machine<<<CTAS, THREADS>>>(ints<uint8_t>(64, 10), x, y, 40);
    tell("stack_machine", (unsigned char *)y, 1);
    top3<<<CTAS, THREADS>>>(x, y, 16);
    tell("top3", y, 3 * N);
    lower_bound<<<CTAS, THREADS>>>(row, ints<int>(N, N * 5), o, N, N);
    tell("lower_bound", o, N);
    uint32_t *table = zeros<uint32_t>(2 * N);
    hash_insert<<<CTAS, THREADS>>>(table, ints<uint32_t>(N, 1 << 20), 2 * N, N);
    tell("hash_insert", (unsigned char *)table, 1);
    std::vector<uint16_t> halves(N * 32);
    for (size_t i = 0; i < halves.size(); i++)
        halves[i] = 0x3c00 + i % 1024;
    uint16_t *h = upload(halves), *g = zeros<uint16_t>(2 * N);
    half_gelu<<<CTAS, THREADS>>>((half2 *)h, (half2 *)g, N);
    tell("half_gelu", g, 2 * N);
    bf16_dot<<<CTAS, THREADS>>>((__nv_bfloat162 *)h, (__nv_bfloat162 *)h + N, y, 12);
    tell("bf16_dot", (unsigned char *)y, 1);
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, 256, 128);
    cudaMemcpy2DToArray(array, 0, 0, x, 1024, 1024, 128, cudaMemcpyDeviceToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.filterMode = cudaFilterModeLinear;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t image;
    cudaCreateTextureObject(&image, &resource, &how, nullptr);
    warp_image<<<dim3(16, 16), dim3(16, 8)>>>(image, y, 256, 128, 0.3f);
    tell("warp_image", (unsigned char *)y, 1);
    uint8_t *cells = ints<uint8_t>(N, 2), *later = zeros<uint8_t>(N);
    game_of_life<<<dim3(16, 16), dim3(16, 8)>>>(cells, later, 256, 128);
    tell("game_of_life", later, 256 * 128);
    knapsack<<<CTAS, THREADS>>>(dist, dist + 64, o, (int *)y, 5, N - 2);
    tell("knapsack", (int *)y, 1);
    double *dx = reals<double>(192 * 192), *dy = zeros<double>(192 * 192);
    transpose_double<<<dim3(12, 12), dim3(16, 8)>>>(dx, dy, 192);
    tell("transpose_double", dy, 192 * 192);
}
