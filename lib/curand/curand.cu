/* cuRAND's host interface: generators, their settings, and the calls that draw. */
#include "draw.h"

#include <curand.h>
#include <stdio.h>
#include <stdlib.h>

struct curandGenerator_st {
    curandRngType_t type;
    bool host;  /* results go to host memory */
    bool ready; /* states are those of seed, offset and what was drawn since */
    unsigned long long seed, offset;
    unsigned next;            /* XORWOW: subsequence of the next unit */
    unsigned long long drawn; /* Philox: numbers before the next, in words */
    xorwow *states;           /* XORWOW's */
    cudaStream_t stream;
};

static const char *type_name(curandRngType_t type)
{
    switch (type) {
    case CURAND_RNG_PSEUDO_MRG32K3A: return "CURAND_RNG_PSEUDO_MRG32K3A";
    case CURAND_RNG_PSEUDO_MTGP32: return "CURAND_RNG_PSEUDO_MTGP32";
    case CURAND_RNG_PSEUDO_MT19937: return "CURAND_RNG_PSEUDO_MT19937";
    case CURAND_RNG_QUASI_DEFAULT: return "CURAND_RNG_QUASI_DEFAULT";
    case CURAND_RNG_QUASI_SOBOL32: return "CURAND_RNG_QUASI_SOBOL32";
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32: return "CURAND_RNG_QUASI_SCRAMBLED_SOBOL32";
    case CURAND_RNG_QUASI_SOBOL64: return "CURAND_RNG_QUASI_SOBOL64";
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64: return "CURAND_RNG_QUASI_SCRAMBLED_SOBOL64";
    default: return NULL;
    }
}

static curandStatus_t create(curandGenerator_t *out, curandRngType_t type, bool host)
{
    if (type == CURAND_RNG_PSEUDO_DEFAULT)
        type = CURAND_RNG_PSEUDO_XORWOW;
    if (type != CURAND_RNG_PSEUDO_XORWOW && type != CURAND_RNG_PSEUDO_PHILOX4_32_10) {
        if (type_name(type))
            fprintf(stderr, "bankshot: curandCreateGenerator: %s is not supported\n", type_name(type));
        return CURAND_STATUS_TYPE_ERROR;
    }
    curandGenerator_st *g = (curandGenerator_st *)calloc(1, sizeof *g);
    if (!g)
        return CURAND_STATUS_ALLOCATION_FAILED;
    g->type = type;
    g->host = host;
    *out = g;
    return CURAND_STATUS_SUCCESS;
}

