/* SPDX-License-Identifier: Apache-2.0 */
/* The allocation table. Lookups are binary searches; instructions keep their last hit, so they are rare. */
#include "exec/memory/memory.h"

#include "exec/run.h"

enum {
    ALLOC_ALIGN = 512, /* cudaMalloc's */
    ALLOC_GAP = 256,   /* at least; an overrun by less hits nothing */
    HEAP_ALIGN = 16,   /* device malloc's */
    FREED_KEPT = 64,
};

void mem_init(struct mem *m, uint64_t limit_b, uint64_t heap_b, bool short_addr)
{
    memset(m, 0, sizeof *m);
    m->limit_b = limit_b ? limit_b : 16ull << 30;
    m->heap_limit_b = heap_b ? heap_b : 8ull << 20;
    /* Not at the very beginning of a 32-bit span: what is added to an address must not fall out of it below. */
    m->next = MEM_DEVICE_BASE + (short_addr ? 1u << 24 : 0);
    m->end = short_addr ? MEM_DEVICE_BASE + (1ull << 32) : MEM_HEAP_BASE;
    m->heap_next = MEM_HEAP_BASE;
    m->gen = 1;
}

void mem_free_all(struct mem *m)
{
    vec_each (&m->allocs, a) {
        if (a->kind != ALLOC_MAPPED)
            free(a->host);
    }
    vec_free(&m->allocs);
    vec_free(&m->freed);
}

