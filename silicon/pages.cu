/* What translating addresses costs: chains of single loads through pages of 2 MiB. `fresh`: pages that no SM has touched, since they were
 * allocated or since they were set, a line each that nobody has read (DRAM's latency is in them); `fan`: as many at a time as lanes; `again`: one line of
 * each of so many pages, which L2 has; `first load`: of a launch, where the launch before used its page and where not. One SM, some, all at
 * a time. Usage: pages [GROUP [ROW]] */
#include "rows.h"

enum { PAGE_B = 2 << 20, LINES = PAGE_B / 128 };

/* n loads, each of the page `step` further on (of `pages` of them), of the page's own line or one that nobody has read. Its address waits for
 * the load before. */
template <bool OWN>
__global__ void chain(const char *base, unsigned first, unsigned pages, unsigned step, unsigned line, int n, ull *took, unsigned *out)
{
    unsigned at = 0, sum = 0;
    BEGIN_CLOCK
    if (threadIdx.x == 0)
        for (int i = 0; i < n; i++) {
            unsigned l = (OWN ? at * 37 : line + i * 37 + blockIdx.x * 61) % LINES;
            const char *p = base + (size_t)(first + at) * PAGE_B + l * 128 + sum;
            unsigned v;
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
            sum += v;
            at += step;
            if (at >= pages)
                at -= pages;
        }
    END_CLOCK
    if (sum == 0x12345678)
        *out = 1;
}

/* As many loads at a time as lanes: each of a page of its own. */
__global__ void fan(const char *base, unsigned first, unsigned line, int n, ull *took, unsigned *out)
{
    unsigned sum = 0;
    BEGIN_CLOCK
    for (int i = 0; i < n; i++) {
        unsigned l = (line + i * 37 + blockIdx.x * 61 + threadIdx.x * 7) % LINES, v;
        const char *p = base + (size_t)(first + i * blockDim.x + threadIdx.x) * PAGE_B + l * 128 + sum;
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
        sum += v;
    }
    END_CLOCK
    if (sum == 0x12345678)
        *out = 1;
}

static unsigned line_no;

static void again(const char *base, const char *what, unsigned ctas)
{
    char name[64];
    for (unsigned pages : {1u, 2u, 4u, 8u, 12u, 16u, 24u, 32u, 48u, 64u, 96u, 128u, 192u, 256u, 384u, 512u, 768u, 1024u, 1536u, 2048u}) {
        snprintf(name, sizeof name, "pages %u ctas %u", pages, ctas);
        row_of(what, name, ctas, 2 * pages, 2 * pages + 512, [&](int n) {
            chain<true><<<ctas, 32>>>(base, 0, pages, 1, 0, n, took_by, sink);
        });
    }
}

int main(int argc, char **argv)
{
    char *base, *small;
    char name[64];
    const unsigned pages = 6144;
    rows_begin(argc, argv);
    if (cudaMalloc(&base, (size_t)pages * PAGE_B) != cudaSuccess)
        return 1;
    unsigned next = 2048; /* pages up to here are for `again` */
    for (unsigned ctas : {1u, 2u, 8u, (unsigned)SMS}) {
        snprintf(name, sizeof name, "untouched ctas %u", ctas);
        row_of("fresh", name, ctas, 4, 36, [&](int n) {
            chain<false><<<ctas, 32>>>(base, next, pages, 1, 0, n, took_by, sink);
            next += n;
        });
    }
    for (unsigned lanes : {1u, 2u, 4u, 8u, 16u, 32u}) {
        snprintf(name, sizeof name, "lanes %u ctas 1", lanes);
        row_of("fan", name, 1, 1, 5, [&](int n) {
            fan<<<1, lanes>>>(base, next, 0, n, took_by, sink);
            next += n * lanes;
        });
    }
    cudaMemset(base, 0, (size_t)pages * PAGE_B);
    next = 2048;
    for (unsigned ctas : {1u, 2u, 8u, (unsigned)SMS}) {
        snprintf(name, sizeof name, "set ctas %u", ctas);
        row_of("fresh", name, ctas, 4, 36, [&](int n) {
            chain<false><<<ctas, 32>>>(base, next, pages, 1, 7, n, took_by, sink);
            next += n;
        });
    }
    again(base, "again", 1);
    again(base, "again", SMS);
    /* One page, whose translation the launch before has used: line by line, and the first load of a launch (n of 0 and 1). */
    for (unsigned ctas : {1u, (unsigned)SMS}) {
        snprintf(name, sizeof name, "page the same ctas %u", ctas);
        row_of("first load", name, ctas, 0, 1, [&](int n) { chain<false><<<ctas, 32>>>(base, 0, 1, 0, line_no += 1009, n, took_by, sink); });
        snprintf(name, sizeof name, "page another ctas %u", ctas);
        row_of("first load", name, ctas, 0, 1, [&](int n) {
            chain<false><<<ctas, 32>>>(base, next, 1, 0, 11, n, took_by, sink);
            next += 3;
        });
        snprintf(name, sizeof name, "allocation new ctas %u", ctas);
        row_of("first load", name, ctas, 0, 1, [&](int n) {
            cudaMalloc(&small, 4 << 20);
            chain<false><<<ctas, 32>>>(small, 0, 1, 0, 11, n, took_by, sink);
        });
        snprintf(name, sizeof name, "allocation set ctas %u", ctas);
        row_of("first load", name, ctas, 0, 1, [&](int n) {
            cudaMalloc(&small, 4 << 20);
            cudaMemset(small, 0, 4 << 20);
            chain<false><<<ctas, 32>>>(small, 0, 1, 0, 11, n, took_by, sink);
        });
    }
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
