/* Prefix sums. scan_blelloch: exclusive, one CTA of 256 threads, 512 values, up- and down-sweep in
 * shared memory. scan_lookback: inclusive over any length; CTAs take tickets and look back at their
 * predecessors' published sums, so later CTAs wait for earlier ones that are still running. */
extern "C" __global__ void scan_blelloch(const int *in, int *out)
{
    __shared__ int s[512];
    int t = threadIdx.x, gap = 1;
    s[2 * t] = in[2 * t];
    s[2 * t + 1] = in[2 * t + 1];
    for (int d = 256; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d)
            s[gap * (2 * t + 2) - 1] += s[gap * (2 * t + 1) - 1];
        gap *= 2;
    }
    if (t == 0)
        s[511] = 0;
    for (int d = 1; d < 512; d *= 2) {
        gap >>= 1;
        __syncthreads();
        if (t < d) {
            int lo = gap * (2 * t + 1) - 1, hi = gap * (2 * t + 2) - 1, v = s[lo];
            s[lo] = s[hi];
            s[hi] += v;
        }
    }
    __syncthreads();
    out[2 * t] = s[2 * t];
    out[2 * t + 1] = s[2 * t + 1];
}

enum { EMPTY = 0, SUM = 1, PREFIX = 2 };

extern "C" __global__ void scan_lookback(const int *in, int *out, volatile int *flags, volatile int *sums,
                                         volatile int *prefixes, unsigned *ticket, int n)
{
    __shared__ int warp_sum[8], base;
    __shared__ volatile unsigned part; /* volatile: clang moves a plain load of it above the barrier */
    int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    if (t == 0)
        part = atomicAdd(ticket, 1u);
    __syncthreads();
    int me = part, i = me * 256 + t;
    int own = i < n ? in[i] : 0, v = own;
    for (int d = 1; d < 32; d *= 2) {
        int up = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d)
            v += up;
    }
    if (lane == 31)
        warp_sum[warp] = v;
    __syncthreads();
    int total = 0, before = 0;
    for (int w = 0; w < 8; w++) {
        if (w < warp)
            before += warp_sum[w];
        total += warp_sum[w];
    }
    if (t == 0) {
        int sum = 0;
        if (me > 0) {
            sums[me] = total;
            __threadfence();
            flags[me] = SUM;
            for (int p = me - 1; p >= 0; p--) {
                int f;
                while ((f = flags[p]) == EMPTY)
                    ;
                __threadfence();
                if (f == PREFIX) {
                    sum += prefixes[p];
                    break;
                }
                sum += sums[p];
            }
        }
        base = sum;
        prefixes[me] = sum + total;
        __threadfence();
        flags[me] = PREFIX;
    }
    __syncthreads();
    if (i < n)
        out[i] = base + before + v;
}
// SPDX-License-Identifier: Apache-2.0
