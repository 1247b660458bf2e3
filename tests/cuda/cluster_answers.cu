// What the runtime and the driver answer to launches in clusters, right and wrong ones. It prints a line for each; nothing is checked.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void plain(int *out)
{
    if (out)
        *out = 1;
}
__global__ void __cluster_dims__(2, 1, 1) pair(int *out)
{
    if (out)
        *out = 2;
}
__global__ void __launch_bounds__(128, 1, 4) four(int *out)
{
    if (out)
        *out = 4;
}

static void say(const char *what, cudaError_t e)
{
    std::printf("%s: %s\n", what, cudaGetErrorName(e));
    (void)cudaGetLastError();
    e = cudaDeviceSynchronize();
    if (e != cudaSuccess)
        std::printf("  then %s\n", cudaGetErrorName(e));
}

static void launch(const char *what, void (*kernel)(int *), dim3 grid, dim3 cluster, cudaLaunchAttributeID id = cudaLaunchAttributeClusterDimension)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attr = {};
    config.gridDim = grid;
    config.blockDim = 32;
    config.attrs = &attr;
    config.numAttrs = 1;
    attr.id = id;
    attr.val.clusterDim.x = cluster.x;
    attr.val.clusterDim.y = cluster.y;
    attr.val.clusterDim.z = cluster.z;
    say(what, cudaLaunchKernelEx(&config, kernel, (int *)nullptr));
}

static void sizes(const char *what, void (*kernel)(int *), dim3 cluster)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attr = {};
    int most = -1, active = -1;
    config.gridDim = 64;
    config.blockDim = 32;
    config.attrs = &attr;
    config.numAttrs = 1;
    attr.id = cudaLaunchAttributeClusterDimension;
    attr.val.clusterDim.x = cluster.x;
    attr.val.clusterDim.y = cluster.y;
    attr.val.clusterDim.z = cluster.z;
    cudaError_t e = cudaOccupancyMaxActiveClusters(&active, kernel, &config), f = (cudaGetLastError(), cudaSuccess);
    config.numAttrs = 0;
    f = cudaOccupancyMaxPotentialClusterSize(&most, kernel, &config);
    std::printf("%s: %s, %s, size %d, active %s\n", what, cudaGetErrorName(e), cudaGetErrorName(f), most, active > 0 ? "some" : "none");
    (void)cudaGetLastError();
}

int main()
{
    cudaFuncAttributes a;
    cudaFree(0);
    launch("2 of 4", plain, 4, 2);
    launch("8 of 16", plain, 16, 8);
    launch("2 x 2 x 2", plain, dim3(4, 4, 4), dim3(2, 2, 2));
    launch("1", plain, 3, 1);
    launch("grid no multiple", plain, 5, 2);
    launch("grid y no multiple", plain, dim3(4, 3, 1), dim3(2, 2, 1));
    launch("larger than the grid", plain, 2, 4);
    launch("not portable", plain, 16, 16);
    launch("3 of 9", plain, 9, 3);
    launch("0", plain, 4, dim3(0, 0, 0));
    launch("y 0", plain, 4, dim3(2, 0, 1));
    launch("required 2, given 2", pair, 4, 2);
    launch("required 2, given 4", pair, 4, 4);
    launch("required 2, given 1", pair, 4, 1);
    launch("at most 4, given 4", four, 8, 4);
    launch("at most 4, given 8", four, 8, 8);
    launch("unknown attribute", plain, 4, 2, (cudaLaunchAttributeID)1000);
    launch("preferred alone", plain, 4, 2, cudaLaunchAttributePreferredClusterDimension);
    pair<<<4, 32>>>(nullptr);
    say("required 2, grid 4", cudaGetLastError());
    pair<<<3, 32>>>(nullptr);
    say("required 2, grid 3", cudaGetLastError());
    say("allow", cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    launch("16", plain, 16, 16);
    launch("32", plain, 32, 32);
    sizes("16", plain, 16);
    sizes("32", plain, 32);
    say("allow 2", cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 2));
    say("forbid", cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
    sizes("portable 8", plain, 8);
    sizes("portable 16", plain, 16);
    sizes("required 2", pair, 2);
    sizes("at most 4", four, 4);
    say("policy 2", cudaFuncSetAttribute(plain, cudaFuncAttributeClusterSchedulingPolicyPreference, 2));
    say("policy 3", cudaFuncSetAttribute(plain, cudaFuncAttributeClusterSchedulingPolicyPreference, 3));
    say("attributes", cudaFuncGetAttributes(&a, pair));
    std::printf("must be set %d, %d x %d x %d, not portable %d\n", a.clusterDimMustBeSet, a.requiredClusterWidth, a.requiredClusterHeight,
                a.requiredClusterDepth, a.nonPortableClusterSizeAllowed);
    say("attributes", cudaFuncGetAttributes(&a, plain));
    std::printf("must be set %d, %d x %d x %d, not portable %d\n", a.clusterDimMustBeSet, a.requiredClusterWidth, a.requiredClusterHeight,
                a.requiredClusterDepth, a.nonPortableClusterSizeAllowed);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
