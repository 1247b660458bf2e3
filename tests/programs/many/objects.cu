/* C++ in kernels: classes, inheritance, virtual functions on objects made with device new, function pointers, recursion,
 * lambdas, operators, templates with values, structs by value, static members, default arguments. */
#include <cstdio>
#include <cuda_runtime.h>

struct vec3 {
    float x, y, z;
    __host__ __device__ vec3(float a = 0, float b = 0, float c = 0) : x(a), y(b), z(c) {}
    __host__ __device__ vec3 operator+(const vec3 &o) const { return vec3(x + o.x, y + o.y, z + o.z); }
    __host__ __device__ vec3 operator*(float s) const { return vec3(x * s, y * s, z * s); }
    __host__ __device__ vec3 &operator+=(const vec3 &o) { return *this = *this + o; }
    __host__ __device__ friend float dot(const vec3 &a, const vec3 &b)
    {
        return a.x * b.x + a.y * b.y + a.z * b.z;
    }
};

class Shape
{
  public:
    __device__ virtual float area() const = 0;
    __device__ virtual int corners() const { return 0; }
    __device__ virtual ~Shape() {}
};

class Rect : public Shape
{
  protected:
    float w, h;

  public:
    __device__ Rect(float a, float b) : w(a), h(b) {}
    __device__ float area() const override { return w * h; }
    __device__ int corners() const override { return 4; }
};

class Square : public Rect
{
  public:
    __device__ Square(float a) : Rect(a, a) {}
    __device__ int corners() const override { return 100 + Rect::corners(); }
};

class Circle : public Shape
{
    float r;

  public:
    __device__ explicit Circle(float a) : r(a) {}
    __device__ float area() const override { return 3.0f * r * r; }
};

__global__ void shapes(float *area, int *corners)
{
    int i = threadIdx.x;
    Shape *s;
    switch (i % 3) {
    case 0: s = new Rect((float)i, 2.0f); break;
    case 1: s = new Square((float)i); break;
    default: s = new Circle((float)i); break;
    }
    area[i] = s->area();
    corners[i] = s->corners();
    delete s;
}

typedef int (*binary)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int sub(int a, int b) { return a - b; }
__device__ __noinline__ int mul(int a, int b) { return a * b; }
__device__ binary table[] = {add, sub, mul};

__global__ void call_table(int *out)
{
    int i = threadIdx.x;
    out[i] = table[i % 3](i, 7);
}

__device__ int ackermann(int m, int n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__global__ void recursion(int *out) { out[threadIdx.x] = ackermann(2, threadIdx.x % 4); }

template <int N> struct factorial {
    enum { value = N * factorial<N - 1>::value };
};
template <> struct factorial<0> {
    enum { value = 1 };
};

template <class F> __device__ float twice(F f, float x) { return f(f(x)); }

__host__ __device__ constexpr int square(int x) { return x * x; }

struct setup {
    vec3 v[3];
    double scale;
    short s;
    char name[6];
};

__global__ void language(setup p, float *out)
{
    int i = threadIdx.x;
    float k = p.scale;
    auto f = [=](float x) { return x * k + i; };
    vec3 sum;
    for (const vec3 &v : p.v)
        sum += v * (float)i;
    static_assert(square(5) == 25, "constexpr");
    out[i] = twice(f, 1.0f) + dot(sum, vec3(1, 2, 3)) + factorial<5>::value + p.s + p.name[i % 6];
}

class Counter
{
    int n;
    int *data;

  public:
    Counter(int count) : n(count)
    {
        cudaMallocManaged(&data, n * sizeof(int));
        for (int i = 0; i < n; i++)
            data[i] = 0;
    }
    ~Counter() { cudaFree(data); }
    Counter(const Counter &) = delete;
    struct View {
        int *data, n;
        __device__ void hit(int i) { atomicAdd(&data[i % n], 1); }
    };
    View view() { return View{data, n}; }
    int operator[](int i) const { return data[i]; }
};

__global__ void hit(Counter::View v) { v.hit(threadIdx.x + blockIdx.x); }

int main()
{
    float *f;
    int *d, wrong = 0;
    cudaMallocManaged(&f, 96 * sizeof *f);
    cudaMallocManaged(&d, 96 * sizeof *d);
    shapes<<<1, 96>>>(f, d);
    cudaDeviceSynchronize();
    for (int i = 0; i < 96; i++) {
        float area = i % 3 == 0 ? i * 2.0f : i % 3 == 1 ? (float)i * i : 3.0f * i * i;
        wrong += f[i] != area || d[i] != (i % 3 == 0 ? 4 : i % 3 == 1 ? 104 : 0);
    }
    printf("shapes %d\n", wrong);
    call_table<<<1, 96>>>(d);
    cudaDeviceSynchronize();
    for (int i = 0; i < 96; i++)
        wrong += d[i] != (i % 3 == 0 ? i + 7 : i % 3 == 1 ? i - 7 : i * 7);
    printf("table %d\n", wrong);
    recursion<<<1, 32>>>(d);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++)
        wrong += d[i] != 2 * (i % 4) + 3;
    printf("recursion %d\n", wrong);
    setup p = {{vec3(1, 0, 0), vec3(0, 1, 0), vec3(1, 1, 1)}, 0.5, -3, "hello"};
    language<<<1, 32>>>(p, f);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++) {
        float once = 0.5f + i, want = once * 0.5f + i + (2 * i + 4 * i + 3 * i) + 120 - 3 + p.name[i % 6];
        wrong += f[i] != want;
    }
    printf("language %d\n", wrong);
    Counter c(10);
    hit<<<5, 50>>>(c.view());
    cudaDeviceSynchronize();
    for (int i = 0; i < 10; i++)
        wrong += c[i] != 25;
    printf("%s\n", wrong || cudaGetLastError() != cudaSuccess ? "FAIL" : "PASS");
    return wrong != 0;
}
// SPDX-License-Identifier: Apache-2.0
