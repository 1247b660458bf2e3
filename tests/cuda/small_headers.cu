// Small parts of CUB and Thrust that programs use beside the algorithms: complex numbers against <complex>, ties of pairs, keys as
// integers of the same order, and what the headers bring along.
#include "check.h"

#include <cub/cub.cuh>
#include <cub/util_macro.cuh>
#include <thrust/complex.h>
#include <thrust/detail/type_traits.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>

typedef thrust::complex<double> number;
enum { FUNCTIONS = 12, KEYS = 6 };

static __host__ __device__ void apply(number z, number w, number *to)
{
    number sum = z;
    sum += w;
    sum *= 2.0;
    const number all[FUNCTIONS] = {sum,     z * w,        z / w,          thrust::exp(z), thrust::log(z), thrust::sqrt(z),
                                   sin(z),  thrust::cosh(z), thrust::pow(z, w), conj(z) - 1.0,  thrust::abs(z),
                                   thrust::polar(2.0, z.imag())};
    for (int i = 0; i < FUNCTIONS; i++)
        to[i] = all[i];
}

static __global__ void apply_kernel(number z, number w, number *to) { apply(z, w, to); }

static void complex_numbers()
{
    static const std::complex<double> some[] = {{1, 2}, {-3, 0.5}, {-0.25, -4}, {0, 1}};
    thrust::device_vector<number> there(FUNCTIONS);
    for (const auto &z : some)
        for (const auto &w : some) {
            const std::complex<double> want[FUNCTIONS] = {2.0 * (z + w),  z * w,        z / w,        std::exp(z),
                                                          std::log(z),    std::sqrt(z), std::sin(z),  std::cosh(z),
                                                          std::pow(z, w), std::conj(z) - 1.0, std::abs(z), std::polar(2.0, z.imag())};
            number here[FUNCTIONS];
            apply(z, w, here);
            apply_kernel<<<1, 1>>>(z, w, thrust::raw_pointer_cast(there.data()));
            OK(cudaDeviceSynchronize());
            for (int i = 0; i < FUNCTIONS; i++) {
                double room = 1e-12 * (1 + std::abs(want[i]));
                CHECK(std::abs(std::complex<double>(here[i]) - want[i]) < room);
                CHECK(std::abs(std::complex<double>(number(there[i])) - want[i]) < room);
            }
        }
    CHECK(number(1, 2) == number(std::complex<float>(1, 2)) && number(1) != number(1, 2));
}

static __global__ void twiddle(const float *keys, unsigned *bits, float *back)
{
    int i = threadIdx.x;
    bits[i] = cub::Traits<float>::TwiddleIn(__float_as_uint(keys[i]));
    back[i] = __uint_as_float(cub::Traits<float>::TwiddleOut(bits[i]));
}

static void ordered_keys()
{
    float *keys, *back;
    unsigned *bits;
    OK(cudaMallocManaged(&keys, KEYS * 4));
    OK(cudaMallocManaged(&back, KEYS * 4));
    OK(cudaMallocManaged(&bits, KEYS * 4));
    static const float in_order[KEYS] = {-1e30f, -2, -0.5f, 0, 1e-9f, 7};
    for (int i = 0; i < KEYS; i++)
        keys[i] = in_order[i];
    twiddle<<<1, KEYS>>>(keys, bits, back);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < KEYS; i++) {
        CHECK(back[i] == in_order[i]);
        CHECK(i == 0 || bits[i - 1] < bits[i]);
    }
}

static __global__ void tie_kernel(int *to)
{
    int a, b;
    thrust::tie(a, b) = thrust::make_pair(3, 4);
    assert(a == 3);
    *to = 10 * a + b;
}

static void ties()
{
    thrust::device_vector<int> v(8, 1), at(1);
    tie_kernel<<<1, 1>>>(thrust::raw_pointer_cast(at.data()));
    CHECK(at[0] == 34);
    std::string text;
    int n;
    thrust::tie(n, text) = std::pair<int, const char *>(5, "five");
    CHECK(n == 5 && text == "five");
    thrust::inclusive_scan(v.begin(), v.end(), v.begin()); // thrust/reduce.h has it
    CHECK(v[7] == 8 && CUB_MAX(2, 3) == 3 && thrust::detail::is_integral<int>::value);
    CHECK(std::chrono::steady_clock::now().time_since_epoch().count() != 0);
    std::cout.flush();
}

int main()
{
    complex_numbers();
    ordered_keys();
    ties();
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
