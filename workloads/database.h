/* Tables for the database programs. A column is cut into pages of RLE_ROWS rows, encoded by rle.h, and in
 * the compressed version of a program packed by lz.h; db_upload brings all columns to the device,
 * db_decode turns them into plain arrays there, by one kernel that unpacks (compressed only) and one that
 * decodes. Both are warp-specialised, one long warp in four; the queries' own kernels, which follow, are
 * balanced. */
#ifndef DATABASE_H
#define DATABASE_H

#include "lz.h"
#include "rle.h"

#define DB_BLOCK 256 /* threads of a CTA that works on rows */
#define DB_MOST_COLUMNS 24

typedef unsigned long long u64;

enum { COMPRESSED, UNCOMPRESSED };
static const char *const db_inputs[] = {"compressed", "plain", NULL};

enum db_encoding { DB_PLAIN, DB_DICTIONARY };

/* One page: `words` at `word` of the encoded pages, `rows` numbers from `out` on, dictionary from
 * `dictionary` on. */
struct db_page {
    unsigned word, words, out, rows, dictionary;
};

struct db_column {
    const int *values; /* the host's, not owned */
    int rows, first_page, pages;
    unsigned out; /* the first number's place in the device's output */
};

struct db {
    int compressed, columns, pages, page_room;
    struct db_column column[DB_MOST_COLUMNS];
    struct db_page *page;
    struct lz_page *packed; /* compressed only; an output place is that of the encoded page */
    uint8_t *bytes;         /* encoded, or packed */
    size_t words, room;     /* of bytes */
    unsigned encoded_words, numbers;
    int *dictionary;
    int entries;

    struct db_page *d_page;
    struct lz_page *d_packed;
    uint32_t *d_bytes, *d_encoded; /* the same where nothing is packed */
    int *d_dictionary, *d_numbers;
};

/* Reads --size and --input; returns the size. */
static inline int db_args(int argc, char **argv, struct db *d)
{
    int input = COMPRESSED;
    const struct choice of_input = {"input", db_inputs, &input};
    memset(d, 0, sizeof(*d));
    int size = parse_args(argc, argv, &of_input, 1);
    d->compressed = input == COMPRESSED;
    return size;
}

static inline void *db_grow(void *p, size_t bytes)
{
    p = realloc(p, bytes);
    if (!p) {
        fprintf(stderr, "out of memory: %zu bytes\n", bytes);
        exit(1);
    }
    return p;
}

static inline void db_add_page(struct db *d, const uint8_t *encoded, int bytes, int rows, unsigned dictionary)
{
    if (d->pages == d->page_room) {
        d->page_room = d->page_room ? 2 * d->page_room : 64;
        d->page = (struct db_page *)db_grow(d->page, d->page_room * sizeof(*d->page));
        d->packed = (struct lz_page *)db_grow(d->packed, d->page_room * sizeof(*d->packed));
    }
    if (d->words + RLE_WORDS * 4 > d->room) {
        d->room = 2 * d->room + RLE_WORDS * 64;
        d->bytes = (uint8_t *)db_grow(d->bytes, d->room * 4);
    }
    struct db_page p = {d->encoded_words, (unsigned)bytes / 4, d->numbers, (unsigned)rows, dictionary};
    int n = bytes;
    if (d->compressed)
        n = lz_encode(encoded, bytes, d->bytes + 4 * d->words);
    else
        memcpy(d->bytes + 4 * d->words, encoded, (size_t)bytes);
    struct lz_page packed = {(unsigned)d->words, (unsigned)n, p.word, (unsigned)bytes};
    memset(d->bytes + 4 * d->words + n, 0, 4);
    d->page[d->pages] = p;
    d->packed[d->pages++] = packed;
    d->words += (size_t)(n + 3) / 4;
    d->encoded_words += p.words;
    d->numbers += (unsigned)rows;
}

