/* Forces between particles within a cutoff, after Rodinia's lavaMD: space is a grid of boxes of 100
 * particles; a CTA of 128 threads takes a home box and goes through its neighbour boxes, copies each to
 * shared memory, and every thread adds up the exponentially damped force of those 100 particles on its own
 * one, in double precision. Long arithmetic loops on register pairs, broadcast loads of shared memory, 28 of
 * 128 threads idle. */
#include "../workload.h"

#define THREADS 128
#define PER_BOX 100
#define NEIGHBOURS 27

struct vec4 {
    double v, x, y, z;
};

struct box {
    int first;              /* particle */
    int count;              /* of neighbours, itself among them */
    int beside[NEIGHBOURS]; /* boxes, itself first */
};

__global__ void forces(const struct box *boxes, const struct vec4 *place, const double *charge,
                       struct vec4 *force, double alpha)
{
    __shared__ struct vec4 home[PER_BOX], other[PER_BOX];
    __shared__ double other_charge[PER_BOX];
    int t = threadIdx.x;
    const struct box *box = &boxes[blockIdx.x];
    double a2 = 2.0 * alpha * alpha;

    if (t < PER_BOX)
        home[t] = place[box->first + t];
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < box->count; k++) {
        int first = boxes[box->beside[k]].first;
        if (t < PER_BOX) {
            other[t] = place[first + t];
            other_charge[t] = charge[first + t];
        }
        __syncthreads();
        if (t < PER_BOX) {
            struct vec4 sum = force[box->first + t];
#pragma unroll 1
            for (int j = 0; j < PER_BOX; j++) {
                double dot = home[t].x * other[j].x + home[t].y * other[j].y + home[t].z * other[j].z;
                double near = exp(-(a2 * (home[t].v + other[j].v - dot)));
                double pull = 2.0 * near * other_charge[j];
                sum.v += other_charge[j] * near;
                sum.x += pull * (home[t].x - other[j].x);
                sum.y += pull * (home[t].y - other[j].y);
                sum.z += pull * (home[t].z - other[j].z);
            }
            force[box->first + t] = sum;
        }
        __syncthreads();
    }
}

static void make_boxes(struct box *boxes, int nx, int ny, int nz)
{
    for (int i = 0; i < nx * ny * nz; i++) {
        int x = i % nx, y = i / nx % ny, z = i / nx / ny;
        struct box *b = &boxes[i];
        b->first = i * PER_BOX;
        b->beside[b->count++] = i;
        for (int dz = -1; dz <= 1; dz++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if ((dx || dy || dz) && x + dx >= 0 && x + dx < nx && y + dy >= 0 && y + dy < ny &&
                        z + dz >= 0 && z + dz < nz)
                        b->beside[b->count++] = i + dx + dy * nx + dz * nx * ny;
    }
}

static void forces_reference(const struct box *box, const struct box *boxes, const struct vec4 *place,
                             const double *charge, struct vec4 *force, double alpha)
{
    for (int i = box->first; i < box->first + PER_BOX; i++)
        for (int k = 0; k < box->count; k++)
            for (int j = boxes[box->beside[k]].first, end = j + PER_BOX; j < end; j++) {
                double dot = place[i].x * place[j].x + place[i].y * place[j].y + place[i].z * place[j].z;
                double term = charge[j] * exp(-2.0 * alpha * alpha * (place[i].v + place[j].v - dot));
                force[i].v += term;
                force[i].x += 2.0 * term * (place[i].x - place[j].x);
                force[i].y += 2.0 * term * (place[i].y - place[j].y);
                force[i].z += 2.0 * term * (place[i].z - place[j].z);
            }
}

static int is_off(double got, double want) { return !(fabs(got - want) <= 1e-9 * fmax(1.0, fabs(want))); }

int main(int argc, char **argv)
{
    static const int sides[][3] = {{2, 1, 1}, {100, 1, 1}, {1000, 1, 1}};
    int cube = 0;
    const struct choice own[] = {{"boxes", NULL, &cube}};
    int size = parse_args(argc, argv, own, 1);
    const int of_cube[] = {cube, cube, cube}, *side = cube ? of_cube : sides[size];
    int count = side[0] * side[1] * side[2], n = count * PER_BOX;
    struct box *boxes = (struct box *)host_alloc(count * sizeof(*boxes));
    struct vec4 *place = (struct vec4 *)host_alloc(n * sizeof(*place)),
                *want = (struct vec4 *)host_alloc(n * sizeof(*want));
    struct vec4 *got = (struct vec4 *)host_alloc(n * sizeof(*got));
    double *charge = (double *)host_alloc(n * sizeof(double)), alpha = 0.5;
    uint32_t seed = 128;
    make_boxes(boxes, side[0], side[1], side[2]);
    /* v holds half the square of the length, so that v + v' - dot is half the square of the distance. */
    for (int i = 0; i < n; i++) {
        struct vec4 *p = &place[i];
        p->x = 0.1 + 0.9 * next_float(&seed), p->y = 0.1 + 0.9 * next_float(&seed),
        p->z = 0.1 + 0.9 * next_float(&seed);
        p->v = 0.5 * (p->x * p->x + p->y * p->y + p->z * p->z);
        charge[i] = 0.1 + 0.9 * next_float(&seed);
    }
    struct box *d_boxes = (struct box *)device_copy(boxes, count * sizeof(*boxes));
    struct vec4 *d_place = (struct vec4 *)device_copy(place, n * sizeof(*place));
    double *d_charge = (double *)device_copy(charge, n * sizeof(double));
    struct vec4 *d_force = (struct vec4 *)device_copy(want, n * sizeof(*want));

    forces<<<count, THREADS>>>(d_boxes, d_place, d_charge, d_force, alpha);
    fetch(got, d_force, n * sizeof(*got));
    long wrong = 0;
    for (int b = 0; b < count; b++)
        forces_reference(&boxes[b], boxes, place, charge, want, alpha);
    for (int i = 0; i < n; i++)
        wrong += is_off(got[i].v, want[i].v) || is_off(got[i].x, want[i].x) || is_off(got[i].y, want[i].y) ||
                 is_off(got[i].z, want[i].z);
    CHECK(cudaFree(d_boxes));
    CHECK(cudaFree(d_place));
    CHECK(cudaFree(d_charge));
    CHECK(cudaFree(d_force));
    free(boxes), free(place), free(want), free(got), free(charge);
    return verdict("lavamd", wrong);
}
// SPDX-License-Identifier: Apache-2.0
