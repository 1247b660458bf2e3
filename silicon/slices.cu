/* Which addresses share a slice of L2, found by contention: additions of all SMs on two words take as long as on one where both are in one
 * slice, and half of it where they are not. `sets`: additions on so many words at a stride; `loads`: sectors read from so many
 * lines at a stride, again and again. `map` prints a number for each granule, the same for those that met in one slice: no row.
 * Usage: slices [GROUP [ROW]] */
#include "rows.h"

/* Every warp adds to one word after the other, of `words` of them, from its own place on. */
__global__ void add(unsigned *base, unsigned words, unsigned stride, int n, ull *took)
{
    unsigned at = (blockIdx.x * 4 + threadIdx.x / 32) % words;
    BEGIN_CLOCK
    for (int i = 0; i < n; i++) {
        asm volatile("red.global.add.u32 [%0], %1;" ::"l"(base + (size_t)at * (stride / 4)), "r"(1u) : "memory");
        at = at + 1 == words ? 0 : at + 1;
    }
    __threadfence();
    END_CLOCK
}

__global__ void load(const unsigned *base, unsigned words, unsigned stride, int n, ull *took, unsigned *out)
{
    unsigned at = (blockIdx.x * 37 + threadIdx.x * 11) % words, x = 0, v;
    BEGIN_CLOCK
#pragma unroll 4
    for (int i = 0; i < n; i++) {
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(base + (size_t)at * (stride / 4)) : "memory");
        x += v;
        at = at + 1 == words ? 0 : at + 1;
    }
    END_CLOCK
    if (x == 0x12345678)
        *out = 1;
}

__global__ void two(unsigned *a, unsigned *b, int n, ull *took)
{
    unsigned *p = (blockIdx.x + threadIdx.x / 32) % 2 ? a : b;
    BEGIN_CLOCK
    for (int i = 0; i < n; i++)
        asm volatile("red.global.add.u32 [%0], %1;" ::"l"(p), "r"(1u) : "memory");
    __threadfence();
    END_CLOCK
}

static unsigned *data;

/* Classes of granules by the first of each that was met. */
static void map(unsigned granule, unsigned count)
{
    std::vector<unsigned> firsts;
    auto cost = [&](unsigned a, unsigned b) {
        two<<<SMS, 128>>>(data + (size_t)a * (granule / 4), data + (size_t)b * (granule / 4), 6, took_by);
        return slowest(SMS);
    };
    two<<<SMS, 128>>>(data, data, 6, took_by);
    slowest(SMS);
    double same = cost(0, 0), less = 1e9;
    for (unsigned i = 1; i < 64; i++)
        less = std::min(less, cost(0, i));
    printf("# granule %u: same %.0f, apart %.0f\n", granule, same, less);
    double limit = (same + less) / 2;
    for (unsigned i = 0; i < count; i++) {
        unsigned c = 0;
        while (c < firsts.size() && cost(firsts[c], i) < limit)
            c++;
        if (c == firsts.size())
            firsts.push_back(i);
        printf("map,%u,%u,%u\n", granule, i, c);
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    char name[64];
    rows_begin(argc, argv);
    cudaMalloc(&data, 64 << 20);
    cudaMemset(data, 0, 64 << 20);
    for (unsigned stride = 4; stride <= 1 << 16; stride *= 2)
        for (unsigned words : {2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u}) {
            snprintf(name, sizeof name, "words %u stride %u", words, stride);
            row("sets", name, SMS, 16, [&](int n) { add<<<SMS, 128>>>(data, words, stride, n, took_by); });
        }
    for (unsigned stride : {32u, 64u, 96u, 128u, 256u, 512u, 1024u, 4096u})
        for (unsigned words : {1u, 4u, 16u, 64u, 256u, 1024u}) {
            snprintf(name, sizeof name, "words %u stride %u", words, stride);
            row("loads", name, SMS, 32, [&](int n) { load<<<SMS, 512>>>(data, words, stride, n, took_by, sink); });
        }
    if (strncmp("map", want_group, strlen(want_group)) == 0 && getenv("MAP")) {
        map(32, 192);
        map(512, 512);
        map(4096, 512);
    }
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
