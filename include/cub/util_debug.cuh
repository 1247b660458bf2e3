/* CubDebug and its kind: an error is printed with its place and given on. */
#ifndef BANKSHOT_CUB_UTIL_DEBUG
#define BANKSHOT_CUB_UTIL_DEBUG

#include <cstdlib>
#include <cub/config.cuh>

namespace cub
{
inline cudaError_t Debug(cudaError_t error, const char *file, int line)
{
    if (error != cudaSuccess)
        std::fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", error, file, line, cudaGetErrorString(error));
    return error;
}
} // namespace cub

#define CubDebug(e) cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e)                                                                                      \
    do {                                                                                                     \
        if (cub::Debug((cudaError_t)(e), __FILE__, __LINE__))                                                \
            std::exit(1);                                                                                    \
    } while (0)

#endif
// SPDX-License-Identifier: Apache-2.0
