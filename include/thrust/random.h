/* Random numbers for host and device code: linear congruential engines and their distributions. */
#ifndef BANKSHOT_THRUST_RANDOM
#define BANKSHOT_THRUST_RANDOM

#include <cmath>
#include <thrust/detail/config.h>

namespace thrust
{
namespace random
{
template <typename T, T A, T C, T M> class linear_congruential_engine
{
    T x;

  public:
    typedef T result_type;
    static const T multiplier = A, increment = C, modulus = M, min = C == 0 ? 1 : 0, max = M - 1, default_seed = 1;
    __host__ __device__ explicit linear_congruential_engine(T s = default_seed) { seed(s); }
    __host__ __device__ void seed(T s = default_seed) { x = C % M == 0 && s % M == 0 ? 1 : s % M; }
    __host__ __device__ T operator()()
    {
        x = (T)(((unsigned long long)A * x + C) % M);
        return x;
    }
    __host__ __device__ void discard(unsigned long long n)
    {
        unsigned long long a = A, c = C, a_all = 1, c_all = 0; /* x -> a x + c, squared for each bit */
        for (; n; n >>= 1) {
            if (n & 1) {
                a_all = a_all * a % M;
                c_all = (c_all * a + c) % M;
            }
            c = (a + 1) * c % M;
            a = a * a % M;
        }
        x = (T)((a_all * x + c_all) % M);
    }
};
typedef linear_congruential_engine<std::uint32_t, 16807, 0, 2147483647> minstd_rand0;
typedef linear_congruential_engine<std::uint32_t, 48271, 0, 2147483647> minstd_rand;
typedef minstd_rand default_random_engine;

template <typename T = double> class uniform_real_distribution
{
    T low, high;

  public:
    typedef T result_type;
    __host__ __device__ explicit uniform_real_distribution(T a = 0, T b = 1) : low(a), high(b) {}
    template <typename Engine> __host__ __device__ T operator()(Engine &engine) const
    {
        T unit = (T)(engine() - Engine::min) / ((T)(Engine::max - Engine::min) + (T)1);
        return unit * (high - low) + low;
    }
};
template <typename T = int> class uniform_int_distribution
{
    T low, high;

  public:
    typedef T result_type;
    __host__ __device__ explicit uniform_int_distribution(T a = 0, T b = 0x7fffffff) : low(a), high(b) {}
    template <typename Engine> __host__ __device__ T operator()(Engine &engine) const
    {
        return (T)uniform_real_distribution<double>((double)low, (double)high + 1.0)(engine);
    }
};
/* Two uniforms by Box and Muller's method, of which one normal is used. */
template <typename T = double> class normal_distribution
{
    T mean, deviation;

  public:
    typedef T result_type;
    __host__ __device__ explicit normal_distribution(T m = 0, T s = 1) : mean(m), deviation(s) {}
    template <typename Engine> __host__ __device__ T operator()(Engine &engine) const
    {
        uniform_real_distribution<double> unit(0.0, 1.0);
        double u = 1.0 - unit(engine), v = unit(engine);
        return mean + deviation * (T)(::sqrt(-2.0 * ::log(u)) * ::cos(6.283185307179586 * v));
    }
};
} // namespace random
using random::default_random_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
