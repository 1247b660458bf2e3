/* SPDX-License-Identifier: Apache-2.0 */
/* Warp collectives with a member mask: they run when every live member is there. Lanes that come early wait at the
 * instruction as a split of their own. Lanes may carry different masks (one group each, as after match.any); each group is
 * a collective of its own. WARPSYNC only needs the same mask, the others the same instruction too. */
#include "exec/run.h"

static uint32_t members_of(const struct warp *w, const struct dop *d, uint32_t lane)
{
    return d->mask_src ? x_row(&w->x, &d->x, d->mask_src - 1u)[lane] : ~0u;
}

static bool same_place(const struct run *r, const struct split *a, uint32_t pc)
{
    return a->pc == pc || (r->ops[a->pc].op == OP_WARPSYNC && r->ops[pc].op == OP_WARPSYNC);
}

/* Lanes that wait for the collective at pc with these members. */
static uint32_t waiting(const struct run *r, const struct warp *w, uint32_t pc, uint32_t members)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < w->nsplit; i++) {
        const struct split *s = &w->split[i];
        if (s->state == SPLIT_COLL && s->key == members && same_place(r, s, pc))
            lanes |= s->mask;
    }
    return lanes;
}

/* Takes the waiting lanes out of their splits: those at pc are returned, to be run together; lanes at another WARPSYNC
 * go on behind theirs. */
static uint32_t gather(struct run *r, struct warp *w, uint32_t pc, uint32_t members)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < w->nsplit;) {
        struct split *s = &w->split[i];
        if (s->state != SPLIT_COLL || s->key != members || !same_place(r, s, pc)) {
            i++;
        } else if (s->pc == pc) {
            lanes |= s->mask;
            split_remove(w, i);
        } else {
            s->state = SPLIT_RUN;
            s->pc++;
            i++;
        }
    }
    return lanes;
}

bool coll_step(struct run *r, struct warp *w, struct dop *d, uint32_t mask, uint32_t *ran)
{
    uint32_t pc = w->split[w->cur].pc, pass = w->split[w->cur].mask & ~mask;
    for (uint32_t rest = mask; rest;) {
        uint32_t members = members_of(w, d, lane_first(rest)), group = 0;
        lanes_each (rest, l)
            group |= (uint32_t)(members_of(w, d, l) == members) << l;
        rest &= ~group;
        if (group & ~members)
            return fail(r, w, EXEC_BAD_CODE, lane_first(group & ~members), 0,
                        "%s: the executing lane is not in its member mask %08x", ir_ops[d->op].name, members);
        uint32_t all = group | waiting(r, w, pc, members);
        if (members & w->live & ~all) {
            w->split[w->cur].mask &= ~group;
            split_add(w, pc, group, SPLIT_COLL, members);
            continue;
        }
        group |= gather(r, w, pc, members);
        if (!d->core(r, w, d, group))
            return false;
        *ran |= group;
    }
    pass |= *ran;
    struct split *s = &w->split[w->cur];
    s->mask = pass;
    s->pc = pc + 1;
    if (!pass)
        split_remove(w, w->cur);
    return true;
}

/* Lanes have exited: a group that waited for them only goes on. Those at one instruction execute it together. */
void coll_wake(struct run *r, struct warp *w)
{
    for (uint32_t i = 0; i < w->nsplit; i++) {
        struct split s = w->split[i];
        if (s.state != SPLIT_COLL || (s.key & w->live & ~waiting(r, w, s.pc, s.key)))
            continue;
        bool sync = r->ops[s.pc].op == OP_WARPSYNC;
        for (uint32_t j = i + 1; j < w->nsplit;) {
            struct split *t = &w->split[j];
            if (t->state == SPLIT_COLL && t->key == s.key && t->pc == s.pc) {
                s.mask |= t->mask;
                split_remove(w, j);
            } else {
                if (sync && t->state == SPLIT_COLL && t->key == s.key && same_place(r, t, s.pc)) {
                    t->state = SPLIT_RUN;
                    t->pc++;
                }
                j++;
            }
        }
        w->split[i] = (struct split){.pc = s.pc + sync, .mask = s.mask, .state = SPLIT_RUN};
    }
}

