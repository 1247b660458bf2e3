// cuRAND's host interface: orders, calls that follow one another, distributions, refusals. Integers are those of the device
// interface, in the documented order.
#include "check.h"

#include <cmath>
#include <curand.h>
#include <curand_kernel.h>
#include <vector>

#define RAND(call) CHECK((call) == CURAND_STATUS_SUCCESS)

static const unsigned long long seed = 1234;

// Word number at[i] of subsequence sub[i].
template <typename State> __global__ void place(const unsigned *sub, const unsigned *at, unsigned *out)
{
    State s;
    curand_init(seed, sub[threadIdx.x], at[threadIdx.x], &s);
    out[threadIdx.x] = curand(&s);
}

template <typename State> static void order(curandRngType_t type, unsigned subsequences, unsigned unit)
{
    enum { N = 300000, PLACES = 64 };
    curandGenerator_t g;
    unsigned *d, *sub, *at, *want;
    std::vector<unsigned> h(N), again(N);
    OK(cudaMalloc((void **)&d, N * sizeof *d));
    OK(cudaMallocManaged((void **)&sub, 3 * PLACES * sizeof *sub));
    at = sub + PLACES;
    want = at + PLACES;
    RAND(curandCreateGenerator(&g, type));
    RAND(curandSetPseudoRandomGeneratorSeed(g, seed));
    RAND(curandGenerate(g, d, N));
    OK(cudaMemcpy(h.data(), d, N * sizeof *d, cudaMemcpyDeviceToHost));
    unsigned where[PLACES];
    for (unsigned i = 0; i < PLACES; i++) {
        where[i] = (unsigned)((unsigned long long)i * i * 2654435761u % N);
        sub[i] = where[i] / unit % subsequences;
        at[i] = where[i] / unit / subsequences * unit + where[i] % unit;
    }
    place<State><<<1, PLACES>>>(sub, at, want);
    RAN();
    for (unsigned i = 0; i < PLACES; i++)
        CHECK(h[where[i]] == want[i]);
    // The same numbers from an offset, and again from the start.
    RAND(curandSetGeneratorOffset(g, 5000));
    RAND(curandGenerate(g, d, 1000));
    OK(cudaMemcpy(again.data(), d, 1000 * sizeof *d, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < 1000; i++)
        CHECK(again[i] == h[5000 + i]);
    RAND(curandSetGeneratorOffset(g, 0));
    RAND(curandGenerate(g, d, 8187));
    RAND(curandGenerate(g, d + 8187, 10));
    RAND(curandGenerate(g, d + 8197, 4091));
    OK(cudaMemcpy(again.data(), d, 12288 * sizeof *d, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < 12288; i++)
        CHECK(again[i] == h[i]);
    RAND(curandDestroyGenerator(g));
    OK(cudaFree(sub));
    OK(cudaFree(d));
}

// Where doubles and normals come from, as an H200 has it: the first numbers with seed 1234.
static void first_numbers()
{
    static const double uniform[2][4] = {{0.43489880438841294, 0.92641692020243771, 0.81184521113001917, 0.30855542463539803}, {0.85346899543001431, 0.79605514883270523, 0.11227557330034327, 0.080060631323720377}}, normal[2][4] = {{0.780973613, -1.80157793, -0.280848712, 0.563546479}, {-1.61649048, 1.22915471, -1.56054068, 0.464620322}}, normal_double[2][4] = {{0.3587397985244547, -1.239592503223552, -0.091495399773608613, -0.38011893868395424}, {-0.53952669590731883, 0.16063334644202298, 1.0081967077372695, 1.8322492478152392}};
    for (int t = 0; t < 2; t++) {
        curandGenerator_t g;
        float f[4];
        double d[4];
        RAND(curandCreateGeneratorHost(&g, t ? CURAND_RNG_PSEUDO_PHILOX4_32_10 : CURAND_RNG_PSEUDO_XORWOW));
        RAND(curandSetPseudoRandomGeneratorSeed(g, 1234));
        RAND(curandGenerateUniformDouble(g, d, 4));
        for (int i = 0; i < 4; i++)
            CHECK(std::fabs(d[i] - uniform[t][i]) < 1e-15);
        RAND(curandSetGeneratorOffset(g, 0));
        RAND(curandGenerateNormal(g, f, 4, 0, 1));
        for (int i = 0; i < 4; i++)
            CHECK(std::fabs(f[i] - normal[t][i]) < 1e-5);
        RAND(curandSetGeneratorOffset(g, 0));
        RAND(curandGenerateNormalDouble(g, d, 4, 0, 1));
        for (int i = 0; i < 4; i++)
            CHECK(std::fabs(d[i] - normal_double[t][i]) < 1e-12);
        RAND(curandDestroyGenerator(g));
    }
}

template <typename T> struct moments {
    double mean, variance;
    T least, most;
    explicit moments(const std::vector<T> &v) : mean(0), variance(0), least(v[0]), most(v[0])
    {
        for (T x : v) {
            mean += x;
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
        mean /= v.size();
        for (T x : v)
            variance += (x - mean) * (x - mean);
        variance /= v.size();
    }
    // Within five standard errors of what they should be.
    bool are(double want_mean, double want_variance, size_t n) const
    {
        return std::fabs(mean - want_mean) < 5 * std::sqrt(want_variance / n) &&
               std::fabs(variance / want_variance - 1) < 0.1;
    }
};

static void distributions(curandRngType_t type)
{
    enum { N = 20000 };
    curandGenerator_t g;
    std::vector<float> f(N);
    std::vector<double> d(N);
    std::vector<unsigned> u(N);
    RAND(curandCreateGeneratorHost(&g, type));
    RAND(curandSetPseudoRandomGeneratorSeed(g, 42));
    RAND(curandGenerateUniform(g, f.data(), N));
    moments<float> mu(f);
    CHECK(mu.least > 0 && mu.most <= 1 && mu.are(0.5, 1.0 / 12, N));
    RAND(curandGenerateUniformDouble(g, d.data(), N));
    moments<double> md(d);
    CHECK(md.least > 0 && md.most <= 1 && md.are(0.5, 1.0 / 12, N));
    RAND(curandGenerateNormal(g, f.data(), N, 3.0f, 2.0f));
    CHECK(moments<float>(f).are(3, 4, N));
    RAND(curandGenerateNormalDouble(g, d.data(), N, -1.0, 0.5));
    CHECK(moments<double>(d).are(-1, 0.25, N));
    double m = std::exp(0.5 + 0.125 / 4);
    RAND(curandGenerateLogNormal(g, f.data(), N, 0.5f, 0.25f));
    CHECK(moments<float>(f).are(m, m * m * (std::exp(0.0625) - 1), N));
    RAND(curandGenerateLogNormalDouble(g, d.data(), N, 0.5, 0.25));
    CHECK(moments<double>(d).are(m, m * m * (std::exp(0.0625) - 1), N));
    for (double lambda : {0.5, 12.0, 300.0}) {
        RAND(curandGeneratePoisson(g, u.data(), N, lambda));
        CHECK(moments<unsigned>(u).are(lambda, lambda, N));
    }
    CHECK(curandGenerateNormal(g, f.data(), 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    unsigned long long word;
    CHECK(curandGenerateLongLong(g, &word, 1) == CURAND_STATUS_TYPE_ERROR);
    RAND(curandDestroyGenerator(g));
}

int main()
{
    order<curandStateXORWOW_t>(CURAND_RNG_PSEUDO_DEFAULT, 4096, 1);
    order<curandStatePhilox4_32_10_t>(CURAND_RNG_PSEUDO_PHILOX4_32_10, 65536, 4);
    first_numbers();
    distributions(CURAND_RNG_PSEUDO_XORWOW);
    distributions(CURAND_RNG_PSEUDO_PHILOX4_32_10);
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
