// Clusters of CTAs: sizes from the source and from the launch, distributed shared memory, the cluster's barrier, this_cluster(),
// and launches that cannot be. For compute capability 9.0: -arch=sm_90.
#include "check.h"

#include <cooperative_groups.h>
#include <vector>

namespace cg = cooperative_groups;

enum { CTAS = 16, T = 128 };

// Every CTA counts values in its own bins; a bin belongs to the CTA whose share it is in. As in the CUDA programming guide.
__global__ void histogram(const int *values, int n, int *bins, int per_cta)
{
    extern __shared__ int mine[];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < per_cta; i += blockDim.x)
        mine[i] = 0;
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int bin = values[i];
        atomicAdd(cluster.map_shared_rank(mine, bin / per_cta) + bin % per_cta, 1);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < per_cta; i += blockDim.x)
        atomicAdd(&bins[cluster.block_rank() * per_cta + i], mine[i]);
}

static cudaError_t launch_histogram(int size, int n, const int *values, int *bins, int nbins)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attr[2] = {};
    config.gridDim = CTAS;
    config.blockDim = T;
    config.dynamicSmemBytes = nbins / size * sizeof(int);
    config.attrs = attr;
    config.numAttrs = 2;
    attr[0].id = cudaLaunchAttributeClusterDimension;
    attr[0].val.clusterDim.x = size;
    attr[0].val.clusterDim.y = 1;
    attr[0].val.clusterDim.z = 1;
    attr[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attr[1].val.programmaticStreamSerializationAllowed = 1;
    return cudaLaunchKernelEx(&config, histogram, values, n, bins, nbins / size);
}

