// SPDX-License-Identifier: Apache-2.0
// Simulation and numerics: differences, n-body, FFT, Monte Carlo, rays, Runge-Kutta, matrices in registers, interpolation.
#include "ordinary.h"

__constant__ float coefficients[8] = {0.5f, -0.25f, 0.125f, -0.0625f, 0.03125f, 0.4f, 0.3f, 0.2f};

__global__ void wave_2d(const float *now, const float *before, float *next, int nx, int ny, float c)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 2 || y < 2 || x >= nx - 2 || y >= ny - 2)
        return;
    int i = y * nx + x;
    float lap = -5.0f * now[i];
    lap += 4.0f / 3 * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx]);
    lap -= 1.0f / 12 * (now[i - 2] + now[i + 2] + now[i - 2 * nx] + now[i + 2 * nx]);
    next[i] = 2 * now[i] - before[i] + c * lap;
}

__global__ void heat_3d(const double *in, double *out, int n, double k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
        return;
    for (int z = 1; z < n - 1; z++) {
        int i = (z * n + y) * n + x;
        out[i] = in[i] + k * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n] - 6 * in[i]);
    }
}

__global__ void gravity(const float4 *p, float3 *acc, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = p[i];
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j++) {
        float dx = p[j].x - me.x, dy = p[j].y - me.y, dz = p[j].z - me.z;
        float r2 = dx * dx + dy * dy + dz * dz + 1e-4f, inv = rsqrtf(r2);
        float f = p[j].w * inv * inv * inv;
        ax += dx * f;
        ay += dy * f;
        az += dz * f;
    }
    acc[i] = make_float3(ax, ay, az);
}

__global__ void fft8(float2 *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    float2 v[8];
#pragma unroll
    for (int k = 0; k < 8; k++)
        v[k] = data[i + k * stride];
#pragma unroll
    for (int half = 4; half >= 1; half /= 2)
#pragma unroll
        for (int k = 0; k < 8; k++)
            if (!(k & half)) {
                float2 a = v[k], b = v[k + half];
                float angle = -3.14159265f * (k & (half - 1)) / half;
                float c = cosf(angle), s = sinf(angle);
                float2 d = make_float2(a.x - b.x, a.y - b.y);
                v[k] = make_float2(a.x + b.x, a.y + b.y);
                v[k + half] = make_float2(d.x * c - d.y * s, d.x * s + d.y * c);
            }
#pragma unroll
    for (int k = 0; k < 8; k++)
        data[i + k * stride] = v[k];
}

struct sphere {
    float3 c;
    float r;
};

__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__global__ void nearest_hit(const sphere *s, int count, float *depth, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 d = make_float3((i % width) / (float)width - 0.5f, (i / width) / (float)width - 0.5f, 1);
    float l = 1 / sqrtf(dot(d, d)), best = 1e20f;
    d = make_float3(d.x * l, d.y * l, d.z * l);
    for (int k = 0; k < count; k++) {
        float b = dot(s[k].c, d), c = dot(s[k].c, s[k].c) - s[k].r * s[k].r, disc = b * b - c;
        if (disc > 0) {
            float t = b - sqrtf(disc);
            if (t > 0 && t < best)
                best = t;
        }
    }
    depth[i] = best;
}

__global__ void barrier_option(float *price, float s0, float barrier, float r, float vol, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t state = i * 747796405u + 2891336453u;
    float s = s0, dt = 1.0f / steps, drift = (r - 0.5f * vol * vol) * dt, sd = vol * sqrtf(dt);
    bool out = false;
    for (int k = 0; k < steps && !out; k++) {
        state = state * 1664525u + 1013904223u;
        float u1 = ((state >> 8) + 1) * (1.0f / 16777217);
        state = state * 1664525u + 1013904223u;
        float u2 = (state >> 8) * (1.0f / 16777216);
        float z = sqrtf(-2 * logf(u1)) * cosf(6.2831853f * u2);
        s *= expf(drift + sd * z);
        out = s > barrier;
    }
    price[i] = out ? 0 : fmaxf(s - s0, 0.0f) * expf(-r);
}

template <class F> __device__ float rk4(F f, float y, float t, float h)
{
    float a = f(t, y), b = f(t + h / 2, y + h / 2 * a), c = f(t + h / 2, y + h / 2 * b), d = f(t + h, y + h * c);
    return y + h / 6 * (a + 2 * b + 2 * c + d);
}

__global__ void runge_kutta(const float *y0, float *y1, int steps, float k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float y = y0[i], h = 0.01f;
    for (int s = 0; s < steps; s++)
        y = rk4([k](float t, float y) { return k * y * (1 - y) + 0.1f * t; }, y, s * h, h);
    y1[i] = y;
}

