/* Complex numbers that host and device code share, with the functions of <complex>. */
#ifndef BANKSHOT_THRUST_COMPLEX
#define BANKSHOT_THRUST_COMPLEX

#include <cmath>
#include <complex>
#include <ostream>
#include <thrust/detail/config.h>

namespace thrust
{
template <typename T> struct alignas(2 * sizeof(T)) complex {
    typedef T value_type;

    __THRUST_BOTH complex(const T &re = T(), const T &im = T()) : x(re), y(im) {}
    complex(const complex &) = default;
    template <typename U> __THRUST_BOTH complex(const complex<U> &z) : x((T)z.real()), y((T)z.imag()) {}
    template <typename U> complex(const std::complex<U> &z) : x((T)z.real()), y((T)z.imag()) {}
    complex &operator=(const complex &) = default;
    __THRUST_BOTH complex &operator=(const T &re) { return *this = complex(re); }
    operator std::complex<T>() const { return std::complex<T>(x, y); }

    __THRUST_BOTH T real() const { return x; }
    __THRUST_BOTH T imag() const { return y; }
    __THRUST_BOTH void real(T re) { x = re; }
    __THRUST_BOTH void imag(T im) { y = im; }

    template <typename U> __THRUST_BOTH complex &operator+=(const U &b) { return *this = *this + complex(b); }
    template <typename U> __THRUST_BOTH complex &operator-=(const U &b) { return *this = *this - complex(b); }
    template <typename U> __THRUST_BOTH complex &operator*=(const U &b) { return *this = *this * complex(b); }
    template <typename U> __THRUST_BOTH complex &operator/=(const U &b) { return *this = *this / complex(b); }

    friend __THRUST_BOTH complex operator+(const complex &a, const complex &b) { return complex(a.x + b.x, a.y + b.y); }
    friend __THRUST_BOTH complex operator-(const complex &a, const complex &b) { return complex(a.x - b.x, a.y - b.y); }
    friend __THRUST_BOTH complex operator*(const complex &a, const complex &b)
    {
        return complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
    }
    /* The divisor's parts are scaled by their sum, so that squares neither overflow nor vanish. */
    friend __THRUST_BOTH complex operator/(const complex &a, const complex &b)
    {
        T scale = T(1) / (std::abs(b.x) + std::abs(b.y)), p = b.x * scale, q = b.y * scale;
        T norm = T(1) / (p * p + q * q), re = a.x * scale, im = a.y * scale;
        return complex((re * p + im * q) * norm, (im * p - re * q) * norm);
    }
    friend __THRUST_BOTH complex operator+(const complex &a) { return a; }
    friend __THRUST_BOTH complex operator-(const complex &a) { return complex(-a.x, -a.y); }
    friend __THRUST_BOTH bool operator==(const complex &a, const complex &b) { return a.x == b.x && a.y == b.y; }
    friend __THRUST_BOTH bool operator!=(const complex &a, const complex &b) { return !(a == b); }
    friend std::ostream &operator<<(std::ostream &to, const complex &z) { return to << std::complex<T>(z); }

  private:
    T x, y;
};

template <typename T> __THRUST_BOTH T abs(const complex<T> &z) { return std::hypot(z.real(), z.imag()); }
template <typename T> __THRUST_BOTH T arg(const complex<T> &z) { return std::atan2(z.imag(), z.real()); }
template <typename T> __THRUST_BOTH T norm(const complex<T> &z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <typename T> __THRUST_BOTH complex<T> conj(const complex<T> &z) { return complex<T>(z.real(), -z.imag()); }
template <typename T> __THRUST_BOTH complex<T> polar(const T &radius, const T &angle = T())
{
    return complex<T>(radius * std::cos(angle), radius * std::sin(angle));
}
template <typename T> __THRUST_BOTH complex<T> exp(const complex<T> &z) { return polar(std::exp(z.real()), z.imag()); }
template <typename T> __THRUST_BOTH complex<T> log(const complex<T> &z) { return complex<T>(std::log(abs(z)), arg(z)); }
template <typename T> __THRUST_BOTH complex<T> pow(const complex<T> &z, const complex<T> &e)
{
    return z == complex<T>() ? complex<T>(e == complex<T>() ? T(1) : T(0)) : exp(e * log(z));
}
template <typename T> __THRUST_BOTH complex<T> pow(const complex<T> &z, const T &e) { return pow(z, complex<T>(e)); }
template <typename T> __THRUST_BOTH complex<T> sqrt(const complex<T> &z)
{
    T r = abs(z), re = std::sqrt((r + std::abs(z.real())) / 2);
    if (r == T(0))
        return complex<T>();
    T im = std::abs(z.imag()) / (2 * re);
    return z.real() >= T(0) ? complex<T>(re, std::copysign(im, z.imag())) : complex<T>(im, std::copysign(re, z.imag()));
}
template <typename T> __THRUST_BOTH complex<T> sinh(const complex<T> &z)
{
    return complex<T>(std::sinh(z.real()) * std::cos(z.imag()), std::cosh(z.real()) * std::sin(z.imag()));
}
template <typename T> __THRUST_BOTH complex<T> cosh(const complex<T> &z)
{
    return complex<T>(std::cosh(z.real()) * std::cos(z.imag()), std::sinh(z.real()) * std::sin(z.imag()));
}
template <typename T> __THRUST_BOTH complex<T> sin(const complex<T> &z)
{
    complex<T> s = sinh(complex<T>(-z.imag(), z.real()));
    return complex<T>(s.imag(), -s.real());
}
template <typename T> __THRUST_BOTH complex<T> cos(const complex<T> &z) { return cosh(complex<T>(-z.imag(), z.real())); }
template <typename T> __THRUST_BOTH complex<T> tanh(const complex<T> &z) { return sinh(z) / cosh(z); }
template <typename T> __THRUST_BOTH complex<T> tan(const complex<T> &z) { return sin(z) / cos(z); }
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
