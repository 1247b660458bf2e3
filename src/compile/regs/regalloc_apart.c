/* SPDX-License-Identifier: Apache-2.0 */
/* Words that had better not share a register: memory instructions read their operands late, and who writes one of these registers
 * soon after must wait for that. The pairs are found here; regalloc_choose.c weighs them against bank conflicts. */
#include "compile/regs/regalloc.h"

enum {
    HOLD = 8,
    RECENT = 64
}; /* instructions that a register is taken to be held for; words that are remembered */

struct held {
    uint32_t word, until;
};

struct recent {
    struct held at[RECENT];
    uint32_t n, next;
};

static void hold(const struct ra *r, struct recent *h, const struct ir_insn *i, uint32_t now)
{
    if (!(ir_ops[i->op].flags & OPF_MEM))
        return;
    for (int s = 0; s < 6; s++) {
        uint32_t w, n = i->src[s].kind == OPND_REG ? ra_opnd_words(r, &i->src[s], &w) : 0;
        for (uint32_t k = 0; k < n; k++) {
            h->at[h->next] = (struct held){w + k, now + HOLD};
            h->next = (h->next + 1) % RECENT;
            h->n += h->n < RECENT;
        }
    }
}

static void meet(const struct ra *r, const struct recent *h, const struct ir_insn *i, uint32_t now,
                 float weight, ra_pair_fn *f, void *arg)
{
    for (int d = 0; d < 2; d++) {
        uint32_t w, n = i->dst[d].kind == OPND_REG ? ra_opnd_words(r, &i->dst[d], &w) : 0;
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t x = 0; x < h->n; x++)
                if (h->at[x].until > now && r->root_of[h->at[x].word] != r->root_of[w + k])
                    f(arg, w + k, h->at[x].word, weight);
    }
}

void ra_each_apart(const struct ra *r, ra_pair_fn *f, void *arg)
{
    for (uint32_t b = 0; b < r->fn->blocks.n; b++) {
        const struct ir_block *bl = &r->fn->blocks.at[b];
        float weight = (float)ra_block_weight(r, b);
        struct recent h = {.n = 0};
        for (uint32_t k = 0; k < bl->insns.n; k++) {
            meet(r, &h, &bl->insns.at[k], k, weight, f, arg);
            hold(r, &h, &bl->insns.at[k], k);
        }
    }
}
