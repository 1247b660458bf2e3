/* SPDX-License-Identifier: Apache-2.0 */
// For the self-checking programs of this folder: the first wrong thing is named with its line and ends the program with 1.
// They are CUDA programs like any other: nvcc with the real runtime must give the same as `bankshot cc` with the stand-in.
#ifndef TESTS_CUDA_CHECK_H
#define TESTS_CUDA_CHECK_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)

#define OK(call) GIVES(call, cudaSuccess)

// The call gives this error code, which is then forgotten.
#define GIVES(call, code)                                                                                    \
    do {                                                                                                     \
        cudaError_t got_ = (call);                                                                           \
        if (got_ != (code)) {                                                                                \
            std::printf("%s:%d: %s gave %s, not %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(got_),    \
                        #code);                                                                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
        if (got_ != cudaSuccess)                                                                             \
            (void)cudaGetLastError();                                                                        \
    } while (0)

// A kernel launch just made was accepted and ran to its end.
#define RAN()                                                                                                \
    do {                                                                                                     \
        OK(cudaGetLastError());                                                                              \
        OK(cudaDeviceSynchronize());                                                                         \
    } while (0)

// A launch just made was refused for its shape: CUDA 11 and 12 call that a configuration, CUDA 13 an argument.
#define REFUSED()                                                                                            \
    do {                                                                                                     \
        cudaError_t why_ = cudaGetLastError();                                                               \
        CHECK(why_ == cudaErrorInvalidConfiguration || why_ == cudaErrorInvalidValue);                       \
    } while (0)

static inline int passed()
{
    std::printf("PASS\n");
    return 0;
}

#endif
