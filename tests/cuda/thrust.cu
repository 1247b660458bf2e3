// Thrust on the device, on the host and inside kernels, against plain loops.
#include "check.h"

#include <algorithm>
#include <numeric>
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <vector>

enum { N = 5000 };
using namespace thrust::placeholders;

struct saxpy {
    float a;
    __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct is_even {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};
struct draw {
    __host__ __device__ float operator()(unsigned i) const
    {
        thrust::default_random_engine engine;
        thrust::uniform_real_distribution<float> unit(0, 1);
        engine.discard(i);
        return unit(engine);
    }
};

static thrust::host_vector<int> samples(int range)
{
    thrust::host_vector<int> h(N);
    for (unsigned i = 0; i < N; i++)
        h[i] = (int)((i * 2654435761u ^ i >> 7) % (unsigned)range);
    return h;
}

static void vectors()
{
    thrust::device_vector<int> d(10, 7), e = {1, 2, 3};
    CHECK(d.size() == 10 && d[9] == 7 && e[2] == 3);
    d[0] = 5;
    d[1] += 3;
    e.push_back(4);
    e.resize(6);
    thrust::host_vector<int> h = e;
    CHECK(d[0] == 5 && d[1] == 10 && h.size() == 6 && h[3] == 4 && h[5] == 0);
    thrust::device_vector<int> f(h.begin(), h.begin() + 3);
    CHECK(f == thrust::device_vector<int>({1, 2, 3}) && f != e);
    d.erase(d.begin(), d.begin() + 8);
    CHECK(d.size() == 2 && d.front() == 7);
    thrust::device_vector<float> real(e);
    CHECK(real[3] == 4.0f);
    e.insert(e.begin() + 1, 9);
    CHECK(e[1] == 9 && e[2] == 2 && e.size() == 7);
    int raw[3] = {0};
    thrust::copy(f.begin(), f.end(), raw);
    CHECK(raw[2] == 3);
    thrust::device_ptr<int> p = thrust::device_malloc<int>(4);
    thrust::fill(p, p + 4, 11);
    CHECK(p[3] == 11 && thrust::raw_pointer_cast(p) + 1 == thrust::raw_pointer_cast(p + 1));
    thrust::device_free(p);
}

static void transforms()
{
    thrust::device_vector<float> x(N), y(N, 2.0f), z(N);
    thrust::sequence(x.begin(), x.end());
    thrust::transform(x.begin(), x.end(), y.begin(), z.begin(), saxpy{3.0f});
    thrust::transform(x.begin(), x.end(), x.begin(), _1 * 2.0f + 1.0f);
    thrust::host_vector<float> h = z, g = x;
    for (int i = 0; i < N; i++)
        CHECK(h[i] == 3.0f * i + 2.0f && g[i] == 2.0f * i + 1.0f);
    thrust::device_vector<int> map(N), out(N);
    thrust::sequence(thrust::device, map.begin(), map.end(), N - 1, -1);
    thrust::gather(map.begin(), map.end(), thrust::make_counting_iterator(100), out.begin());
    CHECK(out[0] == 100 + N - 1 && out[N - 1] == 100);
    thrust::scatter(thrust::make_counting_iterator(0), thrust::make_counting_iterator((int)N), map.begin(), out.begin());
    CHECK(out[0] == N - 1 && out[1] == N - 2);
    thrust::replace_if(out.begin(), out.end(), is_even(), -1);
    CHECK(thrust::count(out.begin(), out.end(), -1) == N / 2);
    thrust::for_each(out.begin(), out.end(), [] __device__(int &v) { v += 1000; });
    CHECK(thrust::count(out.begin(), out.end(), 999) == N / 2);
    thrust::adjacent_difference(x.begin(), x.end(), z.begin());
    CHECK(z[0] == 1.0f && z[17] == 2.0f);
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
    thrust::transform(pairs, pairs + N, z.begin(), [] __device__(const thrust::tuple<float, float> &t) {
        return thrust::get<0>(t) - thrust::get<1>(t);
    });
    CHECK(z[10] == 19.0f);
    thrust::for_each(thrust::make_zip_iterator(x.begin(), z.begin()), thrust::make_zip_iterator(x.end(), z.end()),
                     thrust::make_zip_function([] __device__(float a, float &b) { b = a + 0.5f; }));
    CHECK(z[10] == 21.5f);
    thrust::transform(thrust::counting_iterator<unsigned>(0), thrust::counting_iterator<unsigned>(N), z.begin(), draw());
    thrust::default_random_engine engine;
    thrust::uniform_real_distribution<float> unit(0, 1);
    for (int i = 0; i < 20; i++)
        CHECK(unit(engine) == (float)z[i]);
    thrust::normal_distribution<float> normal(100, 1);
    CHECK(normal(engine) > 90 && normal(engine) < 110);
}

static void reduces()
{
    thrust::host_vector<int> h = samples(1000);
    thrust::device_vector<int> d = h;
    int sum = std::accumulate(h.begin(), h.end(), 0), most = *std::max_element(h.begin(), h.end());
    CHECK(thrust::reduce(d.begin(), d.end()) == sum);
    CHECK(thrust::reduce(h.begin(), h.end(), 5) == sum + 5);
    CHECK(thrust::reduce(thrust::device, d.begin(), d.end(), 0, thrust::maximum<int>()) == most);
    CHECK(thrust::transform_reduce(d.begin(), d.end(), square(), 0ll, thrust::plus<long long>()) ==
          std::inner_product(h.begin(), h.end(), h.begin(), 0ll));
    CHECK(thrust::inner_product(d.begin(), d.end(), d.begin(), 0) == (int)std::inner_product(h.begin(), h.end(), h.begin(), 0ll));
    CHECK(thrust::count_if(d.begin(), d.end(), is_even()) == std::count_if(h.begin(), h.end(), is_even()));
    CHECK(thrust::max_element(d.begin(), d.end()) - d.begin() == std::max_element(h.begin(), h.end()) - h.begin());
    auto both = thrust::minmax_element(d.begin(), d.end());
    CHECK(*both.first == *std::min_element(h.begin(), h.end()) && *both.second == most);
    CHECK(thrust::find(d.begin(), d.end(), (int)h[77]) - d.begin() == std::find(h.begin(), h.end(), (int)h[77]) - h.begin());
    CHECK(thrust::any_of(d.begin(), d.end(), _1 > 998) && !thrust::all_of(d.begin(), d.end(), _1 > 10));
    auto it = thrust::make_transform_iterator(thrust::make_permutation_iterator(d.begin(), thrust::make_counting_iterator(10)), square());
    CHECK(thrust::reduce(it, it + 2) == h[10] * h[10] + h[11] * h[11]);
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    int *raw = thrust::raw_pointer_cast(d.data());
    CHECK(thrust::reduce(thrust::cuda::par.on(stream), raw, raw + N) == sum);
    OK(cudaStreamDestroy(stream));
}

static void scans()
{
    thrust::host_vector<int> h = samples(20), want(N), keys = samples(3);
    thrust::device_vector<int> d = h, out(N), k = keys;
    std::partial_sum(h.begin(), h.end(), want.begin());
    thrust::inclusive_scan(d.begin(), d.end(), out.begin());
    CHECK(out == want);
    thrust::exclusive_scan(d.begin(), d.end(), out.begin(), 4);
    for (int i = 0; i < N; i++)
        want[i] -= h[i] - 4;
    CHECK(out == want);
    thrust::inclusive_scan_by_key(k.begin(), k.end(), d.begin(), out.begin());
    for (int i = 0; i < N; i++)
        want[i] = h[i] + (i && keys[i] == keys[i - 1] ? want[i - 1] : 0);
    CHECK(out == want);
    thrust::exclusive_scan_by_key(k.begin(), k.end(), d.begin(), out.begin());
    for (int i = 0; i < N; i++)
        want[i] -= h[i];
    CHECK(out == want);
    thrust::transform_inclusive_scan(d.begin(), d.end(), d.begin(), square(), thrust::maximum<int>());
    CHECK(d[N - 1] == 19 * 19);
}

static void sorts()
{
    thrust::host_vector<int> h = samples(100000), want = h, place(N);
    thrust::device_vector<int> d = h, v(N);
    std::sort(want.begin(), want.end());
    thrust::sort(d.begin(), d.end());
    CHECK(d == want && thrust::is_sorted(d.begin(), d.end()));
    thrust::sort(d.begin(), d.end(), thrust::greater<int>());
    std::reverse(want.begin(), want.end());
    CHECK(d == want);
    d = h;
    thrust::sequence(v.begin(), v.end());
    thrust::sort_by_key(d.begin(), d.end(), v.begin());
    place = v;
    for (int i = 1; i < N; i++)
        CHECK(h[place[i - 1]] < h[place[i]] || (h[place[i - 1]] == h[place[i]] && place[i - 1] < place[i]));
    d = h;
    auto both = thrust::make_zip_iterator(thrust::make_tuple(d.begin(), v.begin()));
    thrust::sequence(v.begin(), v.end());
    thrust::sort(both, both + N, [] __device__(const thrust::tuple<int, int> &a, const thrust::tuple<int, int> &b) {
        return thrust::get<0>(a) % 1000 < thrust::get<0>(b) % 1000;
    });
    place = v;
    for (int i = 1; i < N; i++)
        CHECK(h[place[i - 1]] % 1000 < h[place[i]] % 1000 || (h[place[i - 1]] % 1000 == h[place[i]] % 1000 && place[i - 1] < place[i]));
    thrust::device_vector<int> edges = {0, 10, 20, 30}, at(3), ask = {10, 11, 40};
    thrust::lower_bound(edges.begin(), edges.end(), ask.begin(), ask.end(), at.begin());
    CHECK(at[0] == 1 && at[1] == 2 && at[2] == 4);
    thrust::sort(h.begin(), h.end());
    CHECK(std::is_sorted(h.begin(), h.end()));
}

static void runs()
{
    thrust::host_vector<int> h = samples(3), weights = samples(50), keys, sums, kept;
    thrust::device_vector<int> d = h, w = weights, k(N), s(N);
    for (int i = 0; i < N; i++) {
        if (i == 0 || h[i] != h[i - 1]) {
            keys.push_back(h[i]);
            sums.push_back(0);
        }
        sums.back() += weights[i];
        if (is_even()(weights[i]))
            kept.push_back(weights[i]);
    }
    auto end = thrust::reduce_by_key(d.begin(), d.end(), w.begin(), k.begin(), s.begin());
    k.resize(end.first - k.begin());
    s.resize(end.second - s.begin());
    CHECK(k == keys && s == sums);
    d.erase(thrust::unique(d.begin(), d.end()), d.end());
    CHECK(d == keys);
    s.resize(N);
    s.erase(thrust::copy_if(w.begin(), w.end(), s.begin(), is_even()), s.end());
    CHECK(s == kept);
    w.erase(thrust::remove_if(w.begin(), w.end(), _1 % 2 == 1), w.end());
    CHECK(w == kept);
}

// Another order of the same items, the same for the same seed, and the engine goes on.
static void shuffles()
{
    thrust::host_vector<int> h(N), same(N);
    thrust::device_vector<int> d(N), e(N);
    thrust::default_random_engine one(7), two(7);
    thrust::sequence(same.begin(), same.end());
    d = h = same;
    thrust::shuffle(d.begin(), d.end(), one);
    e = same;
    thrust::shuffle(thrust::device, e.begin(), e.end(), two);
    CHECK(d == e && d != same);
    thrust::shuffle(e.begin(), e.end(), two);
    CHECK(d != e);
    thrust::shuffle(h.begin(), h.end(), one);
    CHECK(h != same);
    thrust::sort(d.begin(), d.end());
    thrust::sort(e.begin(), e.end());
    thrust::sort(h.begin(), h.end());
    CHECK(d == same && e == same && h == same);
    thrust::shuffle_copy(d.begin(), d.end(), e.begin(), thrust::default_random_engine(3));
    CHECK(d == same && e != same);
    thrust::sort(e.begin(), e.end());
    CHECK(e == same);
}

// In a kernel, by one thread.
__global__ void alone(int *data, int n, int *sum)
{
    thrust::sort(thrust::seq, data, data + n);
    *sum = thrust::reduce(thrust::seq, data, data + n);
    thrust::inclusive_scan(thrust::seq, data, data + n, data);
}

static void in_kernels()
{
    int *m;
    OK(cudaMallocManaged((void **)&m, 6 * sizeof *m));
    int values[5] = {5, 1, 4, 2, 3};
    memcpy(m, values, sizeof values);
    alone<<<1, 1>>>(m, 5, m + 5);
    RAN();
    CHECK(m[0] == 1 && m[1] == 3 && m[4] == 15 && m[5] == 15);
    OK(cudaFree(m));
}

int main()
{
    vectors();
    transforms();
    reduces();
    scans();
    sorts();
    runs();
    shuffles();
    in_kernels();
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
