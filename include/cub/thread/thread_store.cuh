#include <cub/iterator/arg_index_input_iterator.cuh>
