/* How many steps does n need to become 1? Neighbours need very different numbers of them: a warp goes on until its slowest lane
 * has come to its end, and the others wait, masked out. */
extern "C" __global__ void collatz(int count, unsigned first, unsigned *steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned long long n = first + i;
    unsigned k = 0;
    while (n != 1) {
        if (n % 2)
            n = 3 * n + 1;
        else
            n /= 2;
        k++;
    }
    steps[i] = k;
}
// SPDX-License-Identifier: Apache-2.0
