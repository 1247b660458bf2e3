/* Copies, within a system and between the two, and of what a predicate selects. */
#ifndef BANKSHOT_THRUST_COPY
#define BANKSHOT_THRUST_COPY

#include <cub/device/device_select.cuh>
#include <memory>
#include <thrust/for_each.h>
#include <vector>

namespace thrust
{
namespace detail
{
template <typename T> struct is_plain : std::is_trivially_copyable<T> {};
template <typename It> constexpr bool is_device_pointer = false;
template <typename T> constexpr bool is_device_pointer<device_ptr<T>> = true;
/* Iterators of the host's arrays: pointers and those of std::vector. */
template <typename It> constexpr bool is_host_array =
    std::is_pointer<It>::value ||
    (std::is_same<It, typename std::vector<value_of<It>>::iterator>::value && !std::is_same<value_of<It>, bool>::value) ||
    (std::is_same<It, typename std::vector<value_of<It>>::const_iterator>::value && !std::is_same<value_of<It>, bool>::value);

template <typename In, typename Out> void copy_to_device(In first, std::ptrdiff_t n, Out out)
{
    typedef value_of<Out> T;
    if constexpr (is_host_array<In> && std::is_same<value_of<In>, T>::value && is_device_pointer<Out>) {
        check(cudaMemcpy((void *)raw(out), (const void *)std::addressof(*first), n * sizeof(T), cudaMemcpyDefault));
    } else {
        std::unique_ptr<T[]> host(new T[n]);
        device_array<T> temp(n);
        for (std::ptrdiff_t i = 0; i < n; i++)
            host[i] = first[i];
        check(cudaMemcpy((void *)temp.get(), host.get(), n * sizeof(T), cudaMemcpyDefault));
        transform(on_device(), temp.get(), temp.get() + n, out, identity<>());
    }
}
template <typename In, typename Out> void copy_to_host(In first, std::ptrdiff_t n, Out out)
{
    typedef value_of<In> T;
    if constexpr (is_device_pointer<In> && is_host_array<Out> && std::is_same<value_of<Out>, T>::value) {
        check(cudaMemcpy((void *)std::addressof(*out), (const void *)raw(first), n * sizeof(T), cudaMemcpyDefault));
    } else {
        std::unique_ptr<T[]> host(new T[n]);
        device_array<T> temp(n);
        transform(on_device(), first, first + n, temp.get(), identity<>());
        check(cudaMemcpy(host.get(), (void *)temp.get(), n * sizeof(T), cudaMemcpyDefault));
        for (std::ptrdiff_t i = 0; i < n; i++)
            out[i] = host[i];
    }
}

template <typename In, typename Out> Out copy(const on_device &policy, In first, In last, Out out)
{
    std::ptrdiff_t n = last - first;
    if (n <= 0)
        return out;
    if constexpr (is_host<In> && is_device<Out>)
        copy_to_device(first, n, out);
    else if constexpr (is_device<In> && is_host<Out>)
        copy_to_host(first, n, out);
    else
        transform(policy, first, last, out, identity<>());
    return out + n;
}
template <typename In, typename Out> __THRUST_BOTH Out copy(const sequential &, In first, In last, Out out)
{
    for (; first != last; ++first, ++out)
        *out = *first;
    return out;
}
template <typename P, typename In, typename N, typename Out> __THRUST_BOTH Out copy_n(const P &policy, In first, N n, Out out)
{
    return copy(policy, first, first + n, out);
}

/* CUB's selections on the device, of which `call` makes one with an output and a count; gives the count. */
template <typename Call> std::ptrdiff_t select(const on_device &policy, Call call)
{
    device_array<int> count(1);
    with_temp(policy, [&](void *temp, std::size_t &bytes) { return call(temp, bytes, count.get()); });
    return count.first();
}
template <typename In, typename Out, typename Chosen>
std::ptrdiff_t select_into(const on_device &policy, In first, std::ptrdiff_t n, Out out, Chosen chosen)
{
    auto in = raw(first);
    auto to = raw(out);
    return select(policy, [&](void *temp, std::size_t &bytes, int *count) {
        return cub::detail::select<false>(temp, bytes, in, to, count, chosen, n, policy.stream);
    });
}
/* Within the same memory: by way of another. */
template <typename It, typename Chosen> It select_within(const on_device &policy, It first, std::ptrdiff_t n, Chosen chosen)
{
    device_array<value_of<It>> kept(n);
    std::ptrdiff_t left = select_into(policy, first, n, kept.get(), chosen);
    transform(policy, kept.get(), kept.get() + left, first, identity<>());
    return first + left;
}

template <typename In, typename Out, typename Predicate>
Out copy_if(const on_device &policy, In first, In last, Out out, Predicate predicate)
{
    return out + select_into(policy, first, last - first, out, cub::detail::chosen_if<Predicate>{predicate});
}
template <typename In, typename Stencil, typename Out, typename Predicate>
Out copy_if(const on_device &policy, In first, In last, Stencil stencil, Out out, Predicate predicate)
{
    auto flags = raw(stencil);
    return out + select_into(policy, first, last - first, out, cub::detail::chosen_flagged_if<decltype(flags), Predicate>{flags, predicate});
}
template <typename In, typename Stencil, typename Out, typename Predicate>
__THRUST_BOTH Out copy_if(const sequential &, In first, In last, Stencil stencil, Out out, Predicate predicate)
{
    for (; first != last; ++first, ++stencil)
        if (predicate(*stencil))
            *out++ = *first;
    return out;
}
template <typename In, typename Out, typename Predicate>
__THRUST_BOTH Out copy_if(const sequential &policy, In first, In last, Out out, Predicate predicate)
{
    return copy_if(policy, first, last, first, out, predicate);
}
} // namespace detail

__THRUST_ALGORITHM(copy_n)
__THRUST_ALGORITHM(copy_if)
__THRUST_ALGORITHM(copy)
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
