/* Latency and rate of L2 and DRAM under load: every warp is a chain of loads at scattered places of a buffer, whole lines by its lanes or a sector
 * for each lane, one or four at a time; by warps and SMs. Units are steps of the chain. Usage: load [GROUP [ROW]] */
#include "rows.h"

/* `mask`: of the lines of the buffer. LANES: each lane takes a sector of its own. */
template <bool LANES, int WIDE> __global__ void steps(const char *base, unsigned mask, unsigned salt, int n, ull *took, unsigned *out)
{
    unsigned lane = threadIdx.x % 32, seed = (blockIdx.x * blockDim.x + threadIdx.x - (LANES ? 0 : lane)) * 2654435761u + salt, sum = 0;
    BEGIN_CLOCK
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        unsigned v[WIDE];
#pragma unroll
        for (int k = 0; k < WIDE; k++) {
            seed = seed * 1664525u + 1013904223u;
            unsigned line = ((seed >> 7) ^ seed << 9) & mask;
            const char *p = base + (size_t)line * 128 + (LANES ? 0 : lane * 4);
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[k]) : "l"(p) : "memory");
        }
#pragma unroll
        for (int k = 0; k < WIDE; k++)
            sum += v[k];
        seed += sum; /* zero: what was loaded is the next address's */
    }
    END_CLOCK
    if (sum == 0x12345678)
        *out = 1;
}

template <bool LANES, int WIDE> static void rows_of(const char *group, const char *base, unsigned mask, unsigned unit)
{
    static unsigned salt;
    char name[64];
    for (int ctas : {1, (int)SMS})
        for (int warps : {1, 4, 16, 32, 64}) {
            if (LANES && warps > 32)
                continue;
            int of = warps > 32 ? 2 : 1;
            snprintf(name, sizeof name, "%s at a time %d ctas %d warps %d", LANES ? "sectors" : "lines", WIDE, ctas, warps);
            row(group, name, ctas * of, unit, [&](int n) {
                steps<LANES, WIDE><<<ctas * of, warps / of * 32>>>(base, mask, salt += 7919, n, took_by, sink);
            });
        }
}

int main(int argc, char **argv)
{
    char *base;
    const size_t all = (size_t)4 << 30;
    rows_begin(argc, argv);
    if (cudaMalloc(&base, all) != cudaSuccess)
        return 1;
    cudaMemset(base, 0, all);
    const unsigned l2 = (16u << 20) / 128 - 1, dram = (unsigned)(all / 128 - 1);
    for (int i = 0; i < 2; i++)
        steps<false, 4><<<SMS, 1024>>>(base, l2, i, 64, took_by, sink); /* both halves get the 16 MiB */
    rows_of<false, 1>("l2", base, l2, 64);
    rows_of<false, 4>("l2", base, l2, 32);
    rows_of<true, 1>("l2", base, l2, 32);
    rows_of<false, 1>("dram", base, dram, 32);
    rows_of<false, 4>("dram", base, dram, 16);
    rows_of<true, 1>("dram", base, dram, 8);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
