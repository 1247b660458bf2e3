// Functions of a warp: shuffles of every type and mode, votes, matches, reductions, and the old names without a mask.
#include "check.h"

#include <cstdint>
#include <vector>

enum { LANES = 32, MODES = 4 };

// The lane that each mode reads from, by the definition of shfl: segments of `width` lanes.
static int source(int mode, int lane, int arg, int width)
{
    int first = lane & ~(width - 1), last = first + width - 1, from = lane;
    switch (mode) {
    case 0: return first + (arg & (width - 1));
    case 1: from = lane - arg; return from >= first ? from : lane;
    case 2: from = lane + arg; return from <= last ? from : lane;
    default: from = lane ^ arg; return from <= last ? from : lane;
    }
}

template <class T> __device__ T value(int lane) { return (T)(lane * 1000003) - (T)7; }
template <class T> static T host_value(int lane) { return (T)(lane * 1000003) - (T)7; }

template <class T> __global__ void shuffle(T *out, int arg, int width)
{
    int lane = threadIdx.x;
    T v = value<T>(lane);
    out[lane] = __shfl_sync(0xffffffffu, v, arg, width);
    out[LANES + lane] = __shfl_up_sync(0xffffffffu, v, arg, width);
    out[2 * LANES + lane] = __shfl_down_sync(0xffffffffu, v, arg, width);
    out[3 * LANES + lane] = __shfl_xor_sync(0xffffffffu, v, arg, width);
}

template <class T> static void shuffles()
{
    T *out, h[MODES * LANES];
    OK(cudaMalloc((void **)&out, sizeof h));
    for (int width = 1; width <= 32; width *= 2)
        for (int arg = 0; arg < 32; arg += 3) {
            shuffle<T><<<1, LANES>>>(out, arg, width);
            RAN();
            OK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
            for (int m = 0; m < MODES; m++)
                for (int l = 0; l < LANES; l++)
                    CHECK(h[m * LANES + l] == host_value<T>(source(m, l, arg, width)));
        }
    OK(cudaFree(out));
}

__global__ void votes(unsigned *out, unsigned bits)
{
    int lane = threadIdx.x, bit = bits >> lane & 1;
    out[lane] = __ballot_sync(0xffffffffu, bit);
    out[32 + lane] = __any_sync(0xffffffffu, bit);
    out[64 + lane] = __all_sync(0xffffffffu, bit);
    out[96 + lane] = __activemask();
    __syncwarp();
    if (bit) {
        out[128 + lane] = __activemask();
        out[160 + lane] = __ballot_sync(bits, lane & 1);
        __syncwarp(bits);
    }
}

__global__ void matches(unsigned *out)
{
    int lane = threadIdx.x, all32, all64, none;
    out[lane] = __match_any_sync(0xffffffffu, lane % 5);
    out[32 + lane] = __match_any_sync(0xffffffffu, (unsigned long long)(lane % 3) << 40);
    out[64 + lane] = __match_any_sync(0xffffffffu, (float)(lane / 8));
    out[96 + lane] = __match_all_sync(0xffffffffu, 17u, &all32);
    out[128 + lane] = all32;
    out[160 + lane] = __match_all_sync(0xffffffffu, lane == 9 ? 1.5 : 2.5, &none);
    out[192 + lane] = none;
    out[224 + lane] = __match_all_sync(0xffffffffu, -1ll, &all64) & (all64 ? ~0u : 0);
}

__global__ void reductions(unsigned *out, unsigned mask)
{
    int lane = threadIdx.x;
    if (!(mask >> lane & 1))
        return;
    unsigned u = lane * 0x9e3779b9u;
    int s = (int)u;
    unsigned r[] = {__reduce_add_sync(mask, u),      __reduce_min_sync(mask, u),      __reduce_max_sync(mask, u),
                    (unsigned)__reduce_min_sync(mask, s), (unsigned)__reduce_max_sync(mask, s), __reduce_and_sync(mask, u),
                    __reduce_or_sync(mask, u),       __reduce_xor_sync(mask, u), (unsigned)__reduce_add_sync(mask, s)};
    for (int i = 0; i < 9; i++)
        out[i * 32 + lane] = r[i];
}

