#include <thrust/random.h>
