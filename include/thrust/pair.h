/* Pairs that host and device code share. */
#ifndef BANKSHOT_THRUST_PAIR
#define BANKSHOT_THRUST_PAIR

#include <thrust/tuple.h>

namespace thrust
{
template <typename A, typename B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
    pair() = default;
    __host__ __device__ constexpr pair(const A &a, const B &b) : first(a), second(b) {}
    template <typename C, typename D> __host__ __device__ constexpr pair(const pair<C, D> &p) : first(p.first), second(p.second) {}
};
template <typename A, typename B> __host__ __device__ constexpr pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }
template <typename A, typename B> __host__ __device__ constexpr bool operator==(const pair<A, B> &a, const pair<A, B> &b)
{
    return a.first == b.first && a.second == b.second;
}
template <typename A, typename B> __host__ __device__ constexpr bool operator!=(const pair<A, B> &a, const pair<A, B> &b)
{
    return !(a == b);
}
template <typename A, typename B> __host__ __device__ constexpr bool operator<(const pair<A, B> &a, const pair<A, B> &b)
{
    return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
