#include <thrust/sort.h>
