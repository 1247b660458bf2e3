/* SPDX-License-Identifier: Apache-2.0 */
/* Does a kernel call functions through pointers, or such as call themselves? What a cubin says of a kernel's stack is without
 * these, so that a thread then has CUDA's default stack. */
#include "base/vec.h"
#include "ir/ir.h"
#include "sass/lower.h"

struct walk {
    const struct code *c;
    const unsigned char *is_call;
    unsigned char *seen;
    VEC(uint32_t) todo;
};

static void go_to(struct walk *w, uint32_t at)
{
    if (at >= w->c->n || w->seen[at])
        return;
    w->seen[at] = 1;
    vec_push(&w->todo, at);
}

/* Is `entry` called by anything that can execute once it has been entered? */
static bool comes_back(struct walk *w, uint32_t entry)
{
    memset(w->seen, 0, w->c->n);
    w->todo.n = 0;
    go_to(w, entry);
    while (w->todo.n) {
        uint32_t at = w->todo.at[--w->todo.n];
        const struct ir_insn *i = &w->c->insns[at];
        bool jumps = i->op == OP_BRA || i->op == OP_JMP || i->op == OP_EXIT;
        bool may_stay = i->guard.kind != OPND_NONE || (i->op != OP_JMP && i->src[0].kind != OPND_NONE);
        if (i->op == OP_BRA) {
            if (w->is_call[at] && i->target == entry)
                return true;
            go_to(w, i->target);
        }
        if (!jumps || may_stay || w->is_call[at])
            go_to(w, at + 1);
    }
    return false;
}

bool sass_stack_is_open(const struct code *c, const unsigned char *is_call)
{
    struct walk w = {.c = c, .is_call = is_call, .seen = xmalloc(c->n + 1)};
    unsigned char *tried = xcalloc(c->n + 1, 1);
    bool yes = false;
    for (uint32_t at = 0; at < c->n && !yes; at++) {
        const struct ir_insn *i = &c->insns[at];
        if (!is_call[at])
            continue;
        if (i->op != OP_BRA) {
            yes = true;
        } else if (!tried[i->target]) {
            tried[i->target] = 1;
            yes = comes_back(&w, i->target);
        }
    }
    vec_free(&w.todo);
    free(w.seen);
    free(tried);
    return yes;
}
