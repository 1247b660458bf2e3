/* SPDX-License-Identifier: Apache-2.0 */
/* Device memory: a table of allocations sorted by simulated address, each with host memory behind it.
 * Addresses are handed out in order and not reused, so they are the same in every run and a freed one stays wrong. */
#ifndef EXEC_MEMORY_H
#define EXEC_MEMORY_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* Below 2^47 and away from where Linux puts programs, heaps and libraries on x86-64 and AArch64, so that mapped host
 * memory keeps its own addresses. */
#define MEM_DEVICE_BASE 0x200000000000ull
#define MEM_HEAP_BASE 0x2f0000000000ull
#define MEM_HEAP_END 0x300000000000ull

enum alloc_kind { ALLOC_DEVICE, ALLOC_MAPPED, ALLOC_HEAP };

struct alloc {
    uint64_t base, size_b;
    unsigned char *host;
    uint8_t kind;
};

/* An allocation as an instruction remembers it; gen tells whether it is still true. Inside: addr - base + n <= size_b. */
struct mem_hit {
    uint64_t base, size_b;
    unsigned char *host;
    uint32_t gen; /* 0: empty */
};

struct mem {
    VEC(struct alloc) allocs;
    VEC(struct alloc) freed; /* the last few, host = NULL, for messages */
    uint64_t limit_b, used_b;
    uint64_t heap_limit_b, heap_used_b;
    uint64_t next, heap_next; /* address of the next allocation */
    uint64_t end;             /* device memory lies below it */
    uint32_t gen;             /* changes whenever the table does; never 0 */
};

void mem_init(struct mem *m, uint64_t limit_b, uint64_t heap_b, bool short_addr);
void mem_free_all(struct mem *m);
uint64_t mem_alloc(struct mem *m, uint64_t size_b, enum alloc_kind kind); /* 0: no room */
bool mem_free(struct mem *m, uint64_t addr, enum alloc_kind kind);
/* The allocation that holds addr, or NULL. */
const struct alloc *mem_find(const struct mem *m, uint64_t addr);
/* The one below addr (nearest base <= addr) and the one above, or NULL. */
void mem_around(const struct mem *m, uint64_t addr, const struct alloc **below, const struct alloc **above);
/* Looks addr up and remembers it; false if no allocation holds all of [addr, addr + n). */
bool mem_hit_fill(const struct mem *m, struct mem_hit *h, uint64_t addr, uint64_t n);

static inline bool mem_hit_has(const struct mem *m, const struct mem_hit *h, uint64_t addr, uint64_t n)
{
    uint64_t at = addr - h->base;
    return h->gen == m->gen && at < h->size_b && n <= h->size_b - at;
}

#endif
