/* Vectors in host memory. */
#ifndef BANKSHOT_THRUST_HOST_VECTOR
#define BANKSHOT_THRUST_HOST_VECTOR

#include <thrust/copy.h>
#include <vector>

namespace thrust
{
template <typename T, typename Allocator = std::allocator<T>> class device_vector;

template <typename T, typename Allocator = std::allocator<T>> class host_vector : public std::vector<T, Allocator>
{
    typedef std::vector<T, Allocator> base;

  public:
    using base::base;
    host_vector() {}
    template <typename U, typename A> host_vector(const std::vector<U, A> &v) : base(v.begin(), v.end()) {}
    template <typename U, typename A> host_vector(const device_vector<U, A> &v) : base(v.size()) { take(v.begin(), v.end()); }
    /* Between iterators of the device. */
    template <typename It, typename std::enable_if<detail::is_device<It>, int>::type = 0>
    host_vector(It first, It last) : base(last - first)
    {
        take(first, last);
    }
    template <typename U, typename A> host_vector &operator=(const device_vector<U, A> &v)
    {
        this->resize(v.size());
        take(v.begin(), v.end());
        return *this;
    }
    template <typename U, typename A> host_vector &operator=(const std::vector<U, A> &v)
    {
        this->assign(v.begin(), v.end());
        return *this;
    }

  private:
    template <typename It> void take(It first, It last)
    {
        if (first != last)
            thrust::copy(first, last, this->data());
    }
};
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
