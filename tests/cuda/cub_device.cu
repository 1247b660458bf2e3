// CUB's device-wide algorithms against plain loops, for sizes around those of tiles.
#include "check.h"

#include <algorithm>
#include <cub/cub.cuh>
#include <functional>
#include <vector>

template <typename T> struct array {
    T *at;
    size_t n;
    explicit array(size_t count) : at(nullptr), n(count) { OK(cudaMallocManaged((void **)&at, (n ? n : 1) * sizeof(T))); }
    explicit array(const std::vector<T> &v) : array(v.size()) { std::copy(v.begin(), v.end(), at); }
    ~array() { cudaFree(at); }
    bool is(const std::vector<T> &v) const { return std::equal(v.begin(), v.end(), at); }
};

// The two calls: how much, then at work.
template <typename Call> static void twice(Call call)
{
    size_t bytes = 0;
    void *temp = nullptr;
    OK(call(nullptr, bytes));
    CHECK(bytes > 0);
    OK(cudaMalloc(&temp, bytes));
    OK(call(temp, bytes));
    OK(cudaDeviceSynchronize());
    OK(cudaFree(temp));
}
#define TWICE(...) twice([&](void *temp, size_t &bytes) { return __VA_ARGS__; })

static unsigned mix(unsigned i) { return i * 2654435761u ^ i >> 7; }

template <typename T> static std::vector<T> samples(size_t n, unsigned range, unsigned seed)
{
    std::vector<T> v(n);
    for (size_t i = 0; i < n; i++)
        v[i] = (T)((long long)(mix((unsigned)i + seed) % range) - (std::is_signed<T>::value ? range / 3 : 0));
    return v;
}

struct third {
    __host__ __device__ bool operator()(int x) const { return x % 3 == 0; }
};
struct square {
    __host__ __device__ long long operator()(int x) const { return (long long)x * x; }
};

static void reduces(size_t n)
{
    std::vector<int> h = samples<int>(n, 100000, 1);
    array<int> in(h), out(4);
    array<cub::KeyValuePair<int, int>> arg(2);
    array<long long> squares(1);
    TWICE(cub::DeviceReduce::Sum(temp, bytes, in.at, out.at, (int)n));
    TWICE(cub::DeviceReduce::Max(temp, bytes, in.at, out.at + 1, (int)n));
    TWICE(cub::DeviceReduce::Min(temp, bytes, in.at, out.at + 2, (int)n));
    TWICE(cub::DeviceReduce::Reduce(temp, bytes, in.at, out.at + 3, (int)n, cub::Max(), 99990));
    TWICE(cub::DeviceReduce::ArgMin(temp, bytes, in.at, arg.at, (int)n));
    TWICE(cub::DeviceReduce::ArgMax(temp, bytes, in.at, arg.at + 1, (int)n));
    cub::TransformInputIterator<long long, square, int *> it(in.at, square());
    TWICE(cub::DeviceReduce::Sum(temp, bytes, it, squares.at, (int)n));
    int sum = 0, most = *std::max_element(h.begin(), h.end()), least = *std::min_element(h.begin(), h.end());
    long long sq = 0;
    for (int x : h) {
        sum += x;
        sq += square()(x);
    }
    CHECK(out.at[0] == sum && out.at[1] == most && out.at[2] == least && out.at[3] == std::max(99990, most) && *squares.at == sq);
    CHECK(arg.at[0].value == least && arg.at[0].key == std::find(h.begin(), h.end(), least) - h.begin());
    CHECK(arg.at[1].value == most && arg.at[1].key == std::find(h.begin(), h.end(), most) - h.begin());
}

static void scans(size_t n)
{
    std::vector<int> h = samples<int>(n, 1000, 2), sum(n), before(n), most(n);
    int s = 0, m = -7;
    for (size_t i = 0; i < n; i++) {
        before[i] = s;
        sum[i] = s += h[i];
        most[i] = m;
        m = std::max(m, h[i]);
    }
    array<int> in(h), out(n);
    TWICE(cub::DeviceScan::InclusiveSum(temp, bytes, in.at, out.at, (int)n));
    CHECK(out.is(sum));
    TWICE(cub::DeviceScan::ExclusiveScan(temp, bytes, in.at, out.at, cub::Max(), -7, (int)n));
    CHECK(out.is(most));
    array<double> wide(std::vector<double>(h.begin(), h.end()));
    TWICE(cub::DeviceScan::InclusiveSum(temp, bytes, wide.at, wide.at, (int)n));
    CHECK(wide.is(std::vector<double>(sum.begin(), sum.end())));
    TWICE(cub::DeviceScan::ExclusiveSum(temp, bytes, in.at, in.at, (int)n));
    CHECK(in.is(before));
}

