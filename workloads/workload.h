/* What the bundled CUDA programs share: checking CUDA calls, reading the command line, a small random generator, comparing
 * results, the verdict. C-style on purpose: the programs are read beside papers. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t e_ = (call);                                                                             \
        if (e_ != cudaSuccess) {                                                                             \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(e_));           \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

enum { SMALL, DEFAULT, LARGE };
static const char *const size_names[] = {"small", "default", "large", NULL};

/* An option of the program's own beside --size: --name VALUE. Words end with NULL, and the value is the index of one of them;
 * without words the value is a number from 1 on. */
struct choice {
    const char *name;
    const char *const *words;
    int *value;
};

static inline void usage(const char *program, const struct choice *c, int n)
{
    fprintf(stderr, "usage: %s [--size small|default|large]", program);
    for (int i = 0; i < n; i++) {
        fprintf(stderr, " [--%s ", c[i].name);
        for (int w = 0; c[i].words && c[i].words[w]; w++)
            fprintf(stderr, "%s%s", w ? "|" : "", c[i].words[w]);
        fprintf(stderr, "%s]", c[i].words ? "" : "N");
    }
    fprintf(stderr, "\n");
    exit(2);
}

static inline int read_choice(const struct choice *c, const char *text)
{
    for (int w = 0; c->words && c->words[w]; w++)
        if (!strcmp(text, c->words[w]))
            return *c->value = w, 1;
    char *end;
    long v = strtol(text, &end, 10);
    if (c->words || *end || v < 1 || v > 1 << 30)
        return 0;
    *c->value = (int)v;
    return 1;
}

/* The size, and the program's own options into their values (which hold the defaults before). A mistake ends the program. */
static inline int parse_args(int argc, char **argv, const struct choice *c, int n)
{
    int size = DEFAULT;
    const struct choice of_size = {"size", size_names, &size};
    for (int i = 1; i < argc; i += 2) {
        const struct choice *hit = !strcmp(argv[i], "--size") ? &of_size : NULL;
        for (int k = 0; k < n && !hit; k++)
            if (!strncmp(argv[i], "--", 2) && !strcmp(argv[i] + 2, c[k].name))
                hit = &c[k];
        if (!hit || i + 1 == argc || !read_choice(hit, argv[i + 1]))
            usage(argv[0], c, n);
    }
    return size;
}

static inline int parse_size(int argc, char **argv) { return parse_args(argc, argv, NULL, 0); }

/* Marsaglia's xorshift; the state must not be 0. */
static inline uint32_t next_random(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

/* In [0, 1). */
static inline float next_float(uint32_t *state) { return (float)(next_random(state) >> 8) * 0x1p-24f; }

/* How many of n results are off by more than `tolerance`, relative to the larger of 1 and what is wanted; a NaN is off. */
static inline long count_off(const float *got, const float *want, size_t n, float tolerance)
{
    long off = 0;
    for (size_t i = 0; i < n; i++)
        off += !(fabsf(got[i] - want[i]) <= tolerance * fmaxf(1.0f, fabsf(want[i])));
    return off;
}

static inline int verdict(const char *program, long wrong)
{
    if (wrong)
        printf("%s: FAIL (%ld wrong)\n", program, wrong);
    else
        printf("%s: PASS\n", program);
    return wrong ? 1 : 0;
}

/* Memory on the device: empty, or a copy; and back. */
static inline void *device_alloc(size_t bytes)
{
    void *p;
    CHECK(cudaMalloc(&p, bytes));
    return p;
}

static inline void *device_copy(const void *from, size_t bytes)
{
    void *p = device_alloc(bytes);
    CHECK(cudaMemcpy(p, from, bytes, cudaMemcpyHostToDevice));
    return p;
}

static inline void fetch(void *to, const void *device, size_t bytes)
{
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(to, device, bytes, cudaMemcpyDeviceToHost));
}

static inline void *host_alloc(size_t bytes)
{
    void *p = calloc(bytes ? bytes : 1, 1);
    if (!p) {
        fprintf(stderr, "out of memory: %zu bytes\n", bytes);
        exit(1);
    }
    return p;
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
