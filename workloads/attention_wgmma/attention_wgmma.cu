/* Causal attention in half precision after FlashAttention 3: a CTA has 128 queries of a head. One warp group copies blocks of 128 keys and
 * values into shared memory (bulk tensor copies, two stages); two multiply, 64 queries each. Scores of the next block and values of
 * the last are under way together while a group has the softmax of its scores in hand, and the groups take turns in front of the
 * tensor cores. Queries, keys and values are operands in shared memory; weights, rounded to halves, are A fragments in registers. */
#include "../attend.h"
#include "../hopper.h"

#define SHARE 4
#define QUERIES 128
#define KEYS 128
#define STAGES 2
#define GROUPS 2 /* that multiply */
#define THREADS ((1 + GROUPS) * GROUP_THREADS)
#define ROWS_B (ROWS_OF_GROUP * LINE_B) /* a group's queries, and its results */
#define BLOCK_B (KEYS * LINE_B)         /* of keys, and of values */
#define SHARED_B (GROUPS * ROWS_B + STAGES * 2 * BLOCK_B)
#define TURN_OF 1 /* the first of the barriers at which a group waits for its turn */

/* Addresses in shared memory. Objects: one for the queries; full and empty, keys and values, for each stage. */
struct places {
    unsigned queries, keys, values;
    unsigned got_queries, keys_full, keys_empty, values_full, values_empty;
};

/* The block on the diagonal first. */
__device__ __forceinline__ void fill(const places &p, const CUtensorMap *q, const CUtensorMap *k, const CUtensorMap *v,
                                     int head, int token, int block)
{
    int x = head / SHARE * DIM;
    object_expect(p.got_queries, GROUPS * ROWS_B);
    copy_box(p.queries, q, head * DIM, token + block * QUERIES, p.got_queries);
    struct turn t = {0, 1};
#pragma unroll 1
    for (int b = block; b >= 0; b--, t.next(STAGES)) {
        unsigned at = t.stage * 8, to = t.stage * BLOCK_B;
        object_wait(p.keys_empty + at, t.parity);
        object_expect(p.keys_full + at, BLOCK_B);
        copy_box(p.keys + to, k, x, token + b * KEYS, p.keys_full + at);
        object_wait(p.values_empty + at, t.parity);
        object_expect(p.values_full + at, BLOCK_B);
        copy_box(p.values + to, v, x, token + b * KEYS, p.values_full + at);
    }
}

/* s = scores of the group's queries and the keys of a stage. */
__device__ __forceinline__ void score(float (&s)[64], uint64_t q, unsigned keys)
{
    uint64_t k = along_k(keys);
#pragma unroll
    for (int d = 0; d < DIM / KPIECE; d++)
        multiply_64_128(s, q + d * K_STEP, k + d * K_STEP, d > 0);
    products_commit();
}

__device__ __forceinline__ void add_values(float (&o)[32], const unsigned (&w)[32], unsigned values)
{
    uint64_t v = along_columns(values, 0);
#pragma unroll
    for (int k = 0; k < KEYS / KPIECE; k++)
        multiply_64_64(o, w + k * 4, v + k * COLUMNS_STEP, 1);
    products_commit();
}

/* Keys after a query do not count for it. */
__device__ __forceinline__ void mask_later(float (&s)[64], int group)
{
    int row = group * ROWS_OF_GROUP + threadIdx.x % GROUP_THREADS / 32 * 16 + threadIdx.x % 32 / 4;
    int col = threadIdx.x % 4 * 2;
#pragma unroll
    for (int i = 0; i < 64; i++)
        if (i / 4 * 8 + col + i % 2 > row + i / 2 % 2 * 8)
            s[i] = -INFINITY;
}

/* Rows i (0, 1: eight apart) of the thread's scores become weights; the result is what sums before are scaled by. */
__device__ __forceinline__ float soften(float (&s)[64], float *top, float *total, int i, float scale)
{
    float now = *top;
#pragma unroll
    for (int j = 2 * i; j < 64; j += 4)
        now = fmaxf(now, fmaxf(s[j], s[j + 1]));
    now = quad_max(now);
    float shrink = power_of_two((*top - now) * scale), less = now * scale, sum = 0.0f;
#pragma unroll
    for (int j = 2 * i; j < 64; j += 4) {
        sum += s[j] = power_of_two(fmaf(s[j], scale, -less));
        sum += s[j + 1] = power_of_two(fmaf(s[j + 1], scale, -less));
    }
    *total = *total * shrink + sum;
    *top = now;
    return shrink;
}

/* Sums of one product are, rounded, the A fragments of the next. */
__device__ __forceinline__ void pack_weights(unsigned (&w)[32], const float (&s)[64])
{
#pragma unroll
    for (int i = 0; i < 32; i++)
        w[i] = pack_halves(s[2 * i], s[2 * i + 1]);
}

__device__ __forceinline__ void give_back(unsigned object)
{
    if (threadIdx.x % GROUP_THREADS == 0)
        object_arrive(object);
}

