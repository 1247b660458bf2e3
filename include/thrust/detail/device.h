/* What algorithms on the device are made of: a loop as a kernel, CUB's two calls as one, and memory for as long as it is needed. */
#ifndef BANKSHOT_THRUST_DEVICE
#define BANKSHOT_THRUST_DEVICE

#include <cub/util_ptx.cuh>
#include <thrust/detail/iterators.h>

namespace thrust
{
namespace detail
{
enum { LOOP_THREADS = 256, LOOP_ITEMS = 2 };

/* f(i) for each i below n. */
template <typename F> __CUB_KERNEL(LOOP_THREADS) loop_kernel(F f, std::ptrdiff_t n)
{
    std::ptrdiff_t first = (std::ptrdiff_t)blockIdx.x * LOOP_THREADS * LOOP_ITEMS + threadIdx.x;
#pragma unroll
    for (int k = 0; k < LOOP_ITEMS; k++)
        if (first + k * LOOP_THREADS < n)
            f(first + k * LOOP_THREADS);
}
template <typename F> void loop(const on_device &policy, std::ptrdiff_t n, F f)
{
    if (n > 0)
        loop_kernel<<<(unsigned)((n + LOOP_THREADS * LOOP_ITEMS - 1) / (LOOP_THREADS * LOOP_ITEMS)), LOOP_THREADS, 0, policy.stream>>>(
                f, n);
    policy.done();
}
template <typename F> __THRUST_BOTH void loop(const sequential &, std::ptrdiff_t n, F f)
{
    for (std::ptrdiff_t i = 0; i < n; i++)
        f(i);
}
/* Iterators for the loop of a policy: kernels take plain pointers. */
template <typename It> auto for_loop(const on_device &, const It &it) { return raw(it); }
template <typename It> __THRUST_BOTH It for_loop(const sequential &, const It &it) { return it; }

template <typename T> class device_array
{
    T *at;

  public:
    explicit device_array(std::size_t n) { check(cudaMalloc((void **)&at, (n ? n : 1) * sizeof(T))); }
    device_array(const device_array &) = delete;
    ~device_array() { cudaFree((void *)at); }
    T *get() const { return at; }
    T first() const
    {
        alignas(T) unsigned char bytes[sizeof(T)];
        check(cudaMemcpy(bytes, (void *)at, sizeof(T), cudaMemcpyDeviceToHost));
        return reinterpret_cast<T &>(bytes);
    }
};

/* call(temporary memory, its size) in its two steps. */
template <typename Call> void with_temp(const on_device &policy, Call call)
{
    std::size_t bytes = 0;
    check(call(nullptr, bytes));
    device_array<char> temp(bytes);
    check(call(temp.get(), bytes));
    policy.done();
}
} // namespace detail
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