static void selects(size_t n)
{
    std::vector<int> h = samples<int>(n, 7, 3), kept, others, unique, lengths, sums;
    std::vector<int> weights = samples<int>(n, 50, 4);
    std::vector<char> flags(n);
    for (size_t i = 0; i < n; i++) {
        flags[i] = mix(i) % 5 == 0;
        (third()(h[i]) ? kept : others).push_back(h[i]);
        if (i == 0 || h[i] != h[i - 1]) {
            unique.push_back(h[i]);
            lengths.push_back(0);
            sums.push_back(0);
        }
        lengths.back()++;
        sums.back() += weights[i];
    }
    array<int> in(h), out(n), count(1), len(n), w(weights), key(n);
    array<char> f(flags);
    TWICE(cub::DeviceSelect::If(temp, bytes, in.at, out.at, count.at, (int)n, third()));
    CHECK(*count.at == (int)kept.size() && out.is(kept));
    TWICE(cub::DevicePartition::If(temp, bytes, in.at, out.at, count.at, (int)n, third()));
    std::reverse(others.begin(), others.end());
    CHECK(*count.at == (int)kept.size() && out.is(kept) && std::equal(others.begin(), others.end(), out.at + kept.size()));
    TWICE(cub::DeviceSelect::Flagged(temp, bytes, in.at, f.at, out.at, count.at, (int)n));
    kept.clear();
    for (size_t i = 0; i < n; i++)
        if (flags[i])
            kept.push_back(h[i]);
    CHECK(*count.at == (int)kept.size() && out.is(kept));
    TWICE(cub::DeviceSelect::Unique(temp, bytes, in.at, out.at, count.at, (int)n));
    CHECK(*count.at == (int)unique.size() && out.is(unique));
    TWICE(cub::DeviceRunLengthEncode::Encode(temp, bytes, in.at, key.at, len.at, count.at, (int)n));
    CHECK(*count.at == (int)unique.size() && key.is(unique) && len.is(lengths));
    TWICE(cub::DeviceReduce::ReduceByKey(temp, bytes, in.at, key.at, w.at, out.at, count.at, cub::Sum(), (int)n));
    CHECK(*count.at == (int)unique.size() && key.is(unique) && out.is(sums));
}

template <typename K> static void sorts(size_t n, int begin, int end, bool descending)
{
    std::vector<K> h = samples<K>(n, 60000, 5);
    std::vector<int> order(n), place(n);
    for (size_t i = 0; i < n; i++)
        place[i] = order[i] = (int)i;
    auto digits = [&](int i) {
        unsigned long long b = 0;
        memcpy(&b, &h[i], sizeof(K));
        return end - begin == 64 ? b : b >> begin & ((1ull << (end - begin)) - 1);
    };
    bool whole = end - begin == (int)sizeof(K) * 8;
    std::sort(order.begin(), order.end(), [&](int a, int b) {
        bool less = whole ? h[a] < h[b] : digits(a) < digits(b), more = whole ? h[b] < h[a] : digits(b) < digits(a);
        return less || more ? (descending ? more : less) : a < b;
    });
    std::vector<K> want(n);
    for (size_t i = 0; i < n; i++)
        want[i] = h[order[i]];
    array<K> in(h), out(n);
    array<int> values(place), values_out(n);
    if constexpr (std::is_same<K, float>::value) {
        TWICE(cub::DeviceRadixSort::SortPairsDescending(temp, bytes, in.at, out.at, values.at, values_out.at, (int)n, begin, end));
        CHECK(out.is(want) && values_out.is(order));
        TWICE(cub::DeviceRadixSort::SortKeysDescending(temp, bytes, in.at, out.at, (int)n, begin, end));
    } else {
        TWICE(cub::DeviceRadixSort::SortPairs(temp, bytes, in.at, out.at, values.at, values_out.at, (int)n, begin, end));
        CHECK(out.is(want) && values_out.is(order));
        TWICE(cub::DeviceRadixSort::SortKeys(temp, bytes, in.at, out.at, (int)n, begin, end));
    }
    CHECK(out.is(want) && in.is(h));
    cub::DoubleBuffer<K> keys(in.at, out.at);
    cub::DoubleBuffer<int> vals(values.at, values_out.at);
    if constexpr (std::is_same<K, unsigned>::value) {
        TWICE(cub::DeviceRadixSort::SortPairs(temp, bytes, keys, vals, (int)n, begin, end));
        CHECK(std::equal(want.begin(), want.end(), keys.Current()) && std::equal(order.begin(), order.end(), vals.Current()));
    }
}

