/* SPDX-License-Identifier: Apache-2.0 */
/* Register allocation: the rounds. Each builds the graph, joins copies, lowers the pressure below the limit or colours,
 * and inserts spill code for what did not fit. Later rounds keep reloaded values for a shorter time, and the last resort
 * spills everything, which leaves only the operands of single instructions: at 16 registers those always fit. */
#include "compile/regs/regalloc.h"

enum { SPILL_ALL_ROUND = 20, LAST_ROUND = 32, RELOAD_WINDOW = 4 };

/* A guard that is always true goes, with a guard that is always false the instruction goes: liveness takes a guard for
 * something that depends on the lane. */
static void fold_constant_guards(struct ir_fn *fn)
{
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        struct ir_block *bl = &fn->blocks.at[b];
        uint32_t n = 0;
        for (uint32_t k = 0; k < bl->insns.n; k++) {
            struct ir_insn *i = &bl->insns.at[k];
            bool constant = i->guard.kind == OPND_PRED && i->guard.val == PRED_PT;
            if (constant && i->guard.neg)
                continue;
            if (constant)
                i->guard = ir_none();
            bl->insns.at[n++] = *i;
            if (ir_is_terminator(i))
                break;
        }
        bl->insns.n = n;
    }
}

/* Unreachable code has no liveness to allocate by; it becomes an EXIT that is never executed. */
static void drop_unreachable(struct ir_fn *fn)
{
    struct arena tmp = {0};
    struct ir_cfg *c = ir_cfg_build(fn, &tmp);

    for (uint32_t b = 0; b < fn->blocks.n; b++)
        if (c->rpo_of[b] == CFG_NONE) {
            vec_clear(&fn->blocks.at[b].insns);
            vec_push(&fn->blocks.at[b].insns, (struct ir_insn){.op = OP_EXIT, .line = fn->blocks.at[b].line});
        }
    arena_free(&tmp);
}

static uint32_t pick_all(struct ra *r, uint8_t *spill)
{
    uint32_t n = 0;

    for (uint32_t e = 0; e < r->nvregs; e++)
        if (r->ent[e].parent == e && r->ent[e].spillable && r->ent[e].cost > 0) {
            spill[e] = 1;
            n++;
        }
    return n;
}

/* Joined copies make long ranges that may not fit; then only harmless joins are kept before anything is spilled. */
static bool colour(struct ra *r, const struct ra_ent *unjoined, struct ra_colours *c)
{
    if (ra_colour(r, c))
        return true;
    if (!r->copies.n || r->failures)
        return false;
    struct ra_colours fewer;
    struct ra_ent *joined = r->ent;
    uint32_t *root_of = r->root_of;
    uint8_t *pos_of = r->pos_of;
    r->ent = ARENA_ARRAY(&r->mem, struct ra_ent, r->nents + 1);
    memcpy(r->ent, unjoined, sizeof *r->ent * r->nents);
    ra_coalesce(r, COALESCE_SAFE);
    if (ra_colour(r, &fewer)) {
        *c = fewer;
        return true;
    }
    r->ent = joined;
    r->root_of = root_of;
    r->pos_of = pos_of;
    return false;
}

static void finish(struct ra *r, struct ra_colours *c)
{
    if (r->bank_aware)
        ra_choose(r, c);
    ra_rewrite(r, c);
}

/* One round: true when registers are assigned. *stuck: nothing could be spilled either. */
static bool round_of(struct ra *r, uint32_t round, bool *stuck)
{
    struct ra_colours c;
    uint32_t n;

    ra_build(r);
    struct ra_ent *unjoined = ARENA_ARRAY(&r->mem, struct ra_ent, r->nents + 1);
    memcpy(unjoined, r->ent, sizeof *unjoined * r->nents);
    ra_coalesce(r, COALESCE_ALL);
    uint8_t *spill = ARENA_ARRAY(&r->mem, uint8_t, r->nents + 1);
    n = ra_pick_pressure(r, r->limit - 1, MAX_PREDS, spill);
    if (n == 0 && !r->no_graph) {
        if (colour(r, unjoined, &c)) {
            finish(r, &c);
            return true;
        }
        n = round >= SPILL_ALL_ROUND ? pick_all(r, spill) : ra_pick_failed(r, &c, ++r->failures, spill);
    }
    if (n)
        ra_spill(r, spill, round < 3 ? RELOAD_WINDOW : 0);
    *stuck = n == 0;
    return false;
}

const char *pass_regalloc(struct ir_fn *fn, uint32_t limit, uint32_t banks, bool bank_aware)
{
    struct ra r = {.fn = fn,
                   .limit = limit > MAX_REGS ? MAX_REGS : limit,
                   .banks = banks ? banks : 2,
                   .bank_aware = bank_aware};
    bool done = false, stuck = false;

    if (limit < RA_LEAST)
        return "at least 14 registers are needed";
    ir_compact(fn);
    const char *why = ir_too_large(fn);
    if (why)
        return why;
    fold_constant_guards(fn);
    drop_unreachable(fn);
    ra_split(fn);
    why = ra_place_acc(fn, r.limit);
    if (why)
        return why;
    for (uint32_t round = 0; round < LAST_ROUND && !done && !stuck; round++) {
        done = round_of(&r, round, &stuck);
        arena_free(&r.mem);
    }
    vec_free(&r.copies);
    vec_free(&r.pred_nospill);
    return done ? NULL
                : arena_printf(fn->arena, "%s does not fit into %u registers",
                               fn->name ? fn->name : "function", r.limit);
}
