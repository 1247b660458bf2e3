/* Scan of a run-length encoded column with nulls: the sum, and the number of values above a bound,
 * decoding and scanning in one kernel, a CTA a page. Warp 0 decodes levels and runs (see ../rle.h), the
 * three helpers fetch, look up and add: one long warp in four, most of it integer arithmetic on few
 * registers. */
#include "../database.h"

#define BOUND 300

__global__ void __launch_bounds__(RLE_BLOCK)
    scan_pages(const struct db_page *pages, const uint32_t *encoded, const int *dictionary, u64 *results)
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
    u64 sum = 0, above = 0;
#pragma unroll 1
    for (int i = (int)threadIdx.x - 32; i < (int)p.rows; i += RLE_HELPERS) {
        sum += (u64)numbers[i];
        above += numbers[i] > BOUND;
    }
    db_add_up(sum, &results[0]);
    db_add_up(above, &results[1]);
}

int main(int argc, char **argv)
{
    static const int counts[] = {14000, 600000, 5000000}, repeats[] = {1, 1, 2};
    int size = parse_size(argc, argv), rows = counts[size];
    int *number = (int *)host_alloc(rows * sizeof(int));
    char *null = (char *)host_alloc(rows);
    uint32_t seed = 20261;
    for (int i = 0; i < rows;) { /* runs of a few to some dozens, now and then one of nulls */
        int length = 1 + (int)(next_random(&seed) >> 8) % 40, value = (int)(next_random(&seed) >> 8) % 500;
        int none = (int)(next_random(&seed) >> 8) % 10 == 0;
        for (; length-- && i < rows; i++) {
            null[i] = (char)none;
            number[i] = none ? 0 : value;
        }
    }
    struct db d;
    memset(&d, 0, sizeof(d));
    db_add_nullable(&d, number, null, rows, DB_DICTIONARY);
    db_upload(&d);
    u64 got[2], want[2] = {0, 0}, *d_results = (u64 *)device_alloc(sizeof(got));
    for (int r = 0; r < repeats[size]; r++) {
        CHECK(cudaMemset(d_results, 0, sizeof(got)));
        scan_pages<<<d.pages, RLE_BLOCK>>>(d.d_page, d.d_encoded, d.d_dictionary, d_results);
        fetch(got, d_results, sizeof(got));
    }
    for (int i = 0; i < rows; i++) {
        want[0] += (u64)number[i];
        want[1] += number[i] > BOUND;
    }
    CHECK(cudaFree(d_results));
    db_free(&d);
    free(number), free(null);
    return verdict("rle_scan", db_count_wrong(got, want, 2));
}
// SPDX-License-Identifier: Apache-2.0
