/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of memory that accesses touch (lines.c), and the regions of local memory. What an SM keeps for them is in core.h. */
#ifndef SM_LINES_H
#define SM_LINES_H

#include "sm/part.h"

/* What the lanes of a step touch. */
void lines_of_step(struct sm *s, const struct part *p, uint32_t w, const struct tr_step *step,
                   struct ientry *e);
/* Of these only lines of memory: global, local. */
void lines_of_memory(struct sm *s, const struct part *p, uint32_t w, const struct tr_step *step,
                     const struct kinsn *k, struct lines *l);
void lines_free(struct sm *s, struct lines *l);
uint64_t *lines_take_block(struct sm *s, struct lines *l); /* for MAX_LINES words; lines_free gives it back */
/* Local memory: the region of a new warp, that of its slot unless a CTA that has left the slot keeps it; that CTA leaves; it
 * ends. */
uint64_t local_take(struct sm *s, struct part *p, uint32_t slot);
void local_keep(struct sm *s, uint64_t region);
void local_release(struct sm *s, uint64_t region);
/* mapping.c: marks the lines with how the lanes' words lie in them (enum line_map). */
void lines_map(struct sm *s, struct lines *l, const uint64_t *addr, uint32_t mask, uint32_t width);
/* All were looked up: the list is not needed any more, only how many they were. Instructions may wait for memory in any
 * number, those whose lists are held are few. */
void lines_walked(struct sm *s, struct lines *l);
uint64_t local_word(const struct part *p, uint32_t w, uint64_t addr, uint32_t lane);

#endif
