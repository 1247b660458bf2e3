/* Level 1: vectors. Of a negative increment, elements are counted from the other end. */
#include "vector.h"

template <typename T> struct axpy_op {
    scalar<T> alpha;
    vector<const T> x;
    vector<T> y;
    __device__ void operator()(int i) const { y.at(i) += alpha.get() * x.at(i); }
};
template <typename T> struct scal_op {
    scalar<T> alpha;
    vector<T> x;
    __device__ void operator()(int i) const { x.at(i) *= alpha.get(); }
};
template <typename T> struct copy_op {
    vector<const T> x;
    vector<T> y;
    __device__ void operator()(int i) const { y.at(i) = x.at(i); }
};
template <typename T> struct swap_op {
    vector<T> x, y;
    __device__ void operator()(int i) const
    {
        T t = x.at(i);
        x.at(i) = y.at(i);
        y.at(i) = t;
    }
};
template <typename T> struct rot_op {
    vector<T> x, y;
    scalar<T> c, s;
    __device__ void operator()(int i) const
    {
        T a = x.at(i), b = y.at(i);
        x.at(i) = c.get() * a + s.get() * b;
        y.at(i) = c.get() * b - s.get() * a;
    }
};

/* Terms of reductions, by the place. */
template <typename T> struct dot_term {
    vector<const T> x, y;
    __device__ T operator()(int i) const { return x.at(i) * y.at(i); }
};
template <typename T> struct abs_term {
    vector<const T> x;
    __device__ T operator()(int i) const { return x.at(i) < 0 ? -x.at(i) : x.at(i); }
};
template <typename T> struct place_term {
    vector<const T> x;
    __device__ cub::KeyValuePair<int, T> operator()(int i) const { return {i + 1, x.at(i) < 0 ? -x.at(i) : x.at(i)}; }
};
struct place {
    template <typename Pair> __device__ int operator()(const Pair &p) const { return p.key; }
};

template <typename T, typename Op> static cublasStatus_t extremum(cublasHandle_t h, int n, const T *x, int incx, Op op, T worst, int *result)
{
    if (incx < 1)
        n = 0;
    return reduce(h, n, place_term<T>{vector_of(n, x, incx)}, op, cub::KeyValuePair<int, T>(0, worst), place(), result);
}

#define LEVEL1(T, AXPY, SCAL, COPY, SWAP, DOT, NRM2, ASUM, AMAX, AMIN, ROT)                                                          \
    cublasStatus_t AXPY(cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *y, int incy)                               \
    {                                                                                                                                \
        return each(h, n, axpy_op<T>{scalar_of(h, alpha), vector_of(n, x, incx), vector_of(n, y, incy)});                            \
    }                                                                                                                                \
    cublasStatus_t SCAL(cublasHandle_t h, int n, const T *alpha, T *x, int incx)                                                     \
    {                                                                                                                                \
        return each(h, incx > 0 ? n : 0, scal_op<T>{scalar_of(h, alpha), vector_of(n, x, incx)});                                    \
    }                                                                                                                                \
    cublasStatus_t COPY(cublasHandle_t h, int n, const T *x, int incx, T *y, int incy)                                               \
    {                                                                                                                                \
        return each(h, n, copy_op<T>{vector_of(n, x, incx), vector_of(n, y, incy)});                                                 \
    }                                                                                                                                \
    cublasStatus_t SWAP(cublasHandle_t h, int n, T *x, int incx, T *y, int incy)                                                     \
    {                                                                                                                                \
        return each(h, n, swap_op<T>{vector_of(n, x, incx), vector_of(n, y, incy)});                                                 \
    }                                                                                                                                \
    cublasStatus_t DOT(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result)                               \
    {                                                                                                                                \
        return reduce(h, n, dot_term<T>{vector_of(n, x, incx), vector_of(n, y, incy)}, cub::Sum(), T(0), itself(), result);          \
    }                                                                                                                                \
    cublasStatus_t NRM2(cublasHandle_t h, int n, const T *x, int incx, T *result)                                                    \
    {                                                                                                                                \
        vector<const T> v = vector_of(n, x, incx);                                                                                   \
        return reduce(h, incx > 0 ? n : 0, dot_term<T>{v, v}, cub::Sum(), T(0), root(), result);                                     \
    }                                                                                                                                \
    cublasStatus_t ASUM(cublasHandle_t h, int n, const T *x, int incx, T *result)                                                    \
    {                                                                                                                                \
        return reduce(h, incx > 0 ? n : 0, abs_term<T>{vector_of(n, x, incx)}, cub::Sum(), T(0), itself(), result);                  \
    }                                                                                                                                \
    cublasStatus_t AMAX(cublasHandle_t h, int n, const T *x, int incx, int *result)                                                  \
    {                                                                                                                                \
        return extremum(h, n, x, incx, cub::ArgMax(), T(-1), result);                                                                \
    }                                                                                                                                \
    cublasStatus_t AMIN(cublasHandle_t h, int n, const T *x, int incx, int *result)                                                  \
    {                                                                                                                                \
        return extremum(h, n, x, incx, cub::ArgMin(), std::numeric_limits<T>::infinity(), result);                                   \
    }                                                                                                                                \
    cublasStatus_t ROT(cublasHandle_t h, int n, T *x, int incx, T *y, int incy, const T *c, const T *s)                              \
    {                                                                                                                                \
        return each(h, n, rot_op<T>{vector_of(n, x, incx), vector_of(n, y, incy), scalar_of(h, c), scalar_of(h, s)});                \
    }

extern "C" {
LEVEL1(float, cublasSaxpy, cublasSscal, cublasScopy, cublasSswap, cublasSdot, cublasSnrm2, cublasSasum, cublasIsamax, cublasIsamin,
       cublasSrot)
LEVEL1(double, cublasDaxpy, cublasDscal, cublasDcopy, cublasDswap, cublasDdot, cublasDnrm2, cublasDasum, cublasIdamax, cublasIdamin,
       cublasDrot)
}
// SPDX-License-Identifier: Apache-2.0
