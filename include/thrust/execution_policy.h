/* Where an algorithm runs: by a policy, or by the iterators it is given. Host and sequential algorithms are loops; those of the
 * device launch kernels and wait for them. */
#ifndef BANKSHOT_THRUST_EXECUTION_POLICY
#define BANKSHOT_THRUST_EXECUTION_POLICY

#include <thrust/detail/config.h>

namespace thrust
{
struct host_system_tag {};
struct device_system_tag {};
struct any_system_tag {};

namespace detail
{
struct policy_base {};

struct sequential : policy_base {
    template <typename Allocator> sequential operator()(Allocator &&) const { return *this; }
};

struct on_device : policy_base {
    cudaStream_t stream;
    bool waits;
    constexpr __host__ __device__ on_device(cudaStream_t s = 0, bool w = true) : policy_base(), stream(s), waits(w) {}
    on_device on(cudaStream_t s) const { return on_device(s, waits); }
    template <typename Allocator> on_device operator()(Allocator &&) const { return *this; }
    /* After what was launched. */
    void done() const
    {
        check(cudaPeekAtLastError());
        if (waits)
            check(cudaStreamSynchronize(stream));
    }
};

template <typename T> using is_policy = std::is_base_of<policy_base, T>;

/* The system of an argument: void for what is no iterator. */
template <typename T, typename = void> struct system_of {
    typedef void type;
};
template <typename T> struct system_of<T, typename std::enable_if<std::is_same<typename T::system, typename T::system>::value>::type> {
    typedef typename T::system type;
};
template <typename T> struct system_of<T *, void> {
    typedef host_system_tag type;
};
template <typename T, typename = void> struct is_foreign_iterator : std::false_type {};
template <typename T> struct is_foreign_iterator<T, typename std::enable_if<!std::is_void<typename T::iterator_category>::value>::type>
    : std::is_void<typename system_of<T>::type> {};

template <typename T> constexpr bool is_device = std::is_same<typename system_of<T>::type, device_system_tag>::value;
template <typename T>
constexpr bool is_host = std::is_same<typename system_of<T>::type, host_system_tag>::value || is_foreign_iterator<T>::value;

/* The device's if any argument is there, else the host's. */
template <typename... T> using policy_of = typename std::conditional<(is_device<T> || ...), on_device, sequential>::type;
/* The same as a system, with "any" where no argument has one. */
template <typename... T>
using common_system = typename std::conditional<(is_device<T> || ...), device_system_tag,
        typename std::conditional<(is_host<T> || ...), host_system_tag, any_system_tag>::type>::type;
} // namespace detail

static const detail::sequential seq = {}, host = {};
static const detail::on_device device;

namespace cuda
{
static const detail::on_device par, par_nosync(0, false);
}
namespace system
{
namespace cuda
{
static const detail::on_device par, par_nosync(0, false);
}
} // namespace system

/* An algorithm that detail::NAME(policy, ...) does: with a policy before its arguments, or without. */
#define __THRUST_ALGORITHM(NAME)                                                                                                     \
    template <typename First, typename... Rest> __THRUST_BOTH auto NAME(const First &first, const Rest &...rest)                     \
    {                                                                                                                                \
        if constexpr (detail::is_policy<First>::value)                                                                               \
            return detail::NAME(first, rest...);                                                                                     \
        else                                                                                                                         \
            return detail::NAME(detail::policy_of<First, Rest...>(), first, rest...);                                                \
    }
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
