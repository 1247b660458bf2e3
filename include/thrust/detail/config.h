/* What every header of our Thrust begins with. The interface is NVIDIA's (Thrust of CUDA 12), the code is not; algorithms on the
 * device are those of our CUB. C++17. */
#ifndef BANKSHOT_THRUST_CONFIG
#define BANKSHOT_THRUST_CONFIG

#include <cub/config.cuh>
#include <cub/util_type.cuh>
#include <iostream> /* programs have it from NVIDIA's */
#include <stdexcept>
#include <string>
#include <utility>

#define THRUST_VERSION 200800
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 8
#define THRUST_SUBMINOR_VERSION 0
#define THRUST_NAMESPACE_BEGIN namespace thrust {
#define THRUST_NAMESPACE_END }
#define __THRUST_BOTH __host__ __device__ inline

namespace thrust
{
/* A failed call of the runtime or a failed kernel. */
class system_error : public std::runtime_error
{
    cudaError_t error;

  public:
    explicit system_error(cudaError_t e, const char *what = "thrust")
        : std::runtime_error(std::string(what) + ": " + cudaGetErrorString(e)), error(e)
    {
    }
    cudaError_t code() const { return error; }
};
namespace system
{
using thrust::system_error;
}

namespace detail
{
inline void check(cudaError_t e)
{
    if (e != cudaSuccess) {
        cudaGetLastError();
        throw system_error(e);
    }
}
} // namespace detail
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
