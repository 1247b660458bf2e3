/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the translation: an instruction of NVIDIA's becomes one of the executor's. Each part takes the instructions of
 * its units and says false for what it does not know. */
#ifndef SASS_LOWER_H
#define SASS_LOWER_H

#include "sass/table.h"

struct lower {
    const struct sass_kernel *k;
    const struct sass_insn *in;
    struct ir_insn *out;
    uint32_t at;
    const char *bad; /* why it is refused, where "not executed" does not say enough */
};

bool lower_float(struct lower *l);
bool lower_int(struct lower *l);
bool lower_convert(struct lower *l);
bool lower_memory(struct lower *l);
bool lower_control(struct lower *l);
bool lower_warp(struct lower *l);
bool lower_tensor(struct lower *l);

/* Operand k of the instruction as a source or destination of n words. */
struct ir_opnd lower_src(const struct lower *l, unsigned k, unsigned n);
struct ir_opnd lower_dst(const struct lower *l, unsigned k, unsigned n);
/* Its modifier in the encoding, 0 where the row has none. */
static inline unsigned lower_mod(const struct lower *l, enum sass_modkind kind)
{
    return sass_mod(l->in, kind);
}
/* Is the predicate operand k always true, always false? */
bool lower_always(const struct lower *l, unsigned k);
bool lower_never(const struct lower *l, unsigned k);
/* Sources b, c as the operation needs them prepared. */
void lower_prep(struct lower *l, unsigned src, enum ir_prep how);
bool lower_refuse(struct lower *l, const char *why);
/* rest.c: does no bit of it mean something that is not known here? */
bool sass_is_whole(const struct sass_insn *i);
/* calls.c: does nobody know how deep its calls go? is_call: by instruction. */
bool sass_stack_is_open(const struct code *c, const unsigned char *is_call);

#endif
