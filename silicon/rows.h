/* SPDX-License-Identifier: Apache-2.0 */
/* A row of a microbenchmark: a kernel launched with n units of work and with three times as many; its figure is the difference of the
 * cycles of the slowest CTA (clock64 on a GPU; the launches' cycles where the program is replayed). TURNS repeats the pair, and the median
 * counts. Prints group, row, units between the two launches, cycles. */
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef unsigned long long ull;
enum { SMS = 132, MOST_CTAS = 4096 };

#define BEGIN_CLOCK                                                                                          \
    __syncthreads();                                                                                         \
    ull began = clock64();
#define END_CLOCK                                                                                            \
    __syncthreads();                                                                                         \
    if (threadIdx.x == 0)                                                                                    \
        took[blockIdx.x] = clock64() - began;

static ull *took_by; /* on the GPU, by CTA */
static unsigned *sink;
static const char *want_group = "", *want_row = "";

static void rows_begin(int argc, char **argv)
{
    if (argc > 1)
        want_group = argv[1];
    if (argc > 2)
        want_row = argv[2];
    cudaMalloc(&took_by, MOST_CTAS * sizeof *took_by);
    cudaMalloc(&sink, 4096);
    printf("group,row,units,cycles\n");
}

static double slowest(int ctas)
{
    static ull host[MOST_CTAS];
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) {
        printf("# %s\n", cudaGetErrorString(e));
        exit(1);
    }
    cudaMemcpy(host, took_by, ctas * sizeof *host, cudaMemcpyDeviceToHost);
    return (double)*std::max_element(host, host + ctas);
}

/* launch(n): a launch of n units. `from` units and then `to`. */
template <class F> static void row_of(const char *group, const char *name, int ctas, int from, int to, F launch)
{
    if (strncmp(group, want_group, strlen(want_group)) != 0 || strncmp(name, want_row, strlen(want_row)) != 0)
        return;
    int turns = getenv("TURNS") ? atoi(getenv("TURNS")) : 1;
    std::vector<double> d;
    for (int i = 0; i < turns; i++) {
        launch(from);
        double one = slowest(ctas);
        launch(to);
        d.push_back(slowest(ctas) - one);
    }
    std::sort(d.begin(), d.end());
    printf("%s,%s,%d,%.0f\n", group, name, to - from, d[d.size() / 2]);
    fflush(stdout);
}

template <class F> static void row(const char *group, const char *name, int ctas, int unit, F launch)
{
    row_of(group, name, ctas, unit, 3 * unit, launch);
}
