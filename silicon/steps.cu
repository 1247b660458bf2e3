/* Steps of a pipeline between DRAM and shared memory, as matrix products copy their tiles: every CTA copies a tile of A and one of B in
 * each step (cp.async) and waits for those of the step before. Prints the cycles of each step, the median over the CTAs, with L2 empty
 * and with the data there.
 *   a.out              64 CTAs of 128 threads, tiles of 64 x 32 halves of A and 32 x 64 of B, of matrices of 512 x 512
 * Columns: what is copied (both, A, B), L2 (cold, warm), CTAs, then the steps. */
#include "../workloads/workload.h"

enum { K = 512, STEPS = K / 32, THREADS = 128, GRID = 64 };

__device__ static void copy16(unsigned to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

__device__ static void commit(void) { asm volatile("cp.async.commit_group;" ::: "memory"); }

/* A row of A is 1 KiB, of which a step takes 64 bytes; a row of B as well, of which a CTA takes 128. */
__device__ static void fetch(unsigned to, const char *a, const char *b, int step, int what)
{
    int t = threadIdx.x;
    for (int i = 0; i < 2; i++) {
        if (what & 1)
            copy16(to + t * 16 + i * 2048, a + (size_t)(t / 4 + i * 32) * 1024 + step * 64 + t % 4 * 16);
        if (what & 2)
            copy16(to + t * 16 + i * 2048 + 4096, b + (size_t)(step * 32 + t / 8 + i * 16) * 1024 + t % 8 * 16);
    }
    commit();
}

__global__ void steps(const char *a, const char *b, int what, unsigned *cycles)
{
    __shared__ __align__(128) char tiles[3][8192];
    unsigned base = (unsigned)__cvta_generic_to_shared(tiles);
    a += (size_t)(blockIdx.x / 8) * 64 * 1024;
    b += blockIdx.x % 8 * 128;
    fetch(base, a, b, 0, what);
    fetch(base + 8192, a, b, 1, what);
    long long before = clock64();
    for (int s = 0; s < STEPS; s++) {
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        if (threadIdx.x == 0) {
            long long now = clock64();
            cycles[blockIdx.x * STEPS + s] = (unsigned)(now - before);
            before = now;
        }
        __syncthreads();
        if (s + 2 < STEPS)
            fetch(base + (s + 2) % 3 * 8192, a, b, s + 2, what);
        else
            commit();
    }
}

static int ascending(const void *x, const void *y)
{
    unsigned a = *(const unsigned *)x, b = *(const unsigned *)y;
    return (a > b) - (a < b);
}

int main(void)
{
    static const char *const names[] = {"", "A", "B", "both"};
    enum { FLUSH = 256 << 20 };
    char *a = (char *)device_alloc(1 << 20), *flush = (char *)device_alloc(FLUSH);
    unsigned *cycles = (unsigned *)device_alloc(GRID * STEPS * sizeof *cycles), host[GRID * STEPS], at[GRID];
    CHECK(cudaMemset(a, 1, 1 << 20));
    printf("what,l2,ctas");
    for (int s = 0; s < STEPS; s++)
        printf(",%d", s);
    printf("\n");
    for (int grid = 1; grid <= GRID; grid *= 8)
        for (int what = 1; what <= 3; what++)
            for (int warm = 0; warm < 2; warm++) {
                if (!warm)
                    CHECK(cudaMemset(flush, what, FLUSH));
                steps<<<grid, THREADS>>>(a, a + (512 << 10), what, cycles);
                CHECK(cudaMemcpy(host, cycles, (size_t)grid * STEPS * sizeof *host, cudaMemcpyDeviceToHost));
                printf("%s,%s,%d", names[what], warm ? "warm" : "cold", grid);
                for (int s = 0; s < STEPS; s++) {
                    for (int c = 0; c < grid; c++)
                        at[c] = host[c * STEPS + s];
                    qsort(at, (size_t)grid, sizeof *at, ascending);
                    printf(",%u", at[grid / 2]);
                }
                printf("\n");
            }
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
