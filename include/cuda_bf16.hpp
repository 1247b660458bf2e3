/* cuda_bf16.h has it all; programs include it by this name too. */
#include "cuda_bf16.h"
// SPDX-License-Identifier: Apache-2.0
