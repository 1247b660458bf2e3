/* The device math library, one unit: `__nv_*` functions as clang's CUDA headers call them. */
#include "arc.c"
#include "basic.c"
#include "convert.c"
#include "exp.c"
#include "hyper.c"
#include "integer.c"
#include "log.c"
#include "pow.c"
#include "remainder.c"
#include "root.c"
#include "simd.c"
#include "trig.c"
#include <stdbool.h>
