/* Double precision: C = A B with 16 x 16 shared tiles, and a Jacobi sweep that also sums squared changes. */
extern "C" __global__ void dgemm(int n, int k, const double *a, const double *b, double *c)
{
    __shared__ double as[16][16], bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    double acc = 0.0;
    for (int k0 = 0; k0 < k; k0 += 16) {
        as[ty][tx] = a[row * k + k0 + tx];
        bs[ty][tx] = b[(k0 + ty) * n + col];
        __syncthreads();
        for (int i = 0; i < 16; i++)
            acc += as[ty][i] * bs[i][tx];
        __syncthreads();
    }
    c[row * n + col] = acc;
}

extern "C" __global__ void jacobi(const double *a, const double *b, const double *x, double *next,
                                  double *change, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n)
        return;
    double sum = b[r];
    for (int j = 0; j < n; j++)
        if (j != r)
            sum -= a[r * n + j] * x[j];
    double v = sum / a[r * n + r], d = v - x[r];
    next[r] = v;
    atomicAdd(change, d * d);
}
// SPDX-License-Identifier: Apache-2.0
