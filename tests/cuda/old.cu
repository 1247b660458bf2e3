// Programs of CUDA 11 and before: cudaThread…, texture references, array copies by offset, dropped device properties.
// CUDA 13 has none of this, so nvcc 13 does not build it.
#include "check.h"

texture<float, 1, cudaReadModeElementType> line;
texture<float, 2, cudaReadModeElementType> plane;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> bytes;
texture<int4> quads;
surface<void, 2> target;

__global__ void fetch(float *out) { out[threadIdx.x] = tex1Dfetch(line, threadIdx.x + 2); }
__global__ void fetch4(int *out)
{
    int4 v = tex1Dfetch(quads, threadIdx.x);
    out[threadIdx.x] = v.x + 10 * v.y + 100 * v.z + 1000 * v.w;
}
__global__ void look(float *out, float x, float y) { *out = tex2D(plane, x, y); }
__global__ void look_bytes(float *out, float x, float y) { *out = tex2D(bytes, x, y); }
__global__ void stamp() { surf2Dwrite((float)(threadIdx.x + 10 * threadIdx.y), target, threadIdx.x * 4, threadIdx.y); }

static float at(float x, float y)
{
    float *d, h;
    OK(cudaMalloc((void **)&d, sizeof h));
    look<<<1, 1>>>(d, x, y);
    OK(cudaThreadSynchronize());
    OK(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
    OK(cudaFree(d));
    return h;
}

static void linear()
{
    float h[16], back[8], *d, *out;
    size_t offset = 99;
    for (int i = 0; i < 16; i++)
        h[i] = i * 0.5f;
    OK(cudaMalloc((void **)&d, sizeof h));
    OK(cudaMalloc((void **)&out, sizeof back));
    OK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    OK(cudaBindTexture(&offset, line, d, sizeof h));
    CHECK(offset == 0);
    fetch<<<1, 8>>>(out);
    RAN();
    OK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 8; i++)
        CHECK(back[i] == (i + 2) * 0.5f);
    OK(cudaUnbindTexture(line));

    int4 q[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    int sums[2];
    OK(cudaMemcpy(d, q, sizeof q, cudaMemcpyHostToDevice));
    OK(cudaBindTexture(0, quads, d, quads.channelDesc, sizeof q));
    fetch4<<<1, 2>>>((int *)out);
    RAN();
    OK(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost));
    CHECK(sums[0] == 4321 && sums[1] == 8765);
    OK(cudaUnbindTexture(quads));
    OK(cudaFree(d));
    OK(cudaFree(out));
}

static void arrays()
{
    const int w = 4, h = 2;
    float src[h][w], back[h][w];
    for (int i = 0; i < w * h; i++)
        src[i / w][i % w] = (float)i;
    cudaArray *a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    OK(cudaMallocArray(&a, &desc, w, h, cudaArraySurfaceLoadStore));
    OK(cudaMemcpyToArray(a, 0, 0, src, sizeof src, cudaMemcpyHostToDevice));
    plane.addressMode[0] = plane.addressMode[1] = cudaAddressModeClamp;
    plane.filterMode = cudaFilterModePoint;
    plane.normalized = false;
    OK(cudaBindTextureToArray(plane, a, desc));
    CHECK(at(2.5f, 1.5f) == 6 && at(-3, 0.5f) == 0 && at(9, 9) == 7);
    OK(cudaUnbindTexture(plane));
    plane.filterMode = cudaFilterModeLinear;
    plane.normalized = true;
    plane.addressMode[0] = cudaAddressModeWrap;
    OK(cudaBindTextureToArray(plane, a));
    CHECK(at(0.25f, 0.25f) == 0.5f && at(1.25f, 0.25f) == 0.5f);
    OK(cudaUnbindTexture(plane));

    OK(cudaBindSurfaceToArray(target, a));
    stamp<<<1, dim3(w, h)>>>();
    RAN();
    OK(cudaMemcpyFromArray(back, a, 0, 0, sizeof back, cudaMemcpyDeviceToHost));
    CHECK(back[1][3] == 13 && back[0][2] == 2);
    OK(cudaFreeArray(a));
}

static void pitched()
{
    unsigned char src[2][3] = {{0, 51, 102}, {153, 204, 255}}, *d;
    size_t pitch;
    float *out, h;
    OK(cudaMalloc((void **)&out, sizeof h));
    OK(cudaMallocPitch((void **)&d, &pitch, 3, 2));
    OK(cudaMemcpy2D(d, pitch, src, 3, 3, 2, cudaMemcpyHostToDevice));
    OK(cudaBindTexture2D(0, bytes, d, bytes.channelDesc, 3, 2, pitch));
    look_bytes<<<1, 1>>>(out, 1.5f, 1.5f);
    RAN();
    OK(cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h == 204 / 255.0f);
    OK(cudaUnbindTexture(bytes));
    OK(cudaFree(d));
    OK(cudaFree(out));
}

int main()
{
    cudaDeviceProp prop;
    OK(cudaGetDeviceProperties(&prop, 0));
    CHECK(prop.clockRate > 0 && prop.memoryClockRate > 0 && prop.deviceOverlap >= 0 && prop.computeMode == 0);
    CHECK(prop.kernelExecTimeoutEnabled == 0 && prop.maxTexture1DLinear > 0 && prop.singleToDoublePrecisionPerfRatio > 0);
    size_t stack = 0;
    OK(cudaThreadSetLimit(cudaLimitStackSize, 4096));
    OK(cudaThreadGetLimit(&stack, cudaLimitStackSize));
    CHECK(stack >= 4096);
    OK(cudaThreadSetCacheConfig(cudaFuncCachePreferL1));
    linear();
    arrays();
    pitched();
    OK(cudaThreadSynchronize());
    OK(cudaThreadExit());
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
