// Texture and surface objects over linear memory, pitched memory and arrays.
#include "check.h"

#include <cmath>

template <class T> __global__ void fetch1d(cudaTextureObject_t t, T *out, int n, int from)
{
    int i = threadIdx.x;
    if (i < n)
        out[i] = tex1Dfetch<T>(t, i + from);
}

__global__ void sample2d(cudaTextureObject_t t, const float2 *at, float *out)
{
    out[threadIdx.x] = tex2D<float>(t, at[threadIdx.x].x, at[threadIdx.x].y);
}

__global__ void sample2d4(cudaTextureObject_t t, const float2 *at, float4 *out)
{
    out[threadIdx.x] = tex2D<float4>(t, at[threadIdx.x].x, at[threadIdx.x].y);
}

__global__ void sample3d(cudaTextureObject_t t, const float4 *at, float *out)
{
    out[threadIdx.x] = tex3D<float>(t, at[threadIdx.x].x, at[threadIdx.x].y, at[threadIdx.x].z);
}

__global__ void sample_layer(cudaTextureObject_t t, int layer, float *out)
{
    out[threadIdx.x] = tex2DLayered<float>(t, threadIdx.x % 4 + 0.5f, threadIdx.x / 4 + 0.5f, layer);
}

__global__ void transpose(cudaSurfaceObject_t in, cudaSurfaceObject_t out)
{
    int value;
    surf2Dread(&value, in, threadIdx.x * 4, threadIdx.y);
    surf2Dwrite(value + 1000, out, threadIdx.y * 4, threadIdx.x);
}

static bool near(float a, float b) { return std::fabs(a - b) <= 1 / 256.0f * std::fmax(1.0f, std::fabs(b)); }

static cudaTextureObject_t make(const cudaResourceDesc &res, cudaTextureFilterMode filter, bool normalized,
                                cudaTextureAddressMode address,
                                cudaTextureReadMode read = cudaReadModeElementType)
{
    cudaTextureDesc desc = {};
    for (int i = 0; i < 3; i++)
        desc.addressMode[i] = address;
    desc.filterMode = filter;
    desc.normalizedCoords = normalized;
    desc.readMode = read;
    cudaTextureObject_t t = 0;
    OK(cudaCreateTextureObject(&t, &res, &desc, NULL));
    CHECK(t != 0);
    return t;
}

static cudaResourceDesc of_array(cudaArray_t a)
{
    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeArray;
    res.res.array.array = a;
    return res;
}

static void samples(cudaTextureObject_t t, const float2 *at, float *out, int n)
{
    float2 *d_at;
    float *d_out;
    OK(cudaMalloc(&d_at, n * sizeof *at));
    OK(cudaMalloc(&d_out, n * sizeof *out));
    OK(cudaMemcpy(d_at, at, n * sizeof *at, cudaMemcpyHostToDevice));
    sample2d<<<1, n>>>(t, d_at, d_out);
    RAN();
    OK(cudaMemcpy(out, d_out, n * sizeof *out, cudaMemcpyDeviceToHost));
    OK(cudaFree(d_at));
    OK(cudaFree(d_out));
}

static void linear_memory()
{
    const int n = 20;
    float h[n], back[8], *d, *out;
    for (int i = 0; i < n; i++)
        h[i] = i * 1.5f;
    OK(cudaMalloc(&d, sizeof h));
    OK(cudaMalloc(&out, sizeof back));
    OK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeLinear;
    res.res.linear.devPtr = d;
    res.res.linear.desc = cudaCreateChannelDesc<float>();
    res.res.linear.sizeInBytes = sizeof h;
    cudaTextureObject_t t = make(res, cudaFilterModePoint, false, cudaAddressModeClamp);
    fetch1d<float><<<1, 32>>>(t, out, 8, 14);
    RAN();
    OK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    CHECK(back[0] == 21 && back[5] == 28.5f && back[6] == 0 && back[7] == 0); // past the end: zero
    cudaResourceDesc got;
    OK(cudaGetTextureObjectResourceDesc(&got, t));
    CHECK(got.resType == cudaResourceTypeLinear && got.res.linear.devPtr == d);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFree(d));
    OK(cudaFree(out));
}

