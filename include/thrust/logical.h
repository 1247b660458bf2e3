#include <thrust/reduce.h>
