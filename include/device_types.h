// Rounding modes by name.
#ifndef BANKSHOT_DEVICE_TYPES_H
#define BANKSHOT_DEVICE_TYPES_H

#include "host_defines.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#endif
