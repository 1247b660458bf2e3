#include <thrust/for_each.h>
