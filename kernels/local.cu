/* Arrays indexed by data live in local memory: an insertion sort of 16 keys per thread, and a stack
 * machine. */
extern "C" __global__ void local_sort(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v[16];
    for (int j = 0; j < 16; j++) {
        int x = in[j * n + i], k = j;
        while (k > 0 && v[k - 1] > x) {
            v[k] = v[k - 1];
            k--;
        }
        v[k] = x;
    }
    for (int j = 0; j < 16; j++)
        out[j * n + i] = v[j];
}

extern "C" __global__ void stack_machine(const signed char *program, const double *args, double *out, int len,
                                         int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double st[8];
    int sp = 0;
    for (int p = 0; p < len; p++) {
        int op = program[i * len + p];
        if (op >= 0)
            st[sp++] = args[op];
        else if (op == -1)
            sp--, st[sp - 1] += st[sp];
        else if (op == -2)
            sp--, st[sp - 1] -= st[sp];
        else
            sp--, st[sp - 1] *= st[sp];
    }
    out[i] = st[0];
}
// SPDX-License-Identifier: Apache-2.0
