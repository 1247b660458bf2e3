/* How the registers of FFMAs are read on a GPU since Volta: cycles of an instruction by the banks of its sources and by what the
 * reuse cache keeps, with one warp in each partition and with several.
 *
 * No compiler says which registers it takes, so the code is patched: the loop of `body` has FFMAs whose registers, reuse bits and
 * stall counts are replaced in the cubin before it is loaded. Sources come from registers that the loop's own FFMAs have;
 * results are meaningless and nobody looks at them.
 *
 *     nvcc -arch=sm_90 -cubin -o ports.cubin ports.cu && nvcc -arch=sm_90 -o ports ports.cu -lcuda
 *     ./ports ports.cubin >ports-h200.csv
 *
 * A row: pattern, stall count, warps of each partition, cycles of an instruction and partition. A pattern is a list of
 * instructions that repeats; of each, the sources: e is an even register, o an odd one, another each time; E, O the same one
 * each time; - is RZ, * sets the reuse bit. */
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACC = 32, SRC = 24, BODY = 96, LOOPS = 128 };

extern "C" __global__ void body(long long *out, float *data, int n)
{
    float a[ACC], s[SRC];
#pragma unroll
    for (int i = 0; i < ACC; i++)
        a[i] = data[i + threadIdx.x % 32];
#pragma unroll
    for (int i = 0; i < SRC; i++)
        s[i] = data[ACC + i + threadIdx.x % 32];
    __syncthreads();
    long long from = clock64();
#pragma unroll 1
    for (int k = 0; k < n; k++) {
#pragma unroll
        for (int i = 0; i < BODY; i++)
            asm volatile("fma.rn.f32 %0, %1, %2, %0;"
                         : "+f"(a[i % ACC])
                         : "f"(s[i % SRC]), "f"(s[(i * 7 + 3) % SRC]));
    }
    long long to = clock64();
    float sum = 0;
#pragma unroll
    for (int i = 0; i < ACC; i++)
        sum += a[i];
    if (sum == 12345.0f)
        data[0] = sum;
    if (threadIdx.x % 32 == 0) {
        out[threadIdx.x / 32 * 2] = from;
        out[threadIdx.x / 32 * 2 + 1] = to;
    }
}

