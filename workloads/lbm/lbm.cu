/* Lattice-Boltzmann flow, 19 velocities a cell: a lid drags the fluid in a box with obstacles. A thread is a
 * cell, a CTA a line of 120: it loads its 19 densities (coalesced), collides them in registers, and pushes
 * each one to the neighbour it flows to (shifted, partly uncoalesced). Walls divert lanes. Many live
 * registers and 38 memory accesses: bound by bandwidth. */
#include "../workload.h"

#define NX 120
#define PITCH 128 /* cells a line in memory; those from NX on only catch what flows out */
#define Q 19
#define OMEGA 1.85f
#define LID_X 0.05f
#define LID_Y 0.02f

enum { WALL = 1, LID = 2 };

/* Rest, then pairs of opposite directions. */
static const int dirs[Q][3] = {{0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},   {0, -1, 0},
                               {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},
                               {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1},
                               {0, 1, 1},  {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};

/* One direction and its opposite; eu is the velocity along the first. */
__device__ static inline void relax(float *f, float *opposite, float weight, float eu, float rest)
{
    float even = OMEGA * weight * (rest + 4.5f * eu * eu), odd = OMEGA * weight * 3.0f * eu;
    *f = (1.0f - OMEGA) * *f + (even + odd);
    *opposite = (1.0f - OMEGA) * *opposite + (even - odd);
}

__device__ static inline void collide(float *f, bool lid)
{
    float rho = f[0];
#pragma unroll
    for (int i = 1; i < Q; i++)
        rho += f[i];
    float ux = f[1] - f[2] + f[7] - f[8] + f[9] - f[10] + f[11] - f[12] + f[13] - f[14];
    float uy = f[3] - f[4] + f[7] - f[8] - f[9] + f[10] + f[15] - f[16] + f[17] - f[18];
    float uz = f[5] - f[6] + f[11] - f[12] - f[13] + f[14] + f[15] - f[16] - f[17] + f[18];
    ux /= rho, uy /= rho, uz /= rho;
    if (lid)
        ux = LID_X, uy = LID_Y, uz = 0;
    float rest = 1.0f - 1.5f * (ux * ux + uy * uy + uz * uz);
    float straight = rho / 18.0f, diagonal = rho / 36.0f;
    f[0] = (1.0f - OMEGA) * f[0] + OMEGA * (rho / 3.0f) * rest;
    relax(&f[1], &f[2], straight, ux, rest);
    relax(&f[3], &f[4], straight, uy, rest);
    relax(&f[5], &f[6], straight, uz, rest);
    relax(&f[7], &f[8], diagonal, ux + uy, rest);
    relax(&f[9], &f[10], diagonal, ux - uy, rest);
    relax(&f[11], &f[12], diagonal, ux + uz, rest);
    relax(&f[13], &f[14], diagonal, ux - uz, rest);
    relax(&f[15], &f[16], diagonal, uy + uz, rest);
    relax(&f[17], &f[18], diagonal, uy - uz, rest);
}

/* `from` and `to` point at the first cell of the first direction; a direction takes `stride` floats, with a
 * margin at both ends for what flows out of the box. Every slot has one writer: the cell its direction comes
 * from. */
__global__ void stream_collide(const float *from, float *to, const unsigned char *flags, int stride)
{
    int plane = PITCH * gridDim.x;
    int cell = threadIdx.x + blockIdx.x * PITCH + blockIdx.y * plane;
    unsigned char flag = flags[cell];
    float f[Q];
#pragma unroll
    for (int i = 0; i < Q; i++)
        f[i] = from[i * stride + cell];
    if (flag & WALL) {
#pragma unroll
        for (int i = 1; i < Q; i += 2) {
            float t = f[i];
            f[i] = f[i + 1];
            f[i + 1] = t;
        }
    } else {
        collide(f, flag & LID);
    }
    to += cell;
    int x = 1, y = PITCH, z = plane;
    to[0] = f[0];
    to[1 * stride + x] = f[1];
    to[2 * stride - x] = f[2];
    to[3 * stride + y] = f[3];
    to[4 * stride - y] = f[4];
    to[5 * stride + z] = f[5];
    to[6 * stride - z] = f[6];
    to[7 * stride + x + y] = f[7];
    to[8 * stride - x - y] = f[8];
    to[9 * stride + x - y] = f[9];
    to[10 * stride - x + y] = f[10];
    to[11 * stride + x + z] = f[11];
    to[12 * stride - x - z] = f[12];
    to[13 * stride + x - z] = f[13];
    to[14 * stride - x + z] = f[14];
    to[15 * stride + y + z] = f[15];
    to[16 * stride - y - z] = f[16];
    to[17 * stride + y - z] = f[17];
    to[18 * stride - y + z] = f[18];
}

struct box {
    int ny, nz, steps;
    int stride, margin;
    size_t floats;
};

static void host_collide(float f[Q], int flag)
{
    float rho = 0, u[3] = {0, 0, 0};
    for (int i = 0; i < Q; i++) {
        rho += f[i];
        for (int k = 0; k < 3; k++)
            u[k] += f[i] * dirs[i][k];
    }
    for (int k = 0; k < 3; k++)
        u[k] /= rho;
    if (flag & LID)
        u[0] = LID_X, u[1] = LID_Y, u[2] = 0;
    float square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    for (int i = 0; i < Q; i++) {
        float eu = dirs[i][0] * u[0] + dirs[i][1] * u[1] + dirs[i][2] * u[2];
        float weight = i == 0 ? 1.0f / 3 : i < 7 ? 1.0f / 18 : 1.0f / 36;
        float wanted = weight * rho * (1 + 3 * eu + 4.5f * eu * eu - 1.5f * square);
        f[i] += OMEGA * (wanted - f[i]);
    }
}

static void host_step(const struct box *b, const float *from, float *to, const unsigned char *flags)
{
    for (int z = 0; z < b->nz; z++)
        for (int y = 0; y < b->ny; y++)
            for (int x = 0; x < NX; x++) {
                int cell = (z * b->ny + y) * PITCH + x;
                float f[Q], out[Q];
                for (int i = 0; i < Q; i++)
                    f[i] = from[b->margin + i * b->stride + cell];
                if (!(flags[cell] & WALL))
                    host_collide(f, flags[cell]);
                for (int i = 0; i < Q; i++) {
                    int source = flags[cell] & WALL && i ? ((i - 1) ^ 1) + 1 : i;
                    int flow = dirs[i][0] + dirs[i][1] * PITCH + dirs[i][2] * PITCH * b->ny;
                    out[i] = f[source];
                    to[b->margin + i * b->stride + cell + flow] = out[i];
                }
            }
}

static unsigned char *make_flags(const struct box *b, uint32_t *seed)
{
    unsigned char *flags = (unsigned char *)host_alloc((size_t)PITCH * b->ny * b->nz);
    for (int z = 0; z < b->nz; z++)
        for (int y = 0; y < b->ny; y++)
            for (int x = 0; x < NX; x++) {
                bool wall = x == 0 || x == NX - 1 || y == 0 || y == b->ny - 1 || z == 0 || z == b->nz - 1;
                wall |= next_random(seed) % 64 == 0;
                flags[(z * b->ny + y) * PITCH + x] = wall ? WALL : z == b->nz - 2 ? LID : 0;
            }
    return flags;
}

static void swap(float **a, float **b)
{
    float *t = *a;
    *a = *b, *b = t;
}

int main(int argc, char **argv)
{
    static const int sides[][3] = {{8, 5, 2}, {32, 32, 3}, {64, 64, 11}};
    const int *side = sides[parse_size(argc, argv)];
    struct box b = {side[0], side[1], side[2], 0, 0, 0};
    b.margin = PITCH * b.ny + PITCH + 32;
    b.stride = PITCH * b.ny * b.nz + 2 * b.margin;
    b.floats = (size_t)Q * b.stride;
    uint32_t seed = 17;
    size_t bytes = b.floats * sizeof(float);
    float *from = (float *)host_alloc(bytes), *to = (float *)host_alloc(bytes),
          *got = (float *)host_alloc(bytes);
    unsigned char *flags = make_flags(&b, &seed);
    for (int i = 0; i < Q; i++)
        for (int c = 0; c < b.stride; c++) {
            float weight = i == 0 ? 1.0f / 3 : i < 7 ? 1.0f / 18 : 1.0f / 36;
            from[i * b.stride + c] = to[i * b.stride + c] = weight * (0.95f + 0.1f * next_float(&seed));
        }
    float *d_from = (float *)device_copy(from, bytes), *d_to = (float *)device_copy(to, bytes);
    unsigned char *d_flags = (unsigned char *)device_copy(flags, (size_t)PITCH * b.ny * b.nz);
    for (int i = 0; i < b.steps; i++) {
        stream_collide<<<dim3(b.ny, b.nz), NX>>>(d_from + b.margin, d_to + b.margin, d_flags, b.stride);
        host_step(&b, from, to, flags);
        swap(&d_from, &d_to);
        swap(&from, &to);
    }
    fetch(got, d_from, bytes);
    /* Densities are below 1; a step rounds by some 2^-22 of that, and the flow is too slow and short to
     * amplify it. */
    long wrong = count_off(got, from, b.floats, 1e-5f);
    CHECK(cudaFree(d_from));
    CHECK(cudaFree(d_to));
    CHECK(cudaFree(d_flags));
    free(from), free(to), free(got), free(flags);
    return verdict("lbm", wrong);
}
// SPDX-License-Identifier: Apache-2.0
