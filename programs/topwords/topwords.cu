/* The most frequent words of a text, where a word is a number below the size of the vocabulary.
 *
 * Counting: each CTA counts its part of the text in dynamic shared memory and then adds what it found to the global counts;
 * frequent words would otherwise make every thread wait for the same few addresses. Choosing: bisection finds the least count
 * that at most K words reach, then those words are gathered with one atomic per warp. */
#include "../../workloads/workload.h"

#define BLOCK 256
#define TOP 100

/* A pseudo-random word for place i of the text: the same on host and device. The product of two uniform numbers makes small
 * words frequent, as in a language. */
__host__ __device__ inline uint32_t scramble(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

__host__ __device__ inline uint32_t word_at(uint32_t i, uint32_t vocabulary)
{
    uint32_t r = scramble(i + 12345u), u = r & 0xffff, v = r >> 16;
    return (uint32_t)((uint64_t)(u * v) * vocabulary >> 32);
}

__global__ void write_text(uint32_t *text, uint32_t n, uint32_t vocabulary)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        text[i] = word_at(i, vocabulary);
}

__global__ void count_words(const uint32_t *text, uint32_t n, uint32_t *counts, uint32_t vocabulary)
{
    extern __shared__ uint32_t mine[];
    for (uint32_t w = threadIdx.x; w < vocabulary; w += blockDim.x)
        mine[w] = 0;
    __syncthreads();
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[text[i]], 1u);
    __syncthreads();
    for (uint32_t w = threadIdx.x; w < vocabulary; w += blockDim.x)
        if (mine[w])
            atomicAdd(&counts[w], mine[w]);
}

/* How many words occur at least `least` times. */
__global__ void count_frequent(const uint32_t *counts, uint32_t vocabulary, uint32_t least, uint32_t *found)
{
    uint32_t w = blockIdx.x * blockDim.x + threadIdx.x;
    int frequent = w < vocabulary && counts[w] >= least;
    int here = __syncthreads_count(frequent);
    if (threadIdx.x == 0 && here)
        atomicAdd(found, (uint32_t)here);
}

/* The words themselves, in no order: each warp takes as many places as it needs at once. */
__global__ void gather_frequent(const uint32_t *counts, uint32_t vocabulary, uint32_t least, uint32_t *found,
                                uint32_t *words)
{
    uint32_t w = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int frequent = w < vocabulary && counts[w] >= least;
    uint32_t who = __ballot_sync(0xffffffffu, frequent), first = 0;
    if (!who)
        return;
    if (lane == 0)
        first = atomicAdd(found, (uint32_t)__popc(who));
    first = __shfl_sync(0xffffffffu, first, 0);
    if (frequent)
        words[first + __popc(who & ((1u << lane) - 1))] = w;
}

static uint32_t frequent_words(const uint32_t *d_counts, uint32_t vocabulary, uint32_t least,
                               uint32_t *d_found)
{
    uint32_t found;
    CHECK(cudaMemset(d_found, 0, sizeof found));
    count_frequent<<<(vocabulary + BLOCK - 1) / BLOCK, BLOCK>>>(d_counts, vocabulary, least, d_found);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&found, d_found, sizeof found, cudaMemcpyDeviceToHost));
    return found;
}

/* Exactly the words with at least `least` occurrences, each once, and one more would be too many. */
static long check(const uint32_t *words, uint32_t found, uint32_t least, uint32_t n, uint32_t vocabulary)
{
    uint32_t *counts = (uint32_t *)calloc(vocabulary, sizeof *counts), many = 0, more = 0;
    for (uint32_t i = 0; i < n; i++)
        counts[word_at(i, vocabulary)]++;
    for (uint32_t w = 0; w < vocabulary; w++) {
        many += counts[w] >= least;
        more += counts[w] >= least - 1;
    }
    long wrong = (many != found) + (found > TOP) + (more <= TOP);
    for (uint32_t i = 0; i < found && i < TOP; i++) {
        wrong += words[i] >= vocabulary || counts[words[i]] < least;
        if (words[i] < vocabulary)
            counts[words[i]] = 0; /* a second time would be wrong */
    }
    free(counts);
    return wrong;
}

int main(int argc, char **argv)
{
    static const struct {
        uint32_t n, vocabulary, ctas;
    } sizes[] = {{20000, 1000, 4}, {2000000, 8000, 64}, {50000000, 16000, 128}};
    int size = parse_size(argc, argv);
    uint32_t n = sizes[size].n, vocabulary = sizes[size].vocabulary, ctas = sizes[size].ctas;

    uint32_t *d_text, *d_counts, *d_found, *d_words;
    CHECK(cudaMalloc((void **)&d_text, n * sizeof *d_text));
    CHECK(cudaMalloc((void **)&d_counts, vocabulary * sizeof *d_counts));
    CHECK(cudaMalloc((void **)&d_found, sizeof *d_found));
    CHECK(cudaMalloc((void **)&d_words, TOP * sizeof *d_words));
    CHECK(cudaMemset(d_counts, 0, vocabulary * sizeof *d_counts));

    size_t shared = vocabulary * sizeof(uint32_t);
    if (shared > 48 * 1024) /* more than this must be asked for */
        CHECK(cudaFuncSetAttribute((const void *)count_words, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   (int)shared));
    write_text<<<ctas, BLOCK>>>(d_text, n, vocabulary);
    count_words<<<ctas, BLOCK, shared>>>(d_text, n, d_counts, vocabulary);
    CHECK(cudaGetLastError());

    /* `none` words would be too many, `least` not */
    uint32_t none = 0, least = n + 1;
    while (least - none > 1) {
        uint32_t middle = none + (least - none) / 2;
        if (frequent_words(d_counts, vocabulary, middle, d_found) > TOP)
            none = middle;
        else
            least = middle;
    }
    uint32_t words[TOP], found;
    CHECK(cudaMemset(d_found, 0, sizeof *d_found));
    gather_frequent<<<(vocabulary + BLOCK - 1) / BLOCK, BLOCK>>>(d_counts, vocabulary, least, d_found,
                                                                 d_words);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&found, d_found, sizeof found, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(words, d_words, sizeof words, cudaMemcpyDeviceToHost));

    CHECK(cudaFree(d_text));
    CHECK(cudaFree(d_counts));
    CHECK(cudaFree(d_found));
    CHECK(cudaFree(d_words));
    printf("%u words occur %u times or more\n", found, least);
    return verdict("topwords", check(words, found, least, n, vocabulary));
}
// SPDX-License-Identifier: Apache-2.0
