/* Forward 5/3 wavelet transform of an image (JPEG 2000's lossless one), after Rodinia's dwt2d. One kernel
 * splits RGB bytes into three planes through shared memory. In the other a CTA slides down a strip of
 * columns, 8 rows a step: each thread lifts its column in registers (the window stays there between steps),
 * rows are lifted in shared memory with even and odd columns apart, and four bands are written. Many live
 * registers, unrolled integer code, extra work of three lanes for the columns beside the strip. */
#include "../workload.h"

#define SPLIT 256
#define ROWS 8
#define STEPS 4 /* of ROWS rows for one CTA */
#define LEVELS 3

__global__ void split_components(const unsigned char *rgb, int *red, int *green, int *blue, int n)
{
    __shared__ unsigned char bytes[3 * SPLIT];
    int t = threadIdx.x, first = blockIdx.x * SPLIT;
#pragma unroll
    for (int k = 0; k < 3; k++) {
        int at = 3 * first + k * SPLIT + t;
        bytes[k * SPLIT + t] = at < 3 * n ? rgb[at] : 0;
    }
    __syncthreads();
    if (first + t < n) {
        red[first + t] = bytes[3 * t] - 128;
        green[first + t] = bytes[3 * t + 1] - 128;
        blue[first + t] = bytes[3 * t + 2] - 128;
    }
}

/* Past an edge the image is its mirror; an image has more than 2 rows and columns. */
__host__ __device__ static inline int mirror(int i, int n) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; }

/* What a column keeps from one step to the next: its lowest row so far, where it is, the last high
 * coefficient, and the rows left. */
struct column {
    const int *at;
    int last, high, left;
};

__device__ static inline void column_start(struct column *c, const int *in, int x, int row, int width,
                                           int height)
{
    const int *top = in + mirror(x, width);
    c->at = top + row * width;
    c->left = height - row;
    c->last = *c->at;
    c->high = top[mirror(row - 1, height) * width] - ((top[mirror(row - 2, height) * width] + c->last) >> 1);
}

/* Lifts ROWS rows into `to`, low and high coefficients in turn, `stride` ints apart. A height is a multiple
 * of ROWS: only the row after the last one of a step can be past the edge. */
__device__ static inline void column_step(struct column *c, int *to, int stride, int width)
{
    int x[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        c->at += r == ROWS - 1 && c->left == ROWS ? -width : width;
        x[r] = *c->at;
    }
#pragma unroll
    for (int r = 0; r < ROWS; r += 2) {
        int high = x[r] - ((c->last + x[r + 1]) >> 1);
        to[r * stride] = c->last + ((c->high + high + 2) >> 2);
        to[(r + 1) * stride] = high;
        c->last = x[r + 1];
        c->high = high;
    }
    c->left -= ROWS;
}

template <int WIDTH>
__global__ void fdwt53(const int *__restrict__ in, int *__restrict__ out, int width, int height)
{
    enum { HALF = WIDTH / 2, ODD = HALF + 2, STRIDE = 2 * HALF + 3 };
    /* Even columns -2, 0 ... WIDTH, then odd columns -1, 1 ... WIDTH - 1 of the strip. */
    __shared__ int buffer[ROWS][STRIDE];
    int t = threadIdx.x, left = blockIdx.x * WIDTH, top = blockIdx.y * (ROWS * STEPS);
    int mine = t % 2 ? ODD + t / 2 + 1 : t / 2 + 1;
    int beside_x = t == 2 ? WIDTH : t - 2, beside = t == 0 ? 0 : t == 1 ? ODD : HALF + 1;
    int lane = t % HALF, row_of_pair = t / HALF;
    int quarter = width / 2 * (height / 2), from = row_of_pair ? ODD + lane + 1 : lane + 1;
    int *to = out + top / 2 * (width / 2) + left / 2 + lane + row_of_pair * quarter;
    struct column column, extra;

    column_start(&column, in, left + t, top, width, height);
    extra = column;
    if (t < 3)
        column_start(&extra, in, left + beside_x, top, width, height);
#pragma unroll 1
    for (int step = 0; step < STEPS && top + step * ROWS < height; step++) {
        column_step(&column, &buffer[0][mine], STRIDE, width);
        if (t < 3)
            column_step(&extra, &buffer[0][beside], STRIDE, width);
        __syncthreads();
#pragma unroll
        for (int r = 0; r < ROWS; r += 2) {
            int *row = buffer[r + row_of_pair];
            row[ODD + lane + 1] -= (row[lane + 1] + row[lane + 2]) >> 1;
        }
        if (t < ROWS)
            buffer[t][ODD] -= (buffer[t][0] + buffer[t][1]) >> 1;
        __syncthreads();
#pragma unroll
        for (int r = 0; r < ROWS; r += 2) {
            int *row = buffer[r + row_of_pair];
            row[lane + 1] += (row[ODD + lane] + row[ODD + lane + 1] + 2) >> 2;
        }
        __syncthreads();
        /* Bands LL, HL, LH, HH one after the other; the first half of the threads writes even columns. */
#pragma unroll
        for (int r = 0; r < ROWS; r += 2, to += width / 2) {
            to[0] = buffer[r][from];
            to[2 * quarter] = buffer[r + 1][from];
        }
        __syncthreads();
    }
}

