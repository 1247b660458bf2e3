/* Types that CUB's interfaces speak of. */
#ifndef BANKSHOT_CUB_UTIL_TYPE
#define BANKSHOT_CUB_UTIL_TYPE

#include <cub/config.cuh>

namespace cub
{
struct NullType {
    template <typename T> __CUB_BOTH NullType &operator=(const T &) { return *this; }
    __CUB_BOTH bool operator==(const NullType &) const { return true; }
    __CUB_BOTH bool operator!=(const NullType &) const { return false; }
};

template <typename A, typename B> struct KeyValuePair {
    typedef A Key;
    typedef B Value;
    Key key;
    Value value;
    KeyValuePair() = default;
    __CUB_BOTH KeyValuePair(const Key &k, const Value &v) : key(k), value(v) {}
    __CUB_BOTH bool operator==(const KeyValuePair &b) const { return key == b.key && value == b.value; }
    __CUB_BOTH bool operator!=(const KeyValuePair &b) const { return !(*this == b); }
};

/* Two buffers of which one holds the data; sorts leave the result in either. */
template <typename T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    __CUB_BOTH DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
    __CUB_BOTH DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate}, selector(0) {}
    __CUB_BOTH T *Current() { return d_buffers[selector]; }
    __CUB_BOTH T *Alternate() { return d_buffers[selector ^ 1]; }
};

/* Memory for a T that is not constructed: shared variables may not be. */
template <typename T> struct Uninitialized {
    alignas(T) unsigned char bytes[sizeof(T)];
    __CUB_BOTH T &Alias() { return reinterpret_cast<T &>(*this); }
};

namespace detail
{
template <typename It> using value_of = typename std::iterator_traits<It>::value_type;

/* The type that an algorithm writes: that of the output, unless the output is of no type. */
template <typename Out, typename Or> struct output_or {
    typedef typename std::conditional<std::is_void<value_of<Out>>::value, Or, value_of<Out>>::type type;
};
} // namespace detail
} // namespace cub

#endif
// SPDX-License-Identifier: Apache-2.0
