/* Snappy-style decompression of text pages of 4 KB, a CTA each: one decoding warp in four, the others copy
 * (see ../lz.h). The long warp is always the first of its CTA: assigned round robin, all of them meet in
 * one partition of an SM. */
#include "../lz.h"

#define PAGE_B 4096

/* Sentences as a comment column holds them: few words, some more often than others, in any order. */
static void write_text(uint8_t *text, size_t bytes)
{
    static const char *const words[] = {
        "carefully", "quickly",      "furiously",   "slyly",    "final",    "regular",
        "special",   "express",      "pending",     "even",     "ironic",   "bold",
        "silent",    "daring",       "ruthless",    "deposits", "requests", "packages",
        "accounts",  "instructions", "theodolites", "foxes",    "ideas",    "platelets",
        "sleep",     "haggle",       "nag",         "wake",     "cajole",   "above",
        "the",       "among",        "against",     "across",   "blithely", "fluffily"};
    enum { WORDS = sizeof(words) / sizeof(words[0]) };
    uint32_t seed = 20260;
    for (size_t at = 0; at < bytes;) {
        float r = next_float(&seed);
        for (const char *w = words[(int)(r * r * WORDS)]; *w && at < bytes; w++)
            text[at++] = (uint8_t)*w;
        if (at < bytes)
            text[at++] = next_random(&seed) >> 29 ? ' ' : '.';
    }
}

int main(int argc, char **argv)
{
    static const int counts[] = {4, 200, 3200};
    int count = counts[parse_size(argc, argv)];
    size_t bytes = (size_t)count * PAGE_B;
    uint8_t *text = (uint8_t *)host_alloc(bytes), *packed = (uint8_t *)host_alloc(2 * bytes + 16);
    uint8_t *got = (uint8_t *)host_alloc(bytes);
    struct lz_page *pages = (struct lz_page *)host_alloc(count * sizeof(*pages));
    write_text(text, bytes);
    unsigned words = 0;
    for (int i = 0; i < count; i++) {
        int n = lz_encode(text + (size_t)i * PAGE_B, PAGE_B, packed + 4 * (size_t)words);
        struct lz_page p = {words, (unsigned)n, (unsigned)i * (PAGE_B / 4), PAGE_B};
        pages[i] = p;
        words += (unsigned)(n + 3) / 4;
    }
    struct lz_page *d_pages = (struct lz_page *)device_copy(pages, count * sizeof(*pages));
    uint32_t *d_packed = (uint32_t *)device_copy(packed, 4 * (size_t)words),
             *d_text = (uint32_t *)device_alloc(bytes);
    CHECK(cudaMemset(d_text, 0, bytes));
    lz_decode_pages<PAGE_B><<<count, LZ_BLOCK>>>(d_pages, d_packed, d_text);
    fetch(got, d_text, bytes);
    long wrong = 0;
    for (size_t i = 0; i < bytes; i++)
        wrong += got[i] != text[i];
    CHECK(cudaFree(d_pages));
    CHECK(cudaFree(d_packed));
    CHECK(cudaFree(d_text));
    free(text), free(packed), free(got), free(pages);
    return verdict("lz_decompress", wrong);
}
// SPDX-License-Identifier: Apache-2.0
