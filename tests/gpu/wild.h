/* SPDX-License-Identifier: Apache-2.0 */
/* Random traces: kernels of instructions of every class, executed by random lanes of random warps. No program could have made
 * most of them, but all of them end: warps meet at their barriers, and wait for copies that were made. Those of WILD_CODE a
 * program could have made: each thread follows the paths that the code has, so what is known of the code (liveness, regions)
 * holds. */
#ifndef TESTS_GPU_WILD_H
#define TESTS_GPU_WILD_H

#include <stdint.h>

enum wild_kind {
    WILD_ANY,
    WILD_MEMORY, /* mostly loads and stores, scattered */
    WILD_ATOMICS,
    WILD_CODE,   /* straight parts, branches and loops, in which lanes part and meet again */
    WILD_BLOCKS, /* lanes follow the blocks of the code; they part and meet at any place of a block */
};

void wild_write(const char *path, uint64_t seed, enum wild_kind kind);

#endif
