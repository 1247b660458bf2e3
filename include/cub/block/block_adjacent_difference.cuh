#include <cub/block/block_discontinuity.cuh>
// SPDX-License-Identifier: Apache-2.0
