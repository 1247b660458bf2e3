/* Constant memory by size: what its caches hold and what a miss of each costs. `chain`: one thread, each index is what the load before it
 * brought, 64 bytes apart. `sum`: all lanes read the same 16 bytes, one after the other, as a loop over a table does. `straight`: constants
 * named by instructions of straight code. A table of so many bytes gone through once more (warm), and the first time after it was
 * written (cold). Usage: levels [GROUP [ROW]] */
#include "rows.h"

__constant__ unsigned table[16384];

__global__ void chain(unsigned steps, int passes, ull *took, unsigned *out)
{
    unsigned x = 0;
    BEGIN_CLOCK
#pragma unroll 1
    for (int i = 0; i < passes; i++) {
#pragma unroll 1
        for (unsigned k = 0; k < steps; k += 4) {
            x = table[x];
            x = table[x];
            x = table[x];
            x = table[x];
        }
    }
    END_CLOCK
    out[threadIdx.x] = x;
}

__global__ void sum(unsigned bytes, int passes, ull *took, unsigned *out)
{
    float x = 0, y = 1, z = threadIdx.x;
    BEGIN_CLOCK
#pragma unroll 1
    for (int i = 0; i < passes; i++) {
#pragma unroll 2
        for (unsigned k = 0; k < bytes / 16; k++) {
            float4 v = ((const float4 *)table)[k];
            x += v.x * z;
            y += v.y * z;
            x += v.z * y;
            y += v.w * x;
        }
    }
    END_CLOCK
    if (x + y == 12345.0f)
        *out = 1;
}

/* COUNT words, STEP words apart, as operands. */
template <int COUNT, int STEP> __global__ void straight(int passes, ull *took, unsigned *out)
{
    float x = threadIdx.x, y = 1;
    BEGIN_CLOCK
#pragma unroll 1
    for (int i = 0; i < passes; i++) {
#pragma unroll
        for (int k = 0; k < COUNT; k += 2) {
            x = x * y + ((const float *)table)[k * STEP];
            y = y * x + ((const float *)table)[(k + 1) * STEP];
        }
    }
    END_CLOCK
    if (x + y == 12345.0f)
        *out = 1;
}

static unsigned host[16384];

/* The ring of `chain`: every line of the first `bytes`. Writing the table again empties the caches of constants. */
static void write_ring(unsigned bytes)
{
    for (unsigned i = 0; i < 16384; i++)
        host[i] = i * 4 + 64 < bytes ? i + 16 : 0;
    cudaMemcpyToSymbol(table, host, sizeof host);
}

template <int COUNT, int STEP> static void straights()
{
    char name[64];
    for (int ctas : {1, (int)SMS})
        for (int warps : {1, 8}) {
            snprintf(name, sizeof name, "%d by %d ctas %d warps %d", COUNT, STEP, ctas, warps);
            row("straight warm", name, ctas, 2, [&](int n) { straight<COUNT, STEP><<<ctas, warps * 32>>>(n, took_by, sink); });
            row_of("straight cold", name, ctas, 0, 1, [&](int n) {
                write_ring(65536);
                straight<COUNT, STEP><<<ctas, warps * 32>>>(n, took_by, sink);
            });
        }
}

int main(int argc, char **argv)
{
    char name[64];
    rows_begin(argc, argv);
    for (unsigned kb2 : {1u, 2u, 3u, 4u, 6u, 8u, 16u, 32u, 64u, 96u, 128u}) {
        unsigned bytes = kb2 * 512;
        snprintf(name, sizeof name, "%u bytes", bytes);
        write_ring(bytes);
        row("chain warm", name, 1, 2, [&](int n) { chain<<<1, 1>>>(bytes / 64, n, took_by, sink); });
        row_of("chain cold", name, 1, 0, 1, [&](int n) {
            write_ring(bytes);
            chain<<<1, 1>>>(bytes / 64, n, took_by, sink);
        });
    }
    for (unsigned kb : {1u, 2u, 4u, 8u, 16u, 32u, 64u})
        for (int ctas : {1, (int)SMS})
            for (int warps : {1, 4, 16, 32}) {
                snprintf(name, sizeof name, "%u KB ctas %d warps %d", kb, ctas, warps);
                row("sum warm", name, ctas, 1, [&](int n) { sum<<<ctas, warps * 32>>>(kb * 1024, n, took_by, sink); });
                row_of("sum cold", name, ctas, 0, 1, [&](int n) {
                    write_ring(65536);
                    sum<<<ctas, warps * 32>>>(kb * 1024, n, took_by, sink);
                });
            }
    straights<256, 1>();
    straights<512, 1>();
    straights<1024, 1>();
    straights<256, 16>();
    straights<512, 16>();
    straights<1024, 16>();
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
