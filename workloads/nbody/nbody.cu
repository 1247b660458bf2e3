/* All pairs of n bodies attract each other (softened gravity), then one step of leapfrog. A CTA of 64 x 4
 * threads owns 64 bodies; it stages 256 bodies at a time in shared memory, each row of threads sums the
 * pull of a quarter of them, and the rows are added at the end. Every thread of a warp reads the same 16
 * bytes of shared memory: almost only arithmetic, all of it on a few registers that are read again and
 * again. */
#include "../workload.h"

#define P 64
#define Q 4
#define SOFTENING2 0.01f
#define STEP 0.016f

__device__ float3 pull(float3 acc, float4 me, float4 other)
{
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float inv = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING2);
    float s = other.w * (inv * inv * inv);
    acc.x += dx * s;
    acc.y += dy * s;
    acc.z += dz * s;
    return acc;
}

__global__ void nbody_step(float4 *__restrict__ next, float4 *__restrict__ velocity,
                           const float4 *__restrict__ now, int n)
{
    __shared__ float4 tile[Q][P];
    int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.x * P + tx;
    float4 me = now[i];
    float3 acc = make_float3(0.0f, 0.0f, 0.0f);

#pragma unroll 1
    for (int j0 = 0; j0 < n; j0 += P * Q) {
        tile[ty][tx] = now[j0 + ty * P + tx];
        __syncthreads();
#pragma unroll 16
        for (int j = 0; j < P; j++)
            acc = pull(acc, me, tile[ty][j]);
        __syncthreads();
    }

    tile[ty][tx] = make_float4(acc.x, acc.y, acc.z, 0.0f);
    __syncthreads();
    if (ty != 0)
        return;
    for (int q = 1; q < Q; q++) {
        acc.x += tile[q][tx].x;
        acc.y += tile[q][tx].y;
        acc.z += tile[q][tx].z;
    }
    float4 v = velocity[i];
    v.x += acc.x * STEP;
    v.y += acc.y * STEP;
    v.z += acc.z * STEP;
    next[i] = make_float4(me.x + v.x * STEP, me.y + v.y * STEP, me.z + v.z * STEP, me.w);
    velocity[i] = v;
}

static void cpu_step(float4 *next, float4 *velocity, const float4 *now, int n)
{
    for (int i = 0; i < n; i++) {
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
        for (int j = 0; j < n; j++) {
            float dx = now[j].x - now[i].x, dy = now[j].y - now[i].y, dz = now[j].z - now[i].z;
            float d2 = dx * dx + dy * dy + dz * dz + SOFTENING2, s = now[j].w / (d2 * sqrtf(d2));
            ax += dx * s;
            ay += dy * s;
            az += dz * s;
        }
        float4 *v = &velocity[i];
        v->x += ax * STEP;
        v->y += ay * STEP;
        v->z += az * STEP;
        next[i] =
            make_float4(now[i].x + v->x * STEP, now[i].y + v->y * STEP, now[i].z + v->z * STEP, now[i].w);
    }
}

static void swap(float4 **a, float4 **b)
{
    float4 *t = *a;
    *a = *b;
    *b = t;
}

int main(int argc, char **argv)
{
    static const int bodies[] = {256, 5120, 10240}, steps[] = {2, 1, 2};
    int size = parse_size(argc, argv), n = bodies[size];
    size_t bytes = sizeof(float4) * n;
    float4 *now = (float4 *)host_alloc(bytes), *next = (float4 *)host_alloc(bytes);
    float4 *velocity = (float4 *)host_alloc(bytes), *got = (float4 *)host_alloc(bytes);
    uint32_t seed = 42;
    for (int i = 0; i < n; i++) {
        float x = next_float(&seed), y = next_float(&seed), z = next_float(&seed);
        now[i] =
            make_float4(x * 4.0f - 2.0f, y * 4.0f - 2.0f, z * 4.0f - 2.0f, next_float(&seed) * 64.0f / n);
    }
    float4 *d_now = (float4 *)device_copy(now, bytes), *d_next = (float4 *)device_alloc(bytes);
    float4 *d_velocity = (float4 *)device_copy(velocity, bytes);
    for (int i = 0; i < steps[size]; i++) {
        nbody_step<<<n / P, dim3(P, Q)>>>(d_next, d_velocity, d_now, n);
        cpu_step(next, velocity, now, n);
        swap(&d_now, &d_next);
        swap(&now, &next);
    }

    /* Thousands of terms of both signs in another order, and rsqrt: 1e-6 of velocities below 1. */
    fetch(got, d_now, bytes);
    long wrong = count_off(&got->x, &now->x, (size_t)n * 4, 1e-5f);
    fetch(got, d_velocity, bytes);
    wrong += count_off(&got->x, &velocity->x, (size_t)n * 4, 1e-5f);
    CHECK(cudaFree(d_now));
    CHECK(cudaFree(d_next));
    CHECK(cudaFree(d_velocity));
    free(now), free(next), free(velocity), free(got);
    return verdict("nbody", wrong);
}
// SPDX-License-Identifier: Apache-2.0