static curandStatus_t prepare(curandGenerator_st *g)
{
    if (g->ready)
        return CURAND_STATUS_SUCCESS;
    g->drawn = g->offset;
    if (g->type == CURAND_RNG_PSEUDO_XORWOW) {
        if (!g->states && cudaMalloc((void **)&g->states, sizeof *g->states * XORWOW_SUBSEQUENCES) != cudaSuccess)
            return CURAND_STATUS_ALLOCATION_FAILED;
        g->next = (unsigned)(g->offset % XORWOW_SUBSEQUENCES);
        curand_seed<<<XORWOW_SUBSEQUENCES / BLOCK, BLOCK, 0, g->stream>>>(g->states, g->seed, g->offset / XORWOW_SUBSEQUENCES, g->next);
    }
    g->ready = true;
    return cudaPeekAtLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

/* A number of doubles takes twice the words; they begin where four of them do. */
template <typename Kind> static void launch_philox(curandGenerator_st *g, typename Kind::type *to, size_t n, Kind kind)
{
    unsigned long long first = Kind::blocks == 1 ? g->drawn : (g->drawn + 7) / 8 * 4;
    unsigned quads = (unsigned)((first % 4 + n + 3) / 4);
    philox_draw<<<(quads + BLOCK - 1) / BLOCK, BLOCK, 0, g->stream>>>(g->seed, first, to, n, kind);
    g->drawn = (first + n) * Kind::blocks;
}
static void launch_philox(curandGenerator_st *g, unsigned *to, size_t n, poissons kind)
{
    philox_poisson<<<(unsigned)((n + BLOCK - 1) / BLOCK), BLOCK, 0, g->stream>>>(g->seed, g->drawn, to, n, kind.lambda);
    g->drawn += n;
}

template <typename Kind> static curandStatus_t draw(curandGenerator_st *g, typename Kind::type *out, size_t n, Kind kind)
{
    typename Kind::type *to = out;
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (n % Kind::size)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    curandStatus_t status = prepare(g);
    if (status != CURAND_STATUS_SUCCESS || n == 0)
        return status;
    if (g->host && cudaMalloc((void **)&to, n * sizeof *to) != cudaSuccess)
        return CURAND_STATUS_ALLOCATION_FAILED;
    if (g->type == CURAND_RNG_PSEUDO_XORWOW) {
        size_t units = n / Kind::size;
        curand_draw<<<XORWOW_SUBSEQUENCES / BLOCK, BLOCK, 0, g->stream>>>(g->states, g->next, to, units, kind);
        g->next = (unsigned)((g->next + units) % XORWOW_SUBSEQUENCES);
    } else {
        launch_philox(g, to, n, kind);
    }
    bool ok = cudaPeekAtLastError() == cudaSuccess;
    if (g->host) {
        ok = ok && cudaMemcpyAsync(out, to, n * sizeof *to, cudaMemcpyDeviceToHost, g->stream) == cudaSuccess &&
             cudaStreamSynchronize(g->stream) == cudaSuccess;
        cudaFree(to);
    }
    return ok ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t g)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    cudaFree(g->states);
    free(g);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version)
{
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int *value)
{
    static const int of[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
    if ((unsigned)type > PATCH_LEVEL)
        return CURAND_STATUS_OUT_OF_RANGE;
    *value = of[type];
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    g->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    g->seed = seed;
    g->ready = false;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    g->offset = offset;
    g->ready = false;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (order == CURAND_ORDERING_PSEUDO_SEEDED || order == CURAND_ORDERING_PSEUDO_DYNAMIC)
        fprintf(stderr, "bankshot: curandSetGeneratorOrdering: CURAND_ORDERING_PSEUDO_%s is not supported\n",
                order == CURAND_ORDERING_PSEUDO_SEEDED ? "SEEDED" : "DYNAMIC");
    else if (order >= CURAND_ORDERING_PSEUDO_BEST && order <= CURAND_ORDERING_PSEUDO_LEGACY)
        return CURAND_STATUS_SUCCESS; /* all have the same order */
    return CURAND_STATUS_OUT_OF_RANGE;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t g) { return g ? prepare(g) : CURAND_STATUS_NOT_INITIALIZED; }

curandStatus_t curandGenerate(curandGenerator_t g, unsigned int *out, size_t n) { return draw(g, out, n, words()); }

/* Only for generators of 64 bits, of which there are none here. */
curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long *out, size_t n)
{
    (void)out, (void)n;
    return g ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t n) { return draw(g, out, n, uniforms()); }

curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out, size_t n)
{
    return draw(g, out, n, uniform_doubles());
}

curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t n, float mean, float stddev)
{
    return draw(g, out, n, normals{mean, stddev});
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *out, size_t n, double mean, double stddev)
{
    return draw(g, out, n, normal_doubles{mean, stddev});
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *out, size_t n, float mean, float stddev)
{
    return draw(g, out, n, exponentials<normals>{{mean, stddev}});
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *out, size_t n, double mean, double stddev)
{
    return draw(g, out, n, exponentials<normal_doubles>{{mean, stddev}});
}

curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned int *out, size_t n, double lambda)
{
    return draw(g, out, n, poissons{lambda});
}
}
// SPDX-License-Identifier: Apache-2.0
