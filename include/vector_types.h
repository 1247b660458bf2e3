// CUDA's short vectors and dim3: same size and alignment in C, in host C++ and in kernels.
// Pairs and quads are aligned to their whole size, at most to 16 bytes; triples only to their element.
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include "host_defines.h"

// Name, element type, alignment of the pair, alignment of the quad.
#define BANKSHOT_VECTOR(name, type, align2, align4)                                                          \
    struct name##1 {                                                                                         \
        type x;                                                                                              \
    };                                                                                                       \
    struct __align__(align2) name##2 {                                                                       \
        type x, y;                                                                                           \
    };                                                                                                       \
    struct name##3 {                                                                                         \
        type x, y, z;                                                                                        \
    };                                                                                                       \
    struct __align__(align4) name##4 {                                                                       \
        type x, y, z, w;                                                                                     \
    };                                                                                                       \
    typedef struct name##1 name##1;                                                                          \
    typedef struct name##2 name##2;                                                                          \
    typedef struct name##3 name##3;                                                                          \
    typedef struct name##4 name##4;

BANKSHOT_VECTOR(char, signed char, 2, 4)
BANKSHOT_VECTOR(uchar, unsigned char, 2, 4)
BANKSHOT_VECTOR(short, short, 4, 8)
BANKSHOT_VECTOR(ushort, unsigned short, 4, 8)
BANKSHOT_VECTOR(int, int, 8, 16)
BANKSHOT_VECTOR(uint, unsigned int, 8, 16)
BANKSHOT_VECTOR(long, long, 16, 16)
BANKSHOT_VECTOR(ulong, unsigned long, 16, 16)
BANKSHOT_VECTOR(longlong, long long, 16, 16)
BANKSHOT_VECTOR(ulonglong, unsigned long long, 16, 16)
BANKSHOT_VECTOR(float, float, 8, 16)
BANKSHOT_VECTOR(double, double, 16, 16)

#undef BANKSHOT_VECTOR

struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
#if __cplusplus >= 201103L
    __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#else
    __host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ operator uint3() const
    {
        uint3 v = {x, y, z};
        return v;
    }
#endif
#endif
};
typedef struct dim3 dim3;

#endif
/* SPDX-License-Identifier: Apache-2.0 */
