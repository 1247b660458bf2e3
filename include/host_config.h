// Programs include this next to host_defines.h; every host compiler that reaches here will do.
#ifndef BANKSHOT_HOST_CONFIG_H
#define BANKSHOT_HOST_CONFIG_H

#include "host_defines.h"

#endif
