/* Sequence alignment scores: one CTA walks the anti-diagonals of a table in shared memory. Block size =
 * len (at most 128). */
extern "C" __global__ void align_score(const char *a, const char *b, int *score, int len, int gap)
{
    extern __shared__ int d[]; /* three diagonals of len + 1 */
    int *prev2 = d, *prev = d + len + 1, *cur = d + 2 * (len + 1), t = threadIdx.x + 1, best = 0;
    const char *pa = a + blockIdx.x * len, *pb = b + blockIdx.x * len;
    if (threadIdx.x == 0)
        prev2[0] = prev[0] = cur[0] = 0;
    prev2[t] = prev[t] = cur[t] = 0;
    __syncthreads();
    for (int diag = 2; diag <= 2 * len; diag++) {
        int j = diag - t;
        if (j >= 1 && j <= len) {
            int s = prev2[t - 1] + (pa[t - 1] == pb[j - 1] ? 3 : -2);
            s = max(s, max(prev[t - 1], prev[t]) - gap);
            s = max(s, 0);
            cur[t] = s;
            best = max(best, s);
        } else {
            cur[t] = 0;
        }
        __syncthreads();
        int *x = prev2;
        prev2 = prev;
        prev = cur;
        cur = x;
    }
    atomicMax(&score[blockIdx.x], best);
}
// SPDX-License-Identifier: Apache-2.0