struct by_last_digit {
    __host__ __device__ bool operator()(int a, int b) const { return a % 100 > b % 100; }
};

static void merge_sorts(size_t n)
{
    std::vector<int> h = samples<int>(n, 100000, 6), place(n), want = h;
    for (size_t i = 0; i < n; i++)
        place[i] = (int)i;
    array<int> keys(h), values(place), again(h);
    std::sort(place.begin(), place.end(), [&](int a, int b) {
        return by_last_digit()(h[a], h[b]) || (!by_last_digit()(h[b], h[a]) && a < b);
    });
    for (size_t i = 0; i < n; i++)
        want[i] = h[place[i]];
    TWICE(cub::DeviceMergeSort::SortPairs(temp, bytes, keys.at, values.at, (int)n, by_last_digit()));
    CHECK(keys.is(want) && values.is(place));
    TWICE(cub::DeviceMergeSort::StableSortKeys(temp, bytes, again.at, (int)n, by_last_digit()));
    CHECK(again.is(want));
}

static void histograms()
{
    enum { N = 5000 };
    std::vector<float> h(N);
    std::vector<int> even(10), range(3), big(3000);
    std::vector<unsigned char> pixels = samples<unsigned char>(4 * N, 256, 7);
    float edges[4] = {0.1f, 0.15f, 0.5f, 0.7f};
    for (int i = 0; i < N; i++) {
        h[i] = mix(i) % 1000 / 1000.0f;
        if (h[i] >= 0.25f && h[i] < 0.75f) {
            even[(int)((h[i] - 0.25f) * (10 / (0.75f - 0.25f)))]++;
            big[(int)((h[i] - 0.25f) * (3000 / (0.75f - 0.25f)))]++;
        }
        for (int b = 0; b < 3; b++)
            range[b] += h[i] >= edges[b] && h[i] < edges[b + 1];
    }
    array<float> in(h), levels(std::vector<float>(edges, edges + 4));
    array<int> out(3000);
    TWICE(cub::DeviceHistogram::HistogramEven(temp, bytes, in.at, out.at, 11, 0.25f, 0.75f, (int)N));
    CHECK(out.is(even));
    TWICE(cub::DeviceHistogram::HistogramEven(temp, bytes, in.at, out.at, 3001, 0.25f, 0.75f, (int)N));
    CHECK(out.is(big));
    TWICE(cub::DeviceHistogram::HistogramRange(temp, bytes, in.at, out.at, 4, levels.at, (int)N));
    CHECK(out.is(range));
    array<unsigned char> rgba(pixels);
    int *channels[3] = {out.at, out.at + 256, out.at + 512}, counts[3] = {257, 257, 257}, low[3] = {0}, high[3] = {256, 256, 256};
    std::vector<int> want(768);
    for (int i = 0; i < 4 * N; i++)
        if (i % 4 < 3)
            want[i % 4 * 256 + pixels[i]]++;
    TWICE(cub::DeviceHistogram::MultiHistogramEven<4, 3>(temp, bytes, rgba.at, channels, counts, low, high, (int)N));
    CHECK(out.is(want));
}

static void segments()
{
    std::vector<int> h = samples<int>(3000, 100, 8), edges = {0, 0, 1, 700, 700, 2900, 3000}, want(6);
    for (int s = 0; s < 6; s++)
        for (int i = edges[s]; i < edges[s + 1]; i++)
            want[s] += h[i];
    array<int> in(h), e(edges), out(6);
    TWICE(cub::DeviceSegmentedReduce::Sum(temp, bytes, in.at, out.at, 6, e.at, e.at + 1));
    CHECK(out.is(want));
}

int main()
{
    for (size_t n : {1, 31, 1919, 1920, 1921, 4097, 70000}) {
        reduces(n);
        scans(n);
        selects(n);
        merge_sorts(n);
    }
    for (size_t n : {1, 4095, 4097, 20000}) {
        sorts<unsigned>(n, 0, 32, false);
        sorts<unsigned>(n, 4, 15, false);
        sorts<float>(n, 0, 32, true);
        sorts<long long>(n, 0, 64, false);
    }
    histograms();
    segments();
    int *nothing;
    size_t bytes = 0;
    OK(cudaMallocManaged((void **)&nothing, 8));
    TWICE(cub::DeviceReduce::Sum(temp, bytes, nothing, nothing + 1, 0));
    CHECK(nothing[1] == 0);
    GIVES(cub::DeviceReduce::Sum(nothing, bytes, nothing, nothing + 1, 100000), cudaErrorInvalidValue);
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
