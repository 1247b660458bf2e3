/* SPDX-License-Identifier: Apache-2.0 */
/* Compares device functions with host references, bit by bit, over special and random values. A case registers itself. */
#ifndef TESTS_MATH_SELFCHECK_H
#define TESTS_MATH_SELFCHECK_H

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <type_traits>

enum { POINTS = 2048 };

static int failures, cases;

static uint64_t random_bits()
{
    static uint64_t s = 1;
    uint64_t z = s += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

template <class T> static T from_bits(uint64_t u)
{
    T v;
    memcpy(&v, &u, sizeof v);
    return v;
}

/* Values of one type: special ones first, then small numbers and any bits. */
template <class T> static T value(int i)
{
    static const double reals[] = {0,
                                   0.5,
                                   1,
                                   1.5,
                                   2.5,
                                   3.5,
                                   0.49999997,
                                   0.1,
                                   1e10,
                                   127.5,
                                   255.5,
                                   32767.5,
                                   65535.5,
                                   2147483647.,
                                   2147483648.,
                                   4294967295.,
                                   4294967296.,
                                   9.2233720368547758e18,
                                   1.8446744073709552e19,
                                   1e30,
                                   1e-40,
                                   0x1p-149,
                                   0x1p-126,
                                   0x1p-1074,
                                   0x1p-1022,
                                   0x1.fffffep127,
                                   INFINITY,
                                   NAN,
                                   65504,
                                   65520};
    const int special = 2 * (int)(sizeof reals / sizeof *reals);
    if (std::is_floating_point<T>::value && i < special)
        return (T)(i & 1 ? -reals[i / 2] : reals[i / 2]);
    if (!std::is_floating_point<T>::value && i < 64)
        return (T)(i < 32 ? (1ull << i) - (i & 1) : ~0ull << (i - 32));
    uint64_t u = random_bits();
    if (i & 1)
        return std::is_floating_point<T>::value ? (T)((double)(int64_t)u * 0x1p-48)
                                                : (T)(int64_t)(u >> (u & 31));
    return from_bits<T>(u);
}

template <class T> static bool same(T a, T b)
{
    if (a != a && b != b)
        return true;
    return memcmp(&a, &b, sizeof a) == 0;
}
template <class T> static double shown(T v) { return (double)v; }

static void must(cudaError_t e)
{
    if (e != cudaSuccess) {
        printf("CUDA: %s\n", cudaGetErrorString(e));
        exit(2);
    }
}
template <class T> static T *on_device(const T *v)
{
    void *p;
    must(cudaMalloc(&p, POINTS * sizeof(T)));
    must(cudaMemcpy(p, v, POINTS * sizeof(T), cudaMemcpyHostToDevice));
    return (T *)p;
}

template <class R, class A, class B, class C>
static void run_case(const char *name, void (*kernel)(const A *, const B *, const C *, R *, int),
                     R (*ref)(A, B, C))
{
    A a[POINTS];
    B b[POINTS];
    C c[POINTS];
    R r[POINTS] = {};
    for (int i = 0; i < POINTS; i++) {
        a[i] = value<A>(i);
        b[i] = value<B>(i < 1024 ? (int)(random_bits() % 60) : i);
        c[i] = value<C>(i < 1024 ? (int)(random_bits() % 60) : i);
    }
    A *da = on_device(a);
    B *db = on_device(b);
    C *dc = on_device(c);
    R *dr = on_device(r);
    void *args[] = {&da, &db, &dc, &dr, nullptr};
    int n = POINTS;
    args[4] = &n;
    must(cudaLaunchKernel((const void *)kernel, dim3(POINTS / 256), dim3(256), args, 0, 0));
    must(cudaMemcpy(r, dr, POINTS * sizeof(R), cudaMemcpyDeviceToHost));
    cudaFree(da), cudaFree(db), cudaFree(dc), cudaFree(dr);
    int bad = 0;
    for (int i = 0; i < POINTS; i++) {
        R want = ref(a[i], b[i], c[i]);
        if (!same(r[i], want) && bad++ < 3)
            printf("%s(%.17g, %.17g, %.17g): %.17g, correct %.17g\n", name, shown(a[i]), shown(b[i]),
                   shown(c[i]), shown(r[i]), shown(want));
    }
    cases++;
    failures += bad != 0;
}

struct registered {
    void (*run)();
    registered *next;
    static registered *first;
    explicit registered(void (*f)()) : run(f), next(first) { first = this; }
};
registered *registered::first;

/* CASE(name, result type, argument types, device expression, host expression), of x, y and z. */
#define CASE3(name, R, A, B, C, device, host)                                                                \
    __global__ void k_##name(const A *a, const B *b, const C *c, R *r, int n)                                \
    {                                                                                                        \
        int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);                                                \
        if (i < n) {                                                                                         \
            A x = a[i];                                                                                      \
            B y = b[i];                                                                                      \
            C z = c[i];                                                                                      \
            (void)x, (void)y, (void)z;                                                                       \
            r[i] = device;                                                                                   \
        }                                                                                                    \
    }                                                                                                        \
    static void t_##name()                                                                                   \
    {                                                                                                        \
        run_case<R, A, B, C>(#name, k_##name, [](A x, B y, C z) -> R {                                       \
            (void)x, (void)y, (void)z;                                                                       \
            return host;                                                                                     \
        });                                                                                                  \
    }                                                                                                        \
    static registered reg_##name(t_##name);
#define CASE2(name, R, A, B, device, host) CASE3(name, R, A, B, int, device, host)
#define CASE1(name, R, A, device, host) CASE3(name, R, A, int, int, device, host)

static int run_all()
{
    for (registered *r = registered::first; r; r = r->next)
        r->run();
    printf("%d functions, %d differ\n", cases, failures);
    printf(failures || !cases ? "FAIL\n" : "PASS\n");
    return failures != 0 || !cases;
}

#endif
