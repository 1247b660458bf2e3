/* SPDX-License-Identifier: Apache-2.0 */
#include "annotate/region_split.h"

#include "annotate/apart.h"
#include "annotate/live.h"
#include "annotate/pieces.h"

static regset written(const struct tr_insn *i)
{
    regset s = {{0}};
    for (uint32_t j = 0; j < i->ndst; j++)
        regset_set(&s, &i->dst[j], true);
    return s;
}

static void find_use(struct region_code *c, const struct tr_block *b, uint32_t load)
{
    for (uint32_t i = load + 1; i < b->start + b->n; i++) {
        regset all = regset_or(&c->reads[i], &c->writes[i]);
        all = regset_and(&all, &c->writes[load]);
        if (!regset_empty(&all)) {
            c->use[load] = i;
            return;
        }
    }
}

void region_code_init(struct region_code *c, const struct tr_kernel *k, const regset *live)
{
    *c = (struct region_code){.k = k,
                              .reads = xcalloc(k->n + 1, sizeof *c->reads),
                              .writes = xcalloc(k->n + 1, sizeof *c->writes),
                              .kills = xcalloc(k->n + 1, sizeof *c->kills),
                              .late = xcalloc(k->n + 1, sizeof *c->late),
                              .soft = xcalloc(k->n + 1, sizeof *c->soft),
                              .wanted = xcalloc(k->n + 1, sizeof *c->wanted),
                              .use = xcalloc(k->n + 1, sizeof *c->use),
                              .apart = apart_wanted(k, live)};
    for (uint32_t n = 0; n < k->nblocks; n++) {
        const struct tr_block *b = &k->blocks[n];
        for (uint32_t i = b->start; i < b->start + b->n; i++) {
            regset left;
            live_use(&c->reads[i], &k->insns[i]);
            c->writes[i] = left = written(&k->insns[i]);
            live_overwrite(&left, &k->insns[i]);
            if (is_far_load(&k->insns[i]))
                c->late[i] = c->writes[i];
            c->kills[i] = regset_without(&c->writes[i], &left);
            c->wanted[i] = regset_or(&live[i], &c->apart[n]);
            left = live[i];
            live_overwrite(&left, &k->insns[i]);
            left = regset_or(&left, &c->apart[n]);
            c->soft[i] = regset_and(&left, &c->writes[i]);
        }
        for (uint32_t i = b->start; i < b->start + b->n; i++)
            if (is_global_load(&k->insns[i]))
                find_use(c, b, i);
    }
}

void region_code_free(struct region_code *c)
{
    free(c->reads);
    free(c->writes);
    free(c->kills);
    free(c->late);
    free(c->soft);
    free(c->wanted);
    free(c->use);
    free(c->apart);
}

regset region_inputs(const struct region_code *c, uint32_t start, uint32_t end)
{
    regset in = {{0}}, made = {{0}};
    for (uint32_t i = start; i < end; i++) {
        regset need = regset_or(&c->reads[i], &c->soft[i]);
        need = regset_without(&need, &made);
        in = regset_or(&in, &need);
        made = regset_or(&made, &c->writes[i]);
    }
    return in;
}

/* ---- validity ---- */

static bool fits(const regset *s, const struct region_limits *l)
{
    uint32_t by_bank[REGION_BANKS] = {0};
    if (regset_count(s) > l->most)
        return false;
    for (regset left = *s; !regset_empty(&left);)
        if (++by_bank[regset_take(&left) % l->banks] > l->lines)
            return false;
    return true;
}

/* Is what is occupied at any time of it few enough? A register is occupied at an instruction if it was brought or made by then,
 * and has an access there or behind; or if its data have yet to come from memory (section 4.5.1: it "must stay allocated"). */
