/* Function objects by name. With a type they take that type, without (void) any. */
#ifndef BANKSHOT_THRUST_FUNCTIONAL
#define BANKSHOT_THRUST_FUNCTIONAL

#include <thrust/detail/config.h>

namespace thrust
{
template <typename Argument, typename Result> struct unary_function {
    typedef Argument argument_type;
    typedef Result result_type;
};
template <typename First, typename Second, typename Result> struct binary_function {
    typedef First first_argument_type;
    typedef Second second_argument_type;
    typedef Result result_type;
};

#define __THRUST_BINARY(NAME, RESULT, EXPRESSION)                                                                                    \
    template <typename T = void> struct NAME {                                                                                       \
        typedef T first_argument_type, second_argument_type;                                                                         \
        typedef RESULT result_type;                                                                                                  \
        __host__ __device__ constexpr RESULT operator()(const T &a, const T &b) const { return EXPRESSION; }                         \
    };                                                                                                                               \
    template <> struct NAME<void> {                                                                                                  \
        template <typename A, typename B> __host__ __device__ constexpr auto operator()(const A &a, const B &b) const                \
        {                                                                                                                            \
            return EXPRESSION;                                                                                                       \
        }                                                                                                                            \
    };
__THRUST_BINARY(plus, T, a + b)
__THRUST_BINARY(minus, T, a - b)
__THRUST_BINARY(multiplies, T, a *b)
__THRUST_BINARY(divides, T, a / b)
__THRUST_BINARY(modulus, T, a % b)
__THRUST_BINARY(bit_and, T, a &b)
__THRUST_BINARY(bit_or, T, a | b)
__THRUST_BINARY(bit_xor, T, a ^ b)
__THRUST_BINARY(maximum, T, a < b ? b : a)
__THRUST_BINARY(minimum, T, b < a ? b : a)
__THRUST_BINARY(project1st, T, ((void)b, a))
__THRUST_BINARY(project2nd, T, ((void)a, b))
__THRUST_BINARY(equal_to, bool, a == b)
__THRUST_BINARY(not_equal_to, bool, a != b)
__THRUST_BINARY(less, bool, a < b)
__THRUST_BINARY(less_equal, bool, a <= b)
__THRUST_BINARY(greater, bool, b < a)
__THRUST_BINARY(greater_equal, bool, a >= b)
__THRUST_BINARY(logical_and, bool, a &&b)
__THRUST_BINARY(logical_or, bool, a || b)
#undef __THRUST_BINARY

#define __THRUST_UNARY(NAME, RESULT, EXPRESSION)                                                                                     \
    template <typename T = void> struct NAME {                                                                                       \
        typedef T argument_type;                                                                                                     \
        typedef RESULT result_type;                                                                                                  \
        __host__ __device__ constexpr RESULT operator()(const T &a) const { return EXPRESSION; }                                     \
    };                                                                                                                               \
    template <> struct NAME<void> {                                                                                                  \
        template <typename A> __host__ __device__ constexpr auto operator()(const A &a) const { return EXPRESSION; }                 \
    };
__THRUST_UNARY(negate, T, -a)
__THRUST_UNARY(square, T, a *a)
__THRUST_UNARY(identity, T, a)
__THRUST_UNARY(logical_not, bool, !a)
__THRUST_UNARY(bit_not, T, ~a)
#undef __THRUST_UNARY

template <typename Predicate> struct unary_negate {
    Predicate predicate;
    template <typename A> __host__ __device__ bool operator()(const A &a) { return !predicate(a); }
};
template <typename Predicate> __host__ __device__ unary_negate<Predicate> not1(const Predicate &p) { return {p}; }
template <typename Predicate> __host__ __device__ unary_negate<Predicate> not_fn(const Predicate &p) { return {p}; }
template <typename Predicate> struct binary_negate {
    Predicate predicate;
    template <typename A, typename B> __host__ __device__ bool operator()(const A &a, const B &b) { return !predicate(a, b); }
};
template <typename Predicate> __host__ __device__ binary_negate<Predicate> not2(const Predicate &p) { return {p}; }
} // namespace thrust

#include <thrust/detail/placeholders.h>

#endif
/* SPDX-License-Identifier: Apache-2.0 */
