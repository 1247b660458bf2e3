// All types of the runtime's interface.
#ifndef BANKSHOT_BUILTIN_TYPES_H
#define BANKSHOT_BUILTIN_TYPES_H

#include "device_types.h"
#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"

#endif
