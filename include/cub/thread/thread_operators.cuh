/* Operators by name. */
#ifndef BANKSHOT_CUB_THREAD_OPERATORS
#define BANKSHOT_CUB_THREAD_OPERATORS

#include <cub/util_type.cuh>

namespace cub
{
struct Equality {
    template <typename T, typename U> __CUB_BOTH bool operator()(T &&a, U &&b) const { return a == b; }
};
struct Inequality {
    template <typename T, typename U> __CUB_BOTH bool operator()(T &&a, U &&b) const { return a != b; }
};
template <typename Op> struct InequalityWrapper {
    Op op;
    __CUB_BOTH InequalityWrapper(Op o) : op(o) {}
    template <typename T, typename U> __CUB_BOTH bool operator()(T &&a, U &&b) { return !op(a, b); }
};
struct Sum {
    template <typename T> __CUB_BOTH T operator()(const T &a, const T &b) const { return a + b; }
};
struct Difference {
    template <typename T> __CUB_BOTH T operator()(const T &a, const T &b) const { return a - b; }
};
struct Division {
    template <typename T> __CUB_BOTH T operator()(const T &a, const T &b) const { return a / b; }
};
struct Max {
    template <typename T> __CUB_BOTH T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct Min {
    template <typename T> __CUB_BOTH T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
struct ArgMax {
    template <typename K, typename V>
    __CUB_BOTH KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const
    {
        return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <typename K, typename V>
    __CUB_BOTH KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const
    {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
template <typename B> struct CastOp {
    template <typename A> __CUB_BOTH B operator()(const A &a) const { return (B)a; }
};

/* Of two (segment, value) pairs: values add up within a segment, whose first pair has the key 1 and the others 0. */
template <typename Op> struct ReduceBySegmentOp {
    Op op;
    ReduceBySegmentOp() = default;
    __CUB_BOTH ReduceBySegmentOp(Op o) : op(o) {}
    template <typename Pair> __CUB_BOTH Pair operator()(const Pair &a, const Pair &b)
    {
        Pair r;
        r.key = a.key + b.key;
        r.value = b.key ? b.value : op(a.value, b.value);
        return r;
    }
};
} // namespace cub

#endif
// SPDX-License-Identifier: Apache-2.0