/* The place of each value of [low, high] among those that occur; appends these to the dictionary. */
static inline int *db_dictionary(struct db *d, const int *values, int rows, int *low, int *count)
{
    int high = *low = values[0];
    for (int i = 0; i < rows; i++) {
        *low = values[i] < *low ? values[i] : *low;
        high = values[i] > high ? values[i] : high;
    }
    int *place = (int *)host_alloc((size_t)(high - *low + 1) * sizeof(int));
    for (int i = 0; i < rows; i++)
        place[values[i] - *low] = 1;
    d->dictionary = (int *)db_grow(d->dictionary, (size_t)(d->entries + high - *low + 1) * sizeof(int));
    *count = 0;
    for (int v = 0; v <= high - *low; v++)
        if (place[v]) {
            place[v] = *count;
            d->dictionary[d->entries + (*count)++] = *low + v;
        }
    return place;
}

/* Adds a column and returns its number; where `null` is not NULL, a row with null[i] is null and number[i]
 * is 0. Dictionaries are for values within a few thousands of each other. */
static inline int db_add_nullable(struct db *d, const int *number, const char *null, int rows,
                                  enum db_encoding encoding)
{
    uint8_t encoded[RLE_WORDS * 4];
    unsigned level[RLE_ROWS], value[RLE_ROWS];
    int low = 0, entries = 0, *place = NULL;
    struct db_column c = {number, rows, d->pages, (rows + RLE_ROWS - 1) / RLE_ROWS, d->numbers};
    if (encoding == DB_DICTIONARY)
        place = db_dictionary(d, number, rows, &low, &entries);
    for (int first = 0; first < rows; first += RLE_ROWS) {
        int n = rows - first < RLE_ROWS ? rows - first : RLE_ROWS, values = 0;
        for (int i = first; i < first + n; i++) {
            level[i - first] = !null || !null[i];
            if (level[i - first])
                value[values++] = (unsigned)(place ? place[number[i] - low] : number[i]);
        }
        int width = place ? rle_bits((unsigned)entries - 1) : 32;
        int bytes = rle_encode(level, n, value, values, width, encoded);
        db_add_page(d, encoded, bytes, n, (unsigned)d->entries);
    }
    d->entries += entries;
    free(place);
    d->column[d->columns] = c;
    return d->columns++;
}

static inline int db_add(struct db *d, const int *number, int rows, enum db_encoding encoding)
{
    return db_add_nullable(d, number, NULL, rows, encoding);
}

__global__ void __launch_bounds__(RLE_BLOCK)
    decode_pages(const struct db_page *pages, const uint32_t *encoded, const int *dictionary, int *numbers)
{
    __shared__ uint32_t in[RLE_WORDS];
    __shared__ struct rle_work work;
    struct db_page p = pages[blockIdx.x];
    rle_fetch_page(encoded + p.word, (int)p.words, in);
    __syncthreads();
    rle_decode_page(in, (int)p.rows, dictionary + p.dictionary, &work, numbers + p.out);
}

/* After the last column is added. */
static inline void db_upload(struct db *d)
{
    d->d_page = (struct db_page *)device_copy(d->page, d->pages * sizeof(*d->page));
    d->d_packed = (struct lz_page *)device_copy(d->packed, d->pages * sizeof(*d->packed));
    d->d_bytes = (uint32_t *)device_copy(d->bytes, d->words * 4);
    d->d_encoded = d->compressed ? (uint32_t *)device_alloc((size_t)d->encoded_words * 4) : d->d_bytes;
    d->d_dictionary = d->entries ? (int *)device_copy(d->dictionary, (size_t)d->entries * sizeof(int)) : NULL;
    d->d_numbers = (int *)device_alloc((size_t)d->numbers * sizeof(int));
}

/* The columns' numbers, by the two kernels. */
static inline void db_decode(struct db *d)
{
    if (d->compressed)
        lz_decode_pages<RLE_WORDS * 4><<<d->pages, LZ_BLOCK>>>(d->d_packed, d->d_bytes, d->d_encoded);
    decode_pages<<<d->pages, RLE_BLOCK>>>(d->d_page, d->d_encoded, d->d_dictionary, d->d_numbers);
}

static inline const int *db_numbers(const struct db *d, int column)
{
    return d->d_numbers + d->column[column].out;
}

/* How many decoded numbers are wrong. */
static inline long db_check(const struct db *d)
{
    int *got = (int *)host_alloc((size_t)d->numbers * sizeof(int));
    long wrong = 0;
    fetch(got, d->d_numbers, (size_t)d->numbers * sizeof(int));
    for (int c = 0; c < d->columns; c++)
        for (int i = 0; i < d->column[c].rows; i++)
            wrong += got[d->column[c].out + i] != d->column[c].values[i];
    free(got);
    return wrong;
}

