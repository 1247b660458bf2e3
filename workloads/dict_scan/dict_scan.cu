/* Scan of a dictionary-encoded column: a bit for each row whose value lies between two bounds, and how
 * many, decoding and scanning in one kernel, a CTA a page. Warp 0 unpacks the indices of 11 bits (see
 * ../rle.h), the three helpers fetch the page, look up values in the dictionary and write bits by ballots:
 * one long warp in four. */
#include "../database.h"

#define ENTRIES 2000
#define LOW 40000
#define HIGH 60000

__global__ void __launch_bounds__(RLE_BLOCK)
    filter_pages(const struct db_page *pages, const uint32_t *encoded, const int *dictionary, unsigned *bits,
                 u64 *count)
{
    __shared__ uint32_t in[RLE_WORDS];
    __shared__ struct rle_work work;
    __shared__ int numbers[RLE_ROWS];
    struct db_page p = pages[blockIdx.x];
    rle_fetch_page(encoded + p.word, (int)p.words, in);
    __syncthreads();
    rle_decode_page(in, (int)p.rows, dictionary + p.dictionary, &work, numbers);
    if (threadIdx.x < 32)
        return;
    u64 mine = 0;
    int warps_rows = (int)(threadIdx.x - 32) & ~31, lane = threadIdx.x % 32;
#pragma unroll 1
    for (int row = warps_rows; row < (int)p.rows; row += RLE_HELPERS) {
        int i = row + lane;
        bool hit = i < (int)p.rows && numbers[i] >= LOW && numbers[i] < HIGH;
        unsigned word = __ballot_sync(0xffffffffu, hit);
        if (lane == 0)
            bits[(p.out + (unsigned)row) / 32] = word;
        mine += hit;
    }
    db_add_up(mine, count);
}

int main(int argc, char **argv)
{
    static const int counts[] = {20000, 800000, 6000000}, repeats[] = {1, 1, 2};
    int size = parse_size(argc, argv), rows = counts[size], words = (rows + 31) / 32;
    int *number = (int *)host_alloc(rows * sizeof(int)), values[ENTRIES];
    unsigned *got = (unsigned *)host_alloc(words * sizeof(unsigned));
    uint32_t seed = 20262;
    for (int i = 0; i < ENTRIES; i++)
        values[i] = (int)(next_random(&seed) >> 8) % 100000;
    for (int i = 0; i < rows; i++)
        number[i] = values[(next_random(&seed) >> 8) % ENTRIES];
    struct db d;
    memset(&d, 0, sizeof(d));
    db_add(&d, number, rows, DB_DICTIONARY);
    db_upload(&d);
    u64 count, want = 0, *d_count = (u64 *)device_alloc(sizeof(count));
    unsigned *d_bits = (unsigned *)device_alloc(words * sizeof(unsigned));
    for (int r = 0; r < repeats[size]; r++) {
        CHECK(cudaMemset(d_count, 0, sizeof(count)));
        filter_pages<<<d.pages, RLE_BLOCK>>>(d.d_page, d.d_encoded, d.d_dictionary, d_bits, d_count);
        fetch(&count, d_count, sizeof(count));
    }
    fetch(got, d_bits, words * sizeof(unsigned));
    long wrong = 0;
    for (int i = 0; i < rows; i++) {
        unsigned hit = number[i] >= LOW && number[i] < HIGH;
        want += hit;
        wrong += (got[i / 32] >> i % 32 & 1) != hit;
    }
    wrong += count != want;
    CHECK(cudaFree(d_count));
    CHECK(cudaFree(d_bits));
    db_free(&d);
    free(number), free(got);
    return verdict("dict_scan", wrong);
}
// SPDX-License-Identifier: Apache-2.0
