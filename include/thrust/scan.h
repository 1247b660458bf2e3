/* Prefix sums, with a function before and by runs of equal keys. */
#ifndef BANKSHOT_THRUST_SCAN
#define BANKSHOT_THRUST_SCAN

#include <cub/device/device_scan.cuh>
#include <thrust/for_each.h>

namespace thrust
{
namespace detail
{
template <typename In, typename Out, typename Op>
__THRUST_BOTH Out inclusive_scan(const sequential &, In first, In last, Out out, Op op)
{
    if (first == last)
        return out;
    value_of<In> sum = *first;
    *out = sum;
    for (++first, ++out; first != last; ++first, ++out)
        *out = sum = op(sum, *first);
    return out;
}
template <typename In, typename Out, typename T, typename Op>
__THRUST_BOTH Out exclusive_scan(const sequential &, In first, In last, Out out, T sum, Op op)
{
    for (; first != last; ++first, ++out) {
        value_of<In> x = *first;
        *out = sum;
        sum = op(sum, x);
    }
    return out;
}
template <typename In, typename Out, typename Op> Out inclusive_scan(const on_device &policy, In first, In last, Out out, Op op)
{
    auto in = raw(first);
    auto to = raw(out);
    with_temp(policy, [&](void *temp, std::size_t &bytes) {
        return cub::DeviceScan::InclusiveScan(temp, bytes, in, to, op, (long long)(last - first), policy.stream);
    });
    return out + (last - first);
}
template <typename In, typename Out, typename T, typename Op>
Out exclusive_scan(const on_device &policy, In first, In last, Out out, T initial, Op op)
{
    auto in = raw(first);
    auto to = raw(out);
    with_temp(policy, [&](void *temp, std::size_t &bytes) {
        return cub::DeviceScan::ExclusiveScan(temp, bytes, in, to, op, initial, (long long)(last - first), policy.stream);
    });
    return out + (last - first);
}
template <typename P, typename In, typename Out> __THRUST_BOTH Out inclusive_scan(const P &policy, In first, In last, Out out)
{
    return inclusive_scan(policy, first, last, out, plus<value_of<In>>());
}
template <typename P, typename In, typename Out, typename T>
__THRUST_BOTH Out exclusive_scan(const P &policy, In first, In last, Out out, T initial)
{
    return exclusive_scan(policy, first, last, out, initial, plus<T>());
}
template <typename P, typename In, typename Out> __THRUST_BOTH Out exclusive_scan(const P &policy, In first, In last, Out out)
{
    return exclusive_scan(policy, first, last, out, value_of<In>());
}
template <typename P, typename In, typename Out, typename F, typename Op>
__THRUST_BOTH Out transform_inclusive_scan(const P &policy, In first, In last, Out out, F f, Op op)
{
    return inclusive_scan(policy, make_transform_iterator(first, f), make_transform_iterator(last, f), out, op);
}
template <typename P, typename In, typename Out, typename F, typename T, typename Op>
__THRUST_BOTH Out transform_exclusive_scan(const P &policy, In first, In last, Out out, F f, T initial, Op op)
{
    return exclusive_scan(policy, make_transform_iterator(first, f), make_transform_iterator(last, f), out, initial, op);
}

/* Runs: pairs of "a run begins here" and value, and of their sums the value alone. */
template <typename T> struct head_value {
    int key;
    T value;
};
template <typename Keys, typename Values, typename Equal, bool EXCLUSIVE, typename T> struct heads {
    Keys keys;
    Values values;
    Equal equal;
    T initial;
    __THRUST_BOTH head_value<T> operator()(std::ptrdiff_t i)
    {
        int head = i == 0 || !equal(keys[i - 1], keys[i]);
        if (EXCLUSIVE)
            return {head, head ? initial : (T)values[i - 1]};
        return {head, (T)values[i]};
    }
};
template <typename Out> struct value_output {
    typedef void value_type, pointer, reference;
    typedef std::ptrdiff_t difference_type;
    typedef std::random_access_iterator_tag iterator_category;
    struct place {
        Out out;
        std::ptrdiff_t at;
        template <typename Pair> __THRUST_BOTH void operator=(const Pair &p) { out[at] = p.value; }
    };
    Out out;
    std::ptrdiff_t at;
    __THRUST_BOTH value_output operator+(std::ptrdiff_t n) const { return {out, at + n}; }
    __THRUST_BOTH place operator[](std::ptrdiff_t i) const { return {out, at + i}; }
    __THRUST_BOTH place operator*() const { return {out, at}; }
    __THRUST_BOTH value_output &operator++()
    {
        at++;
        return *this;
    }
};
template <bool EXCLUSIVE, typename P, typename Keys, typename Values, typename Out, typename T, typename Equal, typename Op>
__THRUST_BOTH Out scan_by_key(const P &policy, Keys first, Keys last, Values values, Out out, T initial, Equal equal, Op op)
{
    auto k = for_loop(policy, first);
    auto v = for_loop(policy, values);
    auto to = for_loop(policy, out);
    counting_iterator<std::ptrdiff_t> from(0);
    auto pairs = make_transform_iterator(from, heads<decltype(k), decltype(v), Equal, EXCLUSIVE, T>{k, v, equal, initial});
    inclusive_scan(policy, pairs, pairs + (last - first), value_output<decltype(to)>{to, 0}, cub::ReduceBySegmentOp<Op>(op));
    return out + (last - first);
}
template <typename P, typename Keys, typename Values, typename Out, typename Equal, typename Op>
__THRUST_BOTH Out inclusive_scan_by_key(const P &policy, Keys first, Keys last, Values values, Out out, Equal equal, Op op)
{
    return scan_by_key<false>(policy, first, last, values, out, value_of<Values>(), equal, op);
}
template <typename P, typename Keys, typename Values, typename Out, typename Equal>
__THRUST_BOTH Out inclusive_scan_by_key(const P &policy, Keys first, Keys last, Values values, Out out, Equal equal)
{
    return inclusive_scan_by_key(policy, first, last, values, out, equal, plus<value_of<Values>>());
}
template <typename P, typename Keys, typename Values, typename Out>
__THRUST_BOTH Out inclusive_scan_by_key(const P &policy, Keys first, Keys last, Values values, Out out)
{
    return inclusive_scan_by_key(policy, first, last, values, out, equal_to<value_of<Keys>>());
}
template <typename P, typename Keys, typename Values, typename Out, typename T, typename Equal, typename Op>
__THRUST_BOTH Out exclusive_scan_by_key(const P &policy, Keys first, Keys last, Values values, Out out, T initial, Equal equal, Op op)
{
    return scan_by_key<true>(policy, first, last, values, out, initial, equal, op);
}
template <typename P, typename Keys, typename Values, typename Out, typename T, typename Equal>
__THRUST_BOTH Out exclusive_scan_by_key(const P &policy, Keys first, Keys last, Values values, Out out, T initial, Equal equal)
{
    return exclusive_scan_by_key(policy, first, last, values, out, initial, equal, plus<T>());
}
template <typename P, typename Keys, typename Values, typename Out, typename T>
__THRUST_BOTH Out exclusive_scan_by_key(const P &policy, Keys first, Keys last, Values values, Out out, T initial)
{
    return exclusive_scan_by_key(policy, first, last, values, out, initial, equal_to<value_of<Keys>>());
}
template <typename P, typename Keys, typename Values, typename Out>
__THRUST_BOTH Out exclusive_scan_by_key(const P &policy, Keys first, Keys last, Values values, Out out)
{
    return exclusive_scan_by_key(policy, first, last, values, out, value_of<Values>());
}
} // namespace detail

__THRUST_ALGORITHM(inclusive_scan)
__THRUST_ALGORITHM(exclusive_scan)
__THRUST_ALGORITHM(transform_inclusive_scan)
__THRUST_ALGORITHM(transform_exclusive_scan)
__THRUST_ALGORITHM(inclusive_scan_by_key)
__THRUST_ALGORITHM(exclusive_scan_by_key)
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
