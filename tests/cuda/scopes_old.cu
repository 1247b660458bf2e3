// What scopes.cu has for GPUs before compute capability 9.0.
#define OLD
#include "scopes.cu"
// SPDX-License-Identifier: Apache-2.0