/* Index of the first allocation whose base is above addr. */
static uint32_t above(const struct mem *m, uint64_t addr)
{
    uint32_t lo = 0, hi = m->allocs.n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (m->allocs.at[mid].base <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

const struct alloc *mem_find(const struct mem *m, uint64_t addr)
{
    uint32_t i = above(m, addr);
    if (i == 0)
        return NULL;
    const struct alloc *a = &m->allocs.at[i - 1];
    return addr - a->base < a->size_b ? a : NULL;
}

void mem_around(const struct mem *m, uint64_t addr, const struct alloc **below, const struct alloc **over)
{
    uint32_t i = above(m, addr);
    *below = i ? &m->allocs.at[i - 1] : NULL;
    *over = i < m->allocs.n ? &m->allocs.at[i] : NULL;
}

bool mem_hit_fill(const struct mem *m, struct mem_hit *h, uint64_t addr, uint64_t n)
{
    const struct alloc *a = mem_find(m, addr);
    if (!a || n > a->size_b - (addr - a->base))
        return false;
    *h = (struct mem_hit){.base = a->base, .size_b = a->size_b, .host = a->host, .gen = m->gen};
    return true;
}

static void changed(struct mem *m)
{
    if (++m->gen == 0)
        m->gen = 1;
}

static void insert(struct mem *m, struct alloc a)
{
    uint32_t i = above(m, a.base);
    vec_insert(&m->allocs, i, a);
    changed(m);
}

/* The next address of a region; once its end is reached, the first gap between allocations that is wide enough. */
static uint64_t place(const struct mem *m, uint64_t *next, uint64_t size_b, uint64_t align, uint64_t base,
                      uint64_t end)
{
    uint64_t step = (size_b + ALLOC_GAP + align - 1) / align * align;
    if (step <= end - *next) {
        uint64_t at = *next;
        *next += step;
        return at;
    }
    uint64_t at = base;
    for (uint32_t i = above(m, base - 1); i < m->allocs.n && m->allocs.at[i].base < end; i++) {
        const struct alloc *a = &m->allocs.at[i];
        if (a->base >= at && step <= a->base - at)
            return at;
        at = a->base + (a->size_b + ALLOC_GAP + align - 1) / align * align;
    }
    return at < end && step <= end - at ? at : 0;
}

/* What an allocation takes from its limit. Blocks of a byte or two must not make the table large. */
static uint64_t charge(uint64_t size_b, enum alloc_kind kind)
{
    bool round = kind == ALLOC_HEAP && size_b < UINT64_MAX - HEAP_ALIGN;
    return round ? (size_b + HEAP_ALIGN - 1) / HEAP_ALIGN * HEAP_ALIGN : size_b;
}

uint64_t mem_alloc(struct mem *m, uint64_t size_b, enum alloc_kind kind)
{
    bool heap = kind == ALLOC_HEAP;
    uint64_t *used = heap ? &m->heap_used_b : &m->used_b, limit = heap ? m->heap_limit_b : m->limit_b;
    if (size_b == 0 || charge(size_b, kind) > limit - *used)
        return 0;
    uint64_t at = heap ? place(m, &m->heap_next, size_b, HEAP_ALIGN, MEM_HEAP_BASE, MEM_HEAP_END)
                       : place(m, &m->next, size_b, ALLOC_ALIGN, MEM_DEVICE_BASE, m->end);
    /* Large blocks come from the kernel as untouched zero pages: they cost what is used. */
    unsigned char *host = at ? calloc(1, size_b) : NULL;
    if (!host)
        return 0;
    *used += charge(size_b, kind);
    insert(m, (struct alloc){.base = at, .size_b = size_b, .host = host, .kind = (uint8_t)kind});
    return at;
}

bool mem_free(struct mem *m, uint64_t addr, enum alloc_kind kind)
{
    uint32_t i = above(m, addr);
    if (i == 0 || m->allocs.at[i - 1].base != addr || m->allocs.at[i - 1].kind != kind)
        return false;
    struct alloc a = m->allocs.at[--i];
    if (kind != ALLOC_MAPPED)
        free(a.host);
    if (kind == ALLOC_HEAP)
        m->heap_used_b -= charge(a.size_b, kind);
    else if (kind == ALLOC_DEVICE)
        m->used_b -= a.size_b;
    memmove(m->allocs.at + i, m->allocs.at + i + 1, sizeof a * (m->allocs.n - i - 1));
    m->allocs.n--;
    changed(m);
    a.host = NULL;
    if (m->freed.n == FREED_KEPT)
        memmove(m->freed.at, m->freed.at + 1, sizeof a * --m->freed.n);
    vec_push(&m->freed, a);
    return true;
}

bool exec_set_heap(struct exec_dev *d, uint64_t heap_b)
{
    if (heap_b < d->mem.heap_used_b)
        return false;
    d->mem.heap_limit_b = heap_b;
    return true;
}

uint64_t exec_alloc(struct exec_dev *d, uint64_t size_b) { return mem_alloc(&d->mem, size_b, ALLOC_DEVICE); }

bool exec_free(struct exec_dev *d, uint64_t addr) { return mem_free(&d->mem, addr, ALLOC_DEVICE); }

bool exec_map(struct exec_dev *d, void *host, uint64_t size_b)
{
    uint64_t base = (uint64_t)(uintptr_t)host;
    if (!host || size_b == 0 || size_b > WINDOW_SHARED || base > WINDOW_SHARED - size_b)
        return false;
    if (base < MEM_HEAP_END && base + size_b > MEM_DEVICE_BASE)
        return false;
    uint32_t i = above(&d->mem, base);
    if (i && base - d->mem.allocs.at[i - 1].base < d->mem.allocs.at[i - 1].size_b)
        return false;
    if (i < d->mem.allocs.n && d->mem.allocs.at[i].base - base < size_b)
        return false;
    insert(&d->mem, (struct alloc){.base = base, .size_b = size_b, .host = host, .kind = ALLOC_MAPPED});
    return true;
}

bool exec_unmap(struct exec_dev *d, void *host)
{
    return mem_free(&d->mem, (uint64_t)(uintptr_t)host, ALLOC_MAPPED);
}

void *exec_ptr(struct exec_dev *d, uint64_t addr, uint64_t size_b)
{
    const struct alloc *a = mem_find(&d->mem, addr);
    if (!a || size_b > a->size_b - (addr - a->base))
        return NULL;
    return a->host + (addr - a->base);
}
