/* C = A B with cp.async into two shared buffers: the next tile travels while the current one is used.
 * Blocks of 16 x 16 threads, 32 x 32 tiles, 2 x 2 results per thread; sizes are multiples of 32. */
__device__ void copy16(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
                 "l"(from));
}

extern "C" __global__ void sgemm_async(int n, int k, const float *a, const float *b, float *c)
{
    __shared__ __align__(16) float as[2][32][32], bs[2][32][32];
    int tid = threadIdx.y * 16 + threadIdx.x, r = tid / 8, s = tid % 8 * 4;
    const float *pa = a + (blockIdx.y * 32 + r) * k + s, *pb = b + r * n + blockIdx.x * 32 + s;
    float d00 = 0.0f, d01 = 0.0f, d10 = 0.0f, d11 = 0.0f;
    copy16(&as[0][r][s], pa);
    copy16(&bs[0][r][s], pb);
    asm volatile("cp.async.commit_group;");
    for (int t = 0; t < k / 32; t++) {
        int cur = t & 1;
        if (t + 1 < k / 32) {
            copy16(&as[!cur][r][s], pa + (t + 1) * 32);
            copy16(&bs[!cur][r][s], pb + (t + 1) * 32 * n);
        }
        asm volatile("cp.async.commit_group;");
        asm volatile("cp.async.wait_group 1;");
        __syncthreads();
        for (int i = 0; i < 32; i++) {
            float a0 = as[cur][threadIdx.y][i], a1 = as[cur][threadIdx.y + 16][i];
            float b0 = bs[cur][i][threadIdx.x], b1 = bs[cur][i][threadIdx.x + 16];
            d00 += a0 * b0;
            d01 += a0 * b1;
            d10 += a1 * b0;
            d11 += a1 * b1;
        }
        __syncthreads();
    }
    float *to = c + (blockIdx.y * 32 + threadIdx.y) * n + blockIdx.x * 32 + threadIdx.x;
    to[0] = d00;
    to[16] = d01;
    to[16 * n] = d10;
    to[16 * n + 16] = d11;
}

/* Producer and consumers joined by an mbarrier. One CTA of 64 threads: 256 words doubled. */
extern "C" __global__ void mbar_double(const int *in, int *out)
{
    __shared__ __align__(16) int s[256];
    __shared__ __align__(8) unsigned long long bar;
    unsigned addr = (unsigned)__cvta_generic_to_shared(&bar);
    int t = threadIdx.x, done;
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(addr), "r"(64));
    __syncthreads();
    asm volatile(
        "cp.async.ca.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(&s[4 * t])),
        "l"(in + 4 * t));
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(addr) : "memory");
    asm volatile("{\n .reg .pred p;\n"
                 "again: mbarrier.test_wait.parity.shared.b64 p, [%1], 0;\n"
                 " @!p bra again;\n selp.b32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(addr)
                 : "memory");
    for (int i = t; i < 256; i += 64)
        out[i] = 2 * s[255 - i] * done;
    __syncthreads();
    if (t == 0)
        asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(addr) : "memory");
}
// SPDX-License-Identifier: Apache-2.0
