/* When DRAM is refreshed, by address. One thread loads every line of 256 MiB once, in an order that jumps about; a load that meets a
 * refresh takes longer, and ends with it. Prints of loads that took more than 950 cycles: the line, when it ended, how long it took
 * (SM cycles). The period is that at which the ends of one line's neighbourhood repeat. Needs a real GPU. */
#include "../workloads/workload.h"

enum { LINES = 1 << 21, WORDS = 32 /* of a line */, SLOW = 950 };

struct slow {
    unsigned line, ended, took;
};

__global__ void probe(const unsigned *x, struct slow *slow, unsigned *n)
{
    unsigned zero = 0, found = 0;
    for (unsigned i = 0; i < LINES; i++) {
        unsigned line = i * 0x9E3779B1u % LINES;
        long long from = clock64();
        zero += __ldcg(&x[(size_t)line * WORDS + zero]);
        if (zero)
            return;
        long long to = clock64();
        if (to - from > SLOW)
            slow[found++] = (struct slow){line, (unsigned)to, (unsigned)(to - from)};
    }
    *n = found;
}

int main(void)
{
    unsigned *x = (unsigned *)device_alloc((size_t)LINES * WORDS * 4), *n = (unsigned *)device_alloc(4), found;
    struct slow *slow = (struct slow *)device_alloc(LINES * sizeof *slow);
    CHECK(cudaMemset(x, 0, (size_t)LINES * WORDS * 4));
    probe<<<1, 1>>>(x, slow, n);
    CHECK(cudaMemcpy(&found, n, sizeof found, cudaMemcpyDeviceToHost));
    struct slow *h = (struct slow *)malloc(found * sizeof *h);
    CHECK(cudaMemcpy(h, slow, found * sizeof *h, cudaMemcpyDeviceToHost));
    printf("line,ended,took\n");
    for (unsigned i = 0; i < found; i++)
        printf("%u,%u,%u\n", h[i].line, h[i].ended, h[i].took);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
