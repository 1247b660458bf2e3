/* What iterators that compute their values have in common. */
#ifndef BANKSHOT_CUB_DETAIL_COMPUTED_ITERATOR
#define BANKSHOT_CUB_DETAIL_COMPUTED_ITERATOR

#include <cub/util_type.cuh>

namespace cub
{
namespace detail
{
/* Arithmetic of an iterator that has a place: Self gives dereference() and moved(n), and the distance to another. */
template <typename Self, typename T, typename Difference, typename Reference = T> struct computed_iterator {
    typedef T value_type;
    typedef Reference reference;
    typedef T *pointer;
    typedef Difference difference_type;
    typedef std::random_access_iterator_tag iterator_category;

    __CUB_BOTH Self &self() { return static_cast<Self &>(*this); }
    __CUB_BOTH const Self &self() const { return static_cast<const Self &>(*this); }
    __CUB_BOTH Reference operator*() const { return self().dereference(); }
    template <typename N> __CUB_BOTH Reference operator[](N n) const { return (self() + n).dereference(); }
    template <typename N> __CUB_BOTH Self operator+(N n) const
    {
        Self r = self();
        r.move(n);
        return r;
    }
    template <typename N, typename = typename std::enable_if<std::is_integral<N>::value>::type> __CUB_BOTH Self operator-(N n) const
    {
        Self r = self();
        r.move(-(Difference)n);
        return r;
    }
    __CUB_BOTH Difference operator-(const Self &b) const { return self().distance(b); }
    template <typename N> __CUB_BOTH Self &operator+=(N n)
    {
        self().move(n);
        return self();
    }
    template <typename N> __CUB_BOTH Self &operator-=(N n)
    {
        self().move(-(Difference)n);
        return self();
    }
    __CUB_BOTH Self &operator++() { return *this += 1; }
    __CUB_BOTH Self &operator--() { return *this -= 1; }
    __CUB_BOTH Self operator++(int)
    {
        Self old = self();
        *this += 1;
        return old;
    }
    __CUB_BOTH Self operator--(int)
    {
        Self old = self();
        *this -= 1;
        return old;
    }
    __CUB_BOTH bool operator==(const Self &b) const { return self().distance(b) == 0; }
    __CUB_BOTH bool operator!=(const Self &b) const { return self().distance(b) != 0; }
    __CUB_BOTH bool operator<(const Self &b) const { return self().distance(b) < 0; }
    __CUB_BOTH bool operator>(const Self &b) const { return self().distance(b) > 0; }
    __CUB_BOTH bool operator<=(const Self &b) const { return self().distance(b) <= 0; }
    __CUB_BOTH bool operator>=(const Self &b) const { return self().distance(b) >= 0; }
};
} // namespace detail
} // namespace cub

#endif
// SPDX-License-Identifier: Apache-2.0
