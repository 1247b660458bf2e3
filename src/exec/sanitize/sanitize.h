/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of a program's use of memory, as NVIDIA's compute-sanitizer has them: races, reads of memory that was never written, and
 * threads that meet at the wrong barrier. (Accesses outside of allocations are errors of every launch, exec.h.)
 *
 * A device that checks looks at each memory and synchronisation instruction through the executor's observer; one that does not
 * pays nothing. It changes nothing that a kernel computes. What is one mistake of the source is told once for each launch,
 * with how often it was seen. */
#ifndef EXEC_SANITIZE_H
#define EXEC_SANITIZE_H

#include "exec/exec.h"

struct exec_check_cfg {
    bool race; /* shared and global memory */
    bool init; /* reads of global, shared and local memory */
    bool sync; /* barriers */
    /* Takes a finding: one line of text. */
    void (*tell)(void *ctx, const char *text);
    void *ctx;
};

/* From here on, launches without an observer of their own are checked. */
void exec_check_start(struct exec_dev *d, const struct exec_check_cfg *cfg);
/* Before a launch: its number, which counts up, and the launches that it comes after (streams, events). A launch that nobody
 * announces comes after all before it. */
void exec_check_order(struct exec_dev *d, uint32_t number, const uint32_t *after, uint32_t nafter);
/* The host has written device memory. Nothing happens on a device that does not check. */
void exec_check_wrote(struct exec_dev *d, uint64_t addr, uint64_t n);
/* So far: different findings, and how often all of them were seen. */
struct exec_check_sum {
    uint64_t findings, times;
};
struct exec_check_sum exec_check_sum(const struct exec_dev *d);

#endif
