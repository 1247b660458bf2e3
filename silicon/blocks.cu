/* DRAM by the size of what is read together: blocks of 32 bytes to 4 KiB at scattered places, none of them twice, all SMs. Small blocks open a
 * row of a bank each: how many a second says how often a channel can do that.
 * Usage: blocks [GROUP [ROW]] */
#include "rows.h"

enum { CTAS = 2 * SMS, THREADS = 1024 };

/* Thread t of turn i reads word `t` of the list of all words of all blocks, from block `first` on. `blocks` is a power of two, `odd` spreads
 * them. No launch reads what an earlier one has brought to L2. */
__global__ void scattered(const char *base, unsigned block, unsigned blocks, unsigned odd, unsigned first, int n, ull *took, unsigned *out)
{
    unsigned x = 0, per = block / 4;
    unsigned t = blockIdx.x * THREADS + threadIdx.x;
    BEGIN_CLOCK
#pragma unroll 8
    for (int i = 0; i < n; i++) {
        unsigned word = i * (CTAS * THREADS) + t, at = (first + word / per) * odd & (blocks - 1);
        unsigned v;
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(base + (size_t)at * block + word % per * 4));
        x += v;
    }
    END_CLOCK
    if (x == 0x12345678)
        *out = x;
}

int main(int argc, char **argv)
{
    char name[64], *base;
    const size_t size = (size_t)1 << 31;
    rows_begin(argc, argv);
    if (cudaMalloc(&base, size) != cudaSuccess)
        return 1;
    for (unsigned block : {32u, 64u, 128u, 256u, 512u, 1024u, 2048u, 4096u}) {
        unsigned first = 0;
        snprintf(name, sizeof name, "%u bytes", block);
        row("scattered", name, CTAS, block < 128 ? 4 : 8, [&](int n) {
            scattered<<<CTAS, THREADS>>>(base, block, (unsigned)(size / block), 2654435761u, first, n, took_by, sink);
            first += (unsigned)((size_t)n * CTAS * THREADS * 4 / block);
        });
    }
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
