/* Every type, shape and layout of wmma, with element-wise operations on fragments in between, against plain loops. All
 * values are small integers, so that results are exact whatever the order of summation. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <stdio.h>
#include <stdlib.h>

using namespace nvcuda;

#define PITCH 48 /* leading dimension of every matrix; a multiple of 16 bytes in all types */

/* D = 2 (A B + C), then twice its own fragment added in halves through a second one of the same type: checks that fragments
 * of equal types correspond element by element. Negative results become 0. */
template <typename D, typename AB, typename C, int M, int N, int K, typename LA, typename LB, typename E>
__global__ void product(const E *a, const E *b, const C *c, D *d, wmma::layout_t lc)
{
    __shared__ __align__(32) E tile[32 * PITCH];
    wmma::fragment<wmma::matrix_a, M, N, K, AB, LA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, AB, LB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, C> fc;
    wmma::fragment<wmma::accumulator, M, N, K, D> fd, fe;
    for (int i = threadIdx.x; i < 32 * PITCH; i += 32)
        tile[i] = a[i];
    __syncwarp();
    wmma::load_matrix_sync(fa, tile, PITCH); /* from shared memory, B and C from global */
    wmma::load_matrix_sync(fb, b, PITCH);
    wmma::load_matrix_sync(fc, c, PITCH, lc);
    wmma::mma_sync(fd, fa, fb, fc);
    wmma::fill_fragment(fe, (D)0.0f);
    for (int i = 0; i < (int)fd.num_elements; i++)
        fe.x[i] = fd.x[i] + fd.x[i];
    for (int i = 0; i < (int)fd.num_elements; i++)
        fd.x[i] = fe.x[i] > (D)0.0f ? fe.x[i] : (D)0.0f;
    wmma::store_matrix_sync(d, fd, PITCH, lc);
}

static float number(float v) { return v; }
static float number(double v) { return (float)v; }
static float number(int v) { return (float)v; }
static float number(signed char v) { return v; }
static float number(unsigned char v) { return v; }
static float number(__half v) { return __half2float(v); }
static float number(__nv_bfloat16 v) { return __bfloat162float(v); }

template <typename T> static bool has_sign(T) { return true; }
static bool has_sign(unsigned char) { return false; }

static unsigned state = 1;
static int small_number(int lo, int hi)
{
    state = state * 1664525u + 1013904223u;
    return lo + (int)(state >> 16) % (hi - lo + 1);
}

template <typename T> static T *matrix(int lo, int hi)
{
    T *m;
    cudaMallocManaged((void **)&m, 48 * PITCH * sizeof *m);
    for (int i = 0; i < 48 * PITCH; i++)
        m[i] = (T)(float)small_number(lo, hi);
    return m;
}

template <typename L> struct by_rows {
    static const bool yes = false;
};
template <> struct by_rows<wmma::row_major> {
    static const bool yes = true;
};

template <typename T> static float at(const T *m, bool rows, int r, int c)
{
    return number(rows ? m[r * PITCH + c] : m[c * PITCH + r]);
}

static int failed, done;

template <typename D, typename AB, typename C, int M, int N, int K, typename LA, typename LB, typename E>
static void one(const char *name)
{
    int lo = has_sign((E)0.0f) ? -4 : 0;
    for (int rows = 0; rows < 2; rows++) {
        E *a = matrix<E>(lo, 4), *b = matrix<E>(lo, 4);
        C *c = matrix<C>(-9, 9);
        D *d = matrix<D>(0, 0);
        product<D, AB, C, M, N, K, LA, LB, E>
            <<<1, 32>>>(a, b, c, d, rows ? wmma::mem_row_major : wmma::mem_col_major);
        cudaError_t e = cudaDeviceSynchronize();
        int wrong = 0;
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                float sum = at(c, rows, i, j);
                for (int k = 0; k < K; k++)
                    sum += at(a, by_rows<LA>::yes, i, k) * at(b, by_rows<LB>::yes, k, j);
                wrong += at(d, rows, i, j) != (sum > 0 ? 2 * sum : 0);
            }
        done++;
        if (wrong || e != cudaSuccess) {
            failed++;
            printf("%s m%dn%dk%d A by %s, B by %s, C by %s: %d wrong, %s\n", name, M, N, K,
                   by_rows<LA>::yes ? "rows" : "columns", by_rows<LB>::yes ? "rows" : "columns",
                   rows ? "rows" : "columns", wrong, cudaGetErrorString(e));
        }
        cudaFree(a);
        cudaFree(b);
        cudaFree(c);
        cudaFree(d);
    }
}

template <typename D, typename AB, typename C, int M, int N, int K, typename E>
static void layouts(const char *name)
{
    one<D, AB, C, M, N, K, wmma::row_major, wmma::row_major, E>(name);
    one<D, AB, C, M, N, K, wmma::row_major, wmma::col_major, E>(name);
    one<D, AB, C, M, N, K, wmma::col_major, wmma::row_major, E>(name);
    one<D, AB, C, M, N, K, wmma::col_major, wmma::col_major, E>(name);
}

