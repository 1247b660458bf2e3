/* SPDX-License-Identifier: Apache-2.0 */
/* How long one load takes by how its lanes are spread: each address depends on the load before, of the same warp; by lines, by how many words the
 * lanes of one line lie behind those of the one before, by width, by warps; hits of L1, loads past it, and hits but for some lanes' lines. One CTA.
 * Usage: spread [GROUP [ROW]] */
#include "rows.h"

template <class T, bool PAST> static __device__ T touch(const T *p)
{
    T v;
    unsigned *w = (unsigned *)&v;
    if (PAST)
        return __ldcg(p);
    if (sizeof(T) == 4)
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(w[0]) : "l"(p) : "memory");
    else if (sizeof(T) == 8)
        asm volatile("ld.global.ca.v2.u32 {%0, %1}, [%2];" : "=r"(w[0]), "=r"(w[sizeof(T) / 4 - 1]) : "l"(p) : "memory");
    else
        asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(w[0]), "=r"(w[sizeof(T) / 8]), "=r"(w[sizeof(T) / 6]), "=r"(w[sizeof(T) / 4 - 1])
                     : "l"(p)
                     : "memory");
    return v;
}

/* All words of data are 0. Lanes go on by `step` bytes a load, round a ring of `ring` loads: those of `away` lanes past L1's reach. */
template <class T, bool PAST>
__global__ void chain(const char *data, const char *far, int lanes_per_line, int behind, int away, int n, ull *took, unsigned *out)
{
    unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5, line = lane / lanes_per_line, sum = 0;
    unsigned word = (lane % lanes_per_line * (unsigned)(sizeof(T) / 4) + line * behind) % 32 / (sizeof(T) / 4) * (sizeof(T) / 4);
    const char *p = data + (line * 32 + word) * 4 + warp * 4096;
    bool goes = lane < away;
    if (goes)
        p = far + lane * 128;
    for (int i = threadIdx.x * 4; i < 32 * 4096; i += blockDim.x * 4)
        sum += *(const unsigned *)(data + i);
    BEGIN_CLOCK
#pragma unroll 4
    for (int i = 0; i < n; i++) {
        T v = touch<T, PAST>((const T *)(p + sum));
        sum += *(unsigned *)&v;
        p += goes ? 4096 : 0;
    }
    END_CLOCK
    if (sum)
        *out = sum;
}

template <class T, bool PAST> static void rows_of(const char *group, const char *data, const char *far)
{
    char name[64];
    for (int lanes : {32, 16, 8, 4, 2, 1})
        for (int behind : {0, 1, 8, 27})
            for (int warps : {1, 4, 8}) {
                if (lanes == 32 && behind)
                    continue;
                snprintf(name, sizeof name, "lines %d behind %d warps %d", 32 / lanes, behind, warps);
                row(group, name, 1, 64, [&](int n) { chain<T, PAST><<<1, warps * 32>>>(data, far, lanes, behind, 0, n, took_by, sink); });
            }
}

int main(int argc, char **argv)
{
    char name[64], *data, *far;
    rows_begin(argc, argv);
    cudaMalloc(&data, 1 << 20);
    cudaMalloc(&far, 1 << 22);
    cudaMemset(data, 0, 1 << 20);
    cudaMemset(far, 0, 1 << 22);
    rows_of<unsigned, false>("hit", data, far);
    rows_of<uint2, false>("hit8", data, far);
    rows_of<uint4, false>("hit16", data, far);
    rows_of<unsigned, true>("past", data, far);
    for (int lanes : {32, 1})
        for (int away : {0, 1, 2, 4, 8, 16, 31})
            for (int warps : {1, 4}) {
                snprintf(name, sizeof name, "lines %d away %d warps %d", 32 / lanes, away, warps);
                row("away", name, 1, 64, [&](int n) { chain<unsigned, false><<<1, warps * 32>>>(data, far, lanes, 1, away, n, took_by, sink); });
            }
    return 0;
}
