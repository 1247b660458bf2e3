/* What the programs share: checking CUDA calls, choosing a size, a small random generator, the verdict. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <cuda_runtime.h>
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

/* --size small|default|large */
static int parse_size(int argc, char **argv)
{
    static const char *const names[] = {"small", "default", "large"};
    if (argc == 1)
        return DEFAULT;
    if (argc == 3 && !strcmp(argv[1], "--size"))
        for (int i = SMALL; i <= LARGE; i++)
            if (!strcmp(argv[2], names[i]))
                return i;
    fprintf(stderr, "usage: %s [--size small|default|large]\n", argv[0]);
    exit(2);
}

/* Marsaglia's xorshift; the state must not be 0. */
static uint32_t next_random(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

static int verdict(const char *program, long wrong)
{
    if (wrong)
        printf("%s: FAIL (%ld wrong)\n", program, wrong);
    else
        printf("%s: PASS\n", program);
    return wrong ? 1 : 0;
}

#endif