static inline void db_free(struct db *d)
{
    CHECK(cudaFree(d->d_page));
    CHECK(cudaFree(d->d_packed));
    CHECK(cudaFree(d->d_bytes));
    if (d->d_encoded != d->d_bytes)
        CHECK(cudaFree(d->d_encoded));
    CHECK(cudaFree(d->d_dictionary));
    CHECK(cudaFree(d->d_numbers));
    free(d->page), free(d->packed), free(d->bytes), free(d->dictionary);
}

static inline int db_ctas(int rows) { return (rows + DB_BLOCK - 1) / DB_BLOCK; }

/* A hash table from a key (not negative) to a number, linear probing; `mask` + 1 slots, a power of two. */
struct db_hash {
    int *keys, *values;
    unsigned mask;
};

#define DB_NO_KEY (-1)

static inline struct db_hash db_hash_new(int keys)
{
    struct db_hash h = {NULL, NULL, 63};
    while (h.mask < 2u * (unsigned)keys)
        h.mask = 2 * h.mask + 1;
    h.keys = (int *)device_alloc((size_t)(h.mask + 1) * sizeof(int));
    h.values = (int *)device_alloc((size_t)(h.mask + 1) * sizeof(int));
    CHECK(cudaMemset(h.keys, 0xff, (size_t)(h.mask + 1) * sizeof(int)));
    CHECK(cudaMemset(h.values, 0, (size_t)(h.mask + 1) * sizeof(int)));
    return h;
}

static inline void db_hash_free(struct db_hash *h)
{
    CHECK(cudaFree(h->keys));
    CHECK(cudaFree(h->values));
}

__device__ static inline unsigned db_hash_of(int key)
{
    unsigned x = (unsigned)key * 0x9e3779b1u;
    return x ^ x >> 15;
}

/* The key's slot, which it takes if nobody has it. */
__device__ static inline unsigned db_hash_slot(const struct db_hash &h, int key)
{
    unsigned slot = db_hash_of(key) & h.mask;
#pragma unroll 1
    for (;;) {
        int seen = atomicCAS(&h.keys[slot], DB_NO_KEY, key);
        if (seen == DB_NO_KEY || seen == key)
            return slot;
        slot = (slot + 1) & h.mask;
    }
}

/* The number stored with the key, or `none`. Not while slots are taken. */
__device__ static inline int db_hash_find(const struct db_hash &h, int key, int none)
{
    unsigned slot = db_hash_of(key) & h.mask;
#pragma unroll 1
    for (;;) {
        int seen = h.keys[slot];
        if (seen == key)
            return h.values[slot];
        if (seen == DB_NO_KEY)
            return none;
        slot = (slot + 1) & h.mask;
    }
}

__global__ void __launch_bounds__(DB_BLOCK)
    build_hash(const int *key, const int *value, int rows, struct db_hash h)
{
    int i = blockIdx.x * DB_BLOCK + threadIdx.x;
    if (i < rows)
        h.values[db_hash_slot(h, key[i])] = value[i];
}

/* A CTA's sums by group: all 0, then atomics, then into the sums of all CTAs. */
template <int GROUPS> __device__ static inline void db_group_clear(u64 *sums)
{
    for (int g = threadIdx.x; g < GROUPS; g += DB_BLOCK)
        sums[g] = 0;
    __syncthreads();
}

template <int GROUPS> __device__ static inline void db_group_flush(const u64 *sums, u64 *all)
{
    __syncthreads();
    for (int g = threadIdx.x; g < GROUPS; g += DB_BLOCK)
        if (sums[g])
            atomicAdd(&all[g], sums[g]);
}

static inline long db_count_wrong(const u64 *got, const u64 *want, int n)
{
    long wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += got[i] != want[i];
    return wrong;
}

/* *sum += x over a CTA's threads, by warps. All threads call it. */
__device__ static inline void db_add_up(u64 x, u64 *sum)
{
#pragma unroll
    for (int step = 16; step; step /= 2)
        x += __shfl_down_sync(0xffffffffu, x, step);
    if (threadIdx.x % 32 == 0 && x)
        atomicAdd(sum, x);
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
