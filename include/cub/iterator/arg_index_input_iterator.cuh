/* Iterators that compute what they give: counters, constants, transforms, and items with their place. */
#ifndef BANKSHOT_CUB_ITERATORS
#define BANKSHOT_CUB_ITERATORS

#include <cub/detail/computed_iterator.cuh>

namespace cub
{
template <typename T, typename Offset = std::ptrdiff_t>
struct CountingInputIterator : detail::computed_iterator<CountingInputIterator<T, Offset>, T, Offset> {
    T at;
    __CUB_BOTH CountingInputIterator(const T &first) : at(first) {}
    __CUB_BOTH T dereference() const { return at; }
    template <typename N> __CUB_BOTH void move(N n) { at += (T)n; }
    __CUB_BOTH Offset distance(const CountingInputIterator &b) const { return (Offset)(at - b.at); }
};

template <typename T, typename Offset = std::ptrdiff_t>
struct ConstantInputIterator : detail::computed_iterator<ConstantInputIterator<T, Offset>, T, Offset> {
    T value;
    Offset at;
    __CUB_BOTH ConstantInputIterator(T v, Offset first = 0) : value(v), at(first) {}
    __CUB_BOTH T dereference() const { return value; }
    template <typename N> __CUB_BOTH void move(N n) { at += (Offset)n; }
    __CUB_BOTH Offset distance(const ConstantInputIterator &b) const { return at - b.at; }
};

template <typename T, typename Op, typename In, typename Offset = std::ptrdiff_t>
struct TransformInputIterator : detail::computed_iterator<TransformInputIterator<T, Op, In, Offset>, T, Offset> {
    In at;
    Op op;
    __CUB_BOTH TransformInputIterator(In first, Op o) : at(first), op(o) {}
    __CUB_BOTH T dereference() const
    {
        Op f = op;
        return f(*at);
    }
    template <typename N> __CUB_BOTH void move(N n) { at = at + n; }
    __CUB_BOTH Offset distance(const TransformInputIterator &b) const { return (Offset)(at - b.at); }
};

template <typename In, typename Offset = std::ptrdiff_t, typename Value = detail::value_of<In>>
struct ArgIndexInputIterator
    : detail::computed_iterator<ArgIndexInputIterator<In, Offset, Value>, KeyValuePair<Offset, Value>, Offset> {
    In from;
    Offset at;
    __CUB_BOTH ArgIndexInputIterator(In first, Offset offset = 0) : from(first), at(offset) {}
    __CUB_BOTH KeyValuePair<Offset, Value> dereference() const { return KeyValuePair<Offset, Value>(at, from[at]); }
    template <typename N> __CUB_BOTH void move(N n) { at += (Offset)n; }
    __CUB_BOTH Offset distance(const ArgIndexInputIterator &b) const { return at - b.at; }
};

/* What is written to it is gone. */
template <typename Offset = std::ptrdiff_t> struct DiscardOutputIterator {
    typedef void value_type, pointer;
    typedef DiscardOutputIterator &reference;
    typedef Offset difference_type;
    typedef std::random_access_iterator_tag iterator_category;
    __CUB_BOTH DiscardOutputIterator(Offset = 0) {}
    template <typename T> __CUB_BOTH DiscardOutputIterator &operator=(const T &) { return *this; }
    __CUB_BOTH DiscardOutputIterator &operator*() { return *this; }
    __CUB_BOTH DiscardOutputIterator &operator++() { return *this; }
    template <typename N> __CUB_BOTH DiscardOutputIterator operator+(N) const { return *this; }
    template <typename N> __CUB_BOTH DiscardOutputIterator &operator[](N) { return *this; }
};

/* How memory is read: cache modifiers have no effect on results, and none here. */
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

template <CacheLoadModifier HOW, typename T, typename Offset = std::ptrdiff_t>
struct CacheModifiedInputIterator : detail::computed_iterator<CacheModifiedInputIterator<HOW, T, Offset>, T, Offset> {
    const T *at;
    template <typename Q> __CUB_BOTH CacheModifiedInputIterator(Q *first) : at(first) {}
    __CUB_BOTH T dereference() const { return *at; }
    template <typename N> __CUB_BOTH void move(N n) { at += n; }
    __CUB_BOTH Offset distance(const CacheModifiedInputIterator &b) const { return (Offset)(at - b.at); }
};

template <CacheLoadModifier HOW, typename It> __CUB_DEVICE detail::value_of<It> ThreadLoad(It at) { return *at; }
template <CacheStoreModifier HOW, typename It, typename T> __CUB_DEVICE void ThreadStore(It at, T value) { *at = value; }
} // namespace cub

#endif
// SPDX-License-Identifier: Apache-2.0
