/* Motion estimation of a video encoder: sums of absolute differences of every 4x4 block of a frame against
 * all 33 x 33 shifts in a reference frame, then summed up to blocks of 8x4 ... 16x16. First kernel: a CTA of
 * 61 threads a block, 18 shifts a thread, the reference through the texture unit, the block in shared memory.
 * The two others add packed 16-bit pairs, coalesced. */
#include "../workload.h"

#define RANGE 16
#define ROW (2 * RANGE + 1)
#define SHIFTS (ROW * ROW)
#define PER_THREAD 18
#define BLOCK ((SHIFTS + PER_THREAD - 1) / PER_THREAD)
#define PADDED 1096 /* shifts a block in memory, even and with room for the last thread's */
#define PAIRS (PADDED / 2)

/* Sums of one macroblock, blocks of a size in raster order. */
enum { S4X4 = 0, S8X4 = 16, S4X8 = 24, S8X8 = 32, S16X8 = 36, S8X16 = 38, S16X16 = 40, SUMS = 41 };

/* CTA: 4x4 block (x, y) of the frame. Sums of macroblock m begin at m * SUMS * PADDED. */
__global__ void sad_4x4(const unsigned short *frame, cudaTextureObject_t reference, int width,
                        unsigned short *sums)
{
    __shared__ unsigned short block[4][4];
    int t = threadIdx.x, x0 = blockIdx.x * 4, y0 = blockIdx.y * 4;
    if (t < 16)
        block[t / 4][t % 4] = frame[(y0 + t / 4) * width + x0 + t % 4];
    __syncthreads();
    int macroblock = blockIdx.y / 4 * (gridDim.x / 4) + blockIdx.x / 4;
    int sub = blockIdx.y % 4 * 4 + blockIdx.x % 4;
    int shift = t * PER_THREAD, last = min(shift + PER_THREAD, SHIFTS);
    int dx = shift % ROW - RANGE, dy = shift / ROW - RANGE;
    unsigned short *out = sums + (macroblock * SUMS + S4X4 + sub) * PADDED;
#pragma unroll 1
    for (; shift < last; shift++) {
        unsigned sum = 0;
#pragma unroll 1
        for (int y = 0; y < 4; y++) {
#pragma unroll
            for (int x = 0; x < 4; x++) {
                int there = tex2D<unsigned short>(reference, (float)(x0 + dx + x), (float)(y0 + dy + y));
                sum += abs(there - block[y][x]);
            }
        }
        out[shift] = (unsigned short)sum;
        if (++dx > RANGE)
            dx = -RANGE, dy++;
    }
}

/* Two shifts at a time; even 16x16 pixels of difference 255 stay below 65536. threadIdx.y: quarter of the
 * macroblock. */
__global__ void sad_8x8(unsigned *sums, int macroblocks_x)
{
    unsigned *base = sums + (blockIdx.y * macroblocks_x + blockIdx.x) * SUMS * PAIRS;
    int qx = threadIdx.y % 2, qy = threadIdx.y / 2;
    const unsigned *in = base + (S4X4 + qy * 8 + qx * 2) * PAIRS;
    unsigned *wide = base + (S8X4 + qy * 4 + qx) * PAIRS;     /* two across, four down */
    unsigned *tall = base + (S4X8 + qy * 4 + qx * 2) * PAIRS; /* four across, two down */
    unsigned *both = base + (S8X8 + qy * 2 + qx) * PAIRS;
#pragma unroll 1
    for (int i = threadIdx.x; i < PAIRS; i += 32) {
        unsigned a = in[i], b = in[PAIRS + i], c = in[4 * PAIRS + i], d = in[5 * PAIRS + i];
        wide[i] = a + b;
        wide[2 * PAIRS + i] = c + d;
        tall[i] = a + c;
        tall[PAIRS + i] = b + d;
        both[i] = a + b + c + d;
    }
}

__global__ void sad_16x16(unsigned *sums, int macroblocks_x)
{
    unsigned *base = sums + (blockIdx.y * macroblocks_x + blockIdx.x) * SUMS * PAIRS;
    const unsigned *in = base + S8X8 * PAIRS;
#pragma unroll 1
    for (int i = threadIdx.x; i < PAIRS; i += 32) {
        unsigned a = in[i], b = in[PAIRS + i], c = in[2 * PAIRS + i], d = in[3 * PAIRS + i];
        base[S16X8 * PAIRS + i] = a + b;
        base[(S16X8 + 1) * PAIRS + i] = c + d;
        base[S8X16 * PAIRS + i] = a + c;
        base[(S8X16 + 1) * PAIRS + i] = b + d;
        base[S16X16 * PAIRS + i] = a + b + c + d;
    }
}

struct video {
    int width, height;
    unsigned short *frame, *reference;
};

