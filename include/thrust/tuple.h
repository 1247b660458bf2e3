/* Tuples that host and device code share. */
#ifndef BANKSHOT_THRUST_TUPLE
#define BANKSHOT_THRUST_TUPLE

#include <thrust/detail/config.h>
#include <tuple>

namespace thrust
{
template <typename... T> struct tuple;

namespace detail
{
template <int I, typename... T> struct tuple_at;
template <typename First, typename... Rest> struct tuple_at<0, First, Rest...> {
    typedef First type;
};
template <int I, typename First, typename... Rest> struct tuple_at<I, First, Rest...> : tuple_at<I - 1, Rest...> {};

/* One member; the index makes equal types different. */
template <int I, typename T> struct tuple_member {
    T value;
};
template <typename Indices, typename... T> struct tuple_base;
template <std::size_t... I, typename... T>
struct tuple_base<std::index_sequence<I...>, T...> : tuple_member<(int)I, T>... {
    typedef std::index_sequence<I...> indices;
    constexpr tuple_base() = default;
    template <typename... U>
    __host__ __device__ constexpr tuple_base(int, U &&...u) : tuple_member<(int)I, T>{static_cast<T>(std::forward<U>(u))}...
    {
    }
};
} // namespace detail

template <int I, typename... T> __host__ __device__ constexpr typename detail::tuple_at<I, T...>::type &get(tuple<T...> &t)
{
    return static_cast<detail::tuple_member<I, typename detail::tuple_at<I, T...>::type> &>(t).value;
}
template <int I, typename... T>
__host__ __device__ constexpr const typename detail::tuple_at<I, T...>::type &get(const tuple<T...> &t)
{
    return static_cast<const detail::tuple_member<I, typename detail::tuple_at<I, T...>::type> &>(t).value;
}
template <int I, typename... T> __host__ __device__ constexpr typename detail::tuple_at<I, T...>::type &&get(tuple<T...> &&t)
{
    return static_cast<typename detail::tuple_at<I, T...>::type &&>(get<I>(t));
}

template <typename... T> struct tuple : detail::tuple_base<std::make_index_sequence<sizeof...(T)>, T...> {
    typedef detail::tuple_base<std::make_index_sequence<sizeof...(T)>, T...> base;

    constexpr tuple() = default;
    tuple(const tuple &) = default;
    template <typename... U, typename = typename std::enable_if<sizeof...(U) == sizeof...(T) &&
            (std::is_convertible<U &&, T>::value && ...) && sizeof...(T) != 0>::type>
    __host__ __device__ constexpr tuple(U &&...u) : base(0, std::forward<U>(u)...)
    {
    }
    template <typename... U, typename = typename std::enable_if<sizeof...(U) == sizeof...(T)>::type, typename = void>
    __host__ __device__ constexpr tuple(const tuple<U...> &b) : tuple(b, typename base::indices())
    {
    }
    __host__ __device__ tuple &operator=(const tuple &b) { return assign(b, typename base::indices()); }
    template <typename... U> __host__ __device__ tuple &operator=(const tuple<U...> &b)
    {
        return assign(b, typename base::indices());
    }
    /* std::pair, and thrust's own. */
    template <template <typename, typename> class Pair, typename A, typename B>
    __host__ __device__ auto operator=(const Pair<A, B> &b) -> decltype((void)b.first, (void)b.second, *this)
    {
        thrust::get<0>(*this) = b.first;
        thrust::get<1>(*this) = b.second;
        return *this;
    }
    template <int I> __host__ __device__ constexpr auto &get() { return thrust::get<I>(*this); }
    template <int I> __host__ __device__ constexpr const auto &get() const { return thrust::get<I>(*this); }

  private:
    template <typename Other, std::size_t... I>
    __host__ __device__ constexpr tuple(const Other &b, std::index_sequence<I...>) : base(0, thrust::get<(int)I>(b)...)
    {
    }
    template <typename Other, std::size_t... I> __host__ __device__ tuple &assign(const Other &b, std::index_sequence<I...>)
    {
        (void)((thrust::get<(int)I>(*this) = thrust::get<(int)I>(b)), ...);
        return *this;
    }
};

template <int I, typename T> struct tuple_element;
template <int I, typename... T> struct tuple_element<I, tuple<T...>> : detail::tuple_at<I, T...> {};
template <int I, typename T> struct tuple_element<I, const T> : tuple_element<I, T> {};
template <typename T> struct tuple_size;
template <typename... T> struct tuple_size<tuple<T...>> {
    static constexpr int value = sizeof...(T);
};

namespace detail
{
template <typename T> struct unwrap_ref {
    typedef T type;
};
template <typename T> struct unwrap_ref<std::reference_wrapper<T>> {
    typedef T &type;
};
struct ignore_t {
    template <typename T> __host__ __device__ const ignore_t &operator=(const T &) const { return *this; }
};
template <int I, typename A, typename B> __host__ __device__ constexpr int compare(const A &a, const B &b)
{
    if constexpr (I == tuple_size<A>::value)
        return 0;
    else
        return get<I>(a) < get<I>(b) ? -1 : get<I>(b) < get<I>(a) ? 1 : compare<I + 1>(a, b);
}
template <int I, typename A, typename B> __host__ __device__ constexpr bool same(const A &a, const B &b)
{
    if constexpr (I == tuple_size<A>::value)
        return true;
    else
        return get<I>(a) == get<I>(b) && same<I + 1>(a, b);
}
} // namespace detail
static const detail::ignore_t ignore = {};

template <typename... T>
__host__ __device__ constexpr tuple<typename detail::unwrap_ref<typename std::decay<T>::type>::type...> make_tuple(T &&...t)
{
    return tuple<typename detail::unwrap_ref<typename std::decay<T>::type>::type...>(std::forward<T>(t)...);
}
template <typename... T> __host__ __device__ constexpr tuple<T &...> tie(T &...t) { return tuple<T &...>(t...); }

template <typename... A, typename... B> __host__ __device__ constexpr bool operator==(const tuple<A...> &a, const tuple<B...> &b)
{
    return detail::same<0>(a, b);
}
template <typename... A, typename... B> __host__ __device__ constexpr bool operator!=(const tuple<A...> &a, const tuple<B...> &b)
{
    return !detail::same<0>(a, b);
}
template <typename... A, typename... B> __host__ __device__ constexpr bool operator<(const tuple<A...> &a, const tuple<B...> &b)
{
    return detail::compare<0>(a, b) < 0;
}
template <typename... A, typename... B> __host__ __device__ constexpr bool operator>(const tuple<A...> &a, const tuple<B...> &b)
{
    return detail::compare<0>(a, b) > 0;
}
} // namespace thrust

namespace std
{
template <typename... T> struct tuple_size<thrust::tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <size_t I, typename... T> struct tuple_element<I, thrust::tuple<T...>> : thrust::detail::tuple_at<(int)I, T...> {};
} // namespace std

#endif
/* SPDX-License-Identifier: Apache-2.0 */