static bool has_room(const struct region_code *c, const struct region_limits *l, uint32_t start, uint32_t end)
{
    regset *made = xcalloc(end - start + 1, sizeof *made);
    regset sum = region_inputs(c, start, end), later = {{0}};
    bool ok = true;
    for (uint32_t i = start; i < end; i++) {
        made[i - start] = sum = regset_or(&sum, &c->writes[i]);
        later = regset_or(&later, &c->late[i]);
    }
    for (uint32_t i = end; ok && i-- > start;) {
        regset all = regset_or(&c->reads[i], &c->writes[i]);
        later = regset_or(&later, &all);
        regset now = regset_and(&later, &made[i - start]);
        ok = fits(&now, l);
    }
    free(made);
    return ok;
}

/* The first instruction with which it is not valid any more, `end`: none. At least one is in a region. */
static uint32_t upper_bound(const struct region_code *c, const struct region_limits *l, uint32_t start,
                            uint32_t end)
{
    uint32_t use = end;
    for (uint32_t i = start; i < use; i++)
        if (c->use[i] && c->use[i] < use)
            use = c->use[i];
    /* Occupied registers only become more with each instruction. */
    uint32_t good = start + 1, bad = use + 1, step = 8;
    while (good < use) {
        uint32_t at = bad <= use ? good + (bad - good) / 2 : good + step < use ? good + step : use;
        step *= 2;
        if (at == good)
            break;
        if (has_room(c, l, start, at))
            good = at;
        else
            bad = at;
        if (bad <= use && bad == good + 1)
            break;
    }
    return good;
}

/* ---- the place of a split ---- */

/* The earliest place up to `upper` that leaves the fewest loads together with their uses. */
static uint32_t lower_bound(const struct region_code *c, uint32_t start, uint32_t upper, uint32_t end)
{
    uint32_t best = start + 1, most = 0;
    for (uint32_t p = start + 1; p <= upper; p++) {
        uint32_t parted = 0;
        for (uint32_t i = start; i < p; i++)
            parted += c->use[i] >= p && c->use[i] < end;
        if (parted > most) {
            most = parted;
            best = p;
        }
    }
    return best;
}

/* By place from start on: inputs and outputs of what is behind it. */
static uint32_t *count_behind(const struct region_code *c, uint32_t start, uint32_t end)
{
    uint32_t *n = xcalloc(end - start + 1, sizeof *n);
    regset in = {{0}}, made = {{0}};
    for (uint32_t i = end; i-- > start;) {
        in = regset_without(&in, &c->writes[i]);
        in = regset_or(&in, &c->reads[i]);
        in = regset_or(&in, &c->soft[i]);
        made = regset_or(&made, &c->writes[i]);
        regset out = regset_and(&made, &c->wanted[end - 1]);
        n[i - start] = regset_count(&in) + regset_count(&out);
    }
    return n;
}

uint32_t region_length(const struct region_code *c, const struct region_limits *l, uint32_t start,
                       uint32_t end)
{
    enum { SHORTEST = 6 };
    uint32_t upper = upper_bound(c, l, start, end), best = upper, fewest = UINT32_MAX;
    if (upper == end)
        return end - start;
    uint32_t from = lower_bound(c, start, upper, end);
    from = from > start + SHORTEST ? from : start + SHORTEST;
    from = from < upper ? from : upper;
    uint32_t *behind = count_behind(c, start, end);
    regset in = {{0}}, made = {{0}};
    for (uint32_t p = start; p <= upper; p++) {
        regset out = {{0}};
        if (p > start)
            out = regset_and(&made, &c->wanted[p - 1]);
        uint32_t n = behind[p - start] + regset_count(&in) + regset_count(&out);
        if (p >= from && n <= fewest) {
            fewest = n;
            best = p;
        }
        regset need = regset_or(&c->reads[p], &c->soft[p]);
        need = regset_without(&need, &made);
        in = regset_or(&in, &need);
        made = regset_or(&made, &c->writes[p]);
    }
    free(behind);
    return best - start;
}
