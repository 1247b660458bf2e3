// SPDX-License-Identifier: Apache-2.0
// Vector types, structures of arrays and arrays of structures, quaternions, complex numbers, small matrices.
#include "ordinary.h"

struct body {
    float3 x, v;
    float mass;
    int kind;
};

struct quat {
    float w, x, y, z;
};

template <class T> struct complex_of {
    T re, im;
    __device__ complex_of operator*(complex_of o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
    __device__ complex_of operator+(complex_of o) const { return {re + o.re, im + o.im}; }
    __device__ T norm() const { return re * re + im * im; }
};

__device__ quat operator*(quat a, quat b)
{
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

__global__ void saxpy4(const float4 *x, float4 *y, float a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float4 p = x[i], q = y[i];
        q.x += a * p.x;
        q.y += a * p.y;
        q.z += a * p.z;
        q.w += a * p.w;
        y[i] = q;
    }
}

__global__ void bodies_step(body *b, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    body p = b[i];
    float g = p.kind == 0 ? -9.81f : p.kind == 1 ? 0.0f : 9.81f;
    p.v.y += g * dt / p.mass;
    p.x.x += p.v.x * dt;
    p.x.y += p.v.y * dt;
    p.x.z += p.v.z * dt;
    if (p.x.y < 0) {
        p.x.y = -p.x.y;
        p.v.y *= -0.5f;
    }
    b[i] = p;
}

__global__ void quat_rotate(const quat *q, const float3 *v, float3 *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    quat a = q[i];
    float s = rsqrtf(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
    a = {a.w * s, a.x * s, a.y * s, a.z * s};
    quat r = a * quat{0, v[i].x, v[i].y, v[i].z} * quat{a.w, -a.x, -a.y, -a.z};
    o[i] = make_float3(r.x, r.y, r.z);
}

__global__ void julia(uchar4 *image, int width, int height, float cr, float ci)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    complex_of<float> z = {3.0f * x / width - 1.5f, 2.0f * y / height - 1.0f}, c = {cr, ci};
    int k = 0;
    while (k < 64 && z.norm() < 4) {
        z = z * z + c;
        k++;
    }
    image[y * width + x] = make_uchar4(k * 4, k * 2, k, 255);
}

__global__ void complex_mv(const complex_of<double> *m, const complex_of<double> *x, complex_of<double> *y, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    complex_of<double> s = {0, 0};
    for (int k = 0; k < n; k++)
        s = s + m[k * gridDim.x * blockDim.x + r] * x[k];
    y[r] = s;
}

__global__ void mat3_inverse(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float m[3][3], r[3][3];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            m[a][b] = in[i * 9 + a * 3 + b];
    float det = 0;
    for (int k = 0; k < 3; k++)
        det += m[0][k] * (m[1][(k + 1) % 3] * m[2][(k + 2) % 3] - m[1][(k + 2) % 3] * m[2][(k + 1) % 3]);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            r[b][a] = (m[(a + 1) % 3][(b + 1) % 3] * m[(a + 2) % 3][(b + 2) % 3] - m[(a + 1) % 3][(b + 2) % 3] * m[(a + 2) % 3][(b + 1) % 3]) / det;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            out[i * 9 + a * 3 + b] = r[a][b];
}

__global__ void rgb_to_ycc(const uchar3 *in, uchar3 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uchar3 p = in[i];
    float y = 0.299f * p.x + 0.587f * p.y + 0.114f * p.z;
    out[i] = make_uchar3((unsigned char)y, (unsigned char)(0.564f * (p.z - y) + 128), (unsigned char)(0.713f * (p.x - y) + 128));
}

int main()
{
    float *x = reals<float>(N * 36), *y = reals<float>(N * 36, 7), *o = zeros<float>(N * 36);
    saxpy4<<<CTAS / 2, THREADS>>>((float4 *)x, (float4 *)o, 1.5f, N * 4);
    tell("saxpy4", o, N);
    bodies_step<<<CTAS, THREADS>>>((body *)y, 0.01f, N);
    tell("bodies_step", y, N);
    quat_rotate<<<CTAS, THREADS>>>((quat *)x, (float3 *)(x + 4 * N), (float3 *)o, N);
    tell("quat_rotate", o, 3 * N);
    uint8_t *image = zeros<uint8_t>(N * 4);
    julia<<<dim3(16, 16), dim3(16, 8)>>>((uchar4 *)image, 256, 128, -0.8f, 0.156f);
    tell("julia", image, 4 * 256 * 128);
    double *m = reals<double>(2 * N * 16), *dx = reals<double>(64), *dy = zeros<double>(2 * N);
    complex_mv<<<CTAS, THREADS>>>((complex_of<double> *)m, (complex_of<double> *)dx, (complex_of<double> *)dy, 16);
    tell("complex_mv", dy, 2 * N);
    mat3_inverse<<<CTAS, THREADS>>>(x, o, N);
    tell("mat3_inverse", (unsigned char *)o, 1);
    uint8_t *rgb = ints<uint8_t>(3 * N, 256);
    rgb_to_ycc<<<CTAS, THREADS>>>((uchar3 *)rgb, (uchar3 *)image, N);
    tell("rgb_to_ycc", image, 3 * N);
}
