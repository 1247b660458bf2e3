/* Pointers to device memory that the host may follow: each access is a copy. */
#ifndef BANKSHOT_THRUST_DEVICE_PTR
#define BANKSHOT_THRUST_DEVICE_PTR

#include <ostream>
#include <thrust/execution_policy.h>

namespace thrust
{
template <typename T> class device_ptr;

template <typename T> class device_reference
{
    T *at;

  public:
    typedef typename std::remove_const<T>::type value_type;
    __THRUST_BOTH explicit device_reference(T *p) : at(p) {}
    device_reference(const device_reference &) = default;
    __THRUST_BOTH device_ptr<T> operator&() const;
    __THRUST_BOTH operator value_type() const
    {
#if defined(__CUDA_ARCH__)
        return *at;
#else
        value_type v;
        detail::check(cudaMemcpy((void *)&v, at, sizeof v, cudaMemcpyDeviceToHost));
        return v;
#endif
    }
    __THRUST_BOTH const device_reference &operator=(const value_type &v) const
    {
#if defined(__CUDA_ARCH__)
        *at = v;
#else
        detail::check(cudaMemcpy((void *)at, &v, sizeof v, cudaMemcpyHostToDevice));
#endif
        return *this;
    }
    __THRUST_BOTH const device_reference &operator=(const device_reference &b) const { return *this = (value_type)b; }
    template <typename U> __THRUST_BOTH const device_reference &operator=(const device_reference<U> &b) const
    {
        return *this = (value_type)b;
    }
    __THRUST_BOTH const device_reference &operator+=(const value_type &v) const { return *this = (value_type)(*this + v); }
    __THRUST_BOTH const device_reference &operator-=(const value_type &v) const { return *this = (value_type)(*this - v); }
    __THRUST_BOTH const device_reference &operator*=(const value_type &v) const { return *this = (value_type)(*this * v); }
    __THRUST_BOTH const device_reference &operator/=(const value_type &v) const { return *this = (value_type)(*this / v); }
    __THRUST_BOTH const device_reference &operator++() const { return *this += value_type(1); }
    __THRUST_BOTH const device_reference &operator--() const { return *this -= value_type(1); }
    __THRUST_BOTH value_type operator++(int) const
    {
        value_type old = *this;
        *this += value_type(1);
        return old;
    }
};
template <typename T> std::ostream &operator<<(std::ostream &to, const device_reference<T> &r)
{
    return to << (typename device_reference<T>::value_type)r;
}
template <typename T> void swap(const device_reference<T> &a, const device_reference<T> &b)
{
    typename device_reference<T>::value_type x = a;
    a = b;
    b = x;
}

template <typename T> class device_ptr
{
    T *at;

  public:
    typedef device_system_tag system;
    typedef typename std::remove_const<T>::type value_type;
    typedef T element_type;
    typedef device_reference<T> reference;
    typedef device_ptr pointer;
    typedef std::ptrdiff_t difference_type;
    typedef std::random_access_iterator_tag iterator_category;

    __THRUST_BOTH device_ptr() : at(nullptr) {}
    __THRUST_BOTH device_ptr(std::nullptr_t) : at(nullptr) {}
    __THRUST_BOTH explicit device_ptr(T *p) : at(p) {}
    template <typename U, typename = typename std::enable_if<std::is_convertible<U *, T *>::value>::type>
    __THRUST_BOTH device_ptr(const device_ptr<U> &b) : at(b.get())
    {
    }
    __THRUST_BOTH T *get() const { return at; }
    __THRUST_BOTH device_ptr base() const { return *this; }
    __THRUST_BOTH reference operator*() const { return reference(at); }
    __THRUST_BOTH reference operator[](difference_type i) const { return reference(at + i); }
    __THRUST_BOTH explicit operator bool() const { return at != nullptr; }
    __THRUST_BOTH device_ptr operator+(difference_type n) const { return device_ptr(at + n); }
    __THRUST_BOTH device_ptr operator-(difference_type n) const { return device_ptr(at - n); }
    template <typename U> __THRUST_BOTH difference_type operator-(const device_ptr<U> &b) const { return at - b.get(); }
    __THRUST_BOTH device_ptr &operator+=(difference_type n)
    {
        at += n;
        return *this;
    }
    __THRUST_BOTH device_ptr &operator-=(difference_type n)
    {
        at -= n;
        return *this;
    }
    __THRUST_BOTH device_ptr &operator++() { return *this += 1; }
    __THRUST_BOTH device_ptr &operator--() { return *this -= 1; }
    __THRUST_BOTH device_ptr operator++(int) { return device_ptr(at++); }
    __THRUST_BOTH device_ptr operator--(int) { return device_ptr(at--); }
    template <typename U> __THRUST_BOTH bool operator==(const device_ptr<U> &b) const { return at == b.get(); }
    template <typename U> __THRUST_BOTH bool operator!=(const device_ptr<U> &b) const { return at != b.get(); }
    template <typename U> __THRUST_BOTH bool operator<(const device_ptr<U> &b) const { return at < b.get(); }
    template <typename U> __THRUST_BOTH bool operator<=(const device_ptr<U> &b) const { return at <= b.get(); }
    template <typename U> __THRUST_BOTH bool operator>(const device_ptr<U> &b) const { return at > b.get(); }
};
template <typename T> __THRUST_BOTH device_ptr<T> device_reference<T>::operator&() const { return device_ptr<T>(at); }

template <typename T> __THRUST_BOTH T *raw_pointer_cast(T *p) { return p; }
template <typename T> __THRUST_BOTH T *raw_pointer_cast(const device_ptr<T> &p) { return p.get(); }
template <typename T> __THRUST_BOTH device_ptr<T> device_pointer_cast(T *p) { return device_ptr<T>(p); }
template <typename T> __THRUST_BOTH device_ptr<T> device_pointer_cast(const device_ptr<T> &p) { return p; }
template <typename T> __THRUST_BOTH typename device_reference<T>::value_type raw_reference_cast(const device_reference<T> &r) { return r; }
template <typename T> __THRUST_BOTH T &raw_reference_cast(T &r) { return r; }

template <typename T> device_ptr<T> device_malloc(std::size_t n)
{
    void *p;
    detail::check(cudaMalloc(&p, n * sizeof(T)));
    return device_ptr<T>((T *)p);
}
template <typename T> void device_free(const device_ptr<T> &p) { detail::check(cudaFree((void *)p.get())); }
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
