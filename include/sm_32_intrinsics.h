/* Part of cuda_runtime.h here; programs include it by this name too. */
#include "cuda_runtime.h"
/* SPDX-License-Identifier: Apache-2.0 */
