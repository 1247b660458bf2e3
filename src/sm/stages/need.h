/* SPDX-License-Identifier: Apache-2.0 */
/* Reads of the banks. Each bank gives its registers to whoever came first, so no queue of each bank is needed, only what each
 * collector has yet to get from each bank: a byte for every bank (unit.need; collect.wide has the bytes of banks beyond the first
 * eight), and the collectors in the order in which they came (collect.order). A cycle goes through the collectors in that order;
 * `left` has a byte for every bank, too: the registers that it can give in this cycle. */
#ifndef SM_STAGES_NEED_H
#define SM_STAGES_NEED_H

#include "sm/stages/flight.h"

#define NEED_ONE 0x0101010101010101ull

/* collect.c. What few machines need: the first of several banks have turns where the ports of a collector are few; a read behind
 * a write of the same register, which a policy has sent to its bank, waits; what instructions need of many banks. */
ASIDE void need_limit(const struct part *p, uint32_t unit, uint64_t *got, uint64_t t);
ASIDE void need_behind_kept(const struct part *p, uint64_t *left);
ASIDE bool need_of_wide(struct part *p, uint32_t unit, const struct kinsn *k, uint32_t bank0, uint32_t found);

/* Is it kept which units of collection wait for an execution unit, and until when any waits for its operands? Where a lone
 * scheduler has a few of them it asks again. */
STAGE bool keeps_busy(features on) { return on & (F_POLICY | F_SCHEDULERS); }

STAGE uint32_t need_words(const struct collect *c, features on) { return on & F_BANKS ? c->words : 1; }
STAGE uint64_t *need_word(const struct collect *c, uint32_t unit, uint32_t word)
{
    return word ? &c->wide[unit * (NEED_WORDS - 1) + word - 1] : &c->units[unit].need;
}

/* 1 in each byte that is not 0. No byte is above 127. */
STAGE uint64_t need_any(uint64_t bytes) { return ((bytes + 0x7f * NEED_ONE) >> 7) & NEED_ONE; }
/* Eight banks, by bit (no higher one is set), as bytes of 1; and bytes that are not 0 as bits. */
STAGE uint64_t need_banks(uint64_t banks)
{
    uint64_t each = banks * NEED_ONE & 0x8040201008040201ull;
    return ((each + 0x7f * NEED_ONE) >> 7) & NEED_ONE;
}
STAGE uint64_t need_bits(uint64_t bytes) { return need_any(bytes) * 0x0102040810204080ull >> 56; }
STAGE uint32_t need_sum(uint64_t bytes) { return (uint32_t)(bytes * NEED_ONE >> 56); }

/* Byte by byte, the less of the two. `left` is 0 or 1 in each, but for machines with F_BANKS. */
STAGE uint64_t need_less(uint64_t need, uint64_t left, features on)
{
    if (!(on & F_BANKS))
        return ((need + 0x7f * NEED_ONE) >> 7) & left;
    uint64_t enough = ((need | 0x80 * NEED_ONE) - left) & 0x80 * NEED_ONE, mask = enough - (enough >> 7);
    return (left & mask) | (need & ~mask);
}

/* What an instruction has to read, but for operands that were `found` elsewhere, is noted in its unit. False: nothing. */
STAGE bool need_of(struct part *p, uint32_t unit, const struct kinsn *k, uint32_t bank0, uint32_t found,
                   features on)
{
    if (on & F_BANKS && p->collect.words > 1)
        return need_of_wide(p, unit, k, bank0, found);
    uint64_t need = k->need[bank0];
    for (uint32_t m = on & F_POLICY ? found : 0; m; m &= m - 1)
        need -= 1ull << 8 * bank_of(p, k->read_bank[__builtin_ctz(m)], bank0);
    p->collect.units[unit].need = need;
    return need != 0;
}

/* How many bits are set, of a few. A processor of the least kind has no instruction for it. */
STAGE uint32_t few_bits(uint32_t bits)
{
    uint32_t n = 0;
    for (; bits; bits &= bits - 1)
        n++;
    return n;
}

/* Cycles that operands of the instruction in the unit, which were not `found` elsewhere, wait for each other. Mostly none: each
 * has a bank to itself. */
STAGE uint32_t need_self_wait(const struct part *p, uint32_t unit, const struct kinsn *k, uint32_t found,
                              features on)
{
    const struct collect *c = &p->collect;
    if (!(on & F_BANKS) && !c->limited && !(c->units[unit].need & ~NEED_ONE))
        return 0;
    return kinsn_self_wait(k, ~found, p->banks.reads, p->sm->cfg->collector_ports);
}

/* What units got from the banks in a cycle, a byte for each bank; of that, what had waited. */
struct need_got {
    uint64_t all[NEED_WORDS], late[NEED_WORDS];
};

