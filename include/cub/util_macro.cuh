/* Macros of CUB: config.cuh has them. */
#ifndef BANKSHOT_CUB_UTIL_MACRO
#define BANKSHOT_CUB_UTIL_MACRO

#include <cub/config.cuh>

#endif
// SPDX-License-Identifier: Apache-2.0
