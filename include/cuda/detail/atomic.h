/* cuda::atomic, atomic_ref and atomic_thread_fence. On the device they are the __nv_atomic functions; values of one and two bytes are
 * changed within their word. On the host they are the compiler's. */
#ifndef BANKSHOT_CUDA_ATOMIC_H
#define BANKSHOT_CUDA_ATOMIC_H

#include <host_defines.h>
__BANKSHOT_LINES_OFF

#include <cuda/detail/scope.h>

namespace cuda
{
namespace __detail
{

/* What a failed exchange may be ordered by. */
__BANKSHOT_BOTH constexpr memory_order failing(memory_order o)
{
    return o == memory_order_acq_rel ? memory_order_acquire : o == memory_order_release ? memory_order_relaxed : o;
}

#if defined(__CUDA_ARCH__)

/* A value of one or two bytes in its word of four: exchanged if the value is the expected one. */
template <class T> __BANKSHOT_DEV bool exchange_within(T *p, T &expected, T desired, int order, int scope)
{
    unsigned at = (unsigned)((unsigned long long)p % 4), mask = (sizeof(T) == 1 ? 0xffu : 0xffffu) << 8 * at, e = 0, d = 0;
    unsigned *word = (unsigned *)((unsigned long long)p - at);
    __builtin_memcpy(&e, &expected, sizeof(T));
    __builtin_memcpy(&d, &desired, sizeof(T));
    for (unsigned was = __bankshot_word<4>::load(word, 0, scope);;) {
        unsigned now = (was & mask) >> 8 * at;
        if (now != e) {
            __builtin_memcpy(&expected, &now, sizeof(T));
            return false;
        }
        unsigned old = __bankshot_word<4>::compare(word, was, (was & ~mask) | d << 8 * at, order, scope);
        if (old == was)
            return true;
        was = old;
    }
}

template <thread_scope S, class T> __BANKSHOT_DEV T load(T *p, memory_order o)
{
    T v;
    __bankshot_sc_fence((int)o, nv_scope(S));
    auto w = __bankshot_word<sizeof(T)>::load(p, o == memory_order_relaxed ? 0 : __NV_ATOMIC_ACQUIRE, nv_scope(S));
    __builtin_memcpy(&v, &w, sizeof(T));
    return v;
}

template <thread_scope S, class T> __BANKSHOT_DEV void store(T *p, T v, memory_order o)
{
    typename __bankshot_word<sizeof(T)>::type w = typename __bankshot_word<sizeof(T)>::type();
    __builtin_memcpy(&w, &v, sizeof(T));
    __bankshot_sc_fence((int)o, nv_scope(S));
    __bankshot_word<sizeof(T)>::store(p, w, (int)o, nv_scope(S));
}

template <thread_scope S, class T> __BANKSHOT_DEV bool compare_exchange(T *p, T &expected, T desired, memory_order o)
{
    __bankshot_sc_fence((int)o, nv_scope(S));
    if constexpr (sizeof(T) < 4) {
        return exchange_within(p, expected, desired, (int)o, nv_scope(S));
    } else {
        typename __bankshot_word<sizeof(T)>::type e, d, old;
        __builtin_memcpy(&e, &expected, sizeof(T));
        __builtin_memcpy(&d, &desired, sizeof(T));
        old = __bankshot_word<sizeof(T)>::compare(p, e, d, (int)o, nv_scope(S));
        __builtin_memcpy(&expected, &old, sizeof(T));
        return old == e;
    }
}

/* The type that has an instruction: of the same size and signedness. */
template <class T, class = void> struct native {
    typedef T type;
};
template <class T> struct native<T, typename ::std::enable_if<::std::is_integral<T>::value && (sizeof(T) >= 4)>::type> {
    typedef typename ::std::conditional<
        sizeof(T) == 4, typename ::std::conditional<::std::is_signed<T>::value, int, unsigned>::type,
        typename ::std::conditional<::std::is_signed<T>::value, long long, unsigned long long>::type>::type type;
};
template <class T> using native_t = typename native<T>::type;
/* Sums of 64 bits are unsigned ones. */
template <class T>
using sum_t = typename ::std::conditional<::std::is_same<native_t<T>, long long>::value, unsigned long long, native_t<T>>::type;

template <thread_scope S, class T> __BANKSHOT_DEV T exchange(T *p, T v, memory_order o)
{
    if constexpr (sizeof(T) < 4) {
        T old = load<S>(p, memory_order_relaxed);
        while (!compare_exchange<S>(p, old, v, o))
            ;
        return old;
    } else {
        __nv_atomic_exchange(p, &v, &v, (int)o, nv_scope(S));
        return v;
    }
}

template <thread_scope S, class T> __BANKSHOT_DEV void fence(memory_order o)
{
    if (o != memory_order_relaxed)
        __nv_atomic_thread_fence(o == memory_order_seq_cst ? __NV_ATOMIC_SEQ_CST : __NV_ATOMIC_ACQ_REL, nv_scope(S));
}

/* An operation with its instruction, or by exchanging until nobody came between. */
#define __BANKSHOT_OP(name, type, has, result)                                                               \
    template <thread_scope S, class T> __BANKSHOT_DEV T fetch_##name(T *p, T v, memory_order o)              \
    {                                                                                                        \
        if constexpr (has) {                                                                                 \
            return (T)__nv_atomic_fetch_##name((type<T> *)p, (type<T>)v, (int)o, nv_scope(S));               \
        } else {                                                                                             \
            T old = load<S>(p, memory_order_relaxed);                                                        \
            while (!compare_exchange<S>(p, old, (T)(result), o))                                             \
                ;                                                                                            \
            return old;                                                                                      \
        }                                                                                                    \
    }
#define __BANKSHOT_WIDE (sizeof(T) >= 4 && ::std::is_integral<T>::value)
#define __BANKSHOT_FLOAT (::std::is_same<T, float>::value || ::std::is_same<T, double>::value)

#else

template <thread_scope, class T> inline T load(T *p, memory_order o)
{
    T v;
    __atomic_load(p, &v, (int)o);
    return v;
}
template <thread_scope, class T> inline void store(T *p, T v, memory_order o) { __atomic_store(p, &v, (int)o); }
template <thread_scope, class T> inline bool compare_exchange(T *p, T &expected, T desired, memory_order o)
{
    return __atomic_compare_exchange(p, &expected, &desired, false, (int)o, (int)failing(o));
}
template <thread_scope, class T> inline T exchange(T *p, T v, memory_order o)
{
    T old;
    __atomic_exchange(p, &v, &old, (int)o);
    return old;
}
template <thread_scope, class T> inline void fence(memory_order o) { __atomic_thread_fence((int)o); }

#define __BANKSHOT_OP(name, type, has, result)                                                               \
    template <thread_scope S, class T> inline T fetch_##name(T *p, T v, memory_order o)                      \
    {                                                                                                        \
        T old = load<S>(p, memory_order_relaxed);                                                            \
        while (!compare_exchange<S>(p, old, (T)(result), o))                                                 \
            ;                                                                                                \
        return old;                                                                                          \
    }

#endif

__BANKSHOT_OP(add, sum_t, __BANKSHOT_WIDE || __BANKSHOT_FLOAT, old + v)
__BANKSHOT_OP(sub, sum_t, __BANKSHOT_WIDE || __BANKSHOT_FLOAT, old - v)
__BANKSHOT_OP(and, native_t, __BANKSHOT_WIDE, old &v)
__BANKSHOT_OP(or, native_t, __BANKSHOT_WIDE, old | v)
__BANKSHOT_OP(xor, native_t, __BANKSHOT_WIDE, old ^ v)
__BANKSHOT_OP(min, native_t, __BANKSHOT_WIDE, v < old ? v : old)
__BANKSHOT_OP(max, native_t, __BANKSHOT_WIDE, old < v ? v : old)
#undef __BANKSHOT_OP
#undef __BANKSHOT_WIDE
#undef __BANKSHOT_FLOAT

/* What atomic and atomic_ref have in common; Self::at() is where the value is. */
template <class T, thread_scope S, class Self> struct atomic_functions {
    typedef T value_type;
    static constexpr bool is_always_lock_free = sizeof(T) <= 8;

    __BANKSHOT_BOTH bool is_lock_free() const { return is_always_lock_free; }
    __BANKSHOT_BOTH T load(memory_order o = memory_order_seq_cst) const { return __detail::load<S>(at(), o); }
    __BANKSHOT_BOTH void store(T v, memory_order o = memory_order_seq_cst) const { __detail::store<S>(at(), v, o); }
    __BANKSHOT_BOTH T exchange(T v, memory_order o = memory_order_seq_cst) const
    {
        return __detail::exchange<S>(at(), v, o);
    }
    __BANKSHOT_BOTH bool compare_exchange_strong(T &expected, T v, memory_order o = memory_order_seq_cst) const
    {
        return __detail::compare_exchange<S>(at(), expected, v, o);
    }
    __BANKSHOT_BOTH bool compare_exchange_strong(T &expected, T v, memory_order o, memory_order) const
    {
        return __detail::compare_exchange<S>(at(), expected, v, o);
    }
    __BANKSHOT_BOTH bool compare_exchange_weak(T &expected, T v, memory_order o = memory_order_seq_cst) const
    {
        return __detail::compare_exchange<S>(at(), expected, v, o);
    }
    __BANKSHOT_BOTH bool compare_exchange_weak(T &expected, T v, memory_order o, memory_order) const
    {
        return __detail::compare_exchange<S>(at(), expected, v, o);
    }
    __BANKSHOT_BOTH operator T() const { return load(); }
#define __BANKSHOT_FETCH(name)                                                                               \
    __BANKSHOT_BOTH T fetch_##name(T v, memory_order o = memory_order_seq_cst) const                         \
    {                                                                                                        \
        return __detail::fetch_##name<S>(at(), v, o);                                                        \
    }
    __BANKSHOT_FETCH(add)
    __BANKSHOT_FETCH(sub)
    __BANKSHOT_FETCH(and)
    __BANKSHOT_FETCH(or)
    __BANKSHOT_FETCH(xor)
    __BANKSHOT_FETCH(min)
    __BANKSHOT_FETCH(max)
#undef __BANKSHOT_FETCH
    __BANKSHOT_BOTH T operator+=(T v) const { return (T)(fetch_add(v) + v); }
    __BANKSHOT_BOTH T operator-=(T v) const { return (T)(fetch_sub(v) - v); }
    __BANKSHOT_BOTH T operator&=(T v) const { return (T)(fetch_and(v) & v); }
    __BANKSHOT_BOTH T operator|=(T v) const { return (T)(fetch_or(v) | v); }
    __BANKSHOT_BOTH T operator^=(T v) const { return (T)(fetch_xor(v) ^ v); }
    __BANKSHOT_BOTH T operator++() const { return (T)(fetch_add((T)1) + (T)1); }
    __BANKSHOT_BOTH T operator++(int) const { return fetch_add((T)1); }
    __BANKSHOT_BOTH T operator--() const { return (T)(fetch_sub((T)1) - (T)1); }
    __BANKSHOT_BOTH T operator--(int) const { return fetch_sub((T)1); }
    __BANKSHOT_BOTH void wait(T old, memory_order o = memory_order_seq_cst) const
    {
        while (load(o) == old)
            ;
    }
    __BANKSHOT_BOTH void notify_one() const {}
    __BANKSHOT_BOTH void notify_all() const {}

  private:
    __BANKSHOT_BOTH T *at() const { return static_cast<const Self *>(this)->__at(); }
};

} // namespace __detail

template <class T, thread_scope S = thread_scope_system>
struct atomic : __detail::atomic_functions<T, S, atomic<T, S>> {
    atomic() = default;
    __BANKSHOT_BOTH constexpr atomic(T v) : __value(v) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    __BANKSHOT_BOTH T operator=(T v)
    {
        this->store(v);
        return v;
    }
    __BANKSHOT_BOTH T *__at() const { return const_cast<T *>(&__value); }

