/* SPDX-License-Identifier: Apache-2.0 */
/* Loops whose lanes each go through rows of their own, as solvers with a thread a cell do: for each word of a row, so many rows of the lane are
 * added up, each word times a constant or not, and the sum is stored to another row of it or not. A unit is a load. One warp a CTA.
 * `hit`: nothing is written in between, all is in L1; `written`: each row was stored before, by the same lanes, in the same launch. And FMAs in
 * so many chains, by warps (`turns`): a unit is a turn of the loop.
 * Usage: walks [GROUP [ROW]] */
#include "rows.h"

__constant__ float weights[4096];

template <bool CONST, bool STORE>
__global__ void walk(float *data, int lane_words, int row_words, int rows, int words, int before, int n, ull *took, unsigned *out)
{
    float *mine = data + (size_t)(blockIdx.x * 32 + threadIdx.x) * lane_words, *to = mine + rows * row_words, all = 0;
    float sum = 0;
    for (int i = 0; i < rows * row_words; i++) {
        if (before == 2)
            mine[i] = 0;
        sum += before == 1 ? ((volatile float *)mine)[i] : 0;
    }
    for (int i = 0; i < 256; i++)
        all += weights[(i + (int)sum) & 255];
    BEGIN_CLOCK
#pragma unroll 1
    for (int k = 0; k < n; k++)
#pragma unroll 1
        for (int e = 0; e < words; e++) {
            float sum = 0;
#pragma unroll 1
            for (int j = 0; j < rows; j++)
                sum += CONST ? weights[rows * 13 + j] * mine[j * row_words + e] : mine[j * row_words + e];
            if (STORE)
                to[e] = sum;
            else
                all += sum;
        }
    END_CLOCK
    if (all)
        *out = (unsigned)all;
}

template <int CHAINS, int UNROLL> __global__ void turns(float one, int n, ull *took, unsigned *out)
{
    float x[CHAINS], all = 0;
    for (int c = 0; c < CHAINS; c++)
        x[c] = one + threadIdx.x + c;
    BEGIN_CLOCK
#pragma unroll 1
    for (int i = 0; i < n; i++)
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[k % CHAINS]) : "f"(one));
    END_CLOCK
    for (int c = 0; c < CHAINS; c++)
        all += x[c];
    if (all == 12345)
        *out = 1;
}

template <int CHAINS, int UNROLL> static void turns_of()
{
    char name[64];
    for (int warps : {1, 2, 4, 5, 8, 12, 16, 32}) {
        snprintf(name, sizeof name, "chains %d unroll %d warps %d", CHAINS, UNROLL, warps);
        row("turns", name, 1, 4096 / UNROLL, [&](int n) { turns<CHAINS, UNROLL><<<1, warps * 32>>>(1, n, took_by, sink); });
    }
}

int main(int argc, char **argv)
{
    char name[96];
    float *data;
    rows_begin(argc, argv);
    cudaMalloc(&data, 64 << 20);
    cudaMemset(data, 0, 64 << 20);
    struct shape {
        int lane, row, rows, words;
    };
    static const shape shapes[] = {{1275, 85, 12, 85}, {1275, 85, 4, 85}, {1275, 85, 1, 85}, {1275, 85, 12, 8},  {1275, 85, 12, 1},  {1275, 85, 1, 1},
                                   {59, 1, 1, 1},      {33, 1, 1, 1},     {1280, 85, 12, 85}, {1281, 85, 12, 85}, {1313, 85, 12, 85}, {411, 32, 12, 32},
                                   {411, 1, 12, 1},    {635, 85, 7, 85},  {635, 85, 7, 8},    {1275, 85, 14, 85}, {1531, 85, 17, 85}, {1787, 85, 20, 85},
                                   {5000, 85, 12, 8},  {5000, 85, 12, 1}, {3, 1, 1, 1},       {1, 32, 12, 1}};
    for (auto &s : shapes)
        for (int before : {1, 2, 0})
            for (int kind : {0, 1, 2, 3}) {
                if (before != 1 && kind == 1)
                    continue;
                static const char *const kinds[] = {"plain", "constant", "stored", "both"};
                snprintf(name, sizeof name, "lanes %d rows %d of %d words %d %s", s.lane, s.rows, s.row, s.words, kinds[kind]);
                /* the first pass through what nobody has touched is one of three */
                int from = before == 1 ? 1 : 0, passes = before == 1 ? 1 + (s.words * s.rows < 200 ? 64 : s.words * s.rows < 500 ? 4 : 2) : 1;
                row_of(before == 2 ? "written" : before ? "hit" : "cold", name, 1, from * s.rows * s.words, passes * s.rows * s.words, [&](int n) {
                    n /= s.rows * s.words;
                    if (kind == 0)
                        walk<false, false><<<1, 32>>>(data, s.lane, s.row, s.rows, s.words, before, n, took_by, sink);
                    else if (kind == 1)
                        walk<true, false><<<1, 32>>>(data, s.lane, s.row, s.rows, s.words, before, n, took_by, sink);
                    else if (kind == 2)
                        walk<false, true><<<1, 32>>>(data, s.lane, s.row, s.rows, s.words, before, n, took_by, sink);
                    else
                        walk<true, true><<<1, 32>>>(data, s.lane, s.row, s.rows, s.words, before, n, took_by, sink);
                });
            }
    for (int ctas : {1, 8, 80})
        row_of("many", ctas == 1 ? "1" : ctas == 8 ? "8" : "80", ctas, 1020, 3060, [&](int n) {
            walk<true, true><<<ctas, 32>>>(data, 1275, 85, 12, 85, 1, n / 1020, took_by, sink);
        });
    turns_of<1, 16>();
    turns_of<2, 16>();
    turns_of<4, 16>();
    turns_of<4, 32>();
    turns_of<4, 64>();
    turns_of<8, 16>();
    turns_of<8, 64>();
    return 0;
}
