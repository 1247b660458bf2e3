#include <thrust/copy.h>
