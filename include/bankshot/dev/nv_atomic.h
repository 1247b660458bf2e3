/* __nv_atomic_*: the atomic functions of CUDA 12.8 with memory order and scope as arguments, which nvcc wants to be constants; each
 * becomes the instruction that nvcc 13 writes. Types and orders that nvcc refuses are refused. Operations on 16 bytes are loads and
 * stores only: exchanging as much needs compute capability 9.0. */
#ifndef BANKSHOT_DEV_NV_ATOMIC_H
#define BANKSHOT_DEV_NV_ATOMIC_H

enum {
    __NV_ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};

enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define __BANKSHOT_CLUSTER ".cluster"
#else
#define __BANKSHOT_CLUSTER ".gpu"
#endif

/* X("sem.scope", ...) for the function's `scope`, and for its `order`. */
#define __BANKSHOT_SCOPED(X, sem, ...)                                                                       \
    switch (scope) {                                                                                         \
    case __NV_THREAD_SCOPE_THREAD:                                                                           \
    case __NV_THREAD_SCOPE_BLOCK: X(sem ".cta", __VA_ARGS__); break;                                         \
    case __NV_THREAD_SCOPE_CLUSTER: X(sem __BANKSHOT_CLUSTER, __VA_ARGS__); break;                           \
    case __NV_THREAD_SCOPE_DEVICE: X(sem ".gpu", __VA_ARGS__); break;                                        \
    default: X(sem ".sys", __VA_ARGS__);                                                                     \
    }
#define __BANKSHOT_ORDERED(X, ...)                                                                           \
    switch (order) {                                                                                         \
    case __NV_ATOMIC_RELAXED: __BANKSHOT_SCOPED(X, "relaxed", __VA_ARGS__) break;                            \
    case __NV_ATOMIC_RELEASE: __BANKSHOT_SCOPED(X, "release", __VA_ARGS__) break;                            \
    case __NV_ATOMIC_ACQ_REL: __BANKSHOT_SCOPED(X, "acq_rel", __VA_ARGS__) break;                            \
    default: __BANKSHOT_SCOPED(X, "acquire", __VA_ARGS__)                                                    \
    }

#define __BANKSHOT_FENCE(how, none) asm volatile("fence." how ";" : : : "memory")
__BANKSHOT_FN void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    if (order == __NV_ATOMIC_ACQ_REL)
        __BANKSHOT_SCOPED(__BANKSHOT_FENCE, "acq_rel", )
    else
        __BANKSHOT_SCOPED(__BANKSHOT_FENCE, "sc", )
}
#undef __BANKSHOT_FENCE

/* The fence that makes an access sequentially consistent. */
__BANKSHOT_FN void __bankshot_sc_fence(int order, int scope)
{
    if (order == __NV_ATOMIC_SEQ_CST)
        __nv_atomic_thread_fence(order, scope);
}

/* Words of 1, 2, 4 and 8 bytes: W, its instruction's type, its register. */
template <int size> struct __bankshot_word;
#define __BANKSHOT_LD(how, t, c) asm volatile("ld." how "." t " %0, [%1];" : "=" c(v) : "l"(p) : "memory")
#define __BANKSHOT_ST(how, t, c) asm volatile("st." how "." t " [%0], %1;" : : "l"(p), c(v) : "memory")
#define __BANKSHOT_EXCH(how, t, c)                                                                           \
    asm volatile("atom.exch." how "." t " %0, [%1], %2;" : "=" c(old) : "l"(p), c(v) : "memory")
#define __BANKSHOT_CAS(how, t, c)                                                                            \
    asm volatile("atom.cas." how "." t " %0, [%1], %2, %3;" : "=" c(old) : "l"(p), c(expected), c(v) : "memory")
