/* SPDX-License-Identifier: Apache-2.0 */
/* Relocations: an address, or half of one, goes to a place of a section. */
#include "sass/link.h"

#include "sass/elf.h"

#include <stdio.h>

static const char *const extern_names[SASS_NEXTERN] = {
    [SASS_VPRINTF] = "vprintf",
    [SASS_ASSERTFAIL] = "__assertfail",
    [SASS_MALLOC] = "malloc",
    [SASS_FREE] = "free",
};

static bool is_code(const struct cubin_section *s) { return s->flags & SHF_EXECINSTR; }

static bool is_constant(const struct cubin_section *s) { return strncmp(s->name, ".nv.constant", 12) == 0; }

struct sass_link *sass_link_new(const struct cubin *c)
{
    struct sass_link *l = xcalloc(1, sizeof *l);
    l->cubin = c;
    l->addr = ARENA_ARRAY(&l->arena, uint64_t, c->sections.n);
    l->data = ARENA_ARRAY(&l->arena, unsigned char *, c->sections.n);
    for (uint32_t i = 0; i < c->sections.n; i++) {
        const struct cubin_section *s = &c->sections.at[i];
        if (!s->data || !(is_code(s) || is_constant(s)))
            continue;
        l->data[i] = arena_alloc(&l->arena, s->size_b + 8);
        memcpy(l->data[i], s->data, s->size_b);
        if (is_code(s))
            l->addr[i] = SASS_TEXT_ADDR + SASS_TEXT_STEP * i;
    }
    return l;
}

void sass_link_free(struct sass_link *l)
{
    if (!l)
        return;
    arena_free(&l->arena);
    free(l);
}

/* 0: it is nowhere. */
static uint64_t address_of(const struct sass_link *l, const uint64_t *moved, uint32_t symbol)
{
    const struct cubin_symbol *s = &l->cubin->symbols.at[symbol];
    if (moved && moved[symbol])
        return moved[symbol];
    if (s->section)
        return l->addr[s->section] ? l->addr[s->section] + s->value : 0;
    for (uint32_t i = 0; i < SASS_NEXTERN; i++) {
        if (strcmp(s->name, extern_names[i]) == 0)
            return SASS_EXTERN_ADDR + 16 * i;
    }
    return 0;
}

/* Where the value goes: `bits` of it from bit `shift` on, to bit `to` of the place (a multiple of 8 but for ABS47_34). */
struct field {
    unsigned bits, shift, to;
};

static struct field field_of(uint32_t type)
{
    switch ((enum cubin_reloc_type)type) {
    case CUBIN_R_64:
    case CUBIN_R_G64:
    case CUBIN_R_FUNC_DESC_64: return (struct field){64, 0, 0};
    case CUBIN_R_32:
    case CUBIN_R_G32: return (struct field){32, 0, 0};
    case CUBIN_R_ABS32_LO_32:
    case CUBIN_R_FUNC_DESC32_LO_32: return (struct field){32, 0, 32};
    case CUBIN_R_ABS32_HI_32:
    case CUBIN_R_FUNC_DESC32_HI_32: return (struct field){32, 32, 32};
    case CUBIN_R_ABS47_34: return (struct field){47, 2, 34};
    default: return (struct field){0};
    }
}

static void put(unsigned char *at, struct field f, uint64_t value)
{
    value >>= f.shift;
    for (unsigned i = 0; i < f.bits; i++) {
        unsigned to = f.to + i;
        unsigned char bit = (unsigned char)(1u << to % 8);
        at[to / 8] = (unsigned char)(value >> i & 1 ? at[to / 8] | bit : at[to / 8] & ~bit);
    }
}

static bool refuse(const struct sass_link *l, const struct cubin_reloc *r, char *why, size_t why_b,
                   const char *what)
{
    snprintf(why, why_b, "%s, byte %llu: relocation of type %u to '%.80s': %s",
             l->cubin->sections.at[r->section].name, (unsigned long long)r->offset, r->type,
             l->cubin->symbols.at[r->symbol].name, what);
    return false;
}

static bool apply(struct sass_link *l, const uint64_t *moved, const struct cubin_reloc *r, char *why,
                  size_t why_b)
{
    struct field f = field_of(r->type);
    uint64_t value = address_of(l, moved, r->symbol);
    if (!f.bits)
        return refuse(l, r, why, why_b, "the type is not known");
    if (!value)
        return refuse(l, r, why, why_b, "it is not in the file");
    if ((f.to + f.bits + 7) / 8 > l->cubin->sections.at[r->section].size_b - r->offset)
        return refuse(l, r, why, why_b, "it does not fit there");
    put(l->data[r->section] + r->offset, f, value + (uint64_t)r->addend);
    return true;
}

bool sass_link_apply(struct sass_link *l, const uint64_t *moved, char *why, size_t why_b)
{
    vec_each (&l->cubin->relocs, r) {
        if (l->data[r->section] && !apply(l, moved, r, why, why_b))
            return false;
    }
    return true;
}
