/* Temporary memory in two calls: asked for with no pointer, used with one. */
#ifndef BANKSHOT_CUB_DETAIL_TEMP
#define BANKSHOT_CUB_DETAIL_TEMP

#include <cub/util_debug.cuh>
#include <cub/util_type.cuh>

namespace cub
{
namespace detail
{
class temp_space
{
    char *base;
    std::size_t used;

  public:
    explicit temp_space(void *at) : base((char *)at), used(0) {}

    template <typename T> T *take(std::size_t n)
    {
        T *p = (T *)(base + used);
        used += (n * sizeof(T) + 255) / 256 * 256;
        return p;
    }
    /* True: the call ends here, with *status. */
    bool ends(std::size_t &bytes, cudaError_t &status) const
    {
        std::size_t need = used ? used : 1;
        bool asked = !base;
        status = asked || bytes >= need ? cudaSuccess : cudaErrorInvalidValue;
        if (asked)
            bytes = need;
        return asked || status != cudaSuccess;
    }
};

inline int multiprocessors()
{
    int device = 0, n = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, device);
    return n;
}

template <typename N> __CUB_BOTH unsigned tiles_of(N n, unsigned tile) { return (unsigned)((n + tile - 1) / tile); }

/* Items of a thread for elements of this size, when it would be `words` of four bytes. */
constexpr int items_of(int words, std::size_t size)
{
    int n = size <= 4 ? words : (int)(words * 4 / size);
    return n < 1 ? 1 : n;
}
} // namespace detail
} // namespace cub

#endif
// SPDX-License-Identifier: Apache-2.0
