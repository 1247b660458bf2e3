/* SPDX-License-Identifier: Apache-2.0 */
/* Options of the memory system for tests: round numbers, one core cycle per DRAM clock. */
#ifndef TESTS_MEM_RIG_H
#define TESTS_MEM_RIG_H

#include "mem/part.h"

/* The defaults, then: clocks of 1000 MHz, a bus of a sector per cycle, 16 banks of 2 KiB rows, nothing between L2 and DRAM. */
struct mem_cfg rig_cfg(void);

#endif
