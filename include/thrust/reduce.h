/* Reductions and what is one: sums, products of two ranges, counts, extrema, questions about all or any. */
#ifndef BANKSHOT_THRUST_REDUCE
#define BANKSHOT_THRUST_REDUCE

#include <cub/device/device_reduce.cuh>
#include <thrust/detail/device.h>
#include <thrust/functional.h>
#include <thrust/pair.h>
#include <thrust/scan.h>
#include <thrust/unique.h>

namespace thrust
{
namespace detail
{
template <typename It, typename T, typename Op> __THRUST_BOTH T reduce(const sequential &, It first, It last, T sum, Op op)
{
    for (; first != last; ++first)
        sum = op(sum, *first);
    return sum;
}
template <typename It, typename T, typename Op> T reduce(const on_device &policy, It first, It last, T initial, Op op)
{
    auto in = raw(first);
    device_array<T> out(1);
    with_temp(policy, [&](void *temp, std::size_t &bytes) {
        return cub::DeviceReduce::Reduce(temp, bytes, in, out.get(), (long long)(last - first), op, initial, policy.stream);
    });
    return out.first();
}
template <typename P, typename It, typename T> __THRUST_BOTH T reduce(const P &policy, It first, It last, T initial)
{
    return reduce(policy, first, last, initial, plus<T>());
}
template <typename P, typename It> __THRUST_BOTH value_of<It> reduce(const P &policy, It first, It last)
{
    return reduce(policy, first, last, value_of<It>());
}

template <typename P, typename It, typename F, typename T, typename Op>
__THRUST_BOTH T transform_reduce(const P &policy, It first, It last, F f, T initial, Op op)
{
    return reduce(policy, make_transform_iterator(first, f), make_transform_iterator(last, f), initial, op);
}

template <typename F> struct of_pair {
    F f;
    template <typename Tuple> __THRUST_BOTH auto operator()(const Tuple &t) { return f(get<0>(t), get<1>(t)); }
};
template <typename P, typename A, typename B, typename T, typename Op, typename F>
__THRUST_BOTH T inner_product(const P &policy, A first, A last, B second, T initial, Op op, F f)
{
    return transform_reduce(policy, make_zip_iterator(thrust::make_tuple(first, second)),
                            make_zip_iterator(thrust::make_tuple(last, second + (last - first))), of_pair<F>{f}, initial, op);
}
template <typename P, typename A, typename B, typename T>
__THRUST_BOTH T inner_product(const P &policy, A first, A last, B second, T initial)
{
    return inner_product(policy, first, last, second, initial, plus<T>(), multiplies<T>());
}

template <typename Predicate> struct one_if {
    Predicate predicate;
    template <typename T> __THRUST_BOTH std::ptrdiff_t operator()(const T &x) { return predicate(x) ? 1 : 0; }
};
template <typename P, typename It, typename Predicate>
__THRUST_BOTH std::ptrdiff_t count_if(const P &policy, It first, It last, Predicate predicate)
{
    return transform_reduce(policy, first, last, one_if<Predicate>{predicate}, (std::ptrdiff_t)0, plus<std::ptrdiff_t>());
}
template <typename P, typename It, typename T> __THRUST_BOTH std::ptrdiff_t count(const P &policy, It first, It last, const T &value)
{
    return count_if(policy, first, last, equals<T>{value});
}
template <typename P, typename It, typename Predicate>
__THRUST_BOTH bool any_of(const P &policy, It first, It last, Predicate predicate)
{
    return count_if(policy, first, last, predicate) != 0;
}
template <typename P, typename It, typename Predicate>
__THRUST_BOTH bool none_of(const P &policy, It first, It last, Predicate predicate)
{
    return count_if(policy, first, last, predicate) == 0;
}
template <typename P, typename It, typename Predicate>
__THRUST_BOTH bool all_of(const P &policy, It first, It last, Predicate predicate)
{
    return count_if(policy, first, last, predicate) == last - first;
}
template <typename P, typename A, typename B, typename Equal>
__THRUST_BOTH bool equal(const P &policy, A first, A last, B second, Equal equal)
{
    return inner_product(policy, first, last, second, true, logical_and<bool>(), equal);
}
template <typename P, typename A, typename B> __THRUST_BOTH bool equal(const P &policy, A first, A last, B second)
{
    return detail::equal(policy, first, last, second, equal_to<>());
}

/* The first place with something, by a minimum of places. */
template <typename It, typename Predicate> struct place_if {
    It it;
    Predicate predicate;
    std::ptrdiff_t none;
    __THRUST_BOTH std::ptrdiff_t operator()(std::ptrdiff_t i) { return predicate(it[i]) ? i : none; }
};
template <typename P, typename It, typename Predicate>
__THRUST_BOTH It find_if(const P &policy, It first, It last, Predicate predicate)
{
    auto it = for_loop(policy, first);
    std::ptrdiff_t n = last - first;
    counting_iterator<std::ptrdiff_t> from(0);
    return first + transform_reduce(policy, from, from + n, place_if<decltype(it), Predicate>{it, predicate, n}, n,
                                    minimum<std::ptrdiff_t>());
}
template <typename P, typename It, typename Predicate>
__THRUST_BOTH It find_if_not(const P &policy, It first, It last, Predicate predicate)
{
    return find_if(policy, first, last, negated<Predicate>{predicate});
}
template <typename P, typename It, typename T> __THRUST_BOTH It find(const P &policy, It first, It last, const T &value)
{
    return find_if(policy, first, last, equals<T>{value});
}

template <typename It, typename Less> struct descends {
    It it;
    Less less;
    __THRUST_BOTH bool operator()(std::ptrdiff_t i) { return less(it[i + 1], it[i]); }
};
template <typename P, typename It, typename Less> __THRUST_BOTH bool is_sorted(const P &policy, It first, It last, Less less)
{
    auto it = for_loop(policy, first);
    counting_iterator<std::ptrdiff_t> from(0);
    return last - first < 2 || count_if(policy, from, from + (last - first - 1), descends<decltype(it), Less>{it, less}) == 0;
}
template <typename P, typename It> __THRUST_BOTH bool is_sorted(const P &policy, It first, It last)
{
    return is_sorted(policy, first, last, less<value_of<It>>());
}

/* Of two places the better; of equals the first, or the last. */
template <typename It, typename Less, bool GREATEST, bool LAST> struct better_place {
    It it;
    Less less;
    __THRUST_BOTH std::ptrdiff_t operator()(std::ptrdiff_t a, std::ptrdiff_t b)
    {
        bool b_is_better = GREATEST ? less(it[a], it[b]) : less(it[b], it[a]);
        bool a_is_better = GREATEST ? less(it[b], it[a]) : less(it[a], it[b]);
        if (a_is_better || b_is_better)
            return b_is_better ? b : a;
        return (a < b) != LAST ? a : b;
    }
};
template <bool GREATEST, bool LAST, typename P, typename It, typename Less>
__THRUST_BOTH It extremum(const P &policy, It first, It last, Less less)
{
    if (first == last)
        return last;
    auto it = for_loop(policy, first);
    counting_iterator<std::ptrdiff_t> from(0);
    return first + reduce(policy, from, from + (last - first), (std::ptrdiff_t)0,
                          better_place<decltype(it), Less, GREATEST, LAST>{it, less});
}
template <typename P, typename It, typename Less> __THRUST_BOTH It min_element(const P &policy, It first, It last, Less less)
{
    return extremum<false, false>(policy, first, last, less);
}
template <typename P, typename It, typename Less> __THRUST_BOTH It max_element(const P &policy, It first, It last, Less less)
{
    return extremum<true, false>(policy, first, last, less);
}
template <typename P, typename It> __THRUST_BOTH It min_element(const P &policy, It first, It last)
{
    return min_element(policy, first, last, less<value_of<It>>());
}
template <typename P, typename It> __THRUST_BOTH It max_element(const P &policy, It first, It last)
{
    return max_element(policy, first, last, less<value_of<It>>());
}
template <typename P, typename It, typename Less>
__THRUST_BOTH pair<It, It> minmax_element(const P &policy, It first, It last, Less less)
{
    return pair<It, It>(min_element(policy, first, last, less), extremum<true, true>(policy, first, last, less));
}
template <typename P, typename It> __THRUST_BOTH pair<It, It> minmax_element(const P &policy, It first, It last)
{
    return minmax_element(policy, first, last, less<value_of<It>>());
}
} // namespace detail

__THRUST_ALGORITHM(reduce)
__THRUST_ALGORITHM(transform_reduce)
__THRUST_ALGORITHM(inner_product)
__THRUST_ALGORITHM(count)
__THRUST_ALGORITHM(count_if)
__THRUST_ALGORITHM(any_of)
__THRUST_ALGORITHM(none_of)
__THRUST_ALGORITHM(all_of)
__THRUST_ALGORITHM(equal)
__THRUST_ALGORITHM(find)
__THRUST_ALGORITHM(find_if)
__THRUST_ALGORITHM(find_if_not)
__THRUST_ALGORITHM(is_sorted)
__THRUST_ALGORITHM(min_element)
__THRUST_ALGORITHM(max_element)
__THRUST_ALGORITHM(minmax_element)
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
