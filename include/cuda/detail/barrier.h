/* cuda::barrier, memcpy_async to one, and the bulk copies of cuda::device::experimental. A barrier of a CTA in shared memory is a
 * barrier object of the machine (compute capability 8.0 and later); any other, and one with a completion function, is a counter. */
#ifndef BANKSHOT_CUDA_BARRIER_H
#define BANKSHOT_CUDA_BARRIER_H

#include <host_defines.h>
__BANKSHOT_LINES_OFF

#include <cuda/detail/atomic.h>
#include <cuda/detail/ptx.h>

namespace cuda
{
namespace __detail
{

struct nothing {
    __BANKSHOT_BOTH void operator()() noexcept {}
};

/* Phase, arrivals that are expected in each, and those that are missing in this one, in a word. */
template <thread_scope S> struct counter {
    atomic<unsigned long long, S> word;

    static constexpr unsigned BITS = 31;
    static constexpr unsigned long long MASK = (1ull << BITS) - 1, PHASE = 1ull << 63;

    __BANKSHOT_BOTH static unsigned long long pack(unsigned long long phase, unsigned long long expected,
                                                   unsigned long long missing)
    {
        return phase | expected << BITS | missing;
    }
    __BANKSHOT_BOTH void set(::std::ptrdiff_t n) { word.store(pack(0, n, n), memory_order_release); }

    /* The phase that it arrived in. The last one calls `done`, then the next phase begins. */
    template <class F> __BANKSHOT_BOTH unsigned long long arrive(unsigned long long n, unsigned long long fewer, F &done)
    {
        unsigned long long was = word.load(memory_order_relaxed), now;
        do {
            unsigned long long expected = (was & ~PHASE) >> BITS, missing = was & MASK;
            now = pack(was & PHASE, expected - fewer, missing - n);
        } while (!word.compare_exchange_weak(was, now, memory_order_acq_rel));
        if ((now & MASK) == 0) {
            unsigned long long expected = (now & ~PHASE) >> BITS;
            done();
            word.store(pack(~now & PHASE, expected, expected), memory_order_release);
        }
        return was & PHASE;
    }
    __BANKSHOT_BOTH bool over(unsigned long long phase) const
    {
        return (word.load(memory_order_acquire) & PHASE) != phase;
    }
};

/* Barrier objects: addresses in shared memory. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define __BANKSHOT_OBJECTS 1
#else
#define __BANKSHOT_OBJECTS 0
#endif

#if __BANKSHOT_OBJECTS
__BANKSHOT_DEV void object_init(unsigned at, unsigned n)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" : : "r"(at), "r"(n) : "memory");
}

__BANKSHOT_DEV unsigned long long object_arrive(unsigned at, unsigned n)
{
    unsigned long long state;
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;" : "=l"(state) : "r"(at), "r"(n) : "memory");
#else
    if (n > 1)
        asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;"
                     : "=l"(state)
                     : "r"(at), "r"(n - 1)
                     : "memory");
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
#endif
    return state;
}

__BANKSHOT_DEV void object_drop(unsigned at)
{
    unsigned long long state;
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
}

#if __CUDA_ARCH__ >= 900
#define __BANKSHOT_ASK "mbarrier.try_wait"
#else
#define __BANKSHOT_ASK "mbarrier.test_wait"
#endif
#define __BANKSHOT_OVER(name, by, T, c)                                                                      \
    __BANKSHOT_DEV bool name(unsigned at, T phase)                                                           \
    {                                                                                                        \
        int is;                                                                                              \
        asm volatile("{\n\t.reg .pred p;\n\t" __BANKSHOT_ASK by ".shared.b64 p, [%1], %2;\n\t"               \
                     "selp.b32 %0, 1, 0, p;\n\t}"                                                            \
                     : "=r"(is)                                                                              \
                     : "r"(at), c(phase)                                                                     \
                     : "memory");                                                                            \
        return is;                                                                                           \
    }
__BANKSHOT_OVER(object_over, "", unsigned long long, "l")
__BANKSHOT_OVER(object_over_parity, ".parity", unsigned, "r")
#undef __BANKSHOT_OVER
#undef __BANKSHOT_ASK
#endif

} // namespace __detail

template <thread_scope S, class F = __detail::nothing> class barrier
{
  public:
    class arrival_token
    {
        friend class barrier;
        unsigned long long state;
        __BANKSHOT_BOTH explicit arrival_token(unsigned long long s) : state(s) {}

      public:
        arrival_token(arrival_token &&) = default;
        arrival_token &operator=(arrival_token &&) = default;
    };

    barrier() = default;
    __BANKSHOT_BOTH explicit barrier(::std::ptrdiff_t n, F f = F()) { __init(n, f); }
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;

    __BANKSHOT_BOTH static constexpr ::std::ptrdiff_t max() noexcept { return (1 << 20) - 1; }

    __BANKSHOT_BOTH arrival_token arrive(::std::ptrdiff_t n = 1)
    {
#if __BANKSHOT_OBJECTS
        if (is_object())
            return arrival_token(__detail::object_arrive(object(), (unsigned)n));
#endif
        return arrival_token(count.arrive((unsigned long long)n, 0, done));
    }
    __BANKSHOT_BOTH void wait(arrival_token &&t) const
    {
        while (!over(t.state))
            ;
    }
    __BANKSHOT_BOTH bool try_wait(arrival_token &&t) const { return over(t.state); }
    /* Until the phase with this parity is over; the first has parity 0. */
    __BANKSHOT_BOTH void wait_parity(bool parity) const
    {
        while (!try_wait_parity(parity))
            ;
    }
    __BANKSHOT_BOTH bool try_wait_parity(bool parity) const
    {
#if __BANKSHOT_OBJECTS
        if (is_object())
            return __detail::object_over_parity(object(), parity);
#endif
        return count.over(parity ? count.PHASE : 0);
    }
    __BANKSHOT_BOTH void arrive_and_wait() { wait(arrive()); }
    __BANKSHOT_BOTH void arrive_and_drop()
    {
#if __BANKSHOT_OBJECTS
        if (is_object())
            return __detail::object_drop(object());
#endif
        count.arrive(1, 1, done);
    }

