/* Searching and sorting: recursion with arrays on the stack, state machines, hash tables with 64-bit compare-and-swap, sorts by a
 * function object, bits of a word as a board, goto. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__device__ int place(int n, int row, unsigned cols, unsigned d1, unsigned d2, int *trail)
{
    if (row == n)
        return 1;
    int found = 0;
    for (unsigned free = ~(cols | d1 | d2) & ((1u << n) - 1); free; free &= free - 1) {
        unsigned bit = free & -free;
        trail[row] = __ffs(bit);
        found += place(n, row + 1, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1, trail);
    }
    return found;
}

__global__ void queens(int n, int *total)
{
    int trail[12];
    unsigned bit = 1u << threadIdx.x;
    if (threadIdx.x < (unsigned)n)
        atomicAdd(total, place(n, 1, bit, bit << 1, bit >> 1, trail));
}

/* A little stack machine: "3 4 + 2 *" */
__global__ void calculate(const char *text, const int *start, int *out, int n)
{
    int i = threadIdx.x, stack[8], top = 0;
    if (i >= n)
        return;
    const char *p = text + start[i];
next:
    switch (*p) {
    case 0: out[i] = top == 1 ? stack[0] : -9999; return;
    case ' ': p++; goto next;
    case '+':
        top--;
        stack[top - 1] += stack[top];
        break;
    case '-':
        top--;
        stack[top - 1] -= stack[top];
        break;
    case '*':
        top--;
        stack[top - 1] *= stack[top];
        break;
    case '/':
        top--;
        if (stack[top] == 0) {
            out[i] = -1;
            return;
        }
        stack[top - 1] /= stack[top];
        break;
    default: {
        int v = 0;
        while (*p >= '0' && *p <= '9')
            v = v * 10 + *p++ - '0';
        stack[top++] = v;
        goto next;
    }
    }
    p++;
    goto next;
}

typedef unsigned long long u64;
#define EMPTY (~0ull)

__device__ unsigned spread(unsigned k)
{
    k = (k ^ 61) ^ (k >> 16);
    k *= 9;
    k ^= k >> 4;
    return k * 0x27d4eb2du;
}

/* key in the high word, count in the low one */
__global__ void count_keys(const unsigned *keys, int n, u64 *table, unsigned size)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned key = keys[i], at = spread(key) & (size - 1);
        for (;; at = (at + 1) & (size - 1)) {
            u64 seen = table[at];
            if (seen == EMPTY) {
                seen = atomicCAS(&table[at], EMPTY, (u64)key << 32 | 1);
                if (seen == EMPTY)
                    break;
            }
            if (seen >> 32 == key) {
                atomicAdd(&table[at], 1ull);
                break;
            }
        }
    }
}

struct item {
    int key;
    short tag;
    unsigned char flags[2];
};
struct by_key_then_tag {
    __host__ __device__ bool operator()(const item &a, const item &b) const
    {
        return a.key < b.key || (a.key == b.key && a.tag > b.tag);
    }
};

template <class T, class Less> __global__ void bitonic(T *data, int n, Less less)
{
    extern __shared__ unsigned char raw[];
    T *s = reinterpret_cast<T *>(raw);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s[i] = data[i];
    for (int k = 2; k <= n; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            for (int i = threadIdx.x; i < n; i += blockDim.x) {
                int o = i ^ j;
                if (o > i && less(s[o], s[i]) == ((i & k) == 0)) {
                    T t = s[i];
                    s[i] = s[o];
                    s[o] = t;
                }
            }
        }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        data[i] = s[i];
}

/* Game of life, 32 cells in a word; columns wrap round by warp shuffles. */
__global__ void life(unsigned *board, int rows, int steps)
{
    extern __shared__ unsigned rows_of[];
    int r = threadIdx.x;
    unsigned me = board[r];
    for (int s = 0; s < steps; s++) {
        rows_of[r] = me;
        __syncthreads();
        unsigned up = rows_of[(r + rows - 1) % rows], down = rows_of[(r + 1) % rows], next = 0;
        for (int b = 0; b < 32; b++) {
            auto bit = [](unsigned w, int k) { return w >> (k & 31) & 1; };
            int n = bit(up, b - 1) + bit(up, b) + bit(up, b + 1) + bit(me, b - 1) + bit(me, b + 1) +
                    bit(down, b - 1) + bit(down, b) + bit(down, b + 1);
            next |= (unsigned)(n == 3 || (n == 2 && bit(me, b))) << b;
        }
        __syncthreads();
        me = next;
    }
    board[r] = me;
}

