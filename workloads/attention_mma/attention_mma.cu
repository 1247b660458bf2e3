/* Causal attention in half precision on tensor cores after FlashAttention 2: many heads of 64, four of which share their keys and values.
 * The kernel is in ../flash.h. */
#include "../flash.h"

#define SHARE 4

int main(int argc, char **argv)
{
    static const int sequences_of[] = {1, 2, 4}, heads_of[] = {4, 16, 32}, length_of[] = {128, 1024, 2048};
    int size = parse_size(argc, argv), heads = heads_of[size], length = length_of[size];
    struct causal c = causal(sequences_of[size], heads, length, SHARE);
    attention_mma<true><<<dim3(length / QUERIES, heads, c.sequences), WARPS * 32>>>(
        c.d_q, c.d_k, c.d_v, c.d_o, length, heads * DIM, heads / SHARE * DIM, heads * DIM, SHARE, 0.125f * LOG2_E);
    return verdict("attention_mma", causal_check(&c));
}
// SPDX-License-Identifier: Apache-2.0