#define __BANKSHOT_WORD(size, W, t, c, exch, cas)                                                            \
    template <> struct __bankshot_word<size> {                                                               \
        typedef W type;                                                                                      \
        __BANKSHOT_FN W load(void *p, int order, int scope)                                                  \
        {                                                                                                    \
            W v;                                                                                             \
            if (order == __NV_ATOMIC_RELAXED)                                                                \
                __BANKSHOT_SCOPED(__BANKSHOT_LD, "relaxed", t, c)                                            \
            else                                                                                             \
                __BANKSHOT_SCOPED(__BANKSHOT_LD, "acquire", t, c)                                            \
            return v;                                                                                        \
        }                                                                                                    \
        __BANKSHOT_FN void store(void *p, W v, int order, int scope)                                         \
        {                                                                                                    \
            if (order == __NV_ATOMIC_RELEASE)                                                                \
                __BANKSHOT_SCOPED(__BANKSHOT_ST, "release", t, c)                                            \
            else                                                                                             \
                __BANKSHOT_SCOPED(__BANKSHOT_ST, "relaxed", t, c)                                            \
        }                                                                                                    \
        exch(W, t, c) cas(W, t, c)                                                                           \
    };
#define __BANKSHOT_NO(W, t, c)
#define __BANKSHOT_EXCHANGE(W, t, c)                                                                         \
    __BANKSHOT_FN W exchange(void *p, W v, int order, int scope)                                             \
    {                                                                                                        \
        W old;                                                                                               \
        __BANKSHOT_ORDERED(__BANKSHOT_EXCH, t, c)                                                            \
        return old;                                                                                          \
    }
#define __BANKSHOT_COMPARE(W, t, c)                                                                          \
    __BANKSHOT_FN W compare(void *p, W expected, W v, int order, int scope)                                  \
    {                                                                                                        \
        W old;                                                                                               \
        __BANKSHOT_ORDERED(__BANKSHOT_CAS, t, c)                                                             \
        return old;                                                                                          \
    }
__BANKSHOT_WORD(1, unsigned, "b8", "r", __BANKSHOT_NO, __BANKSHOT_NO)
__BANKSHOT_WORD(2, unsigned short, "b16", "h", __BANKSHOT_NO, __BANKSHOT_COMPARE)
__BANKSHOT_WORD(4, unsigned, "b32", "r", __BANKSHOT_EXCHANGE, __BANKSHOT_COMPARE)
__BANKSHOT_WORD(8, unsigned long long, "b64", "l", __BANKSHOT_EXCHANGE, __BANKSHOT_COMPARE)
#undef __BANKSHOT_LD
#undef __BANKSHOT_ST

/* 16 bytes: an instruction of its own, whose register this compiler need not know. */
#define __BANKSHOT_LD(how, none)                                                                             \
    asm volatile("{\n\t.reg .b128 t;\n\tld." how ".b128 t, [%2];\n\tmov.b128 {%0, %1}, t;\n\t}"              \
                 : "=l"(v.low), "=l"(v.high)                                                                 \
                 : "l"(p)                                                                                    \
                 : "memory")
#define __BANKSHOT_ST(how, none)                                                                             \
    asm volatile("{\n\t.reg .b128 t;\n\tmov.b128 t, {%1, %2};\n\tst." how ".b128 [%0], t;\n\t}"              \
                 :                                                                                           \
                 : "l"(p), "l"(v.low), "l"(v.high)                                                           \
                 : "memory")
template <> struct __bankshot_word<16> {
    struct type {
        unsigned long long low, high;
    };
    __BANKSHOT_FN type load(void *p, int order, int scope)
    {
        type v;
        if (order == __NV_ATOMIC_RELAXED)
            __BANKSHOT_SCOPED(__BANKSHOT_LD, "relaxed", )
        else
            __BANKSHOT_SCOPED(__BANKSHOT_LD, "acquire", )
        return v;
    }
    __BANKSHOT_FN void store(void *p, type v, int order, int scope)
    {
        if (order == __NV_ATOMIC_RELEASE)
            __BANKSHOT_SCOPED(__BANKSHOT_ST, "release", )
        else
            __BANKSHOT_SCOPED(__BANKSHOT_ST, "relaxed", )
    }
};
#undef __BANKSHOT_LD
#undef __BANKSHOT_ST
#undef __BANKSHOT_EXCH
#undef __BANKSHOT_CAS
#undef __BANKSHOT_WORD
#undef __BANKSHOT_NO
#undef __BANKSHOT_EXCHANGE
#undef __BANKSHOT_COMPARE