static void array_2d()
{
    const int w = 4, h = 3;
    float src[h][w], out[8];
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            src[y][x] = (float)(10 * y + x);
    cudaArray_t a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>(), asked;
    cudaExtent extent;
    unsigned int flags;
    OK(cudaMallocArray(&a, &desc, w, h));
    OK(cudaMemcpy2DToArray(a, 0, 0, src, sizeof src[0], sizeof src[0], h, cudaMemcpyHostToDevice));
    OK(cudaArrayGetInfo(&asked, &extent, &flags, a));
    CHECK(asked.x == 32 && asked.y == 0 && asked.f == cudaChannelFormatKindFloat);
    CHECK(extent.width == w && extent.height == h && extent.depth == 0);

    cudaTextureObject_t t = make(of_array(a), cudaFilterModePoint, false, cudaAddressModeClamp);
    float2 points[8] = {{0.5f, 0.5f}, {2.5f, 1.5f}, {3.9f, 2.1f}, {-5, 0.5f}, {99, 2.5f}, {1.5f, -3}, {0, 0}, {4, 3}};
    samples(t, points, out, 8);
    CHECK(out[0] == 0 && out[1] == 12 && out[2] == 23 && out[3] == 0 && out[4] == 23 && out[5] == 1 && out[6] == 0);
    CHECK(out[7] == 23);
    OK(cudaDestroyTextureObject(t));

    t = make(of_array(a), cudaFilterModeLinear, false, cudaAddressModeClamp);
    float2 between[8] = {{1, 0.5f}, {0.5f, 1}, {2, 2}, {0, 0}, {1.25f, 0.5f}, {4, 3}, {3, 1}, {0.5f, 0.5f}};
    samples(t, between, out, 8);
    CHECK(near(out[0], 0.5f) && near(out[1], 5) && near(out[2], 16.5f) && near(out[3], 0) && near(out[4], 0.75f));
    CHECK(near(out[5], 23) && near(out[6], 7.5f) && near(out[7], 0));
    OK(cudaDestroyTextureObject(t));

    t = make(of_array(a), cudaFilterModePoint, true, cudaAddressModeWrap);
    float2 wrapped[4] = {{0.125f, 0.1f}, {1.125f, 1.1f}, {-0.125f, 0.5f}, {0.625f, -0.1f}};
    samples(t, wrapped, out, 4);
    CHECK(out[0] == 0 && out[1] == 0 && out[2] == 13 && out[3] == 22);
    OK(cudaDestroyTextureObject(t));

    t = make(of_array(a), cudaFilterModePoint, true, cudaAddressModeMirror);
    float2 mirrored[3] = {{-0.125f, 0.5f}, {1.125f, 0.5f}, {1.4f, 0.5f}};
    samples(t, mirrored, out, 3);
    CHECK(out[0] == 10 && out[1] == 13 && out[2] == 12);
    OK(cudaDestroyTextureObject(t));

    t = make(of_array(a), cudaFilterModePoint, false, cudaAddressModeBorder);
    float2 outside[3] = {{-0.5f, 0.5f}, {1.5f, 1.5f}, {1.5f, 3.5f}};
    samples(t, outside, out, 3);
    CHECK(out[0] == 0 && out[1] == 11 && out[2] == 0);
    OK(cudaDestroyTextureObject(t));

    float back[h][w] = {};
    OK(cudaMemcpy2DFromArray(back[1], sizeof back[0], a, sizeof(float), 1, 2 * sizeof(float), 2,
                             cudaMemcpyDeviceToHost));
    CHECK(back[1][0] == 11 && back[1][1] == 12 && back[2][0] == 21 && back[1][2] == 0);
    OK(cudaFreeArray(a));
}

static void normalized_bytes()
{
    uchar4 src[2] = {{255, 0, 51, 128}, {0, 255, 102, 64}};
    cudaArray_t a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<uchar4>();
    OK(cudaMallocArray(&a, &desc, 2, 1));
    OK(cudaMemcpy2DToArray(a, 0, 0, src, sizeof src, sizeof src, 1, cudaMemcpyHostToDevice));
    cudaTextureObject_t t =
        make(of_array(a), cudaFilterModeLinear, false, cudaAddressModeClamp, cudaReadModeNormalizedFloat);
    float2 at[2] = {{0.5f, 0.5f}, {1, 0.5f}}, *d_at;
    float4 out[2], *d_out;
    OK(cudaMalloc(&d_at, sizeof at));
    OK(cudaMalloc(&d_out, sizeof out));
    OK(cudaMemcpy(d_at, at, sizeof at, cudaMemcpyHostToDevice));
    sample2d4<<<1, 2>>>(t, d_at, d_out);
    RAN();
    OK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(out[0].x == 1 && out[0].y == 0 && near(out[0].z, 0.2f) && near(out[0].w, 128 / 255.0f));
    CHECK(near(out[1].x, 0.5f) && near(out[1].y, 0.5f) && near(out[1].z, 0.3f));
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));
    OK(cudaFree(d_at));
    OK(cudaFree(d_out));
}

