/* What the headers of <cuda/...> share: scopes, memory orders, cuda::std. */
#ifndef BANKSHOT_CUDA_SCOPE_H
#define BANKSHOT_CUDA_SCOPE_H

#include <cuda_runtime.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#define __BANKSHOT_DEV __device__ inline __attribute__((always_inline))
#define __BANKSHOT_BOTH __host__ __device__ inline __attribute__((always_inline))

namespace cuda
{

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };

/* What is constexpr in the standard library runs on both sides. */
namespace std
{
using namespace ::std;
}

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

/* A number of bytes which, as both addresses, is a multiple of N. */
template <::std::size_t N> struct aligned_size_t {
    static constexpr ::std::size_t align = N;
    ::std::size_t value;
    __BANKSHOT_BOTH explicit constexpr aligned_size_t(::std::size_t n) : value(n) {}
    __BANKSHOT_BOTH constexpr operator ::std::size_t() const { return value; }
};

namespace __detail
{

__BANKSHOT_DEV unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

/* The scope as __nv_atomic functions have it. */
__BANKSHOT_BOTH constexpr int nv_scope(thread_scope s)
{
    return s == thread_scope_thread ? 0 : s == thread_scope_block ? 1 : s == thread_scope_device ? 3 : 4;
}

} // namespace __detail
} // namespace cuda
#endif
/* SPDX-License-Identifier: Apache-2.0 */