/* A reference with blocks of light and noise; the frame is it, moved by (3, -5) with other noise. */
static void make_video(struct video *v, uint32_t *seed)
{
    size_t bytes = (size_t)v->width * v->height * sizeof(unsigned short);
    v->frame = (unsigned short *)host_alloc(bytes);
    v->reference = (unsigned short *)host_alloc(bytes);
    for (int y = 0; y < v->height; y++)
        for (int x = 0; x < v->width; x++) {
            int there = (x / 12 * 37 + y / 10 * 59) % 224,
                here = ((x + 3) / 12 * 37 + (y + 5) / 10 * 59) % 224;
            v->reference[y * v->width + x] = there + next_random(seed) % 32;
            v->frame[y * v->width + x] = here + next_random(seed) % 32;
        }
}

static int host_pixel(const struct video *v, int x, int y)
{
    x = x < 0 ? 0 : x >= v->width ? v->width - 1 : x;
    y = y < 0 ? 0 : y >= v->height ? v->height - 1 : y;
    return v->reference[y * v->width + x];
}

/* One macroblock: the 4x4 sums from the pixels, the others from the first sixteen. */
static long compare(const struct video *v, int mx, int my, const unsigned short *got)
{
    /* Size in 4x4 blocks, and where their sums begin. */
    static const int kinds[][3] = {{2, 1, S8X4},  {1, 2, S4X8},  {2, 2, S8X8},
                                   {4, 2, S16X8}, {2, 4, S8X16}, {4, 4, S16X16}};
    long wrong = 0;
    for (int s = 0; s < SHIFTS; s++) {
        int small[4][4] = {{0}};
        for (int y = 0; y < 16; y++)
            for (int x = 0; x < 16; x++) {
                int there = host_pixel(v, mx * 16 + x + s % ROW - RANGE, my * 16 + y + s / ROW - RANGE);
                small[y / 4][x / 4] += abs(there - v->frame[(my * 16 + y) * v->width + mx * 16 + x]);
            }
        for (int i = 0; i < 16; i++)
            wrong += got[(S4X4 + i) * PADDED + s] != small[i / 4][i % 4];
        for (int k = 0; k < 6; k++) {
            int across = kinds[k][0], down = kinds[k][1];
            for (int i = 0; i < 16 / (across * down); i++) {
                int x0 = i % (4 / across) * across, y0 = i / (4 / across) * down, sum = 0;
                for (int b = 0; b < across * down; b++)
                    sum += small[y0 + b / across][x0 + b % across];
                wrong += got[(kinds[k][2] + i) * PADDED + s] != sum;
            }
        }
    }
    return wrong;
}

static cudaTextureObject_t make_texture(const struct video *v, cudaArray_t *array)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindUnsigned);
    size_t pitch = v->width * sizeof(unsigned short);
    CHECK(cudaMallocArray(array, &format, v->width, v->height));
    CHECK(cudaMemcpy2DToArray(*array, 0, 0, v->reference, pitch, pitch, v->height, cudaMemcpyHostToDevice));
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = *array;
    cudaTextureDesc texture;
    memset(&texture, 0, sizeof(texture));
    texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
    texture.filterMode = cudaFilterModePoint;
    texture.readMode = cudaReadModeElementType;
    cudaTextureObject_t object = 0;
    CHECK(cudaCreateTextureObject(&object, &resource, &texture, NULL));
    return object;
}

int main(int argc, char **argv)
{
    static const int sizes[][2] = {{16, 16}, {128, 96}, {512, 352}};
    int size = parse_size(argc, argv);
    struct video v = {sizes[size][0], sizes[size][1], NULL, NULL};
    uint32_t seed = 21;
    make_video(&v, &seed);
    int mx = v.width / 16, my = v.height / 16;
    size_t bytes = (size_t)mx * my * SUMS * PADDED * sizeof(unsigned short);
    cudaArray_t array;
    cudaTextureObject_t texture = make_texture(&v, &array);
    unsigned short *d_frame =
        (unsigned short *)device_copy(v.frame, (size_t)v.width * v.height * sizeof(unsigned short));
    unsigned short *d_sums = (unsigned short *)device_alloc(bytes),
                   *sums = (unsigned short *)host_alloc(bytes);
    CHECK(cudaMemset(d_sums, 0, bytes));
    sad_4x4<<<dim3(mx * 4, my * 4), BLOCK>>>(d_frame, texture, v.width, d_sums);
    sad_8x8<<<dim3(mx, my), dim3(32, 4)>>>((unsigned *)d_sums, mx);
    sad_16x16<<<dim3(mx, my), 32>>>((unsigned *)d_sums, mx);
    fetch(sums, d_sums, bytes);
    long wrong = 0;
    for (int m = 0; m < mx * my; m++)
        wrong += compare(&v, m % mx, m / mx, sums + (size_t)m * SUMS * PADDED);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(d_frame));
    CHECK(cudaFree(d_sums));
    free(v.frame), free(v.reference), free(sums);
    return verdict("sad", wrong);
}
// SPDX-License-Identifier: Apache-2.0
