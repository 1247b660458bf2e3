/* The kernels of cuRAND's host interface. A generator is a fixed number of subsequences, each with its state; the results of a
 * call are cut into units (a number, a pair of normals, four words of Philox), and unit i comes from subsequence i modulo
 * their number. A generator's calls follow one another in that order. */
#ifndef CURAND_DRAW_H
#define CURAND_DRAW_H

#include <curand_kernel.h>

enum { XORWOW_SUBSEQUENCES = 4096, PHILOX_SUBSEQUENCES = 65536, BLOCK = 256 };

template <typename State> __global__ void __launch_bounds__(BLOCK) curand_seed(State *states, unsigned long long seed,
        unsigned long long skip, unsigned first)
{
    unsigned t = blockIdx.x * BLOCK + threadIdx.x;
    curand_init(seed, t, skip + (t < first), &states[t]);
}

/* Units of a call: how each is drawn, and how many numbers it has. */
struct words {
    typedef unsigned type;
    enum { size = 1 };
    template <typename State> __device__ void operator()(State *s, type *out) const { out[0] = curand(s); }
};

struct uniforms {
    typedef float type;
    enum { size = 1 };
    template <typename State> __device__ void operator()(State *s, type *out) const { out[0] = curand_uniform(s); }
};

struct uniform_doubles {
    typedef double type;
    enum { size = 1 };
    template <typename State> __device__ void operator()(State *s, type *out) const
    {
        out[0] = curand_uniform_double(s);
    }
};

struct normals {
    typedef float type;
    enum { size = 2 };
    float mean, stddev;
    template <typename State> __device__ void operator()(State *s, type *out) const
    {
        float2 v = curand_normal2(s);
        out[0] = mean + stddev * v.x;
        out[1] = mean + stddev * v.y;
    }
};

struct normal_doubles {
    typedef double type;
    enum { size = 2 };
    double mean, stddev;
    template <typename State> __device__ void operator()(State *s, type *out) const
    {
        double2 v = curand_normal2_double(s);
        out[0] = mean + stddev * v.x;
        out[1] = mean + stddev * v.y;
    }
};

struct log_normals {
    typedef float type;
    enum { size = 2 };
    float mean, stddev;
    template <typename State> __device__ void operator()(State *s, type *out) const
    {
        float2 v = curand_log_normal2(s, mean, stddev);
        out[0] = v.x;
        out[1] = v.y;
    }
};

struct log_normal_doubles {
    typedef double type;
    enum { size = 2 };
    double mean, stddev;
    template <typename State> __device__ void operator()(State *s, type *out) const
    {
        double2 v = curand_log_normal2_double(s, mean, stddev);
        out[0] = v.x;
        out[1] = v.y;
    }
};

struct poissons {
    typedef unsigned type;
    enum { size = 1 };
    double lambda;
    template <typename State> __device__ void operator()(State *s, type *out) const
    {
        out[0] = curand_poisson(s, lambda);
    }
};

/* first: the subsequence of the call's first unit. */
template <typename State, typename Unit> __global__ void __launch_bounds__(BLOCK) curand_draw(State *states,
        unsigned subsequences, unsigned first, typename Unit::type *out, size_t units, Unit unit)
{
    unsigned t = blockIdx.x * BLOCK + threadIdx.x;
    State s = states[t];
    for (size_t u = (t - first) & (subsequences - 1); u < units; u += subsequences)
        unit(&s, out + u * Unit::size);
    states[t] = s;
}

#endif
