/* The toolkit's second name for this header. */
#include "../host_config.h"
/* SPDX-License-Identifier: Apache-2.0 */
