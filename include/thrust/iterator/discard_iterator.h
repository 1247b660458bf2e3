#include <thrust/detail/iterators.h>
