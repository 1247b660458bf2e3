/* The name that NVTX had before its third version. */
#include "nvtx3/nvToolsExt.h"
/* SPDX-License-Identifier: Apache-2.0 */
