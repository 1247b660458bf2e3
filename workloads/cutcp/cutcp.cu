/* Electrostatic potential on a 3-D lattice from the atoms within a cutoff. Atoms are sorted into bins of at
 * most 8; a CTA of 128 threads makes a cube of 8 x 8 x 8 lattice points, four a thread, and walks the bins
 * around its cube (offsets in constant memory) through shared memory, 32 bins at a time. All lanes look at
 * the same atom; whether it is near enough diverges. */
#include "../workload.h"

#define BIN_DEPTH 8
#define BIN_LENGTH 4.0f /* the side of a bin and of a CTA's cube */
#define SPACING 0.5f
#define CUBE 8
#define BLOCK_Y 2
#define POINTS (CUBE / BLOCK_Y)
#define BLOCK (CUBE * BLOCK_Y * CUBE)
#define CACHED_BINS 32
#define MAX_NEIGHBOURS 343

__constant__ int neighbour_count;
__constant__ int
    neighbours[MAX_NEIGHBOURS]; /* distance of a bin from the own one, in bins of the padded array */

__device__ static inline void add_atom(float *energy, float4 atom, float x, float y, float z, float cutoff2)
{
    float inverse = 1.0f / cutoff2;
    float dx = atom.x - x, dz = atom.z - z, dy = atom.y - y;
    float dxz2 = dx * dx + dz * dz;
#pragma unroll
    for (int p = 0; p < POINTS; p++) {
        float r2 = dy * dy + dxz2;
        if (r2 < cutoff2) {
            float s = 1.0f - r2 * inverse;
            energy[p] += atom.w * rsqrtf(r2) * s * s;
        }
        dy -= BLOCK_Y * SPACING;
    }
}

/* A bin's atoms come first in it; a charge of 0 ends them. bins: the bin of the cube at the origin; the array
 * has `reach` more bins on every side. */
__global__ void cutoff_potential(const float4 *bins, int pitch_x, int pitch_xy, float *lattice, float cutoff2)
{
    __shared__ float4 cache[CACHED_BINS * BIN_DEPTH];
    int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
    int t = (tz * BLOCK_Y + ty) * CUBE + tx;
    int own = blockIdx.x + blockIdx.y * pitch_x + blockIdx.z * pitch_xy;
    float x = (blockIdx.x * CUBE + tx) * SPACING, y = (blockIdx.y * CUBE + ty) * SPACING;
    float z = (blockIdx.z * CUBE + tz) * SPACING;
    float energy[POINTS] = {0, 0, 0, 0};
#pragma unroll 1
    for (int from = 0; from < neighbour_count; from += CACHED_BINS) {
        int count = min(CACHED_BINS, neighbour_count - from);
        __syncthreads();
#pragma unroll 1
        for (int i = t; i < count * BIN_DEPTH; i += BLOCK)
            cache[i] = bins[(own + neighbours[from + i / BIN_DEPTH]) * BIN_DEPTH + i % BIN_DEPTH];
        __syncthreads();
#pragma unroll 1
        for (int b = 0; b < count; b++)
#pragma unroll 1
            for (int i = 0; i < BIN_DEPTH; i++) {
                float4 atom = cache[b * BIN_DEPTH + i];
                if (atom.w == 0)
                    break;
                add_atom(energy, atom, x, y, z, cutoff2);
            }
    }
    int nx = gridDim.x * CUBE, nxy = nx * gridDim.y * CUBE;
    float *out =
        lattice + (blockIdx.z * CUBE + tz) * nxy + (blockIdx.y * CUBE + ty) * nx + blockIdx.x * CUBE + tx;
#pragma unroll
    for (int p = 0; p < POINTS; p++)
        out[p * BLOCK_Y * nx] = energy[p];
}

struct problem {
    int cubes, atoms_per_bin; /* a side of the box, in cubes; what a bin holds on average */
    float cutoff;
};

struct atoms {
    float4 *list, *bins;
    int count, reach, pitch;
};

/* Atoms keep a quarter of the spacing away from lattice planes, so that no distance is close to 0. */
static float coordinate(int bin, uint32_t *seed)
{
    int step = next_random(seed) % CUBE;
    return bin * BIN_LENGTH + (step + 0.25f + 0.5f * next_float(seed)) * SPACING;
}

