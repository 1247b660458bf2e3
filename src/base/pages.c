/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pages.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* HEAP_B is address space that the heap gets in one go, and memory only as it is used. Blocks from BLOCK_B on lie apart from it,
 * and go back to the system when they are freed, as does what the heap has free at its end beyond HEAP_B. */
enum { HEAP_B = 256 << 20, BLOCK_B = 32 << 20, PAGE_B = 2 << 20 };

void pages_large(void)
{
#ifdef __GLIBC__
    mallopt(M_TOP_PAD, HEAP_B);
    mallopt(M_TRIM_THRESHOLD, 2 * HEAP_B);
    mallopt(M_MMAP_THRESHOLD, BLOCK_B);
    void *volatile first = malloc(BLOCK_B / 2); /* the heap begins */
    free(first);
    uintptr_t end = (uintptr_t)sbrk(0), from = (end - HEAP_B + PAGE_B - 1) / PAGE_B * PAGE_B;
    if (end != UINTPTR_MAX)
        (void)madvise((void *)from, end - from, MADV_HUGEPAGE); // NOLINT(performance-no-int-to-ptr)
#endif
}
