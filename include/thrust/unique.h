/* What stays of a range: remove, unique, partition, and sums of runs of equal keys. */
#ifndef BANKSHOT_THRUST_UNIQUE
#define BANKSHOT_THRUST_UNIQUE

#include <cub/detail/by_key.cuh>
#include <thrust/copy.h>
#include <thrust/pair.h>

namespace thrust
{
namespace detail
{
template <typename F> struct negated {
    F f;
    template <typename T> __THRUST_BOTH bool operator()(const T &x) { return !f(x); }
};

template <typename In, typename Out, typename Predicate>
__THRUST_BOTH Out remove_copy_if(const sequential &policy, In first, In last, Out out, Predicate predicate)
{
    return copy_if(policy, first, last, out, negated<Predicate>{predicate});
}
template <typename In, typename Out, typename Predicate>
Out remove_copy_if(const on_device &policy, In first, In last, Out out, Predicate predicate)
{
    return copy_if(policy, first, last, out, negated<Predicate>{predicate});
}
template <typename It, typename Predicate> __THRUST_BOTH It remove_if(const sequential &policy, It first, It last, Predicate predicate)
{
    return copy_if(policy, first, last, first, negated<Predicate>{predicate});
}
template <typename It, typename Predicate> It remove_if(const on_device &policy, It first, It last, Predicate predicate)
{
    return select_within(policy, first, last - first, cub::detail::chosen_if<negated<Predicate>>{{predicate}});
}
template <typename It, typename Stencil, typename Predicate>
__THRUST_BOTH It remove_if(const sequential &policy, It first, It last, Stencil stencil, Predicate predicate)
{
    return copy_if(policy, first, last, stencil, first, negated<Predicate>{predicate});
}
template <typename It, typename Stencil, typename Predicate>
It remove_if(const on_device &policy, It first, It last, Stencil stencil, Predicate predicate)
{
    auto flags = raw(stencil);
    return select_within(policy, first, last - first,
                         cub::detail::chosen_flagged_if<decltype(flags), negated<Predicate>>{flags, {predicate}});
}
template <typename P, typename It, typename T> __THRUST_BOTH It remove(const P &policy, It first, It last, const T &value)
{
    return remove_if(policy, first, last, equals<T>{value});
}

template <typename It, typename Out, typename Equal>
__THRUST_BOTH Out unique_copy(const sequential &, It first, It last, Out out, Equal equal)
{
    if (first == last)
        return out;
    value_of<It> kept = *first;
    *out++ = kept;
    for (++first; first != last; ++first)
        if (!equal(kept, *first))
            *out++ = kept = *first;
    return out;
}
template <typename It, typename Out, typename Equal> Out unique_copy(const on_device &policy, It first, It last, Out out, Equal equal)
{
    return out + select_into(policy, first, last - first, out, cub::detail::chosen_unique<Equal>{equal});
}
template <typename P, typename It, typename Out> __THRUST_BOTH Out unique_copy(const P &policy, It first, It last, Out out)
{
    return unique_copy(policy, first, last, out, equal_to<value_of<It>>());
}
template <typename It, typename Equal> __THRUST_BOTH It unique(const sequential &policy, It first, It last, Equal equal)
{
    return unique_copy(policy, first, last, first, equal);
}
template <typename It, typename Equal> It unique(const on_device &policy, It first, It last, Equal equal)
{
    return select_within(policy, first, last - first, cub::detail::chosen_unique<Equal>{equal});
}
template <typename P, typename It> __THRUST_BOTH It unique(const P &policy, It first, It last)
{
    return unique(policy, first, last, equal_to<value_of<It>>());
}
template <typename P, typename It> __THRUST_BOTH std::ptrdiff_t unique_count(const P &policy, It first, It last)
{
    return unique_copy(policy, first, last, make_discard_iterator()) - make_discard_iterator();
}

/* Sums of runs; the value of a run of one is itself. */
template <typename Keys, typename Values, typename KeysOut, typename Sums, typename Equal, typename Op>
__THRUST_BOTH pair<KeysOut, Sums> reduce_by_key(const sequential &, Keys first, Keys last, Values values, KeysOut keys_out, Sums sums,
                                                Equal equal, Op op)
{
    while (first != last) {
        value_of<Keys> key = *first;
        value_of<Values> sum = *values;
        for (++first, ++values; first != last && equal(key, *first); ++first, ++values)
            sum = op(sum, *values);
        *keys_out++ = key;
        *sums++ = sum;
    }
    return pair<KeysOut, Sums>(keys_out, sums);
}
template <typename Keys, typename Values, typename KeysOut, typename Sums, typename Equal, typename Op>
pair<KeysOut, Sums> reduce_by_key(const on_device &policy, Keys first, Keys last, Values values, KeysOut keys_out, Sums sums,
                                  Equal equal, Op op)
{
    auto k = raw(first);
    auto v = raw(values);
    auto k_out = raw(keys_out);
    auto s = raw(sums);
    std::ptrdiff_t runs = select(policy, [&](void *temp, std::size_t &bytes, int *count) {
        return cub::detail::reduce_by_key(temp, bytes, k, k_out, v, s, count, equal, op, last - first, policy.stream);
    });
    return pair<KeysOut, Sums>(keys_out + runs, sums + runs);
}
template <typename P, typename Keys, typename Values, typename KeysOut, typename Sums, typename Equal>
__THRUST_BOTH pair<KeysOut, Sums> reduce_by_key(const P &policy, Keys first, Keys last, Values values, KeysOut keys_out, Sums sums,
                                                Equal equal)
{
    return reduce_by_key(policy, first, last, values, keys_out, sums, equal, plus<value_of<Values>>());
}
template <typename P, typename Keys, typename Values, typename KeysOut, typename Sums>
__THRUST_BOTH pair<KeysOut, Sums> reduce_by_key(const P &policy, Keys first, Keys last, Values values, KeysOut keys_out, Sums sums)
{
    return reduce_by_key(policy, first, last, values, keys_out, sums, equal_to<value_of<Keys>>());
}

struct first_of_two {
    template <typename T> __THRUST_BOTH T operator()(const T &a, const T &) const { return a; }
};
template <typename P, typename Keys, typename Values, typename KeysOut, typename ValuesOut>
__THRUST_BOTH pair<KeysOut, ValuesOut> unique_by_key_copy(const P &policy, Keys first, Keys last, Values values, KeysOut keys_out,
                                                          ValuesOut values_out)
{
    return reduce_by_key(policy, first, last, values, keys_out, values_out, equal_to<value_of<Keys>>(), first_of_two());
}
template <typename Keys, typename Values>
__THRUST_BOTH pair<Keys, Values> unique_by_key(const sequential &policy, Keys first, Keys last, Values values)
{
    return unique_by_key_copy(policy, first, last, values, first, values);
}
template <typename Keys, typename Values>
pair<Keys, Values> unique_by_key(const on_device &policy, Keys first, Keys last, Values values)
{
    device_array<value_of<Keys>> k(last - first);
    device_array<value_of<Values>> v(last - first);
    auto end = unique_by_key_copy(policy, first, last, values, k.get(), v.get());
    transform(policy, k.get(), end.first, first, identity<>());
    transform(policy, v.get(), end.second, values, identity<>());
    return pair<Keys, Values>(first + (end.first - k.get()), values + (end.second - v.get()));
}

template <typename It, typename Yes, typename No, typename Predicate>
__THRUST_BOTH pair<Yes, No> partition_copy(const sequential &policy, It first, It last, Yes yes, No no, Predicate predicate)
{
    return pair<Yes, No>(copy_if(policy, first, last, yes, predicate), remove_copy_if(policy, first, last, no, predicate));
}
template <typename It, typename Yes, typename No, typename Predicate>
pair<Yes, No> partition_copy(const on_device &policy, It first, It last, Yes yes, No no, Predicate predicate)
{
    return pair<Yes, No>(copy_if(policy, first, last, yes, predicate), remove_copy_if(policy, first, last, no, predicate));
}
template <typename It, typename Predicate> It stable_partition(const on_device &policy, It first, It last, Predicate predicate)
{
    device_array<value_of<It>> all(last - first);
    auto middle = copy_if(policy, first, last, all.get(), predicate);
    auto end = remove_copy_if(policy, first, last, middle, predicate);
    transform(policy, all.get(), end, first, identity<>());
    return first + (middle - all.get());
}
template <typename It, typename Predicate> It stable_partition(const sequential &, It first, It last, Predicate predicate)
{
    std::vector<value_of<It>> others;
    It to = first;
    for (; first != last; ++first)
        if (predicate(*first))
            *to++ = *first;
        else
            others.push_back(*first);
    It middle = to;
    for (auto &x : others)
        *to++ = x;
    return middle;
}
template <typename P, typename It, typename Predicate> It partition(const P &policy, It first, It last, Predicate predicate)
{
    return stable_partition(policy, first, last, predicate);
}
} // namespace detail

__THRUST_ALGORITHM(remove)
__THRUST_ALGORITHM(remove_if)
__THRUST_ALGORITHM(remove_copy_if)
__THRUST_ALGORITHM(unique)
__THRUST_ALGORITHM(unique_copy)
__THRUST_ALGORITHM(unique_count)
__THRUST_ALGORITHM(unique_by_key)
__THRUST_ALGORITHM(unique_by_key_copy)
__THRUST_ALGORITHM(reduce_by_key)
__THRUST_ALGORITHM(partition)
__THRUST_ALGORITHM(partition_copy)
__THRUST_ALGORITHM(stable_partition)
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
