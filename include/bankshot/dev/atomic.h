/* Atomic functions in their three scopes: device (no suffix), CTA (_block), system (_system). clang's
 * builtins become LLVM's atomic operations, so the space of the address is found and atom.shared or
 * atom.global chosen. */
#ifndef BANKSHOT_DEV_ATOMIC_H
#define BANKSHOT_DEV_ATOMIC_H

/* One function: its C type, and the builtin's type and suffix. */
#define __BANKSHOT_ATOMIC(Name, suffix, T, scope, op, B, letter)                                             \
    __BANKSHOT_FN T atomic##Name##suffix(T *p, T v)                                                          \
    {                                                                                                        \
        return (T)__nvvm_atom_##scope##op##_gen_##letter((B *)p, (B)v);                                      \
    }

/* The three scopes of one function. */
#define __BANKSHOT_ATOMIC3(Name, T, op, B, letter)                                                           \
    __BANKSHOT_ATOMIC(Name, , T, , op, B, letter)                                                            \
    __BANKSHOT_ATOMIC(Name, _block, T, cta_, op, B, letter)                                                  \
    __BANKSHOT_ATOMIC(Name, _system, T, sys_, op, B, letter)

typedef unsigned long __bankshot_ulong;
typedef unsigned long long __bankshot_ull;

__BANKSHOT_ATOMIC3(Add, int, add, int, i)
__BANKSHOT_ATOMIC3(Add, unsigned, add, int, i)
__BANKSHOT_ATOMIC3(Add, __bankshot_ull, add, long long, ll)
__BANKSHOT_ATOMIC3(Add, float, add, float, f)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
__BANKSHOT_ATOMIC3(Add, double, add, double, d)
#endif

__BANKSHOT_ATOMIC3(Exch, int, xchg, int, i)
__BANKSHOT_ATOMIC3(Exch, unsigned, xchg, int, i)
__BANKSHOT_ATOMIC3(Exch, __bankshot_ull, xchg, long long, ll)

__BANKSHOT_ATOMIC3(Min, int, min, int, i)
__BANKSHOT_ATOMIC(Min, , unsigned, , min, unsigned, ui)
__BANKSHOT_ATOMIC3(Min, long long, min, long long, ll)
__BANKSHOT_ATOMIC(Min, , __bankshot_ull, , min, unsigned long long, ull)
__BANKSHOT_ATOMIC3(Max, int, max, int, i)
__BANKSHOT_ATOMIC(Max, , unsigned, , max, unsigned, ui)
__BANKSHOT_ATOMIC3(Max, long long, max, long long, ll)
__BANKSHOT_ATOMIC(Max, , __bankshot_ull, , max, unsigned long long, ull)

__BANKSHOT_ATOMIC(Inc, , unsigned, , inc, unsigned, ui)
__BANKSHOT_ATOMIC(Dec, , unsigned, , dec, unsigned, ui)

#define __BANKSHOT_ATOMIC_BITS(Name, op)                                                                     \
    __BANKSHOT_ATOMIC3(Name, int, op, int, i)                                                                \
    __BANKSHOT_ATOMIC3(Name, unsigned, op, int, i)                                                           \
    __BANKSHOT_ATOMIC3(Name, long long, op, long long, ll)                                                   \
    __BANKSHOT_ATOMIC3(Name, __bankshot_ull, op, long long, ll)
__BANKSHOT_ATOMIC_BITS(And, and)
__BANKSHOT_ATOMIC_BITS(Or, or)
__BANKSHOT_ATOMIC_BITS(Xor, xor)

/* Unsigned minima, maxima, inc and dec in the narrower scopes have builtins for some types only: the
 * instruction. */
#define __BANKSHOT_ATOMIC_ASM(Name, suffix, T, insn, c)                                                      \
    __BANKSHOT_FN T atomic##Name##suffix(T *p, T v)                                                          \
    {                                                                                                        \
        T old;                                                                                               \
        asm volatile("atom." insn " %0, [%1], %2;" : "=" c(old) : "l"(p), c(v) : "memory");                  \
        return old;                                                                                          \
    }
#define __BANKSHOT_ATOMIC_SCOPES(Name, T, insn, c)                                                           \
    __BANKSHOT_ATOMIC_ASM(Name, _block, T, "cta." insn, c)                                                   \
    __BANKSHOT_ATOMIC_ASM(Name, _system, T, "sys." insn, c)
__BANKSHOT_ATOMIC_SCOPES(Min, unsigned, "min.u32", "r")
__BANKSHOT_ATOMIC_SCOPES(Max, unsigned, "max.u32", "r")
__BANKSHOT_ATOMIC_SCOPES(Min, __bankshot_ull, "min.u64", "l")
__BANKSHOT_ATOMIC_SCOPES(Max, __bankshot_ull, "max.u64", "l")
__BANKSHOT_ATOMIC_SCOPES(Inc, unsigned, "inc.u32", "r")
__BANKSHOT_ATOMIC_SCOPES(Dec, unsigned, "dec.u32", "r")

#define __BANKSHOT_CAS(suffix, scope, T, B, letter)                                                          \
    __BANKSHOT_FN T atomicCAS##suffix(T *p, T compare, T v)                                                  \
    {                                                                                                        \
        return (T)__nvvm_atom_##scope##cas_gen_##letter((B *)p, (B)compare, (B)v);                           \
    }
#define __BANKSHOT_CAS3(T, B, letter)                                                                        \
    __BANKSHOT_CAS(, , T, B, letter)                                                                         \
    __BANKSHOT_CAS(_block, cta_, T, B, letter)                                                               \
    __BANKSHOT_CAS(_system, sys_, T, B, letter)
__BANKSHOT_CAS3(int, int, i)
__BANKSHOT_CAS3(unsigned, int, i)
__BANKSHOT_CAS3(__bankshot_ull, long long, ll)

__BANKSHOT_FN unsigned short atomicCAS(unsigned short *p, unsigned short compare, unsigned short v)
{
    unsigned short old;
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(old) : "l"(p), "h"(compare), "h"(v) : "memory");
    return old;
}

#define __BANKSHOT_ATOMIC_DERIVED(suffix)                                                                    \
    __BANKSHOT_FN float atomicExch##suffix(float *p, float v)                                                \
    {                                                                                                        \
        return __int_as_float(atomicExch##suffix((int *)p, __float_as_int(v)));                              \
    }                                                                                                        \
    __BANKSHOT_FN int atomicSub##suffix(int *p, int v) { return atomicAdd##suffix(p, (int)-(unsigned)v); }   \
    __BANKSHOT_FN unsigned atomicSub##suffix(unsigned *p, unsigned v) { return atomicAdd##suffix(p, -v); }
__BANKSHOT_ATOMIC_DERIVED()
__BANKSHOT_ATOMIC_DERIVED(_block)
__BANKSHOT_ATOMIC_DERIVED(_system)

#undef __BANKSHOT_ATOMIC_DERIVED
#undef __BANKSHOT_CAS3
#undef __BANKSHOT_CAS
#undef __BANKSHOT_ATOMIC_SCOPES
#undef __BANKSHOT_ATOMIC_ASM
#undef __BANKSHOT_ATOMIC_BITS
#undef __BANKSHOT_ATOMIC3
#undef __BANKSHOT_ATOMIC

#endif
/* SPDX-License-Identifier: Apache-2.0 */