/* Registers came to a unit, `waited` cycles after they could have. */
STAGE void need_late(struct part *p, const struct unit *u, const uint64_t *got, uint32_t waited,
                     struct need_got *sum, features on)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < need_words(&p->collect, on); i++) {
        n += need_sum(got[i]);
        sum->late[i] += got[i];
    }
    p->sm->stats[SS_reg_read_wait] += waited * n;
    probe_late(p, u->flight, n, waited * n, on);
}

/* What a unit gets from banks that have some left. False: it has all. */
STAGE bool need_get(struct part *p, uint32_t r, uint64_t *left, uint64_t t, struct need_got *sum, features on)
{
    struct collect *c = &p->collect;
    struct unit *u = &c->units[r];
    uint32_t words = need_words(c, on), waited = (uint32_t)t - u->since;
    uint64_t got[NEED_WORDS], rest = 0;
    for (uint32_t i = 0; i < words; i++)
        got[i] = need_less(*need_word(c, r, i), left[i], on);
    if (on & F_BANKS && c->limited)
        need_limit(p, r, got, t);
    probe_read(p, r, got, t, waited, on);
    for (uint32_t i = 0; i < words; i++) {
        uint64_t need = *need_word(c, r, i) -= got[i];
        left[i] -= got[i];
        if (on & F_BANKS && c->limited) /* who comes behind it in a bank waits for it */
            left[i] &= ~(need_any(need) * 255);
        rest |= need;
        sum->all[i] += got[i];
    }
    if (waited)
        need_late(p, u, got, waited, sum, on);
    if (rest)
        return true;
    u->ready = t + 1 + (on & F_POLICY ? c->late : 0);
    if (keeps_busy(on))
        c->ready_by = u->ready > c->ready_by ? u->ready : c->ready_by;
    return false;
}

/* The reads of a cycle are counted: in bytes, as long as these cannot overflow. */
STAGE void need_count(struct part *p, const struct need_got *sum, features on)
{
    struct banks *b = &p->banks;
    uint32_t n = 0;
    for (uint32_t i = 0; i < need_words(&p->collect, on); i++) {
        uint64_t all = sum->all[i];
        n += on & F_BANKS ? need_sum(all & 0x0f * NEED_ONE) + 16 * need_sum(all >> 4 & 0x0f * NEED_ONE)
                          : need_sum(all);
        b->got[i] += all;
        b->got_late[i] += sum->late[i];
        if (on & (F_POLICY | F_FOLLOWED))
            b->read_now |= need_bits(all) << 8 * i;
        if (RARE(b->got[i] & 0x80 * NEED_ONE))
            banks_count(b);
    }
    p->sm->operands.reads_now += n;
}

/* What banks can give in cycle t: nothing where a write has taken the bank, or a policy. */
STAGE void need_left(struct part *p, uint64_t *left, uint64_t t, features on)
{
    const struct banks *b = &p->banks;
    const struct operands_ops *o = stage_ops(p->sm, on);
    uint64_t shut = b->write_now;
    if (o->taken)
        shut |= o->taken(p->operands, t);
    for (uint32_t i = 0; i < need_words(&p->collect, on); i++) {
        left[i] = NEED_ONE;
        if (RARE(shut))
            left[i] ^= need_banks(on & F_BANKS ? shut >> 8 * i & 255 : shut);
        if (on & F_BANKS)
            left[i] *= b->reads;
    }
    if (on & F_POLICY && RARE(b->kept))
        need_behind_kept(p, left);
}

/* The banks are read in cycle t. */
STAGE void read_banks(struct part *p, uint64_t t, features on)
{
    struct collect *c = &p->collect;
    uint64_t left[NEED_WORDS];
    struct need_got sum;
    need_left(p, left, t, on);
    for (uint32_t i = 0; i < need_words(c, on); i++)
        sum.all[i] = sum.late[i] = 0;
    uint32_t n = 0;
    for (uint32_t i = 0, all = c->nreading; i < all; i++) {
        uint32_t r = c->order[i];
        if (need_get(p, r, left, t, &sum, on))
            c->order[n++] = (uint8_t)r;
        else
            c->full |= 1ull << r;
    }
    c->nreading = n;
    need_count(p, &sum, on);
}

/* Does a read wait for another one, or has one waited before cycle t? */
STAGE bool need_conflicts(const struct collect *c, uint64_t t, features on)
{
    if (c->nreading && (int32_t)(c->units[c->order[0]].since - (uint32_t)t) < 0)
        return true;
    for (uint32_t w = 0; w < need_words(c, on); w++) {
        uint64_t once = 0;
        for (uint32_t i = 0; i < c->nreading; i++) {
            uint64_t need = *need_word(c, c->order[i], w);
            if (need & (~NEED_ONE | once))
                return true;
            once |= need;
        }
    }
    return false;
}

#endif
