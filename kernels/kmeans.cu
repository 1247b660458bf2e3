/* Nearest of k centres for every point (dims columns, stored by dimension), and the points per centre. */
extern "C" __global__ void kmeans_assign(const float *points, const float *centres, int *member, int *count,
                                         int n, int k, int dims)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int best = -1;
    float best_d = 3.402823466e+38f;
    for (int c = 0; c < k; c++) {
        float d = 0.0f;
        for (int j = 0; j < dims; j++) {
            float t = points[j * n + i] - centres[c * dims + j];
            d += t * t;
        }
        if (d < best_d) {
            best_d = d;
            best = c;
        }
    }
    if (member[i] != best)
        member[i] = best;
    atomicAdd(&count[best], 1);
}
// SPDX-License-Identifier: Apache-2.0
