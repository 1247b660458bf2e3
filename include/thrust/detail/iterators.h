/* Iterators over iterators, or over none: counting, constant, discard, transform, zip, permutation, reverse. And raw(): any iterator
 * of the device as kernels take it, with plain pointers inside. */
#ifndef BANKSHOT_THRUST_ITERATORS
#define BANKSHOT_THRUST_ITERATORS

#include <cub/detail/computed_iterator.cuh>
#include <thrust/device_ptr.h>
#include <thrust/tuple.h>

namespace thrust
{
template <typename It> struct iterator_traits : std::iterator_traits<It> {};
template <typename It> struct iterator_value {
    typedef typename std::iterator_traits<It>::value_type type;
};
template <typename It> struct iterator_difference {
    typedef typename std::iterator_traits<It>::difference_type type;
};
template <typename It> struct iterator_reference {
    typedef typename std::iterator_traits<It>::reference type;
};
template <typename It> struct iterator_system {
    typedef detail::common_system<It> type;
};
struct use_default {};
typedef std::random_access_iterator_tag random_access_traversal_tag;

namespace detail
{
template <typename It> using value_of = typename std::iterator_traits<It>::value_type;
template <typename It> using reference_of = typename std::iterator_traits<It>::reference;
template <typename Self, typename T, typename Difference = std::ptrdiff_t, typename Reference = T>
using computed = cub::detail::computed_iterator<Self, T, Difference, Reference>;
} // namespace detail

template <typename T, typename System = use_default, typename Traversal = use_default, typename Difference = use_default>
struct counting_iterator : detail::computed<counting_iterator<T, System, Traversal, Difference>, T> {
    typedef any_system_tag system;
    T at;
    __THRUST_BOTH counting_iterator(T first = T()) : at(first) {}
    __THRUST_BOTH T base() const { return at; }
    __THRUST_BOTH T dereference() const { return at; }
    template <typename N> __THRUST_BOTH void move(N n) { at += (T)n; }
    __THRUST_BOTH std::ptrdiff_t distance(const counting_iterator &b) const { return (std::ptrdiff_t)(at - b.at); }
};
template <typename T> __THRUST_BOTH counting_iterator<T> make_counting_iterator(T first) { return counting_iterator<T>(first); }

template <typename T, typename Incrementable = use_default, typename System = use_default>
struct constant_iterator : detail::computed<constant_iterator<T, Incrementable, System>, T> {
    typedef any_system_tag system;
    T value;
    std::ptrdiff_t at;
    __THRUST_BOTH constant_iterator(const T &v = T(), std::ptrdiff_t first = 0) : value(v), at(first) {}
    __THRUST_BOTH T dereference() const { return value; }
    template <typename N> __THRUST_BOTH void move(N n) { at += n; }
    __THRUST_BOTH std::ptrdiff_t distance(const constant_iterator &b) const { return at - b.at; }
};
template <typename T> __THRUST_BOTH constant_iterator<T> make_constant_iterator(T v, std::ptrdiff_t at = 0)
{
    return constant_iterator<T>(v, at);
}

namespace detail
{
struct discarded {
    template <typename T> __THRUST_BOTH const discarded &operator=(const T &) const { return *this; }
};
} // namespace detail
template <typename System = use_default>
struct discard_iterator : detail::computed<discard_iterator<System>, detail::discarded> {
    typedef any_system_tag system;
    std::ptrdiff_t at;
    __THRUST_BOTH discard_iterator(std::ptrdiff_t first = 0) : at(first) {}
    __THRUST_BOTH detail::discarded dereference() const { return detail::discarded(); }
    template <typename N> __THRUST_BOTH void move(N n) { at += n; }
    __THRUST_BOTH std::ptrdiff_t distance(const discard_iterator &b) const { return at - b.at; }
};
inline discard_iterator<> make_discard_iterator(std::ptrdiff_t at = 0) { return discard_iterator<>(at); }

namespace detail
{
template <typename F, typename It> using applied = typename std::decay<decltype(std::declval<F &>()(*std::declval<It &>()))>::type;
template <typename T, typename F, typename It> struct applied_or {
    typedef typename std::decay<T>::type type;
};
template <typename F, typename It> struct applied_or<use_default, F, It> {
    typedef applied<F, It> type;
};
} // namespace detail
template <typename F, typename It, typename Reference = use_default, typename Value = use_default>
struct transform_iterator
    : detail::computed<transform_iterator<F, It, Reference, Value>, typename detail::applied_or<Reference, F, It>::type> {
    typedef detail::common_system<It> system;
    It at;
    F f;
    __THRUST_BOTH transform_iterator() : at(), f() {}
    __THRUST_BOTH transform_iterator(It first, F function = F()) : at(first), f(function) {}
    __THRUST_BOTH It base() const { return at; }
    __THRUST_BOTH F functor() const { return f; }
    __THRUST_BOTH typename detail::applied_or<Reference, F, It>::type dereference() const
    {
        F function = f;
        return function(*at);
    }
    template <typename N> __THRUST_BOTH void move(N n) { at += n; }
    __THRUST_BOTH std::ptrdiff_t distance(const transform_iterator &b) const { return at - b.at; }
};
template <typename F, typename It> __THRUST_BOTH transform_iterator<F, It> make_transform_iterator(It it, F f)
{
    return transform_iterator<F, It>(it, f);
}

template <typename Iterators> struct zip_iterator;
template <typename... It>
struct zip_iterator<tuple<It...>> : detail::computed<zip_iterator<tuple<It...>>, tuple<detail::value_of<It>...>, std::ptrdiff_t,
                                                     tuple<detail::reference_of<It>...>> {
    typedef detail::common_system<It...> system;
    typedef tuple<detail::reference_of<It>...> references;
    tuple<It...> at;
    __THRUST_BOTH zip_iterator() {}
    __THRUST_BOTH zip_iterator(const tuple<It...> &iterators) : at(iterators) {}
    template <typename... Other> __THRUST_BOTH zip_iterator(const zip_iterator<tuple<Other...>> &b) : at(b.at) {}
    __THRUST_BOTH const tuple<It...> &get_iterator_tuple() const { return at; }
    __THRUST_BOTH references dereference() const { return all(std::index_sequence_for<It...>()); }
    template <typename N> __THRUST_BOTH void move(N n) { each(n, std::index_sequence_for<It...>()); }
    __THRUST_BOTH std::ptrdiff_t distance(const zip_iterator &b) const { return get<0>(at) - get<0>(b.at); }

  private:
    template <std::size_t... I> __THRUST_BOTH references all(std::index_sequence<I...>) const
    {
        return references(*get<(int)I>(at)...);
    }
    template <typename N, std::size_t... I> __THRUST_BOTH void each(N n, std::index_sequence<I...>)
    {
        (void)((get<(int)I>(at) += n), ...);
    }
};
template <typename... It> __THRUST_BOTH zip_iterator<tuple<It...>> make_zip_iterator(const tuple<It...> &t)
{
    return zip_iterator<tuple<It...>>(t);
}
template <typename First, typename... It>
__THRUST_BOTH typename std::enable_if<!std::is_void<typename std::iterator_traits<First>::difference_type>::value,
                                      zip_iterator<tuple<First, It...>>>::type
make_zip_iterator(First first, It... it)
{
    return zip_iterator<tuple<First, It...>>(tuple<First, It...>(first, it...));
}

/* A function of several arguments for the tuples of a zip iterator. */
template <typename F> struct zip_function {
    F f;
    __THRUST_BOTH zip_function(F function) : f(function) {}
    template <typename... T> __THRUST_BOTH auto operator()(const tuple<T...> &t) const { return call(t, std::index_sequence_for<T...>()); }

  private:
    template <typename Tuple, std::size_t... I> __THRUST_BOTH auto call(const Tuple &t, std::index_sequence<I...>) const
    {
        F function = f;
        return function(get<(int)I>(t)...);
    }
};
template <typename F> __THRUST_BOTH zip_function<F> make_zip_function(F f) { return zip_function<F>(f); }

template <typename Elements, typename Indices>
struct permutation_iterator : detail::computed<permutation_iterator<Elements, Indices>, detail::value_of<Elements>, std::ptrdiff_t,
                                               detail::reference_of<Elements>> {
    typedef detail::common_system<Elements, Indices> system;
    Elements elements;
    Indices at;
    __THRUST_BOTH permutation_iterator() {}
    __THRUST_BOTH permutation_iterator(Elements e, Indices i) : elements(e), at(i) {}
    __THRUST_BOTH Indices base() const { return at; }
    __THRUST_BOTH detail::reference_of<Elements> dereference() const
    {
        return elements[(std::ptrdiff_t)(detail::value_of<Indices>)*at];
    }
    template <typename N> __THRUST_BOTH void move(N n) { at += n; }
    __THRUST_BOTH std::ptrdiff_t distance(const permutation_iterator &b) const { return at - b.at; }
};
template <typename Elements, typename Indices>
__THRUST_BOTH permutation_iterator<Elements, Indices> make_permutation_iterator(Elements e, Indices i)
{
    return permutation_iterator<Elements, Indices>(e, i);
}

template <typename It>
struct reverse_iterator
    : detail::computed<reverse_iterator<It>, detail::value_of<It>, std::ptrdiff_t, detail::reference_of<It>> {
    typedef detail::common_system<It> system;
    It at;
    __THRUST_BOTH reverse_iterator() {}
    __THRUST_BOTH explicit reverse_iterator(It it) : at(it) {}
    __THRUST_BOTH It base() const { return at; }
    __THRUST_BOTH detail::reference_of<It> dereference() const { return *(at - 1); }
    template <typename N> __THRUST_BOTH void move(N n) { at -= n; }
    __THRUST_BOTH std::ptrdiff_t distance(const reverse_iterator &b) const { return b.at - at; }
};
template <typename It> __THRUST_BOTH reverse_iterator<It> make_reverse_iterator(It it) { return reverse_iterator<It>(it); }

template <typename It, typename N> __THRUST_BOTH void advance(It &it, N n) { it += n; }
template <typename It> __THRUST_BOTH std::ptrdiff_t distance(It first, It last) { return last - first; }
template <typename It> __THRUST_BOTH It next(It it, std::ptrdiff_t n = 1) { return it + n; }
template <typename It> __THRUST_BOTH It prev(It it, std::ptrdiff_t n = 1) { return it - n; }

namespace detail
{
template <typename It> __THRUST_BOTH It raw(const It &it) { return it; }
template <typename T> __THRUST_BOTH T *raw(const device_ptr<T> &p) { return p.get(); }
template <typename F, typename It, typename R, typename V> __THRUST_BOTH auto raw(const transform_iterator<F, It, R, V> &it);
template <typename... It> __THRUST_BOTH auto raw(const zip_iterator<tuple<It...>> &it);
template <typename E, typename I> __THRUST_BOTH auto raw(const permutation_iterator<E, I> &it);
template <typename It> __THRUST_BOTH auto raw(const reverse_iterator<It> &it);

template <typename F, typename It, typename R, typename V> __THRUST_BOTH auto raw(const transform_iterator<F, It, R, V> &it)
{
    auto base = raw(it.at);
    return transform_iterator<F, decltype(base), R, V>(base, it.f);
}
template <typename... It, std::size_t... I> __THRUST_BOTH auto raw_zip(const tuple<It...> &t, std::index_sequence<I...>)
{
    return make_zip_iterator(thrust::make_tuple(raw(get<(int)I>(t))...));
}
template <typename... It> __THRUST_BOTH auto raw(const zip_iterator<tuple<It...>> &it)
{
    return raw_zip(it.at, std::index_sequence_for<It...>());
}
template <typename E, typename I> __THRUST_BOTH auto raw(const permutation_iterator<E, I> &it)
{
    return make_permutation_iterator(raw(it.elements), raw(it.at));
}
template <typename It> __THRUST_BOTH auto raw(const reverse_iterator<It> &it) { return make_reverse_iterator(raw(it.at)); }
} // namespace detail
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
