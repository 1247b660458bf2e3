/* SPDX-License-Identifier: Apache-2.0 */
/* Static code to and from the payload of a kernel chunk. */
#ifndef TRACE_KERNEL_IO_H
#define TRACE_KERNEL_IO_H

#include "trace/bytes.h"
#include "trace/code/kernel.h"

/* Bounds that keep a hostile file from asking for more memory than a machine has. */
enum {
    KERNEL_MAX_INSNS = 1 << 20,
    KERNEL_MAX_SUCCS = 16,     /* successors of all blocks, per instruction */
    TRACE_MAX_INSNS = 1 << 22, /* of all kernels of a file */
};

void kernel_put(struct buf *b, const struct tr_kernel *k);
/* Checked with tr_kernel_check. NULL and *why (static, or in `notes`) if wrong. At most max_insns instructions. */
struct tr_kernel *kernel_get(const uint8_t *bytes, size_t n, uint32_t max_insns, struct arena *notes,
                             const char **why);

#endif
