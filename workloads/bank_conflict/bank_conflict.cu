/* Seven loops of arithmetic whose operands fall into chosen banks of the register file (Barnes et al.,
 * "Mitigating GPU Core Partitioning Performance Effects", Section V, validate the number of collectors with
 * seven such kernels). Operands are elements of float4 values that come from and go to memory in one access,
 * which ties x, y, z, w to four consecutive registers from a multiple of four on: with two banks, x and z are
 * in the one and y and w in the other, whatever a compiler prefers.
 *
 *   1  3 sources, two in one bank, one in the other    5  2 sources in two banks
 *   2  3 sources in one bank, for all instructions     6  1, 2 and 3 sources, all in one bank
 *   3  3 sources in one bank, the banks in turn        7  3 sources in one bank, half of the warps in each
 *   4  2 sources in one bank */
#include "../workload.h"

#define BLOCK 256
#define QUADS 8 /* accumulators of a thread, in float4 */

/* a and b do not change; each accumulator's elements are changed at most once in an iteration, which keeps
 * them in place. */
struct state {
    float4 a, b, c[QUADS];
};

enum step { SPREAD, EVEN, ODD, TURNS, TWO_SAME, TWO_APART, MIXED };

template <enum step STEP> __host__ __device__ __forceinline__ void advance(struct state *s)
{
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        float4 *c = &s->c[k];
        switch (STEP) {
        case SPREAD:
            c->x = fmaf(c->x, s->a.y, s->b.x);
            c->y = fmaf(c->y, s->a.x, s->b.y);
            break;
        case EVEN:
            c->x = fmaf(c->x, s->a.x, s->b.x);
            c->z = fmaf(c->z, s->a.z, s->b.z);
            break;
        case ODD:
            c->y = fmaf(c->y, s->a.y, s->b.y);
            c->w = fmaf(c->w, s->a.w, s->b.w);
            break;
        case TURNS:
            c->x = fmaf(c->x, s->a.x, s->b.x);
            c->y = fmaf(c->y, s->a.y, s->b.y);
            break;
        case TWO_SAME:
            c->x += s->a.x;
            c->z += s->b.z;
            break;
        case TWO_APART:
            c->x += s->a.y;
            c->z += s->b.w;
            break;
        case MIXED:
            c->x = fmaf(c->x, s->a.x, s->b.x);
            c->z = k % 2 ? c->z + s->a.z : c->z * 0.75f;
            break;
        }
    }
}

template <enum step STEP> __host__ __device__ __forceinline__ void repeat(struct state *s, int n)
{
#pragma unroll 1
    for (int i = 0; i < n; i++)
        advance<STEP>(s);
}

/* The warps of a partition are four apart, and both kinds of kernel 7 shall be among them. */
template <int KERNEL> __host__ __device__ __forceinline__ void work(struct state *s, int n, int warp)
{
    if (KERNEL == 1)
        repeat<SPREAD>(s, n);
    else if (KERNEL == 2)
        repeat<EVEN>(s, n);
    else if (KERNEL == 3)
        repeat<TURNS>(s, n);
    else if (KERNEL == 4)
        repeat<TWO_SAME>(s, n);
    else if (KERNEL == 5)
        repeat<TWO_APART>(s, n);
    else if (KERNEL == 6)
        repeat<MIXED>(s, n);
    else if (warp / 4 % 2 == 0)
        repeat<EVEN>(s, n);
    else
        repeat<ODD>(s, n);
}

/* By elements: a copy of the whole would let clang keep unused elements out of registers, and load the others
 * one by one. */
__device__ __forceinline__ float4 load(const float4 *from)
{
    return make_float4(from->x, from->y, from->z, from->w);
}

__device__ __forceinline__ void store(float4 *to, float4 v)
{
    to->x = v.x, to->y = v.y, to->z = v.z, to->w = v.w;
}

template <int KERNEL> __global__ void bank_conflict(const float4 *in, float4 *out, int steps)
{
    struct state s;
    s.a = load(&in[threadIdx.x]);
    s.b = load(&in[BLOCK + threadIdx.x]);
#pragma unroll
    for (int k = 0; k < QUADS; k++)
        s.c[k] = load(&in[(k + 2) * BLOCK + threadIdx.x]);
    work<KERNEL>(&s, steps, threadIdx.x / 32);
    out += (size_t)blockIdx.x * (QUADS + 2) * BLOCK + threadIdx.x;
    store(&out[0], s.a);
    store(&out[BLOCK], s.b);
#pragma unroll
    for (int k = 0; k < QUADS; k++)
        store(&out[(k + 2) * BLOCK], s.c[k]);
}

template <int KERNEL> static long run(const float4 *in, int ctas, int steps)
{
    const size_t per_cta = (QUADS + 2) * BLOCK;
    float4 *out = (float4 *)host_alloc(ctas * per_cta * sizeof *out);
    float4 *d_in = (float4 *)device_copy(in, per_cta * sizeof *in);
    float4 *d_out = (float4 *)device_alloc(ctas * per_cta * sizeof *out);
    bank_conflict<KERNEL><<<ctas, BLOCK>>>(d_in, d_out, steps);
    fetch(out, d_out, ctas * per_cta * sizeof *out);

    long wrong = 0;
    for (int i = 0; i < BLOCK; i++) {
        struct state s = {in[i], in[BLOCK + i], {}};
        for (int k = 0; k < QUADS; k++)
            s.c[k] = in[(k + 2) * BLOCK + i];
        work<KERNEL>(&s, steps, i / 32);
        for (int cta = 0; cta < ctas; cta++)
            for (int k = 0; k < QUADS + 2; k++) {
                const float4 *want = k == 0 ? &s.a : k == 1 ? &s.b : &s.c[k - 2];
                wrong += memcmp(&out[cta * per_cta + k * BLOCK + i], want, sizeof *want) != 0;
            }
    }
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    free(out);
    return wrong;
}

int main(int argc, char **argv)
{
    static const int ctas_of[] = {4, 160, 960}, steps_of[] = {96, 256, 512};
    int kernel = 1;
    const struct choice options[] = {{"kernel", NULL, &kernel}};
    int size = parse_args(argc, argv, options, 1), ctas = ctas_of[size], steps = steps_of[size];

    static float4 in[(QUADS + 2) * BLOCK];
    float *words = (float *)in;
    uint32_t seed = 161803;
    for (size_t i = 0; i < sizeof in / (sizeof *words); i++)
        words[i] = 0.5f + 0.5f * next_float(&seed);
    switch (kernel) {
    case 1: return verdict("bank_conflict", run<1>(in, ctas, steps));
    case 2: return verdict("bank_conflict", run<2>(in, ctas, steps));
    case 3: return verdict("bank_conflict", run<3>(in, ctas, steps));
    case 4: return verdict("bank_conflict", run<4>(in, ctas, steps));
    case 5: return verdict("bank_conflict", run<5>(in, ctas, steps));
    case 6: return verdict("bank_conflict", run<6>(in, ctas, steps));
    case 7: return verdict("bank_conflict", run<7>(in, ctas, steps));
    }
    fprintf(stderr, "bank_conflict: --kernel is 1 to 7\n");
    return 2;
}
// SPDX-License-Identifier: Apache-2.0
