// Makers of the small structures of the copy functions.
#ifndef __DRIVER_FUNCTIONS_H__
#define __DRIVER_FUNCTIONS_H__

#include "driver_types.h"

#define BANKSHOT_MAKE static __inline__ __host__ __attribute__((unused))

BANKSHOT_MAKE struct cudaPitchedPtr make_cudaPitchedPtr(void *ptr, size_t pitch, size_t xsize, size_t ysize)
{
    struct cudaPitchedPtr p = {ptr, pitch, xsize, ysize};
    return p;
}

BANKSHOT_MAKE struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos p = {x, y, z};
    return p;
}

BANKSHOT_MAKE struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    struct cudaExtent e = {width, height, depth};
    return e;
}

#undef BANKSHOT_MAKE

#endif
/* SPDX-License-Identifier: Apache-2.0 */
