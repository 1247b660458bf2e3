/* k-means clustering of points with 34 features into 5 clusters, after Rodinia's kmeans. One kernel turns the
 * points' rows into columns (loads 136 bytes apart); in the other a thread sums the squared distance of its
 * point to every centre, the features through the texture path and the centres from constant memory. The host
 * moves the centres. Few registers, a stream that is read again for each centre: it misses the cache when
 * many warps run. */
#include "../workload.h"

#define BLOCK 256
#define FEATURES 34
#define CLUSTERS 5

__constant__ float centres[CLUSTERS * FEATURES];

__global__ void invert_mapping(const float *rows, float *columns, int n, int features)
{
    int point = blockIdx.x * BLOCK + threadIdx.x;
    if (point >= n)
        return;
#pragma unroll 1
    for (int f = 0; f < features; f++)
        columns[point + n * f] = rows[point * features + f];
}

__global__ void nearest_centre(cudaTextureObject_t columns, int n, int features, int clusters, int *member)
{
    int point = blockIdx.x * BLOCK + threadIdx.x;
    if (point >= n)
        return;
    int best = -1;
    float best_distance = 3.4e38f;
#pragma unroll 1
    for (int c = 0; c < clusters; c++) {
        int base = c * features;
        float distance = 0.0f;
#pragma unroll 1
        for (int f = 0; f < features; f++) {
            float diff = tex1Dfetch<float>(columns, point + f * n) - centres[base + f];
            distance += diff * diff;
        }
        if (distance < best_distance) {
            best_distance = distance;
            best = c;
        }
    }
    member[point] = best;
}

static cudaTextureObject_t make_texture(float *linear, size_t bytes)
{
    struct cudaResourceDesc resource;
    struct cudaTextureDesc texture;
    cudaTextureObject_t object;
    memset(&resource, 0, sizeof(resource));
    memset(&texture, 0, sizeof(texture));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = linear;
    resource.res.linear.sizeInBytes = bytes;
    resource.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    texture.readMode = cudaReadModeElementType;
    CHECK(cudaCreateTextureObject(&object, &resource, &texture, NULL));
    return object;
}

static double distance_to(const float *point, const float *centre)
{
    double sum = 0;
    for (int f = 0; f < FEATURES; f++)
        sum += ((double)point[f] - centre[f]) * ((double)point[f] - centre[f]);
    return sum;
}

/* A point may go to either of two centres whose distances differ by less than the rounding of 34 terms. */
static long check_members(const float *points, const float *at, const int *member, int n)
{
    long wrong = 0;
    for (int i = 0; i < n; i++) {
        double least = 1e300;
        for (int c = 0; c < CLUSTERS; c++)
            least = fmin(least, distance_to(points + (size_t)i * FEATURES, at + c * FEATURES));
        int c = member[i];
        wrong += c < 0 || c >= CLUSTERS ||
                 distance_to(points + (size_t)i * FEATURES, at + c * FEATURES) > least * (1 + 1e-5);
    }
    return wrong;
}

static void move_centres(const float *points, float *at, const int *member, int n)
{
    double sum[CLUSTERS][FEATURES] = {{0}};
    int count[CLUSTERS] = {0};
    for (int i = 0; i < n; i++) {
        int c = member[i] < 0 || member[i] >= CLUSTERS ? 0 : member[i];
        count[c]++;
        for (int f = 0; f < FEATURES; f++)
            sum[c][f] += points[(size_t)i * FEATURES + f];
    }
    for (int c = 0; c < CLUSTERS; c++)
        for (int f = 0; f < FEATURES && count[c]; f++)
            at[c * FEATURES + f] = (float)(sum[c][f] / count[c]);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1024, 32768, 204800}, rounds[] = {2, 3, 8};
    int size = parse_size(argc, argv), n = sizes[size], grid = (n + BLOCK - 1) / BLOCK;
    size_t bytes = (size_t)n * FEATURES * sizeof(float);
    float *points = (float *)host_alloc(bytes), at[CLUSTERS * FEATURES];
    int *member = (int *)host_alloc(n * sizeof(int));
    uint32_t seed = 34;
    for (int i = 0; i < n; i++) {
        float shift = (float)(next_random(&seed) % CLUSTERS) * 0.3f;
        for (int f = 0; f < FEATURES; f++)
            points[(size_t)i * FEATURES + f] = next_float(&seed) + (f % 3 ? shift : -shift);
    }
    memcpy(at, points, sizeof(at)); /* the first points are the first centres */
    float *d_rows = (float *)device_copy(points, bytes), *d_columns = (float *)device_alloc(bytes);
    int *d_member = (int *)device_alloc(n * sizeof(int));
    cudaTextureObject_t columns = make_texture(d_columns, bytes);

    long wrong = 0;
    invert_mapping<<<grid, BLOCK>>>(d_rows, d_columns, n, FEATURES);
    for (int round = 0; round < rounds[size]; round++) {
        CHECK(cudaMemcpyToSymbol(centres, at, sizeof(at)));
        nearest_centre<<<grid, BLOCK>>>(columns, n, FEATURES, CLUSTERS, d_member);
        fetch(member, d_member, n * sizeof(int));
        wrong += check_members(points, at, member, n);
        move_centres(points, at, member, n);
    }
    CHECK(cudaDestroyTextureObject(columns));
    CHECK(cudaFree(d_rows));
    CHECK(cudaFree(d_columns));
    CHECK(cudaFree(d_member));
    free(points), free(member);
    return verdict("kmeans", wrong);
}
// SPDX-License-Identifier: Apache-2.0
