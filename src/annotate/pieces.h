/* SPDX-License-Identifier: Apache-2.0 */
/* Inside strands (strands.h): gives the values of one piece their places in the small files. Only strands.c calls it. */
#ifndef ANNOTATE_PIECES_H
#define ANNOTATE_PIECES_H

#include "annotate/live.h"
#include "annotate/strands.h"

enum { PIECE_MAX = 1024 }; /* instructions; longer ones are cut */

bool is_far_load(const struct tr_insn *i); /* its result comes from memory, and is long in coming */
/* Of these: by a load of global memory, no texture, atomic or local one */
bool is_global_load(const struct tr_insn *i);

struct pieces;
struct pieces *pieces_new(const struct tr_kernel *k, uint32_t lrf, uint32_t orf);
void pieces_free(struct pieces *p);
/* Instructions start to start + n, after which `live` is live: sets read, write, last, banks of out[0] to out[n - 1]. */
void pieces_place(struct pieces *p, uint32_t start, uint32_t n, const regset *live, struct strand_insn *out);

#endif