  private:
    alignas(sizeof(T)) T __value;
};

template <class T, thread_scope S = thread_scope_system>
struct atomic_ref : __detail::atomic_functions<T, S, atomic_ref<T, S>> {
    static constexpr ::std::size_t required_alignment = sizeof(T);
    __BANKSHOT_BOTH explicit atomic_ref(T &v) : __where(&v) {}
    atomic_ref(const atomic_ref &) = default;
    atomic_ref &operator=(const atomic_ref &) = delete;
    __BANKSHOT_BOTH T operator=(T v) const
    {
        this->store(v);
        return v;
    }
    __BANKSHOT_BOTH T *__at() const { return __where; }

  private:
    T *__where;
};

struct __flag {
    __BANKSHOT_BOTH bool test_and_set(memory_order o = memory_order_seq_cst) { return __word.exchange(1, o) != 0; }
    __BANKSHOT_BOTH bool test(memory_order o = memory_order_seq_cst) const { return __word.load(o) != 0; }
    __BANKSHOT_BOTH void clear(memory_order o = memory_order_seq_cst) { __word.store(0, o); }

  private:
    atomic<int, thread_scope_system> __word;
};
typedef __flag atomic_flag;

__BANKSHOT_BOTH void atomic_thread_fence(memory_order o, thread_scope s = thread_scope_system)
{
    switch (s) {
    case thread_scope_block: __detail::fence<thread_scope_block, void>(o); break;
    case thread_scope_device: __detail::fence<thread_scope_device, void>(o); break;
    case thread_scope_system: __detail::fence<thread_scope_system, void>(o); break;
    default:;
    }
}

namespace std
{
template <class T> using atomic = cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = cuda::atomic_ref<T, thread_scope_system>;
} // namespace std
} // namespace cuda

__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
