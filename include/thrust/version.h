#include <thrust/detail/config.h>
