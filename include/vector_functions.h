// make_<vector>(x, y, …): the constructors of the short vectors, on host and device, in C and C++.
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define BANKSHOT_MAKE static __inline__ __host__ __device__ __attribute__((always_inline, unused))
#define BANKSHOT_MAKERS(name, type)                                                                          \
    BANKSHOT_MAKE name##1 make_##name##1(type x)                                                             \
    {                                                                                                        \
        name##1 v = {x};                                                                                     \
        return v;                                                                                            \
    }                                                                                                        \
    BANKSHOT_MAKE name##2 make_##name##2(type x, type y)                                                     \
    {                                                                                                        \
        name##2 v = {x, y};                                                                                  \
        return v;                                                                                            \
    }                                                                                                        \
    BANKSHOT_MAKE name##3 make_##name##3(type x, type y, type z)                                             \
    {                                                                                                        \
        name##3 v = {x, y, z};                                                                               \
        return v;                                                                                            \
    }                                                                                                        \
    BANKSHOT_MAKE name##4 make_##name##4(type x, type y, type z, type w)                                     \
    {                                                                                                        \
        name##4 v = {x, y, z, w};                                                                            \
        return v;                                                                                            \
    }

BANKSHOT_MAKERS(char, signed char)
BANKSHOT_MAKERS(uchar, unsigned char)
BANKSHOT_MAKERS(short, short)
BANKSHOT_MAKERS(ushort, unsigned short)
BANKSHOT_MAKERS(int, int)
BANKSHOT_MAKERS(uint, unsigned int)
BANKSHOT_MAKERS(long, long)
BANKSHOT_MAKERS(ulong, unsigned long)
BANKSHOT_MAKERS(longlong, long long)
BANKSHOT_MAKERS(ulonglong, unsigned long long)
BANKSHOT_MAKERS(float, float)
BANKSHOT_MAKERS(double, double)

#undef BANKSHOT_MAKERS
#undef BANKSHOT_MAKE

#endif
/* SPDX-License-Identifier: Apache-2.0 */
