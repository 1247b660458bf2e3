/* The device math library, one unit: `__nv_*` functions as clang's CUDA headers call them. In this order: a file uses the helpers
 * of those before it. */
/* clang-format off */
#include "exp.c"
#include "log.c"
#include "trig.c"
#include "arc.c"
#include "hyper.c"
#include "root.c"
#include "pow.c"
#include "basic.c"
#include "remainder.c"
#include "convert.c"
#include "integer.c"
#include "simd.c"
#include "erf.c"
#include "gamma.c"
#include "bessel.c"
#include "besself.c"
#include "cxx.c"
/* SPDX-License-Identifier: Apache-2.0 */