static void pitched_memory()
{
    const int w = 5, h = 3;
    float src[h][w], out[2], *d;
    size_t pitch;
    for (int i = 0; i < w * h; i++)
        src[i / w][i % w] = (float)i;
    OK(cudaMallocPitch(&d, &pitch, w * sizeof(float), h));
    OK(cudaMemcpy2D(d, pitch, src, sizeof src[0], sizeof src[0], h, cudaMemcpyHostToDevice));
    cudaResourceDesc res = {};
    res.resType = cudaResourceTypePitch2D;
    res.res.pitch2D.devPtr = d;
    res.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    res.res.pitch2D.width = w;
    res.res.pitch2D.height = h;
    res.res.pitch2D.pitchInBytes = pitch;
    cudaTextureObject_t t = make(res, cudaFilterModePoint, false, cudaAddressModeClamp);
    float2 at[2] = {{3.5f, 1.5f}, {4.5f, 2.5f}};
    samples(t, at, out, 2);
    CHECK(out[0] == 8 && out[1] == 14);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFree(d));
}

static void volumes_and_layers()
{
    const int w = 4, h = 2, n = 3;
    float src[n][h][w], out[8], *d_out;
    for (int i = 0; i < n * h * w; i++)
        src[i / (h * w)][i / w % h][i % w] = (float)i;
    OK(cudaMalloc(&d_out, sizeof out));
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    for (int layered = 0; layered < 2; layered++) {
        cudaArray_t a;
        OK(cudaMalloc3DArray(&a, &desc, make_cudaExtent(w, h, n), layered ? cudaArrayLayered : cudaArrayDefault));
        cudaMemcpy3DParms p = {};
        p.srcPtr = make_cudaPitchedPtr(src, w * sizeof(float), w, h);
        p.dstArray = a;
        p.extent = make_cudaExtent(w, h, n);
        p.kind = cudaMemcpyHostToDevice;
        OK(cudaMemcpy3D(&p));
        cudaTextureObject_t t =
            make(of_array(a), layered ? cudaFilterModePoint : cudaFilterModeLinear, false, cudaAddressModeClamp);
        if (layered) {
            sample_layer<<<1, 8>>>(t, 2, d_out);
            RAN();
            OK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
            for (int i = 0; i < 8; i++)
                CHECK(out[i] == 16 + i);
        } else {
            float4 at[2] = {{1.5f, 1.5f, 2.5f, 0}, {1, 1, 1, 0}}, *d_at;
            OK(cudaMalloc(&d_at, sizeof at));
            OK(cudaMemcpy(d_at, at, sizeof at, cudaMemcpyHostToDevice));
            sample3d<<<1, 2>>>(t, d_at, d_out);
            RAN();
            OK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
            CHECK(near(out[0], 21) && near(out[1], 6.5f));
            OK(cudaFree(d_at));
        }
        OK(cudaDestroyTextureObject(t));
        OK(cudaFreeArray(a));
    }
    OK(cudaFree(d_out));
}

static void surfaces()
{
    const int w = 4, h = 3;
    int src[h][w], back[w][h];
    for (int i = 0; i < w * h; i++)
        src[i / w][i % w] = i;
    cudaArray_t in, out;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    OK(cudaMallocArray(&in, &desc, w, h, cudaArraySurfaceLoadStore));
    OK(cudaMallocArray(&out, &desc, h, w, cudaArraySurfaceLoadStore));
    OK(cudaMemcpy2DToArray(in, 0, 0, src, sizeof src[0], sizeof src[0], h, cudaMemcpyHostToDevice));
    cudaSurfaceObject_t s_in, s_out;
    cudaResourceDesc r_in = of_array(in), r_out = of_array(out);
    OK(cudaCreateSurfaceObject(&s_in, &r_in));
    OK(cudaCreateSurfaceObject(&s_out, &r_out));
    transpose<<<1, dim3(w, h)>>>(s_in, s_out);
    RAN();
    OK(cudaMemcpy2DFromArray(back, sizeof back[0], out, 0, 0, sizeof back[0], w, cudaMemcpyDeviceToHost));
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            CHECK(back[x][y] == src[y][x] + 1000);
    OK(cudaDestroySurfaceObject(s_in));
    OK(cudaDestroySurfaceObject(s_out));
    OK(cudaFreeArray(in));
    OK(cudaFreeArray(out));
}

int main()
{
    linear_memory();
    array_2d();
    normalized_bytes();
    pitched_memory();
    volumes_and_layers();
    surfaces();
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
