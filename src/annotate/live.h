/* Liveness of registers over the blocks of the static code, thread by thread. Where the code cannot tell what comes next (an indirect
 * branch, a call, a return), everything is live. For the passes of this directory. */
#ifndef ANNOTATE_LIVE_H
#define ANNOTATE_LIVE_H

#include "trace/kernel.h"

struct regset {
    uint64_t w[4]; /* R0 to R255 */
};

bool regset_any(const struct regset *s, const struct tr_opnd *o); /* one of the operand's registers */
static inline bool regset_has(const struct regset *s, uint32_t r) { return s->w[r / 64] >> r % 64 & 1; }

bool is_control(const struct tr_insn *i); /* no unit: the timing model moves no operands for it */

/* An indirect branch, a return, a call: its block goes on where a call returns to, and does not tell of the function. */
bool leaves_code(const struct tr_kernel *k, const struct tr_block *b, const struct tr_insn *i);

/* What is live before each block. The caller frees it. */
struct regset *live_before(const struct tr_kernel *k);
struct regset live_after(const struct tr_kernel *k, const struct tr_block *b, const struct regset *before);
/* From what is live after an instruction to what is live before it, in two steps. A guarded write leaves the old value to some
 * lanes; what control instructions write is not followed by the timing model, where the old value stays. */
void live_overwrite(const struct tr_kernel *k, const struct tr_block *b, const struct tr_insn *i,
                    struct regset *s);
void live_use(const struct tr_insn *i, struct regset *s);

/* Blocks that have yet to be looked at, each once; at first all, the first one first. What changes on the way goes to the front, so that
 * the time does not depend on the order in which blocks stand. */
struct todo {
    uint32_t *at, n;
    bool *in;
};
void todo_init(struct todo *t, uint32_t nblocks);
void todo_free(struct todo *t);
void todo_add(struct todo *t, uint32_t block);
bool todo_take(struct todo *t, uint32_t *block); /* false: none is left */

#endif
