// SPDX-License-Identifier: Apache-2.0
// Functions of float, built with: -use_fast_math
#define NAMED(name) fast_##name
#include "float.cu"