// nvcc dropped the names without a mask for the GPUs it still knows; `bankshot cc` keeps them for old programs.
#if defined(__clang__)
__global__ void old_names(unsigned *out)
{
    int lane = threadIdx.x;
    if (lane < 16) {
        out[lane] = __ballot(lane & 1);
        out[16 + lane] = __any(lane == 3) | __all(lane < 16) << 1;
        out[32 + lane] = __shfl(lane, 5) + __shfl_down(lane, 1) * 100 + __shfl_up(lane, 1) * 10000;
        out[48 + lane] = __float_as_uint(__shfl_xor((float)lane, 1));
    }
}
static void old()
{
    unsigned *out, h[64];
    OK(cudaMalloc((void **)&out, sizeof h));
    old_names<<<1, LANES>>>(out);
    RAN();
    OK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    for (unsigned l = 0; l < 15; l++) { // lane 15 shuffles down from a lane that is not there
        float f;
        memcpy(&f, &h[48 + l], 4);
        CHECK(h[l] == 0xaaaa && h[16 + l] == 3 && f == (float)(l ^ 1));
        CHECK(h[32 + l] == 5 + (l + 1) * 100 + (l ? l - 1 : 0) * 10000);
    }
    OK(cudaFree(out));
}
#else
static void old() {}
#endif

int main()
{
    shuffles<int>();
    shuffles<unsigned>();
    shuffles<long>();
    shuffles<unsigned long>();
    shuffles<long long>();
    shuffles<unsigned long long>();
    shuffles<float>();
    shuffles<double>();

    unsigned *out, h[9 * 32];
    OK(cudaMalloc((void **)&out, sizeof h));
    for (unsigned bits : {0xffffffffu, 0x12345679u, 1u, 0x80000000u}) {
        OK(cudaMemset(out, 0, sizeof h));
        votes<<<1, LANES>>>(out, bits);
        RAN();
        OK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
        for (int l = 0; l < LANES; l++) {
            CHECK(h[l] == bits && h[32 + l] == 1 && h[64 + l] == (bits == ~0u) && h[96 + l] == ~0u);
            CHECK(h[128 + l] == (bits >> l & 1 ? bits : 0));
            CHECK(h[160 + l] == (bits >> l & 1 ? bits & 0xaaaaaaaau : 0));
        }
    }
    matches<<<1, LANES>>>(out);
    RAN();
    OK(cudaMemcpy(h, out, 256 * 4, cudaMemcpyDeviceToHost));
    for (int l = 0; l < LANES; l++) {
        unsigned by5 = 0, by3 = 0;
        for (int k = 0; k < LANES; k++) {
            by5 |= (unsigned)(k % 5 == l % 5) << k;
            by3 |= (unsigned)(k % 3 == l % 3) << k;
        }
        CHECK(h[l] == by5 && h[32 + l] == by3 && h[64 + l] == 0xffu << l / 8 * 8);
        CHECK(h[96 + l] == ~0u && h[128 + l] == 1 && h[160 + l] == 0 && h[192 + l] == 0 && h[224 + l] == ~0u);
    }
    for (unsigned mask : {0xffffffffu, 0x0f0f00f1u}) {
        reductions<<<1, LANES>>>(out, mask);
        RAN();
        OK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
        unsigned add = 0, lo = ~0u, hi = 0, land = ~0u, lor = 0, lxor = 0;
        int slo = INT32_MAX, shi = INT32_MIN;
        for (int l = 0; l < LANES; l++)
            if (mask >> l & 1) {
                unsigned u = l * 0x9e3779b9u;
                add += u, lo = u < lo ? u : lo, hi = u > hi ? u : hi, land &= u, lor |= u, lxor ^= u;
                slo = (int)u < slo ? (int)u : slo, shi = (int)u > shi ? (int)u : shi;
            }
        const unsigned want[] = {add, lo, hi, (unsigned)slo, (unsigned)shi, land, lor, lxor, add};
        for (int i = 0; i < 9; i++)
            for (int l = 0; l < LANES; l++)
                CHECK(!(mask >> l & 1) || h[i * 32 + l] == want[i]);
    }
    OK(cudaFree(out));
    old();
    return passed();
}
// SPDX-License-Identifier: Apache-2.0