__global__ void cholesky4(const double *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a[4][4], l[4][4] = {};
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++)
            a[r][c] = in[(r * 4 + c) * n + i] + (r == c ? 8 : 0);
    for (int r = 0; r < 4; r++)
        for (int c = 0; c <= r; c++) {
            double s = a[r][c];
            for (int k = 0; k < c; k++)
                s -= l[r][k] * l[c][k];
            l[r][c] = r == c ? sqrt(s) : s / l[c][c];
        }
    for (int r = 0; r < 4; r++)
        for (int c = 0; c <= r; c++)
            out[(r * 4 + c) * n + i] = l[r][c];
}

__global__ void trilinear(const float *volume, const float3 *at, float *out, int d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float fx = at[i].x * (d - 2) * 0.8f, fy = at[i].y * (d - 2) * 0.8f, fz = at[i].z * (d - 2) * 0.8f;
    int x = floorf(fx), y = floorf(fy), z = floorf(fz);
    float u = fx - x, v = fy - y, w = fz - z;
    auto g = [=](int a, int b, int c) { return volume[((z + c) * d + y + b) * d + x + a]; };
    float c0 = (1 - v) * ((1 - u) * g(0, 0, 0) + u * g(1, 0, 0)) + v * ((1 - u) * g(0, 1, 0) + u * g(1, 1, 0));
    float c1 = (1 - v) * ((1 - u) * g(0, 0, 1) + u * g(1, 0, 1)) + v * ((1 - u) * g(0, 1, 1) + u * g(1, 1, 1));
    out[i] = (1 - w) * c0 + w * c1;
}

__global__ void polynomial(const float *x, float *y, int n, int degree)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float r = 0, v = x[i];
    for (int k = degree - 1; k >= 0; k--)
        r = r * v + coefficients[k];
    y[i] = r;
}

__global__ void haversine(const double *lat, const double *lon, float *dist, double lat0, double lon0, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = sin((lat[i] - lat0) / 2), b = sin((lon[i] - lon0) / 2);
    double h = a * a + cos(lat[i]) * cos(lat0) * b * b;
    dist[i] = 2 * 6371.0 * asin(sqrt(h));
}

__global__ void sigmoid_layer(const float *w, const float *x, float *y, int inputs, int outputs)
{
    int o = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y;
    if (o >= outputs)
        return;
    float s = 0;
    for (int k = 0; k < inputs; k++)
        s += w[k * outputs + o] * x[b * inputs + k];
    y[b * outputs + o] = 1 / (1 + expf(-s));
}

int main()
{
    float *x = reals<float>(N * 16), *y = zeros<float>(N * 16);
    wave_2d<<<dim3(8, 32), dim3(32, 4)>>>(x, x + N, y, 256, 128, 0.1f);
    tell("wave_2d", y, 256 * 128);
    double *dx = reals<double>(N * 16), *dy = zeros<double>(N * 16);
    heat_3d<<<dim3(3, 24), dim3(32, 4)>>>(dx, dy, 80, 0.1);
    tell("heat_3d", dy, 80 * 80 * 40);
    gravity<<<CTAS, THREADS>>>((float4 *)x, (float3 *)y, 100);
    tell("gravity", y, 3 * N);
    fft8<<<CTAS, THREADS>>>((float2 *)x);
    tell("fft8", x, 1);
    x = reals<float>(N * 16);
    nearest_hit<<<CTAS, THREADS>>>((sphere *)x, 40, y, 256);
    tell("nearest_hit", y, N);
    barrier_option<<<CTAS, THREADS>>>(y, 100, 140, 0.03f, 0.3f, 12);
    tell("barrier_option", y, N);
    runge_kutta<<<CTAS, THREADS>>>(x, y, 20, 1.5f);
    tell("runge_kutta", y, N);
    cholesky4<<<CTAS, THREADS>>>(dx, dy, N);
    tell("cholesky4", dy, N * 16);
    trilinear<<<CTAS, THREADS>>>(x, (float3 *)(x + N), y, 48, N);
    tell("trilinear", y, N);
    polynomial<<<CTAS, THREADS>>>(x, y, N, 8);
    tell("polynomial", y, N);
    haversine<<<CTAS, THREADS>>>(dx, dx + N, y, 0.7, 0.2, N);
    tell("haversine", y, N);
    sigmoid_layer<<<dim3(2, 132), THREADS>>>(x, x + N, y, 48, 256);
    tell("sigmoid_layer", y, 132 * 256);
}
