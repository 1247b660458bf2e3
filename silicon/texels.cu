/* Textures by format and by where the lanes of a warp fetch: along a row, down a column, in tiles, scattered; a picture that L1 holds (64 KB) and
 * one that it does not (4 MB). `chain`: latency, one warp. `rate`: cycles of an SM with so many warps. Usage: texels [GROUP [ROW]] */
#include "rows.h"

enum { ROW, COLUMN, TILE, SCATTER, ONE };
static const char *const where_name[] = {"row", "column", "tile", "scatter", "one"};

template <class T> static __device__ float one(T v) { return (float)v; }
template <> __device__ float one(float4 v) { return v.x + v.w; }

template <class T> __global__ void fetch(cudaTextureObject_t t, int where, unsigned mask, int n, ull *took, unsigned *out)
{
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32 + blockIdx.x * (blockDim.x / 32), x = 0, y = 0;
    if (where == ROW)
        x = lane;
    if (where == COLUMN)
        y = lane;
    if (where == TILE)
        x = lane % 8, y = lane / 8;
    if (where == SCATTER)
        x = lane * 37, y = lane * 53;
    x += warp * 32;
    y += warp * 8;
    float s = 0;
    BEGIN_CLOCK
#pragma unroll 4
    for (int i = 0; i < n; i++) {
        s += one(tex2D<T>(t, (float)(x & mask), (float)(y & mask)));
        x += 4;
        y += 1;
    }
    END_CLOCK
    if (s == 12345.0f)
        *out = 1;
}

template <class T> static void rows_of(const char *format)
{
    char name[64];
    for (unsigned side : {128u, 1024u}) {
        cudaArray_t array;
        cudaChannelFormatDesc d = cudaCreateChannelDesc<T>();
        cudaMallocArray(&array, &d, side, side);
        std::vector<T> zero((size_t)side * side);
        memset((void *)zero.data(), 0, zero.size() * sizeof(T));
        cudaMemcpy2DToArray(array, 0, 0, zero.data(), side * sizeof(T), side * sizeof(T), side, cudaMemcpyHostToDevice);
        cudaResourceDesc r;
        cudaTextureDesc td;
        memset(&r, 0, sizeof r);
        memset(&td, 0, sizeof td);
        r.resType = cudaResourceTypeArray;
        r.res.array.array = array;
        td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
        td.filterMode = cudaFilterModePoint;
        td.readMode = cudaReadModeElementType;
        cudaTextureObject_t t;
        if (cudaCreateTextureObject(&t, &r, &td, NULL) != cudaSuccess) {
            printf("# no texture\n");
            exit(1);
        }
        for (int where = ROW; where <= ONE; where++)
            for (int ctas : {1, (int)SMS})
                for (int warps : {1, 8, 32}) {
                    snprintf(name, sizeof name, "%s %u %s ctas %d warps %d", format, side, where_name[where], ctas, warps);
                    row("texels", name, ctas, 16, [&](int n) { fetch<T><<<ctas, warps * 32>>>(t, where, side - 1, n, took_by, sink); });
                }
        cudaDestroyTextureObject(t);
        cudaFreeArray(array);
    }
}

int main(int argc, char **argv)
{
    rows_begin(argc, argv);
    rows_of<unsigned short>("u16");
    rows_of<float>("f32");
    rows_of<float4>("f32x4");
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
