/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding: finds the row of the table and follows its template. */
#include "sass/table.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct sass_row sass_rows[] = {
#define FORM(name, code, mask, from, to, unit, imm, flags, text)                                             \
    {#name, S_##name, code, mask, from, to, UNIT_##unit, IMM_##imm, flags, text},
#define ALSO FORM
#include "sass/forms.def"
};
const size_t sass_nrows = sizeof sass_rows / sizeof sass_rows[0];

const struct sass_modinfo sass_mods[SM_COUNT] = {
#define MOD(kind, ...) {#kind, {__VA_ARGS__}},
#include "sass/mods.def"
#undef MOD
};

unsigned sass_mod(const struct sass_insn *i, enum sass_modkind kind)
{
    for (unsigned k = 0; k < i->nmods; k++) {
        if (i->mod[k].kind == kind)
            return i->mod[k].value;
    }
    return 0;
}

const char *sass_name(const struct sass_insn *i) { return i->row->name; }

static int mod_kind(const char *name, size_t n)
{
    for (unsigned k = 0; k < SM_COUNT; k++) {
        if (!strncmp(sass_mods[k].kind, name, n) && !sass_mods[k].kind[n])
            return (int)k;
    }
    return -1;
}

/* ".kind@at:width+at:width", the pieces from the low one on. */
static bool modifier(struct sass_reader *r, const char **t)
{
    const char *s = *t;
    size_t n = strcspn(s, "@");
    int kind = mod_kind(s, n);
    if (kind < 0)
        return sass_refuse(r, "template of %s: no modifier %.*s", r->i->row->name, (int)n, s);
    uint64_t v = 0;
    unsigned have = 0;
    char *end = (char *)(uintptr_t)(s + n);
    do {
        unsigned at = (unsigned)strtoul(end + 1, &end, 10), w = 1;
        if (*end == ':')
            w = (unsigned)strtoul(end + 1, &end, 10);
        v |= sass_take(r, at, w) << have;
        have += w;
    } while (*end == '+');
    *t = end;
    if (v >= SMF_MAX || !sass_mods[kind].name[v])
        return sass_refuse(r, "%s: modifier %s has the value %u", r->i->row->name, sass_mods[kind].kind,
                           (unsigned)v);
    if (r->i->nmods < SASS_MAX_MODS)
        r->i->mod[r->i->nmods++] = (struct sass_mod){(uint8_t)kind, (uint8_t)v};
    return true;
}

static bool follow(struct sass_reader *r)
{
    const char *t = r->i->row->text;
    while (*t == '.') {
        t++;
        if (!islower((unsigned char)*t))
            t += strcspn(t, ". ");
        else if (!modifier(r, &t))
            return false;
    }
    while (*t == ' ' || *t == ',')
        t++;
    while (*t) {
        if (r->i->nopnds == SASS_MAX_OPNDS)
            return sass_refuse(r, "template of %s: too many operands", r->i->row->name);
        if (!sass_operand(r, &t, &r->i->opnd[r->i->nopnds]))
            return false;
        r->i->nopnds++;
        while (*t == ' ' || *t == ',')
            t++;
    }
    return true;
}

static void control(struct sass_reader *r)
{
    struct sass_ctl *c = &r->i->ctl;
    c->stall = (uint8_t)sass_take(r, 105, 4);
    c->yield = (uint8_t)sass_take(r, 109, 1);
    c->wbar = (uint8_t)sass_take(r, 110, 3);
    c->rbar = (uint8_t)sass_take(r, 113, 3);
    c->wait = (uint8_t)sass_take(r, 116, 6);
    c->reuse = (uint8_t)sass_take(r, 122, 4);
}

bool sass_decode(unsigned arch, uint64_t lo, uint64_t hi, struct sass_insn *out, char *why, size_t why_b)
{
    struct sass_reader r = {.i = out, .arch = arch, .why = why, .why_b = why_b};
    unsigned code = lo & 0xfff;
    bool known = false;
    if (why_b)
        *why = 0;
    for (size_t k = 0; k < sass_nrows; k++) {
        const struct sass_row *row = &sass_rows[k];
        if ((code & row->mask) != row->code || arch < row->from || arch > row->to)
            continue;
        known = true;
        *out = (struct sass_insn){.row = row, .lo = lo, .hi = hi, .arch = (uint8_t)arch, .form = code >> 9};
        r.used_lo = 0xfff;
        r.used_hi = 0;
        struct sass_opnd *g = &out->guard;
        g->kind = row->flags & SF_U ? SASS_UPRED : SASS_PRED;
        g->reg = (uint8_t)sass_take(&r, 12, 3);
        g->inv = sass_take(&r, 15, 1);
        if (g->reg == SASS_PT && !g->inv)
            g->kind = SASS_NONE;
        control(&r);
        if (!follow(&r))
            continue;
        out->rest_lo = lo & ~r.used_lo;
        out->rest_hi = hi & ~r.used_hi;
        sass_alias(out, arch);
        return true;
    }
    if (!known)
        sass_refuse(&r, "no instruction has the opcode 0x%03x", code);
    return false;
}