int main()
{
    int wrong = 0, *d;
    cudaMallocManaged(&d, 256 * sizeof *d);
    *d = 0;
    queens<<<1, 32>>>(8, d);
    cudaDeviceSynchronize();
    wrong += *d != 92;
    printf("queens %d\n", *d);

    const char *exprs[] = {"3 4 + 2 *", "100 7 /", "1 2 3 4 5 + + + +", "5 0 /", "12 3 - 4 5 * +",
                           "7",         "1 2"};
    const int want[] = {14, 14, 15, -1, 29, 7, -9999}, nexpr = 7;
    char *text;
    cudaMallocManaged(&text, 256);
    int at = 0;
    for (int i = 0; i < nexpr; i++) {
        d[i] = at;
        for (const char *p = exprs[i]; *p; p++)
            text[at++] = *p;
        text[at++] = 0;
    }
    calculate<<<1, 32>>>(text, d, d + 100, nexpr);
    cudaDeviceSynchronize();
    for (int i = 0; i < nexpr; i++)
        wrong += d[100 + i] != want[i];
    printf("calculate %d\n", wrong);

    const int n = 4000, size = 1024;
    unsigned *keys;
    u64 *table;
    cudaMallocManaged(&keys, n * sizeof *keys);
    cudaMallocManaged(&table, size * sizeof *table);
    std::vector<int> counts(500);
    for (int i = 0; i < n; i++) {
        keys[i] = (unsigned)(i * i + i / 7) % 500;
        counts[keys[i]]++;
    }
    for (int i = 0; i < size; i++)
        table[i] = EMPTY;
    count_keys<<<4, 128>>>(keys, n, table, size);
    cudaDeviceSynchronize();
    for (int i = 0; i < size; i++)
        if (table[i] != EMPTY)
            counts[table[i] >> 32] -= (int)(table[i] & 0xffffffffu);
    for (int c : counts)
        wrong += c != 0;
    printf("table %d\n", wrong);

    const int m = 512;
    item *items;
    cudaMallocManaged(&items, m * sizeof *items);
    for (int i = 0; i < m; i++)
        items[i] = item{(i * 7919) % 97 - 40, (short)(i * 31), {(unsigned char)i, (unsigned char)(i >> 8)}};
    std::vector<item> ref(items, items + m);
    bitonic<<<1, 128, m * sizeof(item)>>>(items, m, by_key_then_tag());
    cudaDeviceSynchronize();
    std::sort(ref.begin(), ref.end(), by_key_then_tag());
    for (int i = 0; i < m; i++)
        wrong +=
            ref[i].key != items[i].key || ref[i].tag != items[i].tag || ref[i].flags[0] != items[i].flags[0];
    printf("sort %d\n", wrong);

    const int rows = 64;
    unsigned *board, now[rows];
    cudaMallocManaged(&board, sizeof now);
    for (int i = 0; i < rows; i++)
        board[i] = now[i] = (unsigned)(i + 1) * 2654435761u;
    life<<<1, rows, sizeof now>>>(board, rows, 5);
    cudaDeviceSynchronize();
    for (int s = 0; s < 5; s++) {
        unsigned old[rows];
        std::copy(now, now + rows, old);
        for (int r = 0; r < rows; r++)
            for (int b = 0; b < 32; b++) {
                int c = 0;
                for (int dr = -1; dr <= 1; dr++)
                    for (int db = -1; db <= 1; db++)
                        if (dr || db)
                            c += old[(r + dr + rows) % rows] >> ((b + db) & 31) & 1;
                bool live = c == 3 || (c == 2 && (old[r] >> b & 1));
                now[r] = (now[r] & ~(1u << b)) | (unsigned)live << b;
            }
    }
    for (int r = 0; r < rows; r++)
        wrong += now[r] != board[r];
    printf("%s\n", wrong || cudaGetLastError() != cudaSuccess ? "FAIL" : "PASS");
    return wrong != 0;
}
// SPDX-License-Identifier: Apache-2.0
