/* The toolkit's second name for this header. */
#include "../host_defines.h"
/* SPDX-License-Identifier: Apache-2.0 */
