/* Byte dot products and packed-byte video operations: an 8-bit convolution, and sums of absolute
 * differences. */
extern "C" __global__ void conv_s8(const int *in, const int *filter, int *out, int taps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int acc = 0;
    for (int t = 0; t < taps; t++)
        acc = __dp4a(in[i + t], filter[t], acc);
    out[i] = acc;
}

extern "C" __global__ void conv_u8(const unsigned *a, const unsigned *b, unsigned *dot, unsigned *sad, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    dot[i] = __dp4a(a[i], b[i], 5u);
    unsigned s = 0;
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(s) : "r"(a[i]), "r"(b[i]), "r"(s));
    sad[i] = s;
}
// SPDX-License-Identifier: Apache-2.0