#ifndef __CUDA_ARCH__

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        CUresult e_ = (call);                                                                                \
        if (e_ != CUDA_SUCCESS) {                                                                            \
            fprintf(stderr, "%s: error %d\n", #call, (int)e_);                                               \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

/* ---- the code ---- */

static unsigned char *image, *patched;
static size_t image_b, text, text_b;

static void read_image(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        exit(1);
    }
    image = (unsigned char *)malloc(1 << 20);
    patched = (unsigned char *)malloc(1 << 20);
    image_b = fread(image, 1, 1 << 20, f);
    fclose(f);
}

static uint64_t word(const unsigned char *at, int bytes)
{
    uint64_t v = 0;
    memcpy(&v, at, bytes);
    return v;
}

/* The section .text.body of a 64-bit ELF file. */
static void find_text(void)
{
    const unsigned char *sections = image + word(image + 0x28, 8);
    unsigned n = word(image + 0x3c, 2), names_at = word(image + 0x3e, 2), each = word(image + 0x3a, 2);
    const unsigned char *names = image + word(sections + names_at * each + 0x18, 8);
    for (unsigned i = 0; i < n; i++) {
        const unsigned char *s = sections + i * each;
        if (strcmp((const char *)names + word(s, 4), ".text.body") == 0) {
            text = word(s + 0x18, 8);
            text_b = word(s + 0x20, 8);
        }
    }
}

/* FFMA of registers. Of its 128 bits: destination 16 to 23, sources from 24, 32 and 64, stall count from 105, reuse from 122. */
static bool is_ffma(const unsigned char *at) { return (word(at, 2) & 0xfff) == 0x223; }

static unsigned dest_of(const unsigned char *at) { return at[2]; }

static void set_control(unsigned char *at, unsigned stall, unsigned reuse)
{
    uint64_t high = word(at + 8, 8);
    high = (high & ~(15ull << 41)) | (uint64_t)stall << 41;
    high = (high & ~(7ull << 46)) | 7ull << 46; /* no barrier is set */
    high = (high & ~(7ull << 49)) | 7ull << 49;
    high &= ~(63ull << 52); /* and none waited for */
    high = (high & ~(15ull << 58)) | (uint64_t)reuse << 58;
    memcpy(at + 8, &high, 8);
}

/* ---- patterns ---- */

static const char *const patterns[] = {
    "e--",       "ee-",         "eo-",           "eee",          "eeo",        "eoe",        "oee",
    "ooe",       "eE-",         "eE*-",          "eE*o",         "eE*O*",      "eE*E*",      "oE*E*",
    "eoE*",      "E*eo",        "ooE*",          "E*E*e",        "E*O*e",      "eE*o ooo",   "eE*o eEo",
    "eE*o oeo",  "eE*o -e-",    "eE*o e-E",      "ee- oo-",      "eee ooo",    "eeo ooe",    "eee ---",
    "eee --- ---", "ee- ---",   "eee --- --- ---", "eeo --- ",   "e-- o--",    "ee- o--",    "eee o--",
    "eee eee --- --- --- ---",  "ee- ee- --- ---", "---",
};

struct pools {
    unsigned dest[256], ndest, even[256], neven, odd[256], nodd;
};

static void add(unsigned *list, unsigned *n, unsigned v)
{
    for (unsigned i = 0; i < *n; i++)
        if (list[i] == v)
            return;
    list[(*n)++] = v;
}

static pools pools_of(void)
{
    pools p = {};
    bool is_dest[256] = {};
    for (size_t i = text; i + 16 <= text + text_b; i += 16)
        if (is_ffma(image + i)) {
            add(p.dest, &p.ndest, dest_of(image + i));
            is_dest[dest_of(image + i)] = true;
        }
    for (size_t i = text; i + 16 <= text + text_b; i += 16)
        if (is_ffma(image + i)) {
            unsigned s[2] = {image[i + 3], image[i + 4]};
            for (int k = 0; k < 2; k++)
                if (!is_dest[s[k]] && s[k] != 255)
                    s[k] % 2 ? add(p.odd, &p.nodd, s[k]) : add(p.even, &p.neven, s[k]);
        }
    return p;
}

/* Patches the n-th FFMA by the pattern; at: the next register of each kind. */
static void patch(unsigned char *at, const char *insn, unsigned n, const pools *p, unsigned *e, unsigned *o,
                  unsigned stall)
{
    static const int where[3] = {3, 4, 8};
    unsigned reuse = 0;
    at[2] = (unsigned char)p->dest[n % p->ndest];
    for (int k = 0; k < 3; k++) {
        char c = *insn++;
        at[where[k]] = c == 'e'   ? p->even[1 + (*e)++ % (p->neven - 1)]
                       : c == 'o' ? p->odd[1 + (*o)++ % (p->nodd - 1)]
                       : c == 'E' ? p->even[0]
                       : c == 'O' ? p->odd[0]
                                  : 255;
        if (*insn == '*') {
            reuse |= 1u << k;
            insn++;
        }
    }
    set_control(at, stall, reuse);
}

static unsigned apply(const char *pattern, unsigned stall, const pools *p)
{
    char insns[8][16];
    unsigned ni = 0, n = 0, e = 0, o = 0;
    char copy[100];
    strcpy(copy, pattern);
    for (char *t = strtok(copy, " "); t; t = strtok(NULL, " "))
        strcpy(insns[ni++], t);
    memcpy(patched, image, image_b);
    for (size_t i = text; i + 16 <= text + text_b; i += 16)
        if (is_ffma(image + i)) {
            patch(patched + i, insns[n % ni], n, p, &e, &o, stall);
            n++;
        }
    return n;
}

/* ---- measurement ---- */

static double measure(CUfunction f, CUdeviceptr out, CUdeviceptr data, unsigned warps, unsigned count)
{
    long long at[64], from, to;
    double best = 1e30;
    int loops = LOOPS;
    void *args[] = {&out, &data, &loops};
    for (int k = 0; k < 5; k++) {
        CHECK(cuLaunchKernel(f, 1, 1, 1, warps * 32, 1, 1, 0, 0, args, NULL));
        CHECK(cuCtxSynchronize());
        CHECK(cuMemcpyDtoH(at, out, warps * 16));
        from = at[0];
        to = at[1];
        for (unsigned i = 0; i < warps; i++) {
            from = at[2 * i] < from ? at[2 * i] : from;
            to = at[2 * i + 1] > to ? at[2 * i + 1] : to;
        }
        double cycles = (double)(to - from) / LOOPS / count / ((warps + 3) / 4);
        best = cycles < best ? cycles : best;
    }
    return best;
}

int main(int argc, char **argv)
{
    static const unsigned stalls[] = {1, 2, 4}, warps[] = {1, 2, 3, 4, 6, 8};
    CUdevice dev;
    CUcontext ctx;
    CUdeviceptr out, data;
    (void)argc;
    read_image(argv[1]);
    find_text();
    pools p = pools_of();
    fprintf(stderr, "%u destinations, %u even and %u odd sources\n", p.ndest, p.neven, p.nodd);
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&dev, 0));
    CHECK(cuDevicePrimaryCtxRetain(&ctx, dev));
    CHECK(cuCtxSetCurrent(ctx));
    CHECK(cuMemAlloc(&out, 4096));
    CHECK(cuMemAlloc(&data, 4096));
    CHECK(cuMemsetD8(data, 0, 4096));
    printf("pattern,stall,warps,cycles\n");
    for (const char *pattern : patterns)
        for (unsigned stall : stalls) {
            CUmodule m;
            CUfunction f;
            unsigned count = apply(pattern, stall, &p);
            CHECK(cuModuleLoadData(&m, patched));
            CHECK(cuModuleGetFunction(&f, m, "body"));
            for (unsigned w : warps)
                printf("%s,%u,%u,%.3f\n", pattern, stall, w, measure(f, out, data, 4 * w, count));
            CHECK(cuModuleUnload(m));
        }
    return 0;
}
#endif
// SPDX-License-Identifier: Apache-2.0
