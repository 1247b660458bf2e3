/* The kernels of cuRAND's host interface, in the order of NVIDIA's library (seen on an H200; all its orders for these generators are one).
 *
 * XORWOW is 4096 subsequences, each with its state. The results of a call are cut into units (a number, or a pair of normals), and
 * unit i of all that a generator draws comes from subsequence i modulo 4096.
 *
 * Philox has no state: number i comes from subsequence i / 4 modulo 65536, which gives four words (or, for doubles, eight) at a time. */
#ifndef CURAND_DRAW_H
#define CURAND_DRAW_H

#include <curand_kernel.h>

enum { XORWOW_SUBSEQUENCES = 4096, PHILOX_SUBSEQUENCES = 65536, BLOCK = 256 };

typedef curandStateXORWOW_t xorwow;

static __global__ void __launch_bounds__(BLOCK) curand_seed(xorwow *states, unsigned long long seed, unsigned long long skip,
        unsigned first)
{
    unsigned t = blockIdx.x * BLOCK + threadIdx.x;
    curand_init(seed, t, skip + (t < first), &states[t]);
}

/* Kinds of numbers: how a unit of XORWOW is drawn, and how many numbers it has; how Philox makes four of them, of how many blocks. */
struct words {
    typedef unsigned type;
    enum { size = 1 };
    enum { blocks = 1 };
    __device__ void operator()(xorwow *s, type *out) const { out[0] = curand(s); }
    __device__ void four(const uint4 *b, type *out) const
    {
        out[0] = b->x;
        out[1] = b->y;
        out[2] = b->z;
        out[3] = b->w;
    }
};

struct uniforms {
    typedef float type;
    enum { size = 1 };
    enum { blocks = 1 };
    __device__ void operator()(xorwow *s, type *out) const { out[0] = curand_uniform(s); }
    __device__ void four(const uint4 *b, type *out) const
    {
        out[0] = __curand_unit(b->x);
        out[1] = __curand_unit(b->y);
        out[2] = __curand_unit(b->z);
        out[3] = __curand_unit(b->w);
    }
};

struct uniform_doubles {
    typedef double type;
    enum { size = 1 };
    enum { blocks = 2 };
    __device__ void operator()(xorwow *s, type *out) const { out[0] = curand_uniform_double(s); }
    __device__ void four(const uint4 *b, type *out) const
    {
        for (int i = 0; i < 2; i++) {
            out[2 * i] = __curand_unit_double(b[i].x, b[i].y);
            out[2 * i + 1] = __curand_unit_double(b[i].z, b[i].w);
        }
    }
};

struct normals {
    typedef float type;
    enum { size = 2 };
    float mean, stddev;
    enum { blocks = 1 };
    __device__ void put(float2 v, type *out) const
    {
        out[0] = mean + stddev * v.x;
        out[1] = mean + stddev * v.y;
    }
    __device__ void operator()(xorwow *s, type *out) const { put(curand_normal2(s), out); }
    __device__ void four(const uint4 *b, type *out) const
    {
        put(__curand_normals(b->x, b->y), out);
        put(__curand_normals(b->z, b->w), out + 2);
    }
};

struct normal_doubles {
    typedef double type;
    enum { size = 2 };
    double mean, stddev;
    enum { blocks = 2 };
    __device__ void put(double2 v, type *out) const
    {
        out[0] = mean + stddev * v.x;
        out[1] = mean + stddev * v.y;
    }
    __device__ void operator()(xorwow *s, type *out) const { put(curand_normal2_double(s), out); }
    __device__ void four(const uint4 *b, type *out) const
    {
        for (int i = 0; i < 2; i++)
            put(__curand_normals_double(b[i].x, b[i].y, b[i].z, b[i].w), out + 2 * i);
    }
};

/* The exponentials of those. */
template <typename Normals> struct exponentials : Normals {
    __device__ void operator()(xorwow *s, typename Normals::type *out) const
    {
        Normals::operator()(s, out);
        for (int i = 0; i < Normals::size; i++)
            out[i] = exp(out[i]);
    }
    __device__ void four(const uint4 *b, typename Normals::type *out) const
    {
        Normals::four(b, out);
        for (int i = 0; i < 4; i++)
            out[i] = exp(out[i]);
    }
};

struct poissons {
    typedef unsigned type;
    enum { size = 1 };
    double lambda;
    __device__ void operator()(xorwow *s, type *out) const { out[0] = curand_poisson(s, lambda); }
};

/* first: the subsequence of the call's first unit. */
template <typename Kind> static __global__ void __launch_bounds__(BLOCK) curand_draw(xorwow *states, unsigned first,
        typename Kind::type *out, size_t units, Kind kind)
{
    unsigned t = blockIdx.x * BLOCK + threadIdx.x;
    xorwow s = states[t];
    for (size_t u = (t - first) % XORWOW_SUBSEQUENCES; u < units; u += XORWOW_SUBSEQUENCES)
        kind(&s, out + u * Kind::size);
    states[t] = s;
}

/* Numbers first to first + n - 1 of all; a thread for four. */
template <typename Kind> static __global__ void __launch_bounds__(BLOCK) philox_draw(unsigned long long seed, unsigned long long first,
        typename Kind::type *out, size_t n, Kind kind)
{
    unsigned long long quad = first / 4 + (unsigned long long)blockIdx.x * BLOCK + threadIdx.x, end = first + n;
    unsigned long long round = quad / PHILOX_SUBSEQUENCES * Kind::blocks;
    uint4 blocks[Kind::blocks];
    typename Kind::type numbers[4];
    for (int i = 0; i < Kind::blocks; i++, round++)
        blocks[i] = __curand_philox(make_uint4((unsigned)round, (unsigned)(round >> 32), (unsigned)(quad % PHILOX_SUBSEQUENCES), 0),
                                    make_uint2((unsigned)seed, (unsigned)(seed >> 32)));
    kind.four(blocks, numbers);
    for (int i = 0; i < 4; i++)
        if (quad * 4 + i >= first && quad * 4 + i < end)
            out[quad * 4 + i - first] = numbers[i];
}

/* How many words a Poisson number takes is not known before: each has a subsequence of its own, of those that no other call uses. */
static __global__ void __launch_bounds__(BLOCK) philox_poisson(unsigned long long seed, unsigned long long first, unsigned *out, size_t n,
        double lambda)
{
    size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    curandStatePhilox4_32_10_t s;
    if (i >= n)
        return;
    curand_init(seed, (1ull << 32) + first + i, 0, &s);
    out[i] = curand_poisson(&s, lambda);
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
