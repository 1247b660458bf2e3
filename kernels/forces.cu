/* Pair forces between boxes of particles, with 12 neighbour positions held at once: many values live
 * together. */
extern "C" __global__ void forces(const float4 *p, const float *charge, float4 *out, float cut2, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 me = p[i];
    float x[12], y[12], z[12], q[12], s[12];
#pragma unroll
    for (int j = 0; j < 12; j++) {
        float4 o = p[(i + j + 1) % n];
        x[j] = o.x - me.x;
        y[j] = o.y - me.y;
        z[j] = o.z - me.z;
        q[j] = charge[(i + j + 1) % n];
        s[j] = x[j] * x[j] + y[j] * y[j] + z[j] * z[j];
    }
    float mean = 0.0f;
#pragma unroll
    for (int j = 0; j < 12; j++)
        mean += s[j] * (1.0f / 12.0f);
    float fx = 0.0f, fy = 0.0f, fz = 0.0f, e = 0.0f;
#pragma unroll
    for (int j = 0; j < 12; j++) {
        float w = s[j] < cut2 ? q[j] / (s[j] + mean) : 0.0f;
        fx += w * x[j];
        fy += w * y[j];
        fz += w * z[j];
        e += w * q[11 - j];
    }
    out[i] = make_float4(fx, fy, fz, e);
}

/* 40 doubles mixed through each other: a third of what a thread can hold. */
extern "C" __global__ void wide(const double *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v[40];
#pragma unroll
    for (int j = 0; j < 40; j++)
        v[j] = in[j * n + i];
#pragma unroll
    for (int r = 1; r < 5; r++)
#pragma unroll
        for (int j = 0; j < 40; j++)
            v[j] = v[j] * 0.5 + v[(j * 7 + r) % 40];
    double sum = 0.0;
#pragma unroll
    for (int j = 0; j < 40; j++)
        sum += v[j] * (double)(j + 1);
    out[i] = sum;
}
// SPDX-License-Identifier: Apache-2.0
