#include <thrust/unique.h>
