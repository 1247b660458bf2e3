/* nvcuda::wmma: matrix tiles that a warp holds together, and their products on tensor cores.
 *
 * A fragment's x[] is what wmma.load leaves in this lane's registers. Which matrix element x[i] is, is unspecified, as on
 * hardware; what programs may rely on holds: the same for equal fragment types, and for accumulators of one shape whatever
 * their element type. The work is done by clang's builtins and not by inline PTX, so that the compiler still sees which
 * memory a pointer refers to. */
#ifndef BANKSHOT_MMA_H
#define BANKSHOT_MMA_H

#include "host_defines.h"
__BANKSHOT_LINES_OFF

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#if defined(__cplusplus) && defined(__CUDA__)

#define __WMMA_FN static __device__ inline __attribute__((always_inline, unused))

namespace nvcuda
{
namespace wmma
{

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

namespace precision
{
struct tf32;
}

namespace experimental
{
namespace precision
{
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

namespace __detail
{

/* The immediate that stands for a layout in PTX builtins; that of a product is 2 A + B. */
template <typename L> struct layout_code;
template <> struct layout_code<row_major> {
    static const int value = 0;
};
template <> struct layout_code<col_major> {
    static const int value = 1;
};
template <typename LA, typename LB> struct layouts {
    static const int value = 2 * layout_code<LA>::value + layout_code<LB>::value;
};

/* What x[] holds: elements, but for those narrower than a byte the words that pack them. */
template <typename T> struct stored {
    typedef T element, storage;
};
template <> struct stored<precision::tf32> {
    typedef float element, storage;
};
template <> struct stored<experimental::precision::u4> {
    typedef unsigned element;
    typedef int storage;
};
template <> struct stored<experimental::precision::s4> {
    typedef int element, storage;
};
template <> struct stored<experimental::precision::b1> {
    typedef unsigned element;
    typedef int storage;
};

/* The builtins move whole registers, hence the alignment. */
template <typename T, int N, int Words = N> struct __attribute__((aligned(8))) frag_base {
    typedef typename stored<T>::element element_type;
    typedef typename stored<T>::storage storage_element_type;
    enum { num_elements = N, num_storage_elements = Words };
    storage_element_type x[Words];
};

} // namespace __detail

template <typename Use, int m, int n, int k, typename T, typename Layout = void> class fragment;

template <typename Use, int m, int n, int k, typename T, typename Layout>
__WMMA_FN void fill_fragment(fragment<Use, m, n, k, T, Layout> &f,
                             const typename __detail::stored<T>::storage &v)
{
#pragma unroll
    for (int i = 0; i < (int)fragment<Use, m, n, k, T, Layout>::num_storage_elements; i++)
        f.x[i] = v;
}

/* An operand fragment and its load. ELEM: the type in memory, REG: what the builtin counts registers in. */
#define __WMMA_OPERAND(USE, M, N, K, T, COUNT, WORDS, ELEM, REG, LOAD)                                       \
    template <typename L> class fragment<USE, M, N, K, T, L> : public __detail::frag_base<T, COUNT, WORDS>   \
    {                                                                                                        \
    };                                                                                                       \
    template <typename L>                                                                                    \
    __WMMA_FN void load_matrix_sync(fragment<USE, M, N, K, T, L> &f, const ELEM *p, unsigned ldm)            \
    {                                                                                                        \
        LOAD((REG *)f.x, (const REG *)p, ldm, __detail::layout_code<L>::value);                              \
    }

#define __WMMA_ACCUMULATOR(M, N, K, T, COUNT, REG, LOAD, STORE)                                              \
    template <> class fragment<accumulator, M, N, K, T, void> : public __detail::frag_base<T, COUNT>         \
    {                                                                                                        \
    };                                                                                                       \
    __WMMA_FN void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p, unsigned ldm,          \
                                    layout_t layout)                                                         \
    {                                                                                                        \
        if (layout == mem_row_major)                                                                         \
            LOAD((REG *)f.x, (const REG *)p, ldm, 0);                                                        \
        else                                                                                                 \
            LOAD((REG *)f.x, (const REG *)p, ldm, 1);                                                        \
    }                                                                                                        \
    __WMMA_FN void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f, unsigned ldm,         \
                                     layout_t layout)                                                        \
    {                                                                                                        \
        if (layout == mem_row_major)                                                                         \
            STORE((REG *)p, (REG *)f.x, ldm, 0);                                                             \
        else                                                                                                 \
            STORE((REG *)p, (REG *)f.x, ldm, 1);                                                             \
    }

/* d = a * b + c; TAB: element type of a and b. SAT: argument that asks for saturation, or none. */
#define __WMMA_PRODUCT(M, N, K, TD, TAB, TC, RD, RAB, RC, MMA)                                               \
    template <typename LA, typename LB>                                                                      \
    __WMMA_FN void mma_sync(                                                                                 \
        fragment<accumulator, M, N, K, TD> &d, const fragment<matrix_a, M, N, K, TAB, LA> &a,                \
        const fragment<matrix_b, M, N, K, TAB, LB> &b, const fragment<accumulator, M, N, K, TC> &c)          \
    {                                                                                                        \
        MMA((RD *)d.x, (const RAB *)a.x, (const RAB *)b.x, (const RC *)c.x,                                  \
            (__detail::layouts<LA, LB>::value), 0);                                                          \
    }

#define __WMMA_PRODUCT_SAT(M, N, K, TAB, MMA)                                                                \
    template <typename LA, typename LB>                                                                      \
    __WMMA_FN void mma_sync(fragment<accumulator, M, N, K, int> &d,                                          \
                            const fragment<matrix_a, M, N, K, TAB, LA> &a,                                   \
                            const fragment<matrix_b, M, N, K, TAB, LB> &b,                                   \
                            const fragment<accumulator, M, N, K, int> &c, bool satf = false)                 \
    {                                                                                                        \
        if (satf)                                                                                            \
            MMA(d.x, (const int *)a.x, (const int *)b.x, c.x, (__detail::layouts<LA, LB>::value), 1);        \
        else                                                                                                 \
            MMA(d.x, (const int *)a.x, (const int *)b.x, c.x, (__detail::layouts<LA, LB>::value), 0);        \
    }

/* f16, bf16 and bytes come in three shapes of 256 results and k = 16. NA, NB: elements of a and b per lane (those of f16
 * are held twice, so always 16). */
#define __WMMA_SHAPE(M, N, S, NA, NB)                                                                        \
    __WMMA_OPERAND(matrix_a, M, N, 16, __half, 16, 16, __half, int, __hmma_##S##_ld_a)                       \
    __WMMA_OPERAND(matrix_b, M, N, 16, __half, 16, 16, __half, int, __hmma_##S##_ld_b)                       \
    __WMMA_OPERAND(matrix_a, M, N, 16, __nv_bfloat16, NA, NA, __nv_bfloat16, int, __mma_bf16_##S##_ld_a)     \
    __WMMA_OPERAND(matrix_b, M, N, 16, __nv_bfloat16, NB, NB, __nv_bfloat16, int, __mma_bf16_##S##_ld_b)     \
    __WMMA_OPERAND(matrix_a, M, N, 16, signed char, NA, NA, signed char, int, __imma_##S##_ld_a_s8)          \
    __WMMA_OPERAND(matrix_b, M, N, 16, signed char, NB, NB, signed char, int, __imma_##S##_ld_b_s8)          \
    __WMMA_OPERAND(matrix_a, M, N, 16, unsigned char, NA, NA, unsigned char, int, __imma_##S##_ld_a_u8)      \
    __WMMA_OPERAND(matrix_b, M, N, 16, unsigned char, NB, NB, unsigned char, int, __imma_##S##_ld_b_u8)      \
    __WMMA_ACCUMULATOR(M, N, 16, __half, 8, int, __hmma_##S##_ld_c_f16, __hmma_##S##_st_c_f16)               \
    __WMMA_ACCUMULATOR(M, N, 16, float, 8, float, __hmma_##S##_ld_c_f32, __hmma_##S##_st_c_f32)              \
    __WMMA_ACCUMULATOR(M, N, 16, int, 8, int, __imma_##S##_ld_c, __imma_##S##_st_c_i32)                      \
    __WMMA_PRODUCT(M, N, 16, __half, __half, __half, int, int, int, __hmma_##S##_mma_f16f16)                 \
    __WMMA_PRODUCT(M, N, 16, float, __half, __half, float, int, int, __hmma_##S##_mma_f32f16)                \
    __WMMA_PRODUCT(M, N, 16, __half, __half, float, int, int, float, __hmma_##S##_mma_f16f32)                \
    __WMMA_PRODUCT(M, N, 16, float, __half, float, float, int, float, __hmma_##S##_mma_f32f32)               \
    __WMMA_PRODUCT_BF16(M, N, S)                                                                             \
    __WMMA_PRODUCT_SAT(M, N, 16, signed char, __imma_##S##_mma_s8)                                           \
    __WMMA_PRODUCT_SAT(M, N, 16, unsigned char, __imma_##S##_mma_u8)

#define __WMMA_PRODUCT_BF16(M, N, S)                                                                         \
    __WMMA_PRODUCT(M, N, 16, float, __nv_bfloat16, float, float, int, float, __mma_bf16_##S##_mma_f32)

__WMMA_SHAPE(16, 16, m16n16k16, 8, 8)
__WMMA_SHAPE(32, 8, m32n8k16, 16, 4)
__WMMA_SHAPE(8, 32, m8n32k16, 4, 16)

__WMMA_OPERAND(matrix_a, 16, 16, 8, precision::tf32, 4, 4, float, int, __mma_tf32_m16n16k8_ld_a)
__WMMA_OPERAND(matrix_b, 16, 16, 8, precision::tf32, 4, 4, float, int, __mma_tf32_m16n16k8_ld_b)
__WMMA_ACCUMULATOR(16, 16, 8, float, 8, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
__WMMA_PRODUCT(16, 16, 8, float, precision::tf32, float, float, int, float, __mma_tf32_m16n16k8_mma_f32)

__WMMA_OPERAND(matrix_a, 8, 8, 4, double, 1, 1, double, double, __dmma_m8n8k4_ld_a)
__WMMA_OPERAND(matrix_b, 8, 8, 4, double, 1, 1, double, double, __dmma_m8n8k4_ld_b)
__WMMA_ACCUMULATOR(8, 8, 4, double, 2, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
__WMMA_PRODUCT(8, 8, 4, double, double, double, double, double, double, __dmma_m8n8k4_mma_f64)

__WMMA_OPERAND(matrix_a, 8, 8, 32, experimental::precision::s4, 8, 1, void, int, __imma_m8n8k32_ld_a_s4)
__WMMA_OPERAND(matrix_b, 8, 8, 32, experimental::precision::s4, 8, 1, void, int, __imma_m8n8k32_ld_b_s4)
__WMMA_OPERAND(matrix_a, 8, 8, 32, experimental::precision::u4, 8, 1, void, int, __imma_m8n8k32_ld_a_u4)
__WMMA_OPERAND(matrix_b, 8, 8, 32, experimental::precision::u4, 8, 1, void, int, __imma_m8n8k32_ld_b_u4)
__WMMA_ACCUMULATOR(8, 8, 32, int, 2, int, __imma_m8n8k32_ld_c, __imma_m8n8k32_st_c_i32)
__WMMA_OPERAND(matrix_a, 8, 8, 128, experimental::precision::b1, 32, 1, void, int, __bmma_m8n8k128_ld_a_b1)
__WMMA_OPERAND(matrix_b, 8, 8, 128, experimental::precision::b1, 32, 1, void, int, __bmma_m8n8k128_ld_b_b1)
__WMMA_ACCUMULATOR(8, 8, 128, int, 2, int, __bmma_m8n8k128_ld_c, __bmma_m8n8k128_st_c_i32)

/* Below a byte only a by rows and b by columns exist: code 1. */
#define __WMMA_PRODUCT_S4(TAB, MMA)                                                                          \
    __WMMA_FN void mma_sync(fragment<accumulator, 8, 8, 32, int> &d,                                         \
                            const fragment<matrix_a, 8, 8, 32, TAB, row_major> &a,                           \
                            const fragment<matrix_b, 8, 8, 32, TAB, col_major> &b,                           \
                            const fragment<accumulator, 8, 8, 32, int> &c, bool satf = false)                \
    {                                                                                                        \
        if (satf)                                                                                            \
            MMA(d.x, a.x, b.x, c.x, 1, 1);                                                                   \
        else                                                                                                 \
            MMA(d.x, a.x, b.x, c.x, 1, 0);                                                                   \
    }
__WMMA_PRODUCT_S4(experimental::precision::s4, __imma_m8n8k32_mma_s4)
__WMMA_PRODUCT_S4(experimental::precision::u4, __imma_m8n8k32_mma_u4)

__WMMA_FN void bmma_sync(fragment<accumulator, 8, 8, 128, int> &d,
                         const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
                         const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
                         const fragment<accumulator, 8, 8, 128, int> &c,
                         experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                         experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC)
{
    if (op == experimental::bmmaBitOpXOR)
        __bmma_m8n8k128_mma_xor_popc_b1(d.x, a.x, b.x, c.x, 1);
    else
        __bmma_m8n8k128_mma_and_popc_b1(d.x, a.x, b.x, c.x, 1);
}

/* f32 rounded to the 10 fraction bits of tf32, to nearest, ties away from zero. */
__WMMA_FN float __float_to_tf32(float x)
{
    int bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return __builtin_bit_cast(float, bits);
}

namespace experimental
{
using wmma::bmma_sync;
using wmma::fill_fragment;
using wmma::load_matrix_sync;
using wmma::mma_sync;
using wmma::store_matrix_sync;
} // namespace experimental

#undef __WMMA_OPERAND
#undef __WMMA_ACCUMULATOR
#undef __WMMA_PRODUCT
#undef __WMMA_PRODUCT_BF16
#undef __WMMA_PRODUCT_SAT
#undef __WMMA_PRODUCT_S4
#undef __WMMA_SHAPE

} // namespace wmma
} // namespace nvcuda

#undef __WMMA_FN

#endif
__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
