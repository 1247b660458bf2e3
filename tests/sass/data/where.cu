// SPDX-License-Identifier: Apache-2.0
// Run by tests/cudart/test_cubin.c. nvcc 13.0 -O3 -arch=sm_75 (80, 90) -cubin made where_75.cubin (80, 90).
/* What a warp can ask of the place where it runs. */
extern "C" __global__ void where(unsigned *out)
{
    __shared__ unsigned fixed[16];
    extern __shared__ unsigned more[];
    unsigned v[8], *o = out + 8 * (blockIdx.x * 2 + threadIdx.x / 32);
    unsigned long long grid;
    fixed[threadIdx.x % 16] = more[threadIdx.x % 4] = threadIdx.x % 4;
    __syncthreads();
    asm volatile("mov.u32 %0, %%smid;" : "=r"(v[0]));
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(v[1]));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(v[2]));
    asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(v[3]));
    asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(v[4]));
    asm volatile("mov.u32 %0, %%total_smem_size;" : "=r"(v[5]));
    asm volatile("mov.u64 %0, %%gridid;" : "=l"(grid));
    v[6] = (unsigned)grid;
    v[7] = (unsigned)(grid >> 32) + fixed[1] - more[1];
    if (threadIdx.x % 32 == 0)
        for (int k = 0; k < 8; k++)
            o[k] = v[k];
}

/* Both words of a clock, in registers that held something else. */
extern "C" __global__ void clocks(unsigned long long *out, unsigned seed)
{
    out[0] = seed * 0x123456789abcdefull;
    out[1] = (unsigned long long)clock64();
    out[2] = (unsigned long long)clock64();
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(out[3]));
}
