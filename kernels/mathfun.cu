/* Library functions as nvcc's libdevice expands them, in both precisions, and the fast intrinsics. */
extern "C" __global__ void math_f32(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i];
    out[i] = sinf(x);
    out[n + i] = cosf(x * 1000.0f);
    out[2 * n + i] = tanf(x);
    out[3 * n + i] = expf(x);
    out[4 * n + i] = logf(fabsf(x) + 0.1f);
    out[5 * n + i] = powf(fabsf(x), 1.7f);
    out[6 * n + i] = tanhf(x);
    out[7 * n + i] = atan2f(x, 2.0f);
    out[8 * n + i] = erff(x);
    out[9 * n + i] = cbrtf(x);
    out[10 * n + i] = fmodf(x * 100.0f, 3.0f);
    out[11 * n + i] = floorf(x) + rintf(x) + truncf(x);
    out[12 * n + i] = x / 3.7f + sqrtf(fabsf(x));
}

extern "C" __global__ void math_fast(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i];
    out[i] = __sinf(x) + __cosf(x);
    out[n + i] = __expf(x);
    out[2 * n + i] = __logf(fabsf(x) + 0.1f);
    out[3 * n + i] = __fdividef(x, 3.7f);
    out[4 * n + i] = rsqrtf(fabsf(x) + 0.1f);
    out[5 * n + i] = __saturatef(x);
}

extern "C" __global__ void math_f64(const double *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = in[i];
    out[i] = sin(x);
    out[n + i] = exp(x);
    out[2 * n + i] = log(fabs(x) + 0.1);
    out[3 * n + i] = pow(fabs(x), 1.7);
    out[4 * n + i] = sqrt(fabs(x)) / 3.7;
    out[5 * n + i] = floor(x) + rint(x * 10.0);
    out[6 * n + i] = (double)(long long)(x * 1e6) + (double)(float)x;
}
// SPDX-License-Identifier: Apache-2.0
