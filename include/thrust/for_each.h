/* Algorithms that do something at each place by itself: for_each, transform, fill, sequence, gather, scatter and their kind. */
#ifndef BANKSHOT_THRUST_FOR_EACH
#define BANKSHOT_THRUST_FOR_EACH

#include <thrust/detail/device.h>
#include <thrust/functional.h>

namespace thrust
{
namespace detail
{
template <typename It, typename F> struct each_body {
    It it;
    F f;
    __THRUST_BOTH void operator()(std::ptrdiff_t i) { f(it[i]); }
};
template <typename P, typename It, typename N, typename F> __THRUST_BOTH It for_each_n(const P &policy, It first, N n, F f)
{
    auto it = for_loop(policy, first);
    loop(policy, n, each_body<decltype(it), F>{it, f});
    return first + n;
}
template <typename P, typename It, typename F> __THRUST_BOTH It for_each(const P &policy, It first, It last, F f)
{
    return for_each_n(policy, first, last - first, f);
}

template <typename In, typename Out, typename F> struct transform_body {
    In in;
    Out out;
    F f;
    __THRUST_BOTH void operator()(std::ptrdiff_t i) { out[i] = f(in[i]); }
};
template <typename In, typename In2, typename Out, typename F> struct transform2_body {
    In in;
    In2 in2;
    Out out;
    F f;
    __THRUST_BOTH void operator()(std::ptrdiff_t i) { out[i] = f(in[i], in2[i]); }
};
template <typename P, typename In, typename Out, typename F>
__THRUST_BOTH Out transform(const P &policy, In first, In last, Out out, F f)
{
    auto in = for_loop(policy, first);
    auto to = for_loop(policy, out);
    loop(policy, last - first, transform_body<decltype(in), decltype(to), F>{in, to, f});
    return out + (last - first);
}
template <typename P, typename In, typename In2, typename Out, typename F>
__THRUST_BOTH Out transform(const P &policy, In first, In last, In2 first2, Out out, F f)
{
    auto in = for_loop(policy, first);
    auto in2 = for_loop(policy, first2);
    auto to = for_loop(policy, out);
    loop(policy, last - first, transform2_body<decltype(in), decltype(in2), decltype(to), F>{in, in2, to, f});
    return out + (last - first);
}

template <typename In, typename Stencil, typename Out, typename F, typename Predicate> struct transform_if_body {
    In in;
    Stencil stencil;
    Out out;
    F f;
    Predicate predicate;
    __THRUST_BOTH void operator()(std::ptrdiff_t i)
    {
        if (predicate(stencil[i]))
            out[i] = f(in[i]);
    }
};
template <typename P, typename In, typename Stencil, typename Out, typename F, typename Predicate>
__THRUST_BOTH Out transform_if(const P &policy, In first, In last, Stencil stencil, Out out, F f, Predicate predicate)
{
    auto in = for_loop(policy, first);
    auto when = for_loop(policy, stencil);
    auto to = for_loop(policy, out);
    loop(policy, last - first, transform_if_body<decltype(in), decltype(when), decltype(to), F, Predicate>{in, when, to, f, predicate});
    return out + (last - first);
}
template <typename P, typename In, typename Out, typename F, typename Predicate>
__THRUST_BOTH Out transform_if(const P &policy, In first, In last, Out out, F f, Predicate predicate)
{
    return transform_if(policy, first, last, first, out, f, predicate);
}

template <typename T> struct fill_value {
    T value;
    template <typename I> __THRUST_BOTH T operator()(const I &) const { return value; }
};
template <typename F> struct call_only {
    F f;
    template <typename I> __THRUST_BOTH auto operator()(const I &) { return f(); }
};
template <typename T> struct line {
    T first, step;
    __THRUST_BOTH T operator()(std::ptrdiff_t i) const { return first + step * (T)i; }
};
template <typename P, typename It, typename F> __THRUST_BOTH void tabulate(const P &policy, It first, It last, F f)
{
    counting_iterator<std::ptrdiff_t> from(0);
    transform(policy, from, from + (last - first), first, f);
}
template <typename P, typename It, typename N, typename T> __THRUST_BOTH It fill_n(const P &policy, It first, N n, const T &value)
{
    tabulate(policy, first, first + n, fill_value<T>{value});
    return first + n;
}
template <typename P, typename It, typename T> __THRUST_BOTH void fill(const P &policy, It first, It last, const T &value)
{
    tabulate(policy, first, last, fill_value<T>{value});
}
template <typename P, typename It, typename F> __THRUST_BOTH void generate(const P &policy, It first, It last, F f)
{
    tabulate(policy, first, last, call_only<F>{f});
}
template <typename P, typename It, typename N, typename F> __THRUST_BOTH It generate_n(const P &policy, It first, N n, F f)
{
    tabulate(policy, first, first + n, call_only<F>{f});
    return first + n;
}
template <typename P, typename It, typename T, typename S>
__THRUST_BOTH void sequence(const P &policy, It first, It last, T begin, S step)
{
    tabulate(policy, first, last, line<value_of<It>>{(value_of<It>)begin, (value_of<It>)step});
}
template <typename P, typename It, typename T> __THRUST_BOTH void sequence(const P &policy, It first, It last, T begin)
{
    sequence(policy, first, last, begin, 1);
}
template <typename P, typename It> __THRUST_BOTH void sequence(const P &policy, It first, It last)
{
    sequence(policy, first, last, 0, 1);
}

template <typename P, typename Map, typename In, typename Out>
__THRUST_BOTH Out gather(const P &policy, Map first, Map last, In in, Out out)
{
    auto from = make_permutation_iterator(in, first);
    return transform(policy, from, from + (last - first), out, identity<>());
}
template <typename P, typename In, typename Map, typename Out>
__THRUST_BOTH void scatter(const P &policy, In first, In last, Map map, Out out)
{
    transform(policy, first, last, make_permutation_iterator(out, map), identity<>());
}
template <typename P, typename Map, typename Stencil, typename In, typename Out, typename Predicate>
__THRUST_BOTH Out gather_if(const P &policy, Map first, Map last, Stencil stencil, In in, Out out, Predicate predicate)
{
    auto from = make_permutation_iterator(in, first);
    return transform_if(policy, from, from + (last - first), stencil, out, identity<>(), predicate);
}
template <typename P, typename In, typename Map, typename Stencil, typename Out, typename Predicate>
__THRUST_BOTH void scatter_if(const P &policy, In first, In last, Map map, Stencil stencil, Out out, Predicate predicate)
{
    transform_if(policy, first, last, stencil, make_permutation_iterator(out, map), identity<>(), predicate);
}
template <typename P, typename In, typename Map, typename Stencil, typename Out>
__THRUST_BOTH void scatter_if(const P &policy, In first, In last, Map map, Stencil stencil, Out out)
{
    scatter_if(policy, first, last, map, stencil, out, identity<>());
}

template <typename T> struct equals {
    T value;
    template <typename U> __THRUST_BOTH bool operator()(const U &x) const { return x == value; }
};
template <typename P, typename It, typename Predicate, typename T>
__THRUST_BOTH void replace_if(const P &policy, It first, It last, Predicate predicate, const T &value)
{
    transform_if(policy, first, last, first, fill_value<T>{value}, predicate);
}
template <typename P, typename It, typename T>
__THRUST_BOTH void replace(const P &policy, It first, It last, const T &old_value, const T &new_value)
{
    replace_if(policy, first, last, equals<T>{old_value}, new_value);
}

template <typename A, typename B> struct swap_body {
    A a;
    B b;
    __THRUST_BOTH void operator()(std::ptrdiff_t i)
    {
        value_of<A> x = a[i];
        a[i] = (value_of<A>)b[i];
        b[i] = x;
    }
};
template <typename P, typename A, typename B> __THRUST_BOTH B swap_ranges(const P &policy, A first, A last, B second)
{
    auto a = for_loop(policy, first);
    auto b = for_loop(policy, second);
    loop(policy, last - first, swap_body<decltype(a), decltype(b)>{a, b});
    return second + (last - first);
}
template <typename P, typename It> __THRUST_BOTH void reverse(const P &policy, It first, It last)
{
    swap_ranges(policy, first, first + (last - first) / 2, make_reverse_iterator(last));
}
template <typename P, typename It, typename Out> __THRUST_BOTH Out reverse_copy(const P &policy, It first, It last, Out out)
{
    return transform(policy, make_reverse_iterator(last), make_reverse_iterator(first), out, identity<>());
}

template <typename In, typename Out, typename F> struct difference_body {
    In in;
    Out out;
    F f;
    __THRUST_BOTH void operator()(std::ptrdiff_t i)
    {
        if (i)
            out[i] = f(in[i], in[i - 1]);
        else
            out[i] = in[i];
    }
};
/* Not in place: a neighbour may be written first. */
template <typename P, typename In, typename Out, typename F>
__THRUST_BOTH Out adjacent_difference(const P &policy, In first, In last, Out out, F f)
{
    auto in = for_loop(policy, first);
    auto to = for_loop(policy, out);
    loop(policy, last - first, difference_body<decltype(in), decltype(to), F>{in, to, f});
    return out + (last - first);
}
template <typename P, typename In, typename Out> __THRUST_BOTH Out adjacent_difference(const P &policy, In first, In last, Out out)
{
    return adjacent_difference(policy, first, last, out, minus<value_of<In>>());
}
} // namespace detail

__THRUST_ALGORITHM(for_each)
__THRUST_ALGORITHM(for_each_n)
__THRUST_ALGORITHM(transform)
__THRUST_ALGORITHM(transform_if)
__THRUST_ALGORITHM(tabulate)
__THRUST_ALGORITHM(fill)
__THRUST_ALGORITHM(fill_n)
__THRUST_ALGORITHM(generate)
__THRUST_ALGORITHM(generate_n)
__THRUST_ALGORITHM(sequence)
__THRUST_ALGORITHM(gather)
__THRUST_ALGORITHM(gather_if)
__THRUST_ALGORITHM(scatter)
__THRUST_ALGORITHM(scatter_if)
__THRUST_ALGORITHM(replace)
__THRUST_ALGORITHM(replace_if)
__THRUST_ALGORITHM(swap_ranges)
__THRUST_ALGORITHM(reverse)
__THRUST_ALGORITHM(reverse_copy)
__THRUST_ALGORITHM(adjacent_difference)
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