static void make_atoms(const struct problem *p, struct atoms *a, uint32_t *seed)
{
    int n = p->cubes;
    a->reach = (int)ceilf(p->cutoff / BIN_LENGTH);
    a->pitch = n + 2 * a->reach;
    a->bins = (float4 *)host_alloc((size_t)a->pitch * a->pitch * a->pitch * BIN_DEPTH * sizeof(float4));
    a->list = (float4 *)host_alloc((size_t)n * n * n * BIN_DEPTH * sizeof(float4));
    a->count = 0;
    for (int z = 0; z < n; z++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                int at = ((z + a->reach) * a->pitch + y + a->reach) * a->pitch + x + a->reach;
                int fill = p->atoms_per_bin - 1 + next_random(seed) % 3;
                for (int i = 0; i < fill; i++) {
                    float4 atom;
                    atom.x = coordinate(x, seed);
                    atom.y = coordinate(y, seed);
                    atom.z = coordinate(z, seed);
                    atom.w = 0.25f + next_float(seed);
                    a->bins[at * BIN_DEPTH + i] = a->list[a->count++] = atom;
                }
            }
}

/* The bins that a point of the cube can be nearer to than the cutoff. */
static int find_neighbours(const struct problem *p, const struct atoms *a, int *out)
{
    int count = 0, r = a->reach;
    float within = p->cutoff / BIN_LENGTH;
    for (int z = -r; z <= r; z++)
        for (int y = -r; y <= r; y++)
            for (int x = -r; x <= r; x++) {
                float gx = fmaxf(abs(x) - 1, 0), gy = fmaxf(abs(y) - 1, 0), gz = fmaxf(abs(z) - 1, 0);
                if (gx * gx + gy * gy + gz * gz < within * within)
                    out[count++] = (z * a->pitch + y) * a->pitch + x;
            }
    return count;
}

/* All charges are positive, a point has at most some thousand atoms, and near the cutoff what is added goes
 * to 0. */
static long compare(const struct problem *p, const struct atoms *a, const float *got)
{
    int n = p->cubes * CUBE;
    float cutoff2 = p->cutoff * p->cutoff;
    long wrong = 0;
    double *want = (double *)host_alloc((size_t)n * n * n * sizeof(double));
    for (int i = 0; i < a->count; i++) {
        float4 atom = a->list[i];
        int low[3], high[3];
        const float at[3] = {atom.x, atom.y, atom.z};
        for (int k = 0; k < 3; k++) {
            low[k] = (int)fmaxf(0, floorf((at[k] - p->cutoff) / SPACING));
            high[k] = (int)fminf(n - 1, ceilf((at[k] + p->cutoff) / SPACING));
        }
        for (int z = low[2]; z <= high[2]; z++)
            for (int y = low[1]; y <= high[1]; y++)
                for (int x = low[0]; x <= high[0]; x++) {
                    float dx = atom.x - x * SPACING, dy = atom.y - y * SPACING, dz = atom.z - z * SPACING;
                    float r2 = dx * dx + dy * dy + dz * dz, s = 1 - r2 / cutoff2;
                    if (r2 < cutoff2)
                        want[((size_t)z * n + y) * n + x] += atom.w / sqrtf(r2) * s * s;
                }
    }
    for (int i = 0; i < n * n * n; i++)
        wrong += !(fabs(got[i] - want[i]) <= 1e-4 * fmax(1e-2, want[i]));
    free(want);
    return wrong;
}

int main(int argc, char **argv)
{
    static const struct problem problems[] = {{2, 4, 4.0f}, {5, 3, 6.0f}, {8, 5, 12.0f}};
    const struct problem *p = &problems[parse_size(argc, argv)];
    struct atoms a;
    uint32_t seed = 19;
    int list[MAX_NEIGHBOURS];
    make_atoms(p, &a, &seed);
    int count = find_neighbours(p, &a, list);
    CHECK(cudaMemcpyToSymbol(neighbour_count, &count, sizeof(count)));
    CHECK(cudaMemcpyToSymbol(neighbours, list, count * sizeof(int)));
    int n = p->cubes * CUBE;
    size_t bytes = (size_t)n * n * n * sizeof(float);
    float4 *d_bins =
        (float4 *)device_copy(a.bins, (size_t)a.pitch * a.pitch * a.pitch * BIN_DEPTH * sizeof(float4));
    float *d_lattice = (float *)device_alloc(bytes), *lattice = (float *)host_alloc(bytes);
    int first = a.reach * (a.pitch * a.pitch + a.pitch + 1);
    dim3 block(CUBE, BLOCK_Y, CUBE), grid(p->cubes, p->cubes, p->cubes);
    cutoff_potential<<<grid, block>>>(d_bins + (size_t)first * BIN_DEPTH, a.pitch, a.pitch * a.pitch,
                                      d_lattice, p->cutoff * p->cutoff);
    fetch(lattice, d_lattice, bytes);
    long wrong = compare(p, &a, lattice);
    CHECK(cudaFree(d_bins));
    CHECK(cudaFree(d_lattice));
    free(a.bins), free(a.list), free(lattice);
    return verdict("cutcp", wrong);
}
// SPDX-License-Identifier: Apache-2.0
