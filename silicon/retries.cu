/* Loops around an atomic that are repeated when another warp was faster: compare-and-swap counters, locks, a float's maximum, a list's head. The
 * figure beside the cycles is how often the loop's body ran for each that succeeded. `words`: how many counters there are, taken at
 * random; `lanes`: of a warp. Usage: retries [GROUP [ROW]] ; prints group, row, units, cycles, tries for each unit. */
#include "rows.h"

enum { COUNT, MAXIMUM, LIST, LOCK };

static __device__ unsigned next(unsigned &seed) { return (seed = seed * 1664525u + 1013904223u) >> 12; }

template <int WHAT, bool SHARED>
__global__ void contend(unsigned *global, unsigned words, unsigned lanes, int n, ull *took, unsigned *tried)
{
    __shared__ unsigned room[1024];
    unsigned *base = SHARED ? room : global, tries = 0, lane = threadIdx.x % 32;
    unsigned seed = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345;
    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x)
        room[i] = 0;
    BEGIN_CLOCK
    if (lane < lanes) {
#pragma unroll 1
        for (int i = 0; i < n; i++) {
            volatile unsigned *p = base + next(seed) % words;
            if (WHAT == COUNT) { /* the old value is carried along */
                unsigned old = *p, seen;
                do {
                    seen = old;
                    old = atomicCAS((unsigned *)p, seen, seen + 1);
                    tries++;
                } while (old != seen);
            } else if (WHAT == MAXIMUM) { /* ends when another has stored more */
                unsigned mine = next(seed), old = *p, seen;
                while (old < mine) {
                    seen = old;
                    old = atomicCAS((unsigned *)p, seen, mine);
                    tries++;
                    if (old == seen)
                        break;
                }
            } else if (WHAT == LIST) { /* the head is loaded again each time */
                unsigned seen;
                do {
                    seen = *p;
                    tries++;
                } while (atomicCAS((unsigned *)p, seen, seen * 5 + 1) != seen);
            } else if (WHAT == LOCK) {
                bool done = false;
                while (!done) {
                    tries++;
                    if (atomicCAS((unsigned *)p, 0u, 1u) == 0u) {
                        __threadfence();
                        done = true;
                        atomicExch((unsigned *)p, 0u);
                    }
                }
            }
        }
    }
    END_CLOCK
    atomicAdd(tried, tries);
}

template <int WHAT, bool SHARED> static void rows_of(const char *what)
{
    char name[64];
    unsigned *global, *tried, total, first;
    cudaMalloc(&global, 4096);
    cudaMalloc(&tried, 4);
    for (int ctas : {1, (int)SMS})
        for (int warps : {1, 2, 8, 32})
            for (unsigned lanes : {1u, 32u})
                for (unsigned words : {1u, 8u, 64u, 1024u}) {
                    if ((SHARED && ctas > 1) || (warps == 2 && ctas > 1) || (ctas > 1 && warps == 32 && words < 64) ||
                        (lanes == 32 && ctas > 1 && words < 8))
                        continue;
                    snprintf(name, sizeof name, "%s words %u lanes %u ctas %d warps %d", SHARED ? "shared" : "global", words, lanes, ctas,
                             warps);
                    int unit = ctas > 1 ? 2 : 8;
                    total = first = 0;
                    row(what, name, ctas, unit, [&](int n) {
                        cudaMemset(global, 0, 4096);
                        cudaMemset(tried, 0, 4);
                        contend<WHAT, SHARED><<<ctas, warps * 32>>>(global, words, lanes, n, took_by, tried);
                        first = total;
                        cudaMemcpy(&total, tried, 4, cudaMemcpyDeviceToHost);
                    });
                    if (total)
                        printf("tries,%s %s,%d,%.0f\n", what, name, 2 * unit, 100.0 * ((double)total - first) / (2.0 * unit * ctas * warps * lanes));
                }
}

int main(int argc, char **argv)
{
    rows_begin(argc, argv);
    rows_of<COUNT, false>("count");
    rows_of<COUNT, true>("count");
    rows_of<MAXIMUM, false>("maximum");
    rows_of<LIST, false>("list");
    rows_of<LIST, true>("list");
    rows_of<LOCK, false>("lock");
    rows_of<LOCK, true>("lock");
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
