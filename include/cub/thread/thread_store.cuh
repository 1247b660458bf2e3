#include <cub/iterator/arg_index_input_iterator.cuh>
// SPDX-License-Identifier: Apache-2.0
