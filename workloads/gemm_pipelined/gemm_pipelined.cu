/* C = A B in half precision on tensor cores, as Triton's compiler makes a matrix product: CTAs of 128 x 128 with 64 x 64 sums in each of
 * four warps, a pipeline of three stages between global and shared memory. The product itself is in ../pipeline.h. */
#include "../pipeline.h"
#include "../exact.h"

typedef product<128, 128, 32, 2, 2, 3> large_tiles;

int main(int argc, char **argv)
{
    static const int m_of[] = {256, 2048, 4096}, n_of[] = {256, 2048, 4096}, k_of[] = {256, 1024, 4096};
    int size = parse_size(argc, argv), m = m_of[size], n = n_of[size], k = k_of[size];
    struct exact_product p = exact_product(m, n, k, 20260);
    multiply<large_tiles, false>(p.d_a, p.d_b, NULL, p.d_c, m, n, k);
    return verdict("gemm_pipelined", exact_check(&p));
}
// SPDX-License-Identifier: Apache-2.0