    __BANKSHOT_BOTH void __init(::std::ptrdiff_t n, F f)
    {
        done = f;
#if __BANKSHOT_OBJECTS
        if (is_object())
            return __detail::object_init(object(), (unsigned)n);
#endif
        count.set(n);
    }
    __BANKSHOT_DEV ::std::uint64_t *__native() { return (::std::uint64_t *)&count; }

  private:
#if __BANKSHOT_OBJECTS
    __BANKSHOT_DEV bool is_object() const
    {
        return S == thread_scope_block && ::std::is_same<F, __detail::nothing>::value && __nvvm_isspacep_shared(&count);
    }
    __BANKSHOT_DEV unsigned object() const { return __detail::shared_address(&count); }
#endif
    __BANKSHOT_BOTH bool over(unsigned long long state) const
    {
#if __BANKSHOT_OBJECTS
        if (is_object())
            return __detail::object_over(object(), state);
#endif
        return count.over(state);
    }

    __detail::counter<S> count;
    F done;
};

template <thread_scope S, class F> __BANKSHOT_BOTH void init(barrier<S, F> *b, ::std::ptrdiff_t n, F f = F())
{
    b->__init(n, f);
}

namespace std
{
template <class F = cuda::__detail::nothing> using barrier = cuda::barrier<thread_scope_system, F>;
}

namespace device
{

__BANKSHOT_DEV ::std::uint64_t *barrier_native_handle(barrier<thread_scope_block> &b) { return b.__native(); }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

__BANKSHOT_DEV void barrier_expect_tx(barrier<thread_scope_block> &b, ::std::ptrdiff_t bytes)
{
    ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, b.__native(), (::std::uint32_t)bytes);
}

/* The bytes are expected, then it arrives. */
__BANKSHOT_DEV barrier<thread_scope_block>::arrival_token barrier_arrive_tx(barrier<thread_scope_block> &b,
                                                                            ::std::ptrdiff_t n, ::std::ptrdiff_t bytes)
{
    barrier_expect_tx(b, bytes);
    return b.arrive(n);
}

template <class T, ::std::size_t A>
__BANKSHOT_DEV void memcpy_async_tx(T *to, const T *from, aligned_size_t<A> bytes, barrier<thread_scope_block> &b)
{
    static_assert(A >= 16, "16 bytes are copied at a time");
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, (::std::uint32_t)bytes.value, b.__native());
}

