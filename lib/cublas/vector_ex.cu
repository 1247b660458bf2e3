/* Level 1 with types as arguments: halves are computed with in float, and kept as what they are. */
#include "vector.h"

template <typename T> struct wide_of {
    typedef float type;
};
template <> struct wide_of<double> {
    typedef double type;
};

template <typename T> struct wide_dot {
    typedef typename wide_of<T>::type wide;
    vector<const T> x, y;
    __device__ wide operator()(int i) const { return (wide)x.at(i) * (wide)y.at(i); }
};
template <typename T> struct wide_axpy {
    typedef typename wide_of<T>::type wide;
    scalar<wide> alpha;
    vector<const T> x;
    vector<T> y;
    __device__ void operator()(int i) const { y.at(i) = (T)(alpha.get() * (wide)x.at(i) + (wide)y.at(i)); }
};
template <typename T> struct wide_scal {
    typedef typename wide_of<T>::type wide;
    scalar<wide> alpha;
    vector<T> x;
    __device__ void operator()(int i) const { x.at(i) = (T)(alpha.get() * (wide)x.at(i)); }
};
template <typename T> struct narrow {
    template <typename W> __device__ T operator()(W x) const { return (T)x; }
};
template <typename T> struct narrow_root {
    __device__ T operator()(float x) const { return (T)sqrtf(x); }
    __device__ T operator()(double x) const { return (T)sqrt(x); }
};

static cublasStatus_t refuse(const char *function)
{
    fprintf(stderr, "bankshot: %s: these types are not supported together\n", function);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

/* Is everything of one type, and computed with in the one that belongs to it? */
static bool belongs(cudaDataType type, cudaDataType execution)
{
    switch (type) {
    case CUDA_R_64F: return execution == CUDA_R_64F;
    case CUDA_R_32F:
    case CUDA_R_16F:
    case CUDA_R_16BF: return execution == CUDA_R_32F;
    default: return false;
    }
}

/* Calls f with a value of the type. */
template <typename F> static cublasStatus_t by_type(cudaDataType type, F f)
{
    switch (type) {
    case CUDA_R_64F: return f(double());
    case CUDA_R_32F: return f(float());
    case CUDA_R_16F: return f(__half());
    default: return f(__nv_bfloat16());
    }
}

extern "C" {

cublasStatus_t cublasDotEx(cublasHandle_t h, int n, const void *x, cudaDataType x_type, int incx, const void *y, cudaDataType y_type,
                           int incy, void *result, cudaDataType result_type, cudaDataType execution)
{
    if (x_type != y_type || x_type != result_type || !belongs(x_type, execution))
        return refuse("cublasDotEx");
    return by_type(x_type, [&](auto t) {
        typedef decltype(t) T;
        wide_dot<T> term = {vector_of(n, (const T *)x, incx), vector_of(n, (const T *)y, incy)};
        return reduce(h, n, term, cub::Sum(), (typename wide_of<T>::type)0, narrow<T>(), (T *)result);
    });
}

cublasStatus_t cublasNrm2Ex(cublasHandle_t h, int n, const void *x, cudaDataType x_type, int incx, void *result,
                            cudaDataType result_type, cudaDataType execution)
{
    if (x_type != result_type || !belongs(x_type, execution))
        return refuse("cublasNrm2Ex");
    return by_type(x_type, [&](auto t) {
        typedef decltype(t) T;
        wide_dot<T> term = {vector_of(n, (const T *)x, incx), vector_of(n, (const T *)x, incx)};
        return reduce(h, incx < 1 ? 0 : n, term, cub::Sum(), (typename wide_of<T>::type)0, narrow_root<T>(), (T *)result);
    });
}

cublasStatus_t cublasAxpyEx(cublasHandle_t h, int n, const void *alpha, cudaDataType alpha_type, const void *x, cudaDataType x_type,
                            int incx, void *y, cudaDataType y_type, int incy, cudaDataType execution)
{
    if (x_type != y_type || alpha_type != execution || !belongs(x_type, execution))
        return refuse("cublasAxpyEx");
    return by_type(x_type, [&](auto t) {
        typedef decltype(t) T;
        return each(h, n,
                    wide_axpy<T>{scalar_of(h, (const typename wide_of<T>::type *)alpha), vector_of(n, (const T *)x, incx),
                                 vector_of(n, (T *)y, incy)});
    });
}

cublasStatus_t cublasScalEx(cublasHandle_t h, int n, const void *alpha, cudaDataType alpha_type, void *x, cudaDataType x_type, int incx,
                            cudaDataType execution)
{
    if (alpha_type != execution || !belongs(x_type, execution))
        return refuse("cublasScalEx");
    return by_type(x_type, [&](auto t) {
        typedef decltype(t) T;
        return each(h, n, wide_scal<T>{scalar_of(h, (const typename wide_of<T>::type *)alpha), vector_of(n, (T *)x, incx)});
    });
}
}
// SPDX-License-Identifier: Apache-2.0
