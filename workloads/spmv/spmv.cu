/* y = A x for a sparse matrix in jagged diagonal storage: rows sorted by length, the k-th entries of all rows
 * side by side, so that a thread a row reads values and columns coalesced; the starts of the diagonals and
 * the length of each warp's longest row lie in constant memory. An entry is loaded while the one before is
 * added. What is left is the gather from x: up to 32 lines a load. */
#include "../workload.h"

#define BLOCK 256
#define MAX_LENGTH 64
#define MAX_WARPS 8192

__constant__ int diagonal_start[MAX_LENGTH];
__constant__ int warp_length[MAX_WARPS];

__global__ void spmv_jds(const float *value, const int *column, const int *row_of, const float *x, float *y,
                         int rows)
{
    int r = blockIdx.x * BLOCK + threadIdx.x;
    if (r >= rows)
        return;
    int length = warp_length[r / 32];
    int at = diagonal_start[0] + r;
    float sum = 0, v = value[at], t = x[column[at]];
#pragma unroll 1
    for (int k = 1; k < length; k++) {
        at = diagonal_start[k] + r;
        int next_column = column[at];
        float next_v = value[at];
        sum += v * t;
        v = next_v;
        t = x[next_column];
    }
    y[row_of[r]] = sum + v * t;
}

/* Compressed rows; `count` entries in all. */
struct matrix {
    int rows, count;
    int *start, *column;
    float *value;
};

/* Lengths from 8 to 39 and a few long rows; three of four entries near the diagonal, the others anywhere. */
static void make_matrix(struct matrix *m, int rows, uint32_t *seed)
{
    m->rows = rows;
    m->start = (int *)host_alloc((rows + 1) * sizeof(int));
    for (int r = 0; r < rows; r++) {
        int length = 8 + next_random(seed) % 32;
        if (next_random(seed) % 128 == 0)
            length += 24;
        m->start[r + 1] = m->start[r] + length;
    }
    m->count = m->start[rows];
    m->column = (int *)host_alloc(m->count * sizeof(int));
    m->value = (float *)host_alloc(m->count * sizeof(float));
    for (int r = 0; r < rows; r++)
        for (int e = m->start[r]; e < m->start[r + 1]; e++) {
            int near = (r + (int)(next_random(seed) % 128) + rows - 64) % rows;
            m->column[e] = next_random(seed) % 4 ? near : (int)(next_random(seed) % rows);
            m->value[e] = next_float(seed);
        }
}

struct jds {
    int padded; /* entries with the padding: whole warps, as long as their longest row */
    int *start, *length, *row_of, *column;
    float *value;
};

/* Rows by falling length, equal ones in their old order. */
static void sort_rows(const struct matrix *m, int *row_of)
{
    int at = 0;
    for (int length = MAX_LENGTH; length >= 0; length--)
        for (int r = 0; r < m->rows; r++)
            if (m->start[r + 1] - m->start[r] == length)
                row_of[at++] = r;
}

static void make_jds(const struct matrix *m, struct jds *j)
{
    int warps = (m->rows + 31) / 32;
    j->start = (int *)host_alloc(MAX_LENGTH * sizeof(int));
    j->length = (int *)host_alloc(warps * sizeof(int));
    j->row_of = (int *)host_alloc(m->rows * sizeof(int));
    sort_rows(m, j->row_of);
    for (int w = 0; w < warps; w++)
        j->length[w] = m->start[j->row_of[32 * w] + 1] - m->start[j->row_of[32 * w]];
    j->padded = 0;
    for (int k = 0, w = warps; k < j->length[0]; k++) {
        while (j->length[w - 1] <= k)
            w--;
        j->start[k] = j->padded;
        j->padded += 32 * w;
    }
    j->column = (int *)host_alloc(j->padded * sizeof(int));
    j->value = (float *)host_alloc(j->padded * sizeof(float));
    for (int i = 0; i < m->rows; i++) {
        int r = j->row_of[i];
        for (int e = m->start[r]; e < m->start[r + 1]; e++) {
            j->column[j->start[e - m->start[r]] + i] = m->column[e];
            j->value[j->start[e - m->start[r]] + i] = m->value[e];
        }
    }
}

/* All terms are positive and at most MAX_LENGTH, so a sum is off by at most 64 * 2^-24 of itself. */
static long compare(const struct matrix *m, const float *x, const float *y)
{
    long wrong = 0;
    for (int r = 0; r < m->rows; r++) {
        double want = 0;
        for (int e = m->start[r]; e < m->start[r + 1]; e++)
            want += (double)m->value[e] * x[m->column[e]];
        wrong += !(fabs(y[r] - want) <= 0x1p-18 * want);
    }
    return wrong;
}

int main(int argc, char **argv)
{
    static const int row_counts[] = {4096, 65536, 131072}, repeats[] = {2, 5, 40};
    int size = parse_size(argc, argv), rows = row_counts[size];
    struct matrix m;
    struct jds j;
    uint32_t seed = 16;
    make_matrix(&m, rows, &seed);
    make_jds(&m, &j);
    size_t bytes = rows * sizeof(float);
    float *x = (float *)host_alloc(bytes), *y = (float *)host_alloc(bytes);
    for (int i = 0; i < rows; i++)
        x[i] = next_float(&seed);
    float *d_value = (float *)device_copy(j.value, j.padded * sizeof(float));
    int *d_column = (int *)device_copy(j.column, j.padded * sizeof(int));
    int *d_row_of = (int *)device_copy(j.row_of, rows * sizeof(int));
    float *d_x = (float *)device_copy(x, bytes), *d_y = (float *)device_copy(y, bytes);
    CHECK(cudaMemcpyToSymbol(diagonal_start, j.start, j.length[0] * sizeof(int)));
    CHECK(cudaMemcpyToSymbol(warp_length, j.length, rows / 32 * sizeof(int)));
    for (int i = 0; i < repeats[size]; i++)
        spmv_jds<<<(rows + BLOCK - 1) / BLOCK, BLOCK>>>(d_value, d_column, d_row_of, d_x, d_y, rows);
    fetch(y, d_y, bytes);
    long wrong = compare(&m, x, y);
    CHECK(cudaFree(d_value));
    CHECK(cudaFree(d_column));
    CHECK(cudaFree(d_row_of));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free(m.start), free(m.column), free(m.value), free(x), free(y);
    free(j.start), free(j.length), free(j.row_of), free(j.column), free(j.value);
    return verdict("spmv", wrong);
}
// SPDX-License-Identifier: Apache-2.0
