// Programs include this next to host_defines.h; every host compiler that reaches here will do.
#ifndef __HOST_CONFIG_H__
#define __HOST_CONFIG_H__

#include "host_defines.h"

#endif
/* SPDX-License-Identifier: Apache-2.0 */
