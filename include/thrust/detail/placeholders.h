/* thrust::placeholders: _1 * 2 + _2 as a function object. */
#ifndef BANKSHOT_THRUST_PLACEHOLDERS
#define BANKSHOT_THRUST_PLACEHOLDERS

#include <thrust/functional.h>
#include <thrust/tuple.h>

namespace thrust
{
namespace detail
{
/* Of two arguments at most; Eval gives the value for a tuple of references to them. */
template <typename Eval> struct lambda : Eval {
    __host__ __device__ constexpr lambda(const Eval &e) : Eval(e) {}
    template <typename A> __host__ __device__ auto operator()(const A &a) const
    {
        return this->eval(tuple<const A &>(a));
    }
    template <typename A, typename B> __host__ __device__ auto operator()(const A &a, const B &b) const
    {
        return this->eval(tuple<const A &, const B &>(a, b));
    }
};
template <int I> struct lambda_argument {
    template <typename Arguments> __host__ __device__ auto eval(const Arguments &a) const { return get<I>(a); }
};
template <typename T> struct lambda_value {
    T value;
    template <typename Arguments> __host__ __device__ T eval(const Arguments &) const { return value; }
};
template <typename Op, typename L, typename R> struct lambda_binary {
    L l;
    R r;
    template <typename Arguments> __host__ __device__ auto eval(const Arguments &a) const { return Op()(l.eval(a), r.eval(a)); }
};
template <typename Op, typename L> struct lambda_unary {
    L l;
    template <typename Arguments> __host__ __device__ auto eval(const Arguments &a) const { return Op()(l.eval(a)); }
};

#define __THRUST_LAMBDA(SIGN, OP)                                                                                                    \
    template <typename L, typename R> __host__ __device__ auto operator SIGN(const lambda<L> &l, const lambda<R> &r)                 \
    {                                                                                                                                \
        return lambda<lambda_binary<OP<>, L, R>>({l, r});                                                                            \
    }                                                                                                                                \
    template <typename L, typename R> __host__ __device__ auto operator SIGN(const lambda<L> &l, const R &r)                         \
    {                                                                                                                                \
        return lambda<lambda_binary<OP<>, L, lambda_value<R>>>({l, {r}});                                                            \
    }                                                                                                                                \
    template <typename L, typename R> __host__ __device__ auto operator SIGN(const L &l, const lambda<R> &r)                         \
    {                                                                                                                                \
        return lambda<lambda_binary<OP<>, lambda_value<L>, R>>({{l}, r});                                                            \
    }
__THRUST_LAMBDA(+, plus)
__THRUST_LAMBDA(-, minus)
__THRUST_LAMBDA(*, multiplies)
__THRUST_LAMBDA(/, divides)
__THRUST_LAMBDA(%, modulus)
__THRUST_LAMBDA(&, bit_and)
__THRUST_LAMBDA(|, bit_or)
__THRUST_LAMBDA(^, bit_xor)
__THRUST_LAMBDA(==, equal_to)
__THRUST_LAMBDA(!=, not_equal_to)
__THRUST_LAMBDA(<, less)
__THRUST_LAMBDA(<=, less_equal)
__THRUST_LAMBDA(>, greater)
__THRUST_LAMBDA(>=, greater_equal)
__THRUST_LAMBDA(&&, logical_and)
__THRUST_LAMBDA(||, logical_or)
#undef __THRUST_LAMBDA
template <typename L> __host__ __device__ auto operator-(const lambda<L> &l) { return lambda<lambda_unary<negate<>, L>>({l}); }
template <typename L> __host__ __device__ auto operator!(const lambda<L> &l) { return lambda<lambda_unary<logical_not<>, L>>({l}); }
} // namespace detail

namespace placeholders
{
static const detail::lambda<detail::lambda_argument<0>> _1 = {{}};
static const detail::lambda<detail::lambda_argument<1>> _2 = {{}};
} // namespace placeholders
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