/* A parameter that does not decide what T is. */
template <class T> struct __bankshot_plain {
    typedef T type;
};
#define __BANKSHOT_VALUE(T) typename __bankshot_plain<T>::type
#define __BANKSHOT_WORD(T) typename __bankshot_word<sizeof(T)>::type
#define __BANKSHOT_REFUSE(condition, text) __attribute__((diagnose_if(condition, text, "error")))
#define __BANKSHOT_INTEGER(T)                                                                                \
    _Static_assert(__is_integral(T), "__nv_atomic functions ending in _n are valid only on integral types")
#define __BANKSHOT_SIZES(T, condition, text) _Static_assert(condition, "atomic " text " bytes")

template <class T>
__BANKSHOT_FN void __nv_atomic_load(T *p, T *to, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
    __BANKSHOT_REFUSE(order == __NV_ATOMIC_RELEASE || order == __NV_ATOMIC_ACQ_REL,
                      "atomic load's memory order cannot be release or acq_rel")
{
    __bankshot_sc_fence(order, scope);
    __BANKSHOT_WORD(T) w = __bankshot_word<sizeof(T)>::load(p, order, scope);
    __builtin_memcpy(to, &w, sizeof(T));
}

template <class T>
__BANKSHOT_FN T __nv_atomic_load_n(T *p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
    __BANKSHOT_REFUSE(order == __NV_ATOMIC_RELEASE || order == __NV_ATOMIC_ACQ_REL,
                      "atomic load's memory order cannot be release or acq_rel")
{
    __BANKSHOT_INTEGER(T);
    T v;
    __nv_atomic_load(p, &v, order, scope);
    return v;
}

template <class T>
__BANKSHOT_FN void __nv_atomic_store(T *p, T *from, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
    __BANKSHOT_REFUSE(order == __NV_ATOMIC_CONSUME || order == __NV_ATOMIC_ACQUIRE || order == __NV_ATOMIC_ACQ_REL,
                      "atomic store's memory order cannot be consume, acquire or acq_rel")
{
    __BANKSHOT_WORD(T) w = __BANKSHOT_WORD(T)();
    __builtin_memcpy(&w, from, sizeof(T));
    __bankshot_sc_fence(order, scope);
    __bankshot_word<sizeof(T)>::store(p, w, order, scope);
}

template <class T>
__BANKSHOT_FN void __nv_atomic_store_n(T *p, __BANKSHOT_VALUE(T) v, int order,
                                       int scope = __NV_THREAD_SCOPE_SYSTEM)
    __BANKSHOT_REFUSE(order == __NV_ATOMIC_CONSUME || order == __NV_ATOMIC_ACQUIRE || order == __NV_ATOMIC_ACQ_REL,
                      "atomic store's memory order cannot be consume, acquire or acq_rel")
{
    __BANKSHOT_INTEGER(T);
    __nv_atomic_store(p, &v, order, scope);
}

template <class T>
__BANKSHOT_FN void __nv_atomic_exchange(T *p, T *from, T *to, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    __BANKSHOT_SIZES(T, sizeof(T) == 4 || sizeof(T) == 8, "exchange is supported only on objects of 4 or 8");
    __BANKSHOT_WORD(T) w;
    __builtin_memcpy(&w, from, sizeof(T));
    __bankshot_sc_fence(order, scope);
    w = __bankshot_word<sizeof(T)>::exchange(p, w, order, scope);
    __builtin_memcpy(to, &w, sizeof(T));
}

template <class T>
__BANKSHOT_FN T __nv_atomic_exchange_n(T *p, __BANKSHOT_VALUE(T) v, int order,
                                       int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    __BANKSHOT_INTEGER(T);
    T old;
    __nv_atomic_exchange(p, &v, &old, order, scope);
    return old;
}

/* Whether it was exchanged; *expected becomes what was there. There is one order, the larger number, as with nvcc, and `weak` has no
 * effect. */
template <class T>
__BANKSHOT_FN bool __nv_atomic_compare_exchange(T *p, T *expected, T *desired, bool, int success, int failure,
                                                int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    __BANKSHOT_SIZES(T, sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                     "compare and exchange is supported only on objects of 2, 4 or 8");
    int order = success > failure ? success : failure;
    __BANKSHOT_WORD(T) e, d, old;
    __builtin_memcpy(&e, expected, sizeof(T));
    __builtin_memcpy(&d, desired, sizeof(T));
    __bankshot_sc_fence(order, scope);
    old = __bankshot_word<sizeof(T)>::compare(p, e, d, order, scope);
    __builtin_memcpy(expected, &old, sizeof(T));
    return old == e;
}

template <class T>
__BANKSHOT_FN bool __nv_atomic_compare_exchange_n(T *p, T *expected, __BANKSHOT_VALUE(T) desired, bool weak,
                                                  int success, int failure,
                                                  int scope = __NV_THREAD_SCOPE_SYSTEM)
{
    __BANKSHOT_INTEGER(T);
    return __nv_atomic_compare_exchange(p, expected, &desired, weak, success, failure, scope);
}

#undef __BANKSHOT_VALUE
#undef __BANKSHOT_WORD
#undef __BANKSHOT_REFUSE
#undef __BANKSHOT_INTEGER
#undef __BANKSHOT_SIZES

/* Operations: one with the old value, one without; nvcc has the same instruction for both. */
#define __BANKSHOT_ATOM(how, insn, t, c)                                                                     \
    asm volatile("atom." insn "." how "." t " %0, [%1], %2;" : "=" c(old) : "l"(p), c(v) : "memory")
#define __BANKSHOT_RMW(name, T, insn, t, c, value)                                                           \
    __BANKSHOT_FN T __nv_atomic_fetch_##name(T *p, T v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)     \
    {                                                                                                        \
        T old;                                                                                               \
        v = value;                                                                                           \
        __bankshot_sc_fence(order, scope);                                                                   \
        __BANKSHOT_ORDERED(__BANKSHOT_ATOM, insn, t, c)                                                      \
        return old;                                                                                          \
    }                                                                                                        \
    __BANKSHOT_FN void __nv_atomic_##name(T *p, T v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM)        \
    {                                                                                                        \
        __nv_atomic_fetch_##name(p, v, order, scope);                                                        \
    }
#define __BANKSHOT_SUM(name, sign)                                                                           \
    __BANKSHOT_RMW(name, int, "add", "s32", "r", (int)(sign(unsigned) v))                                    \
    __BANKSHOT_RMW(name, unsigned, "add", "u32", "r", sign v)                                                \
    __BANKSHOT_RMW(name, unsigned long, "add", "u64", "l", sign v)                                           \
    __BANKSHOT_RMW(name, unsigned long long, "add", "u64", "l", sign v)                                      \
    __BANKSHOT_RMW(name, float, "add", "f32", "f", sign v)                                                   \
    __BANKSHOT_RMW(name, double, "add", "f64", "d", sign v)
#define __BANKSHOT_INTEGERS(name, s32, u32, s64, u64)                                                        \
    __BANKSHOT_RMW(name, int, #name, s32, "r", v)                                                            \
    __BANKSHOT_RMW(name, unsigned, #name, u32, "r", v)                                                       \
    __BANKSHOT_RMW(name, long, #name, s64, "l", v)                                                           \
    __BANKSHOT_RMW(name, unsigned long, #name, u64, "l", v)                                                  \
    __BANKSHOT_RMW(name, long long, #name, s64, "l", v)                                                      \
    __BANKSHOT_RMW(name, unsigned long long, #name, u64, "l", v)
__BANKSHOT_SUM(add, +)
__BANKSHOT_SUM(sub, -)
__BANKSHOT_INTEGERS(and, "b32", "b32", "b64", "b64")
__BANKSHOT_INTEGERS(or, "b32", "b32", "b64", "b64")
__BANKSHOT_INTEGERS(xor, "b32", "b32", "b64", "b64")
__BANKSHOT_INTEGERS(min, "s32", "u32", "s64", "u64")
__BANKSHOT_INTEGERS(max, "s32", "u32", "s64", "u64")

#undef __BANKSHOT_INTEGERS
#undef __BANKSHOT_SUM
#undef __BANKSHOT_RMW
#undef __BANKSHOT_ATOM
#undef __BANKSHOT_ORDERED
#undef __BANKSHOT_SCOPED
#undef __BANKSHOT_CLUSTER

#endif
/* SPDX-License-Identifier: Apache-2.0 */