static void transform(const int *in, int *out, int width, int height)
{
    dim3 wide(width / 128, (height + ROWS * STEPS - 1) / (ROWS * STEPS));
    dim3 narrow(width / 64, (height + ROWS * STEPS - 1) / (ROWS * STEPS));
    if (width % 128 == 0 && width >= 480)
        fdwt53<128><<<wide, 128>>>(in, out, width, height);
    else
        fdwt53<64><<<narrow, 64>>>(in, out, width, height);
}

/* Lifts n values `stride` apart in place. */
static void lift(int *v, int n, int stride)
{
    for (int i = 1; i < n; i += 2)
        v[i * stride] -= (v[(i - 1) * stride] + v[mirror(i + 1, n) * stride]) >> 1;
    for (int i = 0; i < n; i += 2)
        v[i * stride] += (v[mirror(i - 1, n) * stride] + v[(i + 1) * stride] + 2) >> 2;
}

static void transform_reference(const int *in, int *out, int *scratch, int width, int height)
{
    memcpy(scratch, in, (size_t)width * height * sizeof(int));
    for (int x = 0; x < width; x++)
        lift(scratch + x, height, width);
    for (int y = 0; y < height; y++)
        lift(scratch + (size_t)y * width, width, 1);
    int quarter = width / 2 * (height / 2);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            out[x % 2 * quarter + y % 2 * 2 * quarter + y / 2 * (width / 2) + x / 2] = scratch[y * width + x];
}

/* All levels of one plane on the device and here; both work on the low band of the level before. */
static long transform_plane(int *d_in, int *d_out, int *want, int *scratch, int *got, int width, int height,
                            int levels)
{
    long wrong = 0;
    for (int level = 0; level < levels; level++, width /= 2, height /= 2) {
        int n = width * height;
        transform(d_in, d_out, width, height);
        fetch(got, d_out, n * sizeof(int));
        transform_reference(want, scratch, scratch + n, width, height);
        for (int i = 0; i < n; i++)
            wrong += got[i] != scratch[i];
        memcpy(want, scratch, n / 4 * sizeof(int));
        CHECK(cudaMemcpy(d_in, d_out, n / 4 * sizeof(int), cudaMemcpyDeviceToDevice));
    }
    return wrong;
}

int main(int argc, char **argv)
{
    static const int sides[] = {128, 1024, 2048}, frames[] = {1, 1, 4};
    int size = parse_size(argc, argv), side = sides[size], n = side * side,
        levels = size == SMALL ? 2 : LEVELS;
    unsigned char *rgb = (unsigned char *)host_alloc(3 * (size_t)n);
    int *want = (int *)host_alloc(n * sizeof(int)), *got = (int *)host_alloc(n * sizeof(int));
    int *scratch = (int *)host_alloc(2 * (size_t)n * sizeof(int));
    unsigned char *d_rgb = (unsigned char *)device_alloc(3 * (size_t)n);
    int *d_out = (int *)device_alloc(n * sizeof(int)), *d_plane[3];
    for (int c = 0; c < 3; c++)
        d_plane[c] = (int *)device_alloc(n * sizeof(int));

    uint32_t seed = 53;
    long wrong = 0;
    for (int frame = 0; frame < frames[size]; frame++) {
        for (int i = 0; i < n; i++)
            for (int c = 0; c < 3; c++)
                rgb[3 * i + c] =
                    (unsigned char)((i % side * (c + 1) + i / side * 2) / 8 + (int)(next_random(&seed) % 32));
        CHECK(cudaMemcpy(d_rgb, rgb, 3 * (size_t)n, cudaMemcpyHostToDevice));
        split_components<<<(n + SPLIT - 1) / SPLIT, SPLIT>>>(d_rgb, d_plane[0], d_plane[1], d_plane[2], n);
        for (int c = 0; c < 3; c++) {
            for (int i = 0; i < n; i++)
                want[i] = rgb[3 * i + c] - 128;
            wrong += transform_plane(d_plane[c], d_out, want, scratch, got, side, side, levels);
        }
    }
    for (int c = 0; c < 3; c++)
        CHECK(cudaFree(d_plane[c]));
    CHECK(cudaFree(d_rgb));
    CHECK(cudaFree(d_out));
    free(rgb), free(want), free(got), free(scratch);
    return verdict("dwt2d", wrong);
}
// SPDX-License-Identifier: Apache-2.0
