/* Parameters and elements that are structs, with padding, small members, arrays and pointers inside. */
struct box {
    char tag;
    double lo[3], hi[3];
    short count;
};

struct job {
    const struct box *boxes;
    int n;
    unsigned char mode;
    float scale;
    struct {
        int *counts;
        double *volumes;
    } to;
};

extern "C" __global__ void volumes(struct job j, short bias, unsigned char flag)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= j.n)
        return;
    struct box b = j.boxes[i];
    double v = 1.0;
    for (int d = 0; d < 3; d++)
        v *= b.hi[d] - b.lo[d];
    j.to.volumes[i] = j.mode == 2 ? v * (double)j.scale : v;
    j.to.counts[i] = b.count + bias + (b.tag == 'x' ? flag : 0);
}

/* A parameter array read with a variable index. */
struct table {
    int v[10];
};

extern "C" __global__ void param_index(struct table t, const int *index, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = t.v[index[i]] * 2;
}
// SPDX-License-Identifier: Apache-2.0