/* o, not yet divided by the sums of weights. */
__device__ __forceinline__ void attend(float (&o)[32], float (&total)[2], const places &p, int group, int blocks, float scale)
{
    float s[64], top[2] = {-INFINITY, -INFINITY};
    unsigned w[32];
    uint64_t q = along_k(p.queries + group * ROWS_B);
    int mine = TURN_OF + group, other = TURN_OF + !group;
    if (group == 1)
        pass(other, GROUPS * GROUP_THREADS); /* the first turn is group 0's */

    object_wait(p.got_queries, 0);
    object_wait(p.keys_full, 0);
    meet(mine, GROUPS * GROUP_THREADS);
    products_begin();
    score(s, q, p.keys);
    pass(other, GROUPS * GROUP_THREADS);
    products_wait<0>();
    give_back(p.keys_empty);
    mask_later(s, group);
    for (int i = 0; i < 2; i++)
        soften(s, &top[i], &total[i], i, scale);
    pack_weights(w, s);

    struct turn k = {0, 0}, v = k;
    k.next(STAGES);
#pragma unroll 1
    for (int b = 1; b < blocks; b++, k.next(STAGES), v.next(STAGES)) {
        object_wait(p.keys_full + k.stage * 8, k.parity);
        meet(mine, GROUPS * GROUP_THREADS);
        products_begin();
        score(s, q, p.keys + k.stage * BLOCK_B);
        object_wait(p.values_full + v.stage * 8, v.parity);
        add_values(o, w, p.values + v.stage * BLOCK_B);
        pass(other, GROUPS * GROUP_THREADS);
        products_wait<1>();
        give_back(p.keys_empty + k.stage * 8);
        float low = soften(s, &top[0], &total[0], 0, scale), high = soften(s, &top[1], &total[1], 1, scale);
        products_wait<0>();
        give_back(p.values_empty + v.stage * 8);
#pragma unroll
        for (int i = 0; i < 32; i++)
            o[i] *= i / 2 % 2 ? high : low;
        pack_weights(w, s);
    }
    object_wait(p.values_full + v.stage * 8, v.parity);
    if (group == 0) /* nobody takes the turn after group 1's last */
        meet(mine, GROUPS * GROUP_THREADS);
    products_begin();
    add_values(o, w, p.values + v.stage * BLOCK_B);
    products_wait<0>();
}

/* The grid is heads, sequences, blocks of queries, those with most keys first. scale: 1 / sqrt(DIM), times log2(e). */
__global__ void __launch_bounds__(THREADS, 1)
    attention_wgmma(const __grid_constant__ CUtensorMap q, const __grid_constant__ CUtensorMap k,
                    const __grid_constant__ CUtensorMap v, const __grid_constant__ CUtensorMap out, float scale)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    __shared__ uint64_t objects[1 + 4 * STAGES];
    unsigned base = shared_address(shared), first = shared_address(objects);
    places p = {base, base + GROUPS * ROWS_B, base + GROUPS * ROWS_B + STAGES * BLOCK_B, first};
    p.keys_full = first + 8, p.keys_empty = p.keys_full + STAGES * 8;
    p.values_full = p.keys_empty + STAGES * 8, p.values_empty = p.values_full + STAGES * 8;
    int head = blockIdx.x, block = gridDim.z - 1 - blockIdx.z, token = blockIdx.y * gridDim.z * QUERIES;
    int group = (int)threadIdx.x / GROUP_THREADS - 1;
    if (threadIdx.x == 0) {
        object_init(p.got_queries, 1);
        for (int s = 0; s < STAGES * 8; s += 8) {
            object_init(p.keys_full + s, 1);
            object_init(p.keys_empty + s, GROUPS);
            object_init(p.values_full + s, 1);
            object_init(p.values_empty + s, GROUPS);
        }
        objects_ready();
    }
    __syncthreads();
    if (group < 0) {
        give_registers<40>();
        if (threadIdx.x == 0)
            fill(p, &q, &k, &v, head, token, block);
    } else {
        take_registers<232>();
        float o[32] = {}, total[2] = {};
        attend(o, total, p, group, block + 1, scale);
        /* The group has read its queries: their place is free. */
        put_sums(p.queries + group * ROWS_B, o, __fdividef(1.0f, quad_sum(total[0])), __fdividef(1.0f, quad_sum(total[1])));
        shared_written();
        meet(TURN_OF + GROUPS + group, GROUP_THREADS);
        if (threadIdx.x % GROUP_THREADS == 0) {
            store_box(&out, head * DIM, token + block * QUERIES + group * ROWS_OF_GROUP, p.queries + group * ROWS_B);
            stores_read();
        }
    }
}

int main(int argc, char **argv)
{
    static const int sequences_of[] = {1, 2, 4}, heads_of[] = {4, 16, 32}, length_of[] = {256, 1024, 2048};
    int size = parse_size(argc, argv), heads = heads_of[size], length = length_of[size];
    struct causal c = causal(sequences_of[size], heads, length, SHARE);
    int tokens = c.sequences * length, row = heads * DIM;
    CUtensorMap q = matrix_map(c.d_q, row, tokens, QUERIES), k = matrix_map(c.d_k, row / SHARE, tokens, KEYS);
    CUtensorMap v = matrix_map(c.d_v, row / SHARE, tokens, KEYS), o = matrix_map(c.d_o, row, tokens, ROWS_OF_GROUP);
    CHECK(cudaFuncSetAttribute(attention_wgmma, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_B));
    attention_wgmma<<<dim3(heads, c.sequences, length / QUERIES), THREADS, SHARED_B>>>(q, k, v, o, 0.125f * LOG2_E);
    return verdict("attention_wgmma", causal_check(&c));
}
// SPDX-License-Identifier: Apache-2.0
