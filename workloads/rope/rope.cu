/* Rotary position embedding of queries and keys in bfloat16, in place in the rows that a fused projection leaves: per token 32 heads of
 * queries, 8 of keys (turned) and 8 of values (left alone), of 128 each. A stream of memory with a little arithmetic and a table. */
#include "../norm.h"

#define DIM 128
#define TURNED 40 /* heads */
#define HEADS 48

/* a cos - b sin and b cos + a sin, rounded once. */
static long check(const __nv_bfloat16 *before, const __nv_bfloat16 *after, const float2 *table, int tokens, int length)
{
    long wrong = 0;
    for (int t = 0; t < tokens; t++)
        for (int h = 0; h < HEADS; h++)
            for (int i = 0; i < DIM / 2; i++) {
                size_t at = ((size_t)t * HEADS + h) * DIM + i;
                float2 c = h < TURNED ? table[(size_t)(t % length) * (DIM / 2) + i] : make_float2(1.0f, 0.0f);
                double a = __bfloat162float(before[at]), b = __bfloat162float(before[at + DIM / 2]);
                double x = a * c.x - b * c.y, y = b * c.x + a * c.y, size = fabs(a) + fabs(b);
                wrong += !(fabs(__bfloat162float(after[at]) - x) <= 0x1p-8 * fabs(x) + 1e-6 * size);
                wrong += !(fabs(__bfloat162float(after[at + DIM / 2]) - y) <= 0x1p-8 * fabs(y) + 1e-6 * size);
            }
    return wrong;
}

int main(int argc, char **argv)
{
    static const int tokens_of[] = {32, 2048, 65536}, length_of[] = {16, 1024, 4096};
    int size = parse_size(argc, argv), tokens = tokens_of[size], length = length_of[size];
    size_t n = (size_t)tokens * HEADS * DIM, bytes = n * sizeof(__nv_bfloat16);
    __nv_bfloat16 *x = (__nv_bfloat16 *)host_alloc(bytes), *y = (__nv_bfloat16 *)host_alloc(bytes);
    uint32_t seed = 1729;
    for (size_t i = 0; i < n; i++)
        x[i] = __float2bfloat16(2.0f * next_float(&seed) - 1.0f);
    float2 *table = angles(length, DIM);
    __nv_bfloat162 *d_x = (__nv_bfloat162 *)device_copy(x, bytes);
    float2 *d_table = (float2 *)device_copy(table, (size_t)length * (DIM / 2) * sizeof *table);
    rope<__nv_bfloat162, DIM><<<tokens, TURNED * (DIM / 2 / EIGHT)>>>(d_x, d_table, length, HEADS * DIM);
    fetch(y, d_x, bytes);

    long wrong = check(x, y, table, tokens, length);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_table));
    free(x), free(y), free(table);
    return verdict("rope", wrong);
}
// SPDX-License-Identifier: Apache-2.0
