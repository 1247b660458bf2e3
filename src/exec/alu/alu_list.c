/* SPDX-License-Identifier: Apache-2.0 */
/* The builds of the ALU, best first, each with its test of the host. Compiled once; alu.cmake says which exist. */
#include "exec/xop.h"

#define BUILD(v)                                                                                             \
    xfn alu_select_##v(const struct ir_insn *i);                                                             \
    void alu_gmma_##v(const struct xop *x, struct xwarp *w, const struct gmma *g);                           \
    static const struct xalu build_##v = {#v, has_##v, alu_select_##v, alu_gmma_##v};

#ifdef EXEC_ALU_AVX512
static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("fma");
}
BUILD(avx512)
#endif
#ifdef EXEC_ALU_AVX2
static bool has_avx2(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
BUILD(avx2)
#endif
#ifdef EXEC_ALU_NEON
static bool has_neon(void) { return true; } /* part of aarch64 */
BUILD(neon)
#endif
static bool has_plain(void) { return true; }
BUILD(plain)

const struct xalu *const exec_alus[] = {
#ifdef EXEC_ALU_AVX512
    &build_avx512,
#endif
#ifdef EXEC_ALU_AVX2
    &build_avx2,
#endif
#ifdef EXEC_ALU_NEON
    &build_neon,
#endif
    &build_plain,  NULL,
};
