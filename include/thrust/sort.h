/* Sorts: numbers in their own order by digits, all else by merging. And searches in what is sorted. */
#ifndef BANKSHOT_THRUST_SORT
#define BANKSHOT_THRUST_SORT

#include <algorithm>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <thrust/copy.h>
#include <thrust/reduce.h>

namespace thrust
{
namespace detail
{
/* 1: less, -1: greater, 0: an order of its own. */
template <typename Less> constexpr int natural = 0;
template <typename T> constexpr int natural<less<T>> = 1;
template <typename T> constexpr int natural<greater<T>> = -1;
template <typename T> constexpr int natural<std::less<T>> = 1;
template <typename T> constexpr int natural<std::greater<T>> = -1;

template <typename It, typename Less>
constexpr bool by_digits = std::is_pointer<It>::value &&natural<Less> != 0 && std::is_arithmetic<value_of<It>>::value;

template <typename Keys, typename Less> void sort_keys(const on_device &policy, Keys keys, std::ptrdiff_t n, Less less)
{
    typedef value_of<Keys> K;
    if constexpr (by_digits<Keys, Less>) {
        device_array<K> spare(n);
        cub::DoubleBuffer<K> both(keys, spare.get());
        with_temp(policy, [&](void *temp, std::size_t &bytes) {
            if constexpr (natural<Less> > 0)
                return cub::DeviceRadixSort::SortKeys(temp, bytes, both, n, 0, (int)sizeof(K) * 8, policy.stream);
            else
                return cub::DeviceRadixSort::SortKeysDescending(temp, bytes, both, n, 0, (int)sizeof(K) * 8, policy.stream);
        });
        if (both.Current() != keys)
            check(cudaMemcpyAsync(keys, both.Current(), n * sizeof(K), cudaMemcpyDeviceToDevice, policy.stream));
        policy.done();
    } else {
        with_temp(policy, [&](void *temp, std::size_t &bytes) {
            return cub::DeviceMergeSort::SortKeys(temp, bytes, keys, n, less, policy.stream);
        });
    }
}
template <typename Keys, typename Values, typename Less>
void sort_pairs(const on_device &policy, Keys keys, Values values, std::ptrdiff_t n, Less less)
{
    typedef value_of<Keys> K;
    typedef value_of<Values> V;
    if constexpr (by_digits<Keys, Less> && std::is_pointer<Values>::value && sizeof(V) <= 8) {
        device_array<K> spare(n);
        device_array<V> spare_values(n);
        cub::DoubleBuffer<K> both(keys, spare.get());
        cub::DoubleBuffer<V> both_values(values, spare_values.get());
        with_temp(policy, [&](void *temp, std::size_t &bytes) {
            if constexpr (natural<Less> > 0)
                return cub::DeviceRadixSort::SortPairs(temp, bytes, both, both_values, n, 0, (int)sizeof(K) * 8, policy.stream);
            else
                return cub::DeviceRadixSort::SortPairsDescending(temp, bytes, both, both_values, n, 0, (int)sizeof(K) * 8,
                                                                 policy.stream);
        });
        if (both.Current() != keys) {
            check(cudaMemcpyAsync(keys, both.Current(), n * sizeof(K), cudaMemcpyDeviceToDevice, policy.stream));
            check(cudaMemcpyAsync(values, both_values.Current(), n * sizeof(V), cudaMemcpyDeviceToDevice, policy.stream));
        }
        policy.done();
    } else {
        with_temp(policy, [&](void *temp, std::size_t &bytes) {
            return cub::DeviceMergeSort::SortPairs(temp, bytes, keys, values, n, less, policy.stream);
        });
    }
}

template <typename It, typename Less> void stable_sort(const on_device &policy, It first, It last, Less less)
{
    sort_keys(policy, raw(first), last - first, less);
}
/* Insertion: for the few items that a thread or a host program without memory to spare has. */
template <typename It, typename Less> __THRUST_BOTH void stable_sort(const sequential &, It first, It last, Less less)
{
    for (std::ptrdiff_t width = 1, n = last - first; width < n; width++) {
        value_of<It> x = first[width];
        std::ptrdiff_t from = 0, to = width;
        while (from < to) {
            std::ptrdiff_t middle = (from + to) / 2;
            if (less(x, first[middle]))
                to = middle;
            else
                from = middle + 1;
        }
        for (std::ptrdiff_t i = width; i > from; i--)
            first[i] = (value_of<It>)first[i - 1];
        first[from] = x;
    }
}
template <typename Keys, typename Values, typename Less>
void stable_sort_by_key(const on_device &policy, Keys first, Keys last, Values values, Less less)
{
    sort_pairs(policy, raw(first), raw(values), last - first, less);
}
template <typename Less> struct by_first {
    Less less;
    template <typename A, typename B> __THRUST_BOTH bool operator()(const A &a, const B &b) { return less(get<0>(a), get<0>(b)); }
};
template <typename Keys, typename Values, typename Less>
__THRUST_BOTH void stable_sort_by_key(const sequential &policy, Keys first, Keys last, Values values, Less less)
{
    auto both = make_zip_iterator(thrust::make_tuple(first, values));
    stable_sort(policy, both, both + (last - first), by_first<Less>{less});
}
template <typename P, typename It> __THRUST_BOTH void stable_sort(const P &policy, It first, It last)
{
    stable_sort(policy, first, last, less<value_of<It>>());
}
template <typename P, typename Keys, typename Values>
__THRUST_BOTH void stable_sort_by_key(const P &policy, Keys first, Keys last, Values values)
{
    stable_sort_by_key(policy, first, last, values, less<value_of<Keys>>());
}
template <typename P, typename It, typename Less> __THRUST_BOTH void sort(const P &policy, It first, It last, Less less)
{
    stable_sort(policy, first, last, less);
}
template <typename P, typename It> __THRUST_BOTH void sort(const P &policy, It first, It last) { stable_sort(policy, first, last); }
template <typename P, typename Keys, typename Values, typename Less>
__THRUST_BOTH void sort_by_key(const P &policy, Keys first, Keys last, Values values, Less less)
{
    stable_sort_by_key(policy, first, last, values, less);
}
template <typename P, typename Keys, typename Values>
__THRUST_BOTH void sort_by_key(const P &policy, Keys first, Keys last, Values values)
{
    stable_sort_by_key(policy, first, last, values);
}

/* The first place whose item is not less than the value, or the first that is greater. */
template <bool UPPER, typename It, typename T, typename Less>
__THRUST_BOTH std::ptrdiff_t bound(It it, std::ptrdiff_t n, const T &value, Less less)
{
    std::ptrdiff_t from = 0, to = n;
    while (from < to) {
        std::ptrdiff_t middle = (from + to) / 2;
        if (UPPER ? !less(value, it[middle]) : less(it[middle], value))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}
/* WHAT: 0 lower bound, 1 upper bound, 2 whether it is there. */
template <int WHAT, typename It, typename Less> struct search_body {
    It it;
    std::ptrdiff_t n;
    Less less;
    template <typename T> __THRUST_BOTH std::ptrdiff_t operator()(const T &value)
    {
        std::ptrdiff_t at = bound<WHAT == 1>(it, n, value, less);
        return WHAT < 2 ? at : at < n && !less(value, it[at]);
    }
};
template <int WHAT, typename P, typename It, typename Values, typename Out, typename Less>
__THRUST_BOTH Out search(const P &policy, It first, It last, Values from, Values to, Out out, Less less)
{
    auto it = for_loop(policy, first);
    return transform(policy, from, to, out, search_body<WHAT, decltype(it), Less>{it, last - first, less});
}
#define __THRUST_SEARCH(NAME, WHAT)                                                                                                  \
    template <typename P, typename It, typename Values, typename Out, typename Less>                                                 \
    __THRUST_BOTH Out NAME(const P &policy, It first, It last, Values from, Values to, Out out, Less less)                           \
    {                                                                                                                                \
        return search<WHAT>(policy, first, last, from, to, out, less);                                                               \
    }                                                                                                                                \
    template <typename P, typename It, typename Values, typename Out>                                                                \
    __THRUST_BOTH Out NAME(const P &policy, It first, It last, Values from, Values to, Out out)                                      \
    {                                                                                                                                \
        return search<WHAT>(policy, first, last, from, to, out, less<value_of<It>>());                                               \
    }
__THRUST_SEARCH(lower_bound, 0)
__THRUST_SEARCH(upper_bound, 1)
__THRUST_SEARCH(binary_search, 2)
#undef __THRUST_SEARCH
/* One value: on the host, access by access. */
template <typename P, typename It, typename T> __THRUST_BOTH It lower_bound(const P &, It first, It last, const T &value)
{
    return first + bound<false>(first, last - first, value, less<value_of<It>>());
}
template <typename P, typename It, typename T> __THRUST_BOTH It upper_bound(const P &, It first, It last, const T &value)
{
    return first + bound<true>(first, last - first, value, less<value_of<It>>());
}
template <typename P, typename It, typename T> __THRUST_BOTH bool binary_search(const P &policy, It first, It last, const T &value)
{
    It at = lower_bound(policy, first, last, value);
    return at != last && !(value < (value_of<It>)*at);
}
} // namespace detail

__THRUST_ALGORITHM(sort)
__THRUST_ALGORITHM(stable_sort)
__THRUST_ALGORITHM(sort_by_key)
__THRUST_ALGORITHM(stable_sort_by_key)
__THRUST_ALGORITHM(lower_bound)
__THRUST_ALGORITHM(upper_bound)
__THRUST_ALGORITHM(binary_search)
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