/* PTX shfl: c holds the clamp in bits 0-4 and the segment mask in bits 8-12. */
bool core_shfl(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    (void)r;
    const uint32_t *val = x_row(&w->x, &d->x, 0), *by = x_row(&w->x, &d->x, 1), *ctl = x_row(&w->x, &d->x, 2);
    uint32_t *dst = x_dst(&w->x, &d->x, 0), out[LANES], ok = 0;
    lanes_each (mask, l) {
        uint32_t b = by[l] & 31, clamp = ctl[l] & 31, seg = ctl[l] >> 8 & 31;
        uint32_t max = (l & seg) | (clamp & ~seg), min = l & seg;
        int32_t j = 0;
        bool in = false;
        switch ((enum ir_shfl)d->x.insn->sub) {
        case SHFL_UP: j = (int32_t)l - (int32_t)b, in = j >= (int32_t)max; break;
        case SHFL_DOWN: j = (int32_t)(l + b), in = j <= (int32_t)max; break;
        case SHFL_BFLY: j = (int32_t)(l ^ b), in = j <= (int32_t)max; break;
        case SHFL_IDX: j = (int32_t)(min | (b & ~seg)), in = j <= (int32_t)max; break;
        }
        out[l] = val[in ? j : (int32_t)l];
        ok |= (uint32_t)in << l;
    }
    lanes_each (mask, l)
        dst[l] = out[l];
    x_pset(&w->x, d->x.pdst[1], ok, mask);
    return true;
}

bool core_vote(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    (void)r;
    uint32_t yes = x_psrc(&w->x, &d->x.psrc[0]) & mask, ballot = yes, flag = 0;
    switch ((enum ir_vote)d->x.insn->sub) {
    case VOTE_ALL: flag = yes == mask; break;
    case VOTE_ANY: flag = yes != 0; break;
    case VOTE_UNI: flag = yes == 0 || yes == mask; break;
    case VOTE_BALLOT: flag = yes != 0; break;
    case VOTE_ACTIVE:
        ballot = mask;
        flag = 1;
        break;
    }
    uint32_t *dst = x_dst(&w->x, &d->x, 0);
    lanes_each (mask, l)
        dst[l] = ballot;
    x_pset(&w->x, d->x.pdst[1], 0u - flag, mask);
    return true;
}

bool core_match(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    (void)r;
    const uint32_t *row = x_row(&w->x, &d->x, 0);
    bool wide = d->x.insn->src[0].n == 2;
    uint32_t *dst = x_dst(&w->x, &d->x, 0), out[LANES], all = 0;
    lanes_each (mask, l) {
        out[l] = 0;
        lanes_each (mask, k) {
            if (row[k] == row[l] && (!wide || row[LANES + k] == row[LANES + l]))
                out[l] |= 1u << k;
        }
        all = out[l];
    }
    bool any = d->x.insn->sub == 0;
    lanes_each (mask, l)
        dst[l] = any || all == mask ? out[l] : 0;
    x_pset(&w->x, d->x.pdst[1], any || all == mask ? ~0u : 0, mask);
    return true;
}

static uint32_t combine(enum ir_aop op, bool is_signed, uint32_t a, uint32_t b)
{
    bool less = is_signed ? (int32_t)a < (int32_t)b : a < b;
    switch (op) {
    case AOP_ADD: return a + b;
    case AOP_MIN: return less ? a : b;
    case AOP_MAX: return less ? b : a;
    case AOP_AND: return a & b;
    case AOP_OR: return a | b;
    default: return a ^ b;
    }
}

bool core_redux(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    (void)r;
    const uint32_t *row = x_row(&w->x, &d->x, 0);
    uint32_t v = row[lane_first(mask)];
    lanes_each (mask &(mask - 1), l)
        v = combine(d->x.insn->aop, d->x.insn->type == T_S32, v, row[l]);
    uint32_t *dst = x_dst(&w->x, &d->x, 0);
    lanes_each (mask, k)
        dst[k] = v;
    return true;
}

bool core_elect(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    (void)r;
    uint32_t *dst = x_dst(&w->x, &d->x, 0), leader = lane_first(mask);
    lanes_each (mask, l)
        dst[l] = leader;
    x_pset(&w->x, d->x.pdst[1], 1u << leader, mask);
    return true;
}