static void histograms()
{
    enum { N = 20000, BINS = 512 };
    std::vector<int> values(N), want(BINS, 0), got(BINS);
    int *in, *out;
    for (int i = 0; i < N; i++)
        want[values[i] = (i * 7919 + i / 13) % BINS]++;
    OK(cudaMalloc((void **)&in, N * sizeof(int)));
    OK(cudaMalloc((void **)&out, BINS * sizeof(int)));
    OK(cudaMemcpy(in, values.data(), N * sizeof(int), cudaMemcpyHostToDevice));
    OK(cudaFuncSetAttribute(histogram, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    for (int size = 1; size <= 16; size *= 2) {
        OK(cudaMemset(out, 0, BINS * sizeof(int)));
        OK(launch_histogram(size, N, in, out, BINS));
        OK(cudaDeviceSynchronize());
        OK(cudaMemcpy(got.data(), out, BINS * sizeof(int), cudaMemcpyDeviceToHost));
        CHECK(got == want);
    }
    OK(cudaFuncSetAttribute(histogram, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
    CHECK(launch_histogram(16, N, in, out, BINS) != cudaSuccess);
    (void)cudaGetLastError();
    OK(cudaDeviceSynchronize());
}

struct place {
    dim3 block, blocks, thread, threads, cluster, clusters;
    unsigned block_rank, num_blocks, thread_rank, num_threads, shared_rank, given;
};

__device__ void tell(place *out)
{
    __shared__ int word;
    cg::cluster_group c = cg::this_cluster();
    cg::grid_group g = cg::this_grid();
    unsigned next = (c.block_rank() + 1) % c.num_blocks();
    unsigned cta = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    place p = {c.block_index(), c.dim_blocks(), c.thread_index(), c.dim_threads(), g.cluster_index(), g.dim_clusters(),
               c.block_rank(),  c.num_blocks(), c.thread_rank(),  c.num_threads(), c.query_shared_rank(c.map_shared_rank(&word, next)),
               __clusterDimIsSpecified()};
    out[cta * blockDim.x + threadIdx.x] = p;
}

__global__ void __cluster_dims__(2, 2, 1) __launch_bounds__(32) fixed(place *out) { tell(out); }
__global__ void any(place *out) { tell(out); }

static bool is(dim3 d, unsigned x, unsigned y, unsigned z) { return d.x == x && d.y == y && d.z == z; }

static void check_places(const place *dev, dim3 c, bool given)
{
    std::vector<place> p(4 * 4 * 2 * 32);
    OK(cudaMemcpy(p.data(), dev, p.size() * sizeof(place), cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < p.size(); i++) {
        unsigned t = i % 32, x = i / 32 % 4, y = i / 128 % 4, z = i / 512, n = c.x * c.y * c.z;
        unsigned rank = x % c.x + c.x * (y % c.y + c.y * (z % c.z));
        CHECK(is(p[i].block, x % c.x, y % c.y, z % c.z) && is(p[i].blocks, c.x, c.y, c.z));
        CHECK(is(p[i].thread, x % c.x * 32 + t, y % c.y, z % c.z) && is(p[i].threads, c.x * 32, c.y, c.z));
        CHECK(is(p[i].cluster, x / c.x, y / c.y, z / c.z) && is(p[i].clusters, 4 / c.x, 4 / c.y, 2 / c.z));
        CHECK(p[i].block_rank == rank && p[i].num_blocks == n && p[i].thread_rank == rank * 32 + t);
        CHECK(p[i].num_threads == n * 32 && p[i].shared_rank == (rank + 1) % n && p[i].given == given);
    }
}

static void places()
{
    place *dev;
    OK(cudaMalloc((void **)&dev, 4 * 4 * 2 * 32 * sizeof(place)));
    fixed<<<dim3(4, 4, 2), 32>>>(dev);
    RAN();
    check_places(dev, dim3(2, 2, 1), true);
    any<<<dim3(4, 4, 2), 32>>>(dev);
    RAN();
    check_places(dev, dim3(1, 1, 1), false);
    cudaFuncAttributes a;
    OK(cudaFuncGetAttributes(&a, fixed));
    CHECK(a.requiredClusterWidth == 2 && a.requiredClusterHeight == 2 && a.requiredClusterDepth == 1);
    fixed<<<dim3(3, 4, 2), 32>>>(dev); // no multiple
    CHECK(cudaGetLastError() != cudaSuccess);
    OK(cudaDeviceSynchronize());
}

// The two halves of the barrier, with work in between: a ring of tokens through all CTAs of the cluster.
__global__ void ring(int *out, int steps)
{
    __shared__ int token[2];
    cg::cluster_group c = cg::this_cluster();
    unsigned rank = c.block_rank(), n = c.num_blocks();
    if (threadIdx.x == 0)
        token[0] = rank;
    for (int i = 0; i < steps; i++) {
        c.barrier_wait(c.barrier_arrive());
        if (threadIdx.x == i % blockDim.x)
            *c.map_shared_rank(&token[(i + 1) & 1], (rank + 1) % n) = token[i & 1] + 1;
    }
    cg::cluster_group::arrival_token t = c.barrier_arrive();
    int sum = 0;
    for (unsigned k = 0; k <= threadIdx.x; k++)
        sum += k;
    c.barrier_wait(static_cast<cg::cluster_group::arrival_token &&>(t));
    out[blockIdx.x * blockDim.x + threadIdx.x] = token[steps & 1] * 10000 + sum;
    c.sync();
}

static void rings()
{
    enum { STEPS = 37, SIZE = 8, GRID = 24 };
    int *dev, got[GRID * 64];
    OK(cudaMalloc((void **)&dev, sizeof got));
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attr = {};
    config.gridDim = GRID;
    config.blockDim = 64;
    config.attrs = &attr;
    config.numAttrs = 1;
    attr.id = cudaLaunchAttributeClusterDimension;
    attr.val.clusterDim.x = SIZE;
    attr.val.clusterDim.y = attr.val.clusterDim.z = 1;
    OK(cudaLaunchKernelEx(&config, ring, dev, (int)STEPS));
    OK(cudaMemcpy(got, dev, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < GRID * 64; i++) {
        int rank = i / 64 % SIZE, t = i % 64, from = ((rank - STEPS) % SIZE + SIZE) % SIZE;
        CHECK(got[i] == (from + STEPS) * 10000 + t * (t + 1) / 2);
    }
    int most = 0, active = 0;
    OK(cudaOccupancyMaxPotentialClusterSize(&most, ring, &config));
    CHECK(most == 8);
    OK(cudaOccupancyMaxActiveClusters(&active, ring, &config));
    CHECK(active > 0);
    attr.val.clusterDim.x = 5; // no divisor of the grid
    CHECK(cudaLaunchKernelEx(&config, ring, dev, (int)STEPS) != cudaSuccess);
    (void)cudaGetLastError();
    attr.id = (cudaLaunchAttributeID)1000;
    CHECK(cudaLaunchKernelEx(&config, ring, dev, (int)STEPS) != cudaSuccess);
    (void)cudaGetLastError();
    OK(cudaDeviceSynchronize());
}

int main()
{
    int has = 0;
    OK(cudaDeviceGetAttribute(&has, cudaDevAttrClusterLaunch, 0));
    CHECK(has == 1);
    histograms();
    places();
    rings();
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