namespace experimental
{

__BANKSHOT_DEV void fence_proxy_async_shared_cta() { ptx::fence_proxy_async(ptx::space_shared); }

__BANKSHOT_DEV void cp_async_bulk_global_to_shared(void *to, const void *from, ::std::uint32_t bytes,
                                                   barrier<thread_scope_block> &b)
{
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, bytes, b.__native());
}

__BANKSHOT_DEV void cp_async_bulk_shared_to_global(void *to, const void *from, ::std::uint32_t bytes)
{
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to, from, bytes);
}

/* `parameters` in parentheses, since they have commas. */
#define __BANKSHOT_LIST(...) __VA_ARGS__
#define __BANKSHOT_TENSOR(rank, parameters, ...)                                                             \
    __BANKSHOT_DEV void cp_async_bulk_tensor_##rank##_global_to_shared(void *to, const CUtensorMap *map,     \
                                                                       __BANKSHOT_LIST parameters,           \
                                                                       barrier<thread_scope_block> &b)       \
    {                                                                                                        \
        const ::std::int32_t at[] = {__VA_ARGS__};                                                           \
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to, map, at, b.__native());         \
    }                                                                                                        \
    __BANKSHOT_DEV void cp_async_bulk_tensor_##rank##_shared_to_global(                                      \
        const CUtensorMap *map, __BANKSHOT_LIST parameters, const void *from)                                \
    {                                                                                                        \
        const ::std::int32_t at[] = {__VA_ARGS__};                                                           \
        ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, map, at, from);                      \
    }
__BANKSHOT_TENSOR(1d, (int c0), c0)
__BANKSHOT_TENSOR(2d, (int c0, int c1), c0, c1)
__BANKSHOT_TENSOR(3d, (int c0, int c1, int c2), c0, c1, c2)
__BANKSHOT_TENSOR(4d, (int c0, int c1, int c2, int c3), c0, c1, c2, c3)
__BANKSHOT_TENSOR(5d, (int c0, int c1, int c2, int c3, int c4), c0, c1, c2, c3, c4)
#undef __BANKSHOT_TENSOR
#undef __BANKSHOT_LIST

__BANKSHOT_DEV void cp_async_bulk_commit_group() { ptx::cp_async_bulk_commit_group(); }
template <int N> __BANKSHOT_DEV void cp_async_bulk_wait_group_read()
{
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<N>());
}

} // namespace experimental
#endif
} // namespace device

