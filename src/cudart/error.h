/* SPDX-License-Identifier: Apache-2.0 */
/* What is known about an error code; the driver API's codes have the same numbers. */
#ifndef CUDART_ERROR_H
#define CUDART_ERROR_H

#include "cudart/rt.h"

struct rt_error {
    int code;
    const char *name, *driver_name; /* cudaErrorX, CUDA_ERROR_X; NULL: the driver API has none */
    const char *text;
};
const struct rt_error *rt_error_info(int code); /* NULL: no such code */

#endif
