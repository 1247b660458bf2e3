/* The functions of cuda_pipeline_primitives.h, and the class over them that the CUDA 11 samples use. */
#ifndef BANKSHOT_CUDA_PIPELINE_H
#define BANKSHOT_CUDA_PIPELINE_H

#include "host_defines.h"
__BANKSHOT_LINES_OFF

#include "cuda_pipeline_primitives.h"

#if defined(__CUDACC__)
namespace nvcuda
{
namespace experimental
{

class pipeline
{
  public:
    __device__ pipeline() : committed(0) {}
    __device__ size_t commit()
    {
        __pipeline_commit();
        return committed++;
    }
    __device__ void wait(size_t n) { __pipeline_wait_prior(committed - n - 1); }
    template <unsigned n> __device__ void wait_prior() { __pipeline_wait_prior(n); }

  private:
    size_t committed;
};

template <class T> __BANKSHOT_FN void memcpy_async(T &to, const T &from, pipeline &)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                  "4, 8 or 16 bytes are copied at a time");
    __pipeline_memcpy_async(&to, &from, sizeof(T));
}

} // namespace experimental
} // namespace nvcuda
#endif
__BANKSHOT_LINES_ON
#endif
/* SPDX-License-Identifier: Apache-2.0 */