namespace __detail
{

/* One thread, for whoever copies alone. */
struct alone {
    __BANKSHOT_DEV unsigned size() const { return 1; }
    __BANKSHOT_DEV unsigned thread_rank() const { return 0; }
};

#if __BANKSHOT_OBJECTS
template <int N> __BANKSHOT_DEV void copy_unit(unsigned to, unsigned long long from)
{
    if (N == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(to), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" : : "r"(to), "l"(from), "n"(N) : "memory");
}

template <int N, class Group>
__BANKSHOT_DEV void copy_units(const Group &g, unsigned to, unsigned long long from, ::std::size_t bytes)
{
    for (::std::size_t at = (::std::size_t)g.thread_rank() * N; at < bytes; at += (::std::size_t)g.size() * N)
        copy_unit<N>(to + (unsigned)at, from + at);
}
#endif

/* Whether copies are under way (cp.async), else all is done. `known`: what sizes and addresses are multiples of, as the caller says. */
template <class Group>
__BANKSHOT_DEV bool copy_async(const Group &g, void *to, const void *from, ::std::size_t bytes, ::std::size_t known)
{
#if __BANKSHOT_OBJECTS
    unsigned long long both = (unsigned long long)to | (unsigned long long)from | bytes;
    if (__nvvm_isspacep_shared(to) && __nvvm_isspacep_global(from) && (known >= 4 || both % 4 == 0)) {
        unsigned dst = shared_address(to);
        unsigned long long src = (unsigned long long)__cvta_generic_to_global(from);
        if (known >= 16 || both % 16 == 0)
            copy_units<16>(g, dst, src, bytes);
        else if (known >= 8 || both % 8 == 0)
            copy_units<8>(g, dst, src, bytes);
        else
            copy_units<4>(g, dst, src, bytes);
        return true;
    }
#endif
    (void)known;
    for (::std::size_t at = g.thread_rank(); at < bytes; at += g.size())
        ((char *)to)[at] = ((const char *)from)[at];
    return false;
}

/* The barrier's phase does not end before the copies of this thread. */
template <thread_scope S, class F> __BANKSHOT_DEV void arrive_after_copies(barrier<S, F> &b)
{
#if __BANKSHOT_OBJECTS
    if (S == thread_scope_block && ::std::is_same<F, nothing>::value && __nvvm_isspacep_shared(&b))
        asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" : : "r"(shared_address(&b)) : "memory");
    else
        asm volatile("cp.async.wait_all;" : : : "memory");
#endif
    (void)b;
}

template <class Group, thread_scope S, class F>
__BANKSHOT_DEV void copy_to_barrier(const Group &g, void *to, const void *from, ::std::size_t bytes, ::std::size_t known,
                                    barrier<S, F> &b)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    if (S == thread_scope_block && ::std::is_same<F, nothing>::value && known >= 16 && __nvvm_isspacep_shared(to) &&
        __nvvm_isspacep_global(from) && __nvvm_isspacep_shared(&b)) {
        if (g.thread_rank() == 0) {
            barrier<thread_scope_block> &object = (barrier<thread_scope_block> &)b;
            device::barrier_expect_tx(object, (::std::ptrdiff_t)bytes);
            device::memcpy_async_tx((char *)to, (const char *)from, aligned_size_t<16>(bytes), object);
        }
        return;
    }
#endif
    if (copy_async(g, to, from, bytes, known))
        arrive_after_copies(b);
}

} // namespace __detail

template <class T, thread_scope S, class F>
__BANKSHOT_DEV void memcpy_async(T *to, const T *from, ::std::size_t bytes, barrier<S, F> &b)
{
    __detail::copy_to_barrier(__detail::alone(), to, from, bytes, 1, b);
}
template <class T, ::std::size_t A, thread_scope S, class F>
__BANKSHOT_DEV void memcpy_async(T *to, const T *from, aligned_size_t<A> bytes, barrier<S, F> &b)
{
    __detail::copy_to_barrier(__detail::alone(), to, from, bytes.value, A, b);
}
template <class Group, class T, thread_scope S, class F>
__BANKSHOT_DEV void memcpy_async(const Group &g, T *to, const T *from, ::std::size_t bytes, barrier<S, F> &b)
{
    __detail::copy_to_barrier(g, to, from, bytes, 1, b);
}
template <class Group, class T, ::std::size_t A, thread_scope S, class F>
__BANKSHOT_DEV void memcpy_async(const Group &g, T *to, const T *from, aligned_size_t<A> bytes, barrier<S, F> &b)
{
    __detail::copy_to_barrier(g, to, from, bytes.value, A, b);
}

} // namespace cuda

__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
