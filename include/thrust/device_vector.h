/* Vectors in device memory. */
#ifndef BANKSHOT_THRUST_DEVICE_VECTOR
#define BANKSHOT_THRUST_DEVICE_VECTOR

#include <initializer_list>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>

namespace thrust
{
template <typename T, typename Allocator> class device_vector
{
    T *at = nullptr;
    std::size_t used = 0, room = 0;

    /* Room for n, with what is there. */
    void grow(std::size_t n)
    {
        if (n <= room)
            return;
        n = n < 2 * room ? 2 * room : n;
        T *bigger;
        detail::check(cudaMalloc((void **)&bigger, n * sizeof(T)));
        if (used)
            detail::check(cudaMemcpy((void *)bigger, (void *)at, used * sizeof(T), cudaMemcpyDeviceToDevice));
        cudaFree((void *)at);
        at = bigger;
        room = n;
    }
    template <typename It> void take(It first, It last)
    {
        std::size_t n = last - first;
        used = 0;
        grow(n);
        used = n;
        thrust::copy(first, last, begin());
    }

  public:
    typedef T value_type;
    typedef std::size_t size_type;
    typedef std::ptrdiff_t difference_type;
    typedef device_ptr<T> pointer, iterator;
    typedef device_ptr<const T> const_pointer, const_iterator;
    typedef device_reference<T> reference;
    typedef device_reference<const T> const_reference;
    typedef thrust::reverse_iterator<iterator> reverse_iterator;

    device_vector() {}
    explicit device_vector(std::size_t n) { resize(n); }
    device_vector(std::size_t n, const T &value) { resize(n, value); }
    device_vector(std::initializer_list<T> list) { take(list.begin(), list.end()); }
    device_vector(const device_vector &v) { take(v.begin(), v.end()); }
    device_vector(device_vector &&v) { swap(v); }
    template <typename U, typename A> device_vector(const std::vector<U, A> &v) { take(v.begin(), v.end()); }
    template <typename U, typename A> device_vector(const device_vector<U, A> &v) { take(v.begin(), v.end()); }
    template <typename It, typename = typename std::iterator_traits<It>::iterator_category> device_vector(It first, It last)
    {
        take(first, last);
    }
    ~device_vector() { cudaFree((void *)at); }
    device_vector &operator=(const device_vector &v)
    {
        if (this != &v)
            take(v.begin(), v.end());
        return *this;
    }
    device_vector &operator=(device_vector &&v)
    {
        swap(v);
        return *this;
    }
    template <typename U, typename A> device_vector &operator=(const std::vector<U, A> &v)
    {
        take(v.begin(), v.end());
        return *this;
    }
    template <typename U, typename A> device_vector &operator=(const device_vector<U, A> &v)
    {
        take(v.begin(), v.end());
        return *this;
    }
    void swap(device_vector &v)
    {
        std::swap(at, v.at);
        std::swap(used, v.used);
        std::swap(room, v.room);
    }

    iterator begin() { return iterator(at); }
    iterator end() { return iterator(at + used); }
    const_iterator begin() const { return const_iterator(at); }
    const_iterator end() const { return const_iterator(at + used); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    reverse_iterator rbegin() { return reverse_iterator(end()); }
    reverse_iterator rend() { return reverse_iterator(begin()); }
    pointer data() { return pointer(at); }
    const_pointer data() const { return const_pointer(at); }
    reference operator[](std::size_t i) { return reference(at + i); }
    const_reference operator[](std::size_t i) const { return const_reference(at + i); }
    reference front() { return reference(at); }
    reference back() { return reference(at + used - 1); }
    const_reference front() const { return const_reference(at); }
    const_reference back() const { return const_reference(at + used - 1); }
    std::size_t size() const { return used; }
    std::size_t capacity() const { return room; }
    std::size_t max_size() const { return (std::size_t)-1 / sizeof(T); }
    bool empty() const { return used == 0; }
    void reserve(std::size_t n) { grow(n); }
    void clear() { used = 0; }
    void shrink_to_fit()
    {
        device_vector exact(*this);
        swap(exact);
    }
    void resize(std::size_t n, const T &value = T())
    {
        std::size_t old = used;
        grow(n);
        used = n;
        if (n > old)
            thrust::fill(begin() + old, end(), value);
    }
    void assign(std::size_t n, const T &value)
    {
        used = 0;
        resize(n, value);
    }
    template <typename It, typename = typename std::iterator_traits<It>::iterator_category> void assign(It first, It last)
    {
        take(first, last);
    }
    void push_back(const T &value)
    {
        grow(used + 1);
        used++;
        back() = value;
    }
    void pop_back() { used--; }
    /* By way of host memory: both move what lies behind. */
    iterator insert(iterator where, const T &value)
    {
        std::size_t place = where - begin();
        host_vector<T> h(*this);
        h.insert(h.begin() + place, value);
        take(h.begin(), h.end());
        return begin() + place;
    }
    template <typename It> void insert(iterator where, It first, It last)
    {
        std::size_t place = where - begin();
        host_vector<T> h(*this), more(last - first);
        thrust::copy(first, last, more.begin());
        h.insert(h.begin() + place, more.begin(), more.end());
        take(h.begin(), h.end());
    }
    iterator erase(iterator first, iterator last)
    {
        device_vector rest(last, end());
        thrust::copy(rest.begin(), rest.end(), first);
        used -= last - first;
        return first;
    }
    iterator erase(iterator where) { return erase(where, where + 1); }
};

template <typename T, typename A, typename B> bool operator==(const device_vector<T, A> &a, const device_vector<T, B> &b)
{
    return a.size() == b.size() && thrust::equal(a.begin(), a.end(), b.begin());
}
template <typename T, typename A, typename B> bool operator==(const host_vector<T, A> &a, const device_vector<T, B> &b)
{
    return a == host_vector<T>(b);
}
template <typename T, typename A, typename B> bool operator==(const device_vector<T, A> &a, const host_vector<T, B> &b)
{
    return host_vector<T>(a) == b;
}
template <typename T, typename A, typename V> bool operator!=(const device_vector<T, A> &a, const V &b) { return !(a == b); }
template <typename T, typename A> void swap(device_vector<T, A> &a, device_vector<T, A> &b) { a.swap(b); }
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