template <typename D, typename AB, typename C> static void shapes(const char *name)
{
    layouts<D, AB, C, 16, 16, 16, AB>(name);
    layouts<D, AB, C, 32, 8, 16, AB>(name);
    layouts<D, AB, C, 8, 32, 16, AB>(name);
}

using wmma::experimental::precision::b1;
using wmma::experimental::precision::s4;
using wmma::experimental::precision::u4;

template <typename T> __global__ void product4(const unsigned *a, const unsigned *b, int *d)
{
    wmma::fragment<wmma::matrix_a, 8, 8, 32, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 32, T, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 32, int> fd;
    wmma::load_matrix_sync(fa, a, 32);
    wmma::load_matrix_sync(fb, b, 32);
    wmma::fill_fragment(fd, 7);
    wmma::mma_sync(fd, fa, fb, fd);
    wmma::store_matrix_sync(d, fd, 8, wmma::mem_row_major);
}

__global__ void product1(const unsigned *a, const unsigned *b, int *d)
{
    wmma::fragment<wmma::matrix_a, 8, 8, 128, b1, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, b1, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 128, int> fd;
    wmma::load_matrix_sync(fa, a, 128);
    wmma::load_matrix_sync(fb, b, 128);
    wmma::fill_fragment(fd, 7);
    wmma::bmma_sync(fd, fa, fb, fd, wmma::experimental::bmmaBitOpXOR);
    wmma::store_matrix_sync(d, fd, 8, wmma::mem_row_major);
}

static int nibble(const unsigned *m, int row, int k, bool is_signed)
{
    int v = (int)(m[row * 4 + k / 8] >> k % 8 * 4 & 15);
    return is_signed && v > 7 ? v - 16 : v;
}

static void narrow(void)
{
    unsigned *a, *b;
    int *d;
    cudaMallocManaged((void **)&a, 8 * 4 * 4);
    cudaMallocManaged((void **)&b, 8 * 4 * 4);
    cudaMallocManaged((void **)&d, 64 * 4);
    for (int i = 0; i < 32; i++) {
        a[i] = (unsigned)small_number(0, 65535) * 65537u + 12345u * i;
        b[i] = (unsigned)small_number(0, 65535) * 65537u + 54321u * i;
    }
    for (int which = 0; which < 3; which++) {
        if (which == 0)
            product4<s4><<<1, 32>>>(a, b, d);
        else if (which == 1)
            product4<u4><<<1, 32>>>(a, b, d);
        else
            product1<<<1, 32>>>(a, b, d);
        cudaError_t e = cudaDeviceSynchronize();
        int wrong = 0;
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) {
                int sum = 7;
                if (which < 2)
                    for (int k = 0; k < 32; k++)
                        sum += nibble(a, i, k, which == 0) * nibble(b, j, k, which == 0);
                else
                    for (int k = 0; k < 4; k++)
                        sum += __builtin_popcount(a[i * 4 + k] ^ b[j * 4 + k]);
                wrong += d[i * 8 + j] != sum;
            }
        done++;
        if (wrong || e != cudaSuccess) {
            failed++;
            printf("%s: %d wrong, %s\n",
                   which == 0   ? "s4"
                   : which == 1 ? "u4"
                                : "b1",
                   wrong, cudaGetErrorString(e));
        }
    }
    cudaFree(a);
    cudaFree(b);
    cudaFree(d);
}

__global__ void round_tf32(const float *in, float *out)
{
    out[threadIdx.x] = wmma::__float_to_tf32(in[threadIdx.x]);
}

static void tf32_rounding(void)
{
    float *in, *out;
    cudaMallocManaged((void **)&in, 32 * 4);
    cudaMallocManaged((void **)&out, 32 * 4);
    for (int i = 0; i < 32; i++) /* at, below and above the middle between two values */
        in[i] = (i & 1 ? -1.0f : 1.0f) * (1.0f + i / 8 / 1024.0f + (i % 3 - 1 + 4) / 8192.0f);
    round_tf32<<<1, 32>>>(in, out);
    int wrong = cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < 32; i++) {
        float mag = 1.0f + (i / 8 + (i % 3 - 1 >= 0)) / 1024.0f;
        wrong += out[i] != (i & 1 ? -mag : mag);
    }
    done++;
    if (wrong) {
        failed++;
        printf("__float_to_tf32: %d wrong\n", wrong);
    }
    cudaFree(in);
    cudaFree(out);
}

int main(void)
{
    shapes<float, __half, float>("f16, f32 += f32");
    shapes<__half, __half, __half>("f16, f16 += f16");
    shapes<float, __half, __half>("f16, f32 += f16");
    shapes<__half, __half, float>("f16, f16 += f32");
    shapes<float, __nv_bfloat16, float>("bf16");
    shapes<int, signed char, int>("s8");
    shapes<int, unsigned char, int>("u8");
    layouts<float, wmma::precision::tf32, float, 16, 16, 8, float>("tf32");
    layouts<double, double, double, 8, 8, 4, double>("f64");
    narrow();
    tf32_rounding();
    printf("%d of %d wrong\n%s\n", failed, done, failed ? "FAIL" : "PASS");
    return failed != 0;
}
// SPDX-License-Identifier: Apache-2.0
